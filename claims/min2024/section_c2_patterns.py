r"""Appendix C.2: how a neuron turns while its pattern is fixed, where it cannot go, and how long it takes to die.

With $r=\min\{\zeta,\xi\}\sqrt\mu X_{\min}$ the two cases of a fixed pattern are compared with (4), $\pm P_wx_a(w)$.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    bent,
    changed,
    derived,
    less,
    mutants,
    nothing,
    scaled,
    section,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import SETTING, in_s_minus, separated
from refute.claims.min2024.equations_26_28 import ZETA
from refute.claims.min2024.lemma_10 import scalar_equation
from refute.claims.min2024.lemma_11 import pull_is_long
from refute.claims.min2024.runs import BUSY, DYING, PRINTED_CASES, constants, phase, printed_constants, printed_phase
from refute.claims.min2024.states import longest
from refute.claims.min2024.training import APPENDIX_LOSSES, LOSSES, PARTS
from refute.decide.proof import by_smt, in_words, steps
from refute.functions import absolute, largest, minimum, norm, sign, smallest, sqrt, squared_norm
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import Change
from refute.models.min2024.alignment import Scales
from refute.models.min2024.cones import attraction, centre, in_dead, in_minus, in_plus, separation, xi_candidate
from refute.models.min2024.patterns import activity, squared_sines, unsettled
from refute.strategies.min2024.separated import placed, separated_dataset, vector
from refute.strategies.min2024.vectors import dyadic

FIRST, LAST = "the derivative against its first bound", "the first bound against the last"
_TURNING: dict[str, Any] = {
    "data": separated_dataset,
    "w": vector,
    "shares": dyadic(4, limit=1),
    "part": PARTS,
    "loss": APPENDIX_LOSSES,
    "samples": (1, 4),
}


@derived
def mu(data: Dataset) -> Number:
    """The separation of the data."""
    return separation(data)


@derived
def shortest(data: Dataset) -> Number:
    """X_min."""
    return smallest(np.array([norm(x) for x in data.inputs]))


@derived
def xi(data: Dataset, part: Number) -> Number:
    """A part of mu^2."""
    return part * xi_candidate(data)


@derived
def zeta(data: Dataset, w: Array, part: Number) -> Number:
    """A part of 1 - cos^2(w, x_-), so that w is outside of S^zeta."""
    c = centre(data, -1)
    return part * (1 - (w @ c) * (w @ c) / (squared_norm(w) * squared_norm(c)))


@derived
def count(data: Dataset, w: Array) -> int:
    """n_a, the number of active data."""
    return int((sign(data.inputs @ w) > 0).sum())


def _turning(w: Array, data: Dataset, outputs: Array, loss: str, toward: Array) -> Number:
    """d/dt cos(w, toward) of a positive neuron at these outputs."""
    active = (sign(data.inputs @ w) > 0).astype(int)
    push = (active * LOSSES[loss].residual(data.labels, outputs)) @ data.inputs
    across = push - ((w @ push) / squared_norm(w)) * w
    found: Number = (across @ toward) / norm(toward)
    return found


@derived
def outputs(data: Dataset, shares: Array, mu: Number, xi: Number, shortest: Number, longest: Number) -> Array:
    """Outputs of any size and sign that (29) allows, with zeta = 1."""
    n = len(data.labels)
    found: Array = shares[:n] * (minimum(mu, xi) * sqrt(mu) * shortest / (4 * n * longest))
    return found


@derived
def smaller_outputs(outputs: Array, mu: Number, xi: Number, zeta: Number) -> Array:
    """The same for a zeta that may be smaller."""
    found: Array = outputs * (minimum(minimum(mu, xi), zeta) / minimum(mu, xi))
    return found


@derived
def slip(data: Dataset, outputs: Array, longest: Number) -> Number:
    """2 n X_max max |f|."""
    return 2 * len(data.labels) * longest * largest(absolute(outputs))


@derived
def smaller_slip(data: Dataset, smaller_outputs: Array, longest: Number) -> Number:
    """The same at the smaller outputs."""
    return 2 * len(data.labels) * longest * largest(absolute(smaller_outputs))


@derived
def floor(mu: Number, count: int, shortest: Number) -> Number:
    """sqrt(mu) n_a X_min / 2."""
    return sqrt(mu) * count * shortest / 2


def _between(fields: Mapping[str, Any]) -> bool:
    w, data = fields["w"], fields["data"]
    return not (in_plus(w, data) or in_minus(w, data) or in_dead(w, data))


fixed = section(
    "min2024",
    "sec_C",
    derived=[mu, xi, zeta, shortest, longest, count, outputs, smaller_outputs, slip, smaller_slip, floor],
    recorded="supported",
)


def _turning_proof(gap: str) -> str | None:
    """Lemmas 10 and 11 and (29), with g the least of 1 - cos^2 and A the length of the attraction."""
    import z3

    sine, g, A, slip, floor = z3.Reals("sine g A slip floor")
    given = z3.And(sine >= g, g > 0, 2 * floor <= A, floor >= 0, slip <= g * floor)
    return steps(
        scalar_equation(),
        in_words(
            "so d/dt cos >= (1 - cos^2) A - slip, with slip = 2 n X_max max |f|, and likewise with both signs turned"
        ),
        in_words(gap),
        pull_is_long(),
        in_words("A >= sqrt(mu) n_a X_min = 2 floor, and (29) makes the slip at most g floor, since n_a >= 1"),
        by_smt(lambda: z3.Implies(given, sine * A >= g * A), "the first link"),
        by_smt(lambda: z3.Implies(given, g * A - slip >= g * floor), "the second link"),
    )


def _growth_proof() -> str | None:
    return _turning_proof("1 - cos^2(w, x_a) >= mu^2 >= xi by Lemma 9, as w is in no cone and x_a in K")


def _escape_proof() -> str | None:
    return _turning_proof("1 - cos^2(w, x_-) >= zeta, as w is outside of S^zeta; in S_- the attraction is -x_-")


@fixed.claim(
    "fixed_pattern_growth",
    "C.2, first case",
    given=placed(**_TURNING | {"samples": (2, 4), "dimension": (2, 3)}).filter(_between),
    assumes=[separated],
    proof=_growth_proof,
    recorded="proved",
    cost=8.0,
)
@mutants(changed("3/2 xi in the first link", xi=lambda xi: 3 * xi / 2), scaled("5/2", LAST))
def a_neuron_between_the_cones_turns_to_its_attraction(
    data: Dataset, w: Array, loss: str, xi: Number, outputs: Array, slip: Number, floor: Number
) -> Margin:
    r"""$\frac d{dt}\cos(w_j,x_a)\ge\xi\|x_a\|-2nX_{\max}\max_i|f(x_i)|\ge\xi\sqrt\mu n_aX_{\min}/2$ for $v_j>0$,
    pattern fixed.

    Convention: pointwise, at outputs of any size and sign that (29) allows, with the largest such bound (zeta = 1); w
    is in none of the three cones.
    """
    a = attraction(w, data)
    bound = xi * norm(a) - slip
    return all_of(at_least(_turning(w, data, outputs, loss, a), bound, FIRST), at_least(bound, xi * floor, LAST))


@fixed.claim(
    "fixed_pattern_escape",
    "C.2, second case",
    given=placed(**_TURNING).filter(lambda case: -1 in case["data"].labels),
    assumes=[separated, in_s_minus],
    proof=_escape_proof,
    recorded="proved",
    cost=3.0,
)
@mutants(changed("2 zeta in the first link", zeta=lambda zeta: 2 * zeta), scaled(3, LAST))
def a_neuron_in_the_wrong_cone_turns_away_from_its_centre(
    data: Dataset, w: Array, loss: str, zeta: Number, smaller_outputs: Array, smaller_slip: Number, floor: Number
) -> Margin:
    r"""$w_j\in S_-\setminus S^\zeta_{x_-}$, $v_j>0$: $\frac
    d{dt}\cos(w_j,x_-)\le-\zeta\|x_-\|+2nX_{\max}\max_i|f(x_i)|\le-\zeta\sqrt\mu n_aX_{\min}/2$.

    Convention: pointwise, at outputs of any size and sign that (29) allows; zeta is a part of 1 - cos^2(w, x_-), so
    that w is outside S^zeta.
    """
    c = centre(data, -1)
    bound = -zeta * norm(c) + smaller_slip
    turning = _turning(w, data, smaller_outputs, loss, c)
    return all_of(at_most(turning, bound, FIRST), at_most(bound, -zeta * floor, LAST))


during = section("min2024", "sec_C", kind=Kind.DYNAMICS, assumes=SETTING, recorded="supported", cost=0.5)


def _sines(run: LogPolarTrajectory, data: Dataset, start: Balanced) -> list[Enclosed]:
    """1 - cos^2 with the centre of the other class at all times, of the neurons that are not settled at the start."""
    seen = activity(start.shape / np.linalg.norm(start.shape, axis=1)[:, None], data)
    there = [j for j, s in enumerate(run.signs) if (data.labels == -s).any()]
    return [squared_sines(run, data, j) for j in there if unsettled(seen[j], int(run.signs[j]), data)]


@derived
def sines(phase: LogPolarTrajectory, data: Dataset, start: Balanced) -> list[Enclosed]:
    """1 - cos^2 with the centre of the other class during [0, T], of the neurons that are not settled at the start."""
    return _sines(phase, data, start)


@derived
def printed_sines(printed_phase: LogPolarTrajectory, data: Dataset, start: Balanced) -> list[Enclosed]:
    """The same from the scale that the larger zeta allows."""
    return _sines(printed_phase, data, start)


def _kept_out(sines: list[Enclosed], zeta: Number) -> Margin:
    parts = [less(float(zeta), each, "zeta against 1 - cos^2(w_j, wrong centre)") for each in sines]
    return all_of(*parts, nothing("no neuron is unsettled"))


@during.claim(
    "S_zeta_excluded",
    "C.2, second case",
    given=PRINTED_CASES,
    derived=[printed_constants, printed_phase, printed_sines],
    recorded="refuted",
    fault=Fault.WRONG,
    root=ZETA,
)
def the_cone_of_the_larger_zeta_stays_empty(printed_sines: list[Enclosed], printed_constants: Scales) -> Margin:
    r"""During $[0,T]$ no neuron with $v_j>0$ is in $S^\zeta_{x_-}$ (and none with $v_j<0$ in $S^\zeta_{x_+}$),
    $\zeta=\max\{\zeta_1,\zeta_2\}$.

    Fails at $t=0$ already when $\zeta_1>\zeta_2$: (26) keeps neurons out of the smaller cone $S^{\zeta_2}$ only. For
    the datum (1, 2), y = 1, and a negative neuron along (0, 1), $\cos^2=\frac45$, $\zeta_1$ may be 0.99 and $\zeta_2$
    at most $\frac15$.

    Convention: as in (26), zeta_1 and zeta_2 are parts of their largest values.
    """
    return _kept_out(printed_sines, printed_constants.zeta)


@during.claim("S_zeta_excluded.amended", "C.2, second case", given=BUSY, derived=[constants, phase, sines])
@mutants(
    bent("a cone three times as large", left=lambda zeta: 3 * zeta),
    bent("half as large again", left=lambda zeta: 1.5 * zeta),
)
def the_cone_of_the_smaller_zeta_stays_empty(sines: list[Enclosed], constants: Scales) -> Margin:
    r"""Amended: $\zeta=\min\{\zeta_1,\zeta_2\}$.

    Convention: of neurons that start neither dead nor in their own cone; others never come near; neither assumption can
    be dropped and leave zeta defined.
    """
    return _kept_out(sines, constants.zeta)


@during.claim(
    "dead_travel_time.dynamics", "C.2, a neuron that reaches S_dead", given=DYING, derived=[constants, phase], cost=0.25
)
@mutants(scaled("3/40", "time of death"), scaled(0, "time of death"))
def a_neuron_dies_within_its_travel_time(
    data: Dataset, start: Balanced, phase: LogPolarTrajectory, constants: Scales
) -> Margin:
    r"""A neuron that reaches $S_{dead}$ sees no datum of its class at the start, and dies within
    $\sum_{k=1}^{n_a(w_j(0))}\frac4{rk}$.

    Convention: zeta the smaller one; the sum over k up to the number of data active at the start, before it is bounded
    by t_1.
    """
    parts = [nothing("no neuron dies")]
    for one in phase.switches:
        if one.change is Change.DIES:
            pre, own = data.inputs @ start.shape[one.neuron], data.labels == phase.signs[one.neuron]
            harmonic = sum(1 / k for k in range(1, int((pre > 0).sum()) + 1))
            time = Enclosed(one.time, phase.error)
            parts.append(at_most(pre[own], 0, "<w_j(0), x_i> on its own class: inactive from the start"))
            parts.append(at_most(time, 4 * harmonic / float(constants.rate), "time of death"))
    return all_of(*parts)
