"""Training of any network: against closed forms, integrators that know their network, and rules written out."""

import numpy as np
import pytest
import torch

from refute.decide.confirmation import CONFIRMED, REPEATED, confirming
from refute.models import SQUARE, Dataset, TwoLayer, gradient_flow, minibatches
from refute.models.general import adam, batches, decayed, descent, flow, momentum, of_module, plain, risk
from refute.models.training import Stop

TIMES = np.array([0.0, 0.5, 2.0])
INPUTS, LABELS = np.array([[1.0, 0.5], [-0.5, 1.0], [0.25, -1.0]]), np.array([1.0, -1.0, 0.5])


def linear(weights, x):
    return x @ weights["w"]


def two_layers(weights, x):
    return torch.relu(x @ weights["inner"].T) @ weights["outer"]


def test_a_linear_flow_is_its_exponential():
    """w(t) = (1 - e^-t) for the loss (1 - w)^2 / 2, to within the error that is stated."""
    run = flow(risk(linear, [[1.0]], [1.0]), {"w": [0.0]}, TIMES, smooth=True)
    exact = 1 - np.exp(-TIMES)
    assert np.abs(run.weights["w"][:, 0] - exact).max() <= run.error < 1e-7


def test_it_agrees_with_the_integrator_that_knows_the_network():
    """On a two-layer ReLU network that crosses no hyperplane twice."""
    net = TwoLayer([["1/2", "1/4"], ["-1/4", "1/2"]], ["1/2", "-1/3"], 0)
    known = gradient_flow(net, Dataset(INPUTS, LABELS), SQUARE, TIMES)
    start = {"inner": net.inner.astype(float), "outer": net.outer.astype(float)}
    run = flow(risk(two_layers, INPUTS, LABELS), start, TIMES)
    assert np.abs(run.weights["inner"] - known.inner).max() <= run.error + known.error < 1e-6


def test_only_what_is_smooth_is_confirmed():
    """Where an activation has a kink two methods may agree on what is no solution."""
    for smooth, level in ((True, CONFIRMED), (False, REPEATED)):
        with confirming() as opinions:
            flow(risk(linear, [[1.0]], [1.0]), {"w": [0.0]}, TIMES, smooth=smooth)
        assert opinions.level == level


def test_a_spent_budget_decides_nothing():
    """The error is so large that every comparison is undecided."""
    run = flow(risk(linear, [[1.0]], [1.0]), {"w": [0.0]}, TIMES, budget=20)
    assert run.stop is Stop.BUDGET
    assert run.error > 1e6


def by_torch(step, steps=20):
    """The same training written out: `step(gradient, memory)` changes the memory and returns the step."""
    torch.manual_seed(0)
    module = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Softplus(), torch.nn.Linear(3, 1), torch.nn.Flatten(0))
    outputs, start = of_module(module.double())
    objective = decayed(risk(outputs, INPUTS, LABELS), 0.01)
    weights = [weight for _, weight in module.named_parameters()]
    memory = [{} for _ in weights]
    for _ in range(steps):
        gradients = torch.autograd.grad(objective(dict(module.named_parameters())), weights)
        with torch.no_grad():
            for weight, gradient, kept in zip(weights, gradients, memory, strict=True):
                weight -= step(gradient, kept)
    return objective, start, {name: weight.detach().numpy() for name, weight in module.named_parameters()}


def heavy_ball(gradient, kept):
    kept["v"] = 0.9 * kept.get("v", 0) + gradient
    return 0.1 * kept["v"]


def adams(gradient, kept):
    kept["t"] = kept.get("t", 0) + 1
    kept["m"] = 0.9 * kept.get("m", 0) + 0.1 * gradient
    kept["v"] = 0.999 * kept.get("v", 0) + 0.001 * gradient**2
    return 0.05 * kept["m"] / (1 - 0.9 ** kept["t"]) / ((kept["v"] / (1 - 0.999 ** kept["t"])) ** 0.5 + 1e-8)


@pytest.mark.parametrize(
    ("rule", "written"),
    [(plain(0.1), lambda gradient, _: 0.1 * gradient), (momentum(0.1, 0.9), heavy_ball), (adam(0.05), adams)],
    ids=["plain", "momentum", "adam"],
)
def test_rules_are_what_they_say(rule, written):
    """Twenty steps of a module with weight decay, to within the error that is stated."""
    objective, start, ends = by_torch(written)
    run = descent(objective, start, rule, 20)
    for name, end in ends.items():
        assert np.abs(run.weights[name][-1] - end).max() <= run.error < 1e-5


def test_batches_are_steps_of_their_own():
    """A step on one sample is a step of descent on that sample."""
    picks = minibatches(np.random.default_rng(0), 3, 1, 4)
    run = descent(batches(linear, INPUTS, LABELS, picks), {"w": [0.5, 0.5]}, plain(0.1))
    w = np.array([0.5, 0.5])
    for [row] in picks:
        w = w + 0.1 * (LABELS[row] - INPUTS[row] @ w) * INPUTS[row]
    assert np.abs(run.weights["w"][-1] - w).max() <= run.error < 1e-10
