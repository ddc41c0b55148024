"""Datasets and their moments."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from refute.arithmetic.numbers import FLOAT
from refute.errors import BadInput
from refute.language.case import lift
from refute.models import Dataset
from refute.strategies import dataset, sized

DATA = Dataset([[1, 0], [1, 2], [-1, 1]], [1, 2, -3])


def test_moments_by_hand():
    """Sums over three samples, divided by three; nothing is centred."""
    assert DATA.covariance.tolist() == [[1, Fraction(1, 3)], [Fraction(1, 3), Fraction(5, 3)]]
    assert DATA.correlation.tolist() == [2, Fraction(1, 3)]
    assert DATA.average(DATA.labels) == 0


@given(sized(data=dataset).strategy)
def test_moments_agree_with_numpy(case):
    """In floats, to round-off."""
    data = lift(case["data"], FLOAT)
    assert np.allclose(data.covariance, np.einsum("ni,nj->ij", data.inputs, data.inputs) / len(data.labels))
    assert np.allclose(data.correlation, np.einsum("n,ni->i", data.labels, data.inputs) / len(data.labels))


@given(sized(data=dataset).strategy)
def test_the_second_moment_is_positive(case):
    """Symmetric, with nonnegative squares along every axis and sum of axes."""
    matrix = case["data"].covariance
    assert (matrix == matrix.T).all()
    ones = np.array([Fraction(1)] * len(matrix), dtype=object)
    assert all(entry >= 0 for entry in matrix.diagonal())
    assert ones @ matrix @ ones >= 0


@pytest.mark.parametrize(
    ("inputs", "labels", "message"),
    [
        ([[1], [2]], [1], "inputs have shape"),
        ([1, 2], [1, 2], "inputs have shape"),
        ([[1]], [[1]], "inputs have shape"),
        (np.zeros((0, 2)), np.zeros(0), "empty"),
        (np.array([[np.nan]]), [1], "finite"),
        ([[1]], [True], "number"),
    ],
    ids=["too few labels", "a vector of inputs", "a matrix of labels", "no samples", "nan", "a bool"],
)
def test_what_is_no_dataset_is_refused(inputs, labels, message):
    """The message has the shapes or the value."""
    with pytest.raises(BadInput, match=message):
        Dataset(inputs, labels)
