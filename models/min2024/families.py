r"""Families along which the orders of Theorem 1 are followed: $\mu\to0$, and more and more data.

Those with $\mu\to0$ are of A.2: two positive data $(1,0)$ and $(\sin\theta,\cos\theta)$, $\mu=\sin\theta$. Their
largest admissible $\xi$ is $\mu^2$: $w\perp x_2$ lies outside $S_\pm$ and has cosine $\cos\theta$ with $x_1\in K$.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.models.dataset import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import Loss
from refute.models.min2024.alignment import Scales, scales

Floats = NDArray[np.float64]
TINY = -1e4  # a scale at which nothing takes off before LONG: what neurons do until then does not depend on it
LONG = 100.0  # in units of the fastest turn: beyond the last switch of every family
PAIR = Balanced(np.array([[1.0, 0.5], [-1.0, 0.25]]), np.array([1.0, -1.0]), Fraction(0), Fraction(0))


def two_positive_data(mu: float) -> Dataset:
    """The data of A.2."""
    return Dataset(np.array([[1.0, 0.0], [mu, np.sqrt(1 - mu * mu)]]), np.array([1.0, 1.0]))


def equicorrelated(n: int, mu: float) -> Dataset:
    """n positive unit vectors in R^n with pairwise cosine mu."""
    return Dataset(np.linalg.cholesky((1 - mu) * np.eye(n) + mu), np.ones(n))


def repeated(positive: int, negative: int) -> Dataset:
    """Copies of (1, 0) with label 1 and of (-1, 0) with label -1."""
    inputs = np.array([[1.0, 0.0]] * positive + [[-1.0, 0.0]] * negative)
    return Dataset(inputs, np.repeat([1.0, -1.0], [positive, negative]))


def three_data(angle: float) -> Dataset:
    """Positive data (1, 0) and 3/2 (cos angle/2, -sin angle/2), a negative datum -(cos angle, sin angle)."""
    inputs = [[1.0, 0.0], [-np.cos(angle), -np.sin(angle)], [1.5 * np.cos(angle / 2), -1.5 * np.sin(angle / 2)]]
    return Dataset(np.array(inputs), np.array([1.0, -1.0, 1.0]))


def below_the_axis(angle: float) -> Floats:
    """A direction that sees the first datum of A.2 only."""
    return np.array([np.cos(angle), -np.sin(angle)])


def barely_active(data: Dataset) -> Floats:
    """A direction w with <w, x_1> = 1 and all other products below 0, by more and more."""
    n = len(data.labels)
    row: Floats = np.linalg.solve(data.inputs, np.array([1.0, *(-k / n for k in range(1, n))]))
    return row


def allowed(mu: float, angle: float) -> Scales:
    """The largest admissible constants of the data of A.2."""
    start = Balanced(below_the_axis(angle)[None, :], np.array([1.0]), Fraction(0), Fraction(0))
    return scales(two_positive_data(mu), start, 1.0, printed=False)


def last_switch(data: Dataset, row: Floats, loss: Loss) -> tuple[float, float]:
    """When a positive neuron that starts along `row` changes its pattern for the last time, and the error."""
    start = Balanced(row[None, :], np.array([1.0]), TINY, 0.0)
    run = log_polar_flow(start, data, loss, times=[LONG])
    return max(one.time for one in run.switches), run.error


def last_switches(runs: list[tuple[Dataset, Floats]], loss: Loss) -> Enclosed:
    """The last switches along a family."""
    found = [last_switch(data, row, loss) for data, row in runs]
    return Enclosed(*np.array(found).T)


def unequal(ratio: float) -> tuple[Dataset, Balanced]:
    """Positive data ratio (1, 0), ratio (1/8, 1/2) and (1, 1), a negative datum (-1, -1), and one neuron of either
    sign.
    """
    inputs = np.array([[ratio, 0.0], [ratio / 8, ratio / 2], [1.0, 1.0], [-1.0, -1.0]])
    return Dataset(inputs, np.array([1.0, 1.0, 1.0, -1.0])), PAIR
