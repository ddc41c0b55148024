r"""Eqs. (E.13) to (E.23): sums of active coefficients and logits in the proof of Lemma E.1.

$\Sigma_i=\sum_{r\in S_i^{(0)}}\bar\rho_{y_i,r,i}$, $\hat\epsilon=R_{\min}^{-2}pn$, $c'=\max_im/|S_i^{(0)}|$; $c_1$ is
measured over the run.
"""

from typing import Any

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    changed,
    derived,
    exponent,
    mutants,
    scaled,
    section,
    shifted,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX
from refute.claims.kou2023.relu_runs import DIRECT, GIVEN, RUN, WITHOUT_BETA
from refute.decide.proof import by_smt, in_words, steps
from refute.functions import absolute, exp, largest, leaky_relu, log, log1p, mean, smallest
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.active import Active
from refute.models.kou2023.decomposition import unroll_long
from refute.models.kou2023.orthogonality import largest_overlap, squared_radii
from refute.strategies.kou2023.nearly_orthogonal import relu_training


@derived
def classes(data: Dataset) -> Array:
    """The label of the class whose output is looked at."""
    return data.labels


@derived
def upper(active: Active) -> Any:
    """c'(1 + epsilon/c_1)."""
    return active.upper


@derived
def lower(active: Active) -> Any:
    """1 - 2 c' epsilon/c_1."""
    return active.lower


@derived
def stepped(data: Dataset, net: TwoLayer, rate: Number) -> Active:
    """Fifteen pairs of successive steps, up to 10^4."""
    times = np.round(np.geomspace(1, 1e4, 15))
    return Active(unroll_long(net, data, rate=rate, times=np.union1d(times, times + 1), freeze=DIRECT))


@derived
def above(stepped: Active) -> Any:
    """c'(1 + epsilon/c_1)."""
    return stepped.upper


@derived
def below(stepped: Active) -> Any:
    """1 - 2 c' epsilon/c_1."""
    return stepped.lower


main = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=RELU_APPENDIX,
    derived=[*RUN, upper, lower, stepped, above, below],
    recorded="supported",
)


def _logit_proof() -> str | None:
    def statement() -> Any:
        import z3

        own, other = z3.Reals("own other")  # e^{F_y} and e^{F_-y}, where F_-y >= 0
        return z3.Implies(z3.And(own > 0, other >= 1), 1 / (1 + own / other) >= 1 / (1 + own))

    return by_smt(statement)


logits = section("kou2023", given=relu_training(), derived=[classes], cost=4.0)


@logits.claim("eq_e13.logit_lower_F", "Eq. (E.13)", proof=_logit_proof, recorded="proved")
@mutants(
    changed("for slope 1/2", net=lambda net: net.with_slope(net.slope + (0 * net.slope + 1) / 2)),
    scaled("101/100"),
    changed("with F_-y", classes=lambda labels: -labels),
)
def logits_are_bounded_by_the_own_output(data: Dataset, net: TwoLayer, classes: Array) -> Margin:
    r"""$|\ell_i'|=\frac1{1+\exp(F_{y_i}-F_{-y_i})}\ge\frac1{1+\exp F_{y_i}}$ for ReLU.

    Convention: the proof needs of $F_{-y_i}$ only that a mean of ReLUs is not negative.
    """
    m, hidden = net.width // 2, leaky_relu(net.inner @ data.inputs.T, net.slope)
    outputs = np.where(classes > 0, mean(hidden[:m]), mean(hidden[m:]))
    margins = data.labels * (mean(hidden[:m]) - mean(hidden[m:]))
    return at_least(1 / (1 + exp(margins)), 1 / (1 + exp(outputs)), "|l'|")


@main.claim("eq_e14.active_sum_upper", "Eq. (E.14)")
@mutants(scaled("9/20"), WITHOUT_BETA)
def active_signals_are_bounded_by_active_coefficients(active: Active, beta: Number) -> Margin:
    r"""$\sum_{S_i^{(t)}}\langle w_{y_i,r},x_i\rangle\le
    c'(1+\hat\epsilon/c_1)\sum_{S_i^{(0)}}\bar\rho_{y_i,r,i}+|S_i^{(t)}|\beta$.

    Convention: divided by m, so that the left side becomes $F_{y_i}(x_i)$.
    """
    course = active.course
    share = (course.own(course.signals) > 0).mean(axis=1)
    return at_most(course.known(course.own(course.outputs)), active.upper * active.mean + share * beta, "F_y")


@main.claim("eq_e15.logit_lower", "Eq. (E.15)")
@mutants(shifted("9/50"), scaled("9/20"))
def logits_are_bounded_below(active: Active, beta: Number) -> Margin:
    r"""$|\ell_i'|\ge\frac12\exp\{-\frac{c'(1+\hat\epsilon/c_1)}m\sum_{S_i^{(0)}}\bar\rho_{y_i,r,i}-\beta\}$.

    Convention: compared as logarithms.
    """
    return at_least(active.course.log_logits, -log(0 * beta + 2) - active.upper * active.mean - beta, "log |l'|")


def _other_class_proof() -> str | None:
    def one_neuron() -> Any:
        import z3

        a, rest, beta, e = z3.Reals("a rest beta e")  # |rho_{-y_i,r,i}|, the rest of the signal, and its bound
        given = z3.And(a >= 0, beta >= 0, e >= 0, rest <= beta + e)
        return z3.Implies(given, z3.If(rest - a >= 0, rest - a, 0) <= beta + e)

    return steps(
        by_smt(one_neuron), in_words("e = sum_{k != i} |rho_{-y_i,r,k}| |x_k|^-2 p, and the mean over r is taken")
    )


@main.claim("eq_e16.Fminus_upper", "Eq. (E.16)", proof=_other_class_proof, recorded="proved")
@mutants(WITHOUT_BETA, changed("for the own class", active=Active.of_the_other_class))
def the_output_of_the_other_class_is_small(active: Active, data: Dataset, beta: Number) -> Margin:
    r"""$F_{-y_i}(x_i)\le\frac1m\sum_r(\beta+\sum_{i'\ne i}|\rho_{-y_i,r,i'}|R_{\min}^{-2}p)$."""
    course, side = active.course, active.of_the_other_class().side
    sizes = absolute(course.rho).mean(axis=2)
    others = course.known(side(sizes.sum(axis=2, keepdims=True) - sizes), len(data.labels) - 1)
    bound = beta + others * (largest_overlap(data.inputs) / squared_radii(data.inputs)[0])
    return at_most(course.known(side(course.outputs)), bound, "F_-y")


@main.claim("eq_e17_e18.recursions", "Eqs. (E.17) and (E.18)")
@mutants(
    scaled("12/5", "growth against (E.17)"),
    changed("3/8 of c'", above=lambda c: 3 * c / 8),
    changed("upper exponent 6/5", below=lambda kappa: 6 * kappa / 5),
    scaled("1/2", "growth against (E.18)"),
)
def active_sums_grow_between_two_exponentials(stepped: Active, above: Any, below: Any, beta: Number) -> Margin:
    r"""In one step $\Sigma_i$ grows by at least
    $\frac{\eta|S_i^{(0)}|\|x_i\|^2e^{-\beta}}{2nm}\exp(-\frac{c'(1+\hat\epsilon/c_1)}m\Sigma_i)$ and at most
    $\frac{\eta|S_i^{(0)}|\|x_i\|^2e^{2\beta}}{nm}\exp(-\frac{1-2c'\hat\epsilon/c_1}m\Sigma_i)$.

    Convention: pairs of steps up to $10^4$.
    """
    now = np.flatnonzero(np.diff(stepped.course.steps) == 1)
    mean, growth = stepped.mean[now], stepped.mean[now + 1] - stepped.mean[now]
    return all_of(
        at_least(growth, stepped.pace / 2 * exp(-beta - above * mean), "growth against (E.17)"),
        at_most(growth, stepped.pace * exp(2 * beta - below * mean), "growth against (E.18)"),
    )


@main.claim("eq_e19.sum_lower", "Eq. (E.19)")
@mutants(scaled("5/2"), changed("9/20 of c'", upper=lambda c: 9 * c / 20))
def active_sums_grow_at_least_logarithmically(active: Active, upper: Any, beta: Number) -> Margin:
    r"""$\Sigma_i\ge\frac m{c'(1+\hat\epsilon/c_1)}
    \log(1+\frac{c'(1+\hat\epsilon/c_1)\eta|S_i^{(0)}|\|x_i\|^2e^{-\beta}}{2nm^2}t)$.
    """
    bound = log1p(upper * active.pace * exp(-beta) / 2 * active.time) / upper
    return at_least(active.mean, bound, "mean of active rho-bar")


@main.claim("eq_e20.sum_upper", "Eq. (E.20)")
@mutants(scaled("97/100", "mean"), exponent("19/20", "mean"))
def active_sums_grow_at_most_logarithmically(active: Active, lower: Any, beta: Number) -> Margin:
    r"""With $\kappa=1-2c'\hat\epsilon/c_1$ and $a=\kappa\eta|S_i^{(0)}|\|x_i\|^2e^{2\beta}/(nm^2)$: $a\le\log2$ and
    $\Sigma_i\le\frac m\kappa\log(1+2at)$.
    """
    a = lower * active.pace * exp(2 * beta)
    return all_of(
        at_most(a, log(0 * beta + 2), "a"),
        at_most(active.mean, log1p(2 * a * active.time) / lower, "mean of active rho-bar"),
    )


@main.claim("eq_e22_e23.loosened", "Eqs. (E.22) and (E.23)")
@mutants(scaled(5, "smallest"), scaled("1/2", "largest"))
def active_coefficients_obey_the_loosened_bounds(active: Active, data: Dataset, beta: Number) -> Margin:
    r"""$c_2\log(1+\frac{\eta R_{\min}^2e^{-\beta}}{5nm}t)\le\bar\rho_{y_i,r,i}\le c_3\log(1+\frac{6\eta
    R_{\max}^2e^{2\beta}}{5nm}t)$ for $r\in S_i^{(0)}$.

    Convention: $c_2=1/(c'(1+\hat\epsilon/c_1))$ and $c_3=c'/(1-2c'\hat\epsilon/c_1)$, as in the proof.
    """
    t, c3 = active.course.steps, active.c_prime / active.lower
    slow, fast = smallest(active.unit) * exp(-beta) / 5, 6 * largest(active.unit) * exp(2 * beta) / 5
    return all_of(
        at_least(active.least, log1p(slow * t) / active.upper, "smallest rho-bar"),
        at_most(largest(active.rho, axis=1), c3 * log1p(fast * t), "largest rho-bar"),
    )
