"""Networks at which training starts, as parts of `sized(...)`: balanced, tiny, Gaussian.

They are networks like any other: a domain says what a theorem assumes of a start, not how it came about.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.errors import BadInput
from refute.language.cases import Values, values
from refute.models.network import TwoLayer
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import array, slopes
from refute.strategies.sizes import Size

FINEST = 1 << 10  # entries of a Gaussian start are whole multiples of 1 / FINEST
SCALES = [Fraction(1), Fraction(1), Fraction(1, 1000), Fraction(1, 10**6), Fraction(1, 10**12)]


def is_balanced(value: Any) -> bool:
    """Whether a_h^2 = |w_h|^2 for every neuron of a two-layer network."""
    return isinstance(value, TwoLayer) and all(a * a == w @ w for w, a in zip(value.inner, value.outer, strict=True))


@values(is_balanced)
def balanced_start(size: Size) -> SearchStrategy[TwoLayer]:
    """A network whose neurons have a_h^2 = |w_h|^2 exactly, of any slope; some neurons may be zero."""
    return _balanced(size)


@st.composite
def _balanced(draw: DrawFn, size: Size) -> TwoLayer:
    outer = draw(array(size.width))
    rows = [abs(a) * draw(unit_vector(size.dimension)) for a in outer]
    return TwoLayer(np.array(rows, dtype=object), outer, draw(slopes()))


def tiny_start(part: Values, most: Fraction | str = Fraction(1, 1000)) -> Values:
    """The networks of a part, made so small that no weight exceeds `most`: `sized(net=tiny_start(balanced_start))`.

    Both layers are multiplied with one number, so that balance stays. Scales down to 10^-12 times `most` are drawn.
    """
    bound = Fraction(most)
    if not bound > 0:
        raise BadInput(f"most must be positive, got {most}")

    def admits(value: Any) -> bool:
        return bool(part.admits(value)) and isinstance(value, TwoLayer) and _largest(value) <= bound

    def nearest(value: Any) -> Any:
        value = value if part.nearest is None else part.nearest(value)
        return value if not isinstance(value, TwoLayer) or _largest(value) <= bound else _times(value, bound)

    def draws(size: Size) -> SearchStrategy[TwoLayer]:
        return st.builds(lambda net, scale: _times(net, bound * scale), part(size), st.sampled_from(SCALES))

    return Values(draws, admits, nearest, part.sizes)


def _largest(net: TwoLayer) -> Fraction:
    return max((abs(Fraction(w)) for w in (*net.inner.reshape(-1), *net.outer)), default=Fraction(0))


def _times(net: TwoLayer, scale: Fraction) -> TwoLayer:
    """Both layers over their largest entry, times the scale."""
    factor = scale / (_largest(net) or 1)
    return TwoLayer(
        np.array([[Fraction(w) * factor for w in row] for row in net.inner], dtype=object),
        np.array([Fraction(a) * factor for a in net.outer], dtype=object),
        net.slope,
    )


@values(lambda value: isinstance(value, TwoLayer))
def gaussian_start(size: Size) -> SearchStrategy[TwoLayer]:
    """Independent normal weights of mean zero, each layer's variance one over what a neuron of it sums up.

    They come from a drawn seed and are rounded to multiples of 2^-10. The domain is every network: what has a density
    reaches all of them.
    """

    def build(seed: int, slope: Fraction) -> TwoLayer:
        rng = np.random.default_rng(seed)
        inner, outer = rng.standard_normal((size.width, size.dimension)), rng.standard_normal(size.width)
        return TwoLayer(_rounded(inner / size.dimension**0.5), _rounded(outer / size.width**0.5), slope)

    return st.builds(build, st.integers(0, 2**32 - 1), slopes())


def _rounded(values: Any) -> Any:
    exact = np.empty(values.shape, dtype=object)
    for index, value in np.ndenumerate(values):
        exact[index] = Fraction(round(float(value) * FINEST), FINEST)
    return exact
