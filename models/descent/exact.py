r"""Gradient descent of a two-layer network in exact arithmetic: rationals for few steps, balls for thousands.

Balls are kept in the span of the data, u_{hi} = <w_h, x_i> and w_h = w_h(0) + sum_i c_{hi} x_i, with an exact Gram
matrix G:
    c_{hi} += eta weight g_i v_h sigma'(u_{hi}),    u_{hk} += sum_i (change of c_{hi}) G_{ik},    v_h += eta weight
    sum_i g_i sigma(u_{hi}).
A product that is zero for a structural reason (a dead neuron, orthogonal inputs, a zero outer weight) is then exactly
zero for ever, and not a ball around zero whose sign no precision can decide. The square loss starts in rationals as
long as they are short, which decides coincidences in the first steps. The precision doubles, from the start, until
every sign is known.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from refute.arithmetic.numbers import EXACT, Array, balls, rational
from refute.errors import BadInput, Diverged, Inexact, SignUnknown
from refute.functions import leaky_relu_slope, sign
from refute.language.case import lift
from refute.models.checks import check_dimension, checked_count
from refute.models.dataset import Dataset
from refute.models.gradient import descent_direction
from refute.models.loss import SQUARE, Loss, Shape
from refute.models.network import TwoLayer

FIRST_BITS = 128
MOST_BITS = 1 << 16
SHORT = 2048  # bits of a rational weight, beyond which the rational start gives way to balls
STUBBORN = 4  # precisions, each twice the last, at which one and the same sign stays open before it counts as a tie
TOO_LARGE = 1 << 20  # exponent of a ball that has left every reasonable region
Layers = tuple[Array, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ExactDescent:
    """Weights at the recorded steps: inner (times, width, dim), outer (times, width), of rationals or of balls.

    `bits` is the precision of the balls (0 for rationals), `rational_steps` the number of first steps done in
    rationals.
    """

    steps: tuple[int, ...]
    inner: Array
    outer: Array
    bits: int
    rational_steps: int

    @property
    def radius(self) -> float:
        """The largest radius of a weight."""
        return max((_radius(w) for w in (*self.inner.reshape(-1), *self.outer.reshape(-1))), default=0.0)


def exact_descent(
    net: TwoLayer,
    data: Dataset,
    loss: Loss = SQUARE,
    *,
    rate: object,
    steps: int,
    slope_at_zero: object,
    train_outer: bool = True,
) -> ExactDescent:
    """All steps 0, ..., `steps` in rationals. Numerators triple in length at each step, so a dozen steps is a lot."""
    if loss.shape is not Shape.SQUARE:
        raise BadInput(
            f"loss must be the square loss in rational arithmetic, got {loss.shape.name.lower()}", "use ball_descent"
        )
    case = _Case(net, data, loss, rate, slope_at_zero, train_outer)
    state, found = case.net, [case.net]
    for _ in range(checked_count(steps, "steps")):
        state = case.exact_step(state)
        found.append(state)
    return _result(range(steps + 1), [(now.inner, now.outer) for now in found], 0, steps)


def ball_descent(
    net: TwoLayer,
    data: Dataset,
    loss: Loss = SQUARE,
    *,
    rate: object,
    steps: int,
    record: Iterable[int] = (),
    slope_at_zero: object,
    train_outer: bool = True,
    accuracy: float = 1e-12,
    most_bits: int = MOST_BITS,
) -> ExactDescent:
    """Enclosures of the weights at the steps in `record` and at the last one, each of radius at most `accuracy` times 1
    + its size.

    Raises `SignUnknown`, naming the step, when a sign stays open at `most_bits` bits.
    """
    case = _Case(net, data, loss, rate, slope_at_zero, train_outer)
    wanted = wanted_steps(steps, record)
    prefix = _rational_start(case, wanted[-1])
    early: list[Layers] = [(now.inner, now.outer) for step, now in enumerate(prefix) if step in wanted]
    late = [step for step in wanted if step >= len(prefix)]
    found, bits = at_rising_precision(lambda: case.ball_steps(prefix[-1], len(prefix) - 1, late), accuracy, most_bits)
    return _result(wanted, early + found, bits, len(prefix) - 1)


def wanted_steps(steps: int, record: Iterable[int]) -> list[int]:
    """The steps to record, in order, with the last one."""
    steps = checked_count(steps, "steps")
    wanted = sorted({*(checked_count(step, "record") for step in record), steps})
    if wanted[-1] > steps:
        raise BadInput(f"record asks for step {wanted[-1]} of {steps}")
    return wanted


def at_rising_precision(run: Callable[[], list[Layers]], accuracy: float, most_bits: int) -> tuple[list[Layers], int]:
    """What `run` finds (layers of balls, at several steps) at the first precision that decides every sign and is
    accurate, and its bits.
    """
    if not accuracy > 0:
        raise BadInput(f"accuracy must be positive, got {accuracy}")
    bits, places = FIRST_BITS, [""]
    while True:
        try:
            with ctx.workprec(bits):
                found = run()
                if all(_sharp(w, accuracy) for layers in found for layer in layers for w in layer.reshape(-1)):
                    return found, bits
            reason = f"the enclosures stay wider than {accuracy}"
        except SignUnknown as unknown:
            reason = str(unknown)
            places.append(reason.split(" = ")[0])
            if len(places) > STUBBORN and len(set(places[-STUBBORN:])) == 1:
                raise SignUnknown(
                    f"{reason} at {bits} bits: as good as a tie, which balls cannot decide; start off it"
                ) from None
        if 2 * bits > most_bits:
            raise SignUnknown(f"{reason} at {bits} bits; shorten the run, or raise most_bits")
        bits *= 2


class _Case:
    """A case in exact rationals, and single steps on it."""

    def __init__(
        self, net: TwoLayer, data: Dataset, loss: Loss, rate: object, slope_at_zero: object, train_outer: bool
    ) -> None:
        check_dimension(net.inner.shape[1], data.inputs.shape[1])
        self.net: TwoLayer = lift(net, EXACT)
        self.data: Dataset = lift(data, EXACT)
        self.loss, self.train_outer = loss, train_outer
        self.rate = EXACT.scalar(rational(rate, "rate"))
        self.at_zero = EXACT.scalar(rational(slope_at_zero, "slope_at_zero"))
        if self.rate <= 0:
            raise BadInput(f"rate must be positive, got {rate}")
        for name, value in (("slope", self.net.slope), ("slope_at_zero", self.at_zero)):
            if not 0 <= value <= 1:
                raise BadInput(f"{name} must lie in [0, 1], got {value}")

    def exact_step(self, net: TwoLayer) -> TwoLayer:
        """One step in rationals; raises `Inexact` when a residual is irrational."""
        inner, outer = descent_direction(net, self.data, self.loss, self.at_zero)
        return net.with_weights(
            net.inner + self.rate * inner, net.outer + self.rate * outer if self.train_outer else net.outer
        )

    def ball_steps(self, net: TwoLayer, first: int, wanted: list[int]) -> list[Layers]:
        """Weights at the wanted steps, in balls at the working precision, from exact weights at step `first`."""
        if not wanted:
            return []
        bits = ctx.prec
        lifted = balls(bits).array
        x = self.data.inputs
        u, v, gram, y = (lifted(values) for values in (net.inner @ x.T, net.outer, x @ x.T, self.data.labels))
        slope, at_zero = balls(bits).scalar(rational(net.slope)), balls(bits).scalar(rational(self.at_zero))
        step = arb(self.rate * fmpq(*self.loss.weight(len(y)).as_integer_ratio()))
        c = np.full(u.shape, arb(0), dtype=object)
        linear = bool(net.slope == 1 and self.at_zero == 1)
        one = np.full(u.shape, arb(1), dtype=object)
        found: list[Layers] = []
        start, inputs = lifted(net.inner), lifted(x)
        for now in range(first, wanted[-1] + 1):
            if now in wanted:
                found.append((start + c @ inputs, v))
            if now == wanted[-1]:
                break
            gates = one if linear else self._gates(u, slope, at_zero, now)
            hidden = u * gates
            residual = self.loss.residual(y, v @ hidden)
            check_bounded(residual, now, self.rate)
            push = step * residual
            change = gates * v[:, None] * push[None, :]
            if self.train_outer:
                v = v + hidden @ push
            c = c + change
            u = u + change @ gram
        return found

    def _gates(self, u: Array, slope: Any, at_zero: Any, step: int) -> Array:
        try:
            gates: Array = leaky_relu_slope(u, slope, at_zero)
            return gates
        except SignUnknown:
            h, i, value = first_open(u)
            raise SignUnknown(f"step {step}: the sign of w_{h} . x_{i} = {value.str(5)} is unknown") from None


def check_bounded(residual: Array, step: int, rate: object) -> None:
    """Raise `Diverged`, naming the step, when a ball has left every reasonable region."""
    bound = arb(2) ** TOO_LARGE
    if not all(r.is_finite() and r.abs_upper() < bound for r in residual):
        raise Diverged(
            f"gradient descent diverged: a residual leaves every bound at step {step}", f"take rate below {rate}"
        )


def first_open(values: Array) -> tuple[int, int, arb]:
    """Row, column and value of the first ball whose sign is unknown."""
    return next((h, i, value) for h, row in enumerate(values.tolist()) for i, value in enumerate(row) if _open(value))


def _open(value: arb) -> bool:
    try:
        sign(value)
    except SignUnknown:
        return True
    return False


def _rational_start(case: _Case, steps: int) -> list[TwoLayer]:
    """The first steps in rationals, as long as every weight is short."""
    found = [case.net]
    while len(found) <= steps:
        try:
            after = case.exact_step(found[-1])
        except Inexact:
            break
        if not short(after.inner, after.outer):
            break
        found.append(after)
    return found


def short(*layers: Array) -> bool:
    """Whether all rational weights have few digits."""
    return max(_length(w) for layer in layers for w in layer.reshape(-1)) <= SHORT


def _length(value: fmpq) -> int:
    return max(int(value.p).bit_length(), int(value.q).bit_length())


def _radius(value: object) -> float:
    return float(value.rad()) if isinstance(value, arb) else 0.0


def _sharp(value: object, accuracy: float) -> bool:
    return not isinstance(value, arb) or bool(value.is_finite() and value.rad() <= accuracy * (1 + abs(value.mid())))


def _result(steps: Iterable[int], layers: list[Layers], bits: int, rational_steps: int) -> ExactDescent:
    return ExactDescent(
        tuple(steps), np.array([w for w, _ in layers]), np.array([v for _, v in layers]), bits, rational_steps
    )
