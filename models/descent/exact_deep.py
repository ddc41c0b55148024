"""Gradient descent of networks of any depth in exact arithmetic: rationals for a few steps, balls for hundreds.

The gradient is the backward recursion of models.gradient; a gate enters the forward and the backward pass with one and
the same decision. The square loss starts in rationals as long as they are short, which decides coincidences in the
first steps; then balls, whose precision doubles, from the start, until every sign is known. A unit that is dead on a
sample (slope 0) contributes exact zeros; other pre-activations that are zero for a structural reason only are a ball
around zero, and then the sign is reported as unknown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from refute.arithmetic.numbers import EXACT, Array, Number, rational
from refute.errors import BadInput, Inexact, SignUnknown
from refute.functions import leaky_relu_slope
from refute.language.case import lift
from refute.models.checks import check_dimension, checked_count, checked_layers
from refute.models.dataset import Dataset
from refute.models.descent.exact import (
    MOST_BITS,
    Layers,
    at_rising_precision,
    check_bounded,
    first_open,
    short,
    wanted_steps,
)
from refute.models.gradient import pulled_back
from refute.models.loss import SQUARE, Loss, Shape
from refute.models.network import DeepNetwork


@dataclass(frozen=True, slots=True, eq=False)
class ExactDeepDescent:
    """Weights at the recorded steps: weights[l] is (times, rows, columns), of rationals or of balls.

    `bits` is the precision of the balls (0 for rationals), `rational_steps` the number of first steps done in
    rationals.
    """

    steps: tuple[int, ...]
    weights: Layers
    bits: int
    rational_steps: int

    @property
    def radius(self) -> float:
        """The largest radius of a weight."""
        flat = (w for layer in self.weights for w in layer.reshape(-1))
        return max((float(w.rad()) for w in flat if isinstance(w, arb)), default=0.0)


def exact_deep_descent(
    net: DeepNetwork,
    data: Dataset,
    loss: Loss = SQUARE,
    *,
    rate: object,
    steps: int,
    slope_at_zero: object,
    trained: Sequence[bool] | None = None,
) -> ExactDeepDescent:
    """All steps 0, ..., `steps` in rationals; their length multiplies by 2 * depth - 1 at each step. `trained` says
    which layers move.
    """
    if loss.shape is not Shape.SQUARE:
        raise BadInput(
            f"loss must be the square loss in rational arithmetic, got {loss.shape.name.lower()}",
            "use ball_deep_descent",
        )
    case = _Case(net, data, loss, rate, slope_at_zero, trained)
    found = [case.start]
    for now in range(checked_count(steps, "steps")):
        found.append(case.step(found[-1], now))
    return _result(range(steps + 1), found, 0, steps)


def ball_deep_descent(
    net: DeepNetwork,
    data: Dataset,
    loss: Loss = SQUARE,
    *,
    rate: object,
    steps: int,
    record: Iterable[int] = (),
    slope_at_zero: object,
    trained: Sequence[bool] | None = None,
    accuracy: float = 1e-12,
    most_bits: int = MOST_BITS,
) -> ExactDeepDescent:
    """Enclosures of the weights at the steps in `record` and at the last one, each of radius at most `accuracy` times 1
    + its size.

    Raises `SignUnknown`, naming the step and the unit, when a sign stays open at `most_bits` bits.
    """
    case = _Case(net, data, loss, rate, slope_at_zero, trained)
    wanted = wanted_steps(steps, record)
    prefix = [case.start]
    while len(prefix) <= wanted[-1]:
        try:
            after = case.step(prefix[-1], len(prefix) - 1)
        except Inexact:
            break
        if not short(*after):
            break
        prefix.append(after)
    early = [layers for step, layers in enumerate(prefix) if step in wanted]
    late = [step for step in wanted if step >= len(prefix)]
    found, bits = at_rising_precision(lambda: case.ball_steps(prefix[-1], len(prefix) - 1, late), accuracy, most_bits)
    return _result(wanted, early + found, bits, len(prefix) - 1)


class _Case:
    """A case in exact rationals, and steps on it in rationals or balls."""

    def __init__(
        self,
        net: DeepNetwork,
        data: Dataset,
        loss: Loss,
        rate: object,
        slope_at_zero: object,
        trained: Sequence[bool] | None,
    ) -> None:
        check_dimension(net.weights[0].shape[1], data.inputs.shape[1])
        lifted: DeepNetwork = lift(net, EXACT)
        exact: Dataset = lift(data, EXACT)
        self.start, self.slope, self.loss = lifted.weights, lifted.slope, loss
        self.inputs, self.labels = exact.inputs, exact.labels
        self.rate = EXACT.scalar(rational(rate, "rate"))
        self.at_zero = EXACT.scalar(rational(slope_at_zero, "slope_at_zero"))
        self.moves = checked_layers(trained, len(self.start))
        if self.rate <= 0:
            raise BadInput(f"rate must be positive, got {rate}")
        for name, value in (("slope", self.slope), ("slope_at_zero", self.at_zero)):
            if not 0 <= value <= 1:
                raise BadInput(f"{name} must lie in [0, 1], got {value}")

    def step(self, weights: Layers, now: int) -> Layers:
        """One step in rationals; raises `Inexact` when a residual is irrational."""
        return self._step(weights, self.inputs, self.labels, self.slope, self.at_zero, self._scale(), now)

    def ball_steps(self, weights: Layers, first: int, wanted: list[int]) -> list[Layers]:
        """Weights at the wanted steps, in balls at the working precision, from exact weights at step `first`."""
        lifted = np.vectorize(arb, otypes=[object])
        weights, inputs, labels = tuple(lifted(layer) for layer in weights), lifted(self.inputs), lifted(self.labels)
        slope, at_zero, scale = (arb(value) for value in (self.slope, self.at_zero, self._scale()))
        found: list[Layers] = []
        for now in range(first, wanted[-1] + 1 if wanted else first):
            if now in wanted:
                found.append(weights)
            if now < wanted[-1]:
                weights = self._step(weights, inputs, labels, slope, at_zero, scale, now)
        return found

    def _scale(self) -> fmpq:
        scale: fmpq = self.rate * fmpq(*self.loss.weight(len(self.labels)).as_integer_ratio())
        return scale

    def _step(
        self, weights: Layers, inputs: Array, labels: Array, slope: Number, at_zero: Number, scale: Number, now: int
    ) -> Layers:
        """h_l = W_l (gates * h_{l-1}) forward, delta_{l-1} = gates * W_l^T delta_l backward, W_l + scale * delta_l
        (gates * h_{l-1})^T.
        """
        active, gates = [inputs], []
        for layer, matrix in enumerate(weights[:-1]):
            signal = active[-1] @ matrix.T
            gates.append(self._gates(signal, slope, at_zero, layer, now))
            active.append(signal * gates[-1])
        residual = self.loss.residual(labels, (active[-1] @ weights[-1].T)[:, 0])
        if isinstance(scale, arb):
            check_bounded(residual, now, self.rate)
        pushes = pulled_back(weights, active, gates, scale * residual[:, None])
        moving = zip(weights, pushes, self.moves, strict=True)
        return tuple(matrix + push if moves else matrix for matrix, push, moves in moving)

    def _gates(self, signal: Array, slope: Number, at_zero: Number, layer: int, step: int) -> Array:
        if self.slope == 1 and self.at_zero == 1:  # linear: no sign matters
            return np.full(signal.shape, slope, dtype=object)
        try:
            gates: Array = leaky_relu_slope(signal, slope, at_zero)
            return gates
        except SignUnknown:
            sample, neuron, value = first_open(signal)
            where = f"step {step}: the sign of unit {neuron} of layer {layer + 1} on x_{sample}"
            raise SignUnknown(f"{where} = {value.str(5)} is unknown") from None


def _result(steps: Iterable[int], found: list[Layers], bits: int, rational_steps: int) -> ExactDeepDescent:
    weights = tuple(np.array([layers[k] for layers in found]) for k in range(len(found[0])))
    return ExactDeepDescent(tuple(steps), weights, bits, rational_steps)
