"""The constants of min2024's alignment proof against hand values."""

from fractions import Fraction

import numpy as np
import pytest

from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.alignment import at_scale, gaps, scales

PAIR = Dataset(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, -1.0]))


def _start(*rows: tuple[float, float]) -> Balanced:
    return Balanced(np.array(rows), np.ones(len(rows)), Fraction(0), Fraction(0))


def test_constants_of_two_antipodal_data():
    """mu = zeta_1 = 1 and, for a positive neuron at 45 degrees to the negative datum, zeta_2 = 1/2."""
    found = scales(PAIR, _start((-1.0, 1.0)), 1.0, printed=False)
    assert (found.mu, found.zeta, found.xi) == pytest.approx((1.0, 0.5, 1.0))
    assert found.alignment_time == pytest.approx(32 * np.log(2))
    first, second = found.log_terms
    assert first == pytest.approx(np.log(0.5 / (4 * 2 * 2)))
    assert second == pytest.approx(-4 * 2 * 32 * np.log(2))
    assert scales(PAIR, _start((-1.0, 1.0)), 1.0, printed=True).zeta == pytest.approx(1.0)


def test_what_is_tolerated():
    """min{mu, zeta, xi} sqrt(mu) X_min and its share of n X_max, for mu = xi = 1, zeta = 1/2."""
    found = scales(PAIR, _start((-1.0, 1.0)), 1.0, printed=False)
    assert (found.tolerated_error, found.tolerated_output) == pytest.approx((0.5, 0.25))


def test_the_phase_ends_at_t1_at_the_second_term():
    """T = t_1 for eps = e^{-4 n X_max t_1} / sqrt(h)."""
    found = scales(PAIR, _start((-1.0, 1.0), (1.0, 2.0)), 0.5, printed=False)
    assert found.phase(found.log_terms[1]) == pytest.approx(found.alignment_time)


def test_a_tiny_tilt_is_not_lost():
    """1 - cos^2 of a neuron at an angle of 2^-30 from the wrong centre is 2^-60 and not zero."""
    assert gaps(PAIR, _start((-1.0, 2.0**-30)))[1] == pytest.approx(2.0**-60, rel=1e-12)


def test_only_the_scale_changes():
    """`at_scale` keeps the shape and the signs."""
    start = at_scale(_start((1.0, 2.0)), -1000.0)
    assert float(start.log_scale) == -1000.0
    assert np.asarray(start.shape, dtype=float).tolist() == [[1.0, 2.0]]
