"""Large trainings for Theorem 4.1: up to 40 samples and 50 neurons of each sign, drawn from a seed.

Drawn number by number they would take longer than their training. They lie in the domain of `training`, beside the
small ones, and meet the conditions by the same repairs.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array
from refute.language.cases import Cases
from refute.models.dataset import Dataset
from refute.models.network import signed_halves
from refute.strategies.kou2023.nearly_orthogonal import CHANCES, LEAKS

SAMPLES = (6, 10, 20, 40)
WIDTHS = (5, 10, 30, 50)


def _fractions(numbers: Any, denominator: int) -> Array:
    return np.array([[Fraction(int(entry), denominator) for entry in row] for row in numbers], dtype=object)


def _inputs(rng: np.random.Generator, n: int, d: int, labels: Array, family: str) -> Array:
    """Sample i on axis i plus off-axis parts whose inner products have the signs of the family; lengths 1, 3/2 or 2."""
    signs = {"class": labels, "anti": labels}.get(family, np.ones(n, dtype=int))
    tau = {"orthogonal": 0, "positive": 1, "class": 1, "negative": -1, "anti": -1}[family]
    off = np.zeros((n, d), dtype=int)
    off[:, :n] = tau * np.outer(signs, signs)
    rows = _fractions(4 * np.eye(n, d, dtype=int) + off, 4)
    radii = np.array([Fraction(int(k), 2) for k in rng.choice([2, 2, 2, 3, 4], size=n)], dtype=object)
    return np.asarray(rows * radii[:, None])


@st.composite
def _wide(draw: DrawFn, samples: Sequence[int], widths: Sequence[int], constants: Sequence[int]) -> dict[str, Any]:
    n, m = draw(st.sampled_from(samples)), draw(st.sampled_from(widths))
    d, rng = n + draw(st.integers(0, 4)), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    labels = rng.choice([1, -1], size=n)
    family = draw(st.sampled_from(("orthogonal", "positive", "negative", "class", "anti")))
    weights = _fractions(rng.integers(-3, 3, size=(2 * m, d), endpoint=True), 2)
    return {
        "data": Dataset(_inputs(rng, n, d, labels, family), np.array([Fraction(int(y)) for y in labels], dtype=object)),
        "net": signed_halves(weights[:m], weights[m:], draw(st.sampled_from(LEAKS))),
        "rate": Fraction(1),
        "scale": Fraction(1),
        "delta": draw(st.sampled_from(CHANCES)),
        "C": draw(st.sampled_from(constants)),
    }


def with_large_ones(small: Cases, constants: Sequence[int]) -> Cases:
    """Four of five cases are drawn from the small ones."""
    large = _wide(SAMPLES, WIDTHS, constants)
    return small.drawn_by(st.one_of(*[small.strategy] * 4, large))
