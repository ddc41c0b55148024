r"""A second opinion on the steps of gradient descent with a fixed second layer, for when one is asked
(refute.confirmation).

Few steps are taken again in balls (`ball_grade`). Many steps, or many starts, are taken again in the widest floats,
with signals u(t) = u(0) + c(t) G that come from the coefficients at every step and are not carried along (`extended`,
`batch_grade`). No claim reads an error of these runs, so what agrees is confirmed and not certified. `confirm_long`
goes on from there to any time.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from refute.decide.confirmation import CONFIRMED, CONTRADICTED, REPEATED
from refute.errors import BadInput, Diverged, SignUnknown
from refute.models.dataset import Dataset
from refute.models.descent.exact import ball_descent
from refute.models.loss import LOGISTIC, expit
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
Pair = tuple[Any, Any]
AGREEMENT = 1e-9  # relative, of coefficients and signals where the first method reports no error
SHARPLY = 1e-12  # of a batch, whose events compare differences of coefficients
MOST_BALLS = 3_000_000  # products of balls, about three seconds
MOST_EXTENDED = 600_000_000  # products in extended precision
MOST_BITS = 1024
MOST_STEPS = 100_000


def relative_gap(one: Any, other: Any) -> float:
    """The largest difference at a place of the first axis (a time, a start), relative to the largest entry there;
    infinite if undefined.
    """
    if not len(one):
        return 0.0
    axes = tuple(range(1, np.ndim(one)))
    gap = np.abs(one - other).max(axis=axes) / np.maximum(np.abs(other).max(axis=axes), 1e-300)
    return float(gap.max()) if np.isfinite(gap).all() else math.inf


def ball_grade(
    net: TwoLayer, data: Dataset, *, rate: float, at_zero: float, weights: Floats, signals: Floats | None = None
) -> tuple[str, float]:
    """Whether weights (and signals) at the steps 0, 1, ..., found in float64, are those in balls; the distance."""
    steps, (n, d) = len(weights) - 1, data.inputs.shape
    if steps * net.width * n * (n + d + 4) > MOST_BALLS:
        return REPEATED, 0.0
    try:
        run = ball_descent(
            net,
            data,
            LOGISTIC,
            rate=rate,
            steps=steps,
            record=range(steps),
            slope_at_zero=at_zero,
            train_outer=False,
            most_bits=MOST_BITS,
        )
    except (SignUnknown, Diverged):
        return REPEATED, 0.0
    middle = np.array([_middle(w) for w in run.inner.reshape(-1)]).reshape(run.inner.shape)
    gap = relative_gap(weights.reshape(middle.shape), middle)
    if signals is not None:
        found = middle @ np.asarray(data.inputs, dtype=float).T
        gap = max(gap, relative_gap(signals.reshape(found.shape), found))
    if gap - run.radius > AGREEMENT:
        return CONTRADICTED, gap
    return (CONFIRMED if gap + run.radius <= AGREEMENT else REPEATED), gap


def _middle(value: Any) -> float:
    """Of a ball, or a rational of the first steps."""
    return float(value.mid()) if isinstance(value, arb) else float(Fraction(int(value.p), int(value.q)))


def extended(data: Dataset, inner: Any, *, slope: float, rate: float, steps: int, at_zero: float) -> Iterator[Pair]:
    """u and c at the steps 0, ..., `steps` in extended precision (where the machine has it), from inner weights (...,
    2m, dimension).
    """
    x, y, start = (np.asarray(values, dtype=np.longdouble) for values in (data.inputs, data.labels, inner))
    if steps > MOST_STEPS or steps * start[..., 0].size * len(y) * (len(y) + 20) > MOST_EXTENDED:
        raise BadInput(f"{steps} steps are too many for a second opinion")
    m = start.shape[-2] // 2
    outer = np.repeat([1, -1], m) / np.longdouble(m)
    gram, first, table = x @ x.T, start @ x.T, np.array([at_zero, 1, slope], dtype=np.longdouble)
    push = outer[:, None] * y * (np.longdouble(rate) / len(y))
    c = np.zeros_like(first)
    for now in range(steps + 1):
        u = first + c @ gram
        yield u, c
        if now < steps:
            gates = table[np.sign(u).astype(int)]  # the index -1 is the last entry
            c = c + push * gates * expit(-y * (outer @ (gates * u)))[..., None, :]


def batch_grade(
    data: Dataset, inner: Floats, courses: list[tuple[Floats, Floats]], *, slope: float, rate: float, at_zero: float
) -> tuple[str, float]:
    """Whether signals and |x_i|^2 c_i of many starts at the steps 0, 1, ... agree, with every sign; the distance."""
    squares = (np.asarray(data.inputs, dtype=float) ** 2).sum(axis=1)
    gap, same = 0.0, True
    try:
        others = extended(data, inner, slope=slope, rate=rate, steps=len(courses) - 1, at_zero=at_zero)
        for (signals, rho), (u, c) in zip(courses, others, strict=True):
            gap = max(gap, relative_gap(signals, u), relative_gap(rho, c * squares))
            same = same and bool((np.sign(signals) == np.sign(u)).all())
    except BadInput:
        return REPEATED, 0.0
    return (CONTRADICTED if gap > AGREEMENT else CONFIRMED if same and gap <= SHARPLY else REPEATED), gap
