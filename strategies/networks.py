"""Networks with weights from the grid: zero rows, repeated rows and dead neurons are frequent."""

from itertools import pairwise

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.language.cases import values
from refute.models.network import DeepNetwork, TwoLayer
from refute.strategies.numbers import array, labelled_rows, slopes
from refute.strategies.sizes import Size


@values(lambda value: isinstance(value, TwoLayer))  # the record itself keeps the slope in [0, 1]
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


def deep_sizes(net: DeepNetwork) -> dict[str, int]:
    """The extents of a deep network that its fields share."""
    return {"dimension": net.weights[0].shape[1], "depth": len(net.weights)}


@values(lambda value: isinstance(value, DeepNetwork), sizes=deep_sizes)
def deep(size: Size) -> SearchStrategy[DeepNetwork]:
    """A network with `size.depth` weight matrices, hidden widths up to `size.width`, any slope in [0, 1]."""
    return _deep(size)
