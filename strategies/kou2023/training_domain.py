r"""The domain of the trainings of kou2023: slopes, constants, signs of overlaps, dyadic numbers, and the way back."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from hypothesis.strategies import SearchStrategy

from refute.arithmetic.numbers import Array, exact_array
from refute.language.cases import Cases
from refute.models.dataset import Dataset
from refute.models.kou2023.orthogonality import squared_radii
from refute.models.network import TwoLayer, signed_halves
from refute.strategies.kou2023.step_and_scale import largest_rate
from refute.strategies.numbers import is_positive

FIELDS = ("data", "net", "rate", "scale", "delta", "C")
FAMILIES = ("orthogonal", "positive", "negative", "class", "anti", "random")
SLOWEST = 64  # a step that much shorter than allowed only takes longer


def admissible(
    strategy: SearchStrategy[dict[str, Any]],
    samples: int,
    slopes: Sequence[Fraction],
    constants: Sequence[int] = (1,),
    families: Sequence[str] = FAMILIES,
    spread: float = math.inf,
    fields: Sequence[str] = FIELDS,
) -> Cases:
    """The strategy with its domain: every slope between the least and the largest, the constants C and the signs of
    overlaps that are drawn, R_max^2 at most `spread` times R_min^2 (constants of the statements may depend on the
    ratio), and steps that are not much shorter than allowed.
    """
    return Cases(
        strategy,
        partial(_domain, min(slopes), max(slopes), tuple(constants), tuple(families), spread, tuple(fields)),
        partial(_nearest, min(slopes), max(slopes)),
        least={"samples": samples, "dimension": 1},
    )


def _domain(
    least: Fraction,
    most: Fraction,
    constants: Sequence[int],
    families: Sequence[str],
    spread: float,
    names: Sequence[str],
    fields: Mapping[str, Any],
) -> dict[str, bool]:
    parts: list[Any] = [fields.get(name) for name in FIELDS]
    data, net, rate, scale, delta, C = parts
    if not isinstance(data, Dataset) or not isinstance(net, TwoLayer) or C not in constants or not is_positive(rate):
        return dict.fromkeys(names, False)
    fits = data.inputs.shape[1] == net.inner.shape[1] and net.width > 0
    if not fits or (spread < math.inf and not all(any(row) for row in data.inputs)):
        return dict.fromkeys(names, False)
    found = {
        "data": _is_signed(data, families) and _is_comparable(data, spread),
        "net": least <= net.slope <= most and _is_dyadic(net.inner),
        "rate": spread == math.inf or rate >= min(1, largest_rate(data, net, C) / SLOWEST),
        "C": True,
        "scale": is_positive(scale),
        "delta": is_positive(delta) and delta < 1,
    }
    return {name: bool(found[name]) for name in names}


def _is_comparable(data: Dataset, spread: float) -> bool:
    """Whether the inputs are dyadic and their lengths comparable."""
    low, high = squared_radii(data.inputs)
    return _is_dyadic(data.inputs) and bool(spread == math.inf or high <= spread * low)


def _is_signed(data: Dataset, families: Sequence[str]) -> bool:
    """Whether labels are +-1 and the signs of the overlaps are those of one of the families."""
    if any(abs(y) != 1 for y in data.labels):
        return False
    gram = data.inputs @ data.inputs.T
    agree = data.labels[:, None] * data.labels
    signs = {"orthogonal": 0 * gram, "positive": gram, "negative": -gram, "class": agree * gram, "anti": -agree * gram}
    off = [(i, k) for i in range(len(gram)) for k in range(i)]
    known = [
        all(signs[name][i, k] >= 0 if name != "orthogonal" else gram[i, k] == 0 for i, k in off)
        for name in families
        if name in signs
    ]
    return "random" in families or any(known)


def _is_dyadic(values: Array) -> bool:
    return all(Fraction(value).denominator.bit_count() == 1 for value in values.reshape(-1))


def _dyadic(values: Array) -> Array:
    """Each number rounded to 32 binary digits."""
    return exact_array(
        np.array([_rounded(Fraction(value)) for value in values.reshape(-1)], dtype=object).reshape(values.shape)
    )


def _rounded(value: Fraction) -> Fraction:
    unit = Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length() - 32)
    return value if value.denominator.bit_count() == 1 else round(value / unit) * unit


def _nearest(least: Fraction, most: Fraction, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Dyadic numbers, labels +-1 and the second layer +-1/m again."""
    data, net = fields["data"], fields["net"]
    labels = np.array([Fraction(1 if y >= 0 else -1) for y in data.labels], dtype=object)
    inner, m = _dyadic(net.inner), net.width // 2
    moved = signed_halves(inner[:m], inner[m : 2 * m], min(max(net.slope, least), most))
    return dict(fields) | {"data": Dataset(_dyadic(data.inputs), labels), "net": moved}
