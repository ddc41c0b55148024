"""`refute report`: a static site from stored results."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refute.commands.common import Mistake, patterns_argument, progress, stdout_kept_clean
from refute.errors import RefuteError
from refute.language.claim import Claim
from refute.language.place import shown
from refute.run import results
from refute.run.loading import installed, load_all, select

if TYPE_CHECKING:
    from refute.show.report.changes import Change


@click.command()
@patterns_argument
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("report"),
    show_default=True,
    help="The folder of the site.",
)
@click.option(
    "--results",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    callback=lambda context, parameter, given: results.folder(given),
    help="The folder of stored results: else $REFUTE_RESULTS, else .refute/results.",
)
@click.option(
    "--against",
    type=click.Path(path_type=Path, file_okay=False),
    help="Compare with the stored results of this folder: those of another commit, say.",
)
@click.option("--since", metavar="TIME", help="Compare with what was stored before this time, such as 2026-11-19T08.")
@click.option("--source", default="", metavar="URL", help="The sources on the web: https://…/blob/COMMIT.")
def report(
    patterns: Sequence[str], out: Path, folder: Path, against: Path | None, since: str | None, source: str
) -> None:
    """Write a static site about claims from stored results: it runs none of them and opens without a server.

    Changes are told since the report before, unless --against or --since names another state to compare with.

    \b
    Example: refute check; refute report --out site; open site/index.html
    """
    from refute.show.report.entry import Entry
    from refute.show.report.folder import write
    from refute.show.report.site import Site

    start = time.perf_counter()
    with stdout_kept_clean():
        claims = select(patterns)
        latest = results.latest(folder, "check")
        ablations, mutants, tightness = (
            results.latest_groups(folder, sort) for sort in ("ablation", "mutant", "tightness")
        )
        entries = [
            Entry(
                claim,
                latest.get(claim.id),
                ablations.get(claim.id, ()),
                mutants.get(claim.id, ()),
                tightness.get(claim.id, ()),
            )
            for claim in claims
        ]
        now = {entry.id: entry.verdict for entry in entries}
        try:
            changes, name = _compared(folder, now, against, since)
            with progress(len(claims), "pages") as progressing:
                each = Site(entries, _uses(claims), changes, name, source)
                number, size = write(each, out, lambda name: progressing.advance(name, name.startswith("claim/")))
        except OSError as error:
            raise Mistake(f"the report could not be written: {error}") from error
    seconds = time.perf_counter() - start
    click.echo(
        f"{shown(out / 'index.html')}: {len(claims)} claims, {number} files, {size / 1e6:.1f} MB, {seconds:.1f} s"
    )


def _compared(
    folder: Path, now: dict[str, str], against: Path | None, since: str | None
) -> "tuple[list[Change] | None, str]":
    """What changed, and since when or against what."""
    from refute.show.report.changes import compare, difference

    if against is not None and since is not None:
        raise Mistake("--against and --since name two states to compare with\n\nhint: give one of them")
    if against is not None:
        before = results.latest(against, "check")
        if not before:
            raise Mistake(f"nothing is stored in {shown(against)}\n\nhint: give a folder like .refute/results")
        return difference(_verdicts(before), now), f"the results in {shown(against)}"
    if since is not None:
        stamp = "".join(letter for letter in since if letter.isalnum())
        earlier = results.previous(folder, stamp)
        if not earlier:
            raise Mistake(f"nothing was stored before {since}\n\nhint: write a time as 2026-11-19 or 2026-11-19T08:30")
        return difference(_verdicts(earlier), now), f"what was stored before {since}"
    return compare(folder, now), ""


def _verdicts(records: "dict[str, results.Record]") -> dict[str, str]:
    return {id: str(record["verdict"]) for id, record in records.items()}


def _uses(claims: Sequence[Claim]) -> dict[str, dict[str, tuple[str, ...]] | str]:
    """The graph of proofs of every paper of the installed package; what is wrong with it where it cannot be read."""
    papers = sorted({claim.paper for claim in claims if installed(claim)})
    known = [claim.id for claim in load_all()] if papers else []
    return {paper: _uses_of(paper, known) for paper in papers}


def _uses_of(paper: str, known: Sequence[str]) -> dict[str, tuple[str, ...]] | str:
    from refute.run.citations import uses

    try:
        return uses(paper, known)
    except RefuteError as error:
        return str(error)
