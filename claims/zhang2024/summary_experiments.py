r"""The digest, method summary: training on XOR and on orthogonal inputs, of which it gives no numbers.

None of its sentences is printed in the paper.
"""

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, changed, derived, equal, flipped, mutants, scaled, section
from refute.models import Dataset
from refute.models.descent.single import Descent
from refute.models.zhang2024.small_two_layer import cosines_of_large_neurons, final_losses, steps_to_half, train_all

Floats = NDArray[np.float64]

XOR = Dataset(np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]]), np.array([1, 1, -1, -1]))
ORTHOGONAL = Dataset(np.diag([2, 1, 1, 2]), np.array([1, 1, -1, -1]))


@derived
def relu(data: Dataset) -> list[Descent]:
    """ReLU networks, by seed."""
    return train_all(data, 0.0)


@derived
def linear(data: Dataset) -> list[Descent]:
    """Linear networks from the same weights."""
    return train_all(data, 1.0)


@derived
def apart(data: Dataset) -> list[Floats]:
    """By seed, the loss of two linear networks together, each of which has the labels of one sign and zeros."""
    halves = [Dataset(data.inputs, data.labels * (data.labels == label)) for label in (1, -1)]
    return [first.loss + second.loss for first, second in zip(*(train_all(half, 1.0) for half in halves), strict=True)]


digest = section(
    "zhang2024",
    "summary",
    "digest, method summary",
    kind=Kind.EXPERIMENT,
    derived=[relu, linear, apart],
    recorded="supported",
    printed=False,
)


@digest.claim("xor", instances=[{"data": XOR}])
@mutants(
    changed("the linear network learns it too", linear=lambda linear: train_all(XOR, 0.0)),
    changed("the ReLU network stays too", relu=lambda relu: train_all(XOR, 1.0)),
    changed("after a hundred steps", relu=lambda relu: train_all(XOR, 0.0, steps=100)),
)
def relu_networks_learn_xor_and_linear_ones_do_not(data: Dataset, relu: list[Descent], linear: list[Descent]) -> Margin:
    r"""On XOR, whose target is even, ReLU networks reach zero loss with neurons along the four inputs, and linear
    networks stay at 1/2.

    Convention: width 40, gamma = 1e-3, step 0.1, 3000 steps, three seeds; no numbers are printed.
    """
    cosines = [cosines_of_large_neurons(run, data) for run in relu]
    return all_of(
        at_most(final_losses(relu), 1e-4, "final loss of the ReLU network, by seed"),
        at_most(np.abs(final_losses(linear) - 0.5), 1e-4, "distance of the linear network's final loss from 1/2"),
        *(at_least(found.max(axis=1), 0.95, "cosine of each large neuron with the nearest input") for found in cosines),
        *(equal(len(set(found.argmax(axis=1))), 4, "inputs with a neuron along them") for found in cosines),
    )


@digest.claim("orthogonal", instances=[{"data": ORTHOGONAL}])
@mutants(scaled("1/3", "relative gap"), flipped("steps to half"))
def orthogonal_inputs_are_learnt_label_by_label(
    relu: list[Descent], linear: list[Descent], apart: list[Floats]
) -> Margin:
    r"""On orthogonal inputs ReLU and linear networks both reach zero loss. The ReLU network comes later than the linear
    one, roughly (within 30 %) when two linear networks do, one for the samples of each label; a neuron sees only inputs
    that it is active on.

    Convention: four orthogonal inputs, two of each label; width 40, gamma = 1e-3, three seeds; no numbers are
    printed, the band comes from these runs.
    """
    slow, fast = (np.array([steps_to_half(run, run.loss) for run in runs]) for runs in (relu, linear))
    two = np.array([steps_to_half(run, loss) for run, loss in zip(relu, apart, strict=True)])
    return all_of(
        at_most(final_losses([*relu, *linear]), 1e-4, "final losses"),
        at_least(slow, fast, "steps to half of the loss: ReLU against linear, by seed"),
        at_most(np.abs(slow / two - 1), 0.3, "relative gap of those steps to those of two linear networks"),
    )
