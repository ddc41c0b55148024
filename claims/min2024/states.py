r"""States of a balanced network at any scale: a shape times a number, with outputs of any size, in any arithmetic."""

from typing import Any

import numpy as np
from hypothesis.strategies import SearchStrategy

from refute import derived
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.training import LOSSES
from refute.functions import largest, norm
from refute.language.cases import stated
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.balanced_state import BalancedState, balanced_state, moment
from refute.strategies import choice
from refute.strategies.min2024 import outputs
from refute.strategies.min2024.separated import labelled_dataset, neurons, placed, separated_dataset, vector

APPENDIX = {name: LOSSES[name] for name in ("exponential", "twice logistic")}
PRINTED = APPENDIX | {"logistic": LOSSES["logistic"]}


def any_scale(*drawn: str) -> SearchStrategy[Any]:
    """One of the numbers given; the domain is all positive ones, since repairs multiply the scale."""
    return stated(choice(*drawn), lambda value: value > 0)


SCALES, SLOPES = any_scale("1", "2", "1/1024"), choice("0", "1/4", "1/2", "1")
STATES = placed(data=labelled_dataset, start=neurons, scale=SCALES, slope=SLOPES, loss=choice(*APPENDIX))
_BESIDE: dict[str, Any] = {
    "data": separated_dataset,
    "w": vector,
    "start": neurons,
    "dimension": (2, 3),
    "samples": (2, 4),
    "width": (1, 2),
}
NEIGHBOURS = outputs.moderate(placed(scale=any_scale("1", "1/1024"), loss=choice(*PRINTED), **_BESIDE))
TINY = placed(scale=any_scale("1"), loss=choice(*APPENDIX), **_BESIDE)


def beside(w: Array, sign: int, data: Dataset, start: Balanced, scale: Number, loss: str) -> BalancedState:
    """The neuron w with the given sign and those of `start`, all times the scale; sigma'(0) = 0."""
    rows, signs = np.vstack([w, start.shape]), np.concatenate([[0 * scale + sign], start.signs])
    return balanced_state(scale * rows, signs, 0 * scale, data, PRINTED[loss])


@derived
def longest(data: Dataset) -> Number:
    """X_max."""
    return largest(np.array([norm(x) for x in data.inputs]))


@derived
def state(data: Dataset, start: Balanced, scale: Number, slope: Number, loss: str) -> BalancedState:
    """The network of `start` times the scale."""
    return moment(start, scale, data, PRINTED[loss], slope=slope)


@derived
def positive(w: Array, data: Dataset, start: Balanced, scale: Number, loss: str) -> BalancedState:
    """w with v > 0, beside others."""
    return beside(w, 1, data, start, scale, loss)


@derived
def negative(w: Array, data: Dataset, start: Balanced, scale: Number, loss: str) -> BalancedState:
    """w with v < 0, beside others."""
    return beside(w, -1, data, start, scale, loss)
