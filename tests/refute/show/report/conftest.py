"""A small paper with everything that a report can show: proved, supported, refuted, undecided and never run, in a graph
of proofs.
"""

import copy
from typing import Any

import pytest

import refute.claims.drawings  # noqa: F401 - registers how networks are trained for pictures
from refute import Case, Claim, Run, at_least, at_most, moved
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer
from refute.run.results import stamped
from refute.run.runner import run_claim
from refute.show.report.entry import Entry
from refute.show.report.site import Site
from tests.planted import POSITIVE, planted

USES = {"planted.theorem_1": ("planted.lemma_1", "planted.lemma_2"), "planted.corollary": ("planted.theorem_1",)}


def lemma_1(x):
    r"""$x^2\ge0$ for every rational $x$, `square` <b>always</b>."""
    return x * x


def lemma_2(x):
    r"""$x^2\ge x$ for positive $x$.

    Fails between 0 and 1.
    """
    return at_least(x * x, x, "x^2 >= x")


def lemma_2_amended(x):
    """Amended: $x^2+1>x$."""
    return x * x + 1 - x


def theorem_1(x, *, bound=25):
    """$x^2$ is bounded."""
    return at_most(x * x, bound, "x^2 against the bound")


def corollary(x):
    """$|x|$ is bounded."""
    return 5 - x


def network(net, data):
    """The network interpolates."""
    return -abs(net(data.inputs) - data.labels)


NET = TwoLayer(inner=[[1, "1/2"], [-1, 1]], outer=[1, -1], slope=0)
DATA = Dataset(inputs=[[1, 0], [-1, 2], [0, -1]], labels=[1, -1, 0])


def named(claim: Claim, id: str) -> Claim:
    made = copy.copy(claim)
    object.__setattr__(made, "id", id)
    return made


CLAIMS = [
    planted(lemma_1, recorded="supported", reference="Lemma 1"),
    planted(lemma_2, assumes=(POSITIVE,), recorded="refuted", reference="Lemma 2"),
    named(planted(lemma_2_amended, recorded="supported"), "planted.lemma_2.amended"),
    planted(
        theorem_1,
        assumes=(POSITIVE,),
        recorded="supported",
        mutants=(moved("below one", bound=1),),
        convention="$x$ is rational.",
    ),
    planted(corollary, recorded="supported"),
    planted(network, instances=(Case.of(net=NET, data=DATA),), recorded="refuted"),
]


NEVER_RUN = "planted.corollary"
WITHOUT_CERTIFICATE = "planted.network"


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What checking the paper stores; certificates lie in the folder of the run."""
    folder = tmp_path_factory.mktemp("checked")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        found = {
            claim.id: stamped("check", claim, Run(), run_claim(claim, Run()).record())
            for claim in CLAIMS
            if claim.id != NEVER_RUN
        }
    for id, record in found.items():
        written = record["certificate"] and id != WITHOUT_CERTIFICATE
        record |= {
            "at": "2026-01-01T00:00:00.000+00:00",
            "certificate": str(folder / record["certificate"]) if written else None,
        }
    return found


ABLATION = {
    "id": "planted.theorem_1",
    "assumption": POSITIVE.text,
    "finding": "not shown necessary",
    "cases": 120,
    "detail": "…",
}
MUTANT = {
    "id": "planted.theorem_1",
    "mutant": "below one",
    "killed": True,
    "verdict": "refuted",
    "cases": 3,
    "detail": "…",
}
TIGHT = {
    "id": "planted.theorem_1",
    "constant": "bound",
    "value": "25",
    "refuted_at": "15",
    "stands_at": "16",
    "cases": 40,
}


@pytest.fixture(scope="session")
def entries(records: dict[str, dict[str, Any]]) -> list[Entry]:
    extra = {"planted.theorem_1": ((ABLATION,), (MUTANT,), (TIGHT,))}
    return [Entry(claim, records.get(claim.id), *extra.get(claim.id, ((), (), ()))) for claim in CLAIMS]


@pytest.fixture(scope="session")
def site(entries: list[Entry]) -> Site:
    return Site(entries, {"planted": USES})


@pytest.fixture(scope="session")
def pages(site: Site) -> dict[str, str]:
    return {name: content.decode("utf-8", "replace") for name, content in site.pages()}
