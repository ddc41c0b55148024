"""Limits: what the steps between horizons say for, against, or not at all."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.limits import Statement, limits, orders, oscillations
from refute import (
    Margin,
    all_of,
    at_least_like,
    at_most,
    bounded_by,
    eventually,
    for_large,
    for_small,
    grows_like,
    nothing,
    power,
    tends_to,
)
from refute.errors import BadClaim
from refute.functions import log
from refute.language.limits import HORIZONS, SMALL, Logs
from refute.language.relations import Decision

FOR, AGAINST, UNDECIDED = Decision.HOLDS, Decision.AGAINST, Decision.UNDECIDED
T = np.array(HORIZONS)
L = np.log(T)


@pytest.mark.parametrize("one", [*orders(), *oscillations(), *limits()], ids=lambda one: one.name)
def test_nothing_speaks_against_a_true_statement(one: Statement):
    """Slowly varying factors, offsets, late starts, oscillations; for a false one speaks what bends slowly, at most."""
    said = one.judge().decision
    assert said is not (AGAINST if one.true else FOR) or (one.bends and not one.true)


@settings(derandomize=True)
@given(
    terms=st.lists(st.tuples(st.floats(-0.4, 4), st.floats(0.3, 4)), max_size=3),
    offset=st.floats(-5, 1e4),
    law=st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
)
def test_corrections_that_die_out_are_never_against(terms, offset, law):
    """q = t^a (log t)^b times a product of 1 + c/(2 log t)^d, the logarithm shifted: Theta of t^a (log t)^b.

    A shift of more than 10^4 is out of sight at 10^160, where log t is 368; beside a power of t one of more than 300
    is.
    """
    shifted = L + (offset if law[0] == 0 else min(offset, 300.0))
    corrections = sum((np.log1p(c * (2 * L) ** -d) for c, d in terms), np.zeros(len(L)))
    quantity = Logs(law[0] * L + law[1] * np.log(shifted) + corrections)
    for relation in (grows_like, bounded_by, at_least_like):
        assert relation(quantity, power(*law)).decision is not AGAINST


@settings(derandomize=True)
@given(st.floats(0.05, 2), st.sampled_from([-1, 1]), st.sampled_from([-2.0, -0.7, -0.01, 0.0, 0.3, 2.0]), st.booleans())
def test_a_wrong_exponent_is_never_for(amount, sense, order, of_t):
    """Too much of t or of log t, up or down: O and Omega tell the two apart."""
    wrong = power(order + sense * amount, 0) if of_t else power(order, sense * amount)
    quantity, false, true = Logs(order * L), *(bounded_by, at_least_like)[::-sense]
    assert true(quantity, wrong).decision is FOR
    for relation in (false, grows_like):
        assert relation(quantity, wrong).decision in ((AGAINST,) if order == 0 else (AGAINST, UNDECIDED))


def test_a_limit_is_told_from_another_one():
    """log t/(1 + log t) tends to 1, and neither to 1.01 nor to 0.99; it is no matter how slowly."""
    quantity = L / (1 + L)
    assert tends_to(quantity, 1, "q").decision is FOR
    assert tends_to(quantity, 1.1, "q").decision is AGAINST
    assert tends_to(quantity, 0.9, "q").decision is not FOR
    assert tends_to(L**-0.05, line="q").decision is FOR


@pytest.mark.parametrize("value", [0.0, 1e-300, 0.1 + 0.2 - 0.3])
def test_what_is_within_rounding_of_its_limit_has_reached_it(value):
    """Noise of a float that neither falls nor rises is no distance."""
    assert tends_to(np.full(6, value), line="q").decision is FOR
    assert tends_to(np.full(6, 1 + value), 1, "q").decision is FOR
    assert tends_to(np.full(6, 1e-9), line="q").decision is AGAINST


def test_zero_satisfies_every_upper_bound_and_no_lower_one():
    """Exactly; a zero in floats may be an underflow, so that it says nothing against a lower bound."""
    exact, floats = np.array([fmpq(0)] * 6), np.zeros(6)
    for law in (1, power(-1), power(0, -3)):
        assert bounded_by(exact, law, "q").decision is FOR
        assert bounded_by(floats, law, "q").decision is FOR
        assert grows_like(exact, law, "q").decision is AGAINST
        assert grows_like(floats, law, "q").decision is UNDECIDED
    assert bounded_by(np.exp(-5 * L), power(-6), "q").decision is UNDECIDED  # 10^-800 is no float


def test_a_bounded_oscillation_that_happens_to_accelerate_is_undecided():
    """Three steps of one sign are chance; a quantity that falls exponentially takes steps that no oscillation takes."""
    wobbling = np.exp(np.array([0.1, 0.3, 0.4, 0.281, 0.149, -0.238]))
    assert grows_like(wobbling * L, log, "q").decision is UNDECIDED
    assert grows_like(Logs(-L * np.array([1, 1, 1, 2, 8, 64])), power(-1), "q").decision is AGAINST


def test_what_has_converged_is_for():
    """No step is left to be seen."""
    assert grows_like(np.full(6, 3.0), line="q").decision is FOR
    assert grows_like(3 * L, log, "q").decision is FOR


@pytest.mark.parametrize(("error", "decision"), [(0, AGAINST), (1e-3, AGAINST), (1, UNDECIDED), (np.inf, UNDECIDED)])
def test_an_error_that_swallows_the_steps_leaves_them_undecided(error, decision):
    """(log t)^1.1 is not O(log t), if it is known well enough."""
    assert bounded_by(L**1.1, log, "q", error=error * L).decision is decision


def test_balls_bring_their_error_along():
    """A radius counts like a stated error, and a wide ball says nothing."""
    thin = np.array([arb(x) ** 2 for x in L], dtype=object)
    wide = np.array([arb(x) ** 2 + arb(0, x * x / 2) for x in L], dtype=object)
    assert grows_like(thin, log, "q").decision is AGAINST
    assert grows_like(wide, log, "q").decision is UNDECIDED


def test_entries_are_judged_one_by_one():
    """The one that speaks most against is told with its place; no entries, no evidence."""
    quantity = np.stack([L, L + 3, L**2, 2 * L], axis=1).reshape(6, 2, 2)
    margin = grows_like(quantity, log, "|w|")
    assert margin.decision is AGAINST
    assert margin.line.endswith("ratios 1, 1 at (1, 0)")
    assert grows_like(quantity[:, 0], log, "|w|").decision is FOR
    assert grows_like(quantity[:, :, :0], log, "|w|").empty


def test_functions_of_a_horizon_and_arrays_say_the_same():
    """A quantity may be asked for at each horizon; a law may be an array of its own for every entry."""
    by_call = grows_like(lambda t: np.array([np.log(t), np.log(t) ** 2]), lambda t: np.log(t), "q")
    by_array = grows_like(np.stack([L, L**2], axis=1), L, "q")
    assert (by_call.decision, by_call.line) == (by_array.decision, by_array.line)
    assert grows_like(np.stack([L, L**2], axis=1), np.stack([L, L**2], axis=1), "q").decision is FOR


def test_before_the_loss_has_moved_nothing_is_said():
    """A quantity that stands still speaks against growth only once training has begun."""
    still = np.full(6, 5.0)
    begun, late = 1 / T, np.array([0.7, 0.7, 0.7, 0.7, 0.6, 0.1])
    assert at_least_like(still, log, "|w|", clock=begun).decision is AGAINST
    assert at_least_like(still, log, "|w|", clock=np.full(6, 0.7)).decision is UNDECIDED
    margin = at_least_like(still, log, "|w|", clock=late)
    assert margin.decision is UNDECIDED
    assert "too few horizons since the run began" in margin.line
    from_the_start = np.array([0.7, *[0.1] * 6])
    assert at_least_like(still, log, "|w|", clock=from_the_start).decision is AGAINST


def test_a_run_that_ended_early_says_less():
    """Five horizons are enough to speak against a law, four are not."""
    assert bounded_by(L[:5] ** 2, log, "q").decision is AGAINST
    assert bounded_by(L[:4] ** 2, log, "q").decision is UNDECIDED


def test_what_comes_late_is_told():
    """Up to 10^80 the trend was against the statement, at 10^160 it is for it."""
    quantity = L * np.array([1, 2, 4, 8, 16, 16.0])
    quantity = np.append(quantity[:5], quantity[4] * 2)  # the last step of the ratio is none
    margin = bounded_by(quantity, log, "q")
    assert margin.decision is FOR
    assert margin.delay == "against up to 10^80, for at 10^160"
    assert all_of(margin, at_most(0, 1)).delay == margin.delay


def test_horizons_must_double_their_logarithm():
    """Else a ratio of steps means something else; and there may not be more values than horizons."""
    with pytest.raises(BadClaim, match="do not double"):
        bounded_by(np.ones(4), line="q", at=[1e5, 1e6, 1e7, 1e8])
    with pytest.raises(BadClaim, match="horizons"):
        bounded_by(np.ones(7), line="q")
    with pytest.raises(BadClaim, match="not positive"):
        bounded_by(np.ones(6), lambda t: 0, "q")
    with pytest.raises(BadClaim, match="clock"):
        bounded_by(np.ones(6), line="q", clock=[1.0, 0.5])


@pytest.mark.parametrize(
    ("slack", "decision"),
    [
        (lambda t: 1 - 1e21 / t, FOR),  # late, but for ever
        (lambda t: -1 - 1 / np.log(t), AGAINST),
        (lambda t: 0.1 - np.log(t) / 1e3, UNDECIDED),  # fails from 10^80 on: too late to say that it stays so
        (lambda t: -1 / np.log(t), UNDECIDED),  # may touch in the limit
        (lambda t: np.sin(np.log(t)), UNDECIDED),
    ],
)
def test_eventually_an_inequality_holds(slack, decision):
    """It counts what holds at the last horizons, not at the first; a failure must not die out."""
    margin = eventually(lambda t: at_most(0, slack(t), "slack"), "q")
    assert margin.decision is decision
    assert not margin.violated


def test_a_delay_is_told_with_its_horizon():
    """The inequality fails at 10^20 and holds later."""
    margin = eventually(lambda t: at_most(1e21, t, "t"), "q")
    assert margin.delay == "fails up to 10^20, holds later"
    assert "violated at 10^20, holds at 10^40" in margin.line


def test_families_in_a_constant_and_in_a_scale():
    """For every large C, for every small epsilon; a violation at one value decides nothing."""
    assert for_large(lambda C: at_most(1e6, C), "q").decision is FOR
    assert for_small(lambda epsilon: at_most(epsilon, Fraction(1, 10**30)), "q").decision is FOR
    assert for_small(lambda epsilon: at_most(1, epsilon), "q").decision is AGAINST
    assert for_large(lambda C: nothing("q"), "q").empty
    assert bounded_by([3 * epsilon for epsilon in SMALL], power(1), "error", at=SMALL).decision is FOR
    assert bounded_by([epsilon**0.9 for epsilon in SMALL], power(1), "error", at=SMALL).decision is AGAINST
    assert tends_to([epsilon**0.1 for epsilon in SMALL], line="error", at=SMALL).decision is FOR


def test_limits_combine_with_inequalities():
    """A violated inequality outweighs a trend, a trend against outweighs what is undecided."""
    trend, unclear = bounded_by(L**2, log, "q"), Margin(Fraction(0), Fraction(1))
    assert all_of(trend, unclear).decision is AGAINST
    assert all_of(trend, at_most(1, 0)).decision is Decision.VIOLATED
    assert all_of(trend, at_most(0, 1)).line == trend.line
