r"""Lemmas D.2 and G.1: explicit bounds on the training loss.

The constants $c_1$ (balance of the coefficients) and $c'=\max_im/|S_i^{(0)}|$ are measured on the run, $C_i$ and $C_i'$
are computed at $T_1$ as in the proof; $C'=2$.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Kind, Margin, all_of, at_least, at_most, claim, less, moved
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, RELU_APPENDIX
from refute.claims.kou2023.relu_coefficients import active_mean, late_loss_law, proof_constants, settled
from refute.decide.rate import vanishes_at_least_like
from refute.decide.symbolic import by_identity
from refute.functions import exp
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, first_step_after, stage_length, unroll_long
from refute.models.kou2023.orthogonality import relative_overlap
from refute.models.loss import softplus
from refute.strategies import number, sized
from refute.strategies.kou2023.nearly_orthogonal import relu_training, training

STAGE = 2.0  # C'
LEAKY = training(constants=(100,))
RELU = relu_training(constants=(100,))


@claim(
    "kou2023.lemma_d2.loss_bound",
    "Lemma D.2",
    kind=Kind.DYNAMICS,
    given=LEAKY,
    assumes=LEAKY_APPENDIX,
    recorded="supported",
    mutants=[moved("e^{-2 C_i'} in front", front=2.0), moved("exponent a tenth larger", gain=1.1)],
    convention="t from T_1 to 10^12; c_1 as measured",
)
def the_loss_is_bounded_by_powers(
    data: Dataset, net: TwoLayer, rate: float, *, front: float = 1.0, gain: float = 1.0
) -> Margin:
    r"""For $t\ge T_1$:
    $L_S\le\sum_i\frac{e^{-C_i'}}n(1+\frac{\eta\|x_i\|^2e^{-C_i}(1+\gamma^2)(1+\kappa)}{2nm}(t-T_1))^{-a}$ with
    $\kappa=c_1^{-1}\gamma^{-2}R_{\min}^{-2}pn$ and $a=\frac{1-\kappa}{1+\kappa}$.
    """
    length = stage_length(net, data, rate, STAGE)
    times = np.unique(np.round(np.geomspace(first_step_after(length), 1e12, 30)))
    course = unroll_long(net, data, rate=rate, times=times)
    gamma, beta, n, m = float(net.slope), float(course.beta), len(data.labels), course.width
    both = course.sums
    ratio = float((both.min(axis=(1, 2)) / both.max(axis=(1, 2))).min())  # c_1 gamma^2
    kappa = relative_overlap(data.inputs) / ratio
    own, opposite = (side(both)[0] / m for side in (course.own, course.opposite))
    upper = (1 + kappa) * (own + gamma * opposite) + (gamma + 1) * beta  # C_i
    lower = (1 - kappa) * (own + gamma * opposite) - (gamma + 1) * beta  # C_i'
    speed = rate * course.squares * np.exp(-upper) * (1 + gamma**2) * (1 + kappa) / (2 * n * m)
    base = 1 + speed * (course.steps - times[0])[:, None]
    bound = (np.exp(-front * lower) * base ** (-gain * (1 - kappa) / (1 + kappa))).sum(axis=1) / n
    return at_most(course.loss / bound, 1.0, "loss over its bound", error=1e-6)


def _exponent(course: Decomposition) -> float:
    """a = (1 - (1 + c') e/c_1)/(c'^2 (1 + e/c_1)), e = R_min^-2 p n."""
    c1, c_prime, spread = proof_constants(course)
    return (1 - (1 + c_prime) * spread / c1) / (c_prime**2 * (1 + spread / c1))


def _speed(course: Decomposition, rate: float) -> Any:
    """1 + eta |S_i| |x_i|^2 e^-beta t/(2nm^2)."""
    active = course.starts_active.sum(axis=0)
    per_step = rate * active * course.squares * np.exp(-course.beta) / (2 * len(active) * course.width**2)
    return 1 + per_step * course.steps[:, None]


_RELU: dict[str, Any] = {
    "kind": Kind.DYNAMICS,
    "given": RELU,
    "assumes": RELU_APPENDIX,
    "recorded": "supported",
    "convention": "c_1 and c' as measured; t to 10^5 on data with overlaps, to 10^20 on orthogonal data",
}


@claim(
    "kou2023.lemma_g1.loss_bound",
    "Lemma G.1",
    mutants=[moved("exponent 9/2 times as large", gain=4.5), moved("a half of it", front=0.5)],
    **_RELU,
)
def the_loss_of_relu_networks_is_bounded_by_powers(
    data: Dataset, net: TwoLayer, rate: float, *, gain: float = 1.0, front: float = 1.0
) -> Margin:
    r"""For $t\ge1$: $L_S\le\frac{e^{2\beta}}n\sum_i(1+\frac{\eta|S_i^{(0)}|\|x_i\|^2e^{-\beta}}{2nm^2}t)^{-a}$ with
    $a=\frac{1-c_1^{-1}(1+c')R_{\min}^{-2}pn}{c'^2(1+c_1^{-1}R_{\min}^{-2}pn)}$ and $m\le c'|S_i^{(0)}|$.
    """
    course = settled(data, net, rate)
    bound = front * np.exp(2 * course.beta) * (_speed(course, rate) ** (-gain * _exponent(course))).mean(axis=1)
    return at_most(course.loss / bound, 1.0, "loss over its bound", error=1e-7)


@claim(
    "kou2023.lemma_g1.rate",
    "Lemma G.1",
    mutants=[moved("exponent 9/2 times as large", gain=4.5), moved("the exponent exceeds 1/2", floor=0.5)],
    **{**_RELU, "kind": Kind.ASYMPTOTIC, "cost": 0.5},
)
def the_loss_of_relu_networks_has_a_positive_exponent(
    data: Dataset, net: TwoLayer, rate: float, *, gain: float = 1.0, floor: float = 0.0
) -> Margin:
    r"""$L_S=O(t^{-a})$ with the same $a>0$."""
    course = settled(data, net, rate, first=1e8, count=13)
    a = _exponent(course)
    return all_of(less(floor, a, "0 against a"), vanishes_at_least_like(late_loss_law(course), gain * a, "loss in 1/t"))


@claim(
    "kou2023.eq_g1.margin_lower",
    "Eq. (G.1)",
    mutants=[
        moved("without 2 beta", slack=0.0),
        moved("a tenth more than the sum", factor=1.1),
        moved("9/2 times the logarithm", gain=4.5),
    ],
    **_RELU,
)
def margins_of_relu_networks_grow(
    data: Dataset, net: TwoLayer, rate: float, *, slack: float = 2.0, factor: float = 1.0, gain: float = 1.0
) -> Margin:
    r"""$y_if\ge\frac{1-c_1^{-1}(1+c')R_{\min}^{-2}pn}m\sum_{S_i^{(0)}}\bar\rho_{y_i,r,i}-2\beta
    \ge a\log(1+\frac{\eta|S_i^{(0)}|\|x_i\|^2e^{-\beta}}{2nm^2}t)-2\beta$.
    """
    course = settled(data, net, rate)
    c1, c_prime, spread = proof_constants(course)
    mean, beta = active_mean(course), float(course.beta)
    middle = factor * (1 - (1 + c_prime) * spread / c1) * mean
    return all_of(
        at_least(course.margins, middle - slack * beta, "y f against the sum", error=1e-7),
        at_least(
            middle, gain * _exponent(course) * np.log(_speed(course, rate)), "the sum against the logarithm", error=1e-7
        ),
    )


def _tangent() -> str | None:
    import sympy

    z, s = sympy.symbols("z s", nonnegative=True)
    residual = sympy.integrate(1 - 1 / (1 + s), (s, 0, z)) - (z - sympy.log(1 + z))
    return by_identity(
        lambda: [residual], "z - log(1+z) is the integral of s/(1+s) >= 0 over [0, z]; z = e^-q is positive"
    )


@claim(
    "kou2023.lemma_g1.log1p",
    "proof of Lemma G.1",
    given=sized(q=number(30)),
    proof=_tangent,
    recorded="proved",
    mutants=[moved("9/10 of it", share=Fraction(9, 10)), moved("e^{-11q/10}", power=Fraction(11, 10))],
    convention="for z >= 0, as it is used, with z = e^{-y f}",
)
def the_logistic_loss_is_below_the_exponential(
    q: Number, *, share: Number = Fraction(1), power: Number = Fraction(1)
) -> Margin:
    r"""$\log(1+z)\le z$, so $L_S\le\frac1n\sum_ie^{-y_if}$: here $\log(1+e^{-q})\le e^{-q}$ for one sample."""
    return at_most(softplus(-q), share * exp(-power * q), "log(1 + e^-q) against e^-q")
