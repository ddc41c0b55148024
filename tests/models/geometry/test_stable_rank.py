"""The stable rank and its excess over one."""

import numpy as np
import pytest
from flint import ctx

from refute.arithmetic.numbers import EXACT, balls, exact_array
from refute.errors import BadInput, Inexact
from refute.models.geometry.stable_rank import (
    known_stable_ranks,
    log_stable_rank_excess,
    spectral_norms,
    stable_rank,
    stable_rank_excess,
    stable_rank_from,
)
from refute.models.logpolar.angular_gap import direct_log_gap


def test_it_is_scale_free():
    """diag(2, 1) has stable rank 5/4 at any scale, also where squares underflow or overflow."""
    for scale in (1.0, 1e-200, 1e200):
        assert stable_rank(scale * np.diag([2.0, 1.0])) == pytest.approx(1.25)


def test_stable_ranks_of_many_are_those_of_each_within_their_error():
    """Wide and tall matrices; an error E of W with |E|_F = |W|_2/1000 stays inside."""
    rng = np.random.default_rng(0)
    for shape in ((2, 3, 5, 9), (2, 3, 9, 5)):
        many, noise = rng.standard_normal((2, *shape))
        noise *= np.linalg.norm(many, ord=2, axis=(2, 3), keepdims=True)
        noise /= 1000 * np.linalg.norm(noise, axis=(2, 3), keepdims=True)
        sharp, wide = known_stable_ranks(many, 0.0), known_stable_ranks(many + noise, 0.002)
        each = np.array([[stable_rank(one) for one in row] for row in many])
        assert (np.abs(sharp.value - each) <= sharp.error).all()
        assert (np.abs(wide.value - each) <= wide.error).all()
        assert wide.error.max() < 0.1


def test_the_excess_does_not_cancel():
    """diag(1, 1e-10) has excess 1e-20."""
    assert stable_rank_excess(np.diag([1.0, 1e-10])) == pytest.approx(1e-20)
    with pytest.raises(BadInput, match="nonzero"):
        stable_rank(np.zeros((2, 2)))


@pytest.mark.parametrize("spread", [1.0, 1e-2, 1e-5])
def test_logarithmic_bounds_enclose_the_excess(spread):
    """Bounds from norms and angles contain the value from the singular values."""
    rng = np.random.default_rng(0)
    rows = np.array([1.0, 0, 0, 0]) + spread * rng.standard_normal((5, 4))
    sizes = np.linalg.norm(rows, axis=1)
    low, high = log_stable_rank_excess(np.log(sizes), direct_log_gap(rows / sizes[:, None]))
    value = np.log(stable_rank_excess(rows))
    assert low - 1e-6 <= value <= high + 1e-6
    assert high - low < 10 * spread**2 + 1e-9 or spread == 1.0


def test_it_reaches_far_below_machine_precision():
    """Two unit rows at the angle e^-1000 have excess e^-2000 / 4."""
    gap = np.array([[-np.inf, -2000 - np.log(2)], [-2000 - np.log(2), -np.inf]])
    assert log_stable_rank_excess(np.zeros(2), gap)[0] == pytest.approx(-2000 - np.log(4))


@pytest.mark.parametrize("shape", [(2, 2), (2, 4), (3, 2), (1, 3), (3, 1)])
@pytest.mark.parametrize("spread", [1.0, 1e-6])
def test_in_balls_the_excess_of_rank_two_does_not_cancel(shape, spread):
    """It holds what the singular values give, relatively sharp however small it is; rank one has none."""
    matrix = np.ones(shape) + spread * np.random.default_rng(0).standard_normal(shape)
    with ctx.workprec(192):
        found = stable_rank_excess(balls(192).array(matrix))
    expected = stable_rank_excess(matrix)
    assert float(found.mid()) == pytest.approx(expected, rel=1e-8)
    assert float(found.rad()) <= 1e-30 * expected


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (4, 1), (3, 3), (2, 5), (6, 2)])
def test_balls_hold_what_floats_approximate(shape):
    """Stable rank, from the matrix and from either Gram matrix, and spectral norm; rank one has stable rank one."""
    rows = np.random.default_rng(0).standard_normal(shape)
    with ctx.workprec(128):
        lifted = balls(128).array(rows)
        found = [stable_rank(lifted), *(stable_rank_from(gram) for gram in (lifted @ lifted.T, lifted.T @ lifted))]
        assert all(rank.rad() < 1e-12 and abs(float(rank) - stable_rank(rows)) < 1e-12 for rank in found)
        assert all(one.overlaps(found[0]) for one in found)
        (norm,) = spectral_norms(lifted[None])
        assert abs(float(norm) - spectral_norms(rows[None])[0]) < 1e-12
        assert norm.rad() < 1e-12
        if min(shape) == 1:
            assert stable_rank_excess(lifted).contains(0)


def test_rationals_ask_for_balls():
    """A spectral norm is irrational."""
    with pytest.raises(Inexact):
        stable_rank(EXACT.array(exact_array([[1, 2], [3, 4]])))
