"""Eq. (18): the cone $K$ that the signed data span."""

from operator import neg

from refute import Margin, all_of, changed, claim, derived, equal, mutants
from refute.arithmetic.numbers import Array
from refute.claims.min2024.quantities import rows
from refute.functions import absolute
from refute.models import Dataset
from refute.models.min2024.cones import attraction
from refute.models.min2024.conic import signed_data, squared_distance
from refute.strategies.min2024.separated import labelled_dataset, placed, vector


@derived
def pull(data: Dataset, w: Array) -> Array:
    """x_a(w)."""
    return attraction(w, data)


@claim(
    "min2024.eq_18.cone_K_members",
    "Eq. (18) and the line after it",
    given=placed(data=labelled_dataset, w=vector),
    derived=[rows, pull],
    recorded="supported",
)
@mutants(changed("-y_i x_i", rows=neg), changed("-x_a", pull=neg), changed("without signs", pull=absolute))
def signed_data_and_attraction_are_in_the_cone(data: Dataset, rows: Array, pull: Array) -> Margin:
    r"""$y_ix_i\in K$ for all $i$ and $x_a(w)\in K$ for all $w$, where $K=\{\sum_ia_iy_ix_i:a_i\ge0\}$.

    Convention: no separation is needed; membership is the exact distance to K, not the coefficients that are known to
    exist.
    """
    cone = signed_data(data)
    return all_of(
        equal([squared_distance(row, cone) for row in rows], 0, "squared distance from y_i x_i to K"),
        equal(squared_distance(pull, cone), 0, "squared distance from x_a(w) to K"),
    )
