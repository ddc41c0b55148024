r"""Section 1: what nearly orthogonal means, against the condition of Theorems 4.1 and 4.3."""

from typing import Any

import numpy as np

from refute import Margin, assumption, at_least, derived, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import near_orthogonal
from refute.decide.proof import by_smt, steps
from refute.functions import absolute, largest
from refute.models import Dataset
from refute.models.kou2023.orthogonality import largest_overlap, squared_norms, squared_radii
from refute.strategies.kou2023.nearly_orthogonal import training
from refute.strategies.kou2023.overlaps import repeat_an_input, shrink_overlaps_per_sample


def overlaps_per_sample(data: Dataset) -> Array:
    """n max over k != i of |<x_i, x_k>|, for every i."""
    gram, n = data.inputs @ data.inputs.T, len(data.labels)
    others = [largest(absolute(np.delete(row, i))) if n > 1 else row[i] * 0 for i, row in enumerate(gram)]
    return n * np.array(others)


@assumption(
    "kou2023.intro.near_orthogonality_form",
    base=training(),
    satisfy=shrink_overlaps_per_sample,
    violate=repeat_an_input,
)
def per_sample(data: Dataset, C: Number) -> Margin:
    """|x_i|^2 >= C n max_{k != i} |<x_i, x_k>| for every i"""
    return at_least(squared_norms(data.inputs), C * overlaps_per_sample(data), "|x_i|^2")


@derived
def overlaps(data: Dataset) -> Array:
    """n max over k != i of |<x_i, x_k>|, for every i."""
    return overlaps_per_sample(data)


forms = section(
    "kou2023",
    "intro",
    "Section 1 against Theorems 4.1 and 4.3",
    given=training(),
    derived=[overlaps],
    recorded="proved",
    convention="the same constant C in both forms",
    cost=4.0,
)


def _norms_dominate() -> str | None:
    def statement() -> Any:
        import z3

        low, high, square, p, n, C = z3.Reals("low high square p n C")
        given = z3.And(low > 0, high >= low, square >= low, p >= 0, n >= 1, C > 0, low * low >= C * high * n * p)
        return z3.Implies(given, square >= C * n * p)

    return by_smt(statement)


@forms.claim("near_orthogonality_form.r1", assumes=[near_orthogonal], proof=_norms_dominate)
@mutants(scaled("3/2"), without(near_orthogonal))
def the_condition_of_the_theorems_is_the_stronger_one(data: Dataset, C: int, overlaps: Array) -> Margin:
    r"""$R_{\min}^2\ge CR^2np$ implies $\|x_i\|^2\ge Cn\max_{k\ne i}|\langle x_i,x_k\rangle|$ for every i."""
    return at_least(squared_norms(data.inputs), C * overlaps, "|x_i|^2")


def _up_to_the_ratio() -> str | None:
    def statement() -> Any:
        import z3

        low, high, p, n, C = z3.Reals("low high p n C")
        given = z3.And(low > 0, high >= low, p >= 0, n >= 1, C > 0, high >= C * n * p)
        return z3.Implies(given, low * low * high * high >= C * n * p * high * low * low)

    return steps(by_smt(statement), "for a sample that attains p, whose |x_i|^2 is at most R_max^2; divided by R_min^4")


@forms.claim("near_orthogonality_form.r2", given=training(samples=(2, 3)), assumes=[per_sample], proof=_up_to_the_ratio)
@mutants(scaled("16/15", "R^4"), without(per_sample))
def the_forms_differ_by_the_ratio_of_the_norms(data: Dataset, C: int) -> Margin:
    r"""Conversely $\|x_i\|^2\ge Cn\max_{k\ne i}|\langle x_i,x_k\rangle|$ for every i implies $R^4R_{\min}^2\ge CR^2np$,
    and no more: the forms differ by a power of R, which the paper counts as a constant.
    """
    low, high = squared_radii(data.inputs)
    bound = C * high / low * len(data.labels) * largest_overlap(data.inputs)
    return at_least((high / low) ** 2 * low, bound, "R^4 R_min^2")
