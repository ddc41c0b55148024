r"""Lemma G.1 with Eq. (G.1): the margins and the loss of a ReLU network.

$c_1$ is measured over the run and $c'=\max_im/|S_i^{(0)}|$. Write $\hat\epsilon=R_{\min}^{-2}pn$,
$a=\frac{1-c_1^{-1}(1+c')\hat\epsilon}{c'^2(1+c_1^{-1}\hat\epsilon)}$ and
$\Lambda_i=\log(1+\frac{\eta|S_i^{(0)}|\|x_i\|^2e^{-\beta}}{2nm^2}t)$. Times go to $10^5$ on data with overlaps, to
$10^{20}$ on orthogonal data.
"""

from typing import Any

from refute import (
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    bent,
    bounded_by,
    changed,
    derived,
    exponent,
    less,
    mutants,
    power,
    scaled,
    section,
)
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX
from refute.claims.kou2023.relu_runs import FREEZING, RUN, VARIED, WITHOUT_BETA, late
from refute.decide.symbolic import by_identity
from refute.functions import exp, log1p, mean
from refute.models.kou2023.active import Active
from refute.models.kou2023.decomposition import Decomposition
from refute.models.loss import softplus
from refute.strategies import number, sized


@derived
def factor(active: Active) -> Any:
    """1 - c_1^-1 (1 + c') epsilon."""
    return 1 - (1 + active.c_prime) * active.epsilon / active.constant


@derived
def a(active: Active, factor: Any) -> Any:
    """The exponent of the loss."""
    return factor / (active.c_prime**2 * (1 + active.epsilon / active.constant))


@derived
def growth(active: Active, beta: Number) -> Any:
    """Lambda_i: (time, i)."""
    return log1p(active.pace * exp(-beta) / 2 * active.time)


main = section(
    "kou2023",
    "lemma_g1",
    "Lemma G.1",
    kind=Kind.DYNAMICS,
    given=VARIED,
    assumes=RELU_APPENDIX,
    derived=[*RUN, factor, a, growth],
    recorded="supported",
    cost=0.25,
)
STEEPER = changed("9/2 of the exponent", a=lambda a: 9 * a / 2)


@main.claim("loss_bound")
@mutants(STEEPER, scaled("1/2"))
def the_loss_of_relu_networks_is_bounded_by_powers(active: Active, a: Any, growth: Any, beta: Number) -> Margin:
    r"""For $t\ge1$: $L_S\le\frac{e^{2\beta}}n\sum_ie^{-a\Lambda_i}$, where $m\le c'|S_i^{(0)}|$."""
    bound = exp(2 * beta) * mean(exp(-a * growth), axis=1)
    return at_most(active.course.known_loss / bound, 1, "loss over its bound")


@section("kou2023", **main.common).claim("eq_g1.margin_lower", "Eq. (G.1)")
@mutants(WITHOUT_BETA, scaled("11/10", "y f"), STEEPER)
def margins_of_relu_networks_grow(active: Active, factor: Any, a: Any, growth: Any, beta: Number) -> Margin:
    r"""$y_if\ge\frac{1-c_1^{-1}(1+c')\hat\epsilon}m\sum_{S_i^{(0)}}\bar\rho_{y_i,r,i}-2\beta\ge a\Lambda_i-2\beta$."""
    middle = factor * active.mean
    return all_of(at_least(active.margins, middle - 2 * beta, "y f"), at_least(middle, a * growth, "the sum"))


@derived
def last_a(late: Decomposition) -> Any:
    """The same exponent, with c_1 as measured at the horizons."""
    far = Active(late)
    return a.function(far, factor.function(far))


@main.claim("rate", kind=Kind.ASYMPTOTIC, given=FREEZING, derived=[late, last_a], cost=0.5)
@mutants(exponent("9/2", "loss"), bent("the exponent exceeds 1/2", "0 against a", left=lambda zero: zero + 0.5))
def the_loss_of_relu_networks_has_a_positive_exponent(late: Decomposition, last_a: Any) -> Margin:
    r"""$L_S=O(t^{-a})$ with the same $a>0$.

    Convention: orthogonal inputs, and inputs with $\langle x_i,x_k\rangle=py_iy_k$; on others patterns need not
    settle, and no horizon is reached.
    """
    rate = power(-float(last_a.value))
    return all_of(
        less(0, last_a, "0 against a"), bounded_by(late.known_loss, rate, "loss", at=late.steps, clock=late.loss)
    )


def _tangent() -> str | None:
    import sympy

    z, s = sympy.symbols("z s", nonnegative=True)
    residual = sympy.integrate(1 - 1 / (1 + s), (s, 0, z)) - (z - sympy.log(1 + z))
    return by_identity(
        lambda: [residual], "z - log(1+z) is the integral of s/(1+s) >= 0 over [0, z]; z = e^-q is positive"
    )


@section(
    "kou2023", "lemma_g1", "proof of Lemma G.1", given=sized(q=number(30)), proof=_tangent, recorded="proved"
).claim("log1p")
@mutants(scaled("99/100"), exponent("11/10"))
def the_logistic_loss_is_below_the_exponential(q: Number) -> Margin:
    r"""$\log(1+z)\le z$, so $L_S\le\frac1n\sum_ie^{-y_if}$: here $\log(1+e^{-q})\le e^{-q}$ for one sample.

    Convention: for $z\ge0$, as it is used, with $z=e^{-y_if}$.
    """
    return at_most(softplus(-q), exp(-q), "log(1 + e^-q)")
