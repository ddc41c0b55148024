r"""Neurons inside their cone: trapping (Lemma 12), the refined alignment with $x_\pm$, (37), (38), and outputs that
diverge (D.3).
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, claim, moved, nothing, suppose, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import (
    dead,
    in_s_minus,
    in_s_plus,
    leaning_quarter,
    leaning_third,
    positive_class,
    separated,
)
from refute.claims.min2024.fitting import FITS, FITTING, QUARTER, Fit, aligned_run, fit_run
from refute.claims.min2024.training import ALL_LOSSES, LOSSES, in_cone, in_dead
from refute.functions import norm, sign, smallest, sqrt, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.flow import gradient_flow
from refute.models.flow.solve import FILIPPOV, REGULAR
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.cones import centre, separation
from refute.strategies import choice, sized
from refute.strategies.min2024.separable import extreme_weights
from refute.strategies.min2024.separated import neurons, placed, separated_dataset, vector

Floats = NDArray[np.float64]
_ONE_PLACED = placed(
    data=separated_dataset, w=vector, start=neurons, loss=ALL_LOSSES, dimension=(1, 2), samples=(1, 3), width=(1, 2)
)


def _followed(
    data: Dataset, w: Floats, sign: int, start: Balanced, loss: str, tolerance: float, concept: str
) -> tuple[Floats, float]:
    """Unit vectors of a balanced neuron along w, trained beside the others, and their error; all neurons have norm
    1/sqrt(X_max).
    """
    shape = np.vstack([w, start.shape])
    longest = float(np.linalg.norm(data.inputs, axis=1).max())
    shape = shape / np.linalg.norm(shape, axis=1)[:, None] / np.sqrt(longest)
    net = TwoLayer(shape, np.concatenate([[float(sign)], start.signs]) / np.sqrt(longest), Fraction(0))
    run = gradient_flow(net, data, LOSSES[loss], np.linspace(0, 2 / longest, 6), tolerance=tolerance, concept=concept)
    sizes = np.linalg.norm(run.inner[:, 0], axis=1)
    return run.inner[:, 0] / sizes[:, None], 4 * run.error / float(sizes.min())


def _stays_in_cone(
    data: Dataset, w: Floats, sign: int, start: Balanced, loss: str, tolerance: float, label: int
) -> Margin:
    rows, error = _followed(data, w, sign, start, loss, tolerance, FILIPPOV)
    return all_of(*(in_cone(u, data, label, error) for u in rows))


@claim(
    "min2024.lemma_12.plus",
    "Lemma 12",
    kind=Kind.DYNAMICS,
    given=_ONE_PLACED,
    assumes=[separated, in_s_plus],
    recorded="supported",
    mutants=[moved("for v_j < 0", sign=-1), without(in_s_plus), without(separated)],
    convention="no small scale: outputs of order one; separation is not in the lemma but in its section; solutions "
    "that leave the edge "
    "of S_dead included",
    cost=0.4,
)
def positive_neurons_stay_in_s_plus(
    data: Dataset, w: Floats, start: Balanced, loss: str, tolerance: float, *, sign: int = 1
) -> Margin:
    r"""$w_j(t_1)\in S_+$ and $v_j>0$ imply $w_j(t)\in S_+$ for all $t\ge t_1$, for any solution of (2)."""
    return _stays_in_cone(data, w, sign, start, loss, tolerance, 1)


@claim(
    "min2024.lemma_12.minus",
    "Lemma 12",
    kind=Kind.DYNAMICS,
    given=_ONE_PLACED,
    assumes=[separated, in_s_minus],
    recorded="supported",
    mutants=[moved("for v_j > 0", sign=1), without(in_s_minus)],
    convention="no small scale: outputs of order one; its need of separation is shown at lemma_12.plus; solutions "
    "that leave the edge "
    "of S_dead included",
    cost=0.4,
)
def negative_neurons_stay_in_s_minus(
    data: Dataset, w: Floats, start: Balanced, loss: str, tolerance: float, *, sign: int = -1
) -> Margin:
    r"""$w_j(t_1)\in S_-$ and $v_j<0$ imply $w_j(t)\in S_-$ for all $t\ge t_1$, for any solution of (2)."""
    return _stays_in_cone(data, w, sign, start, loss, tolerance, -1)


_DEAD_PLACED = placed(
    data=separated_dataset,
    w=vector,
    start=neurons,
    loss=ALL_LOSSES,
    s=choice(1, -1),
    dimension=(2, 2),
    samples=(1, 2),
    width=(1, 2),
)


def _stays_dead(data: Dataset, w: Floats, s: int, start: Balanced, loss: str, tolerance: float, concept: str) -> Margin:
    rows, error = _followed(data, w, s, start, loss, tolerance, concept)
    return all_of(*(in_dead(u, data, error) for u in rows))


@claim(
    "min2024.lemma_12.dead",
    "Lemma 12",
    kind=Kind.DYNAMICS,
    given=_DEAD_PLACED,
    assumes=[separated, dead],
    recorded="refuted",
    convention="'any solution': among the Caratheodory solutions with sigma'(0) = 0 the one that leaves the edge of "
    "S_dead where it can",
    cost=0.2,
)
def dead_neurons_stay_dead_along_any_solution(
    data: Dataset, w: Floats, s: int, start: Balanced, loss: str, tolerance: float
) -> Margin:
    r"""$w_j(t_1)\in S_{dead}$ implies $w_j(t)\in S_{dead}$ for all $t\ge t_1$, for any solution of (2).

    Fails on the edge, as Appendix E.4 itself shows: $x=(1,0)$, $y=1$, $w=(0,1)$, $v=1$. For $t>0$ the path that moves
    along x sees the datum,
    so it satisfies the equation at all times but one. "$\dot w_j=0$ in $S_{dead}$" does not exclude it.
    """
    return _stays_dead(data, w, s, start, loss, tolerance, FILIPPOV)


@claim(
    "min2024.lemma_12.dead.amended",
    "Lemma 12",
    kind=Kind.DYNAMICS,
    given=_DEAD_PLACED,
    assumes=[separated, dead],
    recorded="supported",
    mutants=[moved("solutions that leave the edge", concept=FILIPPOV), without(dead)],
    convention="not shown necessary: separation",
    cost=0.3,
)
def dead_neurons_stay_dead_along_regular_solutions_too(
    data: Dataset, w: Floats, s: int, start: Balanced, loss: str, tolerance: float, *, concept: str = REGULAR
) -> Margin:
    r"""Amended: for regular solutions (Definition 1)."""
    return _stays_dead(data, w, s, start, loss, tolerance, concept)


@claim(
    "min2024.sec_3_3.trapping_regions",
    "Section 3.3",
    kind=Kind.DYNAMICS,
    given=_DEAD_PLACED,
    assumes=[separated],
    recorded="supported",
    mutants=[
        moved("solutions that leave the edge of S_dead", concept=FILIPPOV),
        moved("wherever the neuron starts", anywhere=True),
    ],
    convention="regular solutions, as in Theorem 1; outputs of order one; a neuron that starts in neither region says "
    "nothing. "
    "For other solutions S_dead is not trapping, see lemma_12.dead; S_+ and S_- are, see lemma_12.plus and .minus",
    cost=0.3,
)
def the_cone_of_its_sign_and_the_dead_cone_trap_a_neuron(
    data: Dataset,
    w: Floats,
    s: int,
    start: Balanced,
    loss: str,
    tolerance: float,
    *,
    concept: str = REGULAR,
    anywhere: bool = False,
) -> Margin:
    r"""$S_+$ and $S_{dead}$ are trapping for neurons with $v_j>0$, $S_-$ and $S_{dead}$ for those with $v_j<0$."""
    pre, own = data.inputs @ w, data.labels == s
    inside, gone = bool((pre[own] > 0).all() and (pre[~own] <= 0).all()), bool((pre <= 0).all())
    suppose(inside or gone or anywhere, "w starts in one of the regions")
    rows, error = _followed(data, w, s, start, loss, tolerance, concept)
    return all_of(*(in_dead(u, data, error) if gone else in_cone(u, data, s, error) for u in rows))


def _unequal(ratio: float) -> tuple[Dataset, Balanced]:
    """Positive data ratio (1, 0), ratio (1/8, 1/2) and (1, 1), a negative datum (-1, -1), and one neuron of either
    sign.
    """
    inputs = np.array([[ratio, 0.0], [ratio / 8, ratio / 2], [1.0, 1.0], [-1.0, -1.0]])
    start = Balanced(np.array([[1.0, 0.5], [-1.0, 0.25]]), np.array([1.0, -1.0]), Fraction(0), Fraction(0))
    return Dataset(inputs, np.array([1.0, 1.0, 1.0, -1.0])), start


def _scaled_speeds(run: Fit, stop: int, third: float) -> tuple[Floats, Floats, float]:
    """d/dt cos(w_j, x_+) and its bound (37) at the recorded times up to `stop`, divided by
    |x_tilde|, and their error.
    """
    size = np.linalg.norm(run.push(1), axis=1)[:stop, None]
    slow = float(np.sqrt(run.constants.mu)) * len(run.of_class(1)) * float(run.constants.shortest)
    return run.cosine_speeds(1)[:stop] / size, (third - run.cosines(1)[:stop]) * slow / 2 / size, 8 * run.error


@claim(
    "min2024.eq_37.refined_drift",
    "Eq. (37)",
    kind=Kind.DYNAMICS,
    given=sized(ratio=choice("1", "16", "1024", "16384"), loss=choice("exponential", "twice logistic")),
    recorded="refuted",
    convention="data: ratio (1, 0), ratio (1/8, 1/2), (1, 1) positive, (-1, -1) negative; from the scale (28), times "
    "between t_1 and t_2^+",
)
def the_cosine_with_the_centre_drifts_up(ratio: float, loss: str, tolerance: float) -> Margin:
    r"""$\frac d{dt}\cos(x_+,w_j)\ge(\frac13-\cos(x_+,w_j))\sqrt\mu n_+X_{\min}/2$ for $t_1\le t\le t_2^+$,
    $j\in\tilde{\mathcal V}_+$.

    Fails where $\cos>\frac13$: the proof has $(\frac13-\cos)\|\tilde x_a\|$ and replaces $\|\tilde x_a\|$ by a lower
    bound although the factor is negative. Near $t_2^+$ the slopes differ, $\tilde x_a$ leaves $x_+$ and takes the
    neuron along at a speed of order $X_{\max}$. With ratio 16384 the derivative is below -3 from $f(x_1)=0.13$ on; the
    bound is $(\frac13-1)\cdot1.045=-0.70$, as $\mu=0.24$ and $X_{\min}=\sqrt2$.
    """
    run = fit_run(*_unequal(ratio), loss, 0.99, 1e3 * tolerance, level=0.3)
    speeds, bounds, error = _scaled_speeds(run, run.crossing(1) + 1, 1 / 3)
    return at_least(speeds, bounds, "d/dt cos(x_+, w_j) against its bound, in units of |x_tilde|", error=error)


def _drift(data: Dataset, w: Array, weights: Array, loss: str) -> tuple[Number, Number, Number]:
    """d/dt cos(x_+, w) of a positive neuron in S_+ at outputs weights/16 in [-1/4, 1/4], cos(x_+, w), and sqrt(mu) n_+
    X_min.
    """
    own = [i for i, y in enumerate(data.labels) if sign(y) > 0]
    c = centre(data, 1)
    push = LOSSES[loss].residual(data.labels[own], weights[own] / 16) @ data.inputs[own]
    across = push - ((w @ push) / squared_norm(w)) * w
    shortest = smallest(np.array([norm(row) for row in data.inputs]))
    return (across @ c) / norm(c), (w @ c) / (norm(w) * norm(c)), sqrt(separation(data)) * len(own) * shortest


_INSIDE = placed(
    data=separated_dataset,
    w=vector,
    weights=extreme_weights,
    loss=choice("exponential", "twice logistic"),
    dimension=(2, 3),
)


@claim(
    "min2024.eq_37.refined_drift.amended",
    "Eq. (37)",
    given=_INSIDE,
    assumes=[positive_class, separated, in_s_plus, leaning_third],
    recorded="supported",
    mutants=[
        moved("ten times the speed", speed=Fraction(5)),
        moved("1 in place of 1/3 and twice the speed", third=Fraction(1), speed=Fraction(1)),
    ],
    convention="pointwise, for any w in S_+ and outputs in [-1/4, 1/4]; exponential loss and the logistic loss of the "
    "appendix",
    cost=6.0,
)
def the_cosine_drifts_up_where_it_is_small(
    data: Dataset,
    w: Array,
    weights: Array,
    loss: str,
    *,
    third: Number = Fraction(1, 3),
    speed: Number = Fraction(1, 2),
) -> Margin:
    r"""Amended: (37) where $\cos(x_+,w_j)\le\frac13$, which is where the proof uses it."""
    drift, cosine, slow = _drift(data, w, weights, loss)
    return at_least(
        drift, (third - cosine) * speed * slow, "d/dt cos(x_+, w) against (1/3 - cos) sqrt(mu) n_+ X_min / 2"
    )


@claim(
    "min2024.eq_38.refined_alignment_time.pointwise",
    "Eq. (38)",
    given=_INSIDE,
    assumes=[positive_class, separated, in_s_plus, leaning_quarter],
    recorded="supported",
    mutants=[moved("1 in place of 1/24", share=Fraction(1)), without(leaning_quarter)],
    convention="for any w in S_+ and outputs in [-1/4, 1/4]; exponential loss and the logistic loss of the appendix",
    cost=6.0,
)
def a_small_cosine_grows_at_a_fixed_speed(
    data: Dataset, w: Array, weights: Array, loss: str, *, share: Number = Fraction(1, 24)
) -> Margin:
    r"""$\cos(x_+,w_j)\le\frac14$ implies $\frac d{dt}\cos(x_+,w_j)\ge\sqrt\mu n_+X_{\min}/24$, so that $\cos\ge\frac14$
    is trapping.
    """
    drift, _, slow = _drift(data, w, weights, loss)
    return at_least(drift, share * slow, "d/dt cos(x_+, w) against sqrt(mu) n_+ X_min / 24")


@claim(
    "min2024.eq_38.refined_alignment_time",
    "Eq. (38) and the text after it",
    kind=Kind.DYNAMICS,
    given=placed(data=separated_dataset, w=vector, loss=ALL_LOSSES, dimension=(2, 3)),
    assumes=[positive_class, separated, in_s_plus, leaning_quarter],
    recorded="supported",
    mutants=[moved("1/4 in place of 6", six=0.25), moved("cosines above 1/4 do not stay there", turned=-1.0)],
    convention="all three losses; the clock starts with a neuron in S_+ that leans away from x_+, so small that "
    "outputs are small until "
    "t_1 + 6 / (sqrt(mu) n_+ X_min): after the t_1 of (28) cosines are near 1 and nothing is left to see. No "
    "assumption is shown necessary",
    cost=0.5,
)
def cosines_reach_a_quarter_and_stay_above_it(
    data: Dataset, w: Floats, loss: str, tolerance: float, *, six: float = 6.0, turned: float = 1.0
) -> Margin:
    r"""If $w_j(t_1)\in S_+$, then $\cos(w_j(t),x_+)\ge\frac14$ for $t_1+\frac6{\sqrt\mu n_+X_{\min}}\le t\le t_2^+$,
    and from the first time on at which it holds.
    """
    own = Dataset(
        data.inputs[data.labels > 0], data.labels[data.labels > 0]
    )  # the neuron sees no other datum, now or later
    shortest = float(np.linalg.norm(data.inputs, axis=1).min())
    slow = float(np.sqrt(separation(data))) * len(own.labels) * shortest
    delay, c = six / slow, own.inputs.sum(axis=0)
    depth = 10 + 12 * float(np.linalg.norm(c)) / slow
    begin = Balanced(w[None] / np.linalg.norm(w), np.array([1.0]), -depth, 0.0)
    times = np.linspace(0, delay, 9).tolist()
    run = log_polar_flow(
        begin, own, LOSSES[loss], times=times, horizon=20 * delay + 20 / shortest, level=0.3, tolerance=tolerance
    )
    quiet = np.cumsum(np.abs(run.output).max(axis=1) > QUARTER) == 0
    cosines, clock = run.direction[quiet, 0] @ (c / np.linalg.norm(c)), run.time[quiet]
    reached = np.maximum.accumulate(cosines >= QUARTER)
    return all_of(
        at_least(cosines[clock >= delay], QUARTER, "cos(w_j, x_+) against 1/4 after the delay", error=run.error),
        at_least(
            turned * cosines[reached], turned * QUARTER, "cos(w_j, x_+) against 1/4 once it was there", error=run.error
        ),
    )


@claim(
    "min2024.remark.refined_alignment",
    "Refined alignment within S_+, S_-",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("with the other centre", turned=-1.0), moved("already at the start", early=True)],
    convention="reading: at t_1, the end of the alignment phase that (28) provides; close to 1 means at least 99/100, "
    "fixed in advance",
    cost=0.5,
)
def neurons_in_their_cone_point_at_its_centre(
    data: Dataset,
    start: Balanced,
    loss: str,
    part: float,
    tolerance: float,
    *,
    turned: float = 1.0,
    early: bool = False,
) -> Margin:
    r"""$\cos(w_j,x_\pm)\approx1$ for all neurons in $S_\pm$ at the end of the alignment phase."""
    run = aligned_run(data, start, loss, part, tolerance)
    active = run.sides > 0
    parts = [nothing("no neuron is in its cone")]
    for j, s in enumerate(run.signs):
        if (active[j] == (data.labels == s)).all():
            c = np.asarray(centre(data, int(s)), dtype=float)
            cosine = turned * float(run.direction[0 if early else -1, j] @ c) / float(np.linalg.norm(c))
            parts.append(at_least(cosine, 0.99, "cos(w_j, centre) at the end of the phase", error=run.error))
    return all_of(*parts)


@claim(
    "min2024.remark.refined_alignment.r1",
    "Refined alignment within S_+, S_-, 'always gets attracted by x_+'",
    kind=Kind.DYNAMICS,
    given=sized(ratio=choice("1", "2", "4", "16"), loss=ALL_LOSSES),
    recorded="refuted",
    convention="data: ratio (1, 0), ratio (1/8, 1/2), (1, 1) positive, (-1, -1) negative; from the scale (28) until "
    "the slopes are 1/1000",
)
def neurons_in_their_cone_are_always_attracted_by_its_centre(ratio: float, loss: str, tolerance: float) -> Margin:
    r"""For all $t\ge t_1$ a neuron in $S_+$ turns towards $x_+$: $\frac d{dt}\cos(w_j,x_+)\ge0$, hence $\cos\approx1$
    for good.

    Fails once the outputs are not small: the data pull with different slopes, and the neuron follows $\tilde x_a$,
    which leaves $x_+$ for the direction of largest margin. With ratio 1 the cosine falls from 1 to 0.943.
    """
    run = fit_run(*_unequal(ratio), loss, 0.99, 1e3 * tolerance)
    speeds, _, error = _scaled_speeds(run, len(run.time), 0.0)
    late = run.cosines(1)[-1]
    return all_of(
        at_least(speeds, 0.0, "d/dt cos(w_j, x_+) in units of |x_tilde|", error=error),
        at_least(late, 0.99, "cos(w_j, x_+) when the slopes are 1/1000", error=run.error),
    )
