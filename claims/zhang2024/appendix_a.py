r"""Appendix A, on implicit bias: pairwise orthogonal inputs are linearly separable."""

import numpy as np

from refute import Margin, all_of, assumption, derived, equal, less, mutants, scaled, section, without
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.norms import orthogonal_sums
from refute.functions import absolute, squared_norm
from refute.models import Dataset
from refute.strategies import drawn, sized
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.orthogonal import append_zero_input, drop_zero_inputs, orthogonalise, tilt
from refute.strategies.zhang2024.symmetry import double_labels, sign_labels

DATA = sized(data=unscaled_dataset)


@assumption(
    "inputs.orthogonal", base=sized(data=unscaled_dataset, samples=drawn(2, 4)), satisfy=orthogonalise, violate=tilt
)
def orthogonal_inputs(data: Dataset) -> Margin:
    """inputs are pairwise orthogonal"""
    return equal([x @ z for k, x in enumerate(data.inputs) for z in data.inputs[:k]], 0, "x_i.x_j")


@assumption("inputs.nonzero", base=DATA, satisfy=drop_zero_inputs, violate=append_zero_input)
def nonzero_inputs(data: Dataset) -> Margin:
    """no input is zero"""
    return less(0, [squared_norm(x) for x in data.inputs], "|x_i|^2")


@assumption("label.binary", base=DATA, satisfy=sign_labels, violate=double_labels)
def binary_labels(data: Dataset) -> Margin:
    """labels are +1 or -1"""
    return equal(absolute(data.labels), 1, "|y|")


@derived
def separator(data: Dataset) -> Array:
    """sum_i y_i x_i / |x_i|^2 over the inputs that are not zero."""
    sizes = [squared_norm(x) for x in data.inputs]
    weights = [label / size if size != 0 else size for label, size in zip(data.labels, sizes, strict=True)]
    return np.asarray(np.array(weights, dtype=object) @ data.inputs)


remarks = section("zhang2024", "app_a", "appendix A")


ASSUMED = [binary_labels, orthogonal_inputs, nonzero_inputs]
IN_SPACE = sized(data=unscaled_dataset, dimension=(1, 4))


@remarks.claim(
    "orthogonal_is_separable",
    "implicit bias",
    given=IN_SPACE,
    assumes=ASSUMED,
    derived=[separator],
    proof=orthogonal_sums,
    recorded="proved",
)
@mutants(*map(without, ASSUMED), scaled("1001/1000", "w.x_i"))
def orthogonal_data_are_separable(data: Dataset, separator: Array) -> Margin:
    r"""Pairwise orthogonal nonzero inputs with binary labels are linearly separable: $y_i\,w^\top x_i=1$ for
    $w=\sum_iy_ix_i/\|x_i\|^2$.

    Convention: separable by a hyperplane through the origin, strictly; the separator is w = sum_i y_i x_i/|x_i|^2.
    """
    along = data.inputs @ separator
    return all_of(equal(along, data.labels, "w.x_i against y_i"), equal(data.labels * along, 1, "y_i w.x_i"))
