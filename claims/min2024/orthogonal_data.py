r"""Section 3.2: on orthogonal data a neuron never gains a datum, so its first pattern decides where it ends."""

import numpy as np

from refute import Assumption, Kind, Margin, claim, equal, moved, without
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.strategies.min2024.axes import make_acute, on_axes, straighten

_CASES = on_axes(loss=ALL_LOSSES)
BEFORE_TAKE_OFF = 900.0  # a neuron at e^-1000 cannot grow faster than by the sum of the norms of the data


def _products(data: Dataset) -> Margin:
    products = data.inputs @ data.inputs.T
    return equal([products[i, j] for i in range(len(products)) for j in range(i)], 0, "<x_i, x_j>")


orthogonal_inputs = Assumption(
    "data.orthogonal_inputs",
    "<x_i, x_j> = 0 for different data",
    _products,
    base=_CASES,
    satisfy=straighten,
    violate=make_acute,
)


@claim(
    "min2024.sec_3_2.orthogonal_data",
    "Section 3.2 and A.3",
    kind=Kind.DYNAMICS,
    given=_CASES,
    assumes=[orthogonal_inputs],
    recorded="supported",
    mutants=[
        moved("active on some datum of the class", every=False),
        moved("and on no datum of the other class", alone=True),
        without(orthogonal_inputs),
    ],
    convention="both directions, for classes that have data; scale e^-1000, up to the end of the alignment phase",
)
def the_first_pattern_decides_on_orthogonal_data(
    data: Dataset, start: Balanced, loss: str, tolerance: float, *, every: bool = True, alone: bool = False
) -> Margin:
    r"""If $\langle x_i,x_j\rangle=0$ for $i\ne j$, a neuron of $\mathcal V_+$ ends in $S_+$ exactly when it is active
    on all positive data at the start; likewise for $\mathcal V_-$, negative data and $S_-$.

    Where it is at the end of the alignment phase it stays: an inactive $\langle x_i,w_j\rangle$ does not move on
    orthogonal data, and an active one of its own class only grows.
    """
    fastest = float(np.linalg.norm(np.asarray(data.inputs, dtype=float), axis=1).sum())
    run = log_polar_flow(start, data, LOSSES[loss], horizon=BEFORE_TAKE_OFF / fastest, tolerance=tolerance)
    ends, begins = [], []
    for w, sides, s in zip(np.asarray(start.shape, dtype=float), run.sides, run.signs, strict=True):
        own, first = data.labels == s, data.inputs @ w > 0
        if not own.any():
            continue
        ends.append(int(((sides > 0) == own).all()))
        begins.append(int((first[own].all() if every else first[own].any()) and not (alone and first[~own].any())))
    return equal(
        np.array(ends),
        np.array(begins),
        "ends in the cone of its class against active on all of the class at the start",
    )
