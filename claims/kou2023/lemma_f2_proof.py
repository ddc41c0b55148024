r"""Proof of Lemma F.2 with equations (F.3), (F.4) and (F.6): orthogonal data, ReLU. Which coefficients move, and how
fast their mean $\Sigma_i/m$ grows.

$\Sigma_i=\sum_{r\in S_i^{(0)}}\bar\rho_{y_i,r,i}$, and $C=2$ in $T=C\eta^{-1}R_{\max}^{-2}nm$. The first hundred steps
are followed one by one, then some times up to $10^{20}$.
"""

from typing import Any

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    changed,
    derived,
    equal,
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
from refute.claims.kou2023.assumptions import RELU_ORTHOGONAL, orthogonal, small_start
from refute.claims.kou2023.lemma_f2_statement import TOO_EARLY, inactive_stays, turned
from refute.claims.kou2023.relu_runs import GENERIC, GIVEN, STAGE, after, beta, course, early, late, signals
from refute.decide.proof import by_smt, steps
from refute.functions import exp, log, log1p, sign
from refute.language.limits import Logs
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.active import Active
from refute.models.kou2023.decomposition import Decomposition, first_step_after, stage_length, unroll

patterns = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=RELU_ORTHOGONAL,
    derived=[signals, course, early, after],
    recorded="supported",
    mutants=[without(orthogonal)],
)


@patterns.claim("eq_f3.inactive_stays", "Eq. (F.3)", proof=inactive_stays, recorded="proved")
@mutants(changed("pairs that start active", signals=lambda signals: -signals))
def inactive_pairs_stay_as_they_are(early: Decomposition, course: Decomposition, signals: Array) -> Margin:
    r"""If $\langle w_{j,r}^{(0)},x_i\rangle<0$, then for all $t\ge0$ $\rho^{(t)}_{j,r,i}=0$ and
    $\langle w_{j,r}^{(t)},x_i\rangle=\langle w_{j,r}^{(0)},x_i\rangle$.
    """
    inactive = sign(signals[0]) < 0
    start = early.signals[:1, inactive]

    def still(run: Decomposition) -> Margin:
        return all_of(
            equal(run.known(run.rho)[:, inactive], 0, "rho"),
            equal(run.known(run.signals)[:, inactive], start, "<w, x_i>"),
        )

    return all_of(still(early), still(course))


def _active_stays() -> str | None:
    def step() -> Any:
        import z3

        u, start, rho, push = z3.Reals("u start rho push")
        gain = push * z3.If(u >= 0, 1, 0)
        now = z3.And(u >= start, start >= 0, rho >= 0, push >= 0)
        return z3.Implies(now, z3.And(u + gain >= start, rho + gain >= 0))

    return steps("(5.1) and p = 0: <w, x_i> and rho_i gain the same, eta |l_i'| |x_i|^2/(nm) sigma'", by_smt(step))


@patterns.claim("eq_f4.active_stays", "Eq. (F.4)", proof=_active_stays, recorded="proved")
@mutants(changed("neurons of the other class", early=turned, course=turned))
def active_own_pairs_stay_active(early: Decomposition, course: Decomposition, signals: Array) -> Margin:
    r"""If $\langle w_{y_i,r}^{(0)},x_i\rangle\ge0$, then $\bar\rho^{(t)}_{y_i,r,i}\ge0$ and
    $\langle w_{y_i,r}^{(t)},x_i\rangle\ge\langle w_{y_i,r}^{(0)},x_i\rangle\ge0$ for all $t\ge0$.
    """

    def grows(run: Decomposition) -> Margin:
        start = run.own(signals)
        active = sign(start[0]) >= 0
        return all_of(
            at_least(run.known(run.own(run.rho))[:, active], 0, "rho"),
            at_least(run.known(run.own(run.signals))[:, active], start[:, active], "<w, x_i>"),
        )

    return all_of(grows(early), grows(course))


@patterns.claim("lemma_f2.opposite_crossing", "proof of Lemma F.2, part 1")
@mutants(TOO_EARLY, without(small_start))
def opposite_neurons_cross_in_the_first_stage(after: Decomposition, signals: Array) -> Margin:
    r"""If $\langle w_{-y_i,r}^{(0)},x_i\rangle\ge0$, then $\underline\rho^{(T)}_{-y_i,r,i}<-\langle
    w_{-y_i,r}^{(0)},x_i\rangle$ and $\langle w_{-y_i,r}^{(t)},x_i\rangle<0$ for all $t\ge T$.
    """
    start = after.opposite(signals)
    active = sign(start[0]) >= 0
    rho, late = (after.known(after.opposite(values))[:, active] for values in (after.rho, after.signals))
    return all_of(less(rho[:1], -start[:, active], "rho(T)"), less(late, 0, "<w(t), x_i>"))


@derived
def stage_end(data: Dataset, net: TwoLayer, rate: Number) -> int:
    """The first step after T."""
    return first_step_after(stage_length(net, data, rate, STAGE))


@derived
def stepped(data: Dataset, net: TwoLayer, rate: Number, stage_end: int) -> Decomposition:
    """Every step up to twice T, at least a hundred."""
    return unroll(net, data, rate=rate, steps=max(100, 2 * stage_end))


def pattern_updates(run: Decomposition, signals: Array, since: int) -> Margin:
    """What own coefficients gain in a step; opposite ones stand still, from `since` on if they start active."""
    push = run.known(run.logits * run.unit)[:-1, None, :]
    own, opposite = (run.known(side(run.rho)) for side in (run.own, run.opposite))
    own_active, crossing = (sign(side(signals)[0]) >= 0 for side in (run.own, run.opposite))
    steps, falls = own[1:] - own[:-1], opposite[1:] - opposite[:-1]
    expected = push + 0 * steps
    return all_of(
        equal(steps[:, own_active], expected[:, own_active], "gain of active own coefficients"),
        equal(steps[:, ~own_active], 0, "gain of inactive own coefficients"),
        equal(falls[since:, crossing], 0, "opposite, active at the start"),
        equal(falls[:, ~crossing], 0, "opposite, inactive at the start"),
    )


updates = section(
    "kou2023", "eq_f6", "Eq. (F.6)", kind=Kind.DYNAMICS, given=GIVEN, derived=[signals, stage_end, stepped, early]
)


in_each_line = updates.but(assumes=GENERIC, recorded="refuted", fault=Fault.MISSING_HYPOTHESIS, in_balls=True)


@in_each_line.claim("pattern_updates.r1", "t >= 0 in each line")
def opposite_coefficients_never_move(early: Decomposition, signals: Array) -> Margin:
    r"""$\bar\rho_{y_i,r,i}$ gains $\frac{\eta}{nm}|\ell_i'|\|x_i\|^2$ in every step if $\langle
    w_{y_i,r}^{(0)},x_i\rangle\ge0$ and nothing otherwise; $\underline\rho_{-y_i,r,i}$ stands still for all $t\ge0$.

    Fails in the first step: a neuron of the other class that starts active on $x_i$ is pushed down by it. The lemma
    says $t\ge T$ (r2).

    Convention: the time range as it is printed for the neurons of the other class that start active.
    """
    return pattern_updates(early, signals, 0)


@updates.claim("pattern_updates.r2", "t >= T for opposite neurons", assumes=RELU_ORTHOGONAL, recorded="supported")
@mutants(changed("already from t = 0", stage_end=lambda _: 0), scaled("9/10", "gain of active"), without(orthogonal))
def opposite_coefficients_move_only_in_the_first_stage(
    stepped: Decomposition, signals: Array, stage_end: int
) -> Margin:
    r"""$\bar\rho_{y_i,r,i}$ gains $\frac{\eta}{nm}|\ell_i'|\|x_i\|^2$ in every step if $\langle
    w_{y_i,r}^{(0)},x_i\rangle\ge0$ and nothing otherwise; $\underline\rho_{-y_i,r,i}$ stands still from T on if it
    starts active, as in the lemma, and always if not.

    Convention: the first 2T steps (at least a hundred).
    """
    return pattern_updates(stepped, signals, stage_end)


@derived
def first(early: Decomposition) -> Active:
    """The neurons that start active, in the first hundred steps."""
    return Active(early)


@derived
def further(course: Decomposition) -> Active:
    """The same at times up to 10^20."""
    return Active(course)


growth = section(
    "kou2023",
    "lemma_f2",
    "proof of Lemma F.2, part 2",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=GENERIC,
    derived=[signals, beta, course, early, first, further],
    recorded="supported",
)


@growth.statement("margin_sandwich")
@mutants(
    scaled("99/100", "y f from above"),
    scaled("101/100", "y f from below"),
    shifted("1/10", "log |l'| from below"),
    shifted("-1/10", "log |l'| from above"),
    changed("without beta", beta=lambda beta: 0 * beta),
    without(orthogonal),
)
def margins_are_the_mean_coefficients(first: Active, further: Active, beta: Number, *, slack: int = 1) -> Margin:
    r"""$\frac{\Sigma_i}m-c\beta\le y_if\le\frac{\Sigma_i}m+\beta$ and
    $\frac12e^{-\Sigma_i/m-\beta}\le|\ell_i'|\le e^{-\Sigma_i/m+2\beta}$ for all $t\ge0$.
    """

    def between(active: Active) -> Margin:
        logs = active.course.log_logits
        return all_of(
            at_least(active.margins, active.mean - slack * beta, "y f from below"),
            at_most(active.margins, active.mean + beta, "y f from above"),
            at_least(logs, -log(0 * beta + 2) - active.mean - beta, "log |l'| from below"),
            at_most(logs, 2 * beta - active.mean, "log |l'| from above"),
        )

    return all_of(between(first), between(further))


margins_are_the_mean_coefficients.reading("r1", "Read with c = 1.", recorded="supported")
margins_are_the_mean_coefficients.reading("r2", "Read with c = 2.", slack=2, recorded="supported")


@growth.claim("recursion_upper")
@mutants(
    scaled("1/4", "increment"),
    scaled("9/10", "mean"),
    changed("2/5 in place of 2", beta=lambda beta: beta - log(0 * beta + 5) / 2),
)
def the_mean_coefficient_grows_at_most_logarithmically(first: Active, further: Active, beta: Number) -> Margin:
    r"""With $\kappa=\frac{\eta\|x_i\|^2e^{2\beta}}{nm}$: $\frac{\Sigma_i^+}m\le\frac{\Sigma_i}m+\kappa
    e^{-\Sigma_i/m}$, so $\frac{\Sigma_i}m\le\log(1+\kappa e^\kappa t)\le\log(1+2\kappa t)$ for all $t\ge0$.
    """
    kappa, means = first.unit * exp(2 * beta), first.mean

    def bounded(active: Active) -> Margin:
        middle = log1p(kappa * exp(kappa) * active.time)
        return all_of(
            at_most(active.mean, middle, "mean of rho-bar"), at_most(middle, log1p(2 * kappa * active.time), "bounds")
        )

    increment = at_most((means[1:] - means[:-1]) * exp(means[:-1]), kappa, "increment")
    return all_of(increment, bounded(first), bounded(further))


def grows_at_least(active: Active, kappa: Array) -> Margin:
    """The mean of rho-bar against log(1 + kappa t)."""
    return at_least(active.mean, log1p(kappa * active.time), "mean of rho-bar")


def gains_at_least(active: Active, kappa: Array) -> Margin:
    """What it gains in a step against kappa e^-mean."""
    means = active.mean
    return at_least((means[1:] - means[:-1]) * exp(means[:-1]), kappa, "increment")


@growth.claim("recursion_lower", recorded="refuted", fault=Fault.CONSTANT, in_balls=True)
def the_mean_coefficient_grows_as_fast_as_printed(first: Active, beta: Number) -> Margin:
    r"""$\frac{\Sigma_i^+}m\ge\frac{\Sigma_i}m+\frac{\eta\|x_i\|^2e^{-\beta}}{2nm}e^{-\Sigma_i/m}$, so
    $\frac{\Sigma_i}m\ge\log(1+\frac{\eta\|x_i\|^2e^{-\beta}}{2nm}t)$.

    Fails in the first step: $\Sigma_i$ has $|S_i^{(0)}|$ terms, so that $\Sigma_i/m$ gains
    $\frac{|S_i^{(0)}|}m\frac{\eta\|x_i\|^2}{nm}|\ell_i'|$ with $|\ell_i'|\approx\frac12$, and $|S_i^{(0)}|\le0.6m$:
    the factor $|S_i^{(0)}|/m$ of Lemma E.1 is missing.

    Convention: the first hundred steps.
    """
    kappa = first.unit * exp(-beta) / 2
    return all_of(gains_at_least(first, kappa), grows_at_least(first, kappa))


@growth.claim("recursion_lower.amended", "with the share of active neurons")
@mutants(scaled("101/100", "increment"), scaled("11/10", "mean"))
def the_mean_coefficient_grows_at_least_logarithmically(first: Active, further: Active, beta: Number) -> Margin:
    r"""Amended: $\eta\|x_i\|^2|S_i^{(0)}|e^{-\beta}/(2nm^2)$ in place of $\eta\|x_i\|^2e^{-\beta}/(2nm)$, in both
    displays.
    """
    kappa = first.pace * exp(-beta) / 2
    return all_of(gains_at_least(first, kappa), grows_at_least(first, kappa), grows_at_least(further, kappa))


@growth.claim("sum_limit", kind=Kind.ASYMPTOTIC, derived=[late], cost=0.5)
@mutants(exponent("99/100"), exponent("101/100"))
def the_mean_coefficient_grows_like_the_logarithm(late: Decomposition) -> Margin:
    r"""$\lim_{t\to\infty}\frac1m\sum_{r\in S_i^{(0)}}\bar\rho^{(t)}_{y_i,r,i}/\log t=1$.

    Convention: $e^{\Sigma_i/m}=\Theta(t)$, which gives the limit.
    """
    means = Active(late).mean
    return grows_like(Logs(means.value, means.error), power(1), "e^{Sigma/m}", at=late.steps, clock=late.loss)
