"""The graph of proofs: its layout, and what a refuted statement does to those that use it."""

from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from refute.show.report.entry import Entry
from refute.show.report.graph import graph
from refute.show.report.layout import layout
from refute.show.report.standing import Proofs, proofs
from tests.refute.show.report.conftest import USES

GRAPHS = st.dictionaries(
    st.sampled_from("abcdefghij"), st.lists(st.sampled_from("abcdefghij"), max_size=4), max_size=10
)


@given(GRAPHS)
def test_edges_point_to_the_right(uses: dict[str, list[str]]):
    """What is used stands in an earlier layer, edges pass every layer between, and no two nodes
    overlap: circles or not.
    """
    found = layout(uses)
    for (used, user), route in found.routes.items():
        assert used in uses[user]
        assert [layer for layer, _ in route] == list(range(found.places[used][0], found.places[user][0] + 1))
    places = sorted(found.places.values())
    for (layer, middle), (other, lower) in pairwise(places):
        assert layer != other or lower - middle > 0.999
        assert middle >= 0.499
    assert found == layout(uses)


def test_a_node_stands_next_to_what_uses_it():
    """Layers by the longest path."""
    found = layout({"c": ["b", "a"], "b": ["a"], "d": ["c", "x"]})
    assert {node: layer for node, (layer, _) in found.places.items()} == {"a": 0, "b": 1, "c": 2, "x": 2, "d": 3}


def test_a_circle_is_broken():
    """One of its edges is left out; nothing goes wrong."""
    assert len(layout({"a": ["b"], "b": ["a"]}).routes) == 1
    assert layout({}).layers == 0


def made(entries: list[Entry]) -> Proofs:
    return proofs(entries, USES)


def test_readings_and_amended_forms_are_one_node(entries: list[Entry]):
    """The node has the verdict of what is printed; the amended form says what remains of it."""
    node = made(entries).nodes["planted.lemma_2"]
    assert node.verdict == "refuted"
    assert [entry.id for entry in node.amended] == ["planted.lemma_2.amended"]
    assert node.rescue == "its amended form holds"
    assert node.stands


def test_a_refuted_lemma_is_felt_above(entries: list[Entry]):
    """Directly and through others, and not below."""
    found = made(entries)
    assert [node.id for node in found.refuted_below("planted.corollary")] == ["planted.lemma_2"]
    assert found.above("planted.lemma_2") == ["planted.corollary", "planted.theorem_1"]
    assert found.refuted_below("planted.lemma_1") == []


def test_the_drawing_has_a_link_per_statement(entries: list[Entry]):
    """With its verdict in words, and what it stands on."""
    drawing = graph(made(entries), "planted")
    root = ElementTree.fromstring(str(drawing))
    links = {element.get("href"): element for element in root.iter() if element.tag == "a"}
    assert set(links) == {f"../claim/planted.{name}.html" for name in ("lemma_1", "lemma_2", "theorem_1", "corollary")}
    assert links["../claim/planted.lemma_2.html"].get("class") == "node refuted"
    assert links["../claim/planted.theorem_1.html"].get("class") == "node supported mended"
    assert "another form of which holds" in str(links["../claim/planted.corollary.html"].get("aria-label"))
    assert sum(str(element.get("class")).startswith("edge") for element in root.iter()) == 3


def test_without_an_amended_form_it_is_said(entries: list[Entry]):
    """The frame is another, and so are the words."""
    found = proofs([entry for entry in entries if not entry.amended], USES)
    assert found.nodes["planted.lemma_2"].rescue == "no amended form is encoded"
    assert "node supported shaken" in str(graph(found, "planted"))


def test_statements_without_a_claim_are_drawn_without_a_link():
    """A graph may name what this report does not hold."""
    found = proofs([], {"p.a": ("p.b",)})
    assert found.nodes["p.b"].verdict == "not run"
    assert "<a " not in str(graph(found, "p"))
    assert graph(proofs([], {}), "p") is None
