"""Local maximisers on the circle against a fine grid and against cases found by hand."""

import numpy as np

from refute.arithmetic.numbers import exact_array
from refute.models.min2024.extremes import local_maximisers


def test_one_point_has_one_peak_and_a_dead_arc():
    """G = max(w_1, 0): the peak is the point itself, and G vanishes on the opposite half circle."""
    found = local_maximisers(exact_array([[2, 0]]), exact_array([1]))
    assert [list(p) for p in found.peaks] == [[2, 0]]
    assert len(found.flats) == 1
    assert found.flats[0][0] < 0


def test_a_negative_point_makes_a_peak_at_its_hyperplane():
    """(1, 0) attracts and (1, 1) repels as strongly: the maximiser is orthogonal to (1, 1)."""
    found = local_maximisers(exact_array([[1, 0], [1, 1]]), exact_array([1, -1]))
    assert any(p @ exact_array([1, 1]) == 0 and p[0] > 0 for p in found.peaks)


def test_peaks_are_those_of_a_fine_grid():
    """On random data every strict maximum of the grid lies next to a peak, and the other way round."""
    rng = np.random.default_rng(2)
    angles = np.linspace(0, 2 * np.pi, 40001)[:-1]
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for _ in range(20):
        inputs, weights = rng.integers(-5, 6, (4, 2)), rng.choice([-1, 1], 4)
        inputs[(inputs == 0).all(axis=1)] = 1
        values = np.maximum(circle @ inputs.T, 0) @ weights
        top = (
            (values > np.roll(values, 1) + 1e-12)
            & (values >= np.roll(values, -1))
            & (values > np.roll(values, -2) + 1e-12)
        )
        peaks = [
            np.array([float(v) for v in p]) for p in local_maximisers(exact_array(inputs), exact_array(weights)).peaks
        ]
        for w in circle[top]:
            assert any(w @ p / np.linalg.norm(p) > 1 - 1e-6 for p in peaks)
        for p in peaks:
            near = np.argmax(circle @ p)
            window = values[np.arange(near - 5, near + 6) % len(values)]
            assert (
                window.max()
                <= max(p / np.linalg.norm(p) @ (weights[:, None] * inputs)[inputs @ p > 0].sum(axis=0), 0) + 1e-9
            )
