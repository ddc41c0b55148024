"""Numbers and repairs for inequalities about norms and rates."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import exact_array
from refute.language.cases import stated, values
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer
from refute.strategies.numbers import is_number, number
from refute.strategies.sizes import Size

NUMBERS = number()
_SMALL = [Fraction(value) for value in ("1", "2", "1/2", "3")]
NONNEGATIVE = stated(st.sampled_from([Fraction(0), *_SMALL]), lambda value: is_number(value) and bool(value >= 0))


def lift_rate(draw: DrawFn, rate: Fraction) -> dict[str, Fraction]:
    """|rate|."""
    return {"rate": abs(rate)}


def turn_rate(draw: DrawFn, rate: Fraction) -> dict[str, Fraction]:
    """A negative rate."""
    return {"rate": -abs(rate) or Fraction(-1)}


def shrink_below_one(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """The weights divided by one plus the sum of their sizes, and now and then by 1000."""
    total = 1 + sum(abs(entry) for entry in (*net.inner.reshape(-1), *net.outer))
    by = total * draw(st.sampled_from([1, 1, 1000]))
    return {"net": TwoLayer(net.inner / by, net.outer / by, net.slope)}


def swell_above_one(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """A first neuron with a row of length at least 2 and an outer weight 2."""
    inner, outer = net.inner.copy(), net.outer.copy()
    inner[0, 0], outer[0] = Fraction(2), Fraction(2)
    return {"net": TwoLayer(inner, outer, net.slope)}


def nonzero_data_and_weights(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """One outer weight 1 if all were zero; a pair e_1, -e_1 with labels 1, -1 if all inputs were zero."""
    outer, inputs = net.outer.copy(), data.inputs
    if not any(outer):
        outer[0] = Fraction(1)
    if not any(any(row) for row in inputs):
        axis = np.array([[Fraction(int(k == 0)) for k in range(inputs.shape[1])]], dtype=object)
        labels = np.array([Fraction(1), Fraction(-1)], dtype=object)
        data = Dataset(np.vstack([inputs, axis, -axis]), np.concatenate([data.labels, labels]))
    return {"net": TwoLayer(net.inner, outer, net.slope), "data": data}


def zero_weights(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """Zero weights."""
    return {"net": TwoLayer(net.inner * 0, net.outer * 0, net.slope)}


@values(lambda value: isinstance(value, TwoLayer))
def linear_neuron(size: Size) -> SearchStrategy[TwoLayer]:
    """One linear neuron in one dimension whose two weights have the same size: the bounds by norms are attained."""
    one = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(-1), Fraction(3)])
    turn = st.sampled_from([1, -1])
    return st.builds(lambda w, sign: TwoLayer(exact_array([[w]]), exact_array([sign * w]), Fraction(1)), one, turn)
