"""Descent on symmetric data with nearly aligned neurons is plain descent."""

import numpy as np
import pytest

from refute.models import Dataset, TwoLayer
from refute.models.descent.single import descend
from refute.models.zhang2024.aligned import aligned_descent, silent_steps


@pytest.mark.parametrize("slope", [0.0, 0.3])
@pytest.mark.parametrize("spread", [1e-3, 0.3, 3.0])
def test_it_is_plain_descent(slope: float, spread: float):
    """The same weights as the plain kernel on all pairs, for aligned and for scattered neurons."""
    rng = np.random.default_rng(5)
    half, outer, r = rng.standard_normal((30, 3)), rng.standard_normal(7), np.array([0.6, 0.8, 0.0])
    labels = half @ [1.0, 1.0, 0.5] + np.sin(half[:, 0])
    inner = outer[:, None] * r + spread * rng.standard_normal((7, 3))
    data = Dataset(np.vstack([half, -half]), np.concatenate([labels, -labels]))
    inners, outers = aligned_descent(inner, outer, half, labels, rate=0.01, steps=60, every=20, slope=slope)
    plain = descend(TwoLayer(inner, outer, slope), data, rate=0.01, steps=60, every=20, slope_at_zero=slope)
    np.testing.assert_allclose(inners, plain.inner, atol=1e-12)
    np.testing.assert_allclose(outers, plain.outer, atol=1e-12)


def test_silent_steps_are_the_linear_recursion():
    """Three steps by hand."""
    rng = np.random.default_rng(6)
    w, a, beta = rng.standard_normal((4, 2)), rng.standard_normal(4), np.array([1.0, -2.0])
    expected_w, expected_a = w, a
    for _ in range(3):
        expected_w, expected_a = expected_w + 0.1 * np.outer(expected_a, beta), expected_a + 0.1 * expected_w @ beta
    found_w, found_a = silent_steps(w, a, beta, 0.1, 3)
    np.testing.assert_allclose(found_w, expected_w)
    np.testing.assert_allclose(found_a, expected_a)
