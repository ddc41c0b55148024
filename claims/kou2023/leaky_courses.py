r"""Trainings of leaky ReLU networks that several statements look at, and what their proofs read off them.

$C'=2$ in $T_1=C'\eta^{-1}nmR_{\max}^{-2}$. The constant $c_1$ of (B.8) is measured: $c_1\gamma^2$ is the least ratio of
two sums $\sum_r|\rho_{j,r,i}|$ over the listed times from 1 to $10^{12}$, so that (B.8) holds with it.
"""

from fractions import Fraction

import numpy as np

from refute import Margin, all_of, at_most, changed, derived, less
from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, largest, smallest
from refute.language.limits import HORIZONS
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import (
    Decomposition,
    first_step_after,
    last_step_before,
    stage_length,
    unroll,
    unroll_long,
)
from refute.models.kou2023.orthogonality import relative_overlap, squared_radii
from refute.strategies.kou2023.nearly_orthogonal import training

STAGE = 2  # C'
SOON, FURTHER = 50, 50  # steps that are looked at from the start on, and after the first stage
TIMES = np.geomspace(1, 1e12, 49)

# Slopes up to 63/64, near which the bounds with a factor 2 are sharp.
SLOPES = tuple(Fraction(slope) for slope in ("7/8", "1/2", "63/64", "1/64", "1/8"))
GIVEN = training(samples=(1, 4), widths=(1, 2, 4), leaks=SLOPES, constants=(100,))
PAIRS = training(samples=(1, 4), widths=(2, 3, 6), leaks=SLOPES, constants=(100,))
OVERLAPPING = ("class", "anti", "positive", "negative")
CROWDED = training(samples=(2, 4), widths=(1, 2, 4), leaks=SLOPES, constants=(100,), families=OVERLAPPING)


@derived
def gamma(net: TwoLayer) -> Number:
    """The slope of sigma on the left."""
    return net.slope


@derived
def beta(data: Dataset, net: TwoLayer) -> Number:
    """The largest |<w_{j,r}(0), x_i>|."""
    return largest(absolute(net.inner @ data.inputs.T))


@derived
def end(data: Dataset, net: TwoLayer, rate: Number) -> int:
    """The first step after T_1."""
    return first_step_after(stage_length(net, data, rate, STAGE))


@derived
def run(data: Dataset, net: TwoLayer, rate: Number, end: int) -> Decomposition:
    """Every step up to T_1, and some more."""
    return unroll(net, data, rate=rate, steps=end + FURTHER)


@derived
def stage(data: Dataset, net: TwoLayer, rate: Number, run: Decomposition) -> Decomposition:
    """The steps up to T_1."""
    return run.until(last_step_before(stage_length(net, data, rate, STAGE)))


@derived
def course(data: Dataset, net: TwoLayer, rate: Number) -> Decomposition:
    """The training at the horizons at which limits are judged."""
    return unroll_long(net, data, rate=rate, times=HORIZONS)


@derived
def whole(data: Dataset, net: TwoLayer, rate: Number, end: int) -> Decomposition:
    """The first steps, some from T_1 on, and times up to 10^20."""
    steps = np.concatenate([np.arange(1, SOON), end + np.arange(FURTHER), np.geomspace(2 * end, 1e20, 13)])
    return unroll_long(net, data, rate=rate, times=steps, freeze=end + FURTHER)


@derived
def throughout(data: Dataset, net: TwoLayer, rate: Number) -> Decomposition:
    """Some times from 1 to 10^12."""
    return unroll_long(net, data, rate=rate, times=TIMES)


@derived
def balance(throughout: Decomposition) -> Array:
    """The smallest of the sums of |rho_{j,r,i}| over r, over the largest, at every time."""
    sums: Array = throughout.known(throughout.sums.reshape(len(throughout.steps), -1), throughout.width)
    ratio: Array = smallest(sums, axis=1) / largest(sums, axis=1)
    return ratio


@derived
def kappa(data: Dataset, balance: Array) -> Number:
    """gamma^-2 c_1^-1 R_min^-2 pn."""
    return relative_overlap(data.inputs) / smallest(balance)


@derived
def own(throughout: Decomposition) -> Array:
    """The average of rho-bar_{y_i,r,i} over r: (time, i)."""
    averages: Array = throughout.known(throughout.own(throughout.sums / throughout.width))
    return averages


@derived
def opposite(throughout: Decomposition) -> Array:
    """The average of |rho-underbar_{-y_i,r,i}| over r: (time, i)."""
    averages: Array = throughout.known(throughout.opposite(throughout.sums / throughout.width))
    return averages


@derived
def early_share(data: Dataset, net: TwoLayer, stage: Decomposition) -> Number:
    """gamma c_2, with c_2 = R^-2 times the smallest |l'| of the first stage."""
    low, high = squared_radii(data.inputs)
    return net.slope * smallest(stage.known(stage.logits)) * low / high


# What holds from T_1 on need not hold from the fourth step on.
TOO_EARLY = changed("from the fourth step on", end=lambda _: 4)

EARLY = [end, run, stage, gamma, beta]
LATE = [*EARLY, throughout, balance, kappa, own, opposite, early_share]


def pattern(course: Decomposition) -> Margin:
    """sign <w_{j,r}, x_i> = j y_i, where the sign of 0 is -1."""
    return all_of(
        less(0, course.known(course.own(course.signals)), "own signals"),
        at_most(course.known(course.opposite(course.signals)), 0, "opposite signals"),
    )
