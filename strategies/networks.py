"""Networks with weights from the grid: zero rows, repeated rows and dead neurons are frequent."""

from itertools import pairwise

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.language.domain import stated
from refute.models.network import DeepNetwork, TwoLayer
from refute.strategies.numbers import array, labelled_rows, slopes
from refute.strategies.sizes import Size


def two_layer(size: Size) -> SearchStrategy[TwoLayer]:
    """A two-layer network of any slope in [0, 1]."""
    return st.builds(
        lambda rows, slope: TwoLayer(rows[0], rows[1], slope), labelled_rows(size.width, size.dimension), slopes()
    )


@st.composite
def _deep(draw: DrawFn, size: Size) -> DeepNetwork:
    widths = [size.dimension, *(draw(st.integers(1, size.width)) for _ in range(size.depth - 1)), 1]
    layers = tuple(draw(array(above, below, limit=2)) for below, above in pairwise(widths))
    return DeepNetwork(layers, draw(slopes()))


def deep(size: Size) -> SearchStrategy[DeepNetwork]:
    """A network with `size.depth` weight matrices, hidden widths up to `size.width`, any slope in [0, 1]."""
    return _deep(size)


stated(two_layer, lambda value: isinstance(value, TwoLayer))  # the record itself keeps the slope in [0, 1]
stated(deep, lambda value: isinstance(value, DeepNetwork))
