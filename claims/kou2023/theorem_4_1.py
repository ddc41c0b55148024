r"""Theorem 4.1: leaky ReLU networks in the limit of long training.

"With probability at least $1-\delta$" is read on the event of Lemma A.1, see `assumptions`. Cases: up to 40 samples in
as many dimensions or a few more, up to 50 neurons of each sign, $\gamma$ from 1/64 to 7/8, C = 100 and 1000 (for the
loss also 3 and 10), overlaps of every sign, t to $10^{160}$; four of five cases have at most three samples and neurons.
"""

from fractions import Fraction

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_least_like,
    at_most,
    bent,
    bounded_by,
    changed,
    derived,
    eventually,
    exponent,
    grows_like,
    mutants,
    power,
    scaled,
    section,
    shifted,
    suppose,
    tends_to,
)
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_MAIN, with_comparable_norms
from refute.claims.kou2023.leaky_courses import course, gamma
from refute.functions import log, smallest, sqrt
from refute.models import Dataset, TwoLayer
from refute.models.geometry.stable_rank import stable_rank_excess
from refute.models.kou2023.decomposition import Decomposition, unroll_long
from refute.models.kou2023.orthogonality import relative_overlap
from refute.models.network import signed_halves
from refute.strategies.kou2023.nearly_orthogonal import training
from refute.strategies.kou2023.wide_training import with_large_ones

GIVEN = training(widths=(1, 2, 3))
SEVERAL = training(widths=(2, 3))
SIZES = training(widths=(1, 2, 3), constants=(3, 10, 100, 1000))

SINGULAR = 1e-14  # the relative error of singular values in float64


def tightness(data: Dataset, net: TwoLayer) -> float:
    """(1 - e)/(1 + e) with e = c gamma^-2 R_min^-2 p n and c = 1: the exponent of the loss."""
    spread = float(relative_overlap(data.inputs) / net.slope**2)
    return (1 - spread) / (1 + spread)


@derived
def excess(course: Decomposition) -> Enclosed:
    """Stable rank minus one of W_{+1} and W_{-1} at every time; sigma_2/sigma_1 is known to within the error of W."""
    found = np.array([[stable_rank_excess(w) for w in now] for now in course.weights])
    doubt = course.error + SINGULAR
    return Enclosed(found, doubt * (2 * np.sqrt(found) + doubt))


main = section(
    "kou2023",
    "thm_4_1",
    "Theorem 4.1",
    kind=Kind.ASYMPTOTIC,
    given=with_large_ones(GIVEN, (100, 1000)),
    assumes=with_comparable_norms(LEAKY_MAIN),
    derived=[course, excess, gamma],
    recorded="supported",
    cost=0.1,
)


@main.claim("norm_theta_log", "first item")
@mutants(exponent("3/2"), exponent("1/2"))
def neurons_grow_logarithmically(course: Decomposition) -> Margin:
    r"""$\|w^{(t)}_{j,r}\|_2=\Theta(\log t)$ for all $j\in\{\pm1\}$ and $r\in[m]$."""
    return grows_like(course.norms, log, "|w|", at=course.steps, clock=course.loss)


def _one_sample(norm: Fraction, slope: Fraction) -> tuple[Dataset, TwoLayer]:
    """One input of the given norm with label 1, and a neuron of each sign; sigma_0 is as small as one likes."""
    weight = Fraction(1, 2**40) / norm
    net = signed_halves(np.array([[weight]]), np.array([[-weight]]), slope)
    return Dataset(np.array([[norm]]), np.array([Fraction(1)])), net


absolute = main.but(
    given=None,
    assumes=(),
    instances=[{"vary": "slope"}, {"vary": "norm"}],
    recorded="against",
    fault=Fault.CONVENTION,
    printed=False,
)


@absolute.claim("norm_theta_log.absolute", "first item, with absolute constants")
@mutants(bent("c falls like the root", right=lambda _: power(0.5)))
def neurons_grow_logarithmically_with_absolute_constants(vary: str, *, C: Number = Fraction(100)) -> Margin:
    r"""There are absolute constants $0<c\le c'$ with $c\log t\le\|w^{(t)}_{j,r}\|_2\le c'\log t$ for all large t, all j
    and r.

    Fails twice, whatever C. Multiply all inputs by u, $\sigma_0$ by $1/u$ and $\eta$ by $1/u^2$: the conditions stay,
    and every neuron is divided by u. And with one sample of label 1 the neurons with $j=-1$ move with slope $\gamma$
    only, so that $\|w_{-1,r}\|\approx\frac{\gamma}{1+\gamma^2}\log t/\|x_1\|$.

    Convention: with C = 100; $t=10^{40}$, and $\gamma$ or $1/\|x_1\|$ is $2^{-1},2^{-2},2^{-4},2^{-8},2^{-16}$.
    """
    values = [Fraction(1, 2**k) for k in (1, 2, 4, 8, 16)]
    sizes = [(1 / v, Fraction(1, 2)) if vary == "norm" else (Fraction(1), v) for v in values]
    runs = [(*_one_sample(norm, slope), 1 / (float(C) * int(norm) ** 2)) for norm, slope in sizes]
    norms = [smallest(unroll_long(net, data, rate=rate, times=[1e40]).norms).value for data, net, rate in runs]
    return at_least_like(norms, power(0), "smallest |w|", at=[float(v) for v in values])


@main.claim("norm_theta_log.absolute.amended", "first item, with explicit constants")
@mutants(scaled(5, "R_max |w|"), scaled("3/5", "R_min |w|"), changed("with the root of gamma", gamma=sqrt))
def neurons_grow_logarithmically_with_explicit_constants(data: Dataset, course: Decomposition, gamma: Number) -> Margin:
    r"""Amended: $\frac14\gamma\sqrt n\log t/R_{\max}\le\|w^{(t)}_{j,r}\|_2\le\sqrt n\log t/R_{\min}$ for large t.

    Convention: the constants 1/4 and 1 are ours.
    """
    n, lengths = len(data.labels), np.sqrt(course.squares)

    def holds(t: float) -> Margin:
        norms, law = course.norms[course.steps == t], np.sqrt(n) * np.log(t)
        return all_of(
            at_least(norms * lengths.max(), gamma * law / 4, "R_max |w|"),
            at_most(norms * lengths.min(), law, "R_min |w|"),
        )

    return eventually(holds, "|w|", at=course.steps)


@main.claim("stable_rank_limit", "second item")
@mutants(shifted("1/100"))
def stable_ranks_tend_to_one(course: Decomposition, excess: Enclosed) -> Margin:
    r"""$\lim_{t\to\infty}\|W_j^{(t)}\|_F^2/\|W_j^{(t)}\|_2^2=1$ for $j=\pm1$."""
    return tends_to(excess, 0, "stable rank - 1", at=course.steps, clock=course.loss)


@main.claim("stable_rank_rate", "second item", given=with_large_ones(SEVERAL, (100, 1000)))
@mutants(exponent(3))
def stable_ranks_converge_at_least_like_one_over_log(course: Decomposition, excess: Enclosed) -> Margin:
    r"""The stable rank of $W_j^{(t)}$ reaches 1 at the rate $O(1/\log t)$."""
    suppose(bool((excess.low > 0).all()), "the rows of a sign are not all parallel, as far as can be told")
    return bounded_by(excess, power(0, -1), "stable rank - 1", at=course.steps, clock=course.loss)


@main.claim("loss_rate", "third item", given=with_large_ones(SIZES, (3, 10, 100, 1000)))
@mutants(exponent("1.1"), exponent("1.02"))
def the_loss_falls_like_a_power(course: Decomposition, data: Dataset, net: TwoLayer) -> Margin:
    r"""$L_S(W^{(t)})=O(t^{-a})$ with $a=\frac{1-c\gamma^{-2}R_{\min}^{-2}pn}{1+c\gamma^{-2}R_{\min}^{-2}pn}$, c a
    constant.

    Convention: with c = 1, for C = 3 and more; a larger c says less.
    """
    return bounded_by(course.loss, power(-tightness(data, net)), "loss", at=course.steps, clock=course.loss)
