"""Ids are read from the text of files of claims: what is read is registered."""

from pathlib import Path

import refute.claims
from refute.run.loading import load_all
from refute.run.outline import ids_of

FILE = """
from refute import claim, section
from refute.claims.shared import common

lemma = section("paper2024", "lemma_1", "Lemma 1")
other = lemma.but("Lemma 1, proof")
r1 = common.but()

@lemma.claim("bound")
def bounded(): ...

bounded.reading("r1", "another")
kept = bounded.amended("with a condition")

@other.statement("two")
def two_ways(): ...

two_ways.reading("r2")

@r1.claim("borrowed")
def borrowed(): ...

@claim("paper2024.alone")
def alone(): ...
"""


def test_sections_claims_and_readings_are_seen(tmp_path: Path):
    """Those of a sentence that is ambiguous as it stands only as its readings."""
    (tmp_path / "shared.py").write_text('common = section("paper2024", "shared")\n')
    (tmp_path / "lemma_1.py").write_text(FILE)
    (tmp_path / "broken.py").write_text("def (")
    assert ids_of(tmp_path / "broken.py", tmp_path) == set()
    assert ids_of(tmp_path / "lemma_1.py", tmp_path) == {
        "paper2024.lemma_1.bound",
        "paper2024.lemma_1.bound.r1",
        "paper2024.lemma_1.bound.amended",
        "paper2024.lemma_1.two.r2",
        "paper2024.shared.borrowed",
        "paper2024.alone",
    }


def test_most_ids_are_seen_and_none_is_invented():
    """Of the papers that come with the project."""
    root = Path(refute.claims.__path__[0])
    seen = {id for file in root.rglob("*.py") for id in ids_of(file, root)}
    registered = {claim.id for claim in load_all() if claim.place.startswith(str(root.resolve()))}
    assert seen <= registered
    assert len(seen & registered) > 0.85 * len(registered)
