"""The inventory: ids, references, recorded verdicts and pinned counterexamples."""

import re
from pathlib import Path

import pytest

from refute import Claim
from refute.decide.verdict import FALLEN
from refute.kernel.certificate import pinned_path
from refute.kernel.reading import read
from refute.kernel.verification import EVIDENCE_ONLY, objections
from refute.language.registry import find_claim
from refute.run.result import Result
from tests.registered import registered_claims

ROOT = Path(__file__).parent.parent.parent
READING = re.compile(r"(\.(amended\w*|r\d+))+$")  # of one statement of the inventory
CLAIMS = registered_claims()
PAPERS = [claim for claim in CLAIMS if claim.paper != "conjectures"]
PINNED = sorted(ROOT.glob("claims/*/refuted/*.json"))


def statement(claim: Claim) -> str:
    """The id of the statement in the inventory, without the suffix of a reading or an amendment."""
    return READING.sub("", claim.id)


def test_an_id_is_paper_and_statement():
    """The paper is the folder; letters of a statement are small, but for names such as S_dead and the letters of
    sections.
    """
    assert [claim.id for claim in CLAIMS if not re.fullmatch(r"[a-z0-9_]+(\.[A-Za-z0-9_]+)+", claim.id)] == []
    assert [claim.id for claim in CLAIMS if claim.paper != Path(claim.place).parent.name] == []


def test_a_claim_states_itself():
    """The docstring is the statement."""
    assert [claim.id for claim in CLAIMS if len(claim.statement) <= 10] == []


def test_a_claim_of_a_paper_says_where_it_is_printed():
    """And the repository says what it thinks of it."""
    assert [claim.id for claim in PAPERS if not claim.reference or claim.recorded is None] == []


def test_a_refuted_statement_has_a_reading_that_stands():
    """Amended, or read in another way, it is supported or proved."""
    stands = {statement(claim) for claim in CLAIMS if claim.recorded in ("supported", "proved")}
    assert [claim.id for claim in PAPERS if claim.recorded in FALLEN and statement(claim) not in stands] == []


def test_an_amended_statement_stands_beside_the_printed_one():
    """Nothing is repaired in silence."""
    printed = {statement(claim) for claim in CLAIMS if ".amended" not in claim.id}
    assert [claim.id for claim in CLAIMS if ".amended" in claim.id and statement(claim) not in printed] == []


@pytest.mark.slow
@pytest.mark.parametrize("path", PINNED, ids=lambda path: path.stem)
def test_a_pinned_counterexample_is_valid(path: Path):
    """It verifies, and belongs to a claim that is recorded as refuted or is a conjecture; or it is evidence, and
    recorded as such.
    """
    data = read(path)
    claim = find_claim(data["claim"])
    assert claim is not None
    assert pinned_path(claim).resolve() == path.resolve()
    assert claim.recorded in (data.get("verdict", "refuted"), None)
    assert objections(data, claim) == ([EVIDENCE_ONLY] if claim.recorded == "against" else [])


def test_every_claim_makes_a_row():
    """Paths and ids fit into the table."""
    assert all(Result.of(claim, None, 0.0).source is None for claim in CLAIMS)  # type: ignore[arg-type]


def test_a_refuted_claim_has_its_counterexample_pinned():
    """The repository keeps the certificate beside the claim."""
    assert [claim.id for claim in CLAIMS if claim.recorded in FALLEN and not pinned_path(claim).is_file()] == []
