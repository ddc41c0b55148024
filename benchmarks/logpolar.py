"""Log-polar flow: what training to the end costs at lambda = 10^-10000, measured against the same at 10^-10.

Processor time of this process, the shortest of a few runs. The ratio is cost(10^-10) / cost(10^-10000).
"""

import sys
import time
from typing import Any

import numpy as np

from refute.models.dataset import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE

Row = dict[str, Any]
REPEATS = 3
AT_LEAST = 0.5


def instance() -> tuple[Dataset, Any, Any]:
    """Six points around a teacher in dimension 4, within 45 degrees of it, and 20 neurons of random signs
    (chistikov2023's setting).
    """
    rng = np.random.default_rng(0)
    teacher = np.array([1.0, 0.0, 0.0, 0.0])
    noise = rng.standard_normal((6, 4))
    inputs = teacher + 0.6 * noise / np.linalg.norm(noise, axis=1, keepdims=True)
    return Dataset(inputs, inputs @ teacher), rng.standard_normal((20, 4)), rng.choice([-1.0, 1.0], 20)


def train(digits: int) -> LogPolarTrajectory:
    """To the end of training from lambda = 10^-digits."""
    data, shape, signs = instance()
    return log_polar_flow(Balanced(shape, signs, -digits * np.log(10), 0), data, SQUARE)


def seconds(digits: int, repeats: int = REPEATS) -> float:
    """Processor time of the fastest of a few runs; other processes do not count."""
    best = np.inf
    for _ in range(repeats):
        begin = time.process_time()
        train(digits)
        best = min(best, time.process_time() - begin)
    return float(best)


def rows() -> list[Row]:
    """One row: the cost must hardly depend on the initial scale."""
    train(10)
    near, far = seconds(10), seconds(10_000)
    return [
        {
            "work": "log-polar flow at lambda = 10^-10000 to the end of training",
            "peer": "itself at 10^-10",
            "ratio": near / far,
            "at_least": AT_LEAST,
            "seconds": far,
            "peer_seconds": near,
        }
    ]


def main(arguments: list[str]) -> int:
    """Print the row; 1 when the ratio is missed."""
    if arguments:
        sys.stderr.write("usage: python -m benchmarks logpolar\n")
        return 2
    missed = 0
    for row in rows():
        sys.stdout.write(
            f"{row['work']} vs {row['peer']}: {row['ratio']:.2f}x (at least {row['at_least']}x), {row['seconds']:.2f} "
            f"s\n"
        )
        missed += row["ratio"] < row["at_least"]
    return int(missed > 0)
