r"""Theorem 6 and section 5: how long the escape from the origin takes, and how fast the loss then falls.

$\lambda$ is the one that Assumption 2 asks for. Neurons of positive sign then differ in direction by far less than
round-off, so that they move as one (`models.chistikov2023.training`).
"""

from dataclasses import replace
from typing import Any

import numpy as np

from refute import (
    Enclosed,
    Kind,
    Margin,
    all_of,
    at_most,
    changed,
    derived,
    exponent,
    grows_like,
    less,
    mutants,
    power,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.chistikov2023.assumptions import ASSUMPTIONS_1_AND_2, small_scale, some_positive
from refute.models import Dataset
from refute.models.chistikov2023.training import Training, late_rate, train
from refute.models.logpolar.balanced import Balanced
from refute.strategies.chistikov2023.correlated import LARGER


@derived
def training(data: Dataset, teacher: Array, start: Balanced, epsilon: Number, tolerance: float) -> Training:
    """The whole training."""
    return train(data, teacher, start, epsilon, tolerance)


theorem = section(
    "chistikov2023",
    "theorem_6",
    kind=Kind.DYNAMICS,
    given=LARGER,
    assumes=ASSUMPTIONS_1_AND_2,
    derived=[training],
    recorded="supported",
)
WITHOUT_DELTA = changed("with delta = 1, Delta = 1/3", training=lambda one: replace(one, delta=1.0, length=1 / 3))


def escape_bound(teacher: Array, epsilon: Number, one: Training) -> float:
    """(4 + eps) d Delta^2/delta^6."""
    return float((4 + epsilon) * len(teacher) * one.length**2 / one.delta**6)


@theorem.claim("T2_bound", "Theorem 6")
@mutants(without(small_scale), without(some_positive), WITHOUT_DELTA)
def half_way_is_reached_in_logarithmic_time(teacher: Array, epsilon: Number, training: Training) -> Margin:
    r"""$T_2<\ln(1/\lambda)\,(4+\varepsilon)\,d\,\Delta^2/\delta^6$. In fact
    $T_2\approx\ln(1/\lambda)/\|\gamma_{[n]}\|$.

    No other assumption is shown to be necessary: without most of them $\delta=0$, so that no $\lambda$ meets Assumption
    2.

    Convention: $T_2$ is the one that the proof names: the first time from $T_1$ on when v is half way to the teacher
    along $u_1$; d to 5, n to 10, m to 8.
    """
    if not training.living:
        return less(1, 0, "T_2 is infinite: p_1 never reaches 1/2")
    return less(training.half_way, training.small * escape_bound(teacher, epsilon, training), "T_2")


@theorem.claim("loss_decay", "Theorem 6")
@mutants(
    without(some_positive),
    shifted("-9/4").called("0.05 in place of 0.5"),
    changed("the rate without delta", training=lambda one: replace(one, delta=1.0)),
)
def the_loss_decays_exponentially(training: Training) -> Margin:
    r"""$L(\theta^{T_2+t})<0.5\,\Delta^2e^{-0.4\,t\,\delta^4/\Delta^2}$ for all $t\ge0$.

    The angle bound is needed in space (theorem_7.limit_in_Theta_vstar.beyond_quarter_angle). No other assumption but
    $J_+\ne\emptyset$ is shown to be necessary: without most of them $\delta=0$, so that no $\lambda$ meets Assumption
    2.

    Convention: $T_2$ as the proof names it; the loss is followed until every coordinate is within 1e-12 of the
    teacher's; d to 5, n to 10, m to 8.
    """
    front, rate = 0.5 * training.length**2, 0.4 * training.delta**4 / training.length**2
    return training.judged(
        "ln L",
        lambda way: less(
            way.enclosed_log_loss[training.late],
            np.log(front) - rate * (way.local[training.late] - training.since),
            "ln L(T_2 + t)",
        ),
    )


@derived
def late_rates(data: Dataset, teacher: Array, start: Balanced, epsilon: Number, tolerance: float) -> list[Enclosed]:
    """The slope of -ln L near 1e-80, at lambda and lambda^10."""
    starts = [Balanced(start.shape, start.signs, k * start.log_scale, start.slope) for k in (1.0, 10.0)]
    return [late_rate(train(data, teacher, one, epsilon, tolerance, level=1e-40)) for one in starts]


@theorem.claim("rate_independent_of_lambda", "section 5, first paragraph", derived=[late_rates], cost=3)
@mutants(
    changed("rate 2 eta_d", teacher=lambda teacher: 0 * teacher),
    changed("a rate larger by 2/1000", late_rates=lambda rates: [rate * 1.002 for rate in rates]),
)
def the_rate_depends_on_the_data_only(data: Dataset, teacher: Array, late_rates: list[Enclosed]) -> Margin:
    r"""$L$ decays like $e^{-2\mu t}$ with $\mu$ the least eigenvalue of $(I+v^*v^{*\top})H$, whatever $\lambda$ is.

    Convention: the rate is the slope of ln L near 1e-80, at lambda and lambda^10, within 1/1000 of a number that knows
    only the data.
    """
    linearised = (np.eye(len(teacher)) + np.outer(teacher, teacher)) @ data.covariance
    wanted = 2 * float(np.linalg.eigvals(linearised).real.min())
    return all_of(*(at_most(abs(rate / wanted - 1), 1e-3, "distance of the rate from 2 mu") for rate in late_rates))


@theorem.claim("explicit_T2", "text after Theorem 6", kind=Kind.SYMBOLIC, given=None, recorded="proved")
@mutants(scaled("16/17").called("16 in place of 17"))
def the_bound_on_half_way_for_one_lambda() -> Any:
    r"""For $\varepsilon=\frac14$ and $\lambda=((mn^n)^{9\Delta^2/\delta^3})^{-3/\varepsilon}$ the bound of Theorem 6 is
    $(\ln m+n\ln n)\,d\cdot17\cdot27\,\Delta^4/\delta^9$.

    Convention: that lambda meets Assumption 2, since delta <= 1 <= Delta makes the power of m at least 1.
    """
    import sympy

    m, n, d, small, large = sympy.symbols("m n d delta Delta", positive=True)
    epsilon, size = sympy.Rational(1, 4), sympy.log(m) + n * sympy.log(n)
    log_inverse = 3 / epsilon * 9 * large**2 / small**3 * size
    bound = log_inverse * (4 + epsilon) * d * large**2 / small**6
    return {"bound on T_2": (bound, size * d * 17 * 27 * large**4 / small**9)}


saddle = section("chistikov2023", "saddle", "section 1, fourth contribution", **theorem.common)


@saddle.claim("escape_time_scaling", kind=Kind.ASYMPTOTIC, cost=2)
@mutants(exponent("51/50", "T_2 as"), exponent("49/50", "T_2 as"), WITHOUT_DELTA)
def the_saddle_is_left_in_logarithmic_time(teacher: Array, epsilon: Number, training: Training) -> Margin:
    r"""$T_2$ grows like $\ln(1/\lambda)$ as $\lambda\to0$, and is below $\ln(1/\lambda)$ times a bound that is linear
    in $d$.

    Convention: $T_2$ from the closed form of the escape, at $\ln(1/\lambda)=10^5,\dots,10^{160}$; the dependence on d
    is that of the bound of Theorem 6.
    """
    bound = training.small * escape_bound(teacher, epsilon, training)
    return all_of(
        grows_like(training.half_way_from, power(1), "T_2 as ln(1/lambda) grows"),
        less(training.half_way_from(training.small), bound, "T_2 against its bound"),
    )
