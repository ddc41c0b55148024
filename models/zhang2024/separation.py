"""Linear separability through the origin. Inputs at the origin are left out: no hyperplane through it has them on one
side.
"""

from dataclasses import replace

from refute.arithmetic.numbers import Array
from refute.errors import BadInput
from refute.models.dataset import Dataset
from refute.models.reference.max_margin import MaxMargin, exact_max_margin


def off_origin(data: Dataset) -> Dataset:
    """The samples whose input is not zero."""
    kept = [bool((row != 0).any()) for row in data.inputs]
    if not any(kept):
        raise BadInput("every input is zero", "give at least one input off the origin")
    return data if all(kept) else replace(data, inputs=data.inputs[kept], labels=data.labels[kept])


def hard_margin(data: Dataset) -> MaxMargin | None:
    """The hard-margin classifier of the samples off the origin, in exact rationals; None when there is none.

    A classifier is certified by its own inequalities; that there is none rests on a float64 solution of the dual
    problem.
    """
    try:
        return exact_max_margin(off_origin(data))
    except BadInput:
        return None


def separator(data: Dataset) -> Array | None:
    """A w with y_i <w, x_i> >= 1 for every sample off the origin."""
    found = hard_margin(data)
    return None if found is None else found.weights
