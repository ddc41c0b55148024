"""Starts and targets for the early phase of training: both layers nonzero, labels far smaller and far larger than the
inputs.
"""

from fractions import Fraction
from math import ceil

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.language.cases import values
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.sizes import Size
from refute.strategies.zhang2024.correlations import correlate

_SIZES = [Fraction(1), Fraction(10), Fraction(1, 10), Fraction(100)]


@values(lambda value: isinstance(value, Dataset))
def any_target(size: Size) -> SearchStrategy[Dataset]:
    """Inputs of order one, with labels from a tenth to a hundred times as large."""
    return st.builds(
        lambda data, by: Dataset(data.inputs, data.labels * by), unscaled_dataset(size), st.sampled_from(_SIZES)
    )


@values(lambda value: isinstance(value, Dataset))
def large_target(size: Size) -> SearchStrategy[Dataset]:
    """Inputs of order one, with labels a hundred times as large: Tr Sigma is small beside s."""
    return st.builds(lambda data: Dataset(data.inputs, 100 * data.labels), unscaled_dataset(size))


def fill_layers(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """A one in a layer that was zero."""
    inner, outer = net.inner.copy(), net.outer.copy()
    if not inner.any():
        inner[0, 0] = Fraction(1)
    if not outer.any():
        outer[0] = Fraction(1)
    return {"net": TwoLayer(inner, outer, net.slope)}


def empty_outer_layer(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Outer weights zero."""
    return {"net": TwoLayer(net.inner, net.outer * 0, net.slope)}


def _sizes(data: Dataset) -> tuple[float, float]:
    """s = |beta| and Tr Sigma, in floats."""
    return float(np.linalg.norm(data.correlation.astype(float))), float(data.covariance.trace())


def shrink_labels(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, Dataset]:
    """Labels divided by a number so that (3 alpha - 1) s is at most 4 Tr Sigma, and just below where it was more."""
    size, trace = _sizes(data)
    excess = (3 * float(net.slope) - 1) * size / (3.98 * trace) if trace else 0.0
    return {"data": Dataset(data.inputs, data.labels / max(Fraction(1), Fraction(ceil(100 * excess), 100)))}


def enlarge_labels(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """An almost or entirely linear network, and labels so large that s is at least eight times Tr Sigma, or a twentieth
    more than is allowed.
    """
    data = correlate(draw, data)["data"]
    size, trace = _sizes(data)
    slope = draw(st.sampled_from([Fraction(1), Fraction(9, 10)]))
    by = draw(st.sampled_from([8.0, 4.2 / (3 * float(slope) - 1)]))
    larger = Dataset(data.inputs, data.labels * Fraction(ceil(100 * by * trace / size), 100))
    return {"net": TwoLayer(net.inner, net.outer, slope), "data": larger}
