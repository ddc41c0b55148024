"""Deep gradient flow with sigma'(0) fixed: the field is minus the gradient, the flow agrees with the one that follows
every unit.
"""

import numpy as np

from refute.models import Dataset, DeepNetwork
from refute.models.flow.deep import deep_gradient_flow
from refute.models.loss import SQUARE
from refute.models.zhang2024.fixed_slope import DeepField, fixed_slope_flow, joined

_RNG = np.random.default_rng(3)
_WEIGHTS = [_RNG.standard_normal((4, 2)), _RNG.standard_normal((3, 4)), _RNG.standard_normal((1, 3))]
_DATA = Dataset(_RNG.standard_normal((5, 2)), _RNG.standard_normal(5))


def test_the_field_is_minus_the_gradient():
    """Central differences of the loss, away from kinks."""
    field = DeepField([w.shape for w in _WEIGHTS], _DATA, slope=0.3, at_zero=0.3)
    state = joined(_WEIGHTS)
    steps = 1e-6 * np.eye(len(state))
    slopes = [(field.descent(state + e)[1] - field.descent(state - e)[1]) / 2e-6 for e in steps]
    np.testing.assert_allclose(field.descent(state)[0], -np.array(slopes), atol=1e-8)


def test_it_agrees_with_the_flow_that_follows_events():
    """Both solve the same problem where no unit rests on its boundary; the error covers the gap."""
    times = np.array([0.0, 0.05, 0.1])
    run = fixed_slope_flow(_WEIGHTS, _DATA, times, slope=0.3, at_zero=0.3)
    other = deep_gradient_flow(DeepNetwork(tuple(_WEIGHTS), 0.3), _DATA, SQUARE, times)
    for mine, theirs in zip(run.weights, other.weights, strict=True):
        assert np.abs(mine - theirs).max() <= run.error + other.error
    assert run.error < 1e-5


def test_the_value_at_zero_decides_where_a_unit_rests():
    """x = w = 1 in the first layer, zero in the second: with sigma'(0) = 0 nothing moves, with 1 the second weight
    follows a y.
    """
    weights = [np.array([[1.0]]), np.array([[0.0]]), np.array([[1.0]])]
    data = Dataset(np.array([[1.0]]), np.array([1.0]))
    still, moving = (fixed_slope_flow(weights, data, np.array([0.1]), at_zero=value) for value in (0.0, 1.0))
    assert still.weights[1][0, 0, 0] == 0.0
    assert moving.weights[1][0, 0, 0] > 0.05
