"""The pytest plugin: every claim of a file is an item, green when it earns its recorded verdict.

Claims and ordinary tests may stand in one file, whatever it is called: `mine.py::triangle` is the claim made of the
function `triangle`, `mine.py::triangle[amended]` its amended form. The plugin is loaded in every pytest run of the
environment, so it imports the engine inside its hooks only.
"""

import importlib.metadata
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from refute.decide.effort import Run
    from refute.language.claim import Claim
    from refute.run.guard import Crew
    from refute.run.result import Result
    from refute.run.results import Journal

# Fields of a row that a report of tests keeps.
TOLD = {"verdict", "recorded", "margin", "error", "cases", "certificate"}
VERSIONS = ("hypothesis", "numpy", "python-flint", "sympy")
DEVICES = ("auto", "cpu", "cuda")

_run: "pytest.StashKey[Run]" = pytest.StashKey()
_staff: "pytest.StashKey[Crew]" = pytest.StashKey()
_journal: "pytest.StashKey[Journal]" = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    from refute.decide.effort import PROFILES

    group = parser.getgroup("refute", "claims about training")
    group.addoption(
        "--claim-profile", choices=list(PROFILES), default="quick", help="how hard to try to refute a claim (quick)"
    )
    group.addoption("--claim-device", choices=DEVICES, default="auto", help="where tensors live (auto)")
    group.addoption(
        "--claim-results", metavar="DIR", help="store results in this folder (they are not stored without it)"
    )
    group.addoption("--claim-seed", type=_seed, default=0, help="the same seed gives the same verdicts (0)")


def _seed(text: str) -> int:
    seed = int(text)
    if seed < 0:
        raise ValueError(text)
    return seed


def pytest_configure(config: pytest.Config) -> None:
    from refute.language.kind import Kind

    for kind in Kind:
        config.addinivalue_line("markers", f"{kind.marker}: claims of the kind {kind.value!r}")
    config.addinivalue_line("markers", "xdist_group(name): items that run in one worker under --dist loadgroup")
    if config.getoption("claim_device") == "cuda":
        _run_of(config)  # complains before anything is collected


def _run_of(config: pytest.Config) -> "Run":
    """The effort, seed and device of this session; looking for a GPU may be slow, so not before a claim needs it."""
    from refute.decide.effort import PROFILES, Run
    from refute.errors import RefuteError
    from refute.run.device import resolve

    if _run not in config.stash:
        try:
            device = resolve(config.getoption("claim_device"))
        except RefuteError as error:
            raise pytest.UsageError(str(error)) from error
        profile = PROFILES[config.getoption("claim_profile")]
        config.stash[_run] = Run(profile, seed=config.getoption("claim_seed"), device=device, remember=True)
    return config.stash[_run]


def _staff_of(config: pytest.Config) -> "Crew":
    """The watched process of this session, begun when the first claim needs it."""
    from refute.run.guard import Crew

    if _staff not in config.stash:
        config.stash[_staff] = Crew(1)
    return config.stash[_staff]


def pytest_unconfigure(config: pytest.Config) -> None:
    if _staff in config.stash:
        config.stash[_staff].close()


def _store(config: pytest.Config, claim: "Claim", record: dict[str, Any]) -> None:
    """Only where a folder was named: sessions of pytest are many and small, and a user expects no files from them."""
    from refute.run.results import Journal, stamped

    folder = config.getoption("claim_results")
    if folder is not None:
        journal = config.stash.setdefault(_journal, Journal(Path(folder)))
        journal.add(stamped("check", claim, _run_of(config), record))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if _journal in session.config.stash and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        session.config.stash[_journal].finish()


def pytest_report_collectionfinish(config: pytest.Config, items: list[pytest.Item]) -> str | list[str]:
    """What a log must say so that the run can be repeated; nothing where there are no claims."""
    if not any(isinstance(item, ClaimItem) for item in items):
        return []
    effort = ", ".join(f"{name} {config.getoption(f'claim_{name}')}" for name in ("profile", "seed", "device"))
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in VERSIONS)
    return f"refute {importlib.metadata.version('refute')}: {effort} ({versions})"


def _is_claim_file(path: Path) -> bool:
    from refute.run.source import has_claims

    return path.suffix == ".py" and has_claims(path)


def _is_test_file(path: Path, config: pytest.Config) -> bool:
    return any(path.match(pattern) for pattern in config.getini("python_files"))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "ClaimModule | None":
    """Files that pytest would pass over. Files of tests, and files that are named on the command line, it makes modules
    of: see the next hook.
    """
    if parent.session.isinitpath(file_path) or _is_test_file(file_path, parent.config):
        return None
    return ClaimModule.from_parent(parent, path=file_path) if _is_claim_file(file_path) else None


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> "ClaimModule | None":
    """In place of pytest's own module."""
    return ClaimModule.from_parent(parent, path=module_path) if _is_claim_file(module_path) else None


class ClaimModule(pytest.Module):
    """A file of claims: its tests, as of any module, and its claims. Files of tests are imported by pytest, for which
    they are written, all others like `refute check` imports them.
    """

    def _getobj(self) -> Any:
        from refute.errors import RefuteError
        from refute.run.loading import load_file, module_of
        from refute.show.visible import visible

        if _is_test_file(self.path, self.config):
            return super()._getobj()  # type: ignore[no-untyped-call]
        try:
            load_file(self.path)
        except RefuteError as error:
            raise self.CollectError(visible(str(error))) from None
        return module_of(self.path)

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        from refute.language.place import file_of
        from refute.language.registry import claims
        from refute.show.visible import one_line

        yield from super().collect()
        taken: set[str] = set()
        for claim in claims():
            if file_of(claim.place) == self.path:
                name = item_name(claim)
                name = name if name not in taken else f"{claim.name}[{claim.id}]"  # made in a loop
                taken.add(name)
                yield ClaimItem.from_parent(self, name=one_line(name), claim=claim)


def item_name(claim: "Claim") -> str:
    """The name of the function; a reading stands in brackets, like a parameter of a test."""
    from refute.language.claim import READING

    reading = READING.search(claim.id)
    return f"{claim.name}[{claim.id[reading.start() + 1 :]}]" if reading else claim.name


class NotEarnedError(Exception):
    """A claim did not earn its recorded verdict; the message is the whole report."""


class ClaimItem(pytest.Item):
    def __init__(self, *, claim: "Claim", **keywords: Any) -> None:
        super().__init__(**keywords)
        self.claim = claim
        self.add_marker(claim.kind.marker)
        # Claims of one section share their cases, claims about one experiment its run: one xdist worker takes them all.
        self.add_marker(pytest.mark.xdist_group(self.path.stem if claim.kind.marker == "experiment" else claim.stream))
        self.extra_keyword_matches.update({claim.name, claim.id})

    def runtest(self) -> None:
        from refute.run.runner import received, run_claim, submitted

        run = _run_of(self.config)
        debugging = self.config.getoption("usepdb")
        if debugging:  # the debugger wants the conclusion in this process
            result = run_claim(self.claim, run)
        else:
            result = received(self.claim, submitted(self.claim, run, _staff_of(self.config)))
        _store(self.config, self.claim, result.record())
        row = result.row()
        self.user_properties += [(key, value) for key, value in row.items() if key in TOLD]
        self.user_properties.append(("device", run.device))
        if not result.earned:
            raise NotEarnedError(str(result)).with_traceback(self._stopped_in(result) if debugging else None)

    def _stopped_in(self, result: "Result") -> TracebackType | None:
        """Where the conclusion returned on the counterexample: there a debugger shows the values of the case."""
        from refute.decide.evaluate import judge

        found = getattr(result.outcome, "counterexample", None)
        if found is None:
            return None
        code, frames = self.claim.conclusion.__code__, []
        sys.setprofile(lambda frame, event, value: frames.append(frame) if frame.f_code is code else None)
        try:
            judge(self.claim, found.case, _run_of(self.config))
        finally:
            sys.setprofile(None)
        return TracebackType(None, frames[-1], frames[-1].f_lasti, frames[-1].f_lineno) if frames else None

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from refute.show.visible import visible

        return (
            visible(str(excinfo.value))
            if isinstance(excinfo.value, NotEarnedError)
            else super().repr_failure(excinfo, style)
        )

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, int(self.claim.place.rpartition(":")[2]) - 1, self.name


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Counts per verdict, taken from the reports: under xdist the items run elsewhere."""
    from refute.run.result import count

    reports = [
        report
        for group in terminalreporter.stats.values()
        for report in group
        if getattr(report, "when", None) == "call"
    ]
    rows = [dict(report.user_properties) for report in reports]
    claims = [row for row in rows if "verdict" in row and "recorded" in row]
    if claims:
        devices = ", ".join(sorted({row["device"] for row in claims}))
        terminalreporter.write_sep("=", f"claims: {count(row['verdict'] for row in claims)} (on {devices})")
