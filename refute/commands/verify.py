"""`refute verify`: re-check certificates, believing nothing in them."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from refute.commands.common import NOT_EARNED, WRONG_USE, Mistake, guard_options, jobs_option, say, stdout_kept_clean
from refute.decide.effort import PROFILES, Run
from refute.errors import RefuteError, Unreadable
from refute.kernel.reading import read
from refute.kernel.verification import EVIDENCE_ONLY, objections
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.place import file_of
from refute.language.registry import find_claim
from refute.run.guard import Crew, Limits
from refute.run.loading import load_file, load_paper, reload
from refute.show.visible import one_line

FOREIGN = "if its file is not among the installed claims, name it with --from FILE"


@dataclass(frozen=True, slots=True)
class Finding:
    """What is said of one file, and the exit code that it is worth."""

    code: int
    word: str
    path: Path
    text: str

    def say(self) -> int:
        say(f"{self.word:<11} {one_line(str(self.path))}: {one_line(self.text)}", err=self.code == WRONG_USE)
        return self.code


@click.command()
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--from", "sources", multiple=True, metavar="FILE", help="A file of claims outside the installed ones.")
@jobs_option
@guard_options
@click.pass_context
def verify(
    context: click.Context,
    certificates: Sequence[Path],
    sources: Sequence[str],
    jobs: int,
    timeout_per_case: float,
    memory: str | None,
) -> None:
    """Re-check counterexamples; nothing in a certificate is believed. Of a folder, every .json file below it.

    \b
    Exit code: 0 all are valid, 1 some are not, or are evidence only, 2 some cannot be read.

    \b
    Example: refute verify .refute/certificates --jobs 2
    """
    limits = Limits.parse(timeout_per_case, memory, jobs)
    with stdout_kept_clean():
        for source in sources:
            load_file(source)
    with Crew(jobs, limits) as staff:
        given = [_given(path, staff) for named in certificates for path in _files(named)]
        context.exit(max([(one if isinstance(one, Finding) else _received(*one)).say() for one in given]))


def _files(named: Path) -> list[Path]:
    """The file, or those of the folder; a folder without any is itself what cannot be read."""
    return sorted(named.rglob("*.json")) or [named] if named.is_dir() else [named]


def _given(path: Path, staff: Crew) -> "Finding | tuple[Path, dict[str, Any], Future[list[str]]]":
    """What can be said at once, or the answer to come: the case is judged in a watched process."""
    try:
        data = read(path)
        claim = _certified_claim(data.get("claim"))
    except Unreadable as error:
        return Finding(WRONG_USE, "unreadable", path, error.message)
    if claim is None:
        against = objections(data, None)
        return Finding(NOT_EARNED, "invalid", path, "; ".join([*against, *[FOREIGN] * ("no claim" in against[0])]))
    return path, data, staff.submit(_decide, data, claim.id, str(file_of(claim.place)), group=claim.paper)


def _decide(data: dict[str, Any], id: str, file: str) -> list[str]:
    return objections(data, reload(id, file), Run(PROFILES["exhaustive"]))


def _received(path: Path, data: dict[str, Any], answer: "Future[list[str]]") -> Finding:
    try:
        against = answer.result()
    except Unreadable as error:
        return Finding(WRONG_USE, "unreadable", path, error.message)
    except RefuteError as error:
        against = [f"the claim cannot be evaluated on its case: {error.message}"]
    except Exception as error:  # a forged case may lead anywhere
        against = [f"the claim cannot be evaluated on its case: {type(error).__name__}: {error}"]
    if against and against != [EVIDENCE_ONLY]:
        return Finding(NOT_EARNED, "invalid", path, "; ".join(against))
    said = f"{data['claim']} is {'not ' * bool(against)}refuted by {Case.from_json(data['case'])}"
    return (
        Finding(NOT_EARNED, "evidence", path, f"{said}: {against[0]}") if against else Finding(0, "valid", path, said)
    )


def _certified_claim(id: object) -> Claim | None:
    """The claim of that name, its paper loaded where it is an installed one."""
    if not isinstance(id, str):
        return None
    if find_claim(id) is None:
        try:
            with stdout_kept_clean():
                load_paper(id.partition(".")[0])
        except RefuteError as error:
            raise Mistake(str(error)) from error  # not the fault of the certificate
    return find_claim(id)
