"""Hypothesis strategies that draw exact cases, and repairs that make a drawn case satisfy or violate an assumption."""

from refute.strategies.datasets import dataset, point, points
from refute.strategies.networks import deep, two_layer
from refute.strategies.numbers import choice, number, positive, slopes
from refute.strategies.sizes import Size, sized

__all__ = ["Size", "choice", "dataset", "deep", "number", "point", "points", "positive", "sized", "slopes", "two_layer"]
