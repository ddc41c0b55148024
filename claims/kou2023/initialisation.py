r"""Appendix A, Lemma A.2: at a Gaussian initialisation about half of the neurons are active on every sample."""

from fractions import Fraction
from math import comb

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from refute import Assumption, Kind, Margin, at_least, at_most, claim, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.decide.probability import with_probability
from refute.functions import log, sign, smallest
from refute.models import Dataset
from refute.strategies import choice, count, dataset, sized
from refute.strategies.kou2023 import widths as repair

LAYER = sized(data=dataset, m=count(1, 60), delta=choice("1/10", "1/2", "1/100", "9/10"))


def _nonzero(data: Dataset) -> Margin:
    return less(0, smallest((data.inputs * data.inputs).sum(axis=1)), "0 against the smallest |x_i|^2")


def _wide(data: Dataset, m: int, delta: Number) -> Margin:
    return at_least(m, 50 * log(2 * len(data.labels) / delta), "m against 50 log(2n/delta)")


nonzero_inputs = Assumption(
    "data.nonzero_inputs",
    "no input is zero",
    _nonzero,
    base=LAYER,
    satisfy=repair.replace_zero_inputs,
    violate=repair.blank_an_input,
)

wide = Assumption(
    "network.wide_enough", "m >= 50 log(2n/delta)", _wide, base=LAYER, satisfy=repair.widen, violate=repair.narrow
)


def _active(data: Dataset, m: int, rng: np.random.Generator, count: int) -> Array:
    """How many of the m neurons of its own class are active on each sample, in `count` Gaussian initialisations."""
    active = np.empty((count, len(data.labels)), dtype=int)
    for own in (data.labels > 0, data.labels <= 0):
        if own.any():
            weights = rng.standard_normal((count, m, data.inputs.shape[1]))
            active[:, own] = (weights @ data.inputs[own].T > 0).sum(axis=1)
    return active


@claim(
    "kou2023.lemma_a2.active_fraction",
    "Lemma A.2",
    kind=Kind.PROBABILISTIC,
    given=LAYER,
    assumes=[nonzero_inputs, wide],
    recorded="supported",
    mutants=[
        moved("between 45% and 55%", low=45, high=55),
        moved("between 50% and 60%", low=50),
        moved("with probability 1 - delta/100", share=Fraction(1, 100)),
        without(nonzero_inputs),
        without(wide),
    ],
    convention="0 < delta < 1; weights have variance 1, since no sign depends on it; the sign of a label picks the "
    "class of neurons",
)
def about_half_of_the_neurons_are_active(
    data: Dataset,
    m: int,
    delta: Number,
    *,
    rng: np.random.Generator,
    trials: int,
    low: int = 40,
    high: int = 60,
    share: Number = Fraction(1),
) -> Margin:
    r"""If $m\ge50\log(2n/\delta)$, then with probability at least $1-\delta$: $0.4m\le|S_i^{(0)}|\le0.6m$ for every
    sample $i$.

    $S_i^{(0)}$ are the neurons $r\in[m]$ of the class $y_i$ with $\langle w_{y_i,r}^{(0)},x_i\rangle>0$.
    """

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        percent = 100 * _active(data, m, rng, count)
        return np.asarray(((percent >= low * m) & (percent <= high * m)).all(axis=1))

    return with_probability(1 - share * delta, trial, rng, trials, "every sample has 40% to 60% of its neurons active")


@claim(
    "kou2023.lemma_a2.proof_hoeffding",
    "proof of Lemma A.2",
    given=sized(n=choice(1, 1, 2, 5), m=count(1, 60, 3), delta=choice("1/10", "1/2", "1/100", "9/10", "3/4")),
    recorded="supported",
    mutants=[
        moved("log(n/delta)", tails=1),
        moved("sqrt(log(2n/delta)/(4m))", width=Fraction(1, 4)),
        moved("with probability 1 - delta/(4n)", share=Fraction(1, 4)),
    ],
    convention="0 < delta < 1; |S_i| is binomial with m trials of chance 1/2, because x_i is not zero; its tail is "
    "summed exactly",
)
def active_count_concentrates(
    n: int, m: int, delta: Number, *, tails: int = 2, width: Number = Fraction(1, 2), share: Number = Fraction(1)
) -> Margin:
    r"""With probability at least $1-\delta/n$: $\big||S_i^{(0)}|/m-\tfrac12\big|\le\sqrt{\log(2n/\delta)/(2m)}$, for
    one sample $i$.
    """
    square = width * log(tails * n / delta) / m
    outside = sum(comb(m, k) for k in range(m + 1) if sign(fmpq(2 * k - m, 2 * m) ** 2 - square) > 0)
    return at_most(fmpq(outside, 2**m), share * delta / n, "chance of a larger deviation against delta/n")
