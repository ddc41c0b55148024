r"""Gradient descent with a fixed second layer for very long times: step until the pattern is frozen, then integrate in
log t.

With the signs of u_{hi} = <w_h, x_i> constant from step t0 on and labels +-1 or 0, everything is a function of the
amounts B_k(t) = sum of y_i s_i over the steps since t0 and the samples i with the k-th distinct input, s_i = expit(-y_i
f) (or exp(-y_i f)):
    f(t) = f(t0) + M B,    M_{kl} = eta weight G_{kl} sum_h a_h^2 sigma'_{hk} sigma'_{hl}.
The recursion B(t+1) = B(t) + g(f(B(t))), g the sum of y s, is the unit-time flow of dB/dt = g - Jg/2 + g''(Mg,Mg)/12 +
JJg/3 + O(g^4), J = diag(g') M. It is integrated in tau = log t by implicit Radau collocation (`long_kernels`). The
signs are checked at every stage; just past a change the pattern is frozen again. The error compares two runs,
tolerances a hundredfold apart, frozen at t0 and at 2 t0, and adds a bound on the dropped terms and what one step can do
where a sign changed too close to zero to tell at which step.

M = Phi Phi^T, where row k of Phi is sqrt(eta weight) (a_h sigma'_{hk} x_k)_h. The factor L of M leaves a row out if all
but r_k of its square lies in the span of the others, r_k within round-off of M_{kk}. What that changes is part of the
error. Let v be the error of f, eta_k <= sqrt(r_k) sum_l sqrt(r_l) A_l the part of it that the rows make at the amounts
A, and D = -g' between the two outputs. Then
    d|w - w'|^2/dt = -2 sum_k D_k v_k (v_k - eta_k) <= sum_k D_k eta_k^2 / 2,    D_k <= e s_k while |v_k - eta_k| <= 1,
so that the weights are apart by sqrt(eta weight) (1 + sqrt(3/2 sum_k A_k r_k)) sum_l sqrt(r_l) A_l at most.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from flint import arb, ctx
from numpy.polynomial import legendre
from numpy.typing import NDArray

from refute.errors import BadInput
from refute.models.checks import checked_count, finite
from refute.models.descent.kernel_space import Problem, State, kernel_descent
from refute.models.loss import Shape
from refute.models.training import Stop

Floats = NDArray[np.float64]
COARSER = 100.0  # the tolerance of the run that the result is compared with
ROUND_OFF = 1e-13
BITS = 640  # at which the rows that are left out are compared with the span of the others
MOST_ROWS = 60  # beyond, what is left of them is taken from float64


@dataclass(frozen=True, slots=True, eq=False)
class LongRun:
    """The reached times, with u and c (times, width, samples); `error` bounds the relative error of u, c and the
    margins.

    `frozen` lists the times at which the pattern was frozen anew; the last one is the last sign change seen.
    """

    time: Floats
    signals: Floats
    coefficients: Floats
    margins: Floats
    loss: Floats
    frozen: tuple[float, ...]
    error: float
    stop: Stop


def long_descent(
    problem: Problem,
    state: State,
    times: Floats,
    *,
    freeze: int = 300,
    tolerance: float = 1e-9,
    changes: int | None = None,
    direct: int = 1_000_000,
) -> LongRun:
    """The state at the given increasing step numbers, up to 1e20 and beyond; those up to `freeze` are stepped directly.

    After more than `changes` sign changes (by default 100 and one per neuron and sample) the run counts as chattering:
    the asked times up to `direct` are then stepped directly, later ones are left out.
    """
    times = _checked_times(times, state)
    _check_reducible(problem)
    freeze = max(checked_count(freeze, "freeze", 1), state.step + 1)
    if not 1e-12 <= tolerance <= 1e-3:
        raise BadInput(f"tolerance must lie in [1e-12, 1e-3], got {tolerance}")
    most = 100 + state.signals.size if changes is None else checked_count(changes, "changes")
    middle, early = _direct(problem, state, times, freeze)
    coarse = _follow(problem, middle, times[len(early) :], COARSER * tolerance, most)
    later, between = _direct(problem, middle, times[len(early) :], 2 * freeze)
    fine = _follow(problem, later, times[len(early) + len(between) :], tolerance, most)
    states, stop = [*early, *between, *fine.states], fine.stop
    if stop is Stop.CHATTERS:
        rest = times[len(states) :]
        states += _direct(problem, later, rest[rest <= checked_count(direct, "direct")], direct)[1]
        stop = Stop.HORIZON if len(states) == len(times) else stop
    times = times[: len(states)]
    signals, coefficients = (
        np.array([getattr(s, name) for s in states]).reshape(-1, *state.signals.shape)
        for name in ("signals", "coefficients")
    )
    rounding = _rounding(problem, [state, middle, later], states)
    error = _with_doubts(
        _gap(coarse.states, [*between, *fine.states]) + fine.missing + rounding, coarse.doubts + fine.doubts
    )
    margins = problem.margins(signals)
    return LongRun(times, signals, coefficients, margins, problem.value(signals), fine.frozen, error, stop)


@dataclass(frozen=True, slots=True, eq=False)
class _Followed:
    states: list[State]
    frozen: tuple[float, ...]
    stop: Stop
    missing: float = 0.0  # relative size of what the modified equation leaves out
    doubts: tuple[
        tuple[float, float], ...
    ] = ()  # of every sign change: the distance from zero, and what one step moves, relative to u


def _direct(problem: Problem, state: State, times: Floats, until: int) -> tuple[State, list[State]]:
    """Step to `until` (or to the last of the times, if that comes first), with the states at the times on the way."""
    found = []
    for time in times[times <= until]:
        state = kernel_descent(problem, state, int(time) - state.step)
        found.append(state)
    if len(found) < len(times):
        state = kernel_descent(problem, state, until - state.step)
    return state, found


def _follow(problem: Problem, state: State, times: Floats, tolerance: float, changes: int) -> _Followed:
    """The reduced system from `state` to all times, frozen again after every sign change."""
    from refute.models.descent.long_kernels import advance

    found: list[State] = []
    if not len(times):
        return _Followed(found, (), Stop.HORIZON)
    p = problem
    first, site = sites(p.gram, state.signals)
    gram, logistic = np.ascontiguousarray(p.gram[first][:, first]), p.loss.shape is Shape.LOGISTIC
    u, c = np.ascontiguousarray(state.signals.T[first]), np.ascontiguousarray(state.coefficients.T)
    labels = np.array(p.labels)  # compiled code is typed: a read-only array would be another type
    nodes, weights, top = collocation(9 if len(first) <= 8 else 7 if len(first) <= 20 else 5)
    tau, h = float(np.log(state.step)), 0.4
    frozen = [float(state.step)]
    doubts: list[tuple[float, float]] = []
    lost, missing, apart = np.zeros_like(u), 0.0, 0.0
    while True:
        pattern = np.sign(u).astype(np.int8)
        gates = np.choose(pattern + 1, [p.slope, p.slope_at_zero, 1.0])
        reach = p.step * float(p.loss.factor) * gates * p.outer
        matrix = (gates * p.outer) @ reach.T * gram
        factor, pivots = pivoted_cholesky(matrix)
        lever, rest = _lever(gram, reach, factor, pivots), left_out(p, first, gates, matrix, pivots)
        z, a, dropped = np.zeros(factor.shape[1]), np.zeros(len(site)), np.zeros(len(first))
        f0 = (gates * u) @ p.outer
        for time in times[len(found) :]:
            end = float(np.log(time))
            tau, h, status = advance(
                z, a, tau, end, h, f0, factor, site, labels, logistic, u, lever, pattern, nodes, weights, top,
                tolerance, dropped,
            )  # fmt: skip
            if status:
                break
            found.append(State(int(time), (u + lever @ z).T[:, site], (c + (labels * a)[:, None] * reach[site]).T))
            missing = max(
                missing,
                _missing(found[-1], lost + _lost(reach, dropped, labels * a, site), gram, site)
                + _moved(p, found[-1], apart + _apart(rest, np.abs(labels) * a, site, matrix), matrix),
            )
        else:
            return _Followed(found, tuple(frozen), Stop.HORIZON, missing, tuple(doubts))
        if status == 2:
            return _Followed(found, tuple(frozen), Stop.STUCK, missing, tuple(doubts))
        u, c = u + lever @ z, c + (labels * a)[:, None] * reach[site]
        lost = lost + _lost(reach, dropped, labels * a, site)
        apart += _apart(rest, np.abs(labels) * a, site, matrix)
        doubts.extend(_doubts(problem, u[site], labels[:, None] * reach[site], pattern[site]))
        frozen.append(float(np.exp(tau)))
        if len(frozen) > changes + 1:
            return _Followed(found, tuple(frozen), Stop.CHATTERS, missing, tuple(doubts))


def sites(gram: Floats, signals: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first sample of each distinct input, and for every sample the number of its input: those with equal rows of
    the Gram matrix.
    """
    same = (gram[:, None, :] == gram[None, :, :]).all(axis=2)
    if same.sum() == len(gram):
        return np.arange(len(gram)), np.arange(len(gram))
    near = np.abs(signals[:, :, None] - signals[:, None, :]).max(axis=0, initial=0.0) <= 1e-12 * np.abs(signals).max(
        initial=0.0
    )
    first, site = np.unique((same & near).argmax(axis=1), return_inverse=True)
    return first, np.asarray(site, dtype=np.int64)


def pivoted_cholesky(matrix: Floats) -> tuple[Floats, list[int]]:
    """L with L L^T = the positive semi-definite matrix up to round-off, and its pivots, as many as the rank (a zero
    column for 0).

    Round-off of an entry is measured by the diagonal entries of its row and column: small samples count as much as
    large ones.
    """
    scale = np.sqrt(matrix.diagonal())
    columns, pivots = [], []
    rest = matrix / np.where(scale > 0, scale, 1.0) / np.where(scale > 0, scale, 1.0)[:, None]
    left = rest.diagonal()
    floor = 4 * len(matrix) * np.finfo(float).eps
    for _ in range(len(matrix)):
        pivot = int(left.argmax())
        if not left[pivot] > floor:
            break
        column = rest[:, pivot] / np.sqrt(left[pivot])
        columns.append(scale * column)
        pivots.append(pivot)
        rest -= column[:, None] * column
        rest[pivot] = rest[:, pivot] = 0.0
    return np.array(columns or [np.zeros(len(matrix))]).T.copy(), pivots


def left_out(problem: Problem, first: NDArray[np.int64], gates: Floats, matrix: Floats, pivots: list[int]) -> Floats:
    """r_k: a bound on the square of what each row of Phi has outside the span of the pivots' rows."""
    found, square = np.zeros(len(first)), matrix.diagonal()
    others = [int(k) for k in np.flatnonzero(square) if k not in pivots]
    if len(pivots) + len(others) > MOST_ROWS:
        found[others] = 8 * len(first) * np.finfo(float).eps * square[others]
    elif others:
        with ctx.workprec(BITS):
            found[others] = _outside(problem, first, gates, pivots, others)
    return found


def _outside(
    problem: Problem, first: NDArray[np.int64], gates: Floats, pivots: list[int], others: list[int]
) -> list[float]:
    """The same in balls, from the inputs as they are: dependent rows leave nothing, whatever round-off makes of it."""
    lift, rows = np.vectorize(arb, otypes=[object]), [*pivots, *others]
    push = lift(gates[rows] * problem.outer)
    inputs = None if problem.inputs is None else lift(problem.inputs[first[rows]])
    gram = lift(problem.gram[np.ix_(first[rows], first[rows])]) if inputs is None else inputs @ inputs.T
    rest = push @ push.T * gram * (problem.step * float(problem.loss.factor))
    for k in range(len(pivots)):
        rest[k + 1 :, k + 1 :] -= np.outer(rest[k + 1 :, k], rest[k, k + 1 :]) / rest[k, k]
    return [max(0.0, float(rest[k, k].upper())) for k in range(len(pivots), len(rows))]


def _apart(rest: Floats, amounts: Floats, site: NDArray[np.int64], matrix: Floats) -> float:
    """How far the rows that are left out move the weights, over sqrt(eta weight); infinite where
    outputs may change by 1.
    """
    outside = rest[site]
    away = float((np.sqrt(outside) * amounts).sum())
    gap = away * (1 + float(np.sqrt(1.5 * (outside * amounts).sum())))
    return gap if gap * float(np.sqrt(matrix.diagonal().max())) <= 0.5 else float("inf")


def _moved(problem: Problem, state: State, apart: float, matrix: Floats) -> float:
    """What this does to u and c, relative to the largest entries: s changes by at most thrice the
    output, relatively.
    """
    if apart == 0:
        return 0.0
    reach = np.sqrt(problem.step * float(problem.loss.factor) * float(problem.gram.diagonal().max()))
    largest = max(float(np.abs(state.signals).max()), 1e-300)
    return max(float(reach) * apart / largest, 3 * apart * float(np.sqrt(matrix.diagonal().max())))


def _lever(gram: Floats, reach: Floats, factor: Floats, pivots: list[int]) -> Floats:
    """How z moves the signals, (sites, width, rank). Amounts B with L^T B = 0 move no weight, so B may be taken on the
    pivots alone.
    """
    if not pivots:
        return np.zeros((*reach.shape, 1))
    pushes = gram[:, pivots, None] * reach[None, pivots]  # (sites, pivots, width)
    found = np.linalg.solve(factor[pivots], pushes.transpose(1, 0, 2).reshape(len(pivots), -1))
    return np.ascontiguousarray(found.reshape(len(pivots), len(gram), -1).transpose(1, 2, 0))


def _lost(reach: Floats, dropped: Floats, amounts: Floats, site: NDArray[np.int64]) -> Floats:
    """What may be missing from the pushes of the sites: dropped terms, and the rounding of amounts that cancel in the
    signals.
    """
    rounding = 8 * len(dropped) * np.finfo(float).eps * np.abs(np.bincount(site, amounts, len(dropped)))
    moved: Floats = np.abs(reach) * (dropped + rounding)[:, None]
    return moved


def _missing(state: State, lost: Floats, gram: Floats, site: NDArray[np.int64]) -> float:
    """A bound on the changes of c, and what it can do to u, relative to the largest entries."""
    parts = ((np.abs(gram) @ lost, state.signals), (lost[site], state.coefficients))
    return max(float(change.max() / max(np.abs(values).max(), 1e-300)) for change, values in parts)


def _doubts(problem: Problem, u: Floats, reach: Floats, pattern: NDArray[np.int8]) -> list[tuple[float, float]]:
    """Of each changed sign: how close to zero its signal is on either side of the step, and what one step more or less
    would move.
    """
    residual = np.abs(problem.loss.residual(problem.labels, problem.outputs(u.T))) / float(problem.loss.factor)
    change = np.abs(problem.gram @ (reach * residual[:, None]))
    size, flipped = float(np.abs(u).max()), np.argwhere(np.sign(u) != pattern)
    gap = (1 - problem.slope) * problem.step * float(problem.loss.factor) * residual * np.abs(problem.gram).max(axis=0)
    near = np.minimum(np.abs(u), np.abs(change - np.abs(u)))
    return [(float(near[i, h]) / size, float(gap[i] * abs(problem.outer[h])) / size) for i, h in flipped]


def _with_doubts(error: float, doubts: tuple[tuple[float, float], ...]) -> float:
    """A sign that changed within the error of a signal's zero may have changed one step sooner or later."""
    return error + sum(4 * moved for near, moved in doubts if near <= error)


@lru_cache(maxsize=4)
def collocation(stages: int) -> tuple[Floats, Floats, Floats]:
    """Radau IIA on [0, 1]: nodes c, the matrix of integrals of Lagrange polynomials up to c, the last Legendre
    coefficient.

    The nodes are the zeros of P_s - P_{s-1}, the end point among them, so the last stage is the result; order 2s - 1,
    L-stable.
    """
    series = np.zeros(stages + 1)
    series[-1], series[-2] = 1.0, -1.0
    roots = np.sort(legendre.legroots(series).real)
    slope = legendre.legder(series)
    for _ in range(3):
        roots = roots - legendre.legval(roots, series) / legendre.legval(roots, slope)
    roots[-1] = 1.0
    to_series = np.linalg.inv(legendre.legvander(roots, stages - 1))
    integrals = np.column_stack([legendre.legval(roots, legendre.legint(row, lbnd=-1)) for row in np.eye(stages)]) / 2
    return (roots + 1) / 2, np.ascontiguousarray(integrals @ to_series), np.ascontiguousarray(to_series[-1])


def _gap(coarse: list[State], fine: list[State]) -> float:
    """The largest difference of two runs, relative to the largest entry at that time; infinite when one stopped
    earlier.
    """
    if len(coarse) < len(fine):
        return float("inf")
    worst = 0.0
    for one, other in zip(coarse, fine, strict=False):
        for a, b in ((one.signals, other.signals), (one.coefficients, other.coefficients)):
            worst = max(worst, float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-300)))
    return 2 * worst + ROUND_OFF


def _rounding(problem: Problem, passed: list[State], states: list[State]) -> float:
    """Of direct steps: each rounds the signals and the sums of pushes that make them; relative to
    the largest entries.
    """
    eps, n = float(np.finfo(float).eps), len(problem.labels)
    steps = passed[-1].step - passed[0].step
    largest = max(float(np.abs(each.signals).max(initial=0.0)) for each in passed)
    pushes = max(float((np.abs(each.coefficients) @ np.abs(problem.gram)).max(initial=0.0)) for each in passed)
    made = eps * (steps * largest + 2 * n * pushes)
    return eps * steps + max(
        (made / max(float(np.abs(each.signals).max(initial=0.0)), 1e-300) for each in states), default=0.0
    )


def _checked_times(times: Floats, state: State) -> Floats:
    times = finite(times, "times")
    if times.ndim != 1 or not times.size or (np.diff(times) <= 0).any() or times[0] < state.step:
        raise BadInput(f"times must increase from step {state.step} or later, got {times.tolist()}")
    if (times != np.floor(times)).any():
        raise BadInput(f"times must be whole numbers of steps, got {times.tolist()}", "round them")
    return times


def _check_reducible(problem: Problem) -> None:
    if problem.loss.shape not in (Shape.LOGISTIC, Shape.EXPONENTIAL) or problem.loss.sign != -1:
        raise BadInput(f"loss must be logistic or exponential in -yf, got {problem.loss}", "use kernel_descent")
    if not np.isin(problem.labels, (-1.0, 0.0, 1.0)).all():
        raise BadInput(f"labels must be +1, 0 or -1, got {problem.labels.tolist()}", "use kernel_descent")
