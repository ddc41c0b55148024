"""Gradient descent side by side with the usual loop: an `nn.Module`, automatic differentiation and `torch.optim.SGD`,
one thread.

Every ratio is peer time / our time, both measured in this run; compiling is done before and reported apart.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from refute.models.dataset import Dataset
from refute.models.descent.batch import descend_batch, one_thread
from refute.models.descent.kernel_space import kernel_descent, start
from refute.models.descent.longtime import long_descent
from refute.models.descent.single import descend
from refute.models.network import TwoLayer, signed_halves

CASES, SAMPLES, DIMENSION, WIDTH, STEPS, RATE = 256, 20, 5, 50, 1000, 0.01
PEER_CASES = 3  # the peer takes minutes for all cases; its time is the same for each
LONG = 10**6
Row = dict[str, Any]


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The least processor time of a few runs: what else the machine does should not count."""
    best = np.inf
    for _ in range(repeats):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return float(best)


def usual_loop(inner: Any, outer: Any, x: Any, y: Any, steps: int) -> Any:
    """What one writes first."""

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.hidden = torch.nn.Linear(x.shape[1], len(outer), bias=False, dtype=torch.float64)
            self.out = torch.nn.Linear(len(outer), 1, bias=False, dtype=torch.float64)
            with torch.no_grad():
                self.hidden.weight.copy_(torch.tensor(inner))
                self.out.weight.copy_(torch.tensor(outer)[None])

        def forward(self, points: torch.Tensor) -> torch.Tensor:
            output: torch.Tensor = self.out(torch.relu(self.hidden(points)))[:, 0]
            return output

    net, points, labels = Net(), torch.tensor(x), torch.tensor(y)
    optimiser = torch.optim.SGD(net.parameters(), lr=RATE)
    for _ in range(steps):
        optimiser.zero_grad()
        loss = ((labels - net(points)) ** 2).mean() / 2
        loss.backward()
        optimiser.step()
    return net.hidden.weight.detach().numpy()


def population(
    cases: int, samples: int = SAMPLES, dimension: int = DIMENSION, width: int = WIDTH
) -> tuple[Any, Any, Any, Any]:
    """Small Gaussian networks on one Gaussian dataset with a linear teacher."""
    rng = np.random.default_rng(0)
    inner = 0.1 * rng.standard_normal((cases, width, dimension))
    x = rng.standard_normal((samples, dimension))
    return inner, 0.1 * rng.standard_normal((cases, width)), x, x @ rng.standard_normal(dimension)


def one_by_one(inner: Any, outer: Any, x: Any, y: Any, steps: int) -> Any:
    data = Dataset(x, y)
    return [
        descend(TwoLayer(w, v, 0), data, rate=RATE, steps=steps, slope_at_zero=0).inner[-1]
        for w, v in zip(inner, outer, strict=True)
    ]


def as_batch(inner: Any, outer: Any, x: Any, y: Any, steps: int) -> Any:
    *_, last = descend_batch(inner, outer, x, y, rate=RATE, steps=steps, slope_at_zero=0.0)
    return last.inner


def long_problem() -> Any:
    """kou2023 with n = 4, m = 5, leaky slope 1/2, nearly orthogonal unit inputs."""
    rng = np.random.default_rng(0)
    gram = np.eye(4) + 0.02 * (1 - np.eye(4))
    w = 0.01 * rng.standard_normal((2, 5, 4))
    return start(
        signed_halves(w[0], w[1], 0.5),
        Dataset(np.linalg.cholesky(gram), np.array([1.0, -1.0, 1.0, -1.0])),
        rate=0.5,
        slope_at_zero=1.0,
    )


def rows() -> list[Row]:
    """The rows of the table; those with a `ratio` have a lower bound `at_least`."""
    with one_thread():
        begin = time.perf_counter()
        one_by_one(*population(1, 2, 2, 2), 1)
        problem, state = long_problem()
        kernel_descent(problem, state, 1)
        long_descent(problem, state, np.array([1e3]))
        compiling = time.perf_counter() - begin
        inner, outer, x, y = population(CASES)
        usual = usual_loop(inner[0], outer[0], x, y, STEPS)
        peer = (
            seconds(lambda: [usual_loop(inner[k], outer[k], x, y, STEPS) for k in range(PEER_CASES)])
            * CASES
            / PEER_CASES
        )
        single = seconds(lambda: one_by_one(inner, outer, x, y, STEPS))
        batch = seconds(lambda: as_batch(inner, outer, x, y, STEPS), 2)
        for ours in (one_by_one(inner[:1], outer[:1], x, y, STEPS)[0], as_batch(inner[:1], outer[:1], x, y, STEPS)[0]):
            np.testing.assert_allclose(ours, usual, rtol=0, atol=1e-12)
        stepping = seconds(lambda: kernel_descent(problem, state, LONG))
        long = seconds(lambda: long_descent(problem, state, np.array([float(LONG)])), 20)
        work = f"{CASES} cases, n={SAMPLES}, d={DIMENSION}, m={WIDTH}, {STEPS} steps of gradient descent"
        loop = "nn.Module + autograd + SGD"
        flops = CASES * STEPS * SAMPLES * WIDTH * (4 * DIMENSION + 6) / single
        return [
            {
                "work": f"{work}, one after the other",
                "peer": loop,
                "ratio": peer / single,
                "at_least": 100.0,
                "seconds": single,
            },
            {
                "work": f"{work}, as one batch of tensors",
                "peer": loop,
                "ratio": peer / batch,
                "at_least": 35.0,
                "seconds": batch,
            },
            {
                "work": "long-time gradient descent to t = 10^6, n=4, m=5, with its error estimate",
                "peer": "stepping it with the compiled kernel",
                "ratio": stepping / long,
                "at_least": 100.0,
                "seconds": long,
            },
            {"work": "first calls, compiling or reading what was compiled", "value": compiling, "unit": "s"},
            {"work": "kernel descent, floating-point operations per second", "value": flops / 1e9, "unit": "Gflop/s"},
        ]


def main(arguments: list[str]) -> int:
    """This part of `training` alone."""
    from benchmarks import training

    return training.main(arguments, ("descent",))
