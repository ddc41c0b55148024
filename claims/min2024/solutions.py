r"""What Appendix E trains: small networks on tame data, and the examples of E.3 and E.4.

$F=-\nabla\mathcal L$ with a fixed value of $\sigma'(0)$; the paper prints $F=\nabla\mathcal L$.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Enclosed, Kind, Margin, at_most, derived, section
from refute.arithmetic.numbers import exact_array
from refute.claims.min2024.assumptions import balanced, separated
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.functions import largest
from refute.models import Dataset, TwoLayer
from refute.models.flow import REGULAR, Trajectory, gradient_flow
from refute.strategies import choice, sized
from refute.strategies.min2024.separated import tame_dataset, tame_network

TRAINED = sized(
    net=tame_network,
    data=tame_dataset,
    loss=ALL_LOSSES,
    dimension=(1, 3),
    samples=(1, 3),
    width=(1, 2),
    horizon=choice("1", "3"),
)
# x = (1, 0) and w = (0, 1), v = 1: the neuron of E.3 and E.4, on the edge of S_dead.
EDGE = TwoLayer(exact_array([[0, 1]]), exact_array([1]), Fraction(0))
# Two data that are not separated: the hyperplane of the first one attracts the neuron (0, 1) from both sides.
TRAP = Dataset(np.array([[1.0, 0.0], [0.5, 1.0]]), np.array([-1.0, 1.0]))
TRAPPED = TwoLayer(np.array([[0.0, 1.0]]), np.array([1.0]), Fraction(0))


def point(label: int) -> Dataset:
    """The datum of E.3 and E.4."""
    return Dataset(exact_array([[1, 0]]), exact_array([label]))


@derived
def at_zero() -> float:
    """sigma'(0), as Section 2.1 chooses it."""
    return 0.0


@derived
def path(net: TwoLayer, data: Dataset, loss: str, horizon: float, tolerance: float) -> Trajectory:
    """The regular solution at 17 times up to the horizon."""
    times = np.linspace(0, horizon, 17)
    return gradient_flow(net, data, LOSSES[loss], times, concept=REGULAR, tolerance=tolerance)


def stays_dead(run: Trajectory, inputs: Any) -> Margin:
    """A neuron that is dead at one of the times is dead, up to the error, at all later ones."""
    reach = largest(run.inners @ np.asarray(inputs, dtype=float).T, axis=2)  # times x neurons
    dead = np.maximum.accumulate(reach.value <= 0, axis=0)
    return at_most(Enclosed(dead) * reach, 0, "largest <x_i, w_j> after death")


solutions = section(
    "min2024",
    kind=Kind.DYNAMICS,
    given=TRAINED,
    assumes=[separated, balanced],
    derived=[at_zero, path],
    recorded="supported",
)
