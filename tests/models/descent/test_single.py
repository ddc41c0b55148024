"""Gradient descent in float64: the kernel, the batch of tensors, and the plain formula agree."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from refute.arithmetic.numbers import FLOAT
from refute.errors import BadInput, Diverged
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.descent.batch import descend_batch, descend_deep_batch, square_loss_descent
from refute.models.descent.minibatch import minibatches
from refute.models.descent.single import descend, descend_deep
from refute.models.gradient import deep_descent_direction, descent_direction
from refute.models.initialisation import small_gaussian
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC, LOGISTIC_PRINTED, SQUARE, TWICE_LOGISTIC_SUM, Loss
from refute.models.network import DeepNetwork, TwoLayer, as_deep

Floats = NDArray[np.float64]
LOSSES = [SQUARE, LOGISTIC, LOGISTIC_PRINTED, EXPONENTIAL_SUM, TWICE_LOGISTIC_SUM]
CONVENTIONS = [(0.0, 0.0), (0.0, 1.0), (0.25, 0.25), (0.25, 0.625), (0.25, 1.0), (1.0, 1.0)]


def _grid(rng: np.random.Generator, *shape: int) -> Floats:
    """Small multiples of 1/4: points on hyperplanes, repeated points and dead neurons are frequent."""
    values: Floats = rng.integers(-4, 5, shape) / 4
    return values


def _case(seed: int = 0, batch: int = 5) -> tuple[Floats, Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    return _grid(rng, batch, 6, 3), _grid(rng, batch, 6), _grid(rng, 7, 3), rng.choice([-1.0, 1.0], 7)


def _plain(
    net: Any, data: Dataset, loss: Loss, rate: float, steps: int, at_zero: float, train_outer: bool = True
) -> tuple[Floats, Floats]:
    """W + rate * descent direction, step by step."""
    net, data = lift(net, FLOAT), lift(data, FLOAT)
    for _ in range(steps):
        inner, outer = descent_direction(net, data, loss, at_zero)
        net = net.with_weights(net.inner + rate * inner, net.outer + rate * outer if train_outer else net.outer)
    return net.inner, net.outer


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize(("slope", "at_zero"), CONVENTIONS)
def test_kernel_batch_and_formula_agree(loss: Loss, slope: float, at_zero: float) -> None:
    """30 steps from grid points, kinks included: the kernel, the batch and the formula give the same weights to
    round-off.
    """
    inner, outer, x, y = _case()
    *_, last = descend_batch(inner, outer, x, y, loss, rate=0.01, steps=30, slope=slope, slope_at_zero=at_zero)
    for k in range(len(inner)):
        net, data = TwoLayer(inner[k], outer[k], slope), Dataset(x, y)
        run = descend(net, data, loss, rate=0.01, steps=30, slope_at_zero=at_zero)
        plain = _plain(net, data, loss, 0.01, 30, at_zero)
        for found in ((run.inner[-1], run.outer[-1]), (last.inner[k], last.outer[k])):
            np.testing.assert_allclose(found[0], plain[0], rtol=0, atol=1e-12)
            np.testing.assert_allclose(found[1], plain[1], rtol=0, atol=1e-12)
        assert run.loss[-1] == pytest.approx(last.loss[k], rel=1e-12)
        assert run.loss[-1] == pytest.approx(float(loss.value(y, lift(net, FLOAT).with_weights(*plain)(x))), rel=1e-11)


@pytest.mark.parametrize("loss", [SQUARE, LOGISTIC, EXPONENTIAL_SUM], ids=str)
@pytest.mark.parametrize("widths", [(1,), (4, 1), (5, 4, 1), (3, 4, 2, 1)], ids=str)
def test_deep_kernel_batch_and_formula_agree(loss: Loss, widths: tuple[int, ...]) -> None:
    """The same for depths 1 to 4, and for a fixed layer."""
    rng = np.random.default_rng(2)
    sizes = (3, *widths)
    weights = [_grid(rng, 3, above, below) for below, above in pairwise(sizes)]
    x, y = _grid(rng, 7, 3), rng.choice([-1.0, 1.0], 7)
    trained = [k != 1 for k in range(len(widths))]
    *_, last = descend_deep_batch(
        weights, x, y, loss, rate=0.02, steps=20, slope=0.25, slope_at_zero=0.5, trained=trained
    )
    for k in range(3):
        net, data = DeepNetwork(tuple(w[k] for w in weights), 0.25), Dataset(x, y)
        run = descend_deep(net, data, loss, rate=0.02, steps=20, slope_at_zero=0.5, trained=trained)
        now, lifted = lift(net, FLOAT), lift(data, FLOAT)
        for _ in range(20):
            moves = deep_descent_direction(now, lifted, loss, 0.5)
            now = now.with_weights(tuple(w + 0.02 * m * t for w, m, t in zip(now.weights, moves, trained, strict=True)))
        for level, wanted in enumerate(now.weights):
            np.testing.assert_allclose(run.weights[level][-1], wanted, rtol=0, atol=1e-11)
            np.testing.assert_allclose(last.weights[level][k], wanted, rtol=0, atol=1e-11)


def test_depth_two_is_the_two_layer_network() -> None:
    """The deep kernel on two matrices gives what the two-layer kernel gives."""
    inner, outer, x, y = _case()
    net, data = TwoLayer(inner[0], outer[0], 0.1), Dataset(x, y)
    one, other = (
        descend(net, data, rate=0.05, steps=50, slope_at_zero=net.slope),
        descend_deep(as_deep(net), data, rate=0.05, steps=50, slope_at_zero=net.slope),
    )
    np.testing.assert_allclose(one.inner[-1], other.weights[0][-1], rtol=0, atol=1e-12)


def test_descent_is_what_autograd_and_sgd_do() -> None:
    """100 steps of torch's SGD on the same network end at the same weights."""
    rng = np.random.default_rng(4)
    inner, outer, x, y = (
        rng.standard_normal((6, 3)),
        rng.standard_normal(6),
        rng.standard_normal((9, 3)),
        rng.standard_normal(9),
    )
    w, v = torch.tensor(inner, requires_grad=True), torch.tensor(outer, requires_grad=True)
    optimiser = torch.optim.SGD([w, v], lr=0.05)
    for _ in range(100):
        optimiser.zero_grad()
        (((torch.relu(torch.tensor(x) @ w.T) @ v - torch.tensor(y)) ** 2).mean() / 2).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    run = descend(TwoLayer(inner, outer, 0), Dataset(x, y), rate=0.05, steps=100, slope_at_zero=0)
    np.testing.assert_allclose(run.inner[-1], w.detach().numpy(), rtol=0, atol=1e-12)


def test_a_case_does_not_depend_on_its_batch_or_on_threads() -> None:
    """Alone, in another order, among others, and with two threads, every case ends at the same bits."""
    rng = np.random.default_rng(5)
    inner, outer, x, y = (
        rng.standard_normal((60, 30, 4)),
        rng.standard_normal((60, 30)),
        rng.standard_normal((25, 4)),
        rng.standard_normal(25),
    )

    def end(chosen: Any) -> Floats:
        *_, last = descend_batch(inner[chosen], outer[chosen], x, y, rate=0.01, steps=40, slope_at_zero=0.0)
        return last.inner

    everything = end(slice(None))
    np.testing.assert_array_equal(end([7])[0], everything[7])
    np.testing.assert_array_equal(end([59, 7, 3])[1:], everything[[7, 3]])
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(threads % 2 + 1)
        np.testing.assert_array_equal(end(slice(None)), everything)
    finally:
        torch.set_num_threads(threads)


@pytest.mark.parametrize("loss", [SQUARE, LOGISTIC, EXPONENTIAL_SUM], ids=str)
@pytest.mark.parametrize("seed", range(40))
def test_no_shape_makes_a_case_depend_on_its_batch(loss: Loss, seed: int) -> None:
    """Any numbers of samples, neurons, layers and cases, shared data or not, picked samples or not: some cases end at
    the same bits.
    """
    rng = np.random.default_rng(seed)
    batch, samples, picked = int(rng.integers(2, 60)), int(rng.integers(1, 40)), seed % 3 == 0
    widths = [*rng.integers(1, (12, 80, 30))[: 2 + seed % 2], 1]
    weights = [rng.standard_normal((batch, after, before)) / np.sqrt(before) for before, after in pairwise(widths)]
    shape = (samples,) if seed % 2 else (batch, samples)
    x, y = rng.standard_normal((*shape, widths[0])), rng.choice([-1.0, 1.0], shape)
    picks, rate = rng.integers(0, samples, (5, min(samples, 5))) if picked else None, 0.05 if loss.averaged else 1e-4

    def end(chosen: Any) -> Any:
        own = (x, y) if seed % 2 else (x[chosen], y[chosen])
        *_, last = descend_deep_batch(
            [w[chosen] for w in weights], *own, loss, rate=rate, steps=5, slope=0.25, picks=picks, slope_at_zero=0.25
        )
        return (*last.weights, last.loss)

    some = np.sort(rng.choice(batch, int(rng.integers(1, batch + 1)), replace=False))
    for whole, part in zip(end(np.arange(batch)), end(some), strict=True):
        np.testing.assert_array_equal(whole[some], part)


def test_each_case_may_have_its_own_data() -> None:
    """Inputs (batch, samples, dim) give each case the result that it has alone."""
    rng = np.random.default_rng(6)
    inner, outer, x, y = (
        rng.standard_normal((4, 3, 2)),
        rng.standard_normal((4, 3)),
        rng.standard_normal((4, 5, 2)),
        rng.standard_normal((4, 5)),
    )
    *_, last = descend_batch(inner, outer, x, y, rate=0.1, steps=20, slope_at_zero=0.0)
    for k in range(4):
        run = descend(TwoLayer(inner[k], outer[k], 0), Dataset(x[k], y[k]), rate=0.1, steps=20, slope_at_zero=0)
        np.testing.assert_allclose(last.inner[k], run.inner[-1], rtol=0, atol=1e-13)


def test_stochastic_steps_see_the_picked_samples() -> None:
    """With picks, kernel and batch agree with the formula on each small batch, whose mean is over the batch."""
    inner, outer, x, y = _case(7)
    picks = minibatches(np.random.default_rng(1), 7, 3, 10)
    net = lift(TwoLayer(inner[0], outer[0], 0.25), FLOAT)
    for chosen in picks:
        move = descent_direction(net, lift(Dataset(x[chosen], y[chosen]), FLOAT), LOGISTIC, 0.25)
        net = net.with_weights(net.inner + 0.1 * move[0], net.outer + 0.1 * move[1])
    run = descend(
        TwoLayer(inner[0], outer[0], 0.25), Dataset(x, y), LOGISTIC, rate=0.1, steps=10, picks=picks, slope_at_zero=0.25
    )
    *_, last = descend_batch(
        inner, outer, x, y, LOGISTIC, rate=0.1, steps=10, slope=0.25, picks=picks, slope_at_zero=0.25
    )
    np.testing.assert_allclose(run.inner[-1], net.inner, rtol=0, atol=1e-13)
    np.testing.assert_allclose(last.inner[0], net.inner, rtol=0, atol=1e-13)


def test_picking_every_sample_is_the_full_batch() -> None:
    """A batch of all samples in any order is full-batch descent."""
    inner, outer, x, y = _case(8)
    net, data = TwoLayer(inner[0], outer[0], 0), Dataset(x, y)
    picks = minibatches(np.random.default_rng(0), 7, 7, 15)
    one, other = (
        descend(net, data, rate=0.1, steps=15, picks=picks, slope_at_zero=net.slope),
        descend(net, data, rate=0.1, steps=15, slope_at_zero=net.slope),
    )
    np.testing.assert_allclose(one.inner[-1], other.inner[-1], rtol=0, atol=1e-13)


def test_an_epoch_sees_every_sample_once() -> None:
    """Without replacement three batches of two are a permutation of six; the same generator state
    gives the same picks.
    """
    picks = minibatches(np.random.default_rng(3), 6, 2, 7)
    assert picks.shape == (7, 2)
    assert sorted(picks[:3].reshape(-1)) == list(range(6))
    np.testing.assert_array_equal(picks, minibatches(np.random.default_rng(3), 6, 2, 7))
    assert minibatches(np.random.default_rng(3), 2, 5, 4, replace=True).max() <= 1
    with pytest.raises(BadInput, match="size must not exceed"):
        minibatches(np.random.default_rng(0), 3, 4, 1)


def test_recording_does_not_change_the_run() -> None:
    """Recorded every 7 steps or only at the end, the last weights are the same bits; step 0 is the start."""
    inner, outer, x, y = _case(9)
    net, data = TwoLayer(inner[0], outer[0], 0), Dataset(x, y)
    often, once = (
        descend(net, data, rate=0.1, steps=30, every=7, slope_at_zero=net.slope),
        descend(net, data, rate=0.1, steps=30, slope_at_zero=net.slope),
    )
    assert often.steps.tolist() == [0, 7, 14, 21, 28, 30]
    np.testing.assert_array_equal(often.inner[-1], once.inner[-1])
    np.testing.assert_array_equal(often.inner[0], inner[0])


def test_a_fixed_second_layer_stays() -> None:
    """With train_outer=False the outer weights keep their bits in the kernel and in the batch."""
    inner, outer, x, y = _case(10)
    run = descend(
        TwoLayer(inner[0], outer[0], 0), Dataset(x, y), LOGISTIC, rate=0.5, steps=20, train_outer=False, slope_at_zero=0
    )
    *_, last = descend_batch(inner, outer, x, y, LOGISTIC, rate=0.5, steps=20, train_outer=False, slope_at_zero=0.0)
    np.testing.assert_array_equal(run.outer[-1], outer[0])
    np.testing.assert_array_equal(last.outer, outer)
    np.testing.assert_allclose(last.inner[0], run.inner[-1], rtol=0, atol=1e-13)


def test_zero_steps_return_the_start() -> None:
    """Without a step the start is recorded once."""
    inner, outer, x, y = _case()
    assert descend(
        TwoLayer(inner[0], outer[0], 0), Dataset(x, y), rate=0.1, steps=0, slope_at_zero=0
    ).steps.tolist() == [0]
    assert [shot.step for shot in square_loss_descent(inner, outer, Dataset(x, y), rate=0.1, steps=0, every=1)] == [0]


def test_a_diverging_step_size_names_the_step() -> None:
    """A rate that is far too large stops the kernel and the batch with the step and the rate in the message."""
    inner, outer, x, y = _case()
    with pytest.raises(Diverged, match=r"at step \d+[\s\S]*below 50"):
        descend(TwoLayer(inner[0], outer[0], 0), Dataset(x, y), rate=50.0, steps=1000, slope_at_zero=0)
    with pytest.raises(Diverged, match="before step 1000"):
        list(descend_batch(inner, outer, x, y, rate=50.0, steps=1000, slope_at_zero=0.0))
    with pytest.raises(Diverged, match="step"):
        descend_deep(as_deep(TwoLayer(inner[0], outer[0], 0)), Dataset(x, y), rate=50.0, steps=1000, slope_at_zero=0)


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("inner", {"inner": np.full((1, 2, 3), np.nan)}),
    ("outer", {"outer": np.full((1, 2), np.inf)}),
    ("inputs", {"inputs": np.full((4, 3), -np.inf)}),
    ("labels", {"labels": np.full(4, np.nan)}),
    ("inputs are empty", {"inputs": np.empty((0, 3)), "labels": np.empty(0)}),
    ("labels", {"labels": np.ones(5)}),
    ("weights", {"inputs": np.ones((4, 2))}),
    ("inner", {"inner": np.ones((2, 3))}),
    ("rate", {"rate": -0.1}),
    ("rate", {"rate": np.nan}),
    ("steps", {"steps": -1}),
    ("steps", {"steps": 1.5}),
    ("every", {"every": -2}),
    ("slope", {"slope": 1.5}),
    ("slope_at_zero", {"slope_at_zero": -1.0}),
    ("picks", {"picks": np.full((3, 1), 9)}),
    ("picks", {"picks": np.zeros((2, 1), dtype=int)}),
]


@pytest.mark.parametrize(("name", "wrong"), WRONG, ids=lambda v: v if isinstance(v, str) else "")
def test_wrong_input_names_the_argument(name: str, wrong: dict[str, Any]) -> None:
    """NaN, infinities, empty data, wrong shapes, and values out of range are errors that name the argument."""
    good = {
        "inner": np.ones((1, 2, 3)),
        "outer": np.ones((1, 2)),
        "inputs": np.ones((4, 3)),
        "labels": np.ones(4),
        "rate": 0.1,
        "steps": 3,
        "slope_at_zero": 0.0,
    }
    with pytest.raises(BadInput, match=name):
        list(descend_batch(**{**good, **wrong}))


def test_small_batches_of_any_size_are_padded_away() -> None:
    """Whatever the size of the small batches, also that of all samples, the batch of tensors follows the kernel."""
    inner, outer, x, y = _case(11)
    for size in (1, 4, 7):
        picks = minibatches(np.random.default_rng(size), 7, size, 12)
        *_, last = descend_batch(inner, outer, x, y, LOGISTIC, rate=0.1, steps=12, picks=picks, slope_at_zero=0.0)
        for k in range(len(inner)):
            run = descend(
                TwoLayer(inner[k], outer[k], 0),
                Dataset(x, y),
                LOGISTIC,
                rate=0.1,
                steps=12,
                picks=picks,
                slope_at_zero=0,
            )
            np.testing.assert_allclose(last.inner[k], run.inner[-1], rtol=0, atol=1e-13)


@pytest.mark.parametrize("width", [-1, 0, 2.5])
def test_a_width_is_a_positive_integer(width: Any) -> None:
    """Initial weights of negative, zero or fractional width are refused by name."""
    with pytest.raises(BadInput, match="width"):
        small_gaussian(np.random.default_rng(0), width, 3, 1.0)
