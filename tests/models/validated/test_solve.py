"""The validated flow contains the true trajectory, is tight, and says so when it cannot decide."""

import random
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from flint import arb, ctx

from refute.errors import BadInput
from refute.models.dataset import Dataset
from refute.models.flow import gradient_flow
from refute.models.loss import LOGISTIC, LOGISTIC_PRINTED, SQUARE, Loss, Shape
from refute.models.network import TwoLayer
from refute.models.validated import Tube, validated_flow
from refute.models.validated.impasse import Outcome
from tests.models.validated.decimal_flow import DecimalFlow

pytestmark = pytest.mark.slow

QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)
EXPONENTIAL = Loss(Shape.EXPONENTIAL)
LOSSES = [SQUARE, LOGISTIC, EXPONENTIAL]


def generated(seed: int) -> tuple[TwoLayer, Dataset]:
    """A small case in quarters: up to three neurons, two dimensions and three samples."""
    rng = random.Random(seed)
    width, dim, samples = rng.randint(1, 3), rng.randint(1, 2), rng.randint(1, 3)
    slope = rng.choice([Fraction(0), QUARTER, Fraction(1, 3)])

    def entry() -> Fraction:
        return Fraction(rng.randint(-6, 6), 4)

    net = TwoLayer(
        [[entry() / 2 for _ in range(dim)] for _ in range(width)], [entry() / 2 for _ in range(width)], slope
    )
    return net, Dataset([[entry() for _ in range(dim)] for _ in range(samples)], [entry() for _ in range(samples)])


def weights(tube: Tube, k: int) -> list[arb]:
    return [*tube.inner[k].reshape(-1), *tube.outer[k]]


def near(ball: arb, value: object) -> bool:
    """The ball contains the value, known to about 44 digits."""
    with ctx.workprec(256):
        return bool(ball.overlaps(arb(str(value), 1e-42)))


SLIDING = TwoLayer([[QUARTER, QUARTER]], [1], 0), Dataset([[1, 0], [1, 1]], [-1, 1])
DYING = TwoLayer([[QUARTER]], [-1], 0), Dataset([[1]], [1])
CROSSING = TwoLayer([[HALF, QUARTER], [-HALF, HALF]], [-1, HALF], QUARTER), Dataset([[1, 0], [HALF, 1]], [1, -HALF])


@pytest.mark.parametrize(("start", "label"), [("1/2", "2"), ("1/3", "1/2"), ("3/2", "1"), ("1/100", "1")])
def test_one_linear_neuron_follows_the_closed_form(start, label):
    """w = a obeys u = w^2, u' = 2 u (y - u), a logistic curve; 50 digits of it lie in the balls, whose radius is below
    1e-20.
    """
    start, label = Fraction(start), Fraction(label)
    tube = validated_flow(TwoLayer([[start]], [start], 1), Dataset([[1]], [label]), SQUARE, [HALF, 1, 3])
    assert tube.outcome == Outcome.COMPLETE
    assert tube.radius() < 1e-20
    with mpmath.workdps(60):
        y, u = (
            mpmath.mpf(label.numerator) / label.denominator,
            mpmath.mpf((start**2).numerator) / (start**2).denominator,
        )
        for k, time in enumerate((0.5, 1, 3)):
            rise = mpmath.exp(2 * y * time)
            value = mpmath.nstr(mpmath.sqrt(y * u * rise / (y - u + u * rise)), 50)
            assert near(tube.inner[k, 0, 0], value)
            assert near(tube.outer[k, 0], value)


def test_a_mean_and_a_sum_differ_in_speed_only():
    """The flow of a sum over n samples is n times as fast as that of the mean."""
    net, data = CROSSING
    mean = validated_flow(net, data, LOGISTIC, [1])
    total = validated_flow(net, data, Loss(Shape.LOGISTIC, averaged=False), [HALF])
    assert all(a.overlaps(b) for a, b in zip(weights(mean, 0), weights(total, 0), strict=True))


@pytest.mark.parametrize("seed", range(18))
def test_generated_cases_contain_the_reference(seed):
    """Weights and crossings of an independent 60-digit integration lie in the balls."""
    net, data = generated(seed)
    loss, train_outer = LOSSES[seed % 3], seed % 4 != 3
    tube = validated_flow(net, data, loss, [QUARTER, 1], train_outer=train_outer)
    assert tube.outcome in (Outcome.COMPLETE, Outcome.SLIDES, Outcome.BRANCHES)
    if not tube.time:
        return
    assert tube.radius() < 1e-20
    states, crossings = DecimalFlow(net, data, loss, train_outer).run(list(tube.time))
    for k, state in enumerate(states):
        assert all(near(ball, value) for ball, value in zip(weights(tube, k), state, strict=True))
    if tube.outcome == Outcome.COMPLETE and (data.inputs @ net.inner.T != 0).all():
        assert [(switch.neuron, switch.sample) for switch in tube.switches] == [(h, i) for _, h, i in crossings]
        assert all(near(switch.time, time) for switch, (time, _, _) in zip(tube.switches, crossings, strict=True))


def test_the_generated_cases_cross_and_do_not():
    """What the reference is compared on includes switches, and trajectories without any."""
    assert [len(validated_flow(*generated(seed), LOSSES[seed % 3], [1]).switches) for seed in (0, 4, 12)] == [0, 1, 1]


@pytest.mark.parametrize(
    "loss", [SQUARE, LOGISTIC, LOGISTIC_PRINTED, EXPONENTIAL], ids=lambda loss: f"{loss.shape.name}{loss.sign}"
)
def test_a_crossing_is_proved_under_every_loss(loss):
    """A leaky neuron whose outer weight is negative leaves the positive sample, or both stay, as the reference says."""
    net, data = CROSSING
    tube = validated_flow(net, data, loss, [HALF, 1])
    states, crossings = DecimalFlow(net, data, loss).run([HALF, Fraction(1)])
    assert tube.outcome == Outcome.COMPLETE
    assert [(switch.neuron, switch.sample) for switch in tube.switches] == [(h, i) for _, h, i in crossings]
    assert all(near(ball, value) for k in (0, 1) for ball, value in zip(weights(tube, k), states[k], strict=True))


def test_higher_precision_refines():
    """With twice the bits the balls overlap the old ones and are much smaller, switching times included."""
    coarse, fine = (validated_flow(*CROSSING, SQUARE, [1], bits=bits) for bits in (96, 192))
    assert all(a.overlaps(b) for a, b in zip(weights(coarse, 0), weights(fine, 0), strict=True))
    assert fine.radius() < 1e-20 * coarse.radius()
    assert len(coarse.switches) == len(fine.switches) > 0
    assert all(
        a.time.overlaps(b.time) and b.time.rad() < a.time.rad()
        for a, b in zip(coarse.switches, fine.switches, strict=True)
    )


def test_the_times_asked_do_not_matter():
    """More times give the same trajectory; times that are no binary fractions are exact too."""
    few, many = (
        validated_flow(*CROSSING, SQUARE, [1]),
        validated_flow(*CROSSING, SQUARE, [0, Fraction(1, 7), Fraction(1, 3), 1, 1]),
    )
    assert many.time == (0, Fraction(1, 7), Fraction(1, 3), 1, 1)
    assert all(a.overlaps(b) for a, b in zip(weights(few, 0), weights(many, 3), strict=True))
    assert [str(b) for b in weights(many, 3)] == [str(b) for b in weights(many, 4)]
    assert all(
        ball == arb(start.numerator) / start.denominator
        for ball, start in zip(weights(many, 0), CROSSING[0].inner.reshape(-1), strict=False)
    )


def test_runs_are_reproducible_and_leave_the_precision_alone():
    """The same balls twice, and the global precision as before."""
    before = ctx.prec
    first, second = (validated_flow(*CROSSING, LOGISTIC, [1]) for _ in range(2))
    assert [ball.repr() for ball in weights(first, 0)] == [ball.repr() for ball in weights(second, 0)]
    assert ctx.prec == before


def test_the_float_flow_agrees_within_its_error():
    """The float64 integrator and the balls differ by no more than the bound that the integrator reports."""
    for net, data in (CROSSING, generated(5), generated(9)):
        tube = validated_flow(net, data, SQUARE, [HALF, 1])
        flow = gradient_flow(net, data, SQUARE, np.array([0.5, 1.0]))
        for k in range(2):
            floats = [*flow.inner[k].reshape(-1), *flow.outer[k]]
            assert (
                max(
                    float((ball - arb(value)).abs_upper()) for ball, value in zip(weights(tube, k), floats, strict=True)
                )
                <= flow.error
            )


def test_a_proven_slide_stops_the_integration():
    """Both fields push the neuron on to the hyperplane: the outcome says so, and the times before it are returned."""
    tube = validated_flow(*SLIDING, SQUARE, [QUARTER / 2, 1])
    assert tube.outcome == Outcome.SLIDES
    assert tube.time == (QUARTER / 2,)
    assert QUARTER / 2 < tube.reached < 1
    assert tube.switches == ()
    assert near(tube.inner[0, 0, 0], DecimalFlow(*SLIDING, SQUARE).run([QUARTER / 2])[0][0][0])


def test_a_neuron_that_dies_rests_on_the_hyperplane():
    """w reaches 0 while a^2 - w^2 is conserved; then nothing moves any more."""
    tube = validated_flow(*DYING, SQUARE, [1, 5])
    assert tube.outcome == Outcome.COMPLETE
    assert [(switch.neuron, switch.sample, switch.active) for switch in tube.switches] == [(0, 0, False)]
    for k in range(2):
        assert tube.inner[k, 0, 0].contains(0)
        assert (tube.outer[k, 0] ** 2).contains(arb(15) / 16)


def test_a_neuron_that_may_revive_is_not_followed():
    """The force that keeps it on the hyperplane changes sign, and from then on it may stay or leave."""
    net = TwoLayer([[Fraction(1, 16), -1], [QUARTER, QUARTER]], [-1, 1], 0)
    tube = validated_flow(net, Dataset([[1, 0], [1, 1]], [1, 3]), SQUARE, [4])
    assert tube.outcome == Outcome.REVIVAL
    assert [switch.neuron for switch in tube.switches] == [0]


@pytest.mark.parametrize(
    ("net", "data", "outcome"),
    [
        (TwoLayer([[0]], [1], 0), Dataset([[1]], [1]), Outcome.BRANCHES),
        (TwoLayer([[0]], [1], 0), Dataset([[1]], [-1]), Outcome.COMPLETE),
        (TwoLayer([[0]], [1], QUARTER), Dataset([[1]], [1]), Outcome.COMPLETE),
        (TwoLayer([[0, 1]], [0], QUARTER), Dataset([[1, 0]], [1]), Outcome.TANGENT),
        (TwoLayer([[0, 1]], [1], QUARTER), Dataset([[1, 0], [0, 1]], [1, 1]), Outcome.COMPLETE),
    ],
    ids=["dead or alive", "stays dead", "leaky leaves", "no speed", "leaves one of two"],
)
def test_starts_on_a_hyperplane(net, data, outcome):
    """Where the exact start lies on a hyperplane the direction is proved, or the outcome says that it cannot be."""
    tube = validated_flow(net, data, SQUARE, [1])
    assert tube.outcome == outcome
    assert tube.switches == ()
    assert (len(tube.time) == 1) == (outcome == Outcome.COMPLETE)


def test_a_leaky_start_on_the_hyperplane_agrees_with_the_other_side_of_it():
    """From w = 0 the leaky neuron with a = 1 and label 1 becomes active: the same trajectory as a linear one."""
    leaky, linear = (
        validated_flow(TwoLayer([[0]], [1], slope), Dataset([[1]], [1]), SQUARE, [1]) for slope in (QUARTER, 1)
    )
    assert all(a.overlaps(b) for a, b in zip(weights(leaky, 0), weights(linear, 0), strict=True))


def test_neurons_and_samples_without_force_are_exact():
    """Dead and zero neurons, a zero input, and a zero label of a logistic loss neither move nor stop anything."""
    net = TwoLayer([[HALF, QUARTER], [0, 0], [-1, -1]], [1, 0, 1], 0)
    extended = Dataset([[1, 1], [0, 0], [1, -2]], [1, 1, 0])
    tube = validated_flow(net, extended, Loss(Shape.LOGISTIC, averaged=False), [1])
    alone = validated_flow(
        TwoLayer([[HALF, QUARTER]], [1], 0), Dataset([[1, 1]], [1]), Loss(Shape.LOGISTIC, averaged=False), [1]
    )
    assert tube.outcome == Outcome.COMPLETE
    assert [*tube.inner[0, 1], tube.outer[0, 1]] == [0, 0, 0]
    assert all(ball.contains(-1) for ball in tube.inner[0, 2])
    assert all(a.overlaps(b) for a, b in zip(tube.inner[0, 0], alone.inner[0, 0], strict=True))


@pytest.mark.parametrize("outer", [0, 1])
def test_a_fit_from_the_start_never_moves(outer):
    """Zero labels and a network that is zero on the data: at rest, exactly, also on every hyperplane."""
    tube = validated_flow(TwoLayer([[0, 0]], [outer], 0), Dataset([[1, 2], [3, 4]], [0, 0]), SQUARE, [1000])
    assert tube.outcome == Outcome.COMPLETE
    assert weights(tube, 0) == [0, 0, outer]
    assert tube.radius() == 0


def test_fixed_outer_weights_stay():
    """They are exact; a neuron whose fixed outer weight is zero does not move at all."""
    net, data = TwoLayer([[HALF, 1], [1, -HALF]], [Fraction(1, 3), 0], QUARTER), CROSSING[1]
    tube = validated_flow(net, data, LOGISTIC, [1], train_outer=False)
    assert tube.outer[0, 0].overlaps(arb(1) / 3)
    assert tube.outer[0, 0].rad() < 1e-30
    assert list(tube.inner[0, 1]) == [1, -0.5]
    assert tube.outer[0, 1] == 0


def test_repeated_and_opposite_points_share_their_hyperplane():
    """A sample twice counts double, and points on one line change sides at one time."""
    net, data = CROSSING
    doubled = Dataset([*data.inputs, *data.inputs], [*data.labels, *data.labels])
    once, twice = validated_flow(net, data, SQUARE, [1]), validated_flow(net, doubled, SQUARE, [1])
    assert all(a.overlaps(b) for a, b in zip(weights(once, 0), weights(twice, 0), strict=True))
    assert len(twice.switches) == 2 * len(once.switches) > 0
    opposite = Dataset([*data.inputs, [-1, 0]], [*data.labels, HALF])
    tube = validated_flow(net, opposite, SQUARE, [1])
    states, _ = DecimalFlow(net, opposite, SQUARE).run(list(tube.time))
    assert all(near(ball, value) for state in states for ball, value in zip(weights(tube, 0), state, strict=True))


def test_conservation_laws_and_descent():
    """a^2 - |w|^2 of each neuron is constant, and the loss certainly falls."""
    net, data = CROSSING
    tube = validated_flow(net, data, SQUARE, [0, QUARTER, HALF, 1, 2])
    losses = tube.loss(data, SQUARE)
    assert all(later < earlier for earlier, later in pairwise(losses))
    for h in range(2):
        start = Fraction(net.outer[h]) ** 2 - sum(Fraction(w) ** 2 for w in net.inner[h])
        for k in range(5):
            imbalance = tube.outer[k, h] ** 2 - sum(w**2 for w in tube.inner[k, h])
            assert imbalance.contains(arb(start.numerator) / start.denominator)


def test_outputs_and_loss_are_enclosed():
    """f(x) and L at the end, from the reference weights, lie in their balls."""
    net, data = CROSSING
    tube = validated_flow(net, data, SQUARE, [1])
    state = DecimalFlow(net, data, SQUARE).run([Fraction(1)])[0][0]
    with mpmath.workdps(50):
        inner, outer = mpmath.matrix(2, 2), [mpmath.mpf(str(value)) for value in state[4:]]
        for k in range(4):
            inner[k // 2, k % 2] = mpmath.mpf(str(state[k]))
        signals = [
            [sum(inner[h, k] * mpmath.mpf(float(x[k])) for k in range(2)) for h in range(2)] for x in data.inputs
        ]
        outputs = [sum(a * max(z, z / 4) for a, z in zip(outer, row, strict=True)) for row in signals]
        loss = sum((f - mpmath.mpf(float(y))) ** 2 for f, y in zip(outputs, data.labels, strict=True)) / 4
    assert all(
        near(ball, mpmath.nstr(value, 48)) for ball, value in zip(tube.outputs(data.inputs)[0], outputs, strict=True)
    )
    assert near(tube.loss(data, SQUARE)[0], mpmath.nstr(loss, 48))
    assert validated_flow(*SLIDING, SQUARE, [5]).outputs(SLIDING[1].inputs).shape == (0, 2)


def test_long_times_do_not_wrap():
    """Near a minimum trajectories do not part: at t = 60 the balls are as small as at the beginning."""
    tube = validated_flow(TwoLayer([[HALF, 1]], [1], QUARTER), Dataset([[1, HALF], [HALF, 1]], [1, 2]), SQUARE, [60])
    assert tube.outcome == Outcome.COMPLETE
    assert tube.bits == 128
    assert tube.radius() < 1e-33


def test_the_precision_doubles_until_the_radius_is_reached():
    """What 64 bits cannot give, 128 can; at the limit the outcome says what is missing."""
    assert validated_flow(*CROSSING, SQUARE, [1], bits=64).bits == 128
    short = validated_flow(*CROSSING, SQUARE, [1], bits=32, most_bits=64)
    assert (short.outcome, short.bits, short.time) == (Outcome.TOO_WIDE, 64, ())
    assert validated_flow(*CROSSING, SQUARE, [1], radius=1e-6, bits=64).bits == 64


def test_the_budget_of_steps_is_kept():
    """A single step does not reach t = 100."""
    tube = validated_flow(*CROSSING, SQUARE, [100], most_steps=1)
    assert tube.outcome == Outcome.BUDGET
    assert 0 < tube.reached < 100


def test_a_signal_that_dies_away_ends_it():
    """Its sign never changes, and to prove that takes twice as many looks at every step."""
    net, data = TwoLayer([[HALF]], [Fraction(3, 4)], 0), Dataset([[4096]], [0])
    tube = validated_flow(net, data, SQUARE, [QUARTER], radius=Fraction(1, 10**12), most_steps=300)
    assert tube.outcome is Outcome.BUDGET
    assert tube.time == ()
    assert 0 < tube.reached < QUARTER


@pytest.mark.parametrize("outcome", Outcome, ids=lambda outcome: outcome.name)
def test_every_outcome_but_success_says_what_to_do(outcome):
    """The text after the semicolon is the remedy."""
    assert outcome == Outcome.COMPLETE or len(outcome.value.split(";")[1]) > 20


@pytest.mark.parametrize(
    ("times", "options"),
    [
        ([], {}),
        ([-1], {}),
        ([1, HALF], {}),
        ([1], {"bits": 8}),
        ([1], {"radius": 0}),
        ([1], {"most_steps": 0}),
        ([float("nan")], {}),
    ],
)
def test_bad_input_is_refused(times, options):
    """Empty, negative or decreasing times and impossible limits are errors that name the argument."""
    with pytest.raises(BadInput, match=r"times|bits|radius"):
        validated_flow(*CROSSING, SQUARE, times, **options)


def test_a_dimension_mismatch_is_refused():
    """The network and the data must fit."""
    with pytest.raises(BadInput, match="dimension 2, the data have dimension 1"):
        validated_flow(CROSSING[0], Dataset([[1]], [1]), SQUARE, [1])


def test_a_time_inside_an_unresolved_crossing_is_enclosed_too():
    """At the midpoint of a switching interval, which no step ends on, the balls still contain the reference."""
    net, data = CROSSING
    (switch, *_) = validated_flow(net, data, SQUARE, [1]).switches
    mantissa, exponent = switch.time.mid().man_exp()
    time = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    tube = validated_flow(net, data, SQUARE, [time, 1])
    state = DecimalFlow(net, data, SQUARE).run([time])[0][0]
    assert all(near(ball, value) for ball, value in zip(weights(tube, 0), state, strict=True))


@pytest.mark.parametrize("seed", range(4))
def test_a_spread_encloses_all_trajectories_from_around_the_start(seed):
    """Starts at the distance `spread` in some direction end in the tube; the tube around the exact start is far
    narrower.
    """
    net, data = CROSSING
    spread, rng = Fraction(1, 10**9), np.random.default_rng(seed)
    wide = validated_flow(net, data, SQUARE, [0, 1], spread=spread, radius=Fraction(1, 10**6))
    assert wide.outcome == Outcome.COMPLETE
    assert 1e-10 < wide.radius() < 1e-7
    way = rng.normal(size=6)
    moved = [Fraction(entry) * spread for entry in (way / np.linalg.norm(way) * (1 - 1e-9)).tolist()]
    near_by = TwoLayer(
        net.inner + np.array(moved[:4], dtype=object).reshape(2, 2),
        net.outer + np.array(moved[4:], dtype=object),
        net.slope,
    )
    exact = validated_flow(near_by, data, SQUARE, [0, 1])
    for k in range(2):
        assert all(
            outside.contains(inside) for outside, inside in zip(weights(wide, k), weights(exact, k), strict=True)
        )


def test_a_spread_around_a_critical_point_is_not_at_rest():
    """w = a = 1 fits the label 1; from next to it the output comes back to the label, but the weights stay where they
    are displaced to.
    """
    net, data = TwoLayer([[1]], [1], 0), Dataset([[1]], [1])
    assert validated_flow(net, data, SQUARE, [5]).radius() == 0
    tube = validated_flow(net, data, SQUARE, [5], spread=1e-6, radius=1e-3)
    assert 1e-6 <= tube.radius() < 1e-5
    nothing_pulls = validated_flow(net, Dataset([[0]], [1]), SQUARE, [5], spread=1e-6, radius=1e-3)
    assert 1e-6 <= nothing_pulls.radius() < 1.01e-6


@pytest.mark.parametrize("spread", [-1, HALF, Fraction(1, 4)])
def test_a_spread_that_reaches_a_hyperplane_is_refused(spread):
    """w . x = 1/4 and |x| = 1: weights that differ by 1/4 may be on the line, by a fifth not; a negative spread has no
    meaning.
    """
    net, data = TwoLayer([[QUARTER, 0]], [1], 0), Dataset([[1, 0]], [1])
    with pytest.raises(BadInput, match="spread"):
        validated_flow(net, data, SQUARE, [1], spread=spread, radius=1)
    assert validated_flow(net, data, SQUARE, [0], spread=Fraction(1, 5), radius=1).outcome == Outcome.COMPLETE
