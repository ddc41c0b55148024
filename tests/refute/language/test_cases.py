"""The domain of a claim and the way back to it."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from refute import Assumption, Case, at_least
from refute.errors import BadInput
from refute.language.cases import admitted, brought_back, inside, movable
from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.search.coordinates import numbers, with_numbers
from refute.search.repair import mended
from refute.strategies import number, sized
from refute.strategies.kou2023.nearly_orthogonal import training
from refute.strategies.min2024.separated import neurons, placed, separated_dataset, vector

CLAIM = Claim(
    "test.domain",
    lambda data, w: at_least(len(data.labels), 1),
    Kind.ALGEBRAIC,
    given=placed(data=separated_dataset, w=vector, start=neurons, other=number() | number()),
)


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_what_is_drawn_is_admitted(data: st.DataObject) -> None:
    """A strategy draws from its stated domain; a part without a domain says None, and is not moved."""
    case = Case.of(**data.draw(CLAIM.given.strategy))
    assert admitted(CLAIM, case) == {"data": True, "w": True, "start": True, "other": None}
    assert movable(CLAIM, case) == {"data", "w", "start"}


def _fractions(*values: int) -> np.ndarray:
    return np.array([Fraction(value) for value in values], dtype=object)


def _case(labels: tuple[Fraction, ...], w: tuple[int, int] = (1, 0)) -> Case:
    inputs = np.array([_fractions(1, 0), _fractions(-2, 0)])
    start = Balanced(np.array([_fractions(1, 1)]), _fractions(1), Fraction(0), Fraction(0))
    return Case.of(
        data=Dataset(inputs, np.array(labels, dtype=object)), w=_fractions(*w), start=start, other=Fraction(1)
    )


def test_labels_return_to_plus_and_minus_one() -> None:
    """A step that moves the labels is taken back to the domain, so that inputs can be moved beside them."""
    moved = _case((Fraction(9, 10), Fraction(-11, 10)))
    assert not inside(CLAIM, moved)
    assert brought_back(CLAIM, moved) == _case((Fraction(1), Fraction(-1)))
    assert mended(CLAIM, moved) == _case((Fraction(1), Fraction(-1)))


def test_what_cannot_be_taken_back_is_given_up() -> None:
    """A zero neuron direction and data that are not separated lie outside, and no way back is known."""
    assert mended(CLAIM, _case((Fraction(1), Fraction(-1)), w=(0, 0))) is None
    assert mended(CLAIM, _case((Fraction(1), Fraction(1)))) is None


def test_a_case_that_cannot_be_evaluated_is_given_up() -> None:
    """An assumption that raises on it is no reason to end a hunt."""

    def raises(x: Fraction) -> None:
        raise BadInput("out of range")

    odd = Assumption("test.odd", "x can be evaluated", raises, base=sized(x=number()))
    claim = Claim("test.raising", lambda x: at_least(x, 0), Kind.ALGEBRAIC, given=sized(x=number()), assumes=(odd,))
    assert mended(claim, Case.of(x=Fraction(1))) is None


def test_discrete_parts_are_no_coordinates() -> None:
    """The signs of a balanced start are kept; its directions, scale and slope are numbers."""
    case = Case.of(start=Balanced(np.array([_fractions(3, 5)]), _fractions(-1), Fraction(7), Fraction(1, 2)))
    assert numbers(case, {"start"}) == [3, 5, 7, Fraction(1, 2)]
    made = with_numbers(case, {"start"}, [Fraction(k) for k in (1, 2, 3, 0)])
    assert made == Case.of(start=Balanced(np.array([_fractions(1, 2)]), _fractions(-1), Fraction(3), Fraction(0)))


def test_the_domain_of_a_sized_strategy_is_that_of_its_parts() -> None:
    """Fields of `sized(...)` are judged by their own parts."""
    claim = Claim("test.parts", lambda x: at_least(x, 0), Kind.ALGEBRAIC, given=sized(x=number(limit=2)))
    assert admitted(claim, Case.of(x=Fraction(3))) == {"x": False}
    assert admitted(claim, Case.of(x=Fraction(2))) == {"x": True}


def test_a_repair_that_may_choose_takes_the_simplest_choice() -> None:
    """So the same change is always mended in the same way."""
    large = Assumption(
        "test.large",
        "x is at least 3",
        lambda x: at_least(x, 3, "x"),
        base=sized(x=number()),
        satisfy=lambda draw, x: {"x": draw(st.sampled_from([Fraction(4), Fraction(3), Fraction(100)]))},
    )
    claim = Claim("test.repaired", lambda x: at_least(x, 0), Kind.ALGEBRAIC, given=sized(x=number()), assumes=(large,))
    assert mended(claim, Case.of(x=Fraction(1))) == Case.of(x=Fraction(4))
    assert mended(claim, Case.of(x=Fraction(5))) == Case.of(x=Fraction(5))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_training_returns_to_dyadic_numbers_and_fixed_outer_weights(data: st.DataObject) -> None:
    """Every number of a drawn case by a third larger: labels, slope, outer weights and binary
    digits are brought back.
    """
    claim = Claim("test.training", lambda net: at_least(net.width, 1), Kind.ALGEBRAIC, given=training())
    case = Case.of(**data.draw(claim.given.strategy))
    fields = {"data", "net"}
    moved = with_numbers(case, fields, [min(value * Fraction(4, 3), Fraction(1)) for value in numbers(case, fields)])
    back = Case.of(**claim.given.nearest(dict(moved)))
    assert admitted(claim, back)["net"]
    assert back["net"].outer.tolist() == case["net"].outer.tolist()
    assert set(back["data"].labels) <= {1, -1}
    assert all(value.denominator.bit_count() == 1 for value in back["data"].inputs.reshape(-1))
