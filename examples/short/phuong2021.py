r"""Phuong, Lampert 2021, The inductive bias of ReLU networks on orthogonally separable data.

Data are orthogonally separable if two inputs have a positive inner product when their labels agree, and none when they
differ. From a balanced small start the neurons of a ReLU network then tend to two directions: those of the maximal
margin of the positive and of the negative inputs by themselves (Theorem 3.2).
"""

from itertools import combinations_with_replacement

import numpy as np

from refute import Enclosed, Kind, Margin, assumption, at_least, derived, instead, less, mutants, section, suppose, tends_to
from refute.functions import norm, sqrt
from refute.language.limits import HORIZONS
from refute.models import LOGISTIC, Dataset, TwoLayer, gradient_flow, max_margin
from refute.strategies import drawn, separable_data, sized

SEPARABLE = sized(data=separable_data, dimension=drawn(2, 2), samples=drawn(1, 3))
SMALL_START = 1 / 64


def products(data: Dataset):
    """y_i y_j <x_i, x_j> for every pair."""
    signed = data.labels[:, None] * data.inputs
    return signed @ signed.T, data.labels[:, None] * data.labels


def separate(draw, data: Dataset) -> dict[str, Dataset]:
    """Inputs in the quadrant of their label."""
    return {"data": Dataset((abs(data.inputs) + (abs(data.inputs).sum() == 0)) * data.labels[:, None], data.labels)}


def widen(draw, data: Dataset) -> dict[str, Dataset]:
    """Two positive inputs at an angle of almost 180 degrees."""
    return {"data": Dataset([[-3, 1], [3, 1]], [1, 1])}


@assumption("data.orthogonally_separable", base=SEPARABLE, satisfy=separate, violate=widen)
def orthogonally_separable(data: Dataset) -> Margin:
    """inputs with one label have positive inner products, inputs with different labels have none"""
    overlaps, same = data.inputs @ data.inputs.T, data.labels[:, None] * data.labels > 0
    return less(0, overlaps[same], "same label") if same.all() else all_of(
        less(0, overlaps[same], "same label"), at_most(overlaps[~same], 0, "different labels")
    )


@derived
def directions(data: Dataset, tolerance: float) -> list[tuple[int, Enclosed]]:
    """Of a neuron for each label, from a small start on its first input, up to t = 10^160."""
    signs = sorted(set(data.labels))
    firsts = [data.inputs[list(data.labels).index(sign)] for sign in signs]
    inner = np.array([SMALL_START * x / norm(x) for x in firsts])
    run = gradient_flow(TwoLayer(inner, SMALL_START * np.array(signs), 0), data, LOGISTIC, np.array(HORIZONS), tolerance=tolerance)
    return [(sign, run.inners[:, k] / sqrt((run.inners[:, k] ** 2).sum(axis=1)).reshape(-1, 1)) for k, sign in enumerate(signs)]


theorem = section("phuong2021", "theorem_3_2", "Theorem 3.2", kind=Kind.ASYMPTOTIC, derived=[directions], given=SEPARABLE, cost=1 / 4)


@theorem.claim("directions", assumes=[orthogonally_separable], recorded="supported")
@mutants(instead("every neuron tends to the mean of its class", lambda directions, data: away(directions, data, mean_of)))
def neurons_tend_to_the_maximal_margin_of_their_class(directions, data) -> Margin:
    """Each neuron tends to the direction of maximal margin of the inputs with its label."""
    return away(directions, data, lambda own: max_margin(own).weights)


@theorem.claim("separable", recorded="against", printed=False)
def separable_data_are_enough(directions, data) -> Margin:
    """The same for data that are merely separable. Fails where a neuron loses an input of its own label, or meets one of the other."""
    return away(directions, data, lambda own: max_margin(own).weights)
