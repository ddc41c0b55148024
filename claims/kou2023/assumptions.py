r"""The conditions of Theorems 4.1 and 4.3, of appendices B and E, and the events of appendix A, as assumptions on one
case.

A case has `data` with labels $\pm1$, `net` with $m$ neurons of each sign and second layer $\pm1/m$, `rate` $\eta$,
`scale` $\sigma_0$, `delta` and `C`. The paper says "for a sufficiently large constant C"; the cases draw C from 100 and
1000, so a claim says that C = 100 is large enough. It also says that $R=R_{\max}/R_{\min}$ is at most an absolute
constant: 3 is taken. A statement that holds "with probability at least $1-\delta$" is read on the event of Lemma A.1
(and of Lemma A.2 for ReLU), on which the proofs condition; that the events are that likely are claims of their own.
$S_i^{(0)}$ are the neurons of the class of sample i that are active on it at the start.
"""

import numpy as np

from refute import Assumption, Margin, all_of, assumption, at_least, at_most, equal, less
from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, log, sign, smallest
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import check_halves
from refute.models.kou2023.orthogonality import largest_overlap, squared_norms, squared_radii
from refute.strategies.kou2023 import nearly_orthogonal as repair
from refute.strategies.kou2023 import widths
from refute.strategies.kou2023.nearly_orthogonal import any_training, relu_training, training

LEAKY = training()
RELU = relu_training()


@assumption("network.signed_halves", base=LEAKY, satisfy=repair.set_halves, violate=repair.unset_halves)
def signed_halves(net: TwoLayer) -> Margin:
    """the second layer is 1/m on m neurons and -1/m on m neurons"""
    m = net.width // 2
    signs = np.array([1] * m + [-1] * (net.width - m), dtype=object)
    return all_of(equal(net.width, 2 * m, "neurons"), equal(net.outer * m, signs, "m a_r"))


def _near(data: Dataset, C: int, weight: Number) -> Margin:
    """R_min^2 >= C R^2 n p / weight, multiplied by R_min^2 weight."""
    low, high = squared_radii(data.inputs)
    overlap = C * high * len(data.labels) * largest_overlap(data.inputs)
    return all_of(less(0, low, "R_min^2"), at_least(low * low * weight, overlap, "R_min^4 against C R_max^2 n p"))


@assumption(
    "data.nearly_orthogonal_for_leak",
    base=LEAKY,
    satisfy=repair.shrink_overlaps_for_leak,
    violate=repair.repeat_an_input,
)
def near_orthogonal_leaky(data: Dataset, net: TwoLayer, C: int) -> Margin:
    """R_min^2 >= C R^2 gamma^-4 n p"""
    return _near(data, C, net.slope**4)


@assumption("data.nearly_orthogonal", base=RELU, satisfy=repair.shrink_overlaps, violate=repair.repeat_an_input)
def near_orthogonal(data: Dataset, C: int) -> Margin:
    """R_min^2 >= C R^2 n p"""
    return _near(data, C, 1)


@assumption(
    "data.nonzero_inputs", base=any_training(), satisfy=widths.replace_zero_inputs, violate=widths.blank_an_input
)
def nonzero_inputs(data: Dataset) -> Margin:
    """no input is zero"""
    return less(0, squared_radii(data.inputs)[0], "0 against the smallest |x_i|^2")


@assumption(
    "data.overlaps_below_half",
    base=training(constants=(2,)),
    satisfy=repair.shrink_overlaps,
    violate=repair.repeat_an_input,
)
def half_overlaps(data: Dataset) -> Margin:
    """R_min^2 >= 2np and R_min > 0"""
    low, overlaps = squared_radii(data.inputs)[0], len(data.labels) * largest_overlap(data.inputs)
    return all_of(at_least(low, 2 * overlaps, "R_min^2"), less(0, low, "0 against R_min^2"))


@assumption("data.comparable_norms", base=LEAKY, satisfy=repair.shorten_inputs, violate=repair.shrink_an_input)
def comparable_norms(data: Dataset) -> Margin:
    """R_max <= 3 R_min"""
    low, high = squared_radii(data.inputs)
    return at_most(high, 9 * low, "R_max^2 against 9 R_min^2")


@assumption("data.orthogonal_nonzero", base=LEAKY, satisfy=repair.put_on_axes, violate=repair.repeat_an_input)
def orthogonal(data: Dataset) -> Margin:
    """p = 0 and no input is zero"""
    return all_of(less(0, squared_radii(data.inputs)[0], "R_min^2"), at_most(largest_overlap(data.inputs), 0, "p"))


@assumption("descent.small_step", base=LEAKY, satisfy=repair.shorten_step, violate=repair.lengthen_step)
def small_step(data: Dataset, net: TwoLayer, rate: Number, C: int) -> Margin:
    """eta <= nm/(C R_max^2)"""
    nm = len(data.labels) * (net.width // 2)
    return all_of(less(0, rate, "eta"), at_most(rate * C * squared_radii(data.inputs)[1], nm, "eta C R_max^2"))


def _small(data: Dataset, net: TwoLayer, scale: Number, delta: Number, C: int, share: Number) -> Margin:
    """sigma_0 C R_max sqrt(log(mn/delta)) <= share, squared."""
    mn = len(data.labels) * (net.width // 2)
    left = scale * scale * C * C * squared_radii(data.inputs)[1] * log(mn / delta)
    return all_of(less(0, scale, "sigma_0"), at_most(left, share * share, "(sigma_0 C R_max)^2 log(mn/delta)"))


@assumption("initialisation.small", base=LEAKY, satisfy=repair.shrink_start, violate=repair.swell_start)
def small_start(data: Dataset, net: TwoLayer, scale: Number, delta: Number, C: int) -> Margin:
    """sigma_0 <= (C R_max sqrt(log(mn/delta)))^-1"""
    return _small(data, net, scale, delta, C, net.slope * 0 + 1)


@assumption(
    "initialisation.small_for_leak", base=LEAKY, satisfy=repair.shrink_start_for_leak, violate=repair.swell_start
)
def small_start_leaky(data: Dataset, net: TwoLayer, scale: Number, delta: Number, C: int) -> Margin:
    """sigma_0 <= gamma (C R_max sqrt(log(mn/delta)))^-1"""
    return _small(data, net, scale, delta, C, net.slope)


def start_signals(data: Dataset, net: TwoLayer) -> Array:
    """<w_{j,r}(0), x_i>: one row per neuron."""
    signals: Array = net.inner @ data.inputs.T
    return signals


@assumption("initialisation.bounded_signals", base=LEAKY, satisfy=repair.tame_signals, violate=repair.stretch_a_neuron)
def tame_start(data: Dataset, net: TwoLayer, scale: Number, delta: Number) -> Margin:
    """|<w(0), x_i>| <= sqrt(2 log(8mn/delta)) sigma_0 R_max for all neurons and samples"""
    signals, mn = start_signals(data, net), len(data.labels) * (net.width // 2)
    bound = 2 * log(8 * mn / delta) * scale * scale * squared_radii(data.inputs)[1]
    return at_most(signals * signals, bound, "<w(0), x_i>^2 against 2 log(8mn/delta) sigma_0^2 R_max^2")


@assumption("initialisation.fair_norms", base=LEAKY, satisfy=repair.normalise_rows, violate=repair.stretch_rows)
def fair_norms(net: TwoLayer, scale: Number) -> Margin:
    """sigma_0^2 d/2 <= |w(0)|^2 <= 3 sigma_0^2 d/2 for all neurons"""
    squares, unit = squared_norms(net.inner), scale * scale * net.inner.shape[1]
    return all_of(at_least(2 * squares, unit, "2|w(0)|^2"), at_most(2 * squares, 3 * unit, "2|w(0)|^2"))


def own_active(data: Dataset, net: TwoLayer) -> Array:
    """|S_i^(0)| for every sample."""
    m, signals = check_halves(net), start_signals(data, net)
    return np.array(
        [int((sign(signals[:m, i] if y > 0 else signals[m:, i]) > 0).sum()) for i, y in enumerate(data.labels)],
        dtype=object,
    )


@assumption(
    "initialisation.half_active",
    base=near_orthogonal.satisfied_by(),
    satisfy=repair.activate_half,
    violate=repair.activate_none_or_all,
)
def half_active(data: Dataset, net: TwoLayer) -> Margin:
    """0.4m <= |S_i^(0)| <= 0.6m for every sample"""
    active, m = own_active(data, net), net.width // 2
    return all_of(at_least(10 * active, 4 * m, "10 |S_i|"), at_most(10 * active, 6 * m, "10 |S_i|"))


@assumption(
    "initialisation.off_boundaries", base=LEAKY, satisfy=repair.leave_boundaries, violate=repair.meet_a_boundary
)
def off_boundaries(data: Dataset, net: TwoLayer) -> Margin:
    """no <w(0), x_i> is zero"""
    return less(0, smallest(absolute(start_signals(data, net))), "smallest |<w(0), x_i>|")


@assumption(
    "network.wider_than_log",
    base=relu_training(constants=(3, 10)),
    satisfy=repair.widen_beyond_log,
    violate=repair.narrow_to_one,
)
def wide_network(data: Dataset, net: TwoLayer, delta: Number, C: int) -> Margin:
    """m >= C log(n/delta)"""
    return at_least(net.width // 2, C * log(len(data.labels) / delta), "m against C log(n/delta)")


# Theorem 4.1 and appendices B to D; Theorem 4.3 and appendices E to G. The bundles of the main text differ from those
# of the appendix in the scale of the initial weights (leaky), and the conditional ones trade the width for the event of
# Lemma A.2 (ReLU). The last two of each leaky bundle are the event of Lemma A.1.
LEAKY_CONDITIONS = [signed_halves, near_orthogonal_leaky, small_step, small_start]
LEAKY_MAIN = [*LEAKY_CONDITIONS, tame_start, fair_norms]
LEAKY_APPENDIX = [signed_halves, near_orthogonal_leaky, small_step, small_start_leaky, tame_start, fair_norms]
RELU_APPENDIX = [signed_halves, near_orthogonal, small_step, small_start, half_active, tame_start]
RELU_MAIN = [signed_halves, near_orthogonal, wide_network, small_step, small_start]


def orthogonally(bundle: list[Assumption]) -> list[Assumption]:
    """The bundle with orthogonal inputs, which are nearly orthogonal for every C."""
    return [orthogonal if one in (near_orthogonal, near_orthogonal_leaky) else one for one in bundle]


def with_comparable_norms(bundle: list[Assumption]) -> list[Assumption]:
    """The bundle with R_max <= 3 R_min after near-orthogonality."""
    return [*bundle[:2], comparable_norms, *bundle[2:]]


# Orthogonal inputs are nearly orthogonal for every C, so that condition is left out.
RELU_ORTHOGONAL = [orthogonal if assumption is near_orthogonal else assumption for assumption in RELU_APPENDIX]


def with_no_signal_at_zero(bundle: list[Assumption]) -> list[Assumption]:
    """The bundle with no start on an activation boundary, before the event of Lemma A.2."""
    return [*bundle[:-2], off_boundaries, *bundle[-2:]]
