r"""Theorem 1, second part, along runs from the scale (28) to small loss, with $\zeta=\min\{\zeta_1,\zeta_2\}$ and $t_1$
of Appendix C.2.

$t_2$ is where an output first exceeds 1/4, located to within the error of the run.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, claim, equal, less, moved, nothing, without
from refute.claims.min2024.fitting import FITS, FITTING, Fit, aligned_run, both_seen, fit_run
from refute.claims.min2024.training import LOSSES, units
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import ON_BOUNDARY
from refute.models.min2024.alignment import scales

Floats = NDArray[np.float64]
_COARSE = 1e3  # the bounds below have much room: a run a thousand times coarser decides them


def _run(data: Dataset, start: Balanced, loss: str, part: float, tolerance: float) -> Fit:
    return fit_run(data, start, loss, part, _COARSE * tolerance)


def _never() -> Margin:
    return at_least(-1, 0, "t_2 is infinite: the outputs of one class never exceed 1/4")


@claim(
    "min2024.remark.linear_subnetworks",
    "Final convergence and low-rank bias",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[
        moved("also the dead neurons are linear on the data", all_neurons=True),
        moved("each class is fitted by the other neurons", turned=-1),
    ],
    convention="from t_1 on",
    cost=1.0,
)
def each_class_is_fitted_by_a_linear_network(
    data: Dataset,
    start: Balanced,
    loss: str,
    part: float,
    tolerance: float,
    *,
    all_neurons: bool = False,
    turned: int = 1,
) -> Margin:
    r"""After $t_1$ the output on a datum is $\sum_jv_j\langle w_j,x_i\rangle$ over the neurons in the cone of its
    class: linear, and the others
    do not act on it.
    """
    fit = _run(data, start, loss, part, tolerance)
    return equal(
        fit.output,
        _linear(fit, turned, all_neurons),
        "f(x_i) against the linear network of its class",
        error=fit.output_error,
    )


def _linear(fit: Fit, turned: int = 1, all_neurons: bool = False) -> Floats:
    """sum_{j in the cone of the class of x_i} v_j <w_j, x_i> at every time."""
    found = np.zeros_like(fit.output)
    for label in (1, -1):
        own = fit.of_class(label)
        chosen = np.arange(len(fit.signs)) if all_neurons else fit.members(turned * label)
        mass = fit.signs[chosen] * np.exp(2 * fit.log_norm[:, chosen])
        found[:, own] = np.einsum("tj,tjd,id->ti", mass, fit.direction[:, chosen], fit.data.inputs[own])
    return found


@claim(
    "min2024.eq_32.decomposition",
    "Eq. (32)",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("the cones exchanged", turned=-1), moved("the positive class twice", doubled=2.0)],
    convention="from t_1 on",
    cost=1.0,
)
def the_loss_splits_into_two_linear_problems(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, turned: int = 1, doubled: float = 1.0
) -> Margin:
    r"""$\mathcal L=\mathcal L_++\mathcal L_-$, each the loss of a linear network on one class, made of the neurons in
    the cone of that class.
    """
    fit = _run(data, start, loss, part, tolerance)
    linear = replace(fit, output=_linear(fit, turned))
    split = doubled * linear.losses(1) + linear.losses(-1)
    return equal(fit.total, split, "loss against L_+ + L_-", error=2 * len(data.labels) * fit.output_error)


@claim(
    "min2024.remark.correct_classification_at_t1",
    "Final convergence and low-rank bias",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("already at the start", early=True), moved("the other way round", turned=-1.0), without(both_seen)],
    convention="in logarithms, since the outputs underflow",
    cost=0.3,
)
def all_data_are_classified_correctly_at_t1(
    data: Dataset,
    start: Balanced,
    loss: str,
    part: float,
    tolerance: float,
    *,
    early: bool = False,
    turned: float = 1.0,
) -> Margin:
    r"""At $t_1$ every datum has $y_if(x_i)>0$, if a neuron reaches $S_+$ and one $S_-$."""
    run = aligned_run(data, start, loss, part, tolerance)
    k = 0 if early else -1
    with np.errstate(divide="ignore"):
        each = 2 * run.log_norm[k] + np.log(np.maximum(units(data) @ run.direction[k].T - ON_BOUNDARY, 0.0))
        parts = [np.logaddexp.reduce(np.where(run.signs == s, each, -np.inf), axis=1) for s in (1, -1)]
    plus, minus = parts
    quotient = np.where(
        np.isinf(plus) & np.isinf(minus), -data.labels, np.clip(np.nan_to_num(plus - minus, nan=0.0), -1e3, 1e3)
    )  # f = 0 is wrong
    return less(
        0.0,
        turned * data.labels * quotient,
        "0 against y_i ln(positive part of f(x_i) / negative part)",
        error=2 * run.error,
    )


@claim(
    "min2024.sec_D.t1_before_t2",
    "D.2",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("the outputs are below 1e-80 until t_1", level=1e-80), moved("100 t_1 <= t_2", times=100.0)],
    cost=1.0,
)
def outputs_are_below_a_quarter_until_t1(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, level: float = 0.25, times: float = 1.0
) -> Margin:
    r"""$t_1\le\min\{t_2^+,t_2^-\}$: no output of either class exceeds 1/4 before $t_1$."""
    fit = _run(data, start, loss, part, tolerance)
    first = min(fit.crossing(1), fit.crossing(-1))
    quiet = np.abs(fit.aligned.output).max()
    return all_of(
        at_most(quiet, level, "largest |f(x_i)| up to t_1", error=fit.aligned.output_error),
        at_most(times * fit.t1, fit.time[min(first, len(fit.time) - 1)], "t_1 against t_2", error=fit.time_error),
    )


@claim(
    "min2024.lemma_13.norm_lower_bound",
    "Lemma 13",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("e^{+n X_max t_1}", factor=-1.0), moved("norms never shrink", speed=0.0)],
    convention="in logarithms, for each neuron and hence for sums; the inner step (the speed) at all recorded times "
    "up to t_1",
    cost=0.3,
)
def norms_shrink_at_most_exponentially(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, factor: float = 4.0, speed: float = 4.0
) -> Margin:
    r"""$\|w_j(t_1)\|^2\ge e^{-4nX_{\max}t_1}\|w_j(0)\|^2$, so the same for the sums over $\tilde{\mathcal V}_\pm$; and
    $\frac d{dt}\|w_j\|^2\ge-4nX_{\max}\|w_j\|^2$ before $t_1$.
    """
    run = aligned_run(data, start, loss, part, tolerance)
    constants = scales(data, start, part, printed=False)
    rate = constants.n * constants.longest
    gates = run.direction @ data.inputs.T > ON_BOUNDARY
    push = (gates * LOSSES[loss].residual(data.labels, run.output)[:, None, :]) @ data.inputs
    growth = 2 * run.signs * (push * run.direction).sum(axis=-1)
    change = 2 * (run.log_norm[-1] - run.log_norm[0])
    return all_of(
        at_least(
            change,
            -factor * rate * float(constants.alignment_time),
            "ln(|w_j(t_1)|^2 / |w_j(0)|^2)",
            error=2 * run.error,
        ),
        at_least(growth, -speed * rate, "d/dt ln |w_j|^2 against -4 n X_max", error=1e-9 * rate),
    )


@claim(
    "min2024.lemma_14.norm_monotone",
    "Lemma 14, Eq. (30)",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("norms shrink", turned=-1.0), moved("at a rate above 1/10", least=0.1)],
    convention="t_2 is any time after t_1 here, as printed",
    cost=1.0,
)
def norms_do_not_shrink_after_t1(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, turned: float = 1.0, least: float = 0.0
) -> Margin:
    r"""$\sum_{j\in\tilde{\mathcal V}_\pm}\|w_j\|^2$ does not decrease after $t_1$."""
    fit = _run(data, start, loss, part, tolerance)
    parts = []
    for label in (1, -1):
        push, u = label * fit.push(label), fit.direction[:, fit.members(label)]
        size = np.linalg.norm(push, axis=1)
        growth = np.einsum("td,tjd->tj", push, u) / size[:, None]
        parts.append(at_least(turned * growth, 0.0, "d/dt ln |w_j| in units of the push", error=4 * fit.error))
        parts.append(
            at_least(
                turned * np.diff(fit.log_mass(label)),
                0.0,
                "growth of ln sum |w_j|^2 between two times",
                error=4 * fit.error,
            )
        )
        parts.append(
            at_least(growth.min(axis=1) * size, least, "d/dt ln |w_j|", error=4 * fit.error * float(size.max()))
        )
    return all_of(*parts)


@claim(
    "min2024.eq_34.norm_floor",
    "Eqs. (33), (34), (35)",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("1/2 in place of 1/4", quarter=0.5), without(both_seen)],
    convention="i_+ is the datum with the largest output when the class first exceeds 1/4; at all recorded times "
    "after t_2, at which the "
    "bound may be an equality",
    cost=1.0,
)
def norms_stay_above_a_floor_after_t2(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, quarter: float = 0.25
) -> Margin:
    r"""$\sum_{j\in\tilde{\mathcal V}_\pm}\|w_j(t)\|^2\ge\frac1{4\|x_{i_\pm}\|}\ge\frac1{4X_{\max}}$ for $t\ge t_2$ and
    some $i_\pm\in\mathcal I_\pm$.
    """
    fit = _run(data, start, loss, part, tolerance)
    if fit.second >= len(fit.time):
        return _never()
    parts = []
    for label in (1, -1):
        own = fit.of_class(label)
        loudest = own[np.argmax(np.abs(fit.output[fit.crossing(label), own]))]
        size = float(np.linalg.norm(data.inputs[loudest]))
        mass = np.exp(fit.log_mass(label)[fit.second + 1 :])
        parts.append(
            at_least(
                size * mass,
                quarter,
                "|x_i| sum |w_j|^2 against 1/4",
                error=4 * size * float(mass.max(initial=0.0)) * fit.error,
            )
        )
        parts.append(at_most(size, fit.constants.longest, "|x_i| against X_max", error=1e-12 * size))
    return all_of(*parts)


@claim(
    "min2024.sec_D.loss_ode",
    "D.2, display after (35)",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[
        moved("first link ten times as strong", first=10.0),
        moved("floor 1/2 in the second link", floor=0.5),
        moved("(L_+ + L_-)^2 <= L_+^2 + L_-^2", halves=1.0),
    ],
    convention="all three losses; each link by itself, at all recorded times after t_2",
    cost=1.0,
)
def the_loss_obeys_a_differential_inequality(
    data: Dataset,
    start: Balanced,
    loss: str,
    part: float,
    tolerance: float,
    *,
    first: float = 1.0,
    floor: float = 0.25,
    halves: float = 0.5,
) -> Margin:
    r"""$4\dot{\mathcal L}\le-\gamma^2(\sum_{\tilde{\mathcal V}_+}v_j^2\mathcal L_+^2+\sum_{\tilde{\mathcal
    V}_-}v_j^2\mathcal L_-^2) \le-\frac{\gamma^2}{4X_{\max}}(\mathcal L_+^2+\mathcal
    L_-^2)\le-\frac{\gamma^2}{8X_{\max}}\mathcal L^2$ for $t\ge t_2$, $\gamma=\mu X_{\min}$.
    """
    fit = _run(data, start, loss, part, tolerance)
    k, c = fit.second + 1, fit.constants
    if k >= len(fit.time):
        return _never()
    gamma = (c.mu * c.shortest) ** 2
    plus, minus = fit.losses(1)[k:], fit.losses(-1)[k:]
    weighted = np.exp(fit.log_mass(1)[k:]) * plus**2 + np.exp(fit.log_mass(-1)[k:]) * minus**2
    squares = plus**2 + minus**2
    error = 20 * (fit.error + fit.output_error)  # of ratios of smooth functions of the state
    return all_of(
        at_least(
            -4 * fit.loss_speed[k:] / (gamma * weighted),
            first,
            "-4 dL/dt over gamma^2 times the weighted squares",
            error=error,
        ),
        at_least(
            weighted * c.longest / squares, floor, "X_max times the weighted squares over L_+^2 + L_-^2", error=error
        ),
        at_least(squares / (plus + minus) ** 2, halves, "(L_+^2 + L_-^2) / L^2"),
    )


@claim(
    "min2024.eq_39.t2_explicit",
    "Eqs. (36), (39)",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("a tenth of the bound", share=0.1), without(both_seen)],
    convention="all three losses; zeta in t_1 is the smaller one",
    cost=1.0,
)
def both_classes_are_fitted_by_the_explicit_time(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, share: float = 1.0
) -> Margin:
    r"""$t_2^\pm\le t_1+\frac6{\sqrt\mu n_\pm X_{\min}}+\frac4{\sqrt\mu n_\pm
    X_{\min}}\big(\log\frac2{\epsilon^2\sqrt\mu X_{\min}W_{\min}^2}+4nX_{\max}t_1\big)$.
    """
    fit = _run(data, start, loss, part, tolerance)
    c = fit.constants
    if fit.second >= len(fit.time):
        return _never()
    bracket = np.log(2 / (np.sqrt(c.mu) * c.shortest * c.least**2)) - 2 * fit.log_epsilon + 4 * c.n * c.longest * fit.t1
    slow = [np.sqrt(c.mu) * len(fit.of_class(label)) * c.shortest for label in (1, -1)]
    bounds = np.array([share * (fit.t1 + 6 / one + 4 / one * bracket) for one in slow])
    times = np.array([fit.time[fit.crossing(label)] for label in (1, -1)])
    return at_most(times, bounds, "t_2^+ and t_2^- against their bounds", error=fit.time_error)


def _window(fit: Fit, label: int) -> tuple[slice, float]:
    """The recorded times in [t_1', t_2^+], t_1' = t_1 + 6 / (sqrt(mu) n_+ X_min), and sqrt(mu) n_+ X_min."""
    slow = float(np.sqrt(fit.constants.mu)) * len(fit.of_class(label)) * float(fit.constants.shortest)
    begin = int(np.searchsorted(fit.time, fit.t1 + 6 / slow))
    return slice(begin, fit.crossing(label)), slow


@claim(
    "min2024.sec_D.norm_growth_late",
    "D.2",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("1 in place of 1/4", share=1.0), moved("norms shrink", turned=-1.0)],
    convention="all three losses, although (40) fails for that of the main text; at recorded times between t_1' and "
    "t_2^+ (t_2^-)",
    cost=1.0,
)
def norms_grow_exponentially_before_t2(
    data: Dataset,
    start: Balanced,
    loss: str,
    part: float,
    tolerance: float,
    *,
    share: float = 0.25,
    turned: float = 1.0,
) -> Margin:
    r"""$\frac d{dt}\sum_{\tilde{\mathcal V}_\pm}\|w_j\|^2\ge\frac{\sqrt\mu n_\pm X_{\min}}4\sum_{\tilde{\mathcal
    V}_\pm}\|w_j\|^2$ for $t_1'\le t\le t_2^\pm$.
    """
    fit = _run(data, start, loss, part, tolerance)
    parts = []
    for label in (1, -1):
        window, slow = _window(fit, label)
        members = fit.members(label)
        growth = 2 * label * np.einsum("td,tjd->tj", fit.push(label), fit.direction[:, members])
        share_of = np.exp(2 * fit.log_norm[:, members] - fit.log_mass(label)[:, None])
        speed = (share_of * growth).sum(axis=1)[window]
        parts.append(
            at_least(
                turned * speed, share * slow, "d/dt ln sum |w_j|^2 against sqrt(mu) n X_min / 4", error=1e-5 * slow
            )
        )
    return all_of(*parts)


@claim(
    "min2024.sec_D.norm_cap_at_t2",
    "D.2, before (39)",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("a twentieth of the last bound", cap=0.05), moved("cosines above 1", cosine=1.01)],
    convention="at the last recorded time before t_2^+ (t_2^-)",
    cost=1.0,
)
def norms_are_capped_at_t2(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, cap: float = 1.0, cosine: float = 0.25
) -> Margin:
    r"""At $t_2^\pm$:
    $\frac14\ge\frac1{n_\pm}\sum_if(x_i)=\frac1{n_\pm}\sum_j\|w_j\|^2\cos(w_j,x_\pm)\|x_\pm\|\ge\frac14\sqrt\mu
    X_{\min}\sum_j\|w_j\|^2$, so $\sum_{\tilde{\mathcal V}_\pm}\|w_j\|^2\le\frac1{\sqrt\mu X_{\min}}$.
    """
    fit = _run(data, start, loss, part, tolerance)
    parts = []
    for label in (1, -1):
        window, slow = _window(fit, label)
        k = window.stop - 1
        if window.start > k:
            continue
        own, centre_size = fit.of_class(label), float(np.linalg.norm(data.inputs[fit.of_class(label)].sum(axis=0)))
        mass = np.exp(2 * fit.log_norm[k, fit.members(label)])
        average = label * fit.output[k, own].mean()
        error = 10 * (fit.output_error + centre_size * float(mass.sum()) * fit.error)
        parts += [
            at_most(average, 0.25, "average output against 1/4", error=error),
            equal(
                average,
                float(mass @ fit.cosines(label)[k]) * centre_size / len(own),
                "average output in terms of cosines",
                error=error,
            ),
            at_least(fit.cosines(label)[k], cosine, "cos(w_j, x_+) against 1/4", error=fit.error),
            at_least(
                average,
                0.25 * slow / len(own) * float(mass.sum()),
                "average output against sqrt(mu) X_min sum |w_j|^2 / 4",
                error=error,
            ),
            at_most(float(mass.sum()) * slow / len(own), cap, "sqrt(mu) X_min sum |w_j|^2 against 1", error=error),
        ]
    return all_of(*parts, nothing("nothing recorded between t_1' and t_2"))
