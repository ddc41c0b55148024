"""`refute document`: write a page on the claims of a paper."""

from collections.abc import Sequence
from pathlib import Path

import click

from refute.commands.common import profile_option, progress, say, seed_option, stdout_kept_clean
from refute.commands.completion import paper_names
from refute.decide.effort import PROFILES, Run
from refute.language.place import shown
from refute.run.device import resolve
from refute.run.loading import select


@click.command()
@click.argument("papers", metavar="PAPER...", nargs=-1, required=True, shell_complete=paper_names)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("docs"),
    show_default=True,
    help="The folder of the pages.",
)
@profile_option
@seed_option
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Number of processes.")
@click.option(
    "--ablate/--no-ablate", "ablations", default=True, help="Whether to drop each assumption, which may take long."
)
def document(papers: Sequence[str], out: Path, profile: str, seed: int, jobs: int, ablations: bool) -> None:
    """Write a page on the claims of each paper: verdicts, evidence, necessary assumptions, and what does not hold as
    printed.

    \b
    Example: refute document PAPER --jobs 2
    """
    from refute.show.documents import entries, page

    run = Run(PROFILES[profile], seed=seed, device=resolve("auto"))
    for paper in papers:
        with stdout_kept_clean():
            claims = select([f"{paper}.*"])
            with progress(len(claims)) as progressing:
                found = [progressing.advance(one) for one in entries(claims, run, jobs, ablations)]
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{paper}.md").write_text(page(paper, found), encoding="utf-8")
        say(shown(out / f"{paper}.md"))
