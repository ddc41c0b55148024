r"""What several statements share: the values tried for $\sigma'(0)$, and the comparison of matrices of any shape."""

from fractions import Fraction

import numpy as np

from refute import Margin, equal
from refute.arithmetic.numbers import Array
from refute.strategies import choice

KINKS = choice("zero", "alpha", "mean", "one")  # sigma'(0); the mean slope is (1 + alpha)/2
ON_THE_HYPERPLANE = "zhang2024.lemma_10.half_mass"  # the root of what a datum with r.x = 0 breaks
OPEN_SLOPE = "sigma'(0) is not fixed by the paper: 0, alpha, (1+alpha)/2 and 1 are tried"
FILIPPOV_SLOPE = "sigma'(0) = (1 + alpha)/2, the Filippov value under Condition 3"


def same_matrix(left: Array, right: Array, line: str) -> Margin:
    """left = right entry by entry; matrices of different shapes are not equal."""
    if np.shape(left) != np.shape(right):
        return Margin(Fraction(-1), line=f"{line}: shapes {np.shape(left)} and {np.shape(right)}")
    return equal(left, right, line)
