"""Repairs for datasets with pairwise orthogonal, nonzero inputs."""

from fractions import Fraction

import numpy as np
from hypothesis.strategies import DrawFn

from refute.models.dataset import Dataset


def orthogonalise(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Gram-Schmidt in exact arithmetic; a dependent input becomes zero."""
    rows: list[np.ndarray] = []
    for x in data.inputs:
        for row in rows:
            if any(row):
                x = x - (x @ row) / (row @ row) * row
        rows.append(x)
    return {"data": Dataset(np.array([list(row) for row in rows], dtype=object), data.labels)}


def tilt(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """A nonzero input (e_1 if all are zero) twice more, with labels 1 and -1."""
    nonzero = [row for row in data.inputs if any(row)]
    x = nonzero[0] if nonzero else np.array([Fraction(int(k == 0)) for k in range(data.inputs.shape[1])], dtype=object)
    return {"data": Dataset(np.vstack([data.inputs, x, x]), np.concatenate([data.labels, [Fraction(1), Fraction(-1)]]))}


def drop_zero_inputs(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Without the inputs that are zero; e_1 if all were."""
    keep = [any(row) for row in data.inputs]
    if any(keep):
        return {"data": Dataset(data.inputs[keep], data.labels[keep])}
    axis = [[Fraction(int(k == 0)) for k in range(data.inputs.shape[1])]]
    return {"data": Dataset(np.array(axis, dtype=object), data.labels[:1])}


def append_zero_input(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The input zero, with label 1."""
    return {
        "data": Dataset(np.vstack([data.inputs, data.inputs[:1] * 0]), np.concatenate([data.labels, [Fraction(1)]]))
    }
