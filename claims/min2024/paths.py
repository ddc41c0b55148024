r"""Appendix C.2, total travel time: paths of activation counts $(k_+,k_-)$ and the slowest of them.

Condition (2) of a path is read in two ways. r1: as printed, for $l_1<l_2$ either $k_-^{(l_1)}>k_-^{(l_2)}$ or
$k_+^{(l_1)}<k_+^{(l_2)}$, which lets a count go back. r2: as the text says, positive data are only gained and negative
ones only lost.
"""

from fractions import Fraction

import numpy as np
from flint import arb

from refute import Assumption, Kind, Margin, all_of, at_most, claim, equal, moved
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.alignment import constants_and_scale, phase_run
from refute.claims.min2024.assumptions import SETTING
from refute.claims.min2024.constants import harmonic_proof
from refute.claims.min2024.training import ALL_LOSSES, DEEPEST, LOSSES, PARTS
from refute.decide.proof import by_smt, by_subdivision
from refute.decide.proof import steps as _all_steps
from refute.functions import log
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import Change
from refute.models.min2024.activation_paths import (
    Point,
    best_path,
    follows,
    is_path,
    maximal_path,
    record,
    steps,
    succeeds,
    travel_time,
)
from refute.models.min2024.alignment import at_scale
from refute.strategies import choice, count, sized
from refute.strategies.min2024 import paths as repair
from refute.strategies.min2024.separated import neurons, placed, separated_dataset
from refute.strategies.min2024.theory_scale import followable

PRINTED = repair.printed_path()
COUNTS = sized(positive=count(1, 7), negative=count(1, 7))
CASES = followable(
    placed(
        data=separated_dataset,
        start=neurons,
        loss=ALL_LOSSES,
        part=PARTS,
        dimension=(2, 3),
        samples=(2, 4),
        width=(2, 4),
    ),
    DEEPEST,
)
TOGETHER = 1e-9  # events closer than this, relative to the length of the run, are one


def _points(path: Array) -> list[Point]:
    return [(int(str(p)), int(str(q))) for p, q in path]


printed_conditions = Assumption(
    "path.printed_conditions",
    "conditions (1) to (4) of a path, (2) as printed",
    lambda positive, negative, path: equal(int(is_path(_points(path), positive, negative, follows)), 1, "is a path"),
    base=PRINTED,
    satisfy=repair.order_path,
    violate=repair.break_path,
)


def _records(data: Dataset, run: LogPolarTrajectory, start: Balanced) -> list[tuple[float, list[Point]]]:
    """For each neuron that reaches the cone of its sign: when, and the counts on the way (own class first)."""
    labels = [int(y) for y in data.labels]
    found = []
    for j, own in enumerate(run.signs):
        changes = [(one.time, one.point, one.change is Change.ENTERS) for one in run.switches if one.neuron == j]
        active = [bool(value > 0) for value in data.inputs @ start.shape[j]]
        path = record(active, changes, labels, int(own), TOGETHER * float(run.time[-1]))
        if path[-1] == (labels.count(int(own)), 0) and labels.count(int(own)):
            found.append((changes[-1][0] if changes else 0.0, path))
    return found


@claim(
    "min2024.sec_C.path_definition",
    "C.2: every neuron that reaches S_+ has an associated path",
    kind=Kind.DYNAMICS,
    given=CASES,
    assumes=SETTING,
    recorded="supported",
    mutants=[moved("the counts change by one at a time", unit=True), moved("a path has at least two points", least=2)],
    convention="reading r2 of (2), which implies r1; simultaneous changes are one step; the neurons of V_- with the "
    "classes exchanged",
    cost=0.5,
)
def the_record_of_a_neuron_is_a_path(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, unit: bool = False, least: int = 1
) -> Margin:
    r"""The counts of active data of a neuron of $\mathcal V_+$, until it is in $S_+$, stay in the grid, never go back,
    avoid $(0,0)$ and end at $(n_+,0)$. Neither assumption is shown necessary."""
    paths = [path for _, path in _records(data, phase_run(data, start, loss, part, tolerance), start)]
    sizes = {int(y): int((data.labels == y).sum()) for y in (1, -1)}
    wrong = [path for path in paths if not any(is_path(path, sizes[y], sizes[-y], succeeds) for y in (1, -1))]
    wrong += [path for path in paths if unit and any(step > 1 for step in steps(path))]
    wrong += [path for path in paths if len(path) < least]
    return equal(len(wrong), 0, f"records that are no paths, of {len(paths)}")


@claim(
    "min2024.sec_C.path_definition.r1",
    "C.2: condition (2) of a path",
    given=PRINTED,
    assumes=[printed_conditions],
    recorded="refuted",
)
def the_printed_condition_is_monotone(positive: int, negative: int, path: Array) -> Margin:
    r"""Conditions (1) to (4) as printed say that along a path positive data are only gained and negative ones only
    lost.

    Fails: of the two inequalities of (2) only one has to hold, so for $n_+=1$, $n_-=3$ the path $(0,1),(1,2),(1,0)$
    regains a negative datum.
    """
    return equal(int(is_path(_points(path), positive, negative, succeeds)), 1, "no count goes back")


@claim(
    "min2024.sec_C.path_max.r1",
    "C.2: P_max has the maximum length n; condition (2) as printed",
    given=PRINTED,
    assumes=[printed_conditions],
    recorded="refuted",
)
def printed_paths_have_at_most_n_steps(positive: int, negative: int, path: Array) -> Margin:
    r"""No path has more than $n=n_++n_-$ steps.

    Fails for $n_+=1$, $n_-=2$: $(0,2),(0,1),(1,2),(1,1),(1,0)$ meets (1) to (4) as printed and has four. Indeed all
    points but the origin, ordered by $k_+-k_-$, are a path.
    """
    return at_most(len(path) - 1, positive + negative, "length against n")


@claim(
    "min2024.sec_C.path_max.r2",
    "C.2: P_max has the maximum length n; no count goes back",
    given=COUNTS,
    recorded="supported",
    mutants=[moved("n - 1", more=-1), moved("n + 1", more=1)],
)
def monotone_paths_have_at_most_n_steps(positive: int, negative: int, *, more: int = 0) -> Margin:
    r"""The printed $P_{\max}$ is a path, has $n=n_++n_-$ steps, and no path has more (all of them, by dynamic
    programming).
    """
    path, longest = maximal_path(positive, negative), best_path(positive, negative, lambda k: Fraction(1))[0]
    return all_of(
        equal(int(is_path(path, positive, negative, succeeds)), 1, "P_max is a path"),
        equal(len(path) - 1, positive + negative + more, "steps of P_max against n"),
        equal(longest, positive + negative + more, "most steps of a path against n"),
    )


@claim(
    "min2024.sec_C.path_max.unique",
    "C.2: the path of maximum length is uniquely determined",
    given=COUNTS,
    recorded="refuted",
    convention="no count goes back (r2); read as: no other path has n steps",
)
def the_longest_path_is_unique(positive: int, negative: int) -> Margin:
    r"""Only one path has $n$ steps.

    Fails for $n_+=1$, $n_-=2$: besides $P_{\max}=(0,2),(0,1),(1,1),(1,0)$ also $(0,2),(1,2),(1,1),(1,0)$ has three.
    """
    return equal(best_path(positive, negative, lambda k: Fraction(1))[1], 1, "number of longest paths")


@claim(
    "min2024.sec_C.path_max.unique.amended",
    "C.2: the slowest path is uniquely determined",
    given=COUNTS,
    recorded="supported",
    mutants=[moved("the longest path is unique", power=0), moved("the path with the largest sum of counts", power=-1)],
)
def the_slowest_path_is_unique(positive: int, negative: int, *, power: int = 1) -> Margin:
    r"""Among the monotone paths only one has the largest travel time, and it is $P_{\max}$. Amended: time in place of
    length.
    """
    value, count = best_path(positive, negative, lambda k: Fraction(sum(k)) ** -power)
    slowest = travel_time(maximal_path(positive, negative))
    return all_of(
        equal(count, 1, "number of slowest paths"), equal(value, slowest, "largest travel time against that of P_max")
    )


@claim(
    "min2024.sec_C.path_dominance.r1",
    "C.2: P_max is the slowest path; condition (2) as printed",
    given=PRINTED,
    assumes=[printed_conditions],
    recorded="refuted",
)
def printed_paths_are_faster_than_the_maximal_one(positive: int, negative: int, path: Array) -> Margin:
    r"""$\mathcal T(P)\le\mathcal T(P_{\max})$ for every path.

    Fails for $n_+=1$, $n_-=2$: $(0,2),(0,1),(1,2),(1,1),(1,0)$ takes $\frac12+1+\frac13+\frac12=\frac73$, and
    $P_{\max}$ only 2.
    """
    return at_most(travel_time(_points(path)), travel_time(maximal_path(positive, negative)), "T(P) against T(P_max)")


@claim(
    "min2024.sec_C.path_dominance.r2",
    "C.2: P_max is the slowest path; no count goes back",
    given=COUNTS,
    recorded="supported",
    mutants=[
        moved("even with a part of the time", part=Fraction(99, 100)),
        moved("P_max without its start", skipped=1),
    ],
)
def monotone_paths_are_faster_than_the_maximal_one(
    positive: int, negative: int, *, part: Fraction = Fraction(1), skipped: int = 0
) -> Margin:
    r"""$\mathcal T(P)\le\mathcal T(P_{\max})$ for every path along which no count goes back (all of them, by dynamic
    programming).
    """
    slowest = best_path(positive, negative, lambda k: Fraction(1, sum(k)))[0]
    limit = travel_time(maximal_path(positive, negative)[skipped:])
    return at_most(slowest, limit * Fraction(str(part)), "largest T(P) against T(P_max)")


def _slowest_proof() -> str | None:
    r"""The points $(0,k)$, $(1,1)$, $(k,0)$ of $P_{\max}$ give the two sums and 1/2. With $H_m\le1+\log m$: for $n_+=1$
    the time is at most $\frac32+\log n_-\le3\log2+\log n$; else at most
    $\frac52+\log((n_+-1)n_-)\le\frac52-2\log2+2\log n\le4\log n$, as $n\ge3$.
    """
    import z3

    p, q = z3.Reals("p q")
    return _all_steps(
        harmonic_proof(),
        by_subdivision(lambda two: 3 * two.log() - arb(3) / 2, Fraction(2), Fraction(2)),
        by_smt(lambda: z3.Implies(z3.And(p >= 1, q >= 1), 4 * (p - 1) * q <= (p + q) * (p + q))),
        by_subdivision(lambda three: 2 * three.log() + 2 * arb(2).log() - arb(5) / 2, Fraction(3), Fraction(3)),
    )


@claim(
    "min2024.sec_C.path_max_time",
    "C.2, travel time of P_max",
    given=sized(positive=count(1, 50), negative=count(1, 50)),
    proof=_slowest_proof,
    recorded="proved",
    mutants=[
        moved("2 log n in place of 4 log n", factor=2),
        moved("sum to n_+ in place of n_+ - 1", upper=0),
        moved("without 1/2", half=Fraction(0)),
    ],
    convention="both classes have data; in units of 4 / (min{zeta, xi} sqrt(mu) X_min), in which t_1 is 4 log n",
)
def the_maximal_path_takes_less_than_t1(
    positive: int, negative: int, *, factor: int = 4, upper: int = -1, half: Number = Fraction(1, 2)
) -> Margin:
    r"""$\mathcal T(P_{\max})=\sum_{k=1}^{n_+-1}\frac1k+\frac12+\sum_{k=1}^{n_-}\frac1k\le4\log n$, $n=n_++n_-$,
    $n_\pm\ge1$.
    """
    time = half * 0 + _number(travel_time(maximal_path(positive, negative)), half)
    first = sum((half * 0 + _number(Fraction(1, k), half) for k in range(1, positive + upper + 1)), half * 0)
    second = sum((half * 0 + _number(Fraction(1, k), half) for k in range(1, negative + 1)), half * 0)
    return all_of(
        equal(time, first + half + second, "T(P_max) against the sums"),
        at_most(time, factor * log(half * 0 + positive + negative), "T(P_max) against 4 log n"),
    )


def _number(value: Fraction, like: Number) -> Number:
    """A fraction in the arithmetic of another number."""
    return (like * 0 + value.numerator) / value.denominator


def _arrivals(data: Dataset, start: Balanced, run: LogPolarTrajectory, rate: float, factor: float, late: int) -> Margin:
    found = [(time, path) for time, path in _records(data, run, start) if len(path) > 1]
    times = np.array([time for time, _ in found])
    bounds = np.array([factor / rate * float(travel_time(path[late:])) for _, path in found])
    return at_most(
        times,
        bounds,
        "time of arrival in the own cone against T(P)",
        error=run.error + TOGETHER * float(times.max(initial=0.0)),
    )


@claim(
    "min2024.sec_C.path_travel_time",
    "C.2: time of arrival in S_+ against the travel time of the path",
    kind=Kind.DYNAMICS,
    given=sized(tilt=choice("1/8", "1/1024", "1/134217728", "1/1099511627776"), loss=ALL_LOSSES),
    recorded="refuted",
    convention="data (1, 0), label 1, and (-1, 1/4), label -1; one positive neuron next to the negative datum; a "
    "scale below (28)",
)
def a_neuron_arrives_within_the_printed_travel_time(tilt: float, loss: str, tolerance: float) -> Margin:
    r"""A neuron of $\mathcal V_+$ that reaches $S_+$ does so by
    $\mathcal T(P)=\sum_l\frac4{\min\{\zeta,\xi\}\sqrt\mu X_{\min}(k_+^{(l)}+k_-^{(l)})}$, with
    $\zeta=\max\{\zeta_1,\zeta_2\}$.

    Fails: the path is $(0,1),(1,1),(1,0)$ whatever the tilt, and $\zeta\ge\zeta_1$, so $\mathcal T(P)\approx6.5$ for
    $\zeta_1$ near its supremum; but the neuron needs about $\log(2/\mathrm{tilt})$ to leave the neighbourhood of $x_-$.
    """
    data = Dataset(np.array([[1.0, 0.0], [-1.0, 0.25]]), np.array([1.0, -1.0]))
    start = Balanced(np.array([[-1 + tilt / 4, 0.25 + tilt]]), np.array([1.0]), Fraction(0), Fraction(0))
    constants, depth, _ = constants_and_scale(data, start, 0.99, printed=True)
    tiny = min(depth, -10_000.0)
    run = log_polar_flow(
        at_scale(start, tiny), data, LOSSES[loss], times=[float(constants.phase(tiny))], tolerance=tolerance
    )
    return _arrivals(data, start, run, float(constants.rate), 4.0, 0)


@claim(
    "min2024.sec_C.path_travel_time.amended",
    "C.2: time of arrival in S_+ against the travel time of the path, with the smaller zeta",
    kind=Kind.DYNAMICS,
    given=CASES,
    assumes=SETTING,
    recorded="supported",
    mutants=[moved("1/100 in place of 4", factor=0.01), moved("the path without its first point", late=1)],
    convention="T as long as (28) allows; neurons of V_- with the classes exchanged; neither assumption is shown "
    "necessary",
    cost=0.4,
)
def a_neuron_arrives_within_its_travel_time(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, factor: float = 4.0, late: int = 0
) -> Margin:
    r"""A neuron of $\mathcal V_+$ that reaches $S_+$ does so by $\mathcal T(P)$ of its own path, with
    $\zeta=\min\{\zeta_1,\zeta_2\}$.

    Amended: the smaller $\zeta$, which is what keeps the neuron out of $S^\zeta_{x_-}$ and that cone inside $S_-$.
    """
    constants, _, _ = constants_and_scale(data, start, part)
    return _arrivals(data, start, phase_run(data, start, loss, part, tolerance), float(constants.rate), factor, late)
