r"""Activation changes with proof: how long every neuron certainly stays on its side, and what it does where it may
leave it.

Inputs that are multiples of one another share a hyperplane, here called a line. A pair (neuron, line) has a side: 1,
-1, or 0 when it is unknown, and then its gates are only known to lie in [slope, 1]. Over a short time with unknown
sides the trajectory is a solution of a differential inclusion, and stays in y + [0, time] F(B) when that lies inside
the box B (Picard). The signal w_h . x of a pair moves with a velocity that is affine in Filippov's convex combination
of the two sides: when it has one sign on either side of the line, over all of B, then every solution crosses, once.

A ReLU neuron that reaches the line beyond which no sample is active dies there: nothing moves it on the other side, so
it stops on the line and rests, for as long as the active side pushes it back. Should that push cease, the trajectory
may no longer be unique.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_poly, ctx

from refute.models.validated.enclosure import Step, largest_magnitude, norm
from refute.models.validated.impasse import Impasse, Outcome
from refute.models.validated.taylor import ZERO, AnalyticField, Ball, Pull, Vector, ball, dot

Pair = tuple[int, int]  # neuron, line
Sides = Mapping[Pair, int]
MOST_TRIES = 60
MOST_LOOKS = 32  # at one step, for each bit: to come as near to a crossing as the bits allow takes three or four


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Inputs, labels and loss as balls: everything about the field but the sides."""

    inputs: list[Vector]
    line: list[int]  # of each sample
    orientation: list[int]  # of each sample: the side of its line on which it is active
    representative: list[int]  # of each line: a sample of orientation 1
    slope: Ball
    pulls: list[Pull]
    width: int
    outer: Vector | None  # when it is not trained

    def field(self, sides: Sides) -> AnalyticField:
        """The field when the pairs are on the given sides; gates of unknown pairs are the ball [slope, 1]."""
        gates = {1: arb(1), -1: self.slope, 0: self.slope.union(arb(1))}
        seen = [
            [
                [gates[sides.get((h, line), 0) * way] * entry for entry in point]
                for point, line, way in zip(self.inputs, self.line, self.orientation, strict=True)
            ]
            for h in range(self.width)
        ]
        return AnalyticField(seen, self.pulls, self.outer)

    def is_dead(self, h: int, sides: Sides) -> bool:
        """No sample moves neuron h."""
        samples = zip(self.line, self.orientation, strict=True)
        return bool(self.slope.is_zero()) and all(sides.get((h, line), 0) * way < 0 for line, way in samples)

    def push(self, box: Vector, sides: Sides, pair: Pair, side: int) -> Ball:
        """The velocity of the signal of a pair when the pair is on the given side, over the box."""
        return self.along(self.field({**sides, pair: side}).velocity(box), pair)

    def stays_at_rest(self, box: Vector, sides: Sides, pair: Pair) -> bool:
        """The active side pushes a resting pair back on to its line."""
        return sign(self.push(box, sides, pair, -sides[pair])) == sides[pair]

    def along(self, values: Sequence[Ball], pair: Pair) -> Ball:
        """The signal of a pair in a state, or its rate of change in a velocity."""
        point = self.inputs[self.representative[pair[1]]]
        start = pair[0] * len(point)
        return dot(values[start : start + len(point)], point)


def sign(value: Ball) -> int:
    """1 or -1 when that is certain, else 0."""
    return int(value > 0) - int(value < 0)


@dataclass(frozen=True, slots=True, eq=False)
class _Signal:
    """side * w_h . x during a step: a polynomial, its derivative, and how far from it any
    trajectory of the set can be.
    """

    value: arb_poly
    slope: arb_poly
    noise: Ball

    def is_positive(self, start: Fraction, length: Fraction) -> bool:
        """Certainly, on [start, start + length], by the mean value form."""
        left, width = ball(start), ball(length)
        return bool(self.value(left) + ZERO.union(width) * self.slope(left.union(left + width)) - self.noise > 0)


def _signals(problem: Problem, step: Step, sides: Sides) -> dict[Pair, _Signal]:
    power = ball(step.length) ** step.order
    found = {}
    for pair, side in sides.items():
        point = problem.inputs[problem.representative[pair[1]]]
        value = (
            sum(
                (step.polynomials[pair[0] * len(point) + axis] * entry for axis, entry in enumerate(point)),
                arb_poly([]),
            )
            * side
        )
        noise = (problem.along(step.remainder, pair) * power).abs_upper() + step.widest() * norm(point)
        found[pair] = _Signal(value, value.derivative(), noise)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Sidedness:
    """The side of every pair; the `fresh` ones have just left their lines, the `resting` ones lie on them, next to a
    dead neuron's side.

    Of a fresh pair it is known that it begins on its side, whatever the enclosure of its signal says.
    """

    sides: dict[Pair, int]
    fresh: frozenset[Pair] = frozenset()
    resting: frozenset[Pair] = frozenset()


def clear_until(problem: Problem, step: Step, known: Sidedness, bits: int) -> tuple[Fraction, set[Pair]]:
    """How long all pairs certainly keep their sides, at most the whole step, and the pairs that stand in the way of
    more.
    """
    with ctx.workprec(bits):
        field = problem.field(known.sides)
        moving = {pair: side for pair, side in known.sides.items() if pair not in known.resting}
        doubtful = {
            pair: signal
            for pair, signal in _signals(problem, step, moving).items()
            if not signal.is_positive(Fraction(0), step.length)
        }
        everywhere = step.over(Fraction(0), step.length)
        restless = {pair for pair in known.resting if not problem.stays_at_rest(everywhere, known.sides, pair)}

        def blocking(start: Fraction, length: Fraction) -> set[Pair]:
            found = {pair for pair, signal in doubtful.items() if not signal.is_positive(start, length)}
            if leaving := found & known.fresh:  # they may still have moved away from their lines all the time
                flow = field.velocity(step.over(Fraction(0), start + length))
                found -= {pair for pair in leaving if sign(problem.along(flow, pair)) == known.sides[pair]}
            box = step.over(start, length) if restless else []
            return found | {pair for pair in restless if not problem.stays_at_rest(box, known.sides, pair)}

        reached, stride = Fraction(0), step.length
        finest = step.length / 2**bits
        for _ in range(MOST_LOOKS * bits):
            if reached == step.length:
                return step.length, set()
            stride = min(stride, step.length - reached)
            if not (found := blocking(reached, stride)):
                reached, stride = reached + stride, stride * 2
            elif stride > finest:
                stride /= 2
            else:
                return reached, found
        raise Impasse(Outcome.BUDGET)  # a signal dies away and never changes sign: each step needs twice the looks


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """A short time with unknown sides: the state after it, a box for the state during it, and what
    is known after it.
    """

    length: Fraction
    after: Vector
    during: Vector
    known: Sidedness


def cross(problem: Problem, state: Vector, known: Sidedness, touched: Collection[Pair], bits: int) -> Crossing:
    """Carry `state` past the lines that the pairs `touched` may reach now; an `Impasse` says why it cannot be done.

    Pairs whose side is 0 have a signal that is exactly zero: it is proved that they leave their lines at once, or rest
    on them.
    """
    if known.resting.intersection(touched):
        raise Impasse(Outcome.REVIVAL)
    with ctx.workprec(bits):
        unknown = {**known.sides, **dict.fromkeys(touched, 0)}
        signals = {pair: problem.along(state, pair) if side else ZERO for pair, side in known.sides.items()}
        length = _time_to_cross(problem, state, known.sides, {pair: signals[pair] for pair in touched}, bits)
        for _ in range(MOST_TRIES):
            field = problem.field(unknown)
            during = _picard(field, state, ball(length), bits)
            if during is None:
                raise Impasse(Outcome.TOO_SHORT)
            sure = [pair for pair, side in unknown.items() if side and pair not in known.resting]
            if more := [pair for pair in sure if sign(problem.along(during, pair)) != unknown[pair]]:
                unknown.update(dict.fromkeys(more, 0))
                continue
            if not all(problem.stays_at_rest(during, unknown, pair) for pair in known.resting):
                raise Impasse(Outcome.REVIVAL)
            left = [pair for pair, side in unknown.items() if not side]
            ways = {
                pair: _Way(problem, during, unknown, pair, known.sides[pair], signals[pair], ball(length))
                for pair in left
            }
            rests = {pair: dead for pair, way in ways.items() if (dead := way.dead_end())}
            ends = {pair: rests.get(pair) or way.end() for pair, way in ways.items()}
            if all(ends.values()):
                after = [
                    value + ball(length) * speed for value, speed in zip(state, field.velocity(during), strict=True)
                ]
                sides = {**unknown, **ends}
                return Crossing(
                    length,
                    after,
                    during,
                    Sidedness(sides, frozenset(ends) - frozenset(rests), known.resting.union(rests)),
                )
            length *= 2
    raise Impasse(Outcome.TANGENT)


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """A touched pair during a crossing: its side before (0 on its line), its signal before, and the box and length of
    the crossing.
    """

    problem: Problem
    box: Vector
    unknown: Sides
    pair: Pair
    side: int
    start: Ball
    length: Ball

    def push(self, side: int) -> Ball:
        return self.problem.push(self.box, self.unknown, self.pair, side)

    def _is_dead(self, side: int) -> bool:
        return self.problem.is_dead(self.pair[0], {**self.unknown, self.pair: side})

    def dead_end(self) -> int:
        """The side next to which the pair comes to rest on its line, or 0."""
        for dead in (-self.side,) if self.side else (-1, 1):
            if self._is_dead(dead):
                push = self.push(-dead)
                if sign(push) == dead and (self.side == 0 or sign(self.start + self.length * push) == dead):
                    return dead
        return 0

    def end(self) -> int:
        """The side after the crossing, 0 when its length is too short to tell."""
        above, below = self.push(1), self.push(-1)
        ways = sign(above), sign(below)
        if self.side != 0 and ways == (self.side, self.side):
            return self.side
        if ways in ((1, 1), (-1, -1)):
            return sign(self.start + self.length * above.union(below))
        if ways == (-1, 1) and (
            self.side == 0 or sign(self.start + self.length * (above if self.side > 0 else below)) == -self.side
        ):
            raise Impasse(Outcome.SLIDES)
        if self.side == 0 and all(way == side or self._is_dead(side) for side, way in zip((1, -1), ways, strict=True)):
            raise Impasse(Outcome.BRANCHES)
        alone = sum(side == 0 for side in self.unknown.values()) == 1
        raise Impasse(Outcome.TANGENT if alone else Outcome.SIMULTANEOUS)


def _time_to_cross(problem: Problem, state: Vector, sides: Sides, touched: Mapping[Pair, Ball], bits: int) -> Fraction:
    """Somewhat more than the time in which the touched pairs reach their lines, at the speed of the side that they are
    on.
    """
    flow = problem.field(sides).velocity(state)
    waits = [arb(2) ** -bits]
    for pair, signal in touched.items():
        if sides[pair]:
            speed = problem.along(flow, pair)
            if not sign(speed):
                raise Impasse(Outcome.TANGENT)
            waits.append(2 * signal.abs_upper() / speed.abs_lower())
    return Fraction(2) ** largest_magnitude(waits)


def _picard(field: AnalyticField, state: Vector, length: Ball, bits: int) -> Vector | None:
    """A box that no solution of the inclusion leaves within `length`, or None."""
    room = arb(2) ** (largest_magnitude(state) - bits + 8)  # more than the rounding of the image
    stretch = ZERO.union(length)
    box = [
        value + stretch * speed + arb(0, length * speed.abs_upper() + room)
        for value, speed in zip(state, field.velocity(state), strict=True)
    ]
    image = [value + stretch * speed for value, speed in zip(state, field.velocity(box), strict=True)]
    return box if all(outer.contains_interior(inner) for outer, inner in zip(box, image, strict=True)) else None
