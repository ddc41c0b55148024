r"""Rank-one weights $W_1=W_2^\top r^\top$: their output on each half space, and the averages in the proof of Theorem 5.

Notation: $\mathbb S^+=\{r^\top x\ge0\}$ and $\mathbb S^-=\{r^\top x<0\}$, the sign of $r^\top x$ being that of
$W_2W_1x$; half is $(\alpha+1)/2$; $1/E$ with $E=e^{half\,y\,W_2W_1x}+1$ is the damping of a sample.
"""

from dataclasses import dataclass

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.functions import exp, sign, squared_norm
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer
from refute.models.zhang2024.fields import Pair, gates, mean_slope, through, weighted_moment
from refute.models.zhang2024.half_spaces import half_space_average, outer_products


def projection(net: TwoLayer, x: Array) -> Number:
    """r.x with r = W1^T W2^T / |W2|^2, and 0 when W2 = 0 (any r will do)."""
    size = squared_norm(net.outer)
    return net.linear_map() @ x / size if size != 0 else size


def squared_norm_of_sign(outer: Array, side: int) -> Number:
    """|W2+|^2 for side 1 and |W2-|^2 for side -1."""
    chosen: Array = outer * (sign(outer) == side).astype(int)
    return squared_norm(chosen)


def reduced_field(net: TwoLayer, data: Dataset) -> Pair:
    """The right-hand sides of Eq. (34)."""
    half = mean_slope(net)
    return through(net, half * data.correlation - half * half * (net.linear_map() @ data.covariance))


def damping(net: TwoLayer, data: Dataset) -> Array:
    """1/E, sample by sample."""
    outputs = data.inputs @ net.linear_map()
    return np.asarray(1 / (exp(mean_slope(net) * data.labels * outputs) + 1))


def damped_row(net: TwoLayer, data: Dataset, damping: Array) -> Array:
    """W2 W1 <x x^T/E>."""
    row: Array = net.linear_map() @ weighted_moment(data, damping)
    return row


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of the displays (31), (33) and of those below (37).

    `mean` is the average of the first line, `halves` those over S+ and S-, `gated` what they become with the outer
    weights [W2+, alpha W2-] and [alpha W2+, W2-], `exchanged` the same with the two exchanged, `whole` the last line.
    """

    mean: Array
    halves: Pair
    gated: Pair
    exchanged: Pair
    whole: Array


def first_layer_lines(net: TwoLayer, data: Dataset, weights: Array) -> Lines:
    """Of <sigma'(W1 x) * W2^T W2 W1 x x^T g>, for weights g_i of the samples; off the hyperplane sigma'(0) is not
    asked for, and on it the term vanishes.
    """
    outputs, half = data.inputs @ net.linear_map(), mean_slope(net)
    back = gates(net, data, half) * net.outer[None, :] * (outputs * weights)[:, None]
    rows = [(net.linear_map() @ moment)[None, :] for moment in _moments(net, data, weights)]
    columns = [_gated(net, side)[:, None] for side in (1, -1)]
    whole = half * net.outer[:, None] * damped_row(net, data, weights)[None, :]
    return _lines(net, data, back[:, :, None] * data.inputs[:, None, :], columns, rows, whole)


def second_layer_lines(net: TwoLayer, data: Dataset, weights: Array) -> Lines:
    """Of <x sigma(W1 x)^T g>, for weights g_i of the samples."""
    terms = data.inputs[:, :, None] * (net.hidden(data.inputs) * weights[:, None])[:, None, :]
    r = net.linear_map() / squared_norm(net.outer)
    columns = [(moment @ r)[:, None] for moment in _moments(net, data, weights)]
    rows = [_gated(net, side)[None, :] for side in (1, -1)]
    whole = mean_slope(net) * weighted_moment(data, weights) @ net.inner.T
    return _lines(net, data, terms, rows, columns, whole)


def _lines(net: TwoLayer, data: Dataset, terms: Array, gated: list[Array], others: list[Array], whole: Array) -> Lines:
    (plus, minus), (first, second) = gated, others
    return Lines(
        mean=terms.sum(axis=0) / len(terms),
        halves=_by_sides(terms, net, data),
        gated=(plus * first, minus * second),
        exchanged=(minus * first, plus * second),
        whole=whole,
    )


def _gated(net: TwoLayer, side: int) -> Array:
    """[W2+, alpha W2-] for side 1 and [alpha W2+, W2-] for side -1, in the order of the neurons."""
    return np.where(sign(net.outer) == side, net.outer, net.slope * net.outer)


def _by_sides(values: Array, net: TwoLayer, data: Dataset) -> Pair:
    side = sign(data.inputs @ net.linear_map())
    return half_space_average(values, side >= 0), half_space_average(values, side < 0)


def _moments(net: TwoLayer, data: Dataset, weights: Array) -> Pair:
    """<x x^T g> over S+ and S-."""
    return _by_sides(outer_products(data.inputs) * weights[:, None, None], net, data)
