"""Conditions that several statements share. `satisfy` and `violate` change a drawn case; the tests hold them to it."""

from refute import Margin, assumption, at_least
from refute.models import Dataset
from refute.strategies import dataset, sized


def drop_signs(draw, data: Dataset) -> dict[str, Dataset]:
    return {"data": Dataset(data.inputs, abs(data.labels))}


def lower_one(draw, data: Dataset) -> dict[str, Dataset]:
    return {"data": Dataset(data.inputs, [-1, *data.labels[1:]])}


@assumption("label.nonnegative", base=sized(data=dataset), satisfy=drop_signs, violate=lower_one)
def nonnegative_labels(data: Dataset) -> Margin:
    """no label is negative"""
    return at_least(data.labels, 0, "label")
