r"""Figure 1: the stable rank on a Gaussian mixture, for several slopes, with the printed hyper-parameters.

Printed: $x=y\mu+\xi$ with $\mu\sim N(0,10^{-4}I)$, $\xi\sim N(0,I)$, n = 10, d = 784, m = 100, batches of 64 (so all
samples), rate 0.1, 50 epochs, 5 runs. Not printed: the scale of the start ($10^{-5}$ is taken, the smallest of Figure
2; the order of the slopes depends on it), the slopes (0, 0.1, 0.5, 1) and which matrix is meant (the first layer of
both signs is drawn, stacked; claims look at $W_{+1}$ and $W_{-1}$ as well). Orders are compared, no size is.
"""

from typing import Any

import numpy as np

from refute import Kind, Margin, at_least, at_most, derived, figure, flipped, mutants, scaled, section
from refute.arithmetic.numbers import Array
from refute.functions import mean
from refute.models.kou2023.mixture_panels import draw_slopes
from refute.models.kou2023.mixture_runs import (
    EPOCHS,
    MATRICES,
    SEEDS,
    SHOWN,
    START,
    Floats,
    losses,
    mixture,
    stable_ranks,
)
from refute.models.kou2023.orthogonality import largest_overlap, squared_radii

EACH_MATRIX = [{"matrix": name} for name in MATRICES]


@derived
def inputs(epochs: int) -> list[Floats]:
    """The inputs of the five runs."""
    return [mixture(np.random.default_rng(seed)).inputs for seed in range(SEEDS)]


@derived
def course(epochs: int) -> Floats:
    """The training loss at every epoch: (seed, slope, epoch)."""
    return losses(START, epochs)


main = section("kou2023", "fig1", "Figure 1, Section 6", kind=Kind.EXPERIMENT, recorded="supported")
setup = main.but(instances=[{"epochs": EPOCHS}], derived=[inputs, course])


@setup.claim("setup.r1")
@mutants(scaled("1/2"), flipped())
def the_synthetic_data_satisfy_the_condition_for_small_constants_only(inputs: list[Floats]) -> Margin:
    r"""The data of Figure 1 satisfy $R_{\min}^2\ge CR^2np$ with a C near 1, which is not large.

    $\|x_i\|^2\approx d=784$, while the largest of 45 inner products of standard deviation 28 is about 70, so that
    $np\approx700$. The paper says that these data back up the theorems, not that they meet their condition.

    Convention: the largest C of each run is at most 3/2; it lies between 0.77 and 1.11.
    """
    radii = [squared_radii(x) for x in inputs]
    ratios = [low * low / (high * len(x) * largest_overlap(x)) for (low, high), x in zip(radii, inputs, strict=True)]
    return at_most(np.array(ratios), 1.5, "R_min^4/(R_max^2 n p)")


@setup.claim("setup.r2")
@mutants(scaled("1/4"), flipped())
def the_synthetic_data_have_small_cosines(inputs: list[Floats]) -> Margin:
    r"""The data of Figure 1 are nearly orthogonal in the sense that all $|\cos\angle(x_i,x_k)|$ are small.

    Convention: cosines of at most 1/5 in size, a band of ours; no constant of the theorems is involved.
    """
    units = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in inputs]
    largest = [np.abs(unit @ unit.T - np.eye(len(unit))).max() for unit in units]
    return at_most(np.array(largest), 0.2, "largest cosine")


def falls(every: Array) -> Margin:
    """From each slope to the next the mean over the seeds of the stable rank, (seed, slope, epoch), does not grow."""
    ranks = mean(every)
    return at_least(ranks[:-1] / ranks[1:], 1, "stable rank over that of the next slope")


ORDER = [flipped(), scaled("11/10")]


@main.claim("faster_for_larger_slope.r1", instances=EACH_MATRIX)
@mutants(*ORDER)
def the_stable_rank_falls_faster_for_larger_slopes(matrix: str) -> Margin:
    r"""The stable rank decreases faster for larger slopes of the leaky ReLU.

    Convention: from scale $10^{-5}$: the mean over five runs of the stable rank after 1, 5, 20 and 50 epochs does not
    increase from slope to slope, for each of the three matrices.
    """
    return falls(stable_ranks(START, SHOWN, matrix)[..., 1:])


@main.claim("faster_for_larger_slope.r2", "from a larger start", instances=[{"scale": 784**-0.5}])
@mutants(flipped(), scaled("99/100"))
def the_order_is_the_other_one_early_from_a_larger_start(scale: float) -> Margin:
    r"""From $\sigma_0=d^{-1/2}$, where the start still hides what is learned, the stable rank after one epoch grows
    with the slope, by less than a thousandth.

    Not printed: an observation of ours, which says that the order of the figure depends on the scale of the start.
    After 50 epochs it is that of the paper.
    """
    ranks = mean(stable_ranks(scale, (1,), "stacked"))
    return at_most(ranks[:-1] / ranks[1:], 1, "stable rank over that of the next slope")


@main.claim("smaller_final_for_larger_slope.r1", instances=EACH_MATRIX)
@mutants(*ORDER)
def the_final_stable_rank_is_smaller_for_larger_slopes(matrix: str) -> Margin:
    r"""The stable rank is smaller for larger slopes at the end.

    Convention: from scale $10^{-5}$; read at 50 and at 200 epochs, the mean over five runs, for each of the three
    matrices. For every positive slope the stable rank of one sign tends to 1, so that slopes differ in how fast the
    start is forgotten; from $10^{-2}$ slope 1 is still above slope 1/2 for one sign after 100 epochs.
    """
    return falls(stable_ranks(START, (50, 200), matrix))


@setup.claim("loss_decreases", "right")
@mutants(flipped(), scaled("9/10"))
def the_training_loss_falls(course: Floats) -> Margin:
    """The training loss decreases along training for every slope.

    Convention: the figure is shown without words: every run's loss falls in every epoch.
    """
    return at_most(course[..., 1:] / course[..., :-1], 1, "loss over that of the epoch before")


@figure("kou2023", 1)
def draw_figure_1(*, quick: bool = False) -> Any:
    """Stable rank and training loss against epochs for each slope, mean and three standard deviations of five runs.

    From a start as small as this one the stable rank falls within the first epoch, for every slope; the slopes differ
    in where it stays. `quick` changes nothing: a second is enough.
    """
    return draw_slopes()
