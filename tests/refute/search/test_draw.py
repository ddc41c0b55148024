"""Search has power: planted falsehoods fall and shrink, truths survive, and nothing depends on luck."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

from refute import Broken, Case, Claim, Kind, Refuted, Run, Supported, Vacuous, at_least, at_most, check, equal, less
from refute.decide.effort import PROFILES, Profile
from refute.functions import exp, squared_norm
from refute.search import draw as search
from refute.search.draw import hunt
from refute.search.stream import cases_for
from refute.strategies import dataset, number, point, positive, sized, two_layer
from tests.planted import IMPOSSIBLE, POSITIVE, RATIONALS, planted


def squares_are_larger(x):
    """x^2 >= x."""
    return at_least(x * x, x)


def addition_does_nothing(x, y):
    """x + y = x."""
    return equal(x + y, x)


def exponentials_are_quadratic(x):
    """exp(x) <= 1 + x + x^2."""
    return at_most(exp(x), 1 + x + x * x)


def two_layer_functions_are_additive(net, x, z):
    """f(x + z) = f(x) + f(z)."""
    return equal(net(x + z), net(x) + net(z))


def loss_never_increases_at_any_step_size(w, x, y, rate):
    """One step of gradient descent on (y - w x)^2/2 does not increase the loss."""
    residual = y - w * x
    after = y - (w + rate * residual * x) * x
    return at_most(after * after, residual * residual)


def correlations_are_bounded_by_one(data):
    """|<y x>|^2 <= <y^2>, which forgets |x|."""
    return at_most(squared_norm(data.correlation), squared_norm(data.labels) / len(data.labels))


LINE = {"w": number(), "x": number(), "y": number(), "rate": positive()}
# A false statement, its cases, and the counterexample that fits on a blackboard.
PLANTED = {
    squares_are_larger: (RATIONALS, Case.of(x=Fraction(1, 2))),
    addition_does_nothing: (
        st.fixed_dictionaries({"x": number(), "y": number()}),
        Case.of(x=Fraction(0), y=Fraction(1)),
    ),
    exponentials_are_quadratic: (RATIONALS, Case.of(x=Fraction(2))),
}


@pytest.mark.parametrize("conclusion", PLANTED, ids=lambda c: c.__name__)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_planted_falsehoods_shrink_to_the_blackboard(conclusion, seed):
    """A false statement is refuted on the quick profile, with the simplest numbers, whatever the seed."""
    given, simplest = PLANTED[conclusion]
    outcome = check(planted(conclusion, given=given), Run(seed=seed))
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.case == simplest


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_step_sizes_shrink_to_single_digits(seed):
    """The loss rises from w = 0 with y = 1, either with x = 1 and rate 3 or with x = 2 and rate 1."""
    outcome = check(planted(loss_never_increases_at_any_step_size, given=st.fixed_dictionaries(LINE)), Run(seed=seed))
    assert isinstance(outcome, Refuted)
    case = outcome.counterexample.case
    assert (case["w"], abs(case["y"])) == (0, 1)
    assert (abs(case["x"]), case["rate"]) in {(1, 3), (2, 1)}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_networks_shrink_to_one_neuron(seed):
    """The counterexample to additivity has one neuron, one dimension and single digits."""
    outcome = check(
        planted(two_layer_functions_are_additive, given=sized(net=two_layer, x=point, z=point)), Run(seed=seed)
    )
    assert isinstance(outcome, Refuted)
    case = outcome.counterexample.case
    assert case["net"].inner.shape == (1, 1)
    assert {abs(v) for v in (*case["x"], *case["z"], *case["net"].outer, *case["net"].inner[0])} == {1}


def test_datasets_shrink_to_one_sample():
    """The counterexample to the bound has one sample in one dimension."""
    outcome = check(planted(correlations_are_bounded_by_one, given=sized(data=dataset)))
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.case["data"].inputs.shape == (1, 1)


def true_square(x):
    """x^2 >= 0."""
    return x * x


def true_exponential(x):
    """exp(x) >= 1 + x, with equality at zero."""
    return at_least(exp(x), 1 + x)


def true_homogeneity(net, x):
    """f(2x) = 2 f(x)."""
    return equal(net(2 * x), 2 * net(x))


def true_descent(w, x, y, rate):
    """A step of size at most 1/x^2 does not increase the loss."""
    return loss_never_increases_at_any_step_size(w, x, y, rate / (1 + rate * x * x))


TRUE = {
    true_square: RATIONALS,
    true_exponential: RATIONALS,
    true_homogeneity: sized(net=two_layer, x=point),
    true_descent: st.fixed_dictionaries(LINE),
}


@pytest.mark.parametrize("conclusion", TRUE, ids=lambda c: c.__name__)
@pytest.mark.parametrize("seed", [0, 1])
def test_truths_survive(conclusion, seed):
    """A true statement is supported by the whole budget, also where it holds with equality."""
    outcome = check(planted(conclusion, given=TRUE[conclusion]), Run(seed=seed))
    assert isinstance(outcome, Supported)
    assert outcome.evidence.undecided == 0
    assert outcome.evidence.cases >= 50


def test_an_impossible_assumption_is_vacuous():
    """The verdict names the assumption and the closest miss: x = 4 falls short of ten by six."""
    outcome = check(planted(squares_are_larger, assumes=(POSITIVE, IMPOSSIBLE)))
    assert isinstance(outcome, Vacuous)
    assert outcome.assumption == "x is above ten"
    assert outcome.closest is not None
    assert outcome.closest.value == -6
    assert outcome.evidence.cases == 0
    assert "x is above ten" in outcome.reason
    assert "10 < x" in outcome.reason


def hardly_ever(x):
    """True, but its assumption is met at one value only."""
    return x * x


def test_a_rare_assumption_is_vacuous_or_counted():
    """Cases that missed the assumption are never counted as evidence."""
    tally = hunt(planted(hardly_ever, assumes=(POSITIVE,)), Run())
    assert 0 < tally.met < tally.tried
    assert tally.evidence().cases == tally.met
    assert sum(len(missed) for missed in tally.misses.values()) == tally.tried - tally.met
    assert len(tally.distinct) <= tally.met


def seen_cases(claim: Claim, run: Run) -> tuple[Any, ...]:
    tally = hunt(claim, run)
    return tally.tried, tally.met, frozenset(tally.distinct), tally.worst, tally.found and tally.found.case


@pytest.mark.parametrize("conclusion", [true_square, squares_are_larger], ids=lambda c: c.__name__)
def test_a_run_is_determined_by_its_seed(conclusion):
    """The same seed draws the same cases and ends at the same counterexample; another seed draws others."""
    claim = planted(conclusion)
    assert seen_cases(claim, Run(seed=3)) == seen_cases(claim, Run(seed=3))
    assert hunt(planted(true_square), Run(seed=3)).distinct != hunt(planted(true_square), Run(seed=4)).distinct


def test_claims_draw_independently():
    """Two claims over the same strategy do not see the same cases."""
    assert hunt(planted(true_square), Run()).distinct != hunt(planted(hardly_ever), Run()).distinct


def test_a_nondeterministic_predicate_is_reported():
    """One that violates now and not again is broken, not refuted."""
    calls = []

    def moody(x):
        calls.append(x)
        return -1 if len(calls) == 7 else 1

    outcome = check(planted(moody))
    assert isinstance(outcome, Broken)
    assert outcome.message == "moody() gave different margins for the same case"
    assert "injected `rng`" in outcome.hint


def test_an_error_brings_its_case():
    """A predicate that raises is broken, with the case on which it did, shrunk or not."""

    def divides(x):
        return 1 / x

    outcome = check(planted(divides))
    assert isinstance(outcome, Broken)
    assert outcome.case == Case.of(x=Fraction(0))
    assert "ZeroDivisionError" in outcome.message


@pytest.mark.parametrize("seed", range(5))
def test_a_predicate_that_breaks_down_on_smaller_cases_does_not_hide_a_violation(seed):
    """It holds at 0 and falls from 2 on; at 1, which shrinking comes to, it divides by zero."""
    whole = st.fixed_dictionaries({"x": st.integers(0, 10**6).map(Fraction)})
    outcome = check(planted(lambda x: -x + 0 / (x - 1), given=whole), Run(seed=seed))
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.case == Case.of(x=Fraction(2))


def test_without_shrinking_the_first_violation_is_kept():
    """Mutants need no blackboard."""
    tally = hunt(planted(squares_are_larger), Run(shrink=False))
    assert tally.found is not None
    assert 0 < tally.found.case["x"] < 1


def test_a_statement_without_fields_is_judged_once():
    """There is nothing to choose."""
    tally = hunt(planted(lambda: less(1.0, 2.0), instances=()), Run())
    assert (tally.tried, tally.met, len(tally.distinct)) == (1, 1, 1)


def test_instances_are_tried_in_order_until_one_violates():
    """Explicit cases are all judged, unless one refutes."""
    cases = tuple(Case.of(x=Fraction(x)) for x in (2, 3, 0, 1))
    assert hunt(planted(squares_are_larger, instances=cases), Run()).tried == 4
    cases = tuple(Case.of(x=Fraction(x, 2)) for x in (4, 1, 6))
    tally = hunt(planted(squares_are_larger, instances=cases), Run())
    assert tally.tried == 2
    assert tally.found is not None
    assert tally.found.case == cases[1]


def test_the_budget():
    """A profile multiplies the cases of a kind, the cost of a claim divides them, and one is the least."""
    quick = PROFILES["quick"].cases(Kind.ALGEBRAIC)
    claim = planted(true_square)
    assert cases_for(claim, Run()) == quick
    assert cases_for(claim, Run(PROFILES["thorough"])) == 10 * quick
    assert cases_for(planted(true_square, cost=4.0), Run()) == quick / 4
    assert cases_for(planted(true_square, cost=1e9), Run()) == 1
    assert hunt(claim, Run(Profile("tiny", 1, 1))).met <= quick


def test_the_worst_margin_is_relative_to_its_scale():
    """A slack of two out of a thousand is worse than one out of one."""
    cases = tuple(Case.of(x=Fraction(x)) for x in (1, 1000))
    worst = hunt(planted(lambda x: at_least(x + 1 + (x > 1), x), instances=cases), Run()).worst
    assert worst is not None
    assert (worst.value, worst.scale) == (2, 1002)


def test_shrinking_what_takes_training_has_a_bound(monkeypatch):
    """After so many cases the smallest one so far stays, and it is a violation."""
    monkeypatch.setattr(search, "MOST_SHRUNK_TRAINED", 3)
    calls = []

    def beyond_a_half(x):
        calls.append(x)
        return 0.5 - x

    tally = hunt(planted(beyond_a_half, kind=Kind.DYNAMICS), Run())
    assert tally.found is not None
    assert tally.found.margin.violated
    drawn = tally.tried
    assert len(calls) - drawn <= 3 + 60 + 60  # the bound here, and those of the shrinker that follows
