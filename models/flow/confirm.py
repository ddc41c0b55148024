"""A second way to follow the gradient flow, to confirm the first: a multistep method (LSODA) from one pattern to the
next.

It shares the grouping of inputs into lines with models.flow.solve and nothing else: another integrator, its own search
for events, and the velocity on a boundary as the smallest element of the subdifferential, from a bounded least-squares
problem. It needs boundaries that attract or are crossed; where one repels on both sides it says so.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import LSODA
from scipy.optimize import lsq_linear

from refute.arithmetic.numbers import FLOAT
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.flow.lines import Lines, lines_through
from refute.models.loss import Loss
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
LOOKS = 8  # times per step at which signs are compared
TOUCHES = 1e-9  # a pre-activation this small, relative to |w|, is on its line
STILL = 1e-10  # a normal velocity this small, relative to its terms, is zero
EVENTS = 5000
FINE = 1e-11  # the tolerance at which it confirms


@dataclass(frozen=True, slots=True, eq=False)
class _Flow:
    """The field of one problem in any pattern."""

    lines: Lines
    labels: Floats
    loss: Loss
    slope: float
    rate: float
    outer: float
    width: int

    def split(self, state: Floats) -> tuple[Floats, Floats]:
        cut = len(state) - self.width
        return state[:cut].reshape(self.width, -1), state[cut:]

    def pulls(self, state: Floats) -> tuple[Floats, Floats]:
        """Per line, the pull of its samples on the two sides of the origin."""
        inner, outer = self.split(state)
        pre = np.maximum(self.lines.index, 0)
        along = (inner @ self.lines.directions.T)[:, pre] * self.lines.factors
        outputs = outer @ np.maximum(along, self.slope * along)
        found = self.loss.residual(self.labels, outputs)
        weighted, count = self.rate * found * self.lines.factors, len(self.lines.directions)
        sides = [
            np.bincount(pre, np.where(keep, weighted, 0.0), count).astype(float)
            for keep in (self.lines.factors > 0, self.lines.factors < 0)
        ]
        return sides[0], sides[1]

    def velocity(self, state: Floats, side: NDArray[np.int64]) -> Floats:
        """The derivative with gates by side; a neuron with side 0 on a line is kept on it."""
        inner, outer = self.split(state)
        positive, negative = self.pulls(state)
        gates = np.where(side > 0, 1.0, self.slope)
        drift = (gates * positive + (1 + self.slope - gates) * negative) @ self.lines.directions
        change = outer[:, None] * drift
        for h in np.flatnonzero((side == 0).any(axis=1)):
            held = self.lines.directions[side[h] == 0]
            change[h] -= np.linalg.pinv(held) @ (held @ change[h])
        return np.concatenate([change.reshape(-1), self.outer * (inner * drift).sum(axis=1)])

    def settle(self, state: Floats, side: NDArray[np.int64], h: int, near: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The sides of neuron h on the lines in `near`, by the smallest element of base + sum of g_l B_l u_l, slope <=
        g_l <= 1.
        """
        _, outer = self.split(state)
        positive, negative = self.pulls(state)
        gates = np.where(near, 0.0, np.where(side[h] > 0, 1.0, self.slope))
        base = outer[h] * ((gates * positive + (1 + self.slope - gates) * negative) @ self.lines.directions)
        strengths, units = outer[h] * (positive - negative)[near], self.lines.directions[near]
        size = abs(outer[h]) * float(np.abs(positive).sum() + np.abs(negative).sum())
        if self.slope == 1 or np.abs(strengths).max() <= STILL * size:
            velocity = base + self.slope * strengths @ units
        elif (strengths <= STILL * size).all():
            gate = lsq_linear((strengths[:, None] * units).T, -base, bounds=(self.slope, 1.0), tol=1e-15).x
            velocity = base + (gate * strengths) @ units
        else:
            velocity = self._through(base, strengths, units, STILL * size)
        normals = units @ velocity
        changed: NDArray[np.int64] = side[h].copy()
        changed[near] = np.where(normals > STILL * size, 1, np.where(normals < -STILL * size, -1, 0))
        return changed

    def _through(self, base: Floats, strengths: Floats, units: Floats, still: float) -> Floats:
        """Lines that repel: crossed when both sides agree on the direction."""
        signs = np.sign(units @ (base + (1 + self.slope) / 2 * strengths @ units))
        velocity: Floats = base + (np.where(signs > 0, 1.0, self.slope) * strengths) @ units
        for k, sign in enumerate(signs):
            other = velocity - sign * (1 - self.slope) * strengths[k] * units[k]
            if sign * float(units[k] @ other) < -still:
                raise BadInput(
                    "a boundary repels on both sides, so the solution is not unique", "move the initial weights off it"
                )
        return velocity


def confirm_flow(
    net: TwoLayer,
    data: Dataset,
    loss: Loss,
    times: Floats,
    *,
    tau: float = 1.0,
    tolerance: float = 1e-9,
    train_outer: bool = True,
) -> tuple[Floats, Floats]:
    """Inner and outer weights at the increasing times, by the second method."""
    net, data = lift(net, FLOAT), lift(data, FLOAT)
    labels = np.asarray(data.labels, dtype=float)
    weight = float(loss.weight(len(labels)))
    lines = lines_through(np.asarray(data.inputs, dtype=float))
    flow = _Flow(lines, labels, loss, float(net.slope), weight / tau, float(train_outer), net.width)
    state = np.concatenate([np.asarray(net.inner, dtype=float).reshape(-1), np.asarray(net.outer, dtype=float)])
    side = np.where(flow.split(state)[0] @ lines.directions.T > 0, 1, -1)
    side = _settle_touching(flow, state, side)
    states, now, events = [], 0.0, 0
    for end in np.asarray(times, dtype=float):
        while now < end:
            now, state, hit = _piece(flow, side, now, state, float(end), tolerance)
            if hit is not None:
                side = _settle_touching(flow, state, side, hit)
                events += 1
            if events > EVENTS:
                raise BadInput(f"{events} events before time {now}", "loosen the tolerance or shorten the horizon")
        states.append(state.copy())
    found = np.array(states)
    cut = net.inner.size
    return found[:, :cut].reshape(-1, *net.inner.shape), found[:, cut:]


def _settle_touching(flow: _Flow, state: Floats, side: NDArray[np.int64], who: int | None = None) -> NDArray[np.int64]:
    """Sides after an event of neuron `who` (at the start: of all neurons); neurons that slide are
    put on their lines.
    """
    inner, _ = flow.split(state)
    along = inner @ flow.lines.directions.T
    near = (np.abs(along) <= TOUCHES * np.linalg.norm(inner, axis=1)[:, None]) | (
        side * along <= 0
    )  # on it, or just past it
    side = side.copy()
    for h in range(len(side)) if who is None else [who]:
        if near[h].any():
            held = flow.lines.directions[near[h]]
            inner[h] -= np.linalg.pinv(held) @ (held @ inner[h])
            side[h] = flow.settle(state, side, h, near[h])
    return side


def _piece(
    flow: _Flow, side: NDArray[np.int64], now: float, state: Floats, end: float, tolerance: float
) -> tuple[float, Floats, int | None]:
    """Integrate in one pattern to the end or to the first event; its neuron."""
    scale = max(float(np.abs(state).max()), 1e-300)
    solver = LSODA(lambda _, y: flow.velocity(y, side), now, state, end, rtol=tolerance, atol=tolerance * 1e-3 * scale)
    while solver.status == "running":
        before = solver.t
        solver.step()
        dense = solver.dense_output()
        for time in np.linspace(before, solver.t, LOOKS + 1)[1:]:
            who = _violated(flow, side, dense(time))
            if who is not None:
                return _pin_down(flow, side, dense, before, float(time))
            before = float(time)
    return end, np.array(solver.y), None


def _slack(flow: _Flow, side: NDArray[np.int64], state: Floats, h: int) -> float:
    """Negative when neuron h is on the wrong side of a line, or no longer held on one."""
    inner, _ = flow.split(state)
    along = side[h] * (flow.lines.directions @ inner[h])
    worst = float(np.where(side[h] != 0, along, np.inf).min()) + 1e-13 * float(np.linalg.norm(inner[h]))
    if (side[h] == 0).any() and (flow.settle(state, side, h, side[h] == 0)[side[h] == 0] != 0).any():
        return -1.0
    return worst


def _violated(flow: _Flow, side: NDArray[np.int64], state: Floats) -> int | None:
    """A neuron whose pattern no longer holds."""
    return next((h for h in range(flow.width) if _slack(flow, side, state, h) < 0), None)


def _pin_down(
    flow: _Flow, side: NDArray[np.int64], dense: object, low: float, high: float
) -> tuple[float, Floats, int]:
    """Bisect to the first violation between two times; its time, the state and the neuron."""
    assert callable(dense)
    for _ in range(70):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        low, high = (low, middle) if _violated(flow, side, dense(middle)) is not None else (middle, high)
    who = _violated(flow, side, dense(high))
    assert who is not None
    return high, np.array(dense(high)), who
