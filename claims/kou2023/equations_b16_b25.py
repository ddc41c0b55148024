r"""Equations (B.16) to (B.25): the outputs of a leaky ReLU network and the derivatives of the loss, by the averages of
the coefficients.

Write $\kappa=\gamma^{-2}c_1^{-1}R_{\min}^{-2}pn$. The derivatives are compared by their logarithms.
"""

from collections.abc import Callable
from typing import Any

from refute import Kind, Margin, all_of, at_least, at_most, changed, derived, mutants, scaled, section, shifted
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX
from refute.claims.kou2023.leaky_courses import CROWDED, GIVEN, LATE
from refute.claims.kou2023.lemma_b3 import half_bound
from refute.decide.proof import by_smt, in_words, steps
from refute.decide.symbolic import by_identity
from refute.functions import log
from refute.models.kou2023.decomposition import Decomposition


@derived
def own_output(throughout: Decomposition) -> Array:
    """F_{y_i}(x_i): (time, i)."""
    outputs: Array = throughout.known(throughout.own(throughout.outputs))
    return outputs


@derived
def opposite_output(throughout: Decomposition) -> Array:
    """F_{-y_i}(x_i): (time, i)."""
    outputs: Array = throughout.known(throughout.opposite(throughout.outputs))
    return outputs


@derived
def log_logit(throughout: Decomposition) -> Array:
    """log |l_i'|: (time, i)."""
    logits: Array = throughout.log_logits
    return logits


displays = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=CROWDED,
    assumes=LEAKY_APPENDIX,
    derived=[*LATE, own_output, opposite_output, log_logit],
    recorded="supported",
    cost=0.4,
)

WITHOUT_BETA = changed("without beta", beta=lambda beta: 0 * beta)
SPREAD = [WITHOUT_BETA, changed("without the overlaps", kappa=lambda kappa: 0 * kappa)]
MORE, LESS = [*SPREAD, scaled("1001/1000")], [*SPREAD, scaled("999/1000")]


def averaged(bound: Callable[[Any, Any, Any, Any, Any], Any]) -> str | None:
    """A bound on sigma of one signal: sigma, gamma, a = |rho_{j,r,i}|, what start and other samples add, and the most
    that it can be, beta + e.
    """

    def one_neuron() -> Any:
        import z3

        gamma, a, rest, beta, e = z3.Reals("gamma a rest beta e")
        given = z3.And(gamma >= 0, gamma < 1, a >= 0, beta >= 0, e >= 0, -beta - e <= rest, rest <= beta + e)
        return z3.Implies(given, bound(lambda z: z3.If(z >= 0, z, gamma * z), gamma, a, rest, beta + e))

    overlaps = "over the r, e is sum_k |rho_{j,r,k}| |x_k|^-2 p, on average at most kappa times the average of a: (B.8)"
    return steps(by_smt(one_neuron), in_words(f"the average is taken {overlaps}"))


def _own_lower() -> str | None:
    return averaged(lambda sigma, gamma, a, rest, most: sigma(a + rest) >= a - most)


def _own_upper() -> str | None:
    return averaged(lambda sigma, gamma, a, rest, most: sigma(a + rest) <= a + most)


def _opposite_lower() -> str | None:
    return averaged(lambda sigma, gamma, a, rest, most: sigma(rest - a) >= -gamma * (a + most))


def opposite_upper() -> str | None:
    """sigma(rest - a) <= -gamma a + beta + e."""
    return averaged(lambda sigma, gamma, a, rest, most: sigma(rest - a) <= -gamma * a + most)


def _logit_upper() -> str | None:
    import sympy

    q = sympy.Symbol("q", real=True)
    residual = sympy.exp(-q) - 1 / (1 + sympy.exp(q)) - sympy.exp(-q) / (1 + sympy.exp(q))
    meaning = "1/(1 + e^q) is below e^-q by e^-q/(1 + e^q), and q = F_y - F_-y is at least (B.16) minus (B.19)"
    return steps(_own_lower(), opposite_upper(), by_identity(lambda: [sympy.simplify(residual)], meaning))


def _logit_lower() -> str | None:
    meaning = "q = F_y - F_-y is at most E >= 0, (B.17) minus (B.18), so that 1/(1 + e^q) >= 1/(1 + e^E) >= e^-E/2"
    return steps(_own_upper(), _opposite_lower(), half_bound(), in_words(meaning))


proved = displays.but(recorded="proved")


@proved.claim("eq_b16.Fy_lower", "Eq. (B.16)", proof=_own_lower)
@mutants(*MORE)
def own_outputs_are_at_least_the_average(own_output: Array, own: Array, kappa: Number, beta: Number) -> Margin:
    r"""$F_{y_i}(x_i)\ge\frac{1-\kappa}m\sum_r\bar\rho_{y_i,r,i}-\beta$."""
    return at_least(own_output, (1 - kappa) * own - beta, "F_y")


@proved.claim("eq_b17.Fy_upper", "Eq. (B.17)", proof=_own_upper)
@mutants(*LESS)
def own_outputs_are_at_most_the_average(own_output: Array, own: Array, kappa: Number, beta: Number) -> Margin:
    r"""$F_{y_i}(x_i)\le\frac{1+\kappa}m\sum_r\bar\rho_{y_i,r,i}+\beta$."""
    return at_most(own_output, (1 + kappa) * own + beta, "F_y")


@proved.claim("eq_b18.Fminus_lower", "Eq. (B.18)", proof=_opposite_lower)
@mutants(*LESS)
def opposite_outputs_are_at_least_the_average(
    opposite_output: Array, opposite: Array, gamma: Number, kappa: Number, beta: Number
) -> Margin:
    r"""$F_{-y_i}(x_i)\ge\frac{\gamma(1+\kappa)}m\sum_r\underline\rho_{-y_i,r,i}-\gamma\beta$."""
    return at_least(opposite_output, -gamma * (1 + kappa) * opposite - gamma * beta, "F_-y")


@proved.claim("eq_b19.Fminus_upper", "Eq. (B.19)", proof=opposite_upper)
@mutants(*MORE)
def opposite_outputs_are_at_most_the_average(
    opposite_output: Array, opposite: Array, gamma: Number, kappa: Number, beta: Number
) -> Margin:
    r"""$F_{-y_i}(x_i)\le\frac{\gamma(1-\kappa/\gamma)}m\sum_r\underline\rho_{-y_i,r,i}+\beta$."""
    return at_most(opposite_output, -(gamma - kappa) * opposite + beta, "F_-y")


@proved.claim("eq_b20.logit_upper", "Eq. (B.20)", proof=_logit_upper)
@mutants(WITHOUT_BETA, scaled("101/100"))
def derivatives_are_at_most_exponential(
    log_logit: Array, own: Array, opposite: Array, gamma: Number, kappa: Number, beta: Number
) -> Margin:
    r"""$|\ell_i'|\le\exp\{-\frac{1-\kappa}m\sum_r\bar\rho+\frac{\gamma(1-\kappa/\gamma)}m\sum_r\underline\rho+2\beta\}$."""
    return at_most(log_logit, -(1 - kappa) * own - (gamma - kappa) * opposite + 2 * beta, "log |l'|")


@proved.claim("eq_b21.logit_lower", "Eq. (B.21)", given=GIVEN, proof=_logit_lower)
@mutants(shifted("1/20"), scaled("19/20"))
def derivatives_are_at_least_exponential(
    log_logit: Array, own: Array, opposite: Array, gamma: Number, kappa: Number, beta: Number
) -> Margin:
    r"""$|\ell_i'|\ge\frac12\exp\{-\frac{1+\kappa}m\sum_r\bar\rho+\frac{\gamma(1+\kappa)}m\sum_r\underline\rho-(\gamma+1)\beta\}$."""
    exponent = -(1 + kappa) * (own + gamma * opposite) - (gamma + 1) * beta
    return at_least(log_logit, exponent - log(gamma * 0 + 2), "log |l'|")


@displays.claim("eq_b22_b23.logit_upper_single", "Eqs. (B.22) and (B.23)", given=GIVEN)
@mutants(scaled("11/10", "own"), scaled("5/2", "opposite"))
def derivatives_are_bounded_by_either_average(
    log_logit: Array, own: Array, opposite: Array, gamma: Number, kappa: Number, beta: Number
) -> Margin:
    r"""$|\ell_i'|\le\exp\{-\frac{1-\kappa}m\sum_r\bar\rho+2\beta\}$ and
    $|\ell_i'|\le\exp\{\frac{\gamma(1-\kappa/\gamma)}m\sum_r\underline\rho+2\beta\}$.
    """
    return all_of(
        at_most(log_logit, -(1 - kappa) * own + 2 * beta, "own"),
        at_most(log_logit, -(gamma - kappa) * opposite + 2 * beta, "opposite"),
    )


LOWER = [shifted("1/20"), scaled("9/10")]


@displays.claim("eq_b24.logit_lower_bar", "Eq. (B.24)", given=GIVEN)
@mutants(*LOWER)
def derivatives_are_bounded_below_by_own_coefficients(
    log_logit: Array, own: Array, gamma: Number, kappa: Number, beta: Number
) -> Margin:
    r"""$|\ell_i'|\ge\frac12\exp\{-\frac{2(1+\kappa)}m\sum_r\bar\rho_{y_i,r,i}-(\gamma+1)\beta\}$."""
    exponent = -2 * (1 + kappa) * own - (gamma + 1) * beta
    return at_least(log_logit, exponent - log(gamma * 0 + 2), "log |l'|")


@displays.claim("eq_b25.logit_lower_under", "Eq. (B.25)", given=GIVEN)
@mutants(*LOWER)
def derivatives_are_bounded_below_by_opposite_coefficients(
    log_logit: Array, opposite: Array, gamma: Number, kappa: Number, beta: Number
) -> Margin:
    r"""$|\ell_i'|\ge\frac12\exp\{-\frac{2(1+\kappa)}{\gamma m}\sum_r|\underline\rho_{-y_i,r,i}|-(\gamma+1)\beta\}$."""
    exponent = -2 * (1 + kappa) * opposite / gamma - (gamma + 1) * beta
    return at_least(log_logit, exponent - log(gamma * 0 + 2), "log |l'|")
