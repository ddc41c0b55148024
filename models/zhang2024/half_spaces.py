"""Averages over the data of a half space."""

from refute.arithmetic.numbers import Array
from refute.errors import BadInput


def half_space_average(values: Array, inside: Array) -> Array:
    """<values>_S: the average of the values whose sample lies in S."""
    if not inside.any():
        raise BadInput("the average over an empty half space is undefined")
    average: Array = values[inside].sum(axis=0) / int(inside.sum())
    return average


def outer_products(inputs: Array) -> Array:
    """x x^T, sample by sample."""
    products: Array = inputs[:, :, None] * inputs[:, None, :]
    return products
