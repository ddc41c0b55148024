"""What is true of the flow whatever the data: conservation laws, symmetries, solution concepts, and clear refusals."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from refute.arithmetic.numbers import FLOAT
from refute.errors import BadInput, Diverged
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.flow import FILIPPOV, REGULAR, Change, Trajectory, gradient_flow
from refute.models.flow.solve import _passed_a_saddle
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC, SQUARE, Loss
from refute.models.training import Stop

TIMES = np.linspace(0.0, 3.0, 13)


def draw(
    seed: int, slope: float = 0.0, *, samples: int = 6, dim: int = 3, width: int = 8, size: float = 1.0
) -> tuple[TwoLayer, Dataset]:
    """A balanced network on normal data."""
    rng = np.random.default_rng(seed)
    inputs, inner = rng.standard_normal((samples, dim)), size * rng.standard_normal((width, dim))
    outer = np.linalg.norm(inner, axis=1) * rng.choice([-1.0, 1.0], width)
    return TwoLayer(inner, outer, slope), Dataset(inputs, inputs @ rng.standard_normal(dim))


def gap(one: Trajectory, other: Trajectory) -> float:
    return float(max(np.abs(one.inner - other.inner).max(), np.abs(one.outer - other.outer).max()))


CASES = [(seed, slope) for seed in range(6) for slope in (0.0, 0.3)]


@pytest.mark.parametrize(("seed", "slope"), CASES)
def test_balanced_neurons_stay_balanced_and_keep_their_sign(seed: int, slope: float) -> None:
    """|w_h| = |v_h| along the flow, also while sliding, and v_h never changes sign, up to the bound."""
    net, data = draw(seed, slope)
    run = gradient_flow(net, data, SQUARE, TIMES)
    lengths = np.linalg.norm(run.inner, axis=2)
    assert np.abs(lengths - np.abs(run.outer)).max() <= 3 * run.error
    assert (run.outer * run.outer[0] > -run.error).all()


@pytest.mark.parametrize(("seed", "slope"), CASES)
def test_loss_never_increases(seed: int, slope: float) -> None:
    """The loss at later times is at most that at earlier ones, up to the bound on the outputs."""
    net, data = draw(seed, slope, size=0.1)
    run = gradient_flow(net, data, SQUARE, TIMES)
    inputs, labels = np.array(data.inputs, dtype=float), np.array(data.labels, dtype=float)
    residuals = labels - run.outputs(inputs)
    slack = 2 * np.abs(residuals).max() * run.output_error(inputs)
    assert (np.diff((residuals**2).mean(axis=1) / 2) <= slack).all()


@pytest.mark.parametrize("seed", range(5))
def test_order_of_samples_and_neurons_does_not_matter(seed: int) -> None:
    """Permuting samples, or neurons, permutes the result, to within the two bounds."""
    net, data = draw(seed)
    run = gradient_flow(net, data, SQUARE, TIMES)
    rng = np.random.default_rng(seed)
    rows, neurons = rng.permutation(len(data.labels)), rng.permutation(net.width)
    shuffled = gradient_flow(net, Dataset(data.inputs[rows], data.labels[rows]), SQUARE, TIMES)
    assert gap(run, shuffled) <= run.error + shuffled.error
    moved = gradient_flow(TwoLayer(net.inner[neurons], net.outer[neurons], net.slope), data, SQUARE, TIMES)
    assert np.abs(run.inner[:, neurons] - moved.inner).max() <= run.error + moved.error


def test_repeated_samples_are_one_heavier_sample() -> None:
    """Two copies of each point give the same mean loss, the same flow, and events for each copy."""
    net, data = draw(4)
    once = gradient_flow(net, data, SQUARE, TIMES)
    twice = gradient_flow(net, Dataset(np.vstack([data.inputs] * 2), np.concatenate([data.labels] * 2)), SQUARE, TIMES)
    assert gap(once, twice) <= once.error + twice.error
    assert len(twice.events) == 2 * len(once.events) > 0


@pytest.mark.parametrize("loss", [SQUARE, LOGISTIC])
def test_a_loss_of_ones_own_follows_the_same_flow(loss: Loss) -> None:
    """A residual that compiled code does not know gives the result of the one that it knows."""
    net, data = draw(5)
    known = gradient_flow(net, data, loss, TIMES)
    unknown = gradient_flow(net, data, Loss.of(lambda labels, outputs: 1.0 * loss.residual(labels, outputs)), TIMES)
    assert gap(known, unknown) <= known.error + unknown.error


def test_a_sum_runs_faster_than_a_mean() -> None:
    """The summed loss at time t is the mean loss at time n t."""
    net, data = draw(6, samples=4)
    summed = gradient_flow(net, data, EXPONENTIAL_SUM, TIMES / 8)
    mean = gradient_flow(net, data, replace(EXPONENTIAL_SUM, averaged=True), TIMES / 2)
    assert gap(summed, mean) <= summed.error + mean.error


def test_fixed_outer_weights_stay() -> None:
    """With train_outer=False only the inner weights move."""
    net, data = draw(7)
    run = gradient_flow(net, data, SQUARE, TIMES, train_outer=False)
    assert (run.outer == run.outer[0]).all()
    assert np.abs(run.inner[-1] - run.inner[0]).max() > 0.1


def test_events_are_the_sign_changes() -> None:
    """Between two events of a pair its pre-activation keeps its sign; after an event it has the sign that the event
    says.
    """
    net, data = draw(8, size=0.1)
    times = np.linspace(0.0, 3.0, 301)
    run = gradient_flow(net, data, SQUARE, times)
    pre = np.einsum("thd,nd->thn", run.inner, np.array(data.inputs, dtype=float))
    expected = np.sign(pre[0])
    assert run.events
    assert list(run.events) == sorted(run.events, key=lambda event: event.time)
    for t, now in enumerate(pre[1:], 1):
        for event in run.events:
            if times[t - 1] < event.time <= times[t]:
                expected[event.neuron, event.sample] = {Change.ACTIVATES: 1, Change.DEACTIVATES: -1, Change.SLIDES: 0}[
                    event.kind
                ]
        assert (now * expected >= -run.error).all()
        assert (np.abs(now[expected == 0]) <= 1e-12).all()


EDGE = {"inner": [[0, 1]], "outer": [1]}


def edge(label: int, concept: str | float) -> Trajectory:
    """min2024, E.3 and E.4: one neuron on the hyperplane of the only sample, exponential loss."""
    return gradient_flow(
        TwoLayer(EDGE["inner"], EDGE["outer"], 0), Dataset([[1, 0]], [label]), EXPONENTIAL_SUM, TIMES, concept=concept
    )


@pytest.mark.parametrize("concept", [FILIPPOV, REGULAR, 0.0])
def test_a_neuron_that_is_pushed_back_stays_on_the_edge(concept: str | float) -> None:
    """With y = -1 the constant path is the solution, also with sigma'(0) = 0 (min2024, E.3)."""
    run = edge(-1, concept)
    assert run.stop is Stop.HORIZON
    assert (run.inner == run.inner[0]).all()


def test_a_run_that_rounding_leads_past_a_saddle_decides_nothing() -> None:
    """A balanced neuron shrinks to zero and keeps its sign, whichever way rounding takes the run; a neuron with
    |w| > |a| may well change it.
    """
    net, data = TwoLayer([[-0.25]], [0.25], 0), Dataset([[-2048.0]], [-1.0])
    near, late = (gradient_flow(net, data, SQUARE, np.array([time])) for time in (0.01, 1.0))
    assert near.error < 1e-6
    assert abs(late.outer[-1, 0]) <= late.error
    turned = replace(near, outer=-near.outer)
    assert _passed_a_saddle(lift(net, FLOAT), turned)
    assert not _passed_a_saddle(lift(net, FLOAT), near)
    assert not _passed_a_saddle(lift(TwoLayer([[-0.5]], [0.25], 0), FLOAT), turned)


@pytest.mark.parametrize("value", [0.5, 1.0])
def test_other_subgradients_have_no_solution(value: float) -> None:
    """With y = -1 and sigma'(0) > 0 there is no solution in the sense of Caratheodory (min2024, E.3), and the run says
    so.
    """
    run = edge(-1, value)
    assert run.stop is Stop.NO_SOLUTION
    assert run.reached == 0.0
    assert run.error >= 1e6


def test_solutions_that_leave_the_dead_region() -> None:
    """With y = +1 the fastest Filippov solution leaves the edge, the regular one and sigma'(0) = 0
    stay (min2024, E.4).
    """
    assert edge(1, FILIPPOV).inner[-1, 0, 0] > 0.5
    for concept in (REGULAR, 0.0):
        assert (edge(1, concept).inner[-1] == edge(1, concept).inner[0]).all()


def test_a_neuron_that_dies_stays_dead() -> None:
    """Pushed out of the only active half space, a ReLU neuron stops on its edge, also when the residual changes sign
    later.
    """
    data = Dataset([[1, 0], [0, 1]], [-1, 1])
    net = TwoLayer([[Fraction(1, 4), -1], [1, 1]], [1, 1], 0)
    run = gradient_flow(net, data, SQUARE, np.linspace(0.0, 20.0, 41))
    assert np.abs(run.inner[-1, 0, 0]) <= 1e-12
    assert (run.inner[-5:, 0] == run.inner[-1, 0]).all()


@pytest.mark.parametrize("concept", [FILIPPOV, REGULAR])
def test_zero_networks_stay(concept: str) -> None:
    """Neurons with zero weights in both layers do not move."""
    run = gradient_flow(TwoLayer([[0, 0], [0, 0]], [0, 0], 0), Dataset([[1, 2]], [1]), SQUARE, TIMES, concept=concept)
    assert not run.inner.any()
    assert not run.outer.any()


def test_zero_inner_weights_leave_by_steepest_descent() -> None:
    """w = 0, v = 1 on x = 1, y = 1 (leaky): the neuron turns active, and w grows."""
    run = gradient_flow(TwoLayer([[0]], [1], Fraction(1, 4)), Dataset([[1]], [1]), SQUARE, np.array([0.0, 1.0]))
    assert run.inner[-1, 0, 0] > 0.3


def test_divergence_is_an_error_with_a_remedy() -> None:
    """Weights beyond every bound raise, with the time and what to do."""
    net, data = TwoLayer([[2]], [2], 1), Dataset([[1]], [1])
    with pytest.raises(Diverged, match="diverged at time"):
        gradient_flow(net, data, Loss.of(lambda labels, outputs: outputs), np.array([10.0]))


def test_spent_budget_decides_nothing() -> None:
    """When the budget of evaluations is spent the run says so, and its error is too large to conclude anything."""
    net, data = draw(9)
    run = gradient_flow(net, data, SQUARE, TIMES, budget=60)
    assert run.stop is Stop.BUDGET
    assert run.reached < TIMES[-1]
    assert run.error >= 1e6


def test_a_residual_must_be_finite() -> None:
    """NaN from a Python residual is refused at once."""
    with pytest.raises(BadInput, match="residual is not finite"):
        gradient_flow(*draw(0), Loss.of(lambda labels, outputs: labels * np.nan), TIMES)


def test_what_a_residual_raises_comes_out() -> None:
    """An exception in a Python residual is not lost in compiled code."""

    def broken(labels: Any, outputs: Any) -> Any:
        raise ArithmeticError("no such residual")

    with pytest.raises(ArithmeticError, match="no such residual"):
        gradient_flow(*draw(0), Loss.of(broken), TIMES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"times": []}, "times"),
        ({"times": [1.0, 0.5]}, "times"),
        ({"times": [-1.0]}, "times"),
        ({"times": [float("nan")]}, "times"),
        ({"tau": 0.0}, "tau"),
        ({"tau": float("inf")}, "tau"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"concept": "clarke"}, "concept"),
        ({"concept": 2.0}, "sigma"),
        ({"data": Dataset([[1, 2]], [1])}, "dimension"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    """A wrong argument is refused with its name."""
    net, data = draw(0)
    given = {"data": data, "times": TIMES} | arguments
    times = np.array(given.pop("times"), dtype=float)
    with pytest.raises(BadInput, match=message):
        gradient_flow(net, given.pop("data"), SQUARE, times, **given)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_are_not_finite_are_refused(value: float) -> None:
    """NaN and infinities do not get into a network or a dataset."""
    with pytest.raises(BadInput):
        TwoLayer([[value]], [1.0], 0)
    with pytest.raises(BadInput):
        Dataset([[1.0]], [value])


@pytest.mark.parametrize("train_outer", [True, False])
def test_blow_up_in_finite_time_is_named(train_outer: bool) -> None:
    """A residual f makes u' = u^3 for w = v = u, so u = (2 (T - t))^{-1/2} with T = 1/(2 u(0)^2); with v fixed it only
    grows like e^t.
    """
    net, data = TwoLayer([[Fraction(1, 2)]], [Fraction(1, 2)], 0), Dataset([[1]], [1])
    if not train_outer:
        run = gradient_flow(net, data, Loss.of(lambda y, f: f), np.array([3.0]), train_outer=False)
        assert abs(run.inner[-1, 0, 0] - 0.5 * np.exp(3.0 / 4)) <= run.error
        return
    with pytest.raises(Diverged, match=r"diverged at time 2 of 3"):
        gradient_flow(net, data, Loss.of(lambda y, f: f), np.array([3.0]))
    early = gradient_flow(net, data, Loss.of(lambda y, f: f), np.array([1.5]))
    assert abs(early.outer[-1, 0] - 1.0) <= early.error < 1e-8


@pytest.mark.parametrize("seed", range(4))
def test_blow_up_with_events_is_not_taken_for_an_accumulation_of_events(seed: int) -> None:
    """The printed logistic field with the output in place of the label: wide networks that cross many lines end in
    DIVERGED.
    """
    net, data = draw(seed, samples=5, width=6)
    with pytest.raises(Diverged, match="diverged"):
        gradient_flow(net, data, Loss.of(lambda y, f: f / (1 + np.exp(-np.abs(f)))), np.array([1e3]), tolerance=1e-6)
