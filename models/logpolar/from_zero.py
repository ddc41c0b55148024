r"""The limit of gradient flow from a balanced ReLU network of vanishing size, enclosed with proof, for the square loss.

Neurons that are inactive on every point at the start stay where they are. The others have the sign +1 and are active on
every point, so that they move under one push: with gamma = X^T y / n, H = X^T X / n, v = sum_j a_j w_j, s = sum_j a_j^2
>= |v|, directions u_j = w_j / a_j and g = gamma - H v,
    dw_j/dt = a_j g,    da_j/dt = <w_j, g>,    du_j/dt = (I - u_j u_j^T) g.
Neurons of one direction keep to it and count as one.

Take-off, until s = s_0. Angles between u_j and gamma obey theta' <= -|gamma| sin theta + |H| s. Let them be at most top
< pi/2 at the start, with |gamma| sin top and |gamma| cos top both above |H| s_0. Then they stay below top; ln s grows
at least at the rate 2 r, r = |gamma| cos top - |H| s_0, so that s_0 is reached, and at most at the rate 2 (|gamma| +
|H| s_0), so that this takes at least a time t. With c = |gamma| (sin top) / top and s <= s_0 e^{-2 r (time left)} the
inequality theta' <= -c theta + |H| s gives
    theta <= top e^{-c t} + |H| s_0 / (c + 2 r)    when s = s_0.
The shares of the neurons follow from p_j = a_j (1 + cos theta_j): ln p_j grows at the rate |gamma| to within 2 |H| s,
hence, for all neurons, by the same amount to within |H| s_0 / r. All points stay active, since <g, x_i> >= <gamma, x_i>
- s_0 |H x_i| > 0.

Flight. `validated_flow` carries on the small box in which all (w_j, a_j) lie when s = s_0.

Landing. Let all neurons be active on the same points P, which some v fits, X^+ the pseudoinverse of X_P, sigma >= 1 /
|X^+| the least nonzero singular value, and r the residuals on P, which lie in the range of X_P. From g = X_P^T r / n
and dv/dt = (s I + sum_j w_j w_j^T) g follows |r|' <= -s sigma |g|: |r| falls, and the integral of |g| is at most delta
= |r| / (sigma min s), where s >= |v| >= (y_i - |r|) / |x_i|. So every a_j changes by a factor e^{+-delta} at most. The
part q_j of w_j beside the points of P is constant: v = X^+ (y - r) + sum_j a_j q_j. And |w_j| |w_k| - <w_j, w_k> is
constant too, so that |u_j - u_k| grows by e^delta at most. When all this leaves every neuron on its side of every
point, the pattern is final, |r|' <= -s sigma^2 |r| / n, and v tends to X^+ y + sum_j a_j q_j.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

import numpy as np
from flint import arb, ctx

from refute.arithmetic.numbers import EXACT, Array, Number, balls, enclosure, rational
from refute.errors import BadInput
from refute.functions import squared_norm
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.geometry.elimination import inverse, rank, reduced
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE
from refute.models.network import TwoLayer
from refute.models.validated.enclosure import norm, radii, widened
from refute.models.validated.impasse import Outcome
from refute.models.validated.solve import validated_flow
from refute.models.validated.taylor import ZERO, Ball, Vector, ball, dot

BITS = 96
HALVINGS = 32  # the flight begins at s_0 = 4^-HALVINGS
WIDEST = Fraction(1, 10**6)  # radius of a weight at which the flight is given up
LEGS = 16  # of the flight, each half as long again as the one before
STEPS = 1000  # of a leg


@dataclass(frozen=True, slots=True, eq=False)
class Limit:
    """Balls around v = sum_j a_j w_j and |theta|^2 in the limit; the points that are `active` there are fitted, the
    others see nothing.
    """

    predictor: Array
    cost: Ball
    active: tuple[bool, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Neuron:
    """All neurons of one direction: it, and the sum of their squared norms in units of the squared
    scale; both exact.
    """

    direction: Array
    size: Number


def limit_from_zero(start: Balanced, data: Dataset, *, within: Fraction = Fraction(1, 1000)) -> Limit:
    """Enclose the limit of the flow of the square loss, every entry of v to within `within`; `BadInput` says what could
    not be proved.
    """
    data, shape = lift(data, EXACT), EXACT.array(start.shape)
    dead = np.array([rational(start.slope) == 0 and bool((data.inputs @ z < 0).all()) for z in shape])
    shape, idle = shape[~dead], sum((squared_norm(z) for z in shape[dead]), EXACT.scalar(0))
    if rational(start.slope) != 0 or any(sign != 1 for sign in start.signs[~dead]):
        raise BadInput("the network has a leaky or a negative neuron", "take ReLU neurons of sign 1")
    if not len(shape) or not all((data.inputs @ z > 0).all() for z in shape):
        raise BadInput("not every neuron is active on every point at the start", "turn it to the points")
    with ctx.workprec(BITS):
        state, log_scale = takeoff(merged(shape), rational(start.log_scale), data), ball(rational(start.log_scale))
        still = 2 * ball(rational(idle)) * (2 * log_scale).exp()
        leg = Fraction(2) ** round(float((HALVINGS / _length(_push(data))).log() / arb(2).log()))
        for _ in range(LEGS):
            state = _flown(state, data, leg)
            found = settled(state, data)
            if found is not None and all(radius < ball(within) for radius in radii(list(found.predictor))):
                return replace(found, cost=found.cost + still)
            leg *= Fraction(3, 2)
    raise BadInput(f"the flow has not settled after {LEGS} legs", "ask for less accuracy")


def merged(shape: Array) -> list[Neuron]:
    """The neurons of each direction as one."""
    found: list[Neuron] = []
    for z in shape:
        same = next(
            (k for k, one in enumerate(found) if one.direction @ z > 0 and rank(np.array([one.direction, z])) == 1),
            None,
        )
        if same is None:
            found.append(Neuron(z, squared_norm(z)))
        else:
            found[same] = Neuron(found[same].direction, found[same].size + squared_norm(z))
    return found


def takeoff(neurons: Sequence[Neuron], log_scale: Fraction, data: Dataset, halvings: int = HALVINGS) -> list[Vector]:
    """Boxes for every (w_j, a_j) when s = 4^-halvings."""
    _stays_active(data, Fraction(1, 4**halvings))
    root, push = arb(2) ** -halvings, _push(data)
    pull, drag = (
        _length(push),
        root**2 * norm([ball(rational(entry)) for entry in data.covariance.reshape(-1)]),
    )  # |gamma|, |H| s_0
    angles = [_angle(one.direction, data) for one in neurons]
    sizes = [ball(rational(one.size)) for one in neurons]
    growth = 2 * (root.log() - ball(log_scale)) - sum(sizes, ZERO).log()
    top = max([(2 * drag / pull).asin().upper(), *(angle.upper() for angle in angles)])
    slowest = pull * top.cos() - drag
    if not (slowest > 0 and pull * top.sin() > drag and growth > 0):
        raise BadInput(
            f"the neurons do not provably align before they take off (angle {float(top):.3g})", "take a smaller start"
        )
    turning, wait = pull * top.sin() / top, growth / (2 * (pull + drag))
    last = (top * (-turning * wait).exp() + drag / (turning + 2 * slowest)).abs_upper()
    doubt = arb(0, (drag / slowest).abs_upper()).exp() / (1 + arb(0, last).cos())  # of p_j, and of a_j / p_j
    parts = [size.sqrt() * (1 + angle.cos()) * doubt for size, angle in zip(sizes, angles, strict=True)]
    outer = [root * part / _length(parts) for part in parts]
    return [[*widened([a * entry / pull for entry in push], (a * last).abs_upper()), a] for a in outer]


def _push(data: Dataset) -> Vector:
    """gamma, the gradient of minus the loss at zero output for a neuron that is active on every point."""
    return [ball(rational(entry)) / len(data.labels) for entry in data.labels @ data.inputs]


def _length(values: Sequence[Ball]) -> Ball:
    return dot(values, values).nonnegative_part().sqrt()


def _angle(z: Array, data: Dataset) -> Ball:
    """Between z and gamma: the square of its tangent is rational."""
    push = data.labels @ data.inputs
    along = z @ push
    if not along > 0:
        raise BadInput("a neuron does not point towards gamma at the start", "it would shrink at first; turn it")
    return ball(rational(squared_norm(z) * squared_norm(push) / along**2 - 1)).sqrt().atan()


def _stays_active(data: Dataset, size: Fraction) -> None:
    """<gamma, x_i> > s_0 |H x_i| for every point, in rationals."""
    push = data.labels @ data.inputs / len(data.labels)
    for i, x in enumerate(data.inputs):
        along = push @ x
        if not (along > 0 and along**2 > EXACT.scalar(size) ** 2 * squared_norm(data.covariance @ x)):
            raise BadInput(
                f"gamma does not push towards point {i}", "neurons may leave it before take-off, which is not followed"
            )


def _flown(state: list[Vector], data: Dataset, time: Fraction) -> list[Vector]:
    """Where the (w_j, a_j) of the boxes are after `time`: the next boxes."""
    centre = np.array([[enclosure(value.mid())[0] for value in neuron] for neuron in state], dtype=object)
    spread = enclosure(norm(radii([value for neuron in state for value in neuron])))[0]
    net = TwoLayer(centre[:, :-1], centre[:, -1], Fraction(0))
    tube = validated_flow(
        net, data, SQUARE, [time], spread=spread, radius=WIDEST, bits=BITS, most_bits=BITS, most_steps=STEPS
    )
    if tube.outcome is not Outcome.COMPLETE:
        raise BadInput(f"the flow could not be enclosed: {tube.outcome.value}")
    return [[*w, a] for w, a in zip(tube.inner[0], tube.outer[0], strict=True)]


def _pseudoinverse(matrix: Array) -> Array:
    """F^T (F F^T)^-1 (C^T C)^-1 C^T, in rationals, for the factors C F = matrix of full rank."""
    rows, pivots = reduced(matrix, matrix.shape[1])
    left, right = matrix[:, pivots], rows[: len(pivots)]
    return right.T @ inverse(right @ right.T) @ inverse(left.T @ left) @ left.T


def settled(state: Sequence[Vector], data: Dataset) -> Limit | None:
    """The limit of balanced neurons (w_j, a_j) in these boxes, or None where it cannot be told yet."""
    lifted = balls(ctx.prec)
    points, labels = lifted.array(data.inputs), lifted.array(data.labels)
    inner, outer = (
        np.array([one[:-1] for one in state], dtype=object),
        np.array([one[-1] for one in state], dtype=object),
    )
    signals = points @ inner.T
    active = [i for i, row in enumerate(signals) if all(signal > 0 for signal in row)]
    silent = [i for i, row in enumerate(signals) if all(signal < 0 for signal in row)]
    seen, wanted = data.inputs[active], data.labels[active]
    back = _pseudoinverse(seen) if active and len(active) + len(silent) == len(points) else None
    if back is None or not (seen @ (back @ wanted) == wanted).all():
        return None
    inverted, fitted = lifted.array(back), lifted.array(back @ wanted)
    left = norm(labels[active] - signals[active] @ outer)
    margins = {i: labels[i] - left for i in active}
    if not all(margin > 0 for margin in margins.values()):
        return None
    least = max((margins[i] / norm(points[i])).lower() for i in active)
    delta = (norm(inverted.reshape(-1).tolist()) * left / least).abs_upper()
    beside = (inner - signals[active].T @ inverted.T) * int(rank(seen) < inner.shape[1])
    limit = fitted + (outer * arb(0, delta).exp()) @ beside
    margins |= {i: -dot(points[i], limit) - norm(inverted.T @ points[i]) * left for i in silent}
    units = inner / outer[:, None]
    apart = max((norm(one - other) for one, other in combinations(units, 2)), default=ZERO) * arb(delta).exp()
    room = apart * dot(outer, outer) * arb(2 * delta).exp()  # how far s u_j can be from v
    if not apart < 1 or not all(margins[i] > room * norm(points[i]) for i in margins):
        return None
    most = 1 / (1 - apart**2 / 2).sqrt()  # of s / |v|, since |v|^2 = sum_jk s_j s_k <u_j, u_k>
    return Limit(limit, 2 * _length(limit) * arb(1).union(most), tuple(i in active for i in range(len(points))))
