r"""Phuong, Lampert 2021, The inductive bias of ReLU networks on orthogonally separable data.

Data are orthogonally separable if two inputs have a positive inner product when their labels agree, and none when they
differ. From a balanced small start the neurons of a ReLU network then tend to two directions: those of the maximal
margin of the positive and of the negative inputs by themselves (Theorem 3.2).
"""

import numpy as np

from refute import Enclosed, Kind, Margin, all_of, assumption, at_most, bent, derived, less, mutants, section, tends_to
from refute.functions import norm, sqrt
from refute.language.limits import HORIZONS
from refute.models import LOGISTIC, Dataset, TwoLayer, gradient_flow, max_margin
from refute.strategies import drawn, separable_data, sized

SEPARABLE = sized(data=separable_data, dimension=drawn(2, 2), samples=drawn(1, 3))
SMALL_START = 1 / 64


def into_quadrants(draw, data: Dataset) -> dict[str, Dataset]:
    """Inputs with positive coordinates for the label 1, with negative ones for the label -1."""
    return {"data": Dataset(data.labels[:, None] * (abs(data.inputs) + 1), data.labels)}


def widen(draw, data: Dataset) -> dict[str, Dataset]:
    """Two inputs of one label at an obtuse angle."""
    wide = [[k, 1, *(0 * data.inputs[0, 2:])] for k in (-3, 3)]
    return {"data": Dataset(wide, [1, 1])}


@assumption("data.orthogonally_separable", base=SEPARABLE, satisfy=into_quadrants, violate=widen)
def orthogonally_separable(data: Dataset) -> Margin:
    """inner products of inputs are positive where the labels agree, and not positive where they differ"""
    products, agree = data.inputs @ data.inputs.T, data.labels[:, None] * data.labels > 0
    return all_of(less(0, products[agree], "labels agree"), at_most(products[~agree], 0, "labels differ"))


@derived
def apart(data: Dataset, tolerance: float) -> Enclosed:
    """The distance of each neuron's direction from that of its class, for a small neuron of either sign."""
    signs = np.array(sorted(set(data.labels.tolist())))
    classes = [data.inputs[data.labels == sign] for sign in signs]
    inner = np.array([SMALL_START * own[0] / norm(own[0]) for own in classes])
    start = TwoLayer(inner, SMALL_START * signs, 0)
    moving = gradient_flow(start, data, LOGISTIC, np.array(HORIZONS), tolerance=tolerance).inners
    best = np.array([max_margin(Dataset(own, np.ones(len(own)))).weights for own in classes])
    size = sqrt((moving**2).sum(axis=2)).reshape(len(HORIZONS), -1, 1)
    return sqrt(((moving / size - best / np.linalg.norm(best, axis=1)[:, None]) ** 2).sum(axis=2))


theorem = section(
    "phuong2021", "theorem_3_2", "Theorem 3.2", kind=Kind.ASYMPTOTIC, given=SEPARABLE, derived=[apart], cost=1 / 2
)


@theorem.claim("directions", assumes=[orthogonally_separable], recorded="supported")
@mutants(bent("another direction", "direction", left=lambda apart: apart + 0.1))
def neurons_tend_to_the_margin_of_their_class(apart: Enclosed) -> Margin:
    """Each neuron tends to the direction of maximal margin of the inputs with its label."""
    return tends_to(apart, 0, "direction")


@theorem.claim("separable", recorded="against", printed=False)
def separable_data_are_enough(apart: Enclosed) -> Margin:
    """The same for data that are merely separable. Fails where a neuron is inactive on an input of its class."""
    return tends_to(apart, 0, "direction")
