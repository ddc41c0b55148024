# The public names, each imported the first time it is asked for. Type checkers read them here, and so does Python.
from .datasets import dataset, point, points
from .linear import linear_deep, linear_two_layer
from .networks import deep, two_layer
from .numbers import array, choice, count, number, positive, slopes
from .sizes import Size, drawn, mixed, sized

__all__ = [
    "Size",
    "array",
    "choice",
    "count",
    "dataset",
    "deep",
    "drawn",
    "linear_deep",
    "linear_two_layer",
    "mixed",
    "number",
    "point",
    "points",
    "positive",
    "sized",
    "slopes",
    "two_layer",
]
