r"""Appendix F, proof of Lemma F.2: orthogonal data, ReLU. Which coefficients move, and how fast their mean $\Sigma_i/m$
grows.

$\Sigma_i=\sum_{r\in S_i^{(0)}}\bar\rho_{y_i,r,i}$. Early steps are followed one by one, late ones to $t=10^{20}$.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, claim, equal, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import orthogonal, small_start, small_step
from refute.claims.kou2023.relu_coefficients import GENERIC, GIVEN, ORTHOGONAL, STAGE, active_mean, settled, slopes
from refute.functions import exp, log1p, sign
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, first_step_after, stage_length, unroll, unroll_long

Floats = NDArray[np.float64]

EARLY = 100
ROUND_OFF = 1e-12  # of signals and coefficients of order one after a hundred steps in float64
_RUN: dict[str, Any] = {"kind": Kind.DYNAMICS, "given": GIVEN, "assumes": GENERIC}
_BOUNDARIES: dict[str, Any] = {**_RUN, "assumes": ORTHOGONAL}  # <w(0), x_i> = 0 included


def _both(data: Dataset, net: TwoLayer, rate: Number) -> tuple[Decomposition, Decomposition]:
    """The first steps one by one, and the long run."""
    return unroll(net, data, rate=rate, steps=EARLY), settled(data, net, rate)


def _start(course: Decomposition) -> Array:
    """<w_{j,r}(0), x_i>: (1, j, r, i)."""
    return np.asarray((course.start.inner @ course.data.inputs.T).reshape(1, 2, course.width, -1))


@claim(
    "kou2023.eq_f3.inactive_stays",
    "Eq. (F.3)",
    recorded="supported",
    mutants=[moved("pairs that start active", side=-1.0), without(orthogonal)],
    **_BOUNDARIES,
)
def inactive_pairs_stay_as_they_are(data: Dataset, net: TwoLayer, rate: float, *, side: float = 1.0) -> Margin:
    r"""If $\langle w_{j,r}^{(0)},x_i\rangle<0$, then for all $t\ge0$ $\rho^{(t)}_{j,r,i}=0$ and
    $\langle w_{j,r}^{(t)},x_i\rangle=\langle w_{j,r}^{(0)},x_i\rangle$.
    """

    def still(course: Decomposition) -> Margin:
        start = _start(course)
        chosen = side * start < 0
        return all_of(
            equal(np.where(chosen, course.rho, 0.0), 0, "rho"),
            equal(
                np.where(chosen, course.signals, 0.0),
                np.where(chosen, start, 0.0) + 0 * course.signals,
                "<w, x_i>",
                error=ROUND_OFF,
            ),
        )

    return all_of(*map(still, _both(data, net, rate)))


@claim(
    "kou2023.eq_f4.active_stays",
    "Eq. (F.4)",
    recorded="supported",
    mutants=[
        moved("neurons of the other class", which="opposite"),
        moved("all neurons of the class", every=1),
        without(orthogonal),
    ],
    **_BOUNDARIES,
)
def active_own_pairs_stay_active(
    data: Dataset, net: TwoLayer, rate: float, *, which: str = "own", every: int = 0
) -> Margin:
    r"""If $\langle w_{y_i,r}^{(0)},x_i\rangle\ge0$, then $\bar\rho^{(t)}_{y_i,r,i}\ge0$ and
    $\langle w_{y_i,r}^{(t)},x_i\rangle\ge\langle w_{y_i,r}^{(0)},x_i\rangle\ge0$ for all $t\ge0$.
    """

    def grows(course: Decomposition) -> Margin:
        start, signals, rho = (
            getattr(course, which)(values) for values in (_start(course), course.signals, course.rho)
        )
        chosen = (start >= 0) | bool(every)
        return all_of(
            at_least(np.where(chosen, rho, 0.0), 0, "rho"),
            at_least(np.where(chosen, signals - start, 0.0), 0, "<w(t) - w(0), x_i>", error=ROUND_OFF),
            at_least(np.where(chosen, start, 0.0), 0, "<w(0), x_i>"),
        )

    return all_of(*map(grows, _both(data, net, rate)))


@claim(
    "kou2023.lemma_f2.opposite_crossing",
    "proof of Lemma F.2, part 1",
    recorded="supported",
    mutants=[moved("by twice the signal", factor=2.0), moved("after the first step", stage=0.0), without(small_start)],
    convention="C = 2 in T",
    **_BOUNDARIES,
)
def opposite_neurons_cross_in_the_first_stage(
    data: Dataset, net: TwoLayer, rate: float, *, stage: float = STAGE, factor: float = 1.0
) -> Margin:
    r"""If $\langle w_{-y_i,r}^{(0)},x_i\rangle\ge0$, then $\underline\rho^{(T)}_{-y_i,r,i}<-\langle
    w_{-y_i,r}^{(0)},x_i\rangle$ and $\langle w_{-y_i,r}^{(t)},x_i\rangle<0$ for all $t\ge T$.
    """
    first = first_step_after(stage_length(net, data, rate, stage))
    course = unroll_long(net, data, rate=rate, times=np.geomspace(first, 1e20, 20))
    start, signals, rho = (course.opposite(values) for values in (_start(course), course.signals, course.rho))
    chosen = start >= 0
    return all_of(
        less(np.where(chosen, rho[:1] + factor * start, -1.0), 0, "rho(T) + <w(0), x_i>"),
        less(np.where(chosen, signals, -1.0), 0, "<w(t), x_i>"),
    )


def _moves(course: Decomposition, rate: Number) -> tuple[Array, Array]:
    """rho(t+1) - rho(t), and eta/(nm) |l_i'| |x_i|^2: (time, j, r, i)."""
    unit = rate * course.logits[:-1] * course.squares / (len(course.squares) * course.width)
    return np.asarray(course.rho[1:] - course.rho[:-1]), unit[:, None, None, :]


def _pattern_updates(data: Dataset, net: TwoLayer, rate: Number, stage: float, gain: float) -> Margin:
    first = int(first_step_after(stage_length(net, data, rate, stage))) if stage else 0
    course = unroll(net, data, rate=rate, steps=max(EARLY, 2 * first))
    moves, unit = _moves(course, rate)
    own, opposite, start = course.own(moves), course.opposite(moves), _start(course)
    expected = np.where(sign(course.own(start)) >= 0, gain * unit[:, 0], 0)
    early = (np.arange(len(moves)) < first)[:, None, None]
    idle = np.where((sign(course.opposite(start)) >= 0) & early, 0, opposite)
    return all_of(equal(own, expected, "own increments", error=ROUND_OFF), equal(idle, 0, "opposite increments"))


_F6 = (
    r"$\bar\rho_{y_i,r,i}$ gains $\frac{\eta}{nm}|\ell_i'|\|x_i\|^2$ in every step if $\langle "
    r"w_{y_i,r}^{(0)},x_i\rangle\ge0$ and nothing "
    r"otherwise; $\underline\rho_{-y_i,r,i}$ stands still "
)


def _updates_as_printed(data: Dataset, net: TwoLayer, rate: Number) -> Margin:
    return _pattern_updates(data, net, rate, 0.0, 1.0)


_updates_as_printed.__doc__ = (
    _F6
    + r"""for all $t\ge0$.

    Fails in the first step: a neuron of the other class that starts active on $x_i$ is pushed down by it."""
)
claim(
    "kou2023.eq_f6.pattern_updates.r1",
    "Eq. (F.6), t >= 0 in each line",
    recorded="refuted",
    convention="the time range as it is printed for the neurons of the other class that start active",
    in_balls=True,
    **_RUN,
)(_updates_as_printed)


def _updates(data: Dataset, net: TwoLayer, rate: float, *, stage: float = STAGE, gain: float = 1.0) -> Margin:
    return _pattern_updates(data, net, rate, stage, gain)


_updates.__doc__ = _F6 + r"from T on if it starts active, as in the lemma, and always if not."
claim(
    "kou2023.eq_f6.pattern_updates.r2",
    "Eq. (F.6), t >= T for opposite neurons",
    recorded="supported",
    mutants=[moved("already from t = 0", stage=0.0), moved("9/10 of the gain", gain=0.9), without(orthogonal)],
    convention="C = 2 in T; the first 2T steps (at least a hundred)",
    **_BOUNDARIES,
)(_updates)


def _sandwich(data: Dataset, net: TwoLayer, rate: float, low: float, high: float, logit: float) -> Margin:
    def between(course: Decomposition) -> Margin:
        sums, beta, logs = active_mean(course), float(course.beta), np.log(course.logits)
        return all_of(
            at_least(course.margins, sums - low * beta, "y f", error=1e-8),
            at_most(course.margins, sums + high * beta, "y f", error=1e-8),
            at_least(logs, np.log(logit) - sums - beta, "log |l'|", error=1e-8),
            at_most(logs, 2 * beta - sums, "log |l'|", error=1e-8),
        )

    return all_of(*map(between, _both(data, net, rate)))


_SANDWICH_MUTANTS = [
    moved("upper slack beta/4", high=0.25),
    moved("9/10 in place of 1/2 at the logit", logit=0.9),
    without(orthogonal),
]
_AND_LOGITS = (
    r"\le y_if\le\frac{\Sigma_i}m+\beta$ and $\frac12e^{-\Sigma_i/m-\beta}\le|\ell_i'|\le "
    r"e^{-\Sigma_i/m+2\beta}$ for all $t\ge0$."
)


def _sandwich_one(
    data: Dataset, net: TwoLayer, rate: float, *, low: float = 1.0, high: float = 1.0, logit: float = 0.5
) -> Margin:
    return _sandwich(data, net, rate, low, high, logit)


def _sandwich_two(
    data: Dataset, net: TwoLayer, rate: float, *, low: float = 2.0, high: float = 1.0, logit: float = 0.5
) -> Margin:
    return _sandwich(data, net, rate, low, high, logit)


_sandwich_one.__doc__ = r"$\frac{\Sigma_i}m-\beta" + _AND_LOGITS
_sandwich_two.__doc__ = r"$\frac{\Sigma_i}m-2\beta" + _AND_LOGITS
_SANDWICH: dict[str, Any] = {
    "recorded": "supported",
    "mutants": [*_SANDWICH_MUTANTS, moved("lower slack -beta", low=-1.0)],
    **_RUN,
}
claim("kou2023.lemma_f2.margin_sandwich.r1", "proof of Lemma F.2, part 2", convention="lower slack beta", **_SANDWICH)(
    _sandwich_one
)
claim(
    "kou2023.lemma_f2.margin_sandwich.r2", "proof of Lemma F.2, part 2", convention="lower slack 2 beta", **_SANDWICH
)(_sandwich_two)


def _growth(data: Dataset, net: TwoLayer, rate: Number) -> tuple[Decomposition, Decomposition, Array, Floats]:
    """The early and the long run, eta |x_i|^2/(nm), and |S_i|/m."""
    early, late = _both(data, net, rate)
    return (
        early,
        late,
        rate * late.squares / (len(late.squares) * late.width),
        late.starts_active.sum(axis=0) / late.width,
    )


@claim(
    "kou2023.lemma_f2.recursion_upper",
    "proof of Lemma F.2, part 2",
    recorded="supported",
    mutants=[
        moved("a quarter of the rate", gain=0.25),
        moved("2/5 in place of 2 in the last bound", twice=0.4),
        without(small_step),
    ],
    **_RUN,
)
def the_mean_coefficient_grows_at_most_logarithmically(
    data: Dataset, net: TwoLayer, rate: float, *, gain: float = 1.0, twice: float = 2.0
) -> Margin:
    r"""With $\kappa=\frac{\eta\|x_i\|^2e^{2\beta}}{nm}$: $\frac{\Sigma_i^+}m\le\frac{\Sigma_i}m+\kappa
    e^{-\Sigma_i/m}$, so $\frac{\Sigma_i}m\le\log(1+\kappa e^\kappa t)\le\log(1+2\kappa t)$ for all $t\ge0$.
    """
    early, late, unit, _ = _growth(data, net, rate)
    kappa, sums = gain * unit * np.exp(2 * float(late.beta)), active_mean(early)
    middle = [np.log1p(kappa * np.exp(kappa) * course.steps[:, None]) for course in (early, late)]
    return all_of(
        at_most((sums[1:] - sums[:-1]) * np.exp(sums[:-1]) / kappa, 1, "relative increment", error=1e-9),
        *(
            at_most(active_mean(course), bound, "mean of rho-bar", error=1e-8)
            for course, bound in zip((early, late), middle, strict=True)
        ),
        at_most(middle[1], np.log1p(twice * kappa * late.steps[:, None]), "the two bounds"),
    )


def _recursion_lower(data: Dataset, net: TwoLayer, rate: Number, power: int, gain: float) -> Margin:
    early, late, unit, share = _growth(data, net, rate)
    kappa, sums = gain * unit * share**power * exp(-late.beta) / 2, active_mean(early)
    return all_of(
        at_least((sums[1:] - sums[:-1]) * exp(sums[:-1]) / kappa, 1, "relative increment", error=1e-9),
        *(
            at_least(active_mean(course), log1p(kappa * course.steps[:, None]), "mean of rho-bar", error=1e-8)
            for course in (early, late)
        ),
    )


@claim("kou2023.lemma_f2.recursion_lower", "proof of Lemma F.2, part 2", recorded="refuted", in_balls=True, **_RUN)
def the_mean_coefficient_grows_as_fast_as_printed(data: Dataset, net: TwoLayer, rate: Number) -> Margin:
    r"""$\frac{\Sigma_i^+}m\ge\frac{\Sigma_i}m+\frac{\eta\|x_i\|^2e^{-\beta}}{2nm}e^{-\Sigma_i/m}$, so
    $\frac{\Sigma_i}m\ge\log(1+\frac{\eta\|x_i\|^2e^{-\beta}}{2nm}t)$.

    Fails in the first step: $\Sigma_i$ has $|S_i^{(0)}|$ terms, so that $\Sigma_i/m$ gains
    $\frac{|S_i^{(0)}|}m\frac{\eta\|x_i\|^2}{nm}|\ell_i'|$ with $|\ell_i'|\approx\frac12$, and $|S_i^{(0)}|\le0.6m$:
    the factor $|S_i^{(0)}|/m$ of Lemma E.1 is missing.
    """
    return _recursion_lower(data, net, rate, 0, 1.0)


@claim(
    "kou2023.lemma_f2.recursion_lower.amended",
    "proof of Lemma F.2, part 2, with the share of active neurons",
    recorded="supported",
    mutants=[moved("without the share", power=0), moved("with 11/10", gain=1.1)],
    **_RUN,
)
def the_mean_coefficient_grows_at_least_logarithmically(
    data: Dataset, net: TwoLayer, rate: float, *, power: int = 1, gain: float = 1.0
) -> Margin:
    r"""Amended: $\eta\|x_i\|^2|S_i^{(0)}|e^{-\beta}/(2nm^2)$ in place of $\eta\|x_i\|^2e^{-\beta}/(2nm)$, in both
    displays.

    The scale of the start is not shown necessary.
    """
    return _recursion_lower(data, net, rate, power, gain)


@claim(
    "kou2023.lemma_f2.sum_limit",
    "proof of Lemma F.2, part 2",
    kind=Kind.ASYMPTOTIC,
    given=GIVEN,
    assumes=GENERIC,
    recorded="supported",
    mutants=[moved("limit 1/2", limit=0.5), moved("limit 1001/1000", limit=1.001)],
    convention="read off the slope in log t at 10^20, to 10^-4",
)
def the_mean_coefficient_grows_like_the_logarithm(
    data: Dataset, net: TwoLayer, rate: float, *, limit: float = 1.0
) -> Margin:
    r"""$\lim_{t\to\infty}\frac1m\sum_{r\in S_i^{(0)}}\bar\rho^{(t)}_{y_i,r,i}/\log t=1$."""
    course = settled(data, net, rate, first=1e18, count=4)
    return at_most(np.abs(slopes(course, active_mean(course)) - limit), 1e-4, "distance of the slope from 1")
