r"""Section 3.2: on orthogonal data a neuron never gains a datum, so its first pattern decides where it ends."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, assumption, changed, derived, equal, mutants, section, suppose, without
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.strategies.min2024.axes import make_acute, make_orthogonal, on_axes

Flags = NDArray[np.bool_]
Counts = NDArray[np.int_]

_CASES = on_axes(loss=ALL_LOSSES)
BEFORE_TAKE_OFF = 900.0  # a neuron at e^-1000 cannot grow faster than by the sum of the norms of the data


@assumption("data.orthogonal_inputs", base=_CASES, satisfy=make_orthogonal, violate=make_acute)
def orthogonal_inputs(data: Dataset) -> Margin:
    """<x_i, x_j> = 0 for different data"""
    products = data.inputs @ data.inputs.T
    return equal([products[i, j] for i in range(len(products)) for j in range(i)], 0, "<x_i, x_j>")


@derived
def own(data: Dataset, start: Balanced) -> Flags:
    """(neuron, datum): the data of the class of each neuron."""
    return np.asarray(start.signs[:, None] == data.labels)


class Seen(NamedTuple):
    """For each neuron: on how many data of its class and of the other one it is active, and how many its class has."""

    own: Counts
    other: Counts
    size: Counts


@derived
def first(data: Dataset, start: Balanced, own: Flags) -> Seen:
    """What each neuron sees at the start."""
    active = np.asarray(start.shape @ data.inputs.T > 0)
    return Seen((active & own).sum(axis=1), (active & ~own).sum(axis=1), own.sum(axis=1))


@derived
def last(data: Dataset, start: Balanced, loss: str, tolerance: float) -> Flags:
    """(neuron, datum): what each neuron is active on at the end of the alignment phase."""
    fastest = float(np.linalg.norm(np.asarray(data.inputs, dtype=float), axis=1).sum())
    run = log_polar_flow(start, data, LOSSES[loss], horizon=BEFORE_TAKE_OFF / fastest, tolerance=tolerance)
    return np.asarray(run.sides > 0)


comparison = section("min2024", "sec_3_2", "Section 3.2 and A.3", kind=Kind.DYNAMICS, given=_CASES)
LINE = "ends in the cone of its class against active on all of the class at the start"


@comparison.claim("orthogonal_data", assumes=[orthogonal_inputs], derived=[own, first, last], recorded="supported")
@mutants(
    changed("active on some datum of the class", first=lambda seen: seen._replace(size=np.maximum(1, seen.own))),
    changed("and on no datum of the other class", first=lambda seen: seen._replace(own=seen.own * (seen.other == 0))),
    without(orthogonal_inputs),
)
def the_first_pattern_decides_on_orthogonal_data(own: Flags, first: Seen, last: Flags) -> Margin:
    r"""If $\langle x_i,x_j\rangle=0$ for $i\ne j$, a neuron of $\mathcal V_+$ ends in $S_+$ exactly when it is active
    on all positive data at the start; likewise for $\mathcal V_-$, negative data and $S_-$.

    Where it is at the end of the alignment phase it stays: an inactive $\langle x_i,w_j\rangle$ does not move on
    orthogonal data, and an active one of its own class only grows.

    Convention: both directions, for classes that have data; scale e^-1000, up to the end of the alignment phase.
    """
    there = own.any(axis=1)
    suppose(bool(there.any()), "some neuron has data of its class")
    ends, begins = (last == own).all(axis=1), first.own == first.size
    return equal(ends[there].astype(int), begins[there].astype(int), LINE)
