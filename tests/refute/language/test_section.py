"""Sections: what is only read in several ways is not registered itself."""

from fractions import Fraction

import pytest

from refute import Margin, Refuted, Supported, at_most, check, section
from refute.language import registry


@pytest.fixture
def alone(monkeypatch):
    monkeypatch.setattr(registry, "_claims", {})


def test_of_an_ambiguous_sentence_only_the_readings_are_registered(alone):
    """Each has its own constant and verdict, and is no printed sentence."""
    lemma = section("paper", "lemma_1", "Lemma 1", instances=[{"x": Fraction(1)}])

    @lemma.statement("bound")
    def bounded(x: Fraction, *, most: Fraction = Fraction(2)) -> Margin:
        """x is at most the constant."""
        return at_most(x, most, "x")

    first, second = bounded.reading("r1"), bounded.reading("r2", "half of it", most=Fraction(1, 2))
    assert [claim.id for claim in registry.claims()] == ["paper.lemma_1.bound.r1", "paper.lemma_1.bound.r2"]
    assert isinstance(check(first), Supported)
    assert isinstance(check(second), Refuted)
    assert not first.printed
