"""Random initial weights."""

import numpy as np
import pytest

from refute.models.initialisation import small_gaussian


def test_shapes_and_reproducibility():
    """The generator alone decides."""
    inner, outer = small_gaussian(np.random.default_rng(0), 5, 3, 0.1)
    again = small_gaussian(np.random.default_rng(0), 5, 3, 0.1)
    assert inner.shape == (5, 3)
    assert outer.shape == (5,)
    assert (inner == again[0]).all()
    assert (outer == again[1]).all()
    assert not (inner == small_gaussian(np.random.default_rng(1), 5, 3, 0.1)[0]).any()


@pytest.mark.parametrize("scale", [1e-3, 1.0, 10.0])
def test_each_layer_has_the_expected_norm(scale: float):
    """The mean squared norm over 4000 draws is scale^2, to five standard errors."""
    rng = np.random.default_rng(0)
    width, dimension, draws = 6, 4, 4000
    norms = (
        np.array([[np.sum(layer**2) for layer in small_gaussian(rng, width, dimension, scale)] for _ in range(draws)])
        / scale**2
    )
    assert abs(norms[:, 0].mean() - 1) < 5 * np.sqrt(2 / (width * dimension * draws))
    assert abs(norms[:, 1].mean() - 1) < 5 * np.sqrt(2 / (width * draws))


def test_the_scale_is_a_factor():
    """The same draw at another scale."""
    one, small = (small_gaussian(np.random.default_rng(2), 3, 2, scale) for scale in (1.0, 1e-8))
    assert np.allclose(one[0] * 1e-8, small[0], rtol=1e-14)
    assert np.allclose(one[1] * 1e-8, small[1], rtol=1e-14)
