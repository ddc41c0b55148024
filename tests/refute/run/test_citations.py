"""The graphs of which statement uses which are readable, and what is wrong with a file is said."""

from itertools import pairwise

import pytest

from refute.errors import Unreadable
from refute.run.citations import parse, statement, uses
from refute.run.loading import load_all

PAPERS = ["chistikov2023", "kou2023", "min2024", "zhang2024"]


@pytest.fixture(scope="module")
def ids() -> list[str]:
    return [claim.id for claim in load_all()]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_has_a_graph_of_its_own_statements(paper: str, ids: list[str]) -> None:
    """Every id in the file is a statement of that paper, no proof goes in a circle, and at least two statements in five
    have a proof.
    """
    graph = uses(paper, ids)
    statements = {statement(id) for id in ids if id.startswith(f"{paper}.")}
    assert len(graph) >= 0.4 * len(statements)
    assert all(graph.values()), "a statement that uses nothing need not be listed"


def test_main_theorems_rest_on_what_their_proofs_cite(ids: list[str]) -> None:
    """Examples read off the papers: a lemma cited by number, a display that is a step."""
    assert "zhang2024.lemma_10.correlation" in uses("zhang2024", ids)["zhang2024.lemma_11.first_layer"]
    assert "min2024.lemma_4.direction_error" in uses("min2024", ids)["min2024.lemma_1.directional_error"]
    assert "chistikov2023.lemma_3.iii" in uses("chistikov2023", ids)["chistikov2023.lemma_5.norm"]
    assert "kou2023.cor_e3.opposite_small" in uses("kou2023", ids)["kou2023.lemma_f1.signed_sum_lower"]


def test_a_paper_without_a_file_uses_nothing() -> None:
    """Conjectures have no proofs; a name that is no folder is not looked for elsewhere."""
    assert uses("conjectures") == uses("no_such_paper") == uses("../zhang2024") == {}


def test_ids_are_looked_up_among_the_installed_claims() -> None:
    """Without a list of ids the claims of the package are loaded."""
    assert uses("zhang2024")


def test_an_unknown_id_is_named() -> None:
    """A statement that is no claim is an error that says which."""
    with pytest.raises(Unreadable, match=r"names .*zhang2024\.theorem_1\.decomposition.*no such claim"):
        uses("zhang2024", ["zhang2024.eq_2.activation_split"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[uses", "cannot read"),
        ("", "nothing at its top"),
        ("uses = 3", r"it should have the tables \[uses\] and \[paper\]"),
        ("[uses]\n[more]", "uses, more at its top"),
        ("[uses]\na = 1", "a uses 1"),
        ('[uses]\na = ["b", 2]', "give a list of ids"),
        ('[uses]\na = ["b", "c", "b"]', "a uses b twice"),
        ('[uses]\na = ["a"]', "circle: a uses a"),
        ('[uses]\na = ["b"]\nb = ["c"]\nc = ["a"]', "goes round in a circle"),
    ],
)
def test_a_wrong_file_is_refused(text: str, message: str) -> None:
    """Bad TOML, other tables, wrong types, repetitions and cycles are errors with a remedy."""
    with pytest.raises(Unreadable, match=message):
        parse(text)


def test_a_circle_is_told_in_order_of_use() -> None:
    """The message follows the uses, so that each step can be found in the file."""
    with pytest.raises(Unreadable) as error:
        parse('[uses]\na = ["b"]\nb = ["c"]\nc = ["a"]')
    steps = error.value.message.rpartition(": ")[2].split(" uses ")
    assert list(pairwise(steps)) in [
        [("a", "b"), ("b", "c"), ("c", "a")],
        [("b", "c"), ("c", "a"), ("a", "b")],
        [("c", "a"), ("a", "b"), ("b", "c")],
    ]


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("p.lemma_1.bound", "p.lemma_1.bound"),
        ("p.lemma_1.bound.r2", "p.lemma_1.bound"),
        ("p.lemma_1.bound.amended", "p.lemma_1.bound"),
        ("p.lemma_1.bound.r1.amended_mean", "p.lemma_1.bound"),
        ("p.amended.bound", "p.amended.bound"),
    ],
)
def test_readings_share_a_statement(id: str, expected: str) -> None:
    """Only the endings of readings and of amended forms are dropped."""
    assert statement(id) == expected
