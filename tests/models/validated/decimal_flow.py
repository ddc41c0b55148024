"""An independent reference for gradient flow: extrapolated midpoint rule in 60-digit decimals, crossings located by the
secant method.

It shares nothing with the balls of `models`: other arithmetic, other method, other way to find a crossing. It cannot
slide.
"""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from refute.arithmetic.numbers import rational
from refute.models.dataset import Dataset
from refute.models.loss import Loss, Shape
from refute.models.network import TwoLayer

DIGITS = 60
LEVELS = 14  # of extrapolation: order 28
TOLERANCE = Decimal("1e-44")  # steps whose extrapolation has not settled to this are halved
State = list[Decimal]


def decimal(value: object) -> Decimal:
    """A rational, rounded to the current digits."""
    exact = rational(value)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


@dataclass
class DecimalFlow:
    """Gradient flow of `net` on `data`; `run` gives the states at the times and the crossings
    (time, neuron, sample).
    """

    net: TwoLayer
    data: Dataset
    loss: Loss
    train_outer: bool = True
    step: Fraction = Fraction(1, 8)

    def run(self, times: list[Fraction]) -> tuple[list[State], list[tuple[Decimal, int, int]]]:
        with localcontext() as context:
            context.prec = DIGITS
            return self._run([decimal(time) for time in times])

    def _run(self, times: list[Decimal]) -> tuple[list[State], list[tuple[Decimal, int, int]]]:
        self.x = [[decimal(entry) for entry in row] for row in self.data.inputs]
        self.y = [decimal(label) for label in self.data.labels]
        self.slope, self.width, self.dim = decimal(self.net.slope), *self.net.inner.shape
        self.outer = [decimal(weight) for weight in self.net.outer]
        self.strength = decimal(self.loss.factor * self.loss.weight(len(self.y)))
        state = [decimal(weight) for weight in self.net.inner.reshape(-1)] + self.outer
        active = [[self._signal(state, h, i) > 0 for i in range(len(self.y))] for h in range(self.width)]
        now, found, crossings = Decimal(0), [], []
        for time in times:
            while now < time:
                length = min(decimal(self.step), time - now)
                after = self._advance(state, active, length)
                changed = self._changed(after, active)
                if changed:
                    length, h, i = min((self._crossing(state, active, length, h, i), h, i) for h, i in changed)
                    after = self._advance(state, active, length)
                    active[h][i] = not active[h][i]
                    crossings.append((now + length, h, i))
                state, now = after, now + length
            found.append(state)
        return found, crossings

    def _changed(self, state: State, active: list[list[bool]]) -> list[tuple[int, int]]:
        pairs = [(h, i) for h in range(self.width) for i in range(len(self.y))]
        noise = Decimal(10) ** (-DIGITS + 12)
        return [
            (h, i)
            for h, i in pairs
            if (self._signal(state, h, i) > noise) != active[h][i] and abs(self._signal(state, h, i)) > noise
        ]

    def _crossing(self, state: State, active: list[list[bool]], length: Decimal, h: int, i: int) -> Decimal:
        """By the secant method on the length of one step."""
        ends = [Decimal(0), length]
        values = [self._signal(self._advance(state, active, end), h, i) for end in ends]
        for _ in range(30):
            if abs(values[-1]) < Decimal(10) ** (-DIGITS + 8) or values[-1] == values[-2]:
                break
            ends.append(ends[-1] - values[-1] * (ends[-1] - ends[-2]) / (values[-1] - values[-2]))
            values.append(self._signal(self._advance(state, active, ends[-1]), h, i))
        return ends[-1]

    def _signal(self, state: State, h: int, i: int) -> Decimal:
        return sum((state[h * self.dim + k] * self.x[i][k] for k in range(self.dim)), Decimal(0))

    def _pull(self, label: Decimal, output: Decimal) -> Decimal:
        if self.loss.shape == Shape.SQUARE:
            return 2 * self.strength * (label - output)
        power = (self.loss.sign * label * output).exp()
        return (
            -self.loss.sign
            * label
            * self.strength
            * (power if self.loss.shape == Shape.EXPONENTIAL else power / (1 + power))
        )

    def _velocity(self, state: State, active: list[list[bool]]) -> State:
        outer = state[self.width * self.dim :]
        gates = [[Decimal(1) if on else self.slope for on in row] for row in active]
        hidden = [[gates[h][i] * self._signal(state, h, i) for i in range(len(self.y))] for h in range(self.width)]
        outputs = [sum((outer[h] * hidden[h][i] for h in range(self.width)), Decimal(0)) for i in range(len(self.y))]
        pulls = [self._pull(label, output) for label, output in zip(self.y, outputs, strict=True)]
        inner = [
            outer[h] * sum((pulls[i] * gates[h][i] * self.x[i][k] for i in range(len(self.y))), Decimal(0))
            for h in range(self.width)
            for k in range(self.dim)
        ]
        heads = [sum((pulls[i] * hidden[h][i] for i in range(len(self.y))), Decimal(0)) for h in range(self.width)]
        return inner + (heads if self.train_outer else [Decimal(0)] * self.width)

    def _advance(self, state: State, active: list[list[bool]], length: Decimal) -> State:
        """Gragg's method: the midpoint rule with 2, 4, 6, ... substeps, extrapolated to none."""
        if length == 0:
            return state
        row: list[State] = []
        for level in range(1, LEVELS + 1):
            row = self._extrapolate(row, self._midpoint(state, active, length, 2 * level), level)
        if max(abs(a - b) for a, b in zip(row[-1], row[-2], strict=True)) > TOLERANCE:
            return self._advance(self._advance(state, active, length / 2), active, length / 2)
        return row[-1]

    def _midpoint(self, state: State, active: list[list[bool]], length: Decimal, count: int) -> State:
        h = length / count
        before, here = (
            state,
            [value + h * speed for value, speed in zip(state, self._velocity(state, active), strict=True)],
        )
        for _ in range(count - 1):
            before, here = (
                here,
                [value + 2 * h * speed for value, speed in zip(before, self._velocity(here, active), strict=True)],
            )
        end = self._velocity(here, active)
        return [(value + old + h * speed) / 2 for value, old, speed in zip(here, before, end, strict=True)]

    def _extrapolate(self, row: list[State], first: State, level: int) -> list[State]:
        new = [first]
        for k, old in enumerate(row):
            ratio = (Decimal(level) / Decimal(level - k - 1)) ** 2
            new.append([value + (value - past) / (ratio - 1) for value, past in zip(new[-1], old, strict=True)])
        return new
