r"""Section 5.2, its text about ReLU, after Lemma 5.8: the norms of $W_j$ and the growth of the margins."""

import numpy as np

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    bounded_by,
    changed,
    derived,
    eventually,
    exponent,
    grows_like,
    less,
    mutants,
    power,
    scaled,
    section,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX
from refute.claims.kou2023.relu_runs import FREEZING, GENERIC, GIVEN, RUN, VARIED, early, late
from refute.claims.kou2023.theorem_4_3 import stable_ranks_are_bounded
from refute.functions import log, sqrt
from refute.language.limits import Logs
from refute.models import Dataset
from refute.models.kou2023.active import Active
from refute.models.kou2023.decomposition import Decomposition


@derived
def counts(data: Dataset) -> Array:
    """n_j, the number of samples of class j, for j = 1 and j = -1."""
    return np.array([(data.labels > 0).sum(), (data.labels < 0).sum()])


main = section(
    "kou2023",
    "sec5",
    "Section 5.2, after Lemma 5.8",
    kind=Kind.ASYMPTOTIC,
    given=FREEZING,
    assumes=RELU_APPENDIX,
    derived=[late, counts],
    recorded="supported",
    cost=0.5,
)


missing_label = main.but(
    given=GIVEN,
    assumes=GENERIC,
    derived=[early],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    root=stable_ranks_are_bounded.id,
    in_balls=True,
)


@missing_label.claim("relu_spectral_omega")
def spectral_norms_grow_logarithmically(early: Decomposition) -> Margin:
    r"""$\|W_j^{(t)}\|_2=\Omega(\sqrt{mn}\log t)$ for $j=\pm1$.

    Fails when label j does not occur, whatever the constant: once the neurons are inactive on every sample $W_j$ stands
    still for ever, and the right side grows.

    Convention: what grows has not come to rest, that is some neuron of either sign is active on some sample after a
    hundred steps; orthogonal data.
    """
    return less(0, early.liveliest[-1], "largest signal of either sign")


@main.claim("relu_spectral_omega.amended", "per class", given=VARIED, assumes=GENERIC, cost=0.1)
@mutants(scaled(8), changed("n in place of n_j", counts=lambda counts: 0 * counts + counts.sum()))
def spectral_norms_grow_like_the_root_of_the_class(late: Decomposition, counts: Array) -> Margin:
    r"""Amended: the number $n_j$ of samples of class j in place of n:
    $\|W_j^{(t)}\|_2\ge c\sqrt{mn_j}\log t/R_{\max}$ for large t.

    Convention: c = 1/4; orthogonal data, C = 10, 100 or 1000, up to five samples; norms are multiplied by $R_{\max}$.
    """
    norms = late.spectral_norms * np.sqrt(late.squares.max())

    def holds(t: float) -> Margin:
        return at_least(norms[late.steps == t], np.sqrt(late.width * counts) * np.log(t) / 4, "R_max |W_j|_2")

    return eventually(holds, "explicit", at=late.steps)


@main.claim("relu_frobenius_theta")
@mutants(exponent("1/2", "|W_j|_F"), scaled("1/6", "R_min |W_j|_F"))
def frobenius_norms_grow_at_most_logarithmically(late: Decomposition, data: Dataset) -> Margin:
    r"""$\|W_j^{(t)}\|_F=O(\sqrt{mn}\log t)$ for $j=\pm1$.

    Convention: read as the upper bound that the text calls trivial; with the constant 3 for $R_{\min}\|W_j\|_F$ at
    large t; inputs that are orthogonal or have $\langle x_i,x_k\rangle=py_iy_k$.
    """
    norms = sqrt((late.norms**2).sum(axis=2))
    radius, size = np.sqrt(late.squares.min()), late.width * len(data.labels)

    def holds(t: float) -> Margin:
        return at_most(norms[late.steps == t] * radius, 3 * np.sqrt(size) * np.log(t), "R_min |W_j|_F")

    grows = bounded_by(norms, log, "|W_j|_F", at=late.steps, clock=late.loss)
    return all_of(grows, eventually(holds, "explicit", at=late.steps))


@main.claim("relu_margin_omega_rho", kind=Kind.DYNAMICS, given=GIVEN, derived=RUN, cost=1.0)
@mutants(scaled(4), scaled(3))
def margins_are_of_the_order_of_the_coefficients(active: Active, beta: Number) -> Margin:
    r"""$y_if(W^{(t)},x_i)=\Omega(\bar\rho^{(t)}_{y_i,r,i})$ for $r\in S_i^{(0)}$.

    Convention: $y_if+2\beta\ge\frac14\bar\rho_{y_i,r,i}$ at all times.
    """
    return at_least(active.each(active.margins) + 2 * beta, active.rho / 4, "y f + 2 beta")


@main.claim("relu_margin_ratio_width_free", given=GIVEN, assumes=GENERIC)
@mutants(exponent("101/100"), exponent("99/100"))
def margins_over_log_t_do_not_know_the_width(late: Decomposition) -> Margin:
    r"""As $t\to\infty$ the ratio $y_if(W^{(t)},x_i)/\log t$ does not depend on m.

    Convention: $p=0$; $e^{y_if}=\Theta(t)$, so that the ratio tends to 1, for every width.
    """
    margins = late.known(late.margins, 2.0)
    return grows_like(Logs(margins.value, margins.error), power(1), "e^{y f}", at=late.steps, clock=late.loss)
