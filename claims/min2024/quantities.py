"""Quantities of the data that several statements compare."""

from refute import derived
from refute.arithmetic.numbers import Array, Number
from refute.models import Dataset
from refute.models.min2024.conic import signed_data, signed_separation


@derived
def rows(data: Dataset) -> Array:
    """y_i x_i, the generators of K."""
    return signed_data(data)


@derived
def mu_squared(data: Dataset) -> Number:
    """mu |mu|, which is rational on rational data."""
    return signed_separation(data)


@derived
def squares(data: Dataset) -> Array:
    """|x_i|^2."""
    found: Array = (data.inputs * data.inputs).sum(axis=1)
    return found
