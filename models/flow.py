"""Gradient flow of a two-layer network in float64: a high-order integrator, run twice to bound its own error.

Solution concept: sigma'(0) enters only while a pre-activation is exactly zero, so it matters on sets of times that have
positive length only for sliding trajectories. The flow takes the mean slope (1 + slope)/2 there, which is the Filippov
value when the two one-sided fields agree. Where they do not, a trajectory that reaches the boundary slides along it and an
adaptive step chatters: the tolerance is then relaxed until the budget of evaluations suffices, and the error says so.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from models.dataset import Dataset
from models.gradient import Residual, descent_direction
from models.network import TwoLayer
from refute.case import lift
from refute.errors import BadInput, Diverged
from refute.numbers import FLOAT

Floats = NDArray[np.float64]
TOO_LARGE = 1e8
FINEST = 3e-14  # the smallest relative tolerance that the integrator takes
BUDGET = 4000  # evaluations of the field; a smooth trajectory of the sizes used here needs a few hundred
RELAXED = (1e-7, 1e-5, 1e-3, 1e-2)
HOPELESS = 1e9  # the error that a stalled integration reports: it decides nothing


class _Stalled(Exception):
    """The budget of evaluations is spent."""


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """Weights at the asked times; `error` bounds every weight (the largest gap to a much finer run, doubled).

    `tolerance` is the one that the integrator could keep; a larger one than asked says that the trajectory slides.
    """

    time: Floats
    inner: Floats
    outer: Floats
    slope: float
    error: float
    tolerance: float

    def outputs(self, x: Floats) -> Floats:
        """f(x; W(t)) for rows of points x: shape (times, points)."""
        pre = np.einsum("thd,nd->tnh", self.inner, x)
        result: Floats = np.einsum("tnh,th->tn", np.maximum(pre, self.slope * pre), self.outer)
        return result

    def output_error(self, x: Floats) -> float:
        """What the error in the weights can do to the outputs at x."""
        reach = float(np.abs(x).sum(axis=1).max())
        size = float(np.abs(self.outer).sum(axis=1).max() + np.abs(self.inner).max(axis=2).sum(axis=1).max())
        return float(reach * self.error * (size + self.outer.shape[1] * self.error))


def gradient_flow(
    net: TwoLayer, data: Dataset, residual: Residual, times: Floats, *, tau: float = 1.0, tolerance: float = 1e-10
) -> Trajectory:
    """Integrate tau dW/dt = -grad L from `net` at time 0 to the given increasing times."""
    times = np.asarray(times, dtype=float)
    if times.size == 0 or not np.isfinite(times).all() or (np.diff(times) < 0).any() or times[0] < 0:
        raise BadInput(f"times must be finite and increase from 0 or later, got {times.tolist()}")
    net, data = lift(net, FLOAT), lift(data, FLOAT)
    if not (np.isfinite(net.inner).all() and np.isfinite(data.inputs).all() and np.isfinite(data.labels).all()):
        raise BadInput("the network or the data has an entry that is not finite", "remove or impute it")
    for level in (tolerance, *(relaxed for relaxed in RELAXED if relaxed > tolerance)):
        try:
            coarse = _integrate(net, data, residual, times, tau, max(level, 30 * FINEST))
            fine = _integrate(net, data, residual, times, tau, max(level / 100, FINEST))
        except _Stalled:
            continue
        gap = max(np.abs(coarse[0] - fine[0]).max(), np.abs(coarse[1] - fine[1]).max())
        size = max(np.abs(fine[0]).max(), np.abs(fine[1]).max())
        return Trajectory(times, fine[0], fine[1], float(net.slope), 2 * float(gap) + 1e-13 * float(size), level)
    still = [np.repeat(np.asarray(layer)[None], len(times), axis=0) for layer in (net.inner, net.outer)]
    return Trajectory(times, still[0], still[1], float(net.slope), HOPELESS, np.inf)


def _integrate(net: TwoLayer, data: Dataset, residual: Residual, times: Floats, tau: float, tolerance: float) -> tuple[Floats, Floats]:
    shape = net.inner.shape
    split = net.inner.size
    evaluations = 0

    def field(_: float, state: Floats) -> Floats:
        nonlocal evaluations
        evaluations += 1
        if evaluations > BUDGET:
            raise _Stalled
        now = net.with_weights(state[:split].reshape(shape), state[split:])
        inner, outer = descent_direction(now, data, residual, (1 + net.slope) / 2)
        return np.concatenate([inner.reshape(-1), outer]) / tau

    def escape(_: float, state: Floats) -> float:
        return TOO_LARGE - float(np.abs(state).max())

    escape.terminal = True  # type: ignore[attr-defined]
    start = np.concatenate([net.inner.reshape(-1), net.outer])
    floor = tolerance * 1e-3 * max(float(np.abs(start).max()), 1e-300)
    span = (0.0, float(times[-1]) or 1e-300)
    run = solve_ivp(field, span, start, "DOP853", t_eval=times, rtol=tolerance, atol=floor, events=escape)
    if run.status != 0:
        reached = run.t_events[0][0] if run.t_events and len(run.t_events[0]) else (run.t[-1] if len(run.t) else 0.0)
        raise Diverged(
            f"training diverged: a weight exceeds {TOO_LARGE:.0e} at time {reached:.4g} of {times[-1]:.4g} ({run.message})",
            "shorten the horizon, or make the initial weights or the data smaller",
        )
    states = run.y.T
    return states[:, :split].reshape(-1, *shape), states[:, split:]


def scaled(net: TwoLayer, factor: float, slope: float) -> TwoLayer:
    """Both layers times `factor`, with another slope."""
    return replace(net, inner=np.asarray(net.inner, dtype=float) * factor, outer=np.asarray(net.outer, dtype=float) * factor, slope=slope)
