"""Wrong versions made from a claim, and how far its constants can be moved."""

from fractions import Fraction

from hypothesis import strategies as st

from refute import Assumption, Margin, Refuted, Run, at_most, check_mutant, less
from refute.study.ablate import tightness
from refute.study.mutate import constants, generated, scaled
from tests.planted import RATIONALS, planted

SMALL = Assumption(
    "small",
    "|x| <= 1",
    lambda x: at_most(x * x, 1, "x^2"),
    RATIONALS,
    satisfy=lambda draw, x: {"x": min(max(x, Fraction(-1)), Fraction(1))},
    violate=lambda draw, x: {"x": Fraction(2) + draw(st.integers(0, 2))},
)


def bounded(x, *, bound=Fraction(3), power: int = 2, name: str = "x", rng=None) -> Margin:
    """2 x^2 <= 3 for |x| <= 1."""
    return at_most(2 * x**power, bound, name)


CLAIM = planted(bounded, assumes=(SMALL,))


def verdicts() -> dict[str, bool]:
    return {mutant.name: isinstance(check_mutant(CLAIM, mutant, Run()), Refuted) for mutant in generated(CLAIM)}


def test_constants_are_the_numbers_of_the_statement():
    """Not its words, and not what the engine supplies."""
    assert constants(CLAIM) == {"bound": Fraction(3), "power": 2}


def test_every_generic_wrong_version_is_made_and_told_apart():
    """The weaker bounds and the strict version are true, so they survive; the others fall."""
    found = verdicts()
    assert found["bound = 3/2 instead of 3"]
    assert found["turned round"]
    assert found['without "|x| <= 1"']
    assert not found["bound = 6 instead of 3"]
    assert not found["made strict"]
    assert not found["power = 4 instead of 2"]


def test_a_strict_version_falls_where_equality_is_reached():
    """x^2 >= 0 is not strict at zero."""
    claim = planted(lambda x: at_most(0 * x, x * x))
    strict = next(mutant for mutant in generated(claim) if mutant.name == "made strict")
    assert isinstance(check_mutant(claim, strict, Run()), Refuted)


def test_the_opposite_of_a_strict_inequality_is_weak():
    """x^2 + 1 > 0, turned round: x^2 + 1 <= 0, which fails everywhere."""
    claim = planted(lambda x: less(0, x * x + 1))
    turned = next(mutant for mutant in generated(claim) if mutant.name == "turned round")
    assert isinstance(check_mutant(claim, turned, Run()), Refuted)


def test_integers_stay_integers():
    """Half of three is no integer."""
    assert scaled(3, Fraction(1, 2)) is None
    assert scaled(4, Fraction(1, 2)) == 2
    assert scaled(0.5, Fraction(2)) == 1.0
    assert scaled(Fraction(1, 3), Fraction(2)) == Fraction(2, 3)


def test_tightness_brackets_the_best_constant():
    """2 x^2 <= c holds on the grid up to |x| = 1 exactly when c >= 2."""
    rows = {
        (row.constant, row.refuted_at is not None): row for row in tightness(CLAIM, Run()) if row.constant == "bound"
    }
    down = rows["bound", True]
    assert down.refuted_at < 2 <= down.stands_at
    assert rows["bound", False].stands_at == 6
    assert down.row()["stands_at"] == str(down.stands_at)
    assert "refuted at" in str(down)
