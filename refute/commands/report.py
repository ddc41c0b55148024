"""`refute report`: a static site from stored results."""

import time
from collections.abc import Sequence
from pathlib import Path

import click

from refute.commands.common import Mistake, patterns_argument, progress, stdout_kept_clean
from refute.errors import RefuteError
from refute.language.claim import Claim
from refute.language.place import shown
from refute.run import results
from refute.run.loading import installed, load_all, select


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
def report(patterns: Sequence[str], out: Path, folder: Path) -> None:
    """Write a static site about claims from stored results: it runs none of them and opens without a server.

    \b
    Example: refute check; refute report --out site; open site/index.html
    """
    from refute.show.report.changes import compare
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
        try:
            changes = compare(folder, {entry.id: entry.verdict for entry in entries})
            with progress(len(claims), "pages") as progressing:
                each = Site(entries, _uses(claims), changes)
                number, size = write(each, out, lambda name: progressing.advance(name, name.startswith("claim/")))
        except OSError as error:
            raise Mistake(f"the report could not be written: {error}") from error
    seconds = time.perf_counter() - start
    click.echo(
        f"{shown(out / 'index.html')}: {len(claims)} claims, {number} files, {size / 1e6:.1f} MB, {seconds:.1f} s"
    )


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
