"""`refute verify`: re-check certificates, believing nothing in them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from refute.commands.common import NOT_EARNED, WRONG_USE, Mistake, say, stdout_kept_clean
from refute.decide.effort import PROFILES, Run
from refute.errors import RefuteError, Unreadable
from refute.kernel.certificate import EVIDENCE_ONLY, objections, read
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.registry import find_claim
from refute.run.loading import load_all, load_file


@click.command()
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--from", "sources", multiple=True, metavar="FILE", help="A file of claims outside the installed ones.")
@click.pass_context
def verify(context: click.Context, certificates: Sequence[Path], sources: Sequence[str]) -> None:
    """Re-check counterexamples; nothing in a certificate is believed.

    \b
    Exit code: 0 all are valid, 1 some are not, or are evidence only, 2 some cannot be read.

    \b
    Example: refute verify .refute/certificates/*.json
    """
    with stdout_kept_clean():
        for source in sources:
            load_file(source)
    context.exit(max([_verify(path) for path in certificates]))


def _verify(path: Path) -> int:
    """Print the finding and return the exit code for one certificate."""
    try:
        data = read(path)
        claim = _certified_claim(str(data.get("claim")))
        with stdout_kept_clean():
            against = _objections(data, claim)
    except Unreadable as error:
        say(f"unreadable  {path}: {error}", err=True)
        return WRONG_USE
    if against == [EVIDENCE_ONLY]:
        say(f"evidence    {path}: {data['claim']} is not refuted by {Case.from_json(data['case'])}: {EVIDENCE_ONLY}")
        return NOT_EARNED
    if against:
        say(f"invalid     {path}: {'; '.join(against)}")
        return NOT_EARNED
    say(f"valid       {path}: {data['claim']} is refuted by {Case.from_json(data['case'])}")
    return 0


def _objections(data: dict[str, Any], claim: Claim | None) -> list[str]:
    try:
        found = objections(data, claim, Run(PROFILES["exhaustive"]))
    except Unreadable:
        raise
    except Exception as error:  # a forged case may lead anywhere
        return [f"the claim cannot be evaluated on its case: {type(error).__name__}: {error}"]
    return (
        found
        if claim is not None
        else [*found, "if its file is not among the installed claims, name it with --from FILE"]
    )


def _certified_claim(id: str) -> Claim | None:
    if find_claim(id) is None:
        try:
            with stdout_kept_clean():
                load_all()
        except RefuteError as error:
            raise Mistake(str(error)) from error  # not the fault of the certificate
    return find_claim(id)
