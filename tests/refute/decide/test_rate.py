"""Exponents: recovered where there is a law, open where it bends."""

import numpy as np
import pytest
from flint import arb

from refute.decide.rate import exponent_equals, fit, geometric, sweep, vanishes_at_least_like
from refute.errors import BadClaim, SignUnknown
from refute.language.relations import Decision

SWEEP = geometric(1e-1, 1e-6, 8)


def test_a_geometric_sweep():
    """Constant ratio from first to last."""
    values = geometric(1, 1000, 4)
    assert values == pytest.approx([1, 10, 100, 1000])


@pytest.mark.parametrize("exponent", [-2, -0.5, 0, 1 / 3, 1, 2, 7.25])
@pytest.mark.parametrize("constant", [1e-9, 1, 3e8])
def test_known_exponents_are_recovered(exponent, constant):
    """A pure power law gives its exponent, whatever the constant."""
    law = sweep(lambda p: constant * p**exponent, SWEEP)
    assert law.exponent == pytest.approx(exponent, abs=1e-9)
    assert law.half_width < 1e-9
    assert law.drift < 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_the_interval_covers_a_noisy_exponent(seed):
    """With two per cent of noise on each point the true exponent lies within the half width and drift."""
    noise = np.random.default_rng(seed).lognormal(0, 0.02, len(SWEEP))
    law = fit(SWEEP, [p**1.5 * e for p, e in zip(SWEEP, noise, strict=True)])
    assert abs(law.exponent - 1.5) <= law.half_width + law.drift


def bending(p: float) -> float:
    return p**2 + 1e-4 * p


def test_a_bending_law_reports_its_drift():
    """p^2 + p/10000 looks quadratic at first and is linear in the limit: nothing is decided about either."""
    law = sweep(bending, SWEEP)
    assert law.drift > 0.3
    assert vanishes_at_least_like(law, 1.5).decision is Decision.UNDECIDED
    assert exponent_equals(law, 2).decision is Decision.UNDECIDED
    assert sweep(bending, geometric(1e-8, 1e-14, 8)).drift < 1e-3


def test_vanishing_at_least_like():
    """p^2 vanishes like p and like p^2, not like p^3."""
    law = sweep(lambda p: 5 * p**2, SWEEP)
    assert vanishes_at_least_like(law, 1).decision is Decision.HOLDS
    assert vanishes_at_least_like(law, 2).decision is Decision.HOLDS
    assert vanishes_at_least_like(law, 3).decision is Decision.VIOLATED


def test_having_an_exponent():
    """p^2 has the exponent two and no other."""
    law = sweep(lambda p: 5 * p**2, SWEEP)
    assert exponent_equals(law, 2).decision is Decision.HOLDS
    assert exponent_equals(law, 1.99).decision is Decision.VIOLATED
    assert exponent_equals(law, 2.5).decision is Decision.VIOLATED


def test_a_coarse_exponent_decides_nothing():
    """An interval wider than the resolution of exponents leaves an equality open."""
    rough = fit(SWEEP, [p**2 * factor for p, factor in zip(SWEEP, [1, 3] * 4, strict=True)])
    assert rough.half_width > 0.05
    assert exponent_equals(rough, 2).decision is Decision.UNDECIDED


def test_too_few_points():
    """Three points and a line leave no room for an interval."""
    with pytest.raises(BadClaim, match="at least four points, got 3"):
        fit([1, 2, 3], [1, 2, 3])


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_quantities_must_be_positive_and_finite(bad):
    """A logarithm is taken."""
    with pytest.raises(BadClaim, match="positive finite quantities"):
        fit([1, 2, 3, 4], [1, 2, bad, 4])


def test_a_law_prints_what_is_known():
    """Exponent, half width, drift and the range of the sweep; a margin repeats them after its line."""
    law = sweep(lambda p: p**2, SWEEP)
    assert str(law) == "exponent 2.0000 +- 0.0000, drift 0.0000, over [1.0e-06, 1.0e-01]"
    assert exponent_equals(law, 2, "the residual").line == f"the residual: {law}"


def enclosed(values, radius=0.0):
    """Balls around the values, of the given relative radius."""
    return [arb(value, radius * abs(value)) for value in values]


def test_a_law_in_balls_encloses_that_of_floats():
    """Exponent, half width and drift of exact quantities lie in the balls; wider quantities give wider ones."""
    noise = np.random.default_rng(0).lognormal(0, 0.02, len(SWEEP))
    quantities = [p**1.5 * e for p, e in zip(SWEEP, noise, strict=True)]
    law = fit(SWEEP, quantities)
    for radius in (0.0, 1e-6):
        found = fit(SWEEP, enclosed(quantities, radius))
        for name in ("exponent", "half_width", "drift"):
            assert getattr(found, name).overlaps(arb(getattr(law, name), 1e-12))
        assert (found.exponent.rad() > 1e-8) is (radius > 0)
        assert str(found) == str(law)


def test_the_radius_of_a_law_counts():
    """An exponent of 2 +- 0.01 is not told from 2.005, nor from 1.99 as a lower bound."""
    exact, wide = (fit(SWEEP, enclosed([p**2 for p in SWEEP], radius)) for radius in (0.0, 0.02))
    assert exponent_equals(exact, 2.005).decision is Decision.VIOLATED
    assert vanishes_at_least_like(exact, 2.005).decision is Decision.VIOLATED
    assert not exponent_equals(wide, 2.005).violated
    assert not vanishes_at_least_like(wide, 2.005).violated
    assert exponent_equals(wide, 2.5).decision is Decision.VIOLATED


def test_a_ball_that_may_be_zero_has_no_logarithm():
    """More bits may tell; a negative one is wrong for good."""
    with pytest.raises(SignUnknown):
        fit([1, 2, 3, 4], [arb(1), arb(2), arb(0, 1), arb(4)])
    with pytest.raises(BadClaim, match="positive finite quantities"):
        fit([1, 2, 3, 4], [arb(1), arb(2), arb(-1), arb(4)])
