"""A paper's claims as a page: what each one says, the verdict it earned, what it stands on, and what does not hold as
printed.
"""

import inspect
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from refute.decide.effort import Run
from refute.decide.verdict import FALLEN, Against, Proved, Refuted, margin_of
from refute.kernel.certificate import pinned_path
from refute.language.claim import Claim
from refute.language.place import file_of
from refute.run.check import check
from refute.run.guard import Crew
from refute.run.loading import DEFAULT_PACKAGE, reload
from refute.study.ablate import ablate, kill
from refute.study.sweep import Sweep, speaking, sweep

HEADER = (
    "| claim | reference | kind | statement | verdict | evidence | worst margin | necessary assumptions | "
    "mutants refuted |"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the page, in words."""

    id: str
    reference: str
    kind: str
    statement: str
    verdict: str
    evidence: str
    margin: str
    necessary: str
    mutants: str
    counterexample: str = ""
    reason: str = ""
    sweeps: tuple[str, ...] = ()

    def row(self) -> str:
        cells = (
            self.reference,
            self.kind,
            self.statement,
            self.verdict,
            self.evidence,
            self.margin,
            self.necessary,
            self.mutants,
        )
        return f"| `{self.id}` | " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;") or "-"


def statement(claim: Claim) -> str:
    """The first paragraph of what it says."""
    return inspect.cleandoc(claim.statement).split("\n\n")[0]


def reason(claim: Claim) -> str:
    """What it says besides: why it fails, what was changed."""
    return inspect.cleandoc(claim.statement).partition("\n\n")[2]


def entry(claim: Claim, run: Run, ablations: bool = True) -> Entry:
    """Check the claim, drop each of its assumptions (unless told not to), try its mutants."""
    outcome = check(claim, run)
    quick = replace(run, shrink=False)
    stands = ablations and claim.recorded in ("proved", "supported")
    findings = (
        [(assumption.text, ablate(claim, assumption, quick).finding) for assumption in claim.assumes] if stands else []
    )
    kills = [kill(claim, mutant, run).killed for mutant in claim.mutants]
    margin = margin_of(outcome)
    return Entry(
        claim.id,
        claim.reference,
        claim.kind.value,
        statement(claim),
        outcome.word,
        _evidence(claim, outcome),
        str(margin) if margin is not None else "",
        "; ".join(f"{text}: {'yes' if finding == 'necessary' else finding}" for text, finding in findings),
        f"{sum(kills)} of {len(kills)}" if kills else "",
        str(outcome.counterexample.case) if isinstance(outcome, Refuted | Against) else "",
        reason(claim),
        tuple(_sweep_row(one) for one in sweeps(claim, quick)) if ablations else (),
    )


def sweeps(claim: Claim, run: Run) -> Iterable[Sweep]:
    """How large the constants must be that the paper calls sufficiently large; where that is not at once, each
    assumption alone, too.
    """
    for field, values in _sufficiently_large(claim).items():
        about = speaking(claim, field)
        if not about or not values:
            continue
        together = sweep(claim, field, values, run)
        yield together
        if together.enough not in (None, together.values[0]):
            yield from (sweep(claim, field, values, run, alone) for alone in about)


def _sufficiently_large(claim: Claim) -> Mapping[str, Sequence[Any]]:
    """What the package of the paper says to try: for each field, the values of the first glob that fits the id."""
    package = sys.modules.get(f"{DEFAULT_PACKAGE}.{claim.paper}")
    told: Mapping[str, Mapping[str, Sequence[Any]]] = getattr(package, "SUFFICIENTLY_LARGE", {})
    return {field: next(v for glob, v in globs.items() if fnmatchcase(claim.id, glob)) for field, globs in told.items()}


def _evidence(claim: Claim, outcome: Any) -> str:
    if isinstance(outcome, Proved):
        return outcome.method
    if isinstance(outcome, Refuted | Against):
        name = pinned_path(claim).name if claim.recorded in FALLEN else ""
        kept = "certificate" if isinstance(outcome, Refuted) else "evidence"
        return f"{outcome.counterexample.level}; {kept} `{name}`" if name else outcome.counterexample.level
    return f"{outcome.evidence.cases} cases"


def entries(claims: Sequence[Claim], run: Run, jobs: int = 1, ablations: bool = True) -> Iterable[Entry]:
    """In the order of the claims, each in a watched process."""
    with Crew(jobs) as staff:
        place = [(claim.id, str(file_of(claim.place))) for claim in claims]
        futures = [staff.submit(_entry, *each, run, ablations) for each in place]
        yield from (future.result() for future in futures)


def _entry(id: str, file: str, run: Run, ablations: bool) -> Entry:
    return entry(reload(id, file), run, ablations)


def page(paper: str, found: Sequence[Entry]) -> str:
    """The page in Markdown."""
    counts = {word: sum(one.verdict == word for one in found) for word in sorted({one.verdict for one in found})}
    lines = [f"# {paper}: {len(found)} claims", ""]
    lines.append(
        f"Written by `refute document {paper}`. "
        + ", ".join(f"{number} {word}" for word, number in counts.items())
        + "."
    )
    lines += _fallen("What does not hold as printed", [one for one in found if one.verdict == Refuted.word])
    against = [one for one in found if one.verdict == Against.word]
    lines += _fallen("Evidence against", against) if against else []
    lines += [
        "",
        "## Every claim",
        "",
        HEADER,
        "|" + " --- |" * (HEADER.count("|") - 1),
        *(one.row() for one in found),
        "",
    ]
    return "\n".join(lines + _large_enough([row for one in found for row in one.sweeps]))


LARGE = "| statement | constant | tightened | no violation from | violated at | tried |"


def _sweep_row(one: Sweep) -> str:
    tightened = one.alone.text if one.alone else "all together"
    numbers = ["-" if value is None else str(value) for value in (one.enough, one.refuted_at)]
    return "| " + " | ".join([one.claim, one.field, _cell(tightened), *numbers, ", ".join(map(str, one.values))]) + " |"


def _fallen(heading: str, found: Sequence[Entry]) -> list[str]:
    """The statements with their cases."""
    lines = ["", f"## {heading}", ""]
    for one in found:
        case = " ".join(one.counterexample.split())
        lines += [f"- `{one.id}` ({one.reference}): {_cell(one.statement)}  ", f"  Counterexample: `{case}`"]
    return lines


def _large_enough(rows: Sequence[str]) -> list[str]:
    """What "for a sufficiently large constant" takes, as a table of its own."""
    if not rows:
        return []
    words = (
        "Cases with the constant set to each value, and all assumptions that speak of it tightened together, or "
        "one of them alone."
    )
    return ["## How large a constant must be", "", words, "", LARGE, "|" + " --- |" * (LARGE.count("|") - 1), *rows, ""]


def ids_and_verdicts(text: str) -> dict[str, str]:
    """What a page says: the verdict of each claim of its table."""
    found = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.replace("\\|", "").split("|")]
        if len(cells) > 6 and cells[1].startswith("`"):
            found[cells[1].strip("`")] = cells[5]
    return found
