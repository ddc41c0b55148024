"""Asymptotic statements: an exponent fitted along a geometric sweep, with its confidence interval.

Least squares in log-log work in float64 and in balls: there the law encloses what exact quantities would give.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from refute.arithmetic.numbers import Array, Number, enclosure
from refute.errors import BadClaim
from refute.functions import absolute, log, mean, sign, sqrt
from refute.language.relations import RESOLUTION, Margin

CONFIDENCE = 0.999
EXPONENT_RESOLUTION = Fraction(1, 20)  # an exponent known worse than this decides nothing


@dataclass(frozen=True, slots=True)
class Law:
    """quantity ~ constant * parameter**exponent over a sweep.

    `half_width` is that of the exponent's confidence interval, `drift` the change of the exponent between the two
    halves of the sweep: a law that is still bending is not known better than that.
    """

    exponent: Number
    half_width: Number
    drift: Number
    parameters: tuple[Number, ...]
    quantities: tuple[Number, ...]

    def __str__(self) -> str:
        exponent, half_width, drift = (_middle(value) for value in (self.exponent, self.half_width, self.drift))
        parameters = [_middle(value) for value in self.parameters]
        span = f"[{min(parameters):.1e}, {max(parameters):.1e}]"
        return f"exponent {exponent:.4f} +- {half_width:.4f}, drift {drift:.4f}, over {span}"


def _middle(value: Number) -> float:
    """To be shown, not to be computed with."""
    return float(enclosure(value)[0])


def geometric(first: float, last: float, count: int) -> list[float]:
    """`count` values from `first` to `last` in constant ratio."""
    return [float(value) for value in np.geomspace(first, last, count)]


def fit(parameters: Sequence[Number], quantities: Sequence[Number]) -> Law:
    """Least squares in log-log; the interval comes from the residuals (Student's t)."""
    in_balls = any(isinstance(value, arb) for value in (*parameters, *quantities))
    x, y = (_logarithms(values, in_balls) for values in (parameters, quantities))
    if len(x) < 4:
        raise BadClaim(f"an exponent needs at least four points, got {len(x)}")
    slope, half_sweep = _slope(x, y), len(x) // 2
    drift = absolute(_slope(x[: half_sweep + 1], y[: half_sweep + 1]) - _slope(x[half_sweep:], y[half_sweep:]))
    offsets = x - mean(x)
    residual = y - mean(y) - slope * offsets
    spread = sqrt((residual @ residual) / (len(x) - 2) / (offsets @ offsets))
    from scipy.stats import t as student

    half = float(student.ppf(0.5 + CONFIDENCE / 2, len(x) - 2)) * spread
    return Law(slope, half, drift, tuple(parameters), tuple(quantities))


def _logarithms(values: Sequence[Number], in_balls: bool) -> Array:
    if in_balls:
        enclosed = np.array([arb(value) for value in values], dtype=object)
        good = (sign(enclosed) > 0).all() and all(value.is_finite() for value in enclosed)
        logs = log(enclosed) if good else enclosed
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(np.asarray(values, dtype=float))
        good = np.isfinite(logs).all()
    if not good:
        raise BadClaim(f"an exponent needs positive finite quantities, got {list(values)}")
    return np.asarray(logs)


def _slope(x: Array, y: Array) -> Any:
    """Of the line of least squares."""
    offsets = x - mean(x)
    return (offsets @ y) / (offsets @ offsets)


def sweep(quantity: Callable[[float], Number], parameters: Sequence[float]) -> Law:
    """Evaluate a quantity along the sweep and fit its exponent."""
    return fit(parameters, [quantity(parameter) for parameter in parameters])


def vanishes_at_least_like(law: Law, exponent: Number, line: str = "") -> Margin:
    """quantity = O(parameter**exponent) as the parameter tends to zero."""
    return _margin(law.exponent - exponent, law, line)


def exponent_equals(law: Law, exponent: Number, line: str = "") -> Margin:
    """quantity ~ parameter**exponent."""
    return _margin(-absolute(law.exponent - exponent), law, line)


def _margin(slack: Number, law: Law, line: str) -> Margin:
    value, radius = enclosure(slack)
    error = radius + sum(enclosure(law.half_width + law.drift))
    return Margin(value, error, scale=EXPONENT_RESOLUTION / RESOLUTION, line=f"{line}: {law}" if line else str(law))
