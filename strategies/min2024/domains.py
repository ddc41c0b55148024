"""The domains of labelled and separated data, of balanced starts and of balanced networks."""

from fractions import Fraction
from typing import Any

from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.cones import separation_margin
from refute.models.network import TwoLayer
from refute.strategies.min2024.vectors import signs_of


def is_labelled(value: Any) -> bool:
    """Labels +-1, no input zero."""
    return (
        isinstance(value, Dataset) and all(abs(y) == 1 for y in value.labels) and all(any(row) for row in value.inputs)
    )


def is_separated(value: Any) -> bool:
    """The same, under Assumption 1."""
    return is_labelled(value) and separation_margin(value) > 0


def with_signs_as_labels(data: Dataset) -> Dataset:
    """The labels replaced by their signs."""
    return Dataset(data.inputs, signs_of(data.labels))


def is_start(value: Any) -> bool:
    """A balanced ReLU start of scale 1 without a zero neuron."""
    if not isinstance(value, Balanced) or value.slope != 0 or value.log_scale != 0:
        return False
    return all(abs(s) == 1 for s in value.signs) and all(any(row) for row in value.shape)


def at_scale_one(value: Balanced) -> Balanced:
    """The start with signs +-1, slope 0 and scale 1."""
    return Balanced(value.shape, signs_of(value.signs), Fraction(0), Fraction(0))


def is_balanced(value: Any) -> bool:
    """A ReLU network with v_j^2 = |w_j|^2 > 0."""
    return (
        isinstance(value, TwoLayer)
        and value.slope == 0
        and all(v and row @ row == v * v for row, v in zip(value.inner, value.outer, strict=True))
    )
