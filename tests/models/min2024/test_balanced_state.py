"""Norms and directions of a balanced state, against finite differences of one small step of the flow."""

import numpy as np

from refute.models.dataset import Dataset
from refute.models.gradient import descent_direction
from refute.models.loss import EXPONENTIAL_SUM, TWICE_LOGISTIC_SUM
from refute.models.min2024.balanced_state import balanced_state
from refute.models.network import TwoLayer


def test_turning_and_growth_are_those_of_a_small_step():
    """Central differences of w/|w| and |w|^2 along the descent direction, for ReLU and a leaky slope."""
    rng = np.random.default_rng(3)
    data = Dataset(rng.standard_normal((4, 3)), rng.choice([-1.0, 1.0], 4))
    rows, signs = rng.standard_normal((2, 3)), np.array([1.0, -1.0])
    for slope, loss in ((0.0, EXPONENTIAL_SUM), (0.25, TWICE_LOGISTIC_SUM)):
        state = balanced_state(rows, signs, slope, data, loss)
        net = TwoLayer(rows, signs * np.linalg.norm(rows, axis=1), slope)
        step, _ = descent_direction(net, data, loss, slope)
        for j in range(2):
            ahead, behind = rows[j] + 1e-5 * step[j], rows[j] - 1e-5 * step[j]
            turning = (ahead / np.linalg.norm(ahead) - behind / np.linalg.norm(behind)) / 2e-5
            assert np.abs(state.turning(j) - turning).max() < 1e-8
            assert abs(state.growth(j) - (ahead @ ahead - behind @ behind) / 2e-5) < 1e-8
