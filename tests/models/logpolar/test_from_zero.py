"""The enclosed limit of a flow from a vanishing start contains what floats find, forgets the scale, and is refused
without proof.
"""

from fractions import Fraction
from itertools import chain

import numpy as np
import pytest
from flint import arb, ctx
from scipy.integrate import solve_ivp

from refute.arithmetic.numbers import EXACT, FLOAT, enclosure
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.logpolar import from_zero, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.from_zero import limit_from_zero, merged, settled, takeoff
from refute.models.loss import SQUARE

SPACE = [[4, 1, -3], [3, 1, 2], [3, 1, -1]]
LOST = [[2, 2, 1], [3, 3, 1], ["5/64", "-6/64", "4/64"]]
E1 = [1, 0, 0]
CASES = [
    (SPACE, [E1, E1]),
    (SPACE, [E1, [1, 0, "1/4"], [2, 0, 0]]),
    ([[3, -2, 2], [4, 0, 3], [4, 2, 3]], [E1, [1, 0, 1]]),
    ([[4, 1], [3, -1], [5, 2]], [[1, 0], [3, 1]]),
    ([[4, 1], [3, -1]], [[2, 1]]),
    (LOST, [E1, [1, "1/2", 0]]),
]


def labelled(rows: list) -> Dataset:
    """Points whose labels are their first entries."""
    inputs = np.array([[Fraction(entry) for entry in row] for row in rows], dtype=object)
    return Dataset(inputs, inputs[:, 0])


def start(rows: list, log_scale: int = -1000, sign: int = 1, slope: Fraction = Fraction(0)) -> Balanced:
    shape = np.array([[Fraction(entry) for entry in row] for row in rows], dtype=object)
    return Balanced(shape, np.full(len(rows), sign), Fraction(log_scale), slope)


@pytest.mark.parametrize(("points", "rows"), CASES)
def test_the_limit_is_where_floats_end(points, rows):
    """v and |theta|^2 of a float run lie in the balls, up to its error and what is left to fit; the same points are
    active.
    """
    data, whole = labelled(points), start(rows)
    limit, run = limit_from_zero(whole, data), log_polar_flow(whole, data, SQUARE, level=1e-7)
    sizes = np.exp(2 * run.log_norm[-1])
    active = run.output[-1] > 0
    known = lift(data, FLOAT)
    seen = known.inputs[active]
    left = np.linalg.norm(known.labels[active] - run.output[-1, active]) + run.output_error
    error = 2 * left * np.linalg.norm(np.linalg.pinv(seen), 2) + 4 * run.error
    assert limit.active == tuple(active)
    for found, ball in zip(sizes @ run.direction[-1], limit.predictor, strict=True):
        middle, radius = (float(part) for part in enclosure(ball))
        assert abs(found - middle) <= radius + error
    middle, radius = (float(part) for part in enclosure(limit.cost))
    assert abs(2 * sizes.sum() - middle) <= radius + 2 * error


@pytest.mark.parametrize("rows", [[E1, E1], [E1, [1, 0, "1/4"]]])
def test_points_that_determine_v_are_fitted_by_it_exactly(rows):
    """As many independent active points as dimensions: v is the teacher to the last bit, and |theta|^2 is 2, or hardly
    more.
    """
    limit = limit_from_zero(start(rows), labelled(SPACE))
    assert [float(entry) for entry in limit.predictor] == E1
    assert all(entry.is_exact() for entry in limit.predictor)
    assert limit.cost.contains(2)
    assert float(limit.cost.rad()) < 1e-12


def test_what_is_integrated_does_not_depend_on_the_scale():
    """The flight begins from the same boxes whether the start is e^-100 or e^-(10^12), so it takes the same steps to
    the same limit.
    """
    data, shape = lift(labelled(LOST), EXACT), EXACT.array(start([E1, [1, "1/2", 0]]).shape)
    with ctx.workprec(96):
        large, small = (takeoff(merged(shape), Fraction(log_scale), data) for log_scale in (-100, -(10**12)))
        for one, other in zip(chain(*large), chain(*small), strict=True):
            assert one.contains(other)
            assert one.rad() <= other.rad() * (1 + arb(2) ** -20)


def at_size(points: np.ndarray, rows: np.ndarray, log_scale: float, log_size: float) -> np.ndarray:
    """The rows (w_j, a_j) when sum_j a_j^2 = e^log_size, in floats, all points active: nothing here is shared with the
    enclosure.
    """
    labels, count = points[:, 0], len(points)
    width, dimension = rows.shape
    lengths = np.linalg.norm(rows, axis=1)
    begin = np.exp(log_scale) * np.column_stack([rows, lengths])

    def velocity(_, flat):
        w, a = flat.reshape(width, -1)[:, :dimension], flat.reshape(width, -1)[:, dimension]
        push = (labels - points @ (a @ w)) @ points / count
        return np.column_stack([a[:, None] * push, w @ push]).reshape(-1)

    def size(_, flat):
        return np.log((flat.reshape(width, -1)[:, dimension] ** 2).sum()) - log_size

    size.terminal = True
    run = solve_ivp(
        velocity, (0, 1e3), begin.reshape(-1), method="DOP853", rtol=1e-12, atol=1e-20, first_step=1e-3, events=size
    )
    return run.y_events[0][0].reshape(width, -1)


BENT = [[1, "1/2", 0], [8, 0, 1], [1, 0, "1/2"]]  # gamma is far from the eigenvectors of H


@pytest.mark.parametrize("points", [SPACE, BENT])
@pytest.mark.parametrize("rows", [[E1], [E1, [1, 0, "1/8"]]])
@pytest.mark.parametrize("halvings", [5, 7])
def test_the_boxes_at_take_off_contain_the_trajectory(points, rows, halvings):
    """At a size and from a start that floats can integrate."""
    data, shape = lift(labelled(points), EXACT), EXACT.array(start(rows).shape)
    with ctx.workprec(96):
        boxes = takeoff(merged(shape), Fraction(-12), data, halvings)
        truth = at_size(np.array(data.inputs, dtype=float), np.array(shape, dtype=float), -12.0, -halvings * np.log(4))
        for box, weights in zip(boxes, truth, strict=True):
            assert all(
                ball.overlaps(arb(float(value), 1e-9 * 2.0**-halvings))
                for ball, value in zip(box, weights, strict=True)
            )


def test_a_tenth_of_the_bound_at_take_off_would_be_wrong():
    """The boxes are not empty talk: with a tenth of their radii the trajectory is outside."""
    data, shape = lift(labelled(BENT), EXACT), EXACT.array(start([E1]).shape)
    with ctx.workprec(96):
        (box,) = takeoff(merged(shape), Fraction(-12), data, 7)
        (truth,) = at_size(np.array(data.inputs, dtype=float), np.array(shape, dtype=float), -12.0, -7 * np.log(4))
        shrunk = [arb(ball.mid(), ball.rad() / 10) for ball in box]
        assert not all(ball.overlaps(arb(float(value), 1e-12)) for ball, value in zip(shrunk, truth, strict=True))


def test_neurons_of_one_direction_are_one():
    """(1, 0), (2, 0) and (1, 1) are two, of squared norms 5 and 2; opposite ones are not of one direction."""
    found = merged(EXACT.array(np.array([[1, 0], [2, 0], [1, 1]], dtype=object)))
    assert [one.size for one in found] == [5, 2]
    assert len(merged(EXACT.array(np.array([[1, 0], [-1, 0]], dtype=object)))) == 2


@pytest.mark.parametrize("sign", [-1, 1])
def test_dead_neurons_only_cost_what_they_are(sign):
    """Of either sign: the limit is that without them, and |theta|^2 has twice their squared norm more."""
    rows = start([E1, [-(10**430), 0, 0]])
    whole = Balanced(rows.shape, np.array([1, sign]), rows.log_scale, rows.slope)
    limit, other = limit_from_zero(whole, labelled(SPACE)), limit_from_zero(start([E1]), labelled(SPACE))
    assert [float(entry) for entry in limit.predictor] == E1
    assert limit.active == other.active
    with ctx.workprec(128):
        extra = 2 * arb(10) ** 860 * arb(-2000).exp()
        assert (limit.cost - other.cost).overlaps(extra)
        assert limit.cost > 2 + extra / 2


@pytest.mark.parametrize(
    ("whole", "points", "words"),
    [
        (start([[-1, 0, 0]]), SPACE, "active on every point"),
        (start([E1], sign=-1), SPACE, "negative neuron"),
        (start([E1], slope=Fraction(1, 2)), SPACE, "leaky"),
        (start([E1, [0, 1, 1]]), SPACE, "active on every point"),
        (start([E1, [0, 0, 0]]), SPACE, "active on every point"),
        (start([E1], log_scale=-20), SPACE, "take a smaller start"),
        (start([[1, 0]]), [[8, 8], [1, -2]], "does not push towards point"),
    ],
)
def test_what_cannot_be_proved_is_refused(whole, points, words):
    """Negative, leaky and partly active neurons, a start that is not small, and points that gamma leads away from."""
    with pytest.raises(BadInput, match=words):
        limit_from_zero(whole, labelled(points))


def test_a_flow_that_fits_nothing_is_refused(monkeypatch):
    """Labels that no v fits: the residuals stay, and the enclosure says that it has not settled."""
    monkeypatch.setattr(from_zero, "LEGS", 4)
    data = labelled([[1, 0], [1, 1], [2, 1]])
    with pytest.raises(BadInput, match="not settled"):
        limit_from_zero(start([[1, 0]]), Dataset(data.inputs, [1, 1, 3]))


def box(*values: object) -> list[arb]:
    return [arb(str(value)) for value in values]


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ([box("0.1", 0, "0.1")], "the residual exceeds a label"),
        ([[arb(1, 2), arb(0), arb(1)]], "the side of a point is unknown"),
        ([box(1, 0, 1), box("0.6", "0.8", 1)], "two directions that may still part"),
        ([box(-1, 0, 1)], "nothing is active"),
    ],
)
def test_a_state_that_may_change_is_not_settled(state, why):
    """The pattern, the residual and the directions all have to be known well enough."""
    data = lift(labelled([[1, 1], [2, -1]]), EXACT)
    with ctx.workprec(96):
        assert settled(state, data) is None, why


def test_what_lies_beside_the_points_stays():
    """One point (1, 0) with label 1 and a balanced neuron that fits it, w = (4, 3)/5 and a = 1 after scaling: v keeps
    its part (0, 3/4).
    """
    data = lift(labelled([[1, 0], ["1/100", -1]]), EXACT)
    with ctx.workprec(96):
        side = (arb(5) / 4).sqrt()  # |v| = 5/4
        limit = settled([[1 / side, arb(3) / 4 / side, side]], data)
    assert limit is not None
    assert limit.active == (True, False)
    assert limit.predictor[0].contains(1)
    assert limit.predictor[1].contains(arb(3) / 4)
    assert float(limit.predictor[1].rad()) < 1e-20
    assert limit.cost.overlaps(arb(5) / 2)
