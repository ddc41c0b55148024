"""Proofs over whole domains go through for truths and never for falsehoods."""

from fractions import Fraction

import pytest
import z3
from flint import arb

from refute.decide import proof
from refute.decide.proof import by_smt, by_subdivision, in_words, steps

NIL, ONE = Fraction(0), Fraction(1)


def test_subdivision_proves_a_bound():
    """x(1 - x) < 1/2 on [0, 1], in a number of intervals that the method names."""
    method = by_subdivision(lambda x: arb(1) / 2 - x * (1 - x), NIL, ONE)
    assert method is not None
    assert method.startswith("ball arithmetic: ")
    assert method.endswith("cover [0, 1]")


def test_subdivision_proves_a_tight_bound():
    """x(1 - x) < 1/4 + 10^-6, which needs many intervals near 1/2."""
    assert by_subdivision(lambda x: arb(1) / 4 + arb(10) ** -6 - x * (1 - x), NIL, ONE) is not None


@pytest.mark.parametrize(
    "slack",
    [
        lambda x: arb(1) / 5 - x * (1 - x),  # false around 1/2
        lambda x: arb(1) / 4 - x * (1 - x),  # touches at 1/2
        lambda x: x,  # touches at an end
        lambda x: 1 - x,
        lambda x: x - arb(10) ** -3,  # false near an end
        lambda x: (x - arb(1) / 3) ** 2 - arb(10) ** -9,  # false in a narrow gap away from every midpoint
        lambda x: x.log(),  # not finite at 0
        lambda x: arb("nan"),
    ],
    ids=["false", "touches", "touches left", "touches right", "false at an end", "narrow gap", "log", "nan"],
)
def test_subdivision_never_proves_a_falsehood(slack, monkeypatch):
    """False, touching or undefined: no proof, after a bounded number of intervals."""
    monkeypatch.setattr(proof, "MOST_BOXES", 3000)
    assert by_subdivision(slack, NIL, ONE) is None


def test_a_single_point_is_an_interval():
    """The domain may be a point."""
    assert by_subdivision(lambda x: x, ONE, ONE) is not None
    assert by_subdivision(lambda x: -x, ONE, ONE) is None


def test_smt_proves_over_the_reals():
    """The negation has no model; the method names what was asked, and what it means if that is said."""
    a, b = z3.Reals("a b")
    asked = "the negation of a*a + b*b >= 2*a*b has no model over the reals"
    assert by_smt(lambda: a * a + b * b >= 2 * a * b) == f"z3: {asked}"
    assert by_smt(lambda: a * a + b * b >= 2 * a * b, "two numbers") == f"z3: two numbers ({asked})"


def test_steps_in_words_stand_between_the_computed_ones():
    """What nothing computes is named so, and does not stand in for a computed step that fails."""
    assert steps(in_words("sum up"), by_subdivision(lambda x: 2 - x, NIL, ONE, "2 - x")) == (
        "in words: sum up; ball arithmetic: 2 - x (1 interval covers [0, 1])"
    )
    assert steps(in_words("sum up"), by_subdivision(lambda x: -x, NIL, ONE)) is None


def test_smt_does_not_prove_a_falsehood():
    """A model of the negation, or a touching strict inequality, is no proof."""
    a, b = z3.Reals("a b")
    assert by_smt(lambda: a * a >= a) is None
    assert by_smt(lambda: a * a + b * b > 2 * a * b) is None


def test_smt_that_gives_up_proves_nothing():
    """Unknown is not unsat."""
    a = z3.Real("a")
    f = z3.Function("f", z3.RealSort(), z3.RealSort())
    hard = z3.Exists([a], f(a) * f(a) * f(a) == f(f(a)) + 1)
    assert by_smt(lambda: hard, seconds=0.05) is None
