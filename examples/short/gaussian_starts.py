r"""A union bound for Gaussian starts, as half of all proofs about wide networks begin: with probability $1-\delta$ all
$m$ inner weights satisfy $|w_r|\le\sqrt{2\log(2m/\delta)}$.
"""

from math import log, sqrt

import numpy as np

from refute import Kind, Margin, moved, mutants, section
from refute.decide.probability import with_probability
from refute.strategies import choice, sized

starts = section(
    "gaussian_starts", kind=Kind.PROBABILISTIC, given=sized(neurons=choice(8, 32), delta=choice("1/4", "1/10"))
)


@starts.claim("all_are_bounded", recorded="supported")
@mutants(moved("half the logarithm", inside=1))
def all_weights_are_bounded(neurons, delta, *, rng, trials, inside=2, union=1) -> Margin:
    r"""$P[\max_r|w_r|\le\sqrt{2\log(2m/\delta)}]\ge1-\delta$ for independent standard Gaussians."""
    bound = sqrt(inside * log(2 * (neurons if union else 1) / delta))

    def bounded(rng: np.random.Generator, count: int):
        return abs(rng.standard_normal((count, neurons))).max(axis=1) <= bound

    return with_probability(1 - delta, bounded, rng, trials, "all weights are bounded")


all_weights_are_bounded.reading(
    "no_union", "Without the factor m: as if one weight spoke for all.", union=0, mutants=(), recorded="refuted"
)
