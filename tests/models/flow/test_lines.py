"""Parallel inputs share a line."""

import numpy as np

from refute.models.flow.lines import lines_through


def test_parallel_and_opposite_inputs_share_a_line() -> None:
    """Multiples of one vector are on one line with their factors; the origin is on none."""
    inputs = np.array([[1.0, 2.0], [-3.0, -6.0], [0.0, 0.0], [1 / 3, 2 / 3], [2.0, 1.0]])
    lines = lines_through(inputs)
    assert lines.index.tolist() == [0, 0, -1, 0, 1]
    assert np.abs(lines.factors[:, None] * lines.directions[np.maximum(lines.index, 0)] - inputs).max() <= 1e-15


def test_nearly_parallel_inputs_do_not() -> None:
    """An angle of 1e-12 makes two lines."""
    assert len(lines_through(np.array([[1.0, 0.0], [1.0, 1e-12]])).directions) == 2
