"""What gradient flow conserves at any depth: a neuron's incoming and outgoing weights gain the same."""

from itertools import pairwise

import numpy as np

from refute import Enclosed, Kind, Margin, all_of, claim, equal, exponent, mutants, scaled
from refute.models import SQUARE, Dataset, DeepNetwork, deep_gradient_flow
from refute.strategies import deep, drawn, sized
from refute.strategies.datasets import unscaled_dataset

TIMES = np.array([0.0, 0.01, 0.1, 0.5])
BALANCE = "incoming minus outgoing"


@claim(
    "conjectures.depth_keeps_the_balance_of_every_neuron",
    kind=Kind.DYNAMICS,
    given=sized(net=deep, data=unscaled_dataset, depth=drawn(2, 4), width=drawn(1, 2)),
)
@mutants(scaled("1001/1000", BALANCE), exponent("1/2", BALANCE))
def every_hidden_neuron_keeps_its_balance(net: DeepNetwork, data: Dataset, tolerance: float) -> Margin:
    r"""Along the gradient flow of the square loss, $\|W_l[h,:]\|^2-\|W_{l+1}[:,h]\|^2$ of every hidden neuron $h$ stays
    what it was, at any depth and for any slope.
    """
    run = deep_gradient_flow(net, data, SQUARE, TIMES, tolerance=tolerance)
    layers = [Enclosed(matrix, run.error) for matrix in run.weights]
    balances = [(one * one).sum(axis=2) - (other * other).sum(axis=1) for one, other in pairwise(layers)]
    return all_of(*(equal(balance[1:], balance[:1], BALANCE) for balance in balances))
