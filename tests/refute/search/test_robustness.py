"""The components of a margin, on one scale."""

import numpy as np
from flint import arb

from refute.language.relations import Margin
from refute.search.robustness import components


def test_numbers_beyond_any_fraction_are_infinite_and_keep_their_sign():
    """They neither end a hunt nor hide which way a comparison goes."""
    huge = arb(2) ** (1 << 21)
    sides = np.array([huge, arb(1)], dtype=object)
    zeros = np.array([arb(0), arb(0)], dtype=object)
    margin = Margin(0, parts=((np.array([huge, -huge], dtype=object), sides, zeros),))
    assert components(margin).tolist() == [1.0, -1.0]
