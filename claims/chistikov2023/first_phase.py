r"""Section 4, the first phase: neurons of positive sign align, neurons of negative sign deactivate (Lemmas 3 to 5).

$\lambda$ is the one that Assumption 2 asks for. At such scales a neuron and its yardstick agree to round-off, so the
orders of crossings, norms and angles are read off the flow itself (`models.logpolar`), and distances between the two
are known to first order in $\lambda^2$ (`models.reference.yardstick_shift`) and compared by their logarithms; what is
neglected is smaller by another factor of about $\lambda^2$.
"""

from fractions import Fraction

import numpy as np
from hypothesis.strategies import SearchStrategy

from refute import Kind, Margin, all_of, at_most, claim, equal, less, moved, nothing, suppose, values, without
from refute.arithmetic.numbers import Number
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTIONS_1_AND_2,
    TRAINING_DATA,
    acute_pairs_proof,
    quarter_angle,
    small_scale,
)
from refute.functions import norm
from refute.models import Dataset
from refute.models.chistikov2023.smallness import yardsticks
from refute.models.chistikov2023.yardstick import Yardstick, end_of_alignment, gamma
from refute.models.chistikov2023.yardstick_shift import crossing_delays, log_lag_of_norms
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import Change
from refute.models.loss import SQUARE
from refute.strategies import Size, choice
from refute.strategies.chistikov2023.correlated import SETTING, correlated, start


def _one_negative(start: Balanced) -> Balanced:
    return Balanced(
        start.shape, np.array([*start.signs[:-1], Fraction(-1)], dtype=object), start.log_scale, start.slope
    )


@values(start.admits, start.nearest)
def _mixed_start(size: Size) -> SearchStrategy[Balanced]:
    return start(size).map(_one_negative)


NEGATIVE = correlated(start=_mixed_start, epsilon=choice("1/4", "1/8", "1/100"), width=(2, 3))
EPSILON = float(np.finfo(float).eps)


@claim(
    "chistikov2023.phase_1.alignment_direction_positive",
    "section 1, second contribution",
    given=correlated(),
    assumes=TRAINING_DATA,
    proof=acute_pairs_proof,
    cost=2.0,
    recorded="proved",
    convention="a sum of positive labels times products of two inputs, whose sign is what z3 proves",
    mutants=[without(quarter_angle), moved("cosine at least 1/2", cosine=Fraction(1, 2))],
)
def the_alignment_direction_is_positive_on_all_data(data: Dataset, *, cosine: Number = Fraction(0)) -> Margin:
    r"""$\gamma_{[n]}^\top x_i>0$ for all $i$, since all labels and all products $x_i^\top x_{i'}$ are positive."""
    push = gamma(data, np.ones(len(data.labels), dtype=int))
    sizes = np.array([norm(x) for x in data.inputs], dtype=object) * norm(push) if cosine else 0
    return less(cosine * sizes, data.inputs @ push, "<gamma, x_i>")


def _ways(start: Balanced, data: Dataset) -> dict[int, Yardstick]:
    return dict(yardsticks(start.shape, start.signs, data))


def _aligned(
    start: Balanced, data: Dataset, tolerance: float, *more: float
) -> tuple[dict[int, Yardstick], LogPolarTrajectory, float]:
    """The yardsticks by neuron, the flow up to T_0 (and the times given besides), and T_0."""
    ways = _ways(start, data)
    end = end_of_alignment(list(ways.values()))
    return ways, log_polar_flow(start, data, SQUARE, times=[end, *more], tolerance=1000 * tolerance), end


def _at(flow: LogPolarTrajectory, time: float) -> int:
    return int(np.argmin(np.abs(flow.time - time)))


@claim(
    "chistikov2023.lemma_3.i",
    "Lemma 3 (i)",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("in the opposite order", way=-1), moved("stage l has one point more", shift=1)],
    convention="the crossings of the flow up to T_0 and the sides at the times on the way",
)
def neurons_cross_the_points_of_their_yardsticks(
    data: Dataset, start: Balanced, tolerance: float, *, way: int = 1, shift: int = 0
) -> Margin:
    r"""For $j\in J_+\cup J_-$ there are $0=t_j^0<\dots<t_j^{n_j}$ such that
    $I_{s_j}(w_j^t)=I_{s_j}(z_j)\cup\{i_j^1,\dots,i_j^{\ell-1}\}$ for $t\in(t_j^{\ell-1},t_j^\ell)$: the order is that
    of the yardstick.
    """
    ways, flow, _ = _aligned(start, data, tolerance)
    wrong = misplaced = 0
    for j, one in ways.items():
        order = one.points[::way]
        mine = [event for event in flow.switches if event.neuron == j]
        wrong += tuple(event.point for event in mine) != order
        sides = np.sign(flow.direction[:, j] @ data.inputs.T)
        for k, time in enumerate(flow.time):
            passed = sum(event.time < time for event in mine)
            if passed < len(order) and all(abs(event.time - time) > 1e-9 * (1 + time) for event in mine):
                wanted = sides[0] == start.signs[j]
                wanted[list(order[: passed + shift])] = True
                misplaced += int(((sides[k] == start.signs[j]) != wanted).sum())
    return all_of(equal(wrong, 0, "neurons with another order"), equal(misplaced, 0, "points on the wrong side"))


@claim(
    "chistikov2023.lemma_3.ii",
    "Lemma 3 (ii)",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[
        without(small_scale),
        moved("two points at a crossing", at_once=2),
        moved("cosines to all inputs above 1/5 inside", cosine=0.2),
    ],
    convention="the crossings of the flow up to T_0 and the sides at the times on the way",
)
def neurons_cross_one_point_at_a_time(
    data: Dataset, start: Balanced, tolerance: float, *, at_once: int = 1, cosine: float = 0.0
) -> Margin:
    r"""$I_0(w_j^t)=\emptyset$ inside the stages, and $I_0(w_j^{t_j^\ell})=\{i_j^\ell\}$ at their ends, of which there
    are $n_j$.
    """
    ways, flow, _ = _aligned(start, data, tolerance)
    parts = [nothing("no crossing")]
    for j, one in ways.items():
        times = [event.time for event in flow.switches if event.neuron == j]
        parts.append(equal(len(times), len(one.times), "number of crossings against n_j"))
        parts += [equal(times.count(t), at_once, "points crossed at once") for t in times]
        inside = np.array(
            [t < max(times, default=0) and all(abs(t - other) > 1e-9 * (1 + t) for other in times) for t in flow.time]
        )
        cosines = np.abs(flow.direction[inside, j] @ (data.inputs / np.linalg.norm(data.inputs, axis=1)[:, None]).T)
        parts.append(
            less(cosine, cosines, "|cosine| to the inputs inside a stage", error=1e-12)
            if inside.any()
            else nothing("no stage")
        )
    return all_of(*parts)


@claim(
    "chistikov2023.lemma_3.iii",
    "Lemma 3 (iii)",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[
        moved("3 in place of the leading 1", lead=3.0),
        moved("exponent 2 + (1 + (3l-1)/(3n_j)) epsilon", lead=2.0, way=-1.0),
    ],
    convention="|t - tau| = |C| lambda^2 (1 + O(lambda^2)) with C from the linearised flow; logarithms are compared",
)
def neurons_cross_at_nearly_the_same_times(
    data: Dataset, start: Balanced, epsilon: float, *, lead: float = 1.0, way: float = 1.0
) -> Margin:
    r"""$|\tau_j^\ell-t_j^\ell|\le\lambda^{1-(1+\frac{3\ell-1}{3n_j})\varepsilon}$ for all $\ell\in[n_j]$."""
    parts = [nothing("no crossing")]
    for delays in crossing_delays(list(_ways(start, data).values()), data, tolerance=1e-6):
        order = np.arange(1, len(delays) + 1)
        bound = (lead - way * (1 + (3 * order - 1) / (3 * max(1, len(delays)))) * epsilon) * float(start.log_scale)
        gaps = np.log(np.maximum(np.abs(delays), 1e-300)) + 2 * float(start.log_scale)
        parts += [at_most(gaps, bound, "ln |t - tau|", error=1e-3)] if len(delays) else []
    return all_of(*parts)


@claim(
    "chistikov2023.lemma_4.norm",
    "Lemma 4",
    kind=Kind.DYNAMICS,
    given=NEGATIVE,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("at most nine tenths of it", factor=0.9), moved("for positive signs as well", signs=(1, -1))],
    convention="logarithms of the norms",
)
def deactivated_neurons_have_not_grown(
    data: Dataset, start: Balanced, tolerance: float, *, factor: float = 1.0, signs: tuple[int, ...] = (-1,)
) -> Margin:
    r"""$\|w_j^{T_0}\|\le\lambda\|z_j\|$ for all $j\in J_-$."""
    ways, flow, end = _aligned(start, data, tolerance)
    chosen = [j for j in ways if int(start.signs[j]) in signs]
    suppose(bool(chosen), "there is such a neuron")
    first = np.log(np.linalg.norm(start.shape[chosen], axis=1)) + float(start.log_scale)
    return at_most(flow.log_norm[_at(flow, end), chosen], first + np.log(factor), "ln |w_j(T_0)|", error=4 * flow.error)


@claim(
    "chistikov2023.lemma_4.frozen",
    "Lemma 4",
    kind=Kind.DYNAMICS,
    given=NEGATIVE,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("from T_0 - 11/10 on", earlier=1.1), moved("active on one input", most=-1e-3)],
    convention="a neuron that is inactive on all inputs has no gradient and by Assumption 1 (v) stays so; looked at "
    "from T_0 to T_1",
)
def deactivated_neurons_stay_where_they_are(
    data: Dataset, start: Balanced, epsilon: float, tolerance: float, *, earlier: float = 0.0, most: float = 0.0
) -> Margin:
    r"""$w_j^t=w_j^{T_0}$ for all $t\ge T_0$ and $j\in J_-$: its last active input has left by then."""
    end = end_of_alignment(list(_ways(start, data).values()))
    ways, flow, _ = _aligned(start, data, tolerance, max(0.0, end - earlier), _alignment_time(data, start, epsilon))
    chosen = [j for j in ways if start.signs[j] < 0]
    suppose(bool(chosen), "there is such a neuron")
    late = flow.time >= end - earlier - 1e-9
    seen = flow.direction[late][:, chosen]
    died = [any(event.neuron == j and event.change is Change.DIES for event in flow.switches) for j in chosen]
    return all_of(
        equal(int(sum(died)), len(chosen), "neurons of negative sign that deactivate"),
        at_most(np.einsum("tjd,nd->tjn", seen, data.inputs), most, "pre-activations from T_0 on", error=1e-12),
        equal(seen, seen[0], "directions from T_0 on", error=1e-12),
    )


def _alignment_time(data: Dataset, start: Balanced, epsilon: float) -> float:
    """T_1 = eps ln(1/lambda)/|gamma|."""
    return epsilon * -float(start.log_scale) / float(np.linalg.norm(gamma(data, np.ones(len(data.labels), dtype=int))))


@claim(
    "chistikov2023.phase_1.times_ordered",
    "sections 4 and 5",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[without(small_scale), moved("before the millionth part of T_1", part=1e-6)],
    convention='printed only as "up to a later time T_1"',
)
def alignment_begins_before_it_ends(data: Dataset, start: Balanced, epsilon: float, *, part: float = 1.0) -> Margin:
    r"""$T_0<T_1$, that is $\max_j\tau_j^{n_j}+1<\varepsilon\ln(1/\lambda)/\|\gamma_{[n]}\|$."""
    begin = end_of_alignment(list(_ways(start, data).values()))
    return less(begin, part * _alignment_time(data, start, epsilon), "T_0 against T_1", error=1e-9 * begin)


_POSITIVE = "w_j and lambda alpha_j agree to round-off at T_1; logarithms are compared"


def _living(data: Dataset, start: Balanced) -> list[tuple[int, Yardstick]]:
    return [(j, one) for j, one in _ways(start, data).items() if start.signs[j] > 0]


@claim(
    "chistikov2023.lemma_5.norm",
    "Lemma 5",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("4/5 in place of 2", factor=0.8), moved("lambda^{1 - epsilon/2}", share=0.5)],
    convention=_POSITIVE,
)
def norms_stay_small_up_to_the_end_of_alignment(
    data: Dataset, start: Balanced, epsilon: float, tolerance: float, *, factor: float = 2.0, share: float = 1.0
) -> Margin:
    r"""$\|w_j^{T_1}\|<2\|z_j\|\lambda^{1-\varepsilon}$ for all $j\in J_+$."""
    end, small = _alignment_time(data, start, epsilon), float(start.log_scale)
    flow = log_polar_flow(start, data, SQUARE, times=[end], tolerance=tolerance)
    chosen = [j for j, _ in _living(data, start)]
    bound = np.log(factor) + np.log(np.linalg.norm(start.shape[chosen], axis=1)) + (1 - share * epsilon) * small
    return less(flow.log_norm[_at(flow, end), chosen], bound, "ln |w_j(T_1)|", error=8 * EPSILON * abs(small))


@claim(
    "chistikov2023.lemma_5.cosine",
    "Lemma 5",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("1 - lambda^{3 epsilon}", power=3.0), moved("1 - lambda^{2 epsilon}/4", power=2.0, factor=0.25)],
    convention=_POSITIVE,
)
def neurons_align(data: Dataset, start: Balanced, epsilon: float, *, power: float = 1.0, factor: float = 1.0) -> Margin:
    r"""$\bar w_j^{T_1\top}\bar\gamma_{[n]}\ge1-\lambda^\varepsilon$ for all $j\in J_+$."""
    end, small = _alignment_time(data, start, epsilon), float(start.log_scale)
    gaps = np.array([max(one.log_one_minus_cosine_at(end), -1e300) for _, one in _living(data, start)])
    return at_most(gaps, np.log(factor) + power * epsilon * small, "ln(1 - cos)", error=8 * EPSILON * abs(small))


@claim(
    "chistikov2023.lemma_5.log_norm_tracking",
    "Lemma 5",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("lambda^{2 - epsilon}", lead=2.0, share=1.0), moved("lambda^{2 + 3 epsilon}", lead=2.0, share=-3.0)],
    convention="the difference is C lambda^2 e^{2|gamma|T_1} to leading order, with C from the linearised flow; "
    "logarithms are compared",
)
def norms_track_those_of_the_yardsticks(
    data: Dataset, start: Balanced, epsilon: float, *, lead: float = 1.0, share: float = 3.0
) -> Margin:
    r"""$|\ln\|\alpha_j^{T_1}\|-\ln\|w_j^{T_1}/\lambda\||\le\lambda^{1-3\varepsilon}$ for all $j\in J_+$."""
    small = float(start.log_scale)
    lag = log_lag_of_norms(list(_ways(start, data).values()), data, _alignment_time(data, start, epsilon)) + 2 * small
    return at_most(
        lag,
        (lead - share * epsilon) * small,
        "ln of the difference of logarithms",
        error=1e-2 + 8 * EPSILON * abs(small),
    )
