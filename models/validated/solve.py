r"""A guaranteed enclosure of the gradient flow of a small two-layer network, from exact data and weights, or all
weights next to them.

Inside one activation pattern the flow is analytic and is enclosed by a Taylor method over balls (`enclosure`); each
change of the pattern is proved to be a crossing (`crossing`). Where that cannot be proved the integration ends and says
why: it never guesses. Samples that exert no force and neurons that cannot move are left out of the computation, exactly
(`exact_start`).
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

import numpy as np
from flint import ctx

from refute.arithmetic.numbers import Array, Number, balls, rational
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.checks import check_dimension
from refute.models.dataset import Dataset
from refute.models.loss import Loss
from refute.models.network import TwoLayer
from refute.models.validated.crossing import Pair, Sidedness, clear_until, cross
from refute.models.validated.enclosure import Step, norm, radii, take_step, widened
from refute.models.validated.exact_start import ExactStart
from refute.models.validated.impasse import Impasse, Outcome
from refute.models.validated.taylor import ZERO, Ball, Vector, ball


@dataclass(frozen=True, slots=True, eq=False)
class Switch:
    """Neuron and sample whose activation changes, once, at a time in the ball `time`; `active` is
    the state after it.
    """

    neuron: int
    sample: int
    active: bool
    time: Ball


@dataclass(frozen=True, slots=True, eq=False)
class Tube:
    """Balls that contain the weights at `time`: those of the times asked that were reached. `outcome` says why there
    are no more.

    Between 0 and `reached` the activation pattern changes at the `switches` and nowhere else, for all samples that
    exert a force.
    """

    time: tuple[Fraction, ...]
    inner: Array
    outer: Array
    switches: tuple[Switch, ...]
    outcome: Outcome
    reached: Fraction
    bits: int
    net: TwoLayer

    def radius(self) -> float:
        """The largest radius of a weight, rounded up."""
        every = [
            float(value.rad())
            for layer in (self.inner, self.outer)
            for value in layer.reshape(-1)
            if not value.is_exact()
        ]
        return float(np.nextafter(max(every), np.inf)) if every else 0.0

    def outputs(self, x: Array) -> Array:
        """Balls that contain f(x) for rows of points x at every time: shape (times, points)."""
        with ctx.workprec(self.bits):
            points = balls(self.bits).array(np.asarray(x))
            net = lift(self.net, balls(self.bits))
            rows = [net.with_weights(inner, outer)(points) for inner, outer in zip(self.inner, self.outer, strict=True)]
        return np.array(rows, dtype=object).reshape(len(self.time), len(points))

    def loss(self, data: Dataset, loss: Loss) -> Array:
        """Balls that contain the loss on the dataset at every time."""
        outputs = self.outputs(data.inputs)
        with ctx.workprec(self.bits):
            labels = balls(self.bits).array(data.labels)
            values = [loss.value(labels, row) for row in outputs]
        return np.array(values, dtype=object)


def validated_flow(
    net: TwoLayer,
    data: Dataset,
    loss: Loss,
    times: Sequence[Number],
    *,
    train_outer: bool = True,
    spread: Number = Fraction(0),
    radius: Number = Fraction(1, 10**20),
    bits: int = 128,
    most_bits: int = 512,
    most_steps: int = 500,
) -> Tube:
    """Enclose dW/dt = -grad L from `net` at time 0 at the given increasing rational times, every weight to within
    `radius`.

    The precision is doubled from `bits` up to `most_bits` until everything on the way is decided. With a `spread` every
    trajectory is enclosed whose moving weights begin at most so far, in Euclidean distance, from those of `net`.
    """
    asked = [rational(value, f"times[{k}]") for k, value in enumerate(times)]
    if not asked or asked[0] < 0 or any(b < a for a, b in pairwise(asked)):
        raise BadInput(f"times must increase from 0 or later, got {[str(t) for t in asked]}")
    check_dimension(net.inner.shape[1], data.inputs.shape[1])
    if not 16 <= bits <= most_bits or most_steps < 1 or rational(radius) <= 0:
        raise BadInput(
            f"bits = {bits}, most_bits = {most_bits}, most_steps = {most_steps}, radius = {radius}",
            "16 <= bits <= most_bits",
        )
    case, apart = ExactStart(net, data, loss, train_outer), rational(spread, "spread")
    if apart < 0 or (apart and not case.keeps_sides_within(apart)):
        raise BadInput(f"spread = {apart}", "it must not be negative, nor reach the hyperplane of a sample")
    while True:
        run = _Run(case, apart, asked, rational(radius), bits, most_steps)
        outcome = run.finish()
        if outcome.is_final or 2 * bits > most_bits:
            return run.tube(outcome)
        bits *= 2


def _state_in(step: Step, start: Fraction, time: Fraction) -> Vector:
    """Where all trajectories of a step that begins at `start` are at `time`."""
    return widened(step.centre_at(time - start), step.spread_at(time - start))


class _Run:
    """One integration at one precision: an exact centre, a radius around it, and what was proved on the way."""

    def __init__(
        self, case: ExactStart, apart: Fraction, asked: list[Fraction], radius: Fraction, bits: int, most_steps: int
    ) -> None:
        self.case, self.apart, self.asked, self.radius, self.bits, self.most_steps = (
            case,
            apart,
            asked,
            radius,
            bits,
            most_steps,
        )
        self.time = Fraction(0)
        self.found: list[Vector] = []
        self.switches: list[Switch] = []
        self.known = Sidedness(case.sides())

    def finish(self) -> Outcome:
        """Integrate to the last time asked."""
        with ctx.workprec(self.bits):
            try:
                self.problem = self.case.problem()
                self._recentre(self.case.start(), ball(self.apart))
                self._emit(Fraction(0), lambda _: self._box())
                self._integrate()
            except Impasse as impasse:
                return impasse.outcome
        return Outcome.COMPLETE

    def _integrate(self) -> None:
        horizon = self.asked[-1]
        if self.case.is_at_rest(self.apart):
            self._emit(horizon, lambda _: self._box())
            self.time = horizon
            return
        if horizon > 0 and (zeros := [pair for pair, side in self.known.sides.items() if not side]):
            self._cross(zeros)
        slack = 1.0
        for _ in range(self.most_steps):
            if len(self.found) == len(self.asked):
                return
            step = take_step(
                self.problem.field(self.known.sides), self.centre, self.spread, horizon - self.time, self.bits, slack
            )
            if step is None:
                raise Impasse(Outcome.TOO_SHORT)
            slack = step.slack
            length, blocking = clear_until(self.problem, step, self.known, self.bits)
            self._emit(self.time + length, partial(_state_in, step, self.time))
            if length:
                self.time += length
                self._recentre(step.centre_at(length), step.spread_at(length))
                self.known = replace(self.known, fresh=frozenset())
            if blocking and len(self.found) < len(self.asked):
                self._cross(blocking)
        raise Impasse(Outcome.BUDGET)

    def _cross(self, touched: Collection[Pair]) -> None:
        crossing = cross(self.problem, self._box(), self.known, touched, self.bits)
        start, self.time = self.time, self.time + crossing.length
        for (h, line), side in crossing.known.sides.items():
            if self.known.sides[h, line] * side < 0:
                self._note(h, line, side, ball(start).union(ball(self.time)))
        self.known = crossing.known
        self._emit(self.time, lambda _: crossing.during)
        self._recentre(crossing.after, ZERO)

    def _note(self, h: int, line: int, side: int, time: Ball) -> None:
        for i, (own, way) in enumerate(zip(self.case.line, self.case.orientation, strict=True)):
            if own == line:
                self.switches.append(Switch(self.case.neurons[h], self.case.samples[i], side * way > 0, time))

    def _box(self) -> Vector:
        return widened(self.centre, self.spread)

    def _recentre(self, values: Vector, spread: Ball) -> None:
        """Carry on from the midpoints; the radii join the spread."""
        self.centre = [value.mid() for value in values]
        self.spread = (spread + norm(radii(values))).abs_upper()
        if self.spread > ball(self.radius):
            raise Impasse(Outcome.TOO_WIDE)

    def _emit(self, until: Fraction, state: Callable[[Fraction], Vector]) -> None:
        """Write down the state at the times asked up to `until`."""
        while len(self.found) < len(self.asked) and self.asked[len(self.found)] <= until:
            values = state(self.asked[len(self.found)])
            if any(radius > ball(self.radius) for radius in radii(values)):
                raise Impasse(Outcome.TOO_WIDE)
            self.found.append(values)

    def tube(self, outcome: Outcome) -> Tube:
        """What was proved."""
        case, net = self.case, self.case.net
        with ctx.workprec(self.bits):
            still = lift(net, balls(self.bits))
            inner = np.array([still.inner] * len(self.found), dtype=object).reshape(len(self.found), *net.inner.shape)
            outer = np.array([still.outer] * len(self.found), dtype=object).reshape(len(self.found), *net.outer.shape)
        moving = case.inner.size
        for k, state in enumerate(self.found):
            inner[k, case.neurons] = np.array(state[:moving], dtype=object).reshape(case.inner.shape)
            if case.train_outer:
                outer[k, case.neurons] = state[moving:]
        times = tuple(self.asked[: len(self.found)])
        return Tube(times, inner, outer, tuple(self.switches), outcome, self.time, self.bits, net)
