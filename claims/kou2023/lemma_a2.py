r"""Lemma A.2: at a Gaussian start about half of the neurons are active on every sample.

$S_i^{(0)}$ are the neurons $r\in[m]$ of the class $y_i$ with $\langle w_{y_i,r}^{(0)},x_i\rangle>0$.
"""

from math import comb

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from refute import Kind, Margin, assumption, at_least, at_most, changed, derived, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import nonzero_inputs
from refute.decide.probability import with_probability
from refute.functions import log, sign
from refute.models import Dataset
from refute.strategies import choice, count, dataset, sized
from refute.strategies.kou2023 import widths as repair

LAYER = sized(data=dataset, m=count(1, 60), delta=choice("1/10", "1/2", "1/100", "9/10"))


@assumption("network.wide_enough", base=LAYER, satisfy=repair.widen, violate=repair.narrow)
def wide(data: Dataset, m: int, delta: Number) -> Margin:
    """m >= 50 log(2n/delta)"""
    return at_least(m, 50 * log(2 * len(data.labels) / delta), "m against 50 log(2n/delta)")


@derived
def percents() -> tuple[int, int]:
    """Between which shares of the neurons are active."""
    return 40, 60


@derived
def chance(delta: Number) -> Number:
    """The probability that is promised."""
    return 1 - delta


def own_active(data: Dataset, m: int, rng: np.random.Generator, count: int) -> Array:
    """How many of the m neurons of its own class are active on each sample, in `count` Gaussian starts."""
    active = np.empty((count, len(data.labels)), dtype=int)
    for own in (data.labels > 0, data.labels <= 0):
        if own.any():
            weights = rng.standard_normal((count, m, data.inputs.shape[1]))
            active[:, own] = (weights @ data.inputs[own].T > 0).sum(axis=1)
    return active


main = section(
    "kou2023",
    "lemma_a2",
    "Lemma A.2",
    kind=Kind.PROBABILISTIC,
    given=LAYER,
    assumes=[nonzero_inputs, wide],
    derived=[percents, chance],
)


@main.claim("active_fraction", recorded="supported")
@mutants(
    changed("between 45% and 55%", percents=lambda _: (45, 55)),
    changed("between 50% and 60%", percents=lambda _: (50, 60)),
    changed("with probability 1 - delta/100", chance=lambda chance: 1 - (1 - chance) / 100),
    without(nonzero_inputs),
    without(wide),
)
def about_half_of_the_neurons_are_active(
    data: Dataset, m: int, percents: tuple[int, int], chance: Number, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""If $m\ge50\log(2n/\delta)$, then with probability at least $1-\delta$: $0.4m\le|S_i^{(0)}|\le0.6m$ for every
    sample $i$.

    Convention: $0<\delta<1$; weights have variance 1, since no sign depends on it; the sign of a label picks the class
    of neurons.
    """
    low, high = percents

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        percent = 100 * own_active(data, m, rng, count)
        return np.asarray(((percent >= low * m) & (percent <= high * m)).all(axis=1))

    return with_probability(chance, trial, rng, trials, "every sample has 40% to 60% of its neurons active")


@derived
def width(n: int, m: int, delta: Number) -> Number:
    """log(2n/delta)/(2m), the square of the bound."""
    return log(2 * n / delta) / (2 * m)


proof = section(
    "kou2023",
    "lemma_a2",
    "proof of Lemma A.2",
    given=sized(n=choice(1, 1, 2, 5), m=count(1, 60, 3), delta=choice("1/10", "1/2", "1/100", "9/10", "3/4")),
    derived=[width],
)


@proof.claim("proof_hoeffding", recorded="supported")
@mutants(changed("sqrt(log(2n/delta)/(4m))", width=lambda width: width / 2), scaled("1/4"))
def active_count_concentrates(n: int, m: int, delta: Number, width: Number) -> Margin:
    r"""With probability at least $1-\delta/n$: $\big||S_i^{(0)}|/m-\tfrac12\big|\le\sqrt{\log(2n/\delta)/(2m)}$, for
    one sample $i$.

    Convention: $0<\delta<1$; $|S_i|$ is binomial with m trials of chance 1/2, because $x_i$ is not zero; its tail is
    summed exactly.
    """
    outside = sum(comb(m, k) for k in range(m + 1) if sign(fmpq(2 * k - m, 2 * m) ** 2 - width) > 0)
    return at_most(fmpq(outside, 2**m), delta / n, "chance of a larger deviation")
