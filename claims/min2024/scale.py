r"""How small the start must be and how long alignment takes: the orders of Theorem 1, its remarks and Section 3.3
against Appendix C.

The family with $\mu\to0$ is that of A.2: two positive data $(1,0)$ and $(\sin\theta,\cos\theta)$, $\mu=\sin\theta$. Its
largest admissible $\xi$ is $\mu^2$: $w\perp x_2$ lies outside $S_\pm$ and has cosine $\cos\theta$ with $x_1\in K$.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, claim, less, moved
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.decide.rate import geometric
from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.alignment import at_scale, scales
from refute.strategies import choice, sized

Floats = NDArray[np.float64]
SEPARATIONS = geometric(1e-3, 1e-7, 7)
SAMPLES = [4, 6, 8, 12, 16, 24]
LONG = 60.0  # in units of the fastest turn; far beyond the last switch of either family, far below T


def two_positive_data(mu: float) -> Dataset:
    """The data of A.2."""
    return Dataset(np.array([[1.0, 0.0], [mu, np.sqrt(1 - mu * mu)]]), np.array([1.0, 1.0]))


def equicorrelated(n: int, mu: float) -> Dataset:
    """n positive unit vectors in R^n with pairwise cosine mu."""
    return Dataset(np.linalg.cholesky((1 - mu) * np.eye(n) + mu), np.ones(n))


def positive_neuron(row: Floats) -> Balanced:
    """A start with one neuron, v > 0."""
    return Balanced(row[None, :], np.array([1.0]), Fraction(0), Fraction(0))


def last_switch(data: Dataset, row: Floats, loss: str) -> float:
    """When a positive neuron that starts along `row` has changed its pattern for the last time, at the scale (28)."""
    start = positive_neuron(row)
    constants = scales(data, start, 0.99, printed=False)
    run = log_polar_flow(at_scale(start, constants.log_epsilon), data, LOSSES[loss], times=[LONG])
    return max(one.time for one in run.switches)


@claim(
    "min2024.remark.mu_controls_time",
    "Importance of a quantitative bound on t_1; A.2",
    kind=Kind.DYNAMICS,
    given=sized(angle=choice("1/4", "1/2", "1", "3/2"), loss=ALL_LOSSES),
    recorded="supported",
    mutants=[moved("time decreases", turned=-1.0), moved("it grows by more than 2 at each step", least=2.0)],
    cost=2.0,
    convention="data of A.2, one neuron that sees x_1 only; the scale needed is that with T equal to the time of "
    "alignment",
)
def alignment_takes_longer_as_mu_vanishes(
    angle: float, loss: str, *, turned: float = 1.0, least: float = 0.0
) -> Margin:
    r"""As $\mu\to0$ the time until the neuron is in $S_+$ increases, and so $\epsilon$ must decrease for $T$ to reach
    it.
    """
    row = np.array([np.cos(angle), -np.sin(angle)])
    times = np.array([last_switch(two_positive_data(mu), row, loss) for mu in SEPARATIONS])
    needed = [-4 * 2 * t for t in times]  # ln(sqrt(h) eps) = -4 n X_max t
    return all_of(
        less(
            turned * times[:-1] + least,
            turned * times[1:],
            "last switch at one mu against the next smaller one",
            error=1e-9,
        ),
        less(
            turned * np.array(needed[1:]),
            turned * np.array(needed[:-1]),
            "ln of the scale that the time allows",
            error=1e-8,
        ),
    )
