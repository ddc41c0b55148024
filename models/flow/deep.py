"""Gradient flow of a deep bias-free (leaky) ReLU network: patterns, events and slides as for two layers, plainly in
numpy.

A unit is a hidden neuron on a sample. In a fixed pattern the field is smooth. On the boundary of one unit the field is
affine in its gate (its activation is zero there, so the gate enters through the backward pass alone, once): the
one-sided speeds of its pre-activation decide whether it is crossed, and while it slides its gate is the one that keeps
the pre-activation at zero. Several units slide together with gates found by Newton's method. Meant for small networks:
the search for events is plain. Units that meet their boundaries together are decided one after the other; where that
does not settle, the run ends as an accumulation of events.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853

from refute.arithmetic.numbers import FLOAT
from refute.decide.confirmation import REPEATED, answered
from refute.errors import BadInput, Diverged
from refute.language.case import lift
from refute.models.checks import checked_times
from refute.models.dataset import Dataset
from refute.models.flow.trajectory import Change
from refute.models.gradient import pulled_back
from refute.models.loss import Loss
from refute.models.network import DeepNetwork
from refute.models.training import Stop
from refute.show.cards import card, curves
from refute.shown import Shown

Floats = NDArray[np.float64]
Unit = tuple[int, int, int]  # layer, sample, neuron
LOOKS = 6  # places in a step at which signs are compared
TOO_LARGE = 1e8
STILL = 1e-11  # a speed this small, relative to the largest one, is zero
TOUCHES = 1e-13  # a pre-activation this small, relative to the largest one, is zero
COARSER = 30.0
HOPELESS = 1e9
EVENTS = 2000
BUDGET = 50_000  # evaluations of speeds in one run; a smooth trajectory needs a few hundred, a slide ten times as many
AT_ONCE = 1e-13  # events nearer to each other, relative to their time, happen together


@dataclass(frozen=True, slots=True)
class DeepEvent:
    """A hidden unit meets the hyperplane of a sample."""

    time: float
    layer: int
    neuron: int
    sample: int
    kind: Change


@dataclass(frozen=True, slots=True, eq=False)
class DeepTrajectory(Shown):
    """Weights of every layer at the asked times (times first); `error` bounds every weight, as in
    models.flow.trajectory.
    """

    time: Floats
    weights: tuple[Floats, ...]
    slope: float
    error: float
    events: tuple[DeepEvent, ...]
    stop: Stop
    reached: float

    def __str__(self) -> str:
        shapes = ", ".join(f"{rows} x {columns}" for _, rows, columns in (layer.shape for layer in self.weights))
        end = min(self.reached, float(self.time[-1]))
        words = f"{len(self.time)} times up to t = {end:g}, layers {shapes}, {len(self.events)} events"
        return f"{words}, weights known to {self.error:.2g}; {self.stop.value}"

    def _repr_html_(self) -> str:
        norms = np.stack([np.linalg.norm(layer, axis=(1, 2)) for layer in self.weights], axis=1)
        return card("trajectory", [("flow", str(self))], curves(self.time, norms, "norms of the layers"))


@dataclass(slots=True, eq=False)
class _Deep:
    """One integration: the problem, the pattern (side 1, -1, or 0 while sliding, per hidden layer), the gates of
    sliding units.
    """

    inputs: Floats
    labels: Floats
    loss: Loss
    slope: float
    rate: float
    shapes: list[tuple[int, int]]
    sides: list[NDArray[np.int64]] = field(default_factory=list)
    held: dict[Unit, float] = field(default_factory=dict)
    evaluations: int = 0

    def layers(self, state: Floats) -> list[Floats]:
        cuts = np.cumsum([rows * columns for rows, columns in self.shapes])[:-1]
        return [part.reshape(shape) for part, shape in zip(np.split(state, cuts), self.shapes, strict=True)]

    def gates(self) -> list[Floats]:
        found = [np.where(side > 0, 1.0, self.slope) for side in self.sides]
        for (layer, sample, neuron), gate in self.held.items():
            found[layer][sample, neuron] = gate
        return found

    def signals(self, weights: list[Floats], gates: list[Floats]) -> list[Floats]:
        """The pre-activations h_1, ..., h_L."""
        found = [self.inputs @ weights[0].T]
        for gate, matrix in zip(gates, weights[1:], strict=True):
            found.append((gate * found[-1]) @ matrix.T)
        return found

    def descent(self, weights: list[Floats], gates: list[Floats], signals: list[Floats]) -> list[Floats]:
        """Minus the gradient in the pattern of these gates."""
        outputs = signals[-1][:, 0]
        residual = self.loss.residual(self.labels, outputs)
        below = [self.inputs, *(gate * signal for gate, signal in zip(gates, signals[:-1], strict=True))]
        return [*pulled_back(weights, below, gates, self.rate * np.asarray(residual, dtype=float)[:, None])]

    def speeds(self, weights: list[Floats], gates: list[Floats]) -> tuple[list[Floats], list[Floats]]:
        """The velocity of the weights, and that of the hidden pre-activations."""
        self.evaluations += 1
        signals = self.signals(weights, gates)
        change = self.descent(weights, gates, signals)
        found = [self.inputs @ change[0].T]
        for level, gate in enumerate(gates[:-1]):
            found.append((gate * found[-1]) @ weights[level + 1].T + (gate * signals[level]) @ change[level + 1].T)
        return change, found

    def hold(self, weights: list[Floats], units: list[Unit]) -> list[Floats]:
        """Set the gates of the sliding units so that they stay on their boundaries (Newton; the speeds are nearly
        affine in them).
        """
        for _ in range(8 if len(units) > 1 else 2):
            gates = self.gates()
            moving = self.speeds(weights, gates)[1]
            miss = np.array([moving[unit[0]][unit[1:]] for unit in units])
            scale = max(float(np.abs(speed).max()) for speed in moving)
            if np.abs(miss).max(initial=0.0) <= 1e-15 * scale:
                break
            columns = np.array([self._response(weights, gates, moving, unit, units) for unit in units])
            if not (np.isfinite(columns).all() and np.isfinite(miss).all()):
                break  # a trial step overshot: the speeds are not finite either, so it is rejected
            step = np.linalg.lstsq(columns.T, -miss, rcond=1e-12)[0]
            for unit, part in zip(units, step, strict=True):
                self.held[unit] += float(part)
        return self.speeds(weights, self.gates())[0]

    def _response(
        self, weights: list[Floats], gates: list[Floats], moving: list[Floats], unit: Unit, units: list[Unit]
    ) -> list[float]:
        """How the speeds of the units change with the gate of one of them."""
        shifted = [gate.copy() for gate in gates]
        shifted[unit[0]][unit[1:]] += 0.5
        other = self.speeds(weights, shifted)[1]
        return [
            2 * float(other[layer][place] - moving[layer][place]) for layer, *rest in units for place in [tuple(rest)]
        ]

    def velocity(self, state: Floats) -> Floats:
        weights = self.layers(state)
        change = self.hold(weights, list(self.held)) if self.held else self.speeds(weights, self.gates())[0]
        return np.concatenate([part.reshape(-1) for part in change])

    def settle(self, state: Floats, unit: Unit) -> Change:
        """Cross, or slide: by the speeds of the unit with its gate on either side."""
        weights = self.layers(state)
        self.held.pop(unit, None)
        speed = {}
        for side in (1, -1):
            self.sides[unit[0]][unit[1:]] = side
            if self.held:
                self.hold(weights, list(self.held))
            moving = self.speeds(weights, self.gates())[1]
            speed[side] = float(moving[unit[0]][unit[1:]])
            scale = max(float(np.abs(value).max()) for value in moving)
        up, down = speed[1] > STILL * scale, speed[-1] < -STILL * scale
        if not up and not down and not (speed[1] < -STILL * scale and abs(speed[-1]) <= STILL * scale):
            self.sides[unit[0]][unit[1:]] = 0
            self.held[unit] = (1 + self.slope) / 2
            self.hold(weights, list(self.held))
            return Change.SLIDES
        side = 1 if up and (not down or speed[1] >= -speed[-1]) else -1
        self.sides[unit[0]][unit[1:]] = side
        return Change.ACTIVATES if side > 0 else Change.DEACTIVATES

    def violated(self, state: Floats) -> Unit | None:
        """A unit on the wrong side, or one whose sliding gate has left [slope, 1]."""
        weights = self.layers(state)
        signals = self.signals(weights, self.gates())[:-1]
        for layer, (side, signal) in enumerate(zip(self.sides, signals, strict=True)):
            wrong = np.argwhere(side * signal < -TOUCHES * max(1e-300, float(np.abs(signal).max())))
            if len(wrong):
                return layer, int(wrong[0][0]), int(wrong[0][1])
        if self.held:
            self.hold(weights, list(self.held))
        return next((unit for unit, gate in self.held.items() if not self.slope - 1e-10 <= gate <= 1 + 1e-10), None)


def deep_gradient_flow(
    net: DeepNetwork, data: Dataset, loss: Loss, times: Floats, *, tau: float = 1.0, tolerance: float = 1e-9
) -> DeepTrajectory:
    """Integrate tau dW_l/dt = -grad L for all layers from `net` at time 0 to the given increasing times."""
    answered(REPEATED)  # there is one method for deep networks
    times = checked_times(times)
    net, data = lift(net, FLOAT), lift(data, FLOAT)
    with np.errstate(over="ignore", invalid="ignore"):  # trial steps may overshoot, which rejects them
        fine = _follow(net, data, loss, times, tau, tolerance)
        coarse = _follow(net, data, loss, times, tau, COARSER * tolerance) if fine[2] is Stop.HORIZON else fine
    size = float(np.abs(fine[0]).max(initial=0.0))
    good = fine[2] is coarse[2] is Stop.HORIZON
    error = 2 * float(np.abs(fine[0] - coarse[0]).max(initial=0.0)) + 10 * tolerance * size if good else HOPELESS
    shapes = [matrix.shape for matrix in net.weights]
    parts = np.split(fine[0], np.cumsum([rows * columns for rows, columns in shapes])[:-1], axis=1)
    weights = tuple(part.reshape(-1, *shape) for part, shape in zip(parts, shapes, strict=True))
    return DeepTrajectory(times, weights, float(net.slope), error, fine[1], fine[2], fine[3])


def _follow(
    net: DeepNetwork, data: Dataset, loss: Loss, times: Floats, tau: float, tolerance: float
) -> tuple[Floats, tuple[DeepEvent, ...], Stop, float]:
    """States at the times, events, why it stopped and when."""
    labels = np.array(data.labels, dtype=float)
    weight = float(loss.weight(len(labels)))
    matrices = [np.array(matrix, dtype=float) for matrix in net.weights]
    deep = _Deep(
        np.array(data.inputs, dtype=float), labels, loss, float(net.slope), weight / tau, [m.shape for m in matrices]
    )
    state, now = np.concatenate([matrix.reshape(-1) for matrix in matrices]), 0.0
    log: list[DeepEvent] = []
    touching = _start(deep, matrices)
    if not np.isfinite(deep.velocity(state)).all():
        raise BadInput(
            "the velocity is not finite at the initial weights", "make the initial weights, the data or 1/tau smaller"
        )
    for unit in touching:
        _note(log, now, unit, deep.settle(state, unit))
    states = np.empty((len(times), len(state)))
    stalled, patience = (
        0,
        10 + 2 * sum(side.size for side in deep.sides),
    )  # units that meet boundaries together need one event each
    for k, end in enumerate(times):
        while now < end:
            before = now
            now, state, hit = _piece(deep, now, state, float(end), tolerance)
            stalled = stalled + 1 if now - before <= AT_ONCE * now else 0
            if hit is not None:
                _note(log, now, hit, deep.settle(state, hit))
            if deep.evaluations > BUDGET or len(log) > EVENTS or stalled > patience:
                states[k:] = state
                return states, tuple(log), Stop.BUDGET if deep.evaluations > BUDGET else Stop.ACCUMULATION, now
        states[k] = state
    return states, tuple(log), Stop.HORIZON, now


def _start(deep: _Deep, matrices: list[Floats]) -> list[Unit]:
    """Set the sides layer by layer; the units that start on a boundary."""
    signal, touching = deep.inputs, []
    for layer, matrix in enumerate(matrices[:-1]):
        signal = signal @ matrix.T
        deep.sides.append(np.where(signal > 0, 1, -1))
        near = np.abs(signal) <= TOUCHES * max(1e-300, float(np.abs(signal).max(initial=0.0)))
        near[~deep.inputs.any(axis=1)] = False  # at the origin nothing ever moves, and gates do not matter
        touching += [(layer, int(sample), int(neuron)) for sample, neuron in np.argwhere(near)]
        signal = np.maximum(signal, deep.slope * signal)
    return touching


def _note(log: list[DeepEvent], time: float, unit: Unit, kind: Change) -> None:
    layer, sample, neuron = unit
    log.append(DeepEvent(time, layer, neuron, sample, kind))


def _piece(deep: _Deep, now: float, state: Floats, end: float, tolerance: float) -> tuple[float, Floats, Unit | None]:
    """Integrate in one pattern to the end, to the first event (its unit), or until the budget is spent."""
    floor = max(1e-3 * tolerance * float(np.abs(state).max()), 1e-290)
    solver = DOP853(lambda _, y: deep.velocity(y), now, state, end, rtol=max(tolerance, 1e-13), atol=floor)
    while solver.status == "running":
        if deep.evaluations > BUDGET:
            return float(solver.t), np.array(solver.y), None
        low = float(solver.t)
        solver.step()
        if solver.status == "failed" or not np.abs(solver.y).max() <= TOO_LARGE:
            raise Diverged(f"training diverged at time {low:.4g}", Stop.DIVERGED.value)
        dense = solver.dense_output()
        for high in np.linspace(low, solver.t, LOOKS + 1)[1:]:
            unit = deep.violated(dense(high))
            if unit is not None:
                return _pin_down(deep, dense, low, float(high), unit)
    return end, np.array(solver.y), None


def _pin_down(deep: _Deep, dense: Any, low: float, high: float, unit: Unit) -> tuple[float, Floats, Unit]:
    """Bisect to the first violation; its time, the state there, and the unit."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        found = deep.violated(dense(middle))
        if found is None:
            low = middle
        else:
            high, unit = middle, found
    return high, np.array(dense(high)), unit
