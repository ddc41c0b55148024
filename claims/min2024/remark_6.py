"""Remark 6: Filippov's concept does not make solutions unique."""

from refute import Margin, all_of, claim, equal, less, shifted, suppose, without
from refute.arithmetic.numbers import Array
from refute.claims.min2024.assumptions import positive_class
from refute.functions import sign, squared_norm
from refute.models import Dataset
from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.balanced_state import balanced_state
from refute.strategies.min2024.separated import labelled_dataset, placed, vector


@claim(
    "min2024.remark_6.filippov_non_unique",
    "Remark 6",
    given=placed(data=labelled_dataset, w=vector, samples=(1, 1), dimension=(2, 3)),
    assumes=[positive_class],
    recorded="supported",
    mutants=[shifted("1/1000", "velocity inside"), without(positive_class)],
)
def staying_and_leaving_are_filippov_solutions(data: Dataset, w: Array) -> Margin:
    r"""On the edge of $S_{dead}$ the convex hull of the limits of $F$ contains 0, so the neuron may stay; the limit
    from outside points outwards, so it may leave. Both are Filippov solutions.

    Convention: one positive datum x, the part of w orthogonal to it, v = |w|, exponential loss; the limits from both
    sides are those of sigma'(0) = 0 and 1.
    """
    x = data.inputs[0]
    edge = squared_norm(x) * w - (x @ w) * x
    suppose(bool(sign(edge).any()), "w is not along x")
    inside, outside = (
        balanced_state(edge[None], data.labels, 0 * x[0], data, EXPONENTIAL_SUM, at_zero=0 * x[0] + gate).pulls[0]
        for gate in (0, 1)
    )
    return all_of(equal(inside, 0, "velocity inside S_dead"), less(0, x @ outside, "0 against the speed outside"))
