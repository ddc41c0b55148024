"""Margins: the decision table, the comparisons, and what a conclusion may return."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from refute import Margin, all_of, any_of, at_least, at_most, differs, equal, less, scaled, shifted
from refute.errors import BadClaim, BadInput
from refute.language.bends import bending
from refute.language.relations import RESOLUTION, Decision, as_margin

HOLDS, VIOLATED, UNDECIDED = Decision.HOLDS, Decision.VIOLATED, Decision.UNDECIDED
TINY = Fraction(1, 10**9)
TABLE = [
    # value, error, strict, decision
    (1, 0, False, HOLDS),
    (1, 0, True, HOLDS),
    (-1, 0, False, VIOLATED),
    (-1, 0, True, VIOLATED),
    (0, 0, False, HOLDS),  # a weak inequality may touch
    (0, 0, True, VIOLATED),  # a strict one may not
    (2, 1, True, HOLDS),
    (-2, 1, False, VIOLATED),
    (1, 1, False, HOLDS),  # the worst the error can do is to touch
    (1, 1, True, UNDECIDED),
    (-1, 1, False, UNDECIDED),
    (-1, 1, True, UNDECIDED),
    (1, 2, False, UNDECIDED),  # the error swallows the margin
    (-1, 2, False, UNDECIDED),
    (0, TINY, False, HOLDS),  # an equality to within a small error
    (0, TINY, True, UNDECIDED),
    (-TINY / 2, TINY, False, HOLDS),
    (-2 * TINY, TINY, False, VIOLATED),  # a violation counts however small
    (Fraction(-1, 10**400), 0, False, VIOLATED),
]


@pytest.mark.parametrize(("value", "error", "strict", "decision"), TABLE)
def test_decisions(value, error, strict, decision):
    """Violated means value + error < 0; the rest is decided by the error, the scale and strictness."""
    margin = Margin(Fraction(value), Fraction(error), strict)
    assert margin.decision is decision
    assert margin.violated is (decision is VIOLATED)


def test_the_scale_says_which_error_is_small():
    """An error of one is small beside quantities of ten million, and swallows quantities of ten."""
    assert Margin(Fraction(0), Fraction(1), scale=1 / RESOLUTION).decision is HOLDS
    assert Margin(Fraction(0), Fraction(1), scale=Fraction(10)).decision is UNDECIDED


@pytest.mark.parametrize("error", [Fraction(-1), -1.0, float("nan")])
def test_an_error_that_bounds_nothing_is_an_error_of_the_claim(error):
    """Negative, or not a number: said at once, with the value."""
    with pytest.raises(BadClaim, match="error"):
        Margin(Fraction(1), error)
    with pytest.raises(BadClaim, match="error"):
        at_most(1.0, 2.0, error=error)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "high", None, True])
def test_a_slack_that_is_no_number_is_an_error_of_the_claim(value):
    """Before anything is decided or written."""
    with pytest.raises(BadInput, match="slack"):
        Margin(value)


def test_a_margin_holds_fractions():
    """Whatever numbers it was made of; an infinite bound bounds nothing."""
    margin = Margin(-1, 0.5)
    assert (type(margin.value), margin.error, margin.decision) == (Fraction, Fraction(1, 2), VIOLATED)
    assert Margin(-1, float("inf")).decision is UNDECIDED


def test_a_finite_run_cannot_violate_a_limit():
    """A trend may be against, for or undecided; it speaks in place of the sign."""
    with pytest.raises(BadClaim, match="does not violate"):
        Margin(Fraction(-1), trend=VIOLATED)
    for decision in (HOLDS, UNDECIDED, Decision.AGAINST):
        margin = Margin(Fraction(-1), trend=decision)
        assert margin.decision is decision
        assert not margin.violated
        assert margin.against is (decision is Decision.AGAINST)


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_floats_know_a_slack_to_within_rounding(size):
    """0.1 + 0.2 against 0.3: equal or undecided, at every scale; rationals and a clear slack are as before."""
    above, below = (0.1 + 0.2) * size, 0.3 * size
    assert above > below
    assert equal(above, below).decision is HOLDS
    assert at_most(above, below).decision is HOLDS
    assert less(above, below).decision is less(below, above).decision is UNDECIDED
    assert less(1.001 * size, size).decision is VIOLATED
    assert less(size, 1.001 * size).decision is HOLDS
    assert less(fmpq(3, 10) + fmpq(1, 10**20), fmpq(3, 10)).decision is VIOLATED


def test_a_violation_in_floats_stands_out_from_the_rounding_of_the_largest_entry():
    """A pre-activation of -4.5e-19 beside others of order one may be an exact zero; one that is positive is as small as
    it says.
    """
    assert less(0, np.array([1.0, -4.5e-19])).decision is UNDECIDED
    assert less(0, np.array([1.0, -4.5e-9])).decision is VIOLATED
    assert less(0, np.array([1.0, 4.5e-19])).decision is HOLDS


@given(st.fractions(), st.fractions(0), st.booleans(), st.fractions(0))
def test_a_larger_error_never_decides_more(value: Fraction, error: Fraction, strict: bool, more: Fraction):
    """More error turns a violation into undecided, or into an equality to within the error, never into a firm slack."""
    margin, blurred = Margin(value, error, strict), Margin(value, error + more, strict)
    if blurred.decision is VIOLATED:
        assert margin.decision is VIOLATED
    if blurred.value - blurred.error > 0:
        assert margin.decision is HOLDS


def test_a_margin_is_not_a_bool():
    """`if margin:` would hide the error."""
    with pytest.raises(TypeError, match=r"margin\.decision"):
        bool(Margin(Fraction(1)))


@given(st.fractions(-9, 9), st.fractions(-9, 9))
def test_comparisons_say_what_they_say(a: Fraction, b: Fraction):
    """Each comparison of two rationals agrees with Python's."""
    left, right = fmpq(a.numerator, a.denominator), fmpq(b.numerator, b.denominator)
    for compare, truth in [(equal, a == b), (at_most, a <= b), (at_least, a >= b), (less, a < b), (differs, a != b)]:
        margin = compare(left, right)
        assert margin.error == 0
        assert margin.decision is (HOLDS if truth else VIOLATED)


def test_the_worst_entry_speaks_for_an_array():
    """The margin is that of the entry nearest to failure, and the line names it with both numbers."""
    margin = at_most(np.array([[1.0, 2.0], [3.0, 9.0]]), np.array([[5.0, 5.0], [5.0, 5.0]]), "left <= right")
    assert margin.value == -4
    assert margin.line == "left <= right: left 9, right 5 at (1, 1)"
    assert margin.scale == 9


def test_one_entry_suffices_to_differ():
    """`differs` asks for a difference somewhere."""
    assert differs(np.array([1.0, 2.0]), np.array([1.0, 3.0])).decision is HOLDS
    assert differs(np.array([1.0, 2.0]), np.array([1.0, 2.0])).decision is VIOLATED


def test_sides_are_broadcast():
    """A number is compared with every entry."""
    assert equal([1.0, 1.0], 1).decision is HOLDS
    assert equal([1.0, 2.0], 1).value == -1
    with pytest.raises(ValueError, match="broadcast"):
        equal(np.zeros(2), np.zeros(3))


def test_nothing_to_compare_holds_and_says_so():
    """An empty comparison is met, visibly."""
    margin = equal(np.zeros(0), 1.0, "|y|")
    assert margin.decision is HOLDS
    assert margin.line == "|y| (nothing to compare)"


def test_a_ball_brings_its_radius():
    """The error is the radius, plus the stated one."""
    with ctx.workprec(64):
        third = arb(1) / 3
        margin = at_most(third, arb(1), error=fmpq(1, 8))
        exact = enclose(third)
    assert margin.error > Fraction(1, 8)
    assert margin.error < Fraction(1, 8) + Fraction(1, 10**15)
    assert abs(margin.value - (1 - exact)) <= margin.error


def enclose(ball: arb) -> Fraction:
    middle = ball.mid().fmpq()
    return Fraction(int(middle.p), int(middle.q))


def test_a_wide_ball_hides_nothing():
    """A certain violation counts beside a wide ball, and a wide ball leaves it open beside a thin positive one."""
    wide, violated, thin = arb(1, 10), arb(-2, 0.5), arb(1)
    for entries, decision in [
        ([wide, violated], VIOLATED),
        ([violated, wide, thin], VIOLATED),
        ([thin, wide], UNDECIDED),
        ([thin], HOLDS),
    ]:
        assert at_least(np.array(entries, dtype=object), arb(0)).decision is decision


def test_nan_is_an_error():
    """A comparison with NaN or infinity is never a margin."""
    for bad in (float("nan"), float("inf")):
        with pytest.raises(BadInput, match="finite"):
            equal(bad, 1.0)


def good(value: int) -> Margin:
    return Margin(Fraction(value))


OPEN = Margin(Fraction(-1), Fraction(2))


def test_all_of_needs_every_part():
    """One violation violates, one open part leaves it open, else the smallest slack speaks."""
    assert all_of(good(3), good(1), good(2)) == good(1)
    assert all_of(good(1), OPEN, good(-5)) == good(-5)
    assert all_of(good(1), OPEN) == OPEN
    assert all_of(OPEN, good(-5), good(0)).decision is VIOLATED
    assert all_of(good(7)) == good(7)


def test_any_of_needs_one_part():
    """One part that holds suffices, else an open part leaves it open, else the smallest violation speaks."""
    assert any_of(good(-3), good(1), OPEN) == good(1)
    assert any_of(good(-3), OPEN) == OPEN
    assert any_of(good(-3), good(-1)) == good(-1)


def test_parts_are_compared_relative_to_their_scale():
    """A slack of two out of a thousand is nearer to failure than one out of one."""
    near = Margin(Fraction(2), scale=Fraction(1000))
    assert all_of(good(1), near) == near


TREND = st.sampled_from([None, None, HOLDS, UNDECIDED, Decision.AGAINST])
ANY = st.builds(Margin, st.fractions(-3, 3), st.fractions(0, 2), st.booleans(), trend=TREND)


@given(st.lists(ANY, min_size=1, max_size=4))
def test_combinations_decide_as_logic_does(parts: list[Margin]):
    """all_of is the minimum and any_of the maximum in the order violated < against < undecided < holds."""
    order = [VIOLATED, Decision.AGAINST, UNDECIDED, HOLDS]
    ranks = [order.index(part.decision) for part in parts]
    assert order.index(all_of(*parts).decision) == min(ranks)
    assert order.index(any_of(*parts).decision) == max(ranks)


@pytest.mark.parametrize(
    "result",
    [1, 0.5, fmpq(1, 3), np.array([1.0, 2.0]), [1, 2], (0.0,), np.array([fmpq(1)], dtype=object), Fraction(1, 2)],
)
def test_numbers_and_arrays_are_slack(result):
    """A number or an array must be nonnegative everywhere."""
    assert as_margin(result, "f()").decision is HOLDS
    assert as_margin(-np.asarray(result) - 1, "f()").decision is VIOLATED


def test_a_margin_is_passed_on():
    """As it is."""
    assert as_margin(OPEN, "f()") is OPEN


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (None, r"f\(\) returned nothing"),
        (True, r"f\(\) returned the bool True"),
        (np.bool_(False), r"f\(\) returned the bool False"),
        (np.array([True]), "returned the bool"),
        ("yes", "returned 'yes' of type str"),
        ({"a": 1}, "of type dict"),
        ((x for x in [1]), "of type generator"),
        ({1, 2}, "of type set"),
        (float("nan"), "returned nan"),
        (np.array([1.0, -np.inf]), "returned -inf"),
        (1j, "array of type complex128"),
        (["a", "b"], "array of type <U1"),
    ],
    ids=lambda value: repr(value).split(" at 0x")[0],
)
def test_anything_else_is_an_error(result, message):
    """The message names the conclusion and what it returned."""
    with pytest.raises(BadClaim, match=message):
        as_margin(result, "f()")


def test_printing():
    """Short numbers exactly, long ones rounded, tiny and enormous ones by their power of ten."""
    assert str(Margin(Fraction(-1, 3))) == "-1/3"
    assert str(Margin(Fraction(1, 3), Fraction(1, 1000))) == "1/3 +- 0.001"
    assert str(Margin(Fraction(10**20 + 1, 10**20))) == "1"
    assert str(Margin(Fraction(-1, 10**400))) == "-1e-400"
    assert str(Margin(Fraction(10**5000), Fraction(10**5000))) == "1e5000 +- inf"


def test_labels_are_put_in_front():
    """Also where there is no line yet."""
    assert Margin(Fraction(1), line="a <= b").labelled("first").line == "first: a <= b"
    assert Margin(Fraction(1)).labelled("first").line == "first"


def test_a_margin_travels_between_processes_without_its_parts():
    """Balls cannot be pickled; the numbers of the margin can."""
    margin = at_most(np.array([arb(1), arb(2)], dtype=object), 3, "line")
    assert margin.parts
    back = pickle.loads(pickle.dumps(margin))
    assert back == margin
    assert back.parts == ()


def test_a_count_that_a_mutant_scales_stays_comparable_with_rationals():
    """2 times 99/100 is a literal again, in the arithmetic of the other side."""
    with bending(scaled("99/100", "cost").bends):
        assert less(fmpq(3, 2), 2, "cost").value == Fraction(48, 100)


def test_a_list_is_an_array():
    """Also beside a fraction, and with nothing in it."""
    assert at_most([fmpq(1), fmpq(2)], Fraction(5, 2)).value == Fraction(1, 2)
    assert less([], 1, "nobody").empty


def test_a_bend_of_a_count_stays_in_the_arithmetic():
    """Zero plus 1/2 is a ball beside balls."""
    with bending(shifted("1/2").bends):
        assert at_least(arb(1), 0).value == Fraction(1, 2)
