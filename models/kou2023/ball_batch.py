r"""Many starts of gradient descent with a fixed second layer +-1/m at once, in balls; and one start with samples that
are drawn.

The coefficients c_i of w = w(0) + sum_i c_i x_i are carried along and the signals <w, x_k> = <w(0), x_k> + sum_i c_i
G_ik computed from them, so that only the coefficients gather radius. Each sign is decided by its ball, or `SignUnknown`
asks for more bits.
"""

from collections.abc import Collection, Iterator

import numpy as np
from flint import arb, arb_mat
from numpy.typing import NDArray

from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput
from refute.functions import sign
from refute.models.checks import recorded_steps
from refute.models.dataset import Dataset
from refute.models.geometry.ball_matrix import ball_array, ball_matrix
from refute.models.network import TwoLayer

MOST_PRODUCTS = 200_000_000  # of two balls, about three seconds


def ball_courses(
    data: Dataset, inner: Array, *, slope: Number, rate: Number, wanted: Collection[int], slope_at_zero: Number
) -> Iterator[tuple[Array, Array]]:
    """Enclosures of the signals and of |x_i|^2 c_i, (starts, 2m, samples), at the wanted steps from inner weights of
    balls.
    """
    (starts, width, dimension), n = inner.shape, len(data.labels)
    x, y, squares = ball_matrix(data.inputs), list(data.labels), (data.inputs * data.inputs).sum(axis=1)
    gram, first = x * x.transpose(), ball_matrix(inner.reshape(-1, dimension)) * x.transpose()
    c, shape = arb_mat(starts * width, n), (starts, width, n)
    for step in range((last := max(wanted)) + 1):
        u = (first + c * gram).entries()
        if step in wanted:
            yield np.array(u, dtype=object).reshape(shape), ball_array(c, shape) * squares
        if step < last:
            c += arb_mat(starts * width, n, _change(u, y, starts, width, slope, rate, slope_at_zero))


def _change(
    u: list[arb], y: list[Number], starts: int, width: int, slope: Number, rate: Number, at_zero: Number
) -> list[arb]:
    """What one step adds to the coefficients, from the signals; both row by row, start by start."""
    n, m = len(y), width // 2
    sides = [1 if value > 0 else -1 if value < 0 else sign(value) for value in u]
    hidden = [value if side > 0 else slope * value for value, side in zip(u, sides, strict=True)]
    change: list[arb] = []
    for begin in range(0, starts * width * n, width * n):
        outputs = [
            sum(hidden[begin + i : begin + m * n : n]) - sum(hidden[begin + m * n + i : begin + width * n : n])
            for i in range(n)
        ]
        pushes = [
            rate / (n * m) * label / (1 + (label * output / m).exp()) for label, output in zip(y, outputs, strict=True)
        ]
        for j, half in ((1, range(begin, begin + m * n, n)), (-1, range(begin + m * n, begin + width * n, n))):
            gated = {side: [j * gate * push for push in pushes] for side, gate in ((1, 1), (-1, slope), (0, at_zero))}
            for row in half:
                change += [gated[side][i] for i, side in enumerate(sides[row : row + n])]
    return change


def ball_minibatches(
    net: TwoLayer, data: Dataset, *, rate: Number, picks: NDArray[np.int64], every: int, slope_at_zero: Number
) -> Iterator[Array]:
    """Enclosures of the inner weights at the steps that `descend_wide` records; `picks` lists the
    samples of each step.
    """
    from refute.models.kou2023.decomposition import check_halves

    check_halves(net)
    if picks.size * net.inner.size > MOST_PRODUCTS:
        raise BadInput(f"{len(picks)} steps of {net.width} neurons are too long for balls")
    w, ends = ball_matrix(net.inner), recorded_steps(len(picks), every)
    for begin, end in zip([0, *ends], ends, strict=False):
        for chosen in picks[begin:end]:
            x, y = ball_matrix(data.inputs[chosen]), data.labels[chosen].tolist()
            change = _change((w * x.transpose()).entries(), y, 1, net.width, net.slope, rate, slope_at_zero)
            w += arb_mat(net.width, len(chosen), change) * x
        yield ball_array(w)
