"""Definition 1: regular solutions keep dead neurons dead."""

import numpy as np

from refute import Enclosed, Kind, Margin, at_most, changed, claim, derived
from refute.claims.min2024.training import LOSSES, units
from refute.functions import absolute, largest
from refute.models import Dataset, TwoLayer
from refute.models.flow import FILIPPOV, REGULAR, gradient_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import ON_BOUNDARY
from refute.strategies import choice
from refute.strategies.min2024.separated import labelled_dataset, neurons, placed


@derived
def concept() -> str:
    """What counts as a solution."""
    return REGULAR


@claim(
    "min2024.definition_1.regular_solution",
    "Definition 1",
    kind=Kind.DYNAMICS,
    given=placed(
        data=labelled_dataset, start=neurons, loss=choice(*LOSSES), dimension=(1, 2), samples=(1, 3), width=(1, 3)
    ),
    derived=[concept],
    recorded="supported",
    mutants=[changed("solutions that leave the edge of S_dead whenever they can", concept=lambda _: FILIPPOV)],
)
def dead_neurons_stay_dead_along_regular_solutions(
    data: Dataset, start: Balanced, loss: str, concept: str, tolerance: float
) -> Margin:
    r"""A solution is regular if $w_j(t_0)\in S_{dead}$ implies $w_j(t)\in S_{dead}$ for all $t\ge t_0$.

    Convention: a definition: here, that the solutions called regular in this project satisfy it; neurons start in
    S_dead, on its edge or elsewhere.
    """
    rows = start.shape / np.linalg.norm(start.shape, axis=1)[:, None]
    times = np.linspace(0, 1 / (1 + float(absolute(data.inputs).sum())), 5)
    net = TwoLayer(rows, start.signs, 0)
    run = gradient_flow(net, data, LOSSES[loss], times, tolerance=tolerance, concept=concept)
    reach = largest(run.inners @ units(data).T, axis=2)
    dead = np.maximum.accumulate(reach.value <= ON_BOUNDARY, axis=0)
    return at_most(Enclosed(dead) * reach, 0, "largest <x_i, w_j(t)>/|x_i| of neurons that were dead")
