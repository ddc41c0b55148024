"""Paths of activation counts that meet the printed conditions, and repairs."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array, exact_array
from refute.language.assumption import Fields
from refute.models.min2024.activation_paths import points


@st.composite
def printed_path(draw: DrawFn) -> Fields:
    """Numbers of data and some counts, put in order by k_+ - k_-, with (n_+, 0) at the end."""
    positive, negative = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    chosen = draw(st.lists(st.sampled_from(points(positive, negative)), max_size=8, unique=True))
    return {"positive": positive, "negative": negative} | order_path(
        draw, positive, negative, exact_array(chosen).reshape(-1, 2)
    )


def order_path(draw: DrawFn, positive: int, negative: int, path: Array) -> dict[str, Array]:
    """The allowed points, each once, by k_+ - k_-, and (n_+, 0) at the end."""
    found = {(int(p), int(q)) for p, q in path} & set(points(positive, negative)) - {(positive, 0)}
    return {"path": exact_array([*sorted(found, key=lambda k: (k[0] - k[1], k)), (positive, 0)])}


def break_path(draw: DrawFn, positive: int, negative: int, path: Array) -> dict[str, Array]:
    """A path that ends elsewhere, or that starts at its end."""
    end = exact_array([[0, negative]])
    return {"path": np.vstack([path, end]) if draw(st.booleans()) else np.vstack([path[-1:], path])}
