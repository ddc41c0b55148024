"""The even part of a two-layer function: (1 - slope)/2 * sum_h w2h |w1h . x|, line by line."""

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute
from refute.models.network import TwoLayer


def even_part_coefficients(net: TwoLayer) -> Array:
    """Coefficients of |v . x| in the even part, one per line spanned by a nonzero row; all zero iff the function is
    odd.

    The functions |v . x| of pairwise non-parallel v are linearly independent. A row w on the line of v is c v, with
    |w.x| = |c| |v.x|.
    """
    lines: list[Array] = []
    totals: list[Number] = []
    for row, outer in zip(net.inner, net.outer, strict=True):
        if not any(row):
            continue
        pivot = next(k for k, entry in enumerate(row) if entry)
        direction, length = row / row[pivot], absolute(row[pivot])
        term = (1 - net.slope) / 2 * outer * length
        for k, line in enumerate(lines):
            if all(line == direction):
                totals[k] = totals[k] + term
                break
        else:
            lines.append(direction)
            totals.append(term)
    return np.array(totals or [0], dtype=object)
