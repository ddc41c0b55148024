"""Repairs for inputs whose inner products have the signs of the products of their labels."""

import numpy as np
from hypothesis.strategies import DrawFn

from refute.functions import absolute
from refute.models.dataset import Dataset


def align(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Inputs with entries of one sign, that of the label."""
    return {"data": Dataset(absolute(data.inputs) * data.labels[:, None], data.labels)}


def oppose(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One more sample of either label: the first axis added to the first input once, and twice."""
    axis = np.array([int(k == 0) for k in range(data.inputs.shape[1])], dtype=object)
    first = absolute(data.inputs[0]) + axis
    labels = np.append(data.labels, [data.labels[0], -data.labels[0]])
    return {"data": Dataset(np.vstack([data.inputs, first, first + axis]), labels)}
