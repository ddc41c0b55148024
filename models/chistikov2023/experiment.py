r"""The training runs of section 8 of chistikov2023: gradient descent on data around the teacher, at moderate scales.

Both schemes of data, width 200, z_j ~ N(0, I/(d m)), uniform signs, balanced. The authors' code minimises the mean of
squares, 2 L with the L of section 2, at rate 0.01 and until it is below 1e-9: on L this is rate 0.02, until 5e-10.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import count

import numpy as np
from numpy.typing import NDArray

from refute.models.chistikov2023.angles import largest_angle
from refute.models.chistikov2023.schemes import UNCENTRED
from refute.models.dataset import Dataset
from refute.models.descent.single import Descent, descend
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
SCHEMES = ("centred", "uncentred")
WIDTH, RATE, ENOUGH = 200, 0.02, 5e-10
LOOK = 2000  # steps between two looks at the loss
STEPS, MANY, EVERY, TESTS = 60_000, 240_000, 300, 64  # of the second figure
CONDITIONED = 0.01  # least eigenvalue of X X^T: its mode then decays within MANY steps


def draw_data(rng: np.random.Generator, dimension: int, scheme: str) -> tuple[Dataset, Floats]:
    """n = d inputs around a random unit vector and their teacher; drawn again when an angle to the teacher exceeds a
    right one.
    """
    variance = (1.0 if scheme == "centred" else UNCENTRED) / dimension
    while True:
        centre = rng.standard_normal(dimension)
        centre /= np.linalg.norm(centre)
        points = centre + rng.standard_normal((dimension + 1, dimension)) * np.sqrt(variance)
        teacher = centre if scheme == "centred" else points[-1] / np.linalg.norm(points[-1])
        labels = points[:-1] @ teacher
        if (labels > 0).all():
            return Dataset(points[:-1], labels), teacher


def draw_start(rng: np.random.Generator, dimension: int, scale: float) -> TwoLayer:
    """Balanced, with Gaussian z_j of variance 1/(d m) and uniform signs."""
    inner = scale * rng.standard_normal((WIDTH, dimension)) / np.sqrt(dimension * WIDTH)
    return TwoLayer(inner, rng.choice([-1.0, 1.0], WIDTH) * np.linalg.norm(inner, axis=1), 0)


def active_positive(start: TwoLayer, data: Dataset) -> NDArray[np.bool_]:
    """J_+: positive sign, active on some input at the start."""
    return np.asarray((start.outer > 0) & (start.inner @ data.inputs.T > 0).any(axis=1))


@dataclass(frozen=True, slots=True)
class Ended:
    """The largest angle between neurons of J_+ at the end of training, in radians, and the loss there."""

    angle: float
    loss: float


@lru_cache(maxsize=4096)
def ended(scheme: str, dimension: int, power: int, trial: int, steps: int) -> Ended:
    """Train from the scale 4^power for so many steps, or until the loss, looked at from time to time, is small enough;
    all scales share data and z_j.
    """
    rng = np.random.default_rng([trial, dimension, SCHEMES.index(scheme)])
    data, _ = draw_data(rng, dimension, scheme)
    start = draw_start(rng, dimension, 4.0**power)
    net, done, loss = start, 0, np.inf
    while done < steps and loss >= ENOUGH:
        run = descend(net, data, rate=RATE, steps=min(LOOK, steps - done), slope_at_zero=net.slope)
        net, done, loss = net.with_weights(run.inner[-1], run.outer[-1]), done + LOOK, float(run.loss[-1])
    return Ended(largest_angle(np.asarray(net.inner, dtype=float)[active_positive(start, data)]), loss)


def angles(scheme: str, dimension: int, powers: tuple[int, ...], trials: int, steps: int) -> Floats:
    """Of all trials (powers, trials), in radians."""
    return np.array([[ended(scheme, dimension, p, trial, steps).angle for trial in range(trials)] for p in powers])


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """One run of the second figure: the data, the teacher, the start, the descent, and the loss on test inputs."""

    data: Dataset
    teacher: Floats
    start: TwoLayer
    descent: Descent
    test_loss: Floats


@lru_cache(maxsize=1)
def well_conditioned() -> int:
    """The number of the first dataset whose least eigenvalue is not too small for the steps."""

    def least(dataset: int) -> float:
        data, _ = draw_data(np.random.default_rng([dataset, 16]), 16, "centred")
        return float(np.linalg.eigvalsh(data.inputs.T @ data.inputs)[0])

    return next(dataset for dataset in count() if least(dataset) > CONDITIONED)


@lru_cache(maxsize=64)
def course(power: int, dataset: int, steps: int = STEPS) -> Course:
    """On the centred dataset of that number in dimension 16, from the scale 4^power."""
    rng = np.random.default_rng([dataset, 16])
    data, teacher = draw_data(rng, 16, "centred")
    start = draw_start(rng, 16, 4.0**power)
    tests = np.random.default_rng(64).standard_normal((TESTS, 16))
    found = descend(start, data, rate=RATE, steps=steps, every=EVERY, slope_at_zero=start.slope)
    outputs = np.einsum("tnh,th->tn", np.maximum(np.einsum("thd,nd->tnh", found.inner, tests), 0.0), found.outer)
    missed = ((outputs - np.maximum(tests @ teacher, 0.0)) ** 2).mean(axis=1) / 2
    return Course(data, teacher, start, found, missed)


def local_powers(one: Descent) -> Floats:
    """-d ln L/d ln t over the last three octaves of the steps: constant for a power of t, proportional to t for an
    exponential.
    """
    marks = [len(one.steps) // 8, len(one.steps) // 4, len(one.steps) // 2, len(one.steps) - 1]
    return np.asarray(-np.diff(np.log(one.loss[marks])) / np.diff(np.log(one.steps[marks])))


@dataclass(frozen=True, slots=True)
class Bias:
    """Of one run: the least cosine of an input and the teacher, the second over the first singular value of W, the
    share of neurons outside J_+ in |theta|^2, and |theta|^2.
    """

    cosine: float
    second: float
    others: float
    total: float


def bias(one: Course) -> Bias:
    """At the end of the run."""
    inner, outer = one.descent.inner[-1], one.descent.outer[-1]
    masses, values = (inner**2).sum(axis=1) + outer**2, np.linalg.svd(inner, compute_uv=False)
    cosine = float((one.data.labels / np.linalg.norm(one.data.inputs, axis=1)).min())
    resting = float(masses[~active_positive(one.start, one.data)].sum() / masses.sum())
    return Bias(cosine, float(values[1] / values[0]), resting, float(masses.sum()))
