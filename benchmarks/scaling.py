"""How the time and memory of training grow with samples, dimension, width, depth and batch, and how near it comes to
the machine's limit.

Exponents are fitted to the largest sizes, in processor time. The limit is the rate of multiply-adds of a large matrix
product, measured in the same run on the same single thread. Memory is what a forked process needs on top of what it
starts with.
"""

import multiprocessing
import resource
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from refute.models.dataset import Dataset
from refute.models.descent.batch import descend_batch, one_thread
from refute.models.descent.single import descend, descend_deep
from refute.models.network import DeepNetwork, TwoLayer

Row = dict[str, Any]
Work = Callable[[], object]
PEAK_SIZE = 1024
RATE = 1e-6  # so small that nothing diverges, whatever the size


def seconds(work: Work, repeats: int = 3) -> float:
    """The least processor time of a few runs."""
    best = np.inf
    for _ in range(repeats):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return float(best)


def megabytes(make: Callable[[], Work]) -> float:
    """How much the peak memory of a forked process rises when it makes the data and does the work."""
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)

    def measure() -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        make()()
        send.send((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)

    child = context.Process(target=measure)
    child.start()
    child.join()
    return float(receive.recv())


def exponent(sizes: Sequence[int], values: Sequence[float]) -> float:
    """The power of the size with which the values grow: a line through the last three points in logarithms."""
    return float(np.polyfit(np.log(sizes[-3:]), np.log(np.maximum(values[-3:], 1e-9)), 1)[0])


def two_layers(samples: int, dimension: int, width: int, steps: int) -> Work:
    rng = np.random.default_rng(0)
    net = TwoLayer(rng.standard_normal((width, dimension)), rng.standard_normal(width), 0)
    data = Dataset(rng.standard_normal((samples, dimension)), rng.standard_normal(samples))
    return lambda: descend(net, data, rate=RATE, steps=steps, slope_at_zero=net.slope)


def deep(depth: int, steps: int, width: int = 32, samples: int = 32) -> Work:
    rng = np.random.default_rng(0)
    shapes = [(width, width)] * (depth - 1) + [(1, width)]
    net = DeepNetwork(tuple(rng.standard_normal(shape) / np.sqrt(width) for shape in shapes), 0)
    data = Dataset(rng.standard_normal((samples, width)), rng.standard_normal(samples))
    return lambda: descend_deep(net, data, rate=RATE, steps=steps, slope_at_zero=net.slope)


def batch(cases: int, steps: int) -> Work:
    rng = np.random.default_rng(0)
    inner, outer, x = (
        rng.standard_normal((cases, 50, 5)),
        rng.standard_normal((cases, 50)),
        rng.standard_normal((20, 5)),
    )
    return lambda: list(descend_batch(inner, outer, x, x[:, 0], rate=RATE, steps=steps, slope_at_zero=0.0))


def growth() -> list[Row]:
    """Exponents of time and memory; memory is measured for one step, at sizes where the arrays outweigh the rest."""
    powers, large = [64, 128, 256], [512, 1024, 2048]
    kinds: list[tuple[str, Sequence[int], Callable[[int], Work], Sequence[int], Callable[[int], Work]]] = [
        ("samples", powers, lambda k: two_layers(k, 32, 32, 100), large, lambda k: two_layers(k, 1024, 64, 1)),
        ("dimension", powers, lambda k: two_layers(32, k, 32, 100), large, lambda k: two_layers(1024, k, 64, 1)),
        ("width", powers, lambda k: two_layers(32, 32, k, 100), large, lambda k: two_layers(64, 1024, k, 1)),
        ("depth", [4, 8, 16], lambda k: deep(k, 100), [8, 16, 32], lambda k: deep(k, 1, 256)),
        ("cases of a batch", [64, 128, 256], lambda k: batch(k, 20), [1024, 2048, 4096], lambda k: batch(k, 1)),
    ]
    found: list[Row] = []
    for name, sizes, timed, wide, weighed in kinds:
        passed = [seconds(timed(size)) for size in sizes]
        found.append(
            {
                "work": f"descent, exponent of time in {name} ({sizes[0]} to {sizes[-1]})",
                "value": exponent(sizes, passed),
            }
        )
        needed = [megabytes(partial(weighed, size)) for size in wide]
        text = f"descent, exponent of memory in {name} ({wide[0]} to {wide[-1]}, {needed[-1]:.0f} MB)"
        found.append({"work": text, "value": exponent(wide, needed)})
    return found


def peak() -> float:
    """Multiply-adds per second of a large matrix product."""
    matrix = np.random.default_rng(0).standard_normal((PEAK_SIZE, PEAK_SIZE))
    return PEAK_SIZE**3 / seconds(lambda: matrix @ matrix)


def limit() -> list[Row]:
    """The multiply-adds of descent, n m (2 d + 3) per step, over the peak: for the sizes of the papers and for large
    ones.
    """
    most = peak()
    found: list[Row] = [
        {
            "work": f"peak: multiply-adds of a {PEAK_SIZE} x {PEAK_SIZE} matrix product",
            "value": most / 1e9,
            "unit": "Gmadd/s",
        }
    ]
    for samples, dimension, width, steps in ((20, 5, 50, 2000), (128, 128, 128, 40)):
        rate = steps * samples * width * (2 * dimension + 3) / seconds(two_layers(samples, dimension, width, steps))
        work = f"descent one by one, n={samples}, d={dimension}, m={width}: multiply-adds over the peak"
        found.append({"work": work, "value": rate / most, "unit": "of the peak"})
    cases, steps = 256, 40
    rate = cases * steps * 20 * 50 * 13 / seconds(batch(cases, steps))
    found.append(
        {
            "work": f"descent of {cases} cases as tensors, n=20, d=5, m=50: the same",
            "value": rate / most,
            "unit": "of the peak",
        }
    )
    return found


def rows() -> list[Row]:
    with one_thread():
        for first in (two_layers(2, 2, 2, 1), deep(2, 1, 2, 2), batch(1, 1)):  # compiling, or reading what was compiled
            first()
        return [*limit(), *growth()]


def main(arguments: list[str]) -> int:
    """This part of `training` alone."""
    from benchmarks import training

    return training.main(arguments, ("scaling",))
