"""The witness library: counterexamples of other claims, tried on every claim that takes such a case."""

from collections.abc import Iterable
from pathlib import Path

from refute.decide.verdict import FALLEN
from refute.errors import RefuteError
from refute.kernel.certificate import FOLDER, pinned_path
from refute.kernel.reading import read
from refute.language.assumption import parameters
from refute.language.case import Case
from refute.language.cases import admitted
from refute.language.claim import INJECTED, Claim
from refute.language.registry import claims

MOST = 100


def needs(claim: Claim) -> set[str]:
    """The fields that a case must have to be tried on the claim."""
    own = {p.name for p in parameters(claim.conclusion) if p.kind is not p.KEYWORD_ONLY and p.name not in INJECTED}
    return own | {name for assumption in claim.assumes for name in assumption.needs}


def library(claim: Claim, folder: Path = FOLDER) -> list[Case]:
    """Counterexamples of the other registered claims and those found before, the shortest first."""
    wanted = needs(claim)
    pinned = (pinned_path(other) for other in claims() if other.recorded in FALLEN and other.id != claim.id)
    found: dict[str, Case] = {}
    for path in [*pinned, *sorted(folder.glob("*.json"))]:
        for case in _case(path, claim):
            if wanted and wanted <= set(case):
                kept = Case({name: case[name] for name in case if name in wanted})
                if all(admitted(claim, kept).values()):  # a field whose domain is not stated might leave it
                    found.setdefault(kept.digest(), kept)
    return sorted(found.values(), key=lambda case: (len(str(case)), str(case)))[:MOST]


def _case(path: Path, claim: Claim) -> Iterable[Case]:
    """The case of a certificate of another claim; a hunt should not depend on its own earlier success."""
    try:
        data = read(path)
        return [Case.from_json(data.get("case"))] if data.get("claim") != claim.id else []
    except RefuteError:
        return []
