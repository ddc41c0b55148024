r"""Nearly orthogonal data with labels +-1 and networks with a second layer +-1/m, before they meet any condition.

All numbers are dyadic, so that inner products of weights and inputs are exact in balls. Sample i lies near axis i: x_i
= r_i (e_i + off), with off-axis parts in families by the sign of their overlaps: none, all positive, all negative, y_i
y_k, -y_i y_k, or at random. For off = tau s_i s with a sign vector s, <x_i, x_k> = r_i r_k s_i s_k (2 tau + n tau^2)
exactly. The conditions of the paper are met by the repairs in `overlaps`, `step_and_scale` and `random_starts`.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array, exact_array
from refute.language.cases import Cases, values
from refute.models.dataset import Dataset
from refute.models.network import signed_halves
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.kou2023.training_domain import FAMILIES, admissible
from refute.strategies.numbers import is_array
from refute.strategies.sizes import Size

LEAKS = tuple(Fraction(s) for s in ("1/2", "7/8", "1/4", "1/8", "1/64"))
CONSTANTS = (100, 100, 1000)
CHANCES = tuple(Fraction(s) for s in ("1/10", "1/2", "1/100", "9/10"))
_RADII = tuple(Fraction(r) for r in ("1", "1", "1", "3/2", "2"))
_UNITS = (Fraction(1), Fraction(1), Fraction(1), Fraction(1, 1024), Fraction(1024))


def _inputs(draw: DrawFn, n: int, d: int, labels: list[int], family: str) -> Array:
    """Sample i on axis i plus off-axis parts of order one, which `shrink_overlaps` makes small."""
    rows = np.array([[Fraction(int(i == k)) for k in range(d)] for i in range(n)], dtype=object)
    if family == "random":
        rows = rows + np.array(
            [[draw(st.integers(-1, 1)) * int(k < i or k >= n) for k in range(d)] for i in range(n)], dtype=object
        )
    elif family != "orthogonal":
        s = [*(labels if family in ("class", "anti") else [1] * n), *[0] * (d - n)]
        tau = Fraction(1 if family in ("positive", "class") else -1, 4)
        rows = rows + tau * np.array([[s[i] * s[k] for k in range(d)] for i in range(n)], dtype=object)
    radii = np.array([draw(st.sampled_from(_RADII)) for _ in range(n)], dtype=object)
    return np.asarray(rows * radii[:, None] * draw(st.sampled_from(_UNITS)))


@st.composite
def _training(
    draw: DrawFn,
    samples: tuple[int, int],
    widths: Sequence[int],
    extra: int,
    leaks: Sequence[Fraction],
    constants: Sequence[int],
    families: Sequence[str],
) -> dict[str, Any]:
    n, m = draw(st.integers(*samples)), draw(st.sampled_from(widths))
    d = n + draw(st.integers(0, extra))
    labels = [draw(st.sampled_from([1, -1])) for _ in range(n)]
    weights = np.array([[Fraction(draw(st.integers(-3, 3)), 2) for _ in range(d)] for _ in range(2 * m)], dtype=object)
    return {
        "data": Dataset(
            _inputs(draw, n, d, labels, draw(st.sampled_from(families))),
            np.array([Fraction(y) for y in labels], dtype=object),
        ),
        "net": signed_halves(weights[:m], weights[m:], draw(st.sampled_from(leaks))),
        "rate": Fraction(1),
        "scale": Fraction(1),
        "delta": draw(st.sampled_from(CHANCES)),
        "C": draw(st.sampled_from(constants)),
    }


def training(
    *,
    samples: tuple[int, int] = (1, 3),
    widths: Sequence[int] = (1, 2),
    extra: int = 1,
    leaks: Sequence[Fraction] = LEAKS,
    constants: Sequence[int] = CONSTANTS,
    families: Sequence[str] = FAMILIES,
    spread: float | None = None,
) -> Cases:
    """data, net (2m neurons, slope from `leaks`), rate, scale (sigma_0), delta and the constant C; the repairs make it
    admissible.

    `scale` is the unit in which the initial weights are drawn: repairs that shrink it shrink the weights with it.
    R_max^2 is at most `spread` times R_min^2, which is what is drawn unless said otherwise.
    """
    strategy = _training(samples, tuple(widths), extra, tuple(leaks), tuple(constants), tuple(families))
    return admissible(strategy, samples[0], leaks, constants, families, spread or 4 * (1 + extra))


@st.composite
def _with_factors(draw: DrawFn, base: SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    drawn = draw(base)
    shape = drawn["net"].inner.shape
    powers = [[draw(st.sampled_from(["1/16", "1", "1/2", "1/4"])) for _ in range(shape[1])] for _ in range(shape[0])]
    return drawn | {"factors": exact_array(np.array(powers, dtype=object))}


def with_factors(base: Cases) -> Cases:
    """The same with `factors`: a positive number up to 1 for every inner weight, so that no start is larger."""

    def shrinking(value: Any) -> bool:
        return is_array(value, 2) and all(0 < factor <= 1 for factor in value.reshape(-1))

    cases = base.joined(_with_factors(base.strategy), factors=shrinking)
    return cases.within(lambda fields: fields["factors"].shape == fields["net"].inner.shape)


def relu_training(**options: Any) -> Cases:
    """The same with slope 0 and widths that can have 40 to 60 per cent of their neurons active."""
    return training(**{"widths": (2, 2, 4, 5), "leaks": (Fraction(0),), **options})


@st.composite
def _any_training(draw: DrawFn, slopes: tuple[Fraction, ...]) -> dict[str, Any]:
    n, d, m = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 2))
    inputs = np.array([[Fraction(draw(st.integers(-4, 4)), 2) for _ in range(d)] for _ in range(n)], dtype=object)
    weights = np.array([[Fraction(draw(st.integers(-3, 3)), 4) for _ in range(d)] for _ in range(2 * m)], dtype=object)
    return {
        "data": Dataset(inputs, np.array([Fraction(draw(st.sampled_from([1, -1]))) for _ in range(n)], dtype=object)),
        "net": signed_halves(weights[:m], weights[m:], draw(st.sampled_from(slopes))),
        "rate": draw(st.sampled_from([Fraction(1), Fraction(1, 4), Fraction(4)])),
        "C": 1,
    }


def any_training(slopes: tuple[Fraction, ...] = (Fraction(0), *LEAKS)) -> Cases:
    """data, net and rate without any condition: inputs may repeat, depend on each other or be zero."""
    return admissible(_any_training(slopes), 1, slopes, fields=("data", "net", "rate", "C"))


@values(lambda value: isinstance(value, Dataset) and all(abs(y) == 1 for y in value.labels))
def signed_points(size: Size) -> SearchStrategy[Dataset]:
    """Inputs from the grid with labels +-1 (the sign of the drawn label)."""
    signs = unscaled_dataset(size)
    return signs.map(
        lambda data: Dataset(data.inputs, np.array([Fraction(1 if y >= 0 else -1) for y in data.labels], dtype=object))
    )
