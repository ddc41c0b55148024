# The public names, each imported the first time it is asked for. Type checkers read them here, and so does Python.
from .datasets import dataset, point, points
from .inputs import (
    collinear_data,
    correlated_data,
    nearly_orthogonal_data,
    orthogonal_data,
    repeated_data,
    separable_data,
    signed,
    signed_data,
    whitened_data,
)
from .linear import linear_deep, linear_two_layer
from .networks import deep, two_layer
from .numbers import array, choice, count, number, positive, slopes
from .sizes import Size, drawn, mixed, sized
from .starts import balanced_start, gaussian_start, tiny_start

__all__ = [
    "Size",
    "array",
    "balanced_start",
    "choice",
    "collinear_data",
    "correlated_data",
    "count",
    "dataset",
    "deep",
    "drawn",
    "gaussian_start",
    "linear_deep",
    "linear_two_layer",
    "mixed",
    "nearly_orthogonal_data",
    "number",
    "orthogonal_data",
    "point",
    "points",
    "positive",
    "repeated_data",
    "separable_data",
    "signed",
    "signed_data",
    "sized",
    "slopes",
    "tiny_start",
    "two_layer",
    "whitened_data",
]
