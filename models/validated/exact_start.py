"""A training problem in exact rationals, as a validated flow begins it: what moves, what pulls, and which signals
vanish.

Samples that exert no force (a zero input, or a zero label of a logistic or exponential loss) and neurons that cannot
move (zero in both layers, or with a fixed outer weight of zero) are left out: neither has a sign to decide, now or
later.
"""

from fractions import Fraction

import numpy as np
from flint import ctx, fmpq

from refute.arithmetic.numbers import EXACT, balls, rational
from refute.functions import leaky_relu, sign, squared_norm
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.loss import Loss, Shape
from refute.models.network import TwoLayer
from refute.models.validated.crossing import Pair, Problem
from refute.models.validated.taylor import Pull, Vector, ball


class ExactStart:
    """The case in exact rationals: which neurons move, which samples pull, and which pre-activations are zero at the
    start.
    """

    def __init__(self, net: TwoLayer, data: Dataset, loss: Loss, train_outer: bool) -> None:
        exact_net, exact_data = lift(net, EXACT), lift(data, EXACT)
        _ = loss.kernel  # a loss of one's own has no Taylor series
        self.net, self.loss, self.train_outer, self.count = net, loss, train_outer, len(data.labels)
        self.slope: fmpq = exact_net.slope
        pulls = [
            bool((x != 0).any()) and (loss.shape == Shape.SQUARE or y != 0)
            for x, y in zip(exact_data.inputs, exact_data.labels, strict=True)
        ]
        self.samples = [i for i, pull in enumerate(pulls) if pull]
        moves = [
            a != 0 or (train_outer and bool((w != 0).any()))
            for w, a in zip(exact_net.inner, exact_net.outer, strict=True)
        ]
        self.neurons = [h for h, move in enumerate(moves) if move]
        self.inputs, self.labels = exact_data.inputs[self.samples], exact_data.labels[self.samples]
        self.inner, self.outer = exact_net.inner[self.neurons], exact_net.outer[self.neurons]
        self.signals = self.inputs @ self.inner.T if self.samples and self.neurons else np.empty((0, 0), dtype=object)
        self._find_lines()

    def _find_lines(self) -> None:
        """Samples whose inputs are multiples of one another share a hyperplane."""
        known: dict[tuple[str, ...], int] = {}
        self.line: list[int] = []
        self.orientation: list[int] = []
        self.representative: list[int] = []
        for i, x in enumerate(self.inputs):
            lead = next(entry for entry in x if entry != 0)
            line = known.setdefault(tuple(str(entry / lead) for entry in x), len(known))
            if line == len(self.representative):
                self.representative.append(i)
            first = next(entry for entry in self.inputs[self.representative[line]] if entry != 0)
            self.line.append(line)
            self.orientation.append(1 if lead * first > 0 else -1)

    def is_at_rest(self, spread: Fraction) -> bool:
        """No sample pulls at the start, nor at any weights that differ by at most `spread`, so that
        nothing ever moves.
        """
        if not self.samples or not self.neurons:
            return True
        if spread or self.loss.shape != Shape.SQUARE:
            return False
        outputs = leaky_relu(self.signals, self.slope) @ self.outer
        return bool((outputs == self.labels).all())

    def keeps_sides_within(self, spread: Fraction) -> bool:
        """No weights that differ by at most `spread` put a sample on another side: |w . x| > spread |x|."""
        reach = EXACT.scalar(spread) ** 2
        return self.slope == 1 or all(
            (row * row > reach * squared_norm(self.inputs[i])).all() for i, row in enumerate(self.signals)
        )

    def sides(self) -> dict[Pair, int]:
        """The side of every pair at the start, 0 where the signal vanishes; none at all for a linear network."""
        if self.slope == 1:
            return {}
        pairs = ((h, line, i) for h in range(len(self.neurons)) for line, i in enumerate(self.representative))
        return {(h, line): sign(self.signals[i, h]) for h, line, i in pairs}

    def problem(self) -> Problem:
        """In balls of the current precision."""
        lifted = balls(ctx.prec)
        strength = ball(self.loss.factor * self.loss.weight(self.count))
        labels = lifted.array(self.labels)
        return Problem(
            [list(row) for row in lifted.array(self.inputs)],
            self.line,
            self.orientation,
            self.representative,
            lifted.scalar(rational(self.slope)),
            [Pull(self.loss, label, strength) for label in labels],
            len(self.neurons),
            None if self.train_outer else list(lifted.array(self.outer)),
        )

    def start(self) -> Vector:
        """The weights that move."""
        lifted = balls(ctx.prec)
        return [*lifted.array(self.inner).reshape(-1), *(lifted.array(self.outer) if self.train_outer else [])]
