r"""Two rows in the plane, $w_r=w_r^{(0)}+v_r$, and the norms that the proof of Lemma C.3 compares, divided by the
number of rows.

`size` (s) and `gap` (D) are the smallest numbers with $\|w_r^{(0)}\|^2\le\frac32s^2$ and
$\|v_r-v_1\|^2\le2D^2$.
"""

from dataclasses import dataclass

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, largest, sqrt
from refute.models.kou2023.orthogonality import squared_norms


@dataclass(frozen=True)
class TwoRows:
    """The rows at the start, and by how much they moved."""

    start: Array
    moves: Array

    @classmethod
    def shifted(cls, start: Array, moves: Array, far: int, along: int) -> "TwoRows":
        """The moves shifted far along the first axis; all rows alike and on that axis where `along` is a sign."""
        if along:
            start = np.array([[along * absolute(start[0, 0]), start[0, 0] * 0]] * len(start), dtype=object)
            moves = np.array([[absolute(moves[0, 0]), moves[0, 0] * 0]] * len(moves), dtype=object)
        return cls(start, np.array([[a + far, b] for a, b in moves], dtype=object))

    @property
    def size(self) -> Number:
        return sqrt(2 * largest(squared_norms(self.start)) / 3)

    @property
    def gap(self) -> Number:
        return sqrt(largest(squared_norms(self.moves - self.moves[:1])) / 2)

    @property
    def first(self) -> Number:
        """|v_1|."""
        return sqrt(squared_norms(self.moves)[0])

    @property
    def frobenius(self) -> Number:
        """|W|_F^2/m."""
        return squared_norms(self.start + self.moves).sum() / len(self.start)

    @property
    def spectral(self) -> Number:
        """|W|_2^2/m, by the larger eigenvalue of W^T W."""
        rows = self.start + self.moves
        gram = rows.T @ rows
        half, gap = (gram[0, 0] + gram[1, 1]) / 2, (gram[0, 0] - gram[1, 1]) / 2
        return (half + sqrt(gap * gap + gram[0, 1] * gram[0, 1])) / len(rows)
