"""Two-phase measures against finite differences."""

import numpy as np
import pytest
from flint import fmpq

from refute.models.geometry.phases import direction_change, first_drop, log_polar_changes, norm_change, peak


def test_measures_are_derivatives():
    """Both measures agree with central differences of norms and directions."""
    rng = np.random.default_rng(0)
    inner, velocity, step = rng.standard_normal((4, 3)), rng.standard_normal((4, 3)), 1e-6
    ahead, behind = inner + step * velocity, inner - step * velocity
    unit = lambda w: w / np.linalg.norm(w, axis=1, keepdims=True)  # noqa: E731
    assert norm_change(inner, velocity) == pytest.approx(((ahead**2).sum() - (behind**2).sum()) / (2 * step), rel=1e-6)
    turned = np.linalg.norm((unit(ahead) - unit(behind)) / (2 * step), axis=1).sum()
    assert direction_change(inner, velocity) == pytest.approx(turned, rel=1e-6)


def test_zero_neurons_have_no_direction():
    """A zero neuron is left out, in rationals too."""
    inner = np.array([[fmpq(3), fmpq(4)], [fmpq(0), fmpq(0)]], dtype=object)
    velocity = np.array([[fmpq(4), fmpq(-3)], [fmpq(1), fmpq(1)]], dtype=object)
    assert direction_change(inner, velocity) == 1
    assert norm_change(inner, velocity) == 0


def test_log_polar_measures_are_the_same_at_scale_one():
    """For balanced neurons dw/dt = s |w| g gives the printed measures."""
    rng = np.random.default_rng(1)
    inner, push, signs = rng.standard_normal((3, 2)), rng.standard_normal((3, 2)), np.array([1.0, -1.0, 1.0])
    size = np.linalg.norm(inner, axis=1)
    growth, turning = log_polar_changes(np.log(size), inner / size[:, None], push, signs)
    velocity = signs[:, None] * size[:, None] * push
    assert 2 * (size**2 * growth).sum() == pytest.approx(norm_change(inner, velocity))
    assert turning.sum() == pytest.approx(direction_change(inner, velocity))


def test_times_of_peaks_and_drops():
    """The first largest value, and the first fall by one per cent."""
    assert peak(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 3.0])) == 1.0
    assert first_drop(np.array([0.0, 1.0, 2.0]), np.array([1.0, 0.995, 0.9])) == 2.0
    assert first_drop(np.array([0.0, 1.0]), np.array([1.0, 1.0])) == np.inf
