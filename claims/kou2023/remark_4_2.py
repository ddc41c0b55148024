"""Remark 4.2: what Theorem 4.1 says of orthogonal data, of more and of less orthogonal data, and of logarithms."""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    at_most,
    bounded_by,
    exponent,
    grows_like,
    less,
    mutants,
    power,
    scaled,
    section,
    suppose,
)
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_MAIN, off_boundaries, orthogonally, with_comparable_norms
from refute.claims.kou2023.leaky_courses import course
from refute.claims.kou2023.theorem_4_1 import SEVERAL, SIZES, excess
from refute.decide.proof import by_smt
from refute.functions import log
from refute.models import Dataset
from refute.models.kou2023.decomposition import Decomposition, unroll_long
from refute.models.network import signed_halves
from refute.strategies import choice, sized

main = section(
    "kou2023",
    "remark_4_2",
    "Remark 4.2",
    kind=Kind.ASYMPTOTIC,
    given=SEVERAL,
    assumes=with_comparable_norms(LEAKY_MAIN),
    derived=[course, excess],
    cost=0.1,
)


@main.claim("log_orders.r1", recorded="supported")
@mutants(exponent("3/2", "|w|"), exponent(3, "stable rank - 1"))
def norm_and_stable_rank_are_logarithmic(course: Decomposition, excess: Enclosed) -> Margin:
    r"""$\|w_{j,r}^{(t)}\|=\Theta(\log t)$, and the stable ranks reach 1 at the rate $O(1/\log t)$.

    Convention: of logarithmic order is read as in Theorem 4.1.
    """
    suppose(bool((excess.low > 0).all()), "the rows of a sign are not all parallel, as far as can be told")
    return all_of(
        grows_like(course.norms, log, "|w|", at=course.steps, clock=course.loss),
        bounded_by(excess, power(0, -1), "stable rank - 1", at=course.steps, clock=course.loss),
    )


@main.claim("log_orders.r2", assumes=[*LEAKY_MAIN, off_boundaries], recorded="against", fault=Fault.CONVENTION)
@mutants(exponent("3/2"))
def stable_rank_is_of_the_order_of_one_over_log(course: Decomposition, excess: Enclosed) -> Margin:
    r"""$\|W_j^{(t)}\|_F^2/\|W_j^{(t)}\|_2^2-1=\Theta(1/\log t)$.

    Fails: rows of one sign differ by bounded vectors once the pattern is frozen, so $\sigma_2$ stays bounded while
    $\sigma_1$ grows like $\log t$, and the distance is of order $1/\log^2t$.

    Convention: of logarithmic order is read as: up to constants.
    """
    suppose(bool((excess.low > 0).all()), "the rows of a sign are not all parallel, as far as can be told")
    return grows_like(excess, power(0, -1), "stable rank - 1", at=course.steps, clock=course.loss)


@main.claim("orthogonal_rate", given=SIZES, assumes=orthogonally(LEAKY_MAIN), recorded="supported")
@mutants(exponent("1.05"), exponent("1.02"))
def orthogonal_data_give_the_rate_one(course: Decomposition) -> Margin:
    r"""For $p=0$: $L_S(W^{(t)})=O(t^{-1})$.

    Convention: for C = 3 and more.
    """
    return bounded_by(course.loss, power(-1), "loss", at=course.steps, clock=course.loss)


def _exponent_falls() -> str | None:
    def statement() -> Any:
        import z3

        p, q, k = z3.Reals("p q k")
        given = z3.And(p >= 0, p < q, k > 0, k * q < 1)
        return z3.Implies(given, (1 - k * p) * (1 + k * q) > (1 - k * q) * (1 + k * p))

    return by_smt(statement)


EXPONENTS = sized(p=choice("0", "1/10", "1/5"), more=choice("1/100", "1/10"), k=choice("1", "1/2", "2"))


exponents = main.but(kind=Kind.ALGEBRAIC, given=EXPONENTS, assumes=(), proof=_exponent_falls, recorded="proved")


@exponents.claim("more_orthogonal_faster.r1")
@mutants(scaled("99/100"))
def the_exponent_of_the_bound_falls_with_the_overlap(p: Number, more: Number, k: Number) -> Margin:
    r"""$\frac{1-kp}{1+kp}$ is a decreasing function of p: more orthogonal data have the larger exponent in the bound.

    Convention: read of the exponent of the bound; k stands for $c\gamma^{-2}R_{\min}^{-2}n$, and $kp<1$.
    """
    low, high = ((1 - k * overlap) / (1 + k * overlap) for overlap in (p + more, p))
    return less(low, high, "exponent at the larger overlap")


PAIRS = sized(k=choice(1000, 2000, 10_000), same=choice(1, -1), sign=choice(1, -1), gamma=choice("7/8", "15/16"))


losses = main.but(
    kind=Kind.DYNAMICS, given=PAIRS, assumes=(), recorded="refuted", fault=Fault.CONVENTION, in_balls=True
)


@losses.claim("more_orthogonal_faster.r2")
@mutants(scaled("1001/1000"))
def the_loss_of_more_orthogonal_data_is_smaller(k: int, same: int, sign: int, gamma: Number) -> Margin:
    r"""At $t=10^8$ the loss on orthogonal unit inputs is at most that on unit inputs with
    $\langle x_1,x_2\rangle=\pm\frac{2k}{k^2+1}$.

    Fails when overlaps have the sign of $y_1y_2$, however small they are: then each sample pushes the other's margin
    up. With equal labels the margins obey $q'=\frac\eta n(1+\gamma^2)(1+p)e^{-q}$ late in training: the loss is divided
    by $1+p$, which is 1.002 at k = 1000.

    Convention: read of the loss itself; weights $\pm1/2000$, step $nm/(100R_{\max}^2)$; all conditions of Theorem 4.1
    hold with C = 100.
    """
    weight = Fraction(1, 2000)
    net = signed_halves(np.array([[weight, weight]]), np.array([[-weight, weight]]), Fraction(1)).with_slope(gamma)
    rate, labels = (0 * gamma + 2) / 100, np.array([1, same])
    skew = [Fraction(2 * sign * k, k * k + 1), Fraction(k * k - 1, k * k + 1)]
    straight, skewed = (
        unroll_long(net, Dataset(np.array([[1, 0], second], dtype=object), labels), rate=rate, times=[10**8]).known_loss
        for second in ([0, 1], skew)
    )
    return at_most(straight, skewed, "loss without overlap")
