r"""Condition 3 on the data, Assumption 4 on the weights, and the conditions that several statements imply.

A sample with input 0 has label 0 where the target is odd. After `equal_norms` the rows of $W_1$ follow the outer
weights, so `rank_one` is applied last.
"""

import numpy as np

from refute import Margin, all_of, assumption, at_least, equal, less
from refute.arithmetic.numbers import Array
from refute.functions import absolute, largest, maximum, sign, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.geometry.elimination import rank
from refute.models.zhang2024.evenness import even_part_coefficients
from refute.models.zhang2024.low_rank import Rays, part
from refute.models.zhang2024.separation import separator
from refute.models.zhang2024.symmetry import evenness_defect, oddness_defect, rank_one_defects, sign_imbalance
from refute.strategies import dataset, point, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.linear import linear_two_layer
from refute.strategies.zhang2024 import boundaries, downhill, evenness, halfspaces, low_rank, odd_separable, symmetry
from refute.strategies.zhang2024.correlations import correlate, decorrelate
from refute.strategies.zhang2024.early_phase import empty_outer_layer, fill_layers
from refute.strategies.zhang2024.inequalities import shrink_below_one, swell_above_one

_DATA = sized(data=dataset)
_UNSCALED = sized(data=unscaled_dataset)
_NET = sized(net=two_layer)
_BOTH = sized(net=two_layer, data=dataset, width=(2, 4))
_HALF_SPACE = sized(data=dataset, r=point)


@assumption(
    "zhang2024.condition_3.even_inputs", base=_DATA, satisfy=symmetry.mirror_inputs, violate=symmetry.unmirror_inputs
)
def even_inputs(data: Dataset) -> Margin:
    """the empirical input law is even, p(x) = p(-x)"""
    return equal(evenness_defect(data.inputs), 0, "largest |count(x) - count(-x)|")


@assumption("zhang2024.condition_3.odd_target", base=_DATA, satisfy=symmetry.odd_labels, violate=symmetry.unodd_labels)
def odd_target(data: Dataset) -> Margin:
    """the target is odd, y(x) = -y(-x)"""
    return equal(oddness_defect(data.inputs, data.labels), 0, "largest |y(x) + y(-x)|")


@assumption(
    "zhang2024.assumption_4.equal_norms", base=_NET, satisfy=symmetry.balance_signs, violate=symmetry.unbalance_signs
)
def equal_norms(net: TwoLayer) -> Margin:
    """positive and negative outer weights have equal norm"""
    return equal(sign_imbalance(net.outer), 0, "|W2+|^2 - |W2-|^2")


@assumption(
    "zhang2024.assumption_4.rank_one", base=_NET, satisfy=symmetry.make_rank_one, violate=symmetry.break_rank_one
)
def rank_one(net: TwoLayer) -> Margin:
    """W1 = W2^T r^T with a unit vector r"""
    residual, length = rank_one_defects(net.inner, net.outer)
    return all_of(equal(residual, 0, "W1 - W2^T r^T"), equal(length, 0, "|r|^2 - 1"))


CONDITION_3 = [even_inputs, odd_target]
ASSUMPTION_4 = [equal_norms, rank_one]


@assumption("label.sign_off_origin", base=_UNSCALED, satisfy=symmetry.sign_labels, violate=symmetry.double_labels)
def sign_target(data: Dataset) -> Margin:
    """labels are +1 or -1 (0 at x = 0)"""
    return equal([abs(y) for x, y in zip(data.inputs, data.labels, strict=True) if any(x)], 1, "|y|")


@assumption("data.correlated", base=_UNSCALED, satisfy=correlate, violate=decorrelate)
def correlated_target(data: Dataset) -> Margin:
    """inputs and labels are correlated, s = |beta| > 0"""
    return less(0, squared_norm(data.correlation), "|beta|^2")


@assumption("network.nonzero_layers", base=_NET, satisfy=fill_layers, violate=empty_outer_layer)
def nonzero_layers(net: TwoLayer) -> Margin:
    """neither layer is zero"""
    return all_of(less(0, squared_norm(net.inner), "|W1|^2"), less(0, squared_norm(net.outer), "|W2|^2"))


@assumption(
    "network.no_kinks",
    base=sized(net=two_layer, data=dataset),
    satisfy=halfspaces.avoid_kinks,
    violate=halfspaces.hit_kink,
)
def no_kinks(net: TwoLayer, data: Dataset) -> Margin:
    """no pre-activation w_1h.x is zero"""
    return less(0, np.abs(sign(data.inputs @ net.inner.T)), "no pre-activation is zero")


@assumption("half_space.nonempty", base=_HALF_SPACE, satisfy=halfspaces.tilt_off_zero, violate=halfspaces.zero_normal)
def nonempty_half_space(data: Dataset, r: Array) -> Margin:
    """the half space r.x > 0 contains data"""
    return less(0, int((sign(data.inputs @ r) > 0).sum()), "number of data with r.x > 0")


@assumption(
    "half_space.no_data_on_boundary",
    base=_HALF_SPACE,
    satisfy=halfspaces.avoid_hyperplane,
    violate=halfspaces.hit_hyperplane,
)
def no_data_on_hyperplane(data: Dataset, r: Array) -> Margin:
    """no datum lies on the hyperplane r.x = 0"""
    return less(0, np.abs(sign(data.inputs @ r)), "no datum on r.x = 0")


@assumption(
    "network.separates_some_data", base=_BOTH, satisfy=boundaries.reach_off_boundary, violate=boundaries.zero_net
)
def off_boundary(net: TwoLayer, data: Dataset) -> Margin:
    """some datum has r.x != 0 (and W2 is not zero)"""
    return less(0, largest(absolute(sign(data.inputs @ net.linear_map()))), "some datum with W2 W1 x != 0")


@assumption(
    "network.no_data_on_boundary", base=_BOTH, satisfy=boundaries.clear_boundary, violate=boundaries.hit_boundary
)
def clear(net: TwoLayer, data: Dataset) -> Margin:
    """no datum has r.x = 0 (and W2 is not zero)"""
    return less(0, absolute(sign(data.inputs @ net.linear_map())), "every datum has W2 W1 x != 0")


@assumption(
    "start.downhill",
    base=sized(net=linear_two_layer, data=unscaled_dataset),
    satisfy=downhill.head_downhill,
    violate=downhill.head_uphill,
)
def downhill_start(net: TwoLayer, data: Dataset) -> Margin:
    """the initial square loss is below that of the zero network, <f^2> < 2 <y f>"""
    f = net(data.inputs)
    return less(f @ f, 2 * (data.labels @ f), "n <f^2> against 2 n <y f>")


@assumption("data.invertible_covariance", base=_UNSCALED, satisfy=downhill.span_the_space, violate=downhill.flatten)
def invertible(data: Dataset) -> Margin:
    """the input covariance is invertible"""
    return at_least(rank(data.inputs), data.inputs.shape[1], "rank of the inputs against the dimension")


@assumption("network.norm_below_one", base=sized(net=two_layer), satisfy=shrink_below_one, violate=swell_above_one)
def small_weights(net: TwoLayer) -> Margin:
    """u = max(|W1|, |W2|) < 1"""
    return less(maximum(squared_norm(net.inner), squared_norm(net.outer)), 1, "u^2")


@assumption(
    "low_rank.equal_parts", base=low_rank.low_rank(), satisfy=low_rank.even_parts, violate=low_rank.uneven_parts
)
def equal_parts(rays: Rays) -> Margin:
    """positive and negative entries of each r_l have equal norm"""
    plus, minus = (np.array([squared_norm(part(ray, side)) for ray in rays]) for side in (1, -1))
    return equal(plus, minus, "|r_l^+|^2 against |r_l^-|^2")


@assumption(
    "low_rank.both_signs", base=low_rank.low_rank(), satisfy=low_rank.give_both_signs, violate=low_rank.take_one_sign
)
def both_signs(rays: Rays) -> Margin:
    """each r_l has positive and negative entries"""
    counts = [int((np.asarray(sign(ray)) == side).sum()) for ray in rays for side in (1, -1)]
    return less(0, np.array(counts), "entries of each sign in each r_l")


@assumption("network.odd_function", base=_NET, satisfy=evenness.cancel_even_part, violate=evenness.break_evenness)
def odd_function(net: TwoLayer) -> Margin:
    """the expressed function is odd on the whole space"""
    return equal(even_part_coefficients(net), 0, "coefficients of |v.x| over the distinct lines v")


@assumption(
    "label.separable",
    base=_UNSCALED,
    satisfy=odd_separable.label_by_a_hyperplane,
    violate=odd_separable.contradict_a_point,
)
def separable(data: Dataset) -> Margin:
    """a hyperplane through the origin separates the labels (of inputs off the origin)"""
    return equal(0 if separator(data) is None else 1, 1, "1 if the data are separable")
