"""One validated step: the remainder, the drift of neighbours, and the bound on eigenvalues."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, arb_mat, ctx

from refute.models.loss import Loss, Shape
from refute.models.validated.enclosure import largest_eigenvalue, magnitude, norm, take_step
from refute.models.validated.taylor import ZERO, AnalyticField, Pull

DECAY = AnalyticField([[[arb(1)]]], [Pull(Loss(Shape.SQUARE), arb(0), arb(1))], [arb(1)])  # w' = -2 w


@pytest.mark.parametrize("seed", range(6))
def test_the_bound_on_eigenvalues_is_valid_and_sharp(seed):
    """It exceeds the largest eigenvalue of matrices inside the ball matrix, by hardly more than the radii allow."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 8))
    middle = rng.normal(size=(size, size))
    middle = middle + middle.T - (10 if seed % 2 else 0) * np.eye(size)
    radius = 1e-3
    bound = float(largest_eigenvalue(arb_mat([[arb(value, radius) for value in row] for row in middle.tolist()])))
    for _ in range(20):
        noise = rng.uniform(-radius, radius, size=(size, size))
        assert np.linalg.eigvalsh(middle + (noise + noise.T) / 2)[-1] <= bound
    assert bound <= np.linalg.eigvalsh(middle)[-1] + 1.01 * size * radius


def test_an_unbounded_matrix_has_no_bound():
    """A step whose box is too large for floats is rejected, not guessed."""
    assert largest_eigenvalue(arb_mat([[arb.nan()]])) == arb.pos_inf()


@pytest.mark.parametrize("bits", [64, 128, 256])
def test_a_step_contains_the_solution_and_its_neighbours(bits):
    """e^{-2 s} from the centre, and trajectories that begin within the spread come closer together."""
    spread = arb(2) ** -40
    step = take_step(DECAY, [arb(1)], spread, Fraction(10), bits, 0.0)
    assert step is not None
    with ctx.workprec(2 * bits):
        for part in (Fraction(1, 3), Fraction(1)):
            time = step.length * part
            exact = (-2 * arb(time.numerator) / time.denominator).exp()
            (found,) = step.centre_at(time)
            assert found.overlaps(exact)
            assert found.rad() < arb(2) ** (8 - bits)
            assert spread * exact <= step.spread_at(time) < spread * 1.001
            assert step.over(Fraction(0), time)[0].contains(exact)
    assert step.growth.overlaps(-2)


def test_no_spread_stays_none():
    """An exact start has no neighbours to follow."""
    step = take_step(DECAY, [arb(1)], ZERO, Fraction(1, 8), 64, 0.0)
    assert step is not None
    assert step.length == Fraction(1, 8)
    assert step.spread_at(step.length) == 0


def test_sizes_far_outside_the_range_of_floats():
    """Magnitudes are exponents, not floats."""
    assert magnitude(arb(2) ** -100000) == -99999
    assert magnitude(ZERO) is None
    assert norm([arb(3), arb(-4)]) >= 5
