r"""The text before Assumption 4: why it is plausible after the early phase.

It names two limits, initialisation to zero and width to infinity. Each alone removes one part, and each has a reading.
"""

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, exponent, moved, mutants, power, section, without
from refute.claims.zhang2024.assumptions import CONDITION_3, correlated_target, even_inputs
from refute.claims.zhang2024.theorem_13 import vanishes_like
from refute.decide.probability import with_probability
from refute.models import Dataset, TwoLayer
from refute.models.initialisation import small_gaussian
from refute.models.zhang2024.early import growth_share, norms, unit_layers, whole_phase
from refute.strategies import choice, drawn, sized, slopes
from refute.strategies.datasets import unscaled_dataset

text = section(
    "zhang2024",
    "assumption_4.justification",
    "text before Assumption 4",
    kind=Kind.ASYMPTOTIC,
    assumes=[*CONDITION_3, correlated_target],
    recorded="supported",
)


@text.claim("r1", given=sized(data=unscaled_dataset, slope=slopes(), samples=drawn(1, 3), dimension=(2, 3)))
@mutants(exponent("11/10"), without(even_inputs))
def weights_become_rank_one_as_the_initialisation_vanishes(
    data: Dataset, slope: float, rng: np.random.Generator
) -> Margin:
    r"""At the end of the early phase $\|W_1-W_2^\top\bar\beta^\top\|/\|W_1\|\to0$ as $\gamma\to0$.

    In the linearised flow the part along $\bar\beta$ grows like $e^{(\alpha+1)st/2}$ and the rest stands still, so the
    ratio falls like $\gamma^p$ with $p=\tfrac{\alpha+1}{2}\,s/(s+\operatorname{Tr}\Sigma)$, or like the cubic terms,
    $\gamma^{2-2p}$. That $s>0$ is part of the limit: without it nothing grows. That the target is odd is not shown
    necessary.

    Convention: limit gamma -> 0 at width 6; the early phase ends at tau/(s + Tr Sigma) ln(1/gamma); error relative
    to |W1|.
    """
    net = unit_layers(TwoLayer(*small_gaussian(rng, 6, data.inputs.shape[1], 1.0), slope))
    early, p = whole_phase(net, data), growth_share(data, slope)
    b = data.correlation / np.linalg.norm(data.correlation)
    off = early.error[-1:, ..., :-1] - early.error[-1:, ..., -1:] * b  # the growing term is of rank one itself
    residual = early.largest(off, norms(early.weights[-1:, ..., :-1]))
    return vanishes_like(residual, power(min(p, 2 - 2 * p)), "rank-one residual")


@text.claim("r2", kind=Kind.PROBABILISTIC, given=sized(neurons=choice(16, 65_536, 2**32)), assumes=[])
@mutants(moved("like H^(-11/20)", rate=0.55), moved("like H^(-3/4)", rate=0.75))
def signs_balance_as_the_width_grows(
    neurons: int, rng: np.random.Generator, trials: int, *, rate: float = 0.5
) -> Margin:
    r"""$\big|\|W_2^+\|^2-\|W_2^-\|^2\big|/\|W_2\|^2\to0$ as the width H grows: with probability 9/10 it is at most
    $2\sqrt3H^{-1/2}$.

    The entries of $r_1$ are independent Gaussians of one variance, on whatever data. So half of them are positive, by
    a binomial law, and the squares of these sum to a multiple of a $\chi^2$ variable. The mean square of the imbalance
    is 3/(H + 2).

    Convention: limit width -> infinity in the limit gamma -> 0, where W2 is proportional to r1 = (W1(0) beta/s +
    W2(0)^T)/2.
    """

    def balanced(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        positive = rng.binomial(neurons, 0.5, count)
        plus, minus = rng.gamma(positive / 2), rng.gamma((neurons - positive) / 2)
        found: NDArray[np.bool_] = np.abs(plus - minus) <= 2 * np.sqrt(3) * neurons**-rate * (plus + minus)
        return found

    return with_probability(0.9, balanced, rng, trials, "imbalance")
