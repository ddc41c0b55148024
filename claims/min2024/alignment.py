r"""Section 3.3 and Appendix C.2: what neurons do during the alignment phase, from the scale (28) up to $t_1$ or $T$.

Runs start at the largest scale that (28) allows, with $\zeta=\min\{\zeta_1,\zeta_2\}$ unless the printed $\max$ is the
point.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_most, claim, equal, less, moved, nothing, without
from refute.claims.min2024.assumptions import SETTING, separated
from refute.claims.min2024.training import ALL_LOSSES, APPENDIX_LOSSES, DEEPEST, LOSSES, PARTS, units
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import ON_BOUNDARY, Change, Switch
from refute.models.min2024.alignment import Scales, at_scale, scales
from refute.models.min2024.cones import centre
from refute.strategies import choice, drawn, sized
from refute.strategies.min2024.separated import neurons, placed, separated_dataset
from refute.strategies.min2024.theory_scale import followable, head_for_dead_cone

Floats = NDArray[np.float64]
CASES = followable(placed(data=separated_dataset, start=neurons, loss=ALL_LOSSES, part=PARTS), DEEPEST)
_DYING = followable(
    placed(data=separated_dataset, start=neurons, loss=ALL_LOSSES, part=PARTS, dimension=(2, 3), samples=drawn(1, 3)),
    DEEPEST,
    repair=head_for_dead_cone,
)
UNSEPARATED_SCALE = -1000.0  # where mutants drop Assumption 1 there is no (28)


def constants_and_scale(
    data: Dataset, start: Balanced, part: float, printed: bool = False
) -> tuple[Scales, float, float]:
    """The constants, ln eps and the length of the alignment phase."""
    constants = scales(data, start, part, printed=printed)
    depth = float(constants.log_epsilon) if constants.mu > 0 else UNSEPARATED_SCALE
    return constants, depth, float(constants.phase(depth))


def phase_run(data: Dataset, start: Balanced, loss: str, part: float, tolerance: float) -> LogPolarTrajectory:
    """The flow through the whole alignment phase [0, T]."""
    _, depth, phase = constants_and_scale(data, start, part)
    return log_polar_flow(at_scale(start, depth), data, LOSSES[loss], times=[phase], tolerance=tolerance)


def _wrong_way(data: Dataset, run: LogPolarTrajectory, allowed: int) -> list[Switch]:
    """Changes other than: a datum of the neuron's class becomes active, one of the other class inactive."""
    right = {Change.ENTERS: allowed, Change.LEAVES: -allowed, Change.DIES: -allowed, Change.SLIDES: 0}
    return [one for one in run.switches if run.signs[one.neuron] * int(data.labels[one.point]) != right[one.change]]


@claim(
    "min2024.sec_3_3.activation_monotone",
    "Section 3.3, Activation pattern evolution",
    kind=Kind.DYNAMICS,
    given=CASES,
    assumes=SETTING,
    recorded="supported",
    mutants=[moved("positive neurons lose positive data", allowed=-1), without(separated)],
    convention="during [0, T]; a point at which a neuron dies counts as lost",
    cost=0.5,
)
def neurons_only_gain_their_class_and_lose_the_other(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, allowed: int = 1
) -> Margin:
    r"""A neuron with $v_j>0$ never loses a positive datum and never regains a negative one, and the mirror image for
    $v_j<0$.

    Assumption 2 is not shown necessary: a neuron aligned with the wrong centre never changes its pattern.
    """
    run = phase_run(data, start, loss, part, tolerance)
    return equal(len(_wrong_way(data, run, allowed)), 0, f"wrong changes among {len(run.switches)}")


@claim(
    "min2024.sec_3_3.at_most_n_changes",
    "Section 3.3, Bound on activation transitions and duration",
    kind=Kind.DYNAMICS,
    given=CASES,
    assumes=SETTING,
    recorded="supported",
    mutants=[
        moved("at most n - 1 changes", fewer=1),
        moved("at most n/2 changes", share=0.5),
        moved("n - 1 changes lead from one cone to the other", extreme=1),
    ],
    convention="changes are counted datum by datum, during [0, T]; simultaneous ones count each; neither assumption "
    "is shown necessary",
    cost=0.5,
)
def patterns_change_at_most_n_times(
    data: Dataset,
    start: Balanced,
    loss: str,
    part: float,
    tolerance: float,
    *,
    fewer: int = 0,
    share: float = 1.0,
    extreme: int = 0,
) -> Margin:
    r"""Each neuron changes its activation on at most n data; n changes lead from $S_-$ to $S_+$ (from $S_+$ to $S_-$
    for $v_j<0$).
    """
    run = phase_run(data, start, loss, part, tolerance)
    n, counts = len(data.labels), np.bincount([one.neuron for one in run.switches], minlength=len(run.signs))
    parts = [at_most(counts, share * n - fewer, "changes of each neuron against n")]
    for j in np.flatnonzero(counts >= max(n - extreme, 1)):
        own = data.labels == run.signs[j]
        wrong = int(((data.inputs @ start.shape[j] > 0) == own).sum()) + int(((run.sides[j] > 0) != own).sum())
        parts.append(
            equal(
                wrong,
                0,
                "data that n changes leave out: not of the other cone at the start, not of the own one at the end",
            )
        )
    return all_of(*parts)


def _stays(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, printed: bool, factor: float
) -> Margin:
    """How long each pattern of each unsettled neuron lasts, times its number of active data, against 4 / rate."""
    constants, depth, phase = constants_and_scale(data, start, part, printed)
    begin = at_scale(start, depth)
    seen = log_polar_flow(begin, data, LOSSES[loss], times=[phase], tolerance=tolerance)
    breaks = [
        [0.0, *sorted({one.time for one in seen.switches if one.neuron == j}), phase] for j in range(len(start.signs))
    ]
    middles = sorted({(a + b) / 2 for times in breaks for a, b in pairwise(times)})
    run = log_polar_flow(begin, data, LOSSES[loss], times=[*middles, phase], tolerance=tolerance)
    found = [0.0]
    for j, times in enumerate(breaks):
        for a, b in pairwise(times):
            middle = int(np.argmin(np.abs(run.time - (a + b) / 2)))
            active = units(data) @ run.direction[middle, j] > ON_BOUNDARY
            if (
                active.any() and (active != (data.labels == start.signs[j])).any()
            ):  # neither dead nor in the cone of its sign
                found.append((b - a) * int(active.sum()))
    line, apart = (
        "duration of a pattern times n_a against 4 / (min{zeta, xi} sqrt(mu) X_min)",
        2 * len(data.labels) * seen.error,
    )
    return at_most(np.array(found), factor / float(constants.rate), line, error=apart)


@claim(
    "min2024.sec_3_3.pattern_duration",
    "C.2, Bound on activation transitions and duration",
    kind=Kind.DYNAMICS,
    given=sized(tilt=choice("1/8", "1/1024", "1/134217728", "1/1099511627776"), loss=APPENDIX_LOSSES),
    recorded="refuted",
    convention="data (1, 0) and (-1, 0) with labels 1 and -1, one positive neuron (-1, tilt); the losses of the "
    "appendix",
)
def a_pattern_lasts_at_most_the_printed_time(tilt: float, loss: str, tolerance: float) -> Margin:
    r"""A pattern with $n_a$ active data of a neuron that is not settled ends within
    $\frac4{\min\{\zeta,\xi\}\sqrt\mu X_{\min}n_a}$, with $\zeta=\max\{\zeta_1,\zeta_2\}$.

    Fails in $S_-$: the time there grows like $\log(2/\mathrm{tilt})$, the printed one stays at $4/0.99$ since
    $\zeta\ge\zeta_1$. At tilt 1/1024 the neuron needs $\log2048\approx7.6$ where $4.04$ are allowed.
    """
    data = Dataset(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, -1.0]))
    start = Balanced(np.array([[-1.0, tilt]]), np.array([1.0]), Fraction(0), Fraction(0))
    return _stays(data, start, loss, 0.99, tolerance, printed=True, factor=4.0)


@claim(
    "min2024.sec_3_3.pattern_duration.amended",
    "C.2, Bound on activation transitions and duration",
    kind=Kind.DYNAMICS,
    given=CASES,
    assumes=SETTING,
    recorded="supported",
    mutants=[moved("1/10 in place of 4", factor=0.1), moved("1/20 in place of 4", factor=0.05)],
    convention="without Assumption 1 or 2 the right-hand side is not defined",
    cost=0.4,
)
def a_pattern_lasts_at_most_its_time(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, factor: float = 4.0
) -> Margin:
    r"""Amended: $\zeta=\min\{\zeta_1,\zeta_2\}$. Patterns of neurons outside $S_{\mathrm{sign}}\cup S_{dead}$, during
    $[0,T]$.
    """
    return _stays(data, start, loss, part, tolerance, printed=False, factor=factor)


@claim(
    "min2024.eq_29.output_small",
    "Eq. (29)",
    kind=Kind.DYNAMICS,
    given=CASES,
    assumes=SETTING,
    recorded="supported",
    mutants=[moved("square of the bound", power=2.0), moved("a thousandth of the bound", share=1e-3)],
    convention="during [0, T] from the largest scale of (28); not shown necessary: Assumption 2, which only makes "
    "zeta positive",
    cost=1.5,
)
def outputs_stay_small_during_the_alignment_phase(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, power: float = 1.0, share: float = 1.0
) -> Margin:
    r"""$\max_i|f(x_i;W(t),v(t))|\le\frac{\min\{\mu,\zeta,\xi\}\sqrt\mu X_{\min}}{4nX_{\max}}$ for $t\le T$.

    Lemma 3 alone gives twice this (`eq_29.output_small.r1`); the outputs are smaller than its bound by another factor
    $(\sqrt h\epsilon)^{1/2}$.
    """
    constants, _, _ = constants_and_scale(data, start, part)
    run = phase_run(data, start, loss, part, tolerance)
    bound = (
        min(constants.mu, constants.narrow)
        * np.sqrt(constants.mu)
        * constants.shortest
        / (4 * constants.n * constants.longest)
    )
    return at_most(
        np.abs(run.output).max(), share * float(bound) ** power, "largest |f| against the bound", error=run.output_error
    )


def _sine_squared(rows: Floats, c: Floats) -> Floats:
    """1 - cos^2 of the angles with c, without cancellation; 1 where the cosine is negative."""
    unit = c / np.linalg.norm(c)
    apart = np.linalg.norm(rows - unit, axis=-1) ** 2
    return np.where(rows @ unit > 0, apart * (1 - apart / 4), 1.0)


def _kept_out(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, printed: bool, widened: float
) -> Margin:
    """1 - cos^2 of each neuron with the centre of the other class, at all times of the phase, against zeta."""
    constants, depth, phase = constants_and_scale(data, start, part, printed)
    run = log_polar_flow(
        at_scale(start, depth), data, LOSSES[loss], times=np.linspace(0, phase, 9).tolist(), tolerance=tolerance
    )
    parts = [nothing("no neuron and no other class")]
    for j, s in enumerate(run.signs):
        c = np.asarray(centre(data, -int(s)), dtype=float)
        if c.any():
            squares, angle = _sine_squared(run.direction[:, j], c), len(c) * run.error
            error = (
                2 * float(np.sqrt(squares.min())) * angle + angle**2
            )  # of the smallest; the lower ends of the others are higher
            parts.append(
                less(widened * float(constants.zeta), squares, "zeta against 1 - cos^2(w_j, wrong centre)", error=error)
            )
    return all_of(*parts)


@claim(
    "min2024.sec_C.S_zeta_excluded",
    "C.2, second case",
    kind=Kind.DYNAMICS,
    given=followable(placed(data=separated_dataset, start=neurons, loss=ALL_LOSSES, part=PARTS), DEEPEST, printed=True),
    assumes=SETTING,
    recorded="refuted",
    cost=0.5,
)
def the_cone_of_the_larger_zeta_stays_empty(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float
) -> Margin:
    r"""During $[0,T]$ no neuron with $v_j>0$ is in $S^\zeta_{x_-}$ (and none with $v_j<0$ in $S^\zeta_{x_+}$),
    $\zeta=\max\{\zeta_1,\zeta_2\}$.

    Fails at $t=0$ already when $\zeta_1>\zeta_2$: (26) keeps neurons out of the smaller cone $S^{\zeta_2}$ only. For
    the datum (1, 2), y = 1, and a negative neuron along (0, 1), $\cos^2=\frac45$, $\zeta_1$ may be 0.99 and $\zeta_2$
    at most $\frac15$.
    """
    return _kept_out(data, start, loss, part, tolerance, printed=True, widened=1.0)


@claim(
    "min2024.sec_C.S_zeta_excluded.amended",
    "C.2, second case",
    kind=Kind.DYNAMICS,
    given=CASES,
    assumes=SETTING,
    recorded="supported",
    mutants=[moved("a cone three times as large", widened=3.0), moved("half as large again", widened=1.5)],
    convention="neither assumption can be dropped and leave zeta defined",
    cost=0.5,
)
def the_cone_of_the_smaller_zeta_stays_empty(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, widened: float = 1.0
) -> Margin:
    r"""Amended: $\zeta=\min\{\zeta_1,\zeta_2\}$."""
    return _kept_out(data, start, loss, part, tolerance, printed=False, widened=widened)


def _dying(data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, factor: float) -> Margin:
    constants, _, _ = constants_and_scale(data, start, part)
    run = phase_run(data, start, loss, part, tolerance)
    parts = [nothing("no neuron dies")]
    for one in run.switches:
        if one.change is Change.DIES:
            pre, own = data.inputs @ start.shape[one.neuron], data.labels == run.signs[one.neuron]
            harmonic = sum(1 / k for k in range(1, int((pre > 0).sum()) + 1))
            parts.append(at_most(pre[own], 0.0, "<w_j(0), x_i> on its own class: inactive from the start"))
            parts.append(
                at_most(
                    one.time, factor * harmonic / float(constants.rate), "time of death against the sum of 4 / (r k)"
                )
            )
    return all_of(*parts)


@claim(
    "min2024.sec_C.dead_travel_time.dynamics",
    "C.2, a neuron that reaches S_dead",
    kind=Kind.DYNAMICS,
    given=_DYING,
    assumes=SETTING,
    recorded="supported",
    mutants=[moved("3/10 in place of 4", factor=0.3), moved("at once", factor=0.0)],
    convention="zeta the smaller one; the sum over k up to the number of data active at the start, before it is "
    "bounded by t_1",
    cost=0.25,
)
def a_neuron_dies_within_its_travel_time(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, factor: float = 4.0
) -> Margin:
    r"""A neuron that reaches $S_{dead}$ sees no datum of its class at the start, and dies within
    $\sum_{k=1}^{n_a(w_j(0))}\frac4{rk}$.
    """
    return _dying(data, start, loss, part, tolerance, factor)
