"""Asymptotic statements: an exponent fitted along a geometric sweep, with its confidence interval."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.stats import t as student

from refute.errors import BadClaim
from refute.margin import RESOLUTION, Margin

CONFIDENCE = 0.999
EXPONENT_RESOLUTION = Fraction(1, 20)  # an exponent known worse than this decides nothing


@dataclass(frozen=True, slots=True)
class Law:
    """quantity ~ constant * parameter**exponent over a sweep.

    `half_width` is that of the exponent's confidence interval, `drift` the change of the exponent between the two halves of
    the sweep: a law that is still bending is not known better than that.
    """

    exponent: float
    half_width: float
    drift: float
    parameters: tuple[float, ...]
    quantities: tuple[float, ...]

    def __str__(self) -> str:
        span = f"[{min(self.parameters):.1e}, {max(self.parameters):.1e}]"
        return f"exponent {self.exponent:.4f} +- {self.half_width:.4f}, drift {self.drift:.4f}, over {span}"


def geometric(first: float, last: float, count: int) -> list[float]:
    """`count` values from `first` to `last` in constant ratio."""
    return [float(value) for value in np.geomspace(first, last, count)]


def fit(parameters: Sequence[float], quantities: Sequence[float]) -> Law:
    """Least squares in log-log; the interval comes from the residuals (Student's t)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = np.log(np.asarray(parameters, dtype=float)), np.log(np.asarray(quantities, dtype=float))
    if len(x) < 4:
        raise BadClaim(f"an exponent needs at least four points, got {len(x)}")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise BadClaim(f"an exponent needs positive finite quantities, got {list(quantities)}")
    slope, offset = np.polyfit(x, y, 1)
    half_sweep = len(x) // 2
    drift = abs(np.polyfit(x[: half_sweep + 1], y[: half_sweep + 1], 1)[0] - np.polyfit(x[half_sweep:], y[half_sweep:], 1)[0])
    residual = y - (slope * x + offset)
    spread = float(np.sqrt((residual @ residual) / (len(x) - 2) / ((x - x.mean()) @ (x - x.mean()))))
    half = float(student.ppf(0.5 + CONFIDENCE / 2, len(x) - 2)) * spread
    return Law(float(slope), half, float(drift), tuple(map(float, parameters)), tuple(map(float, quantities)))


def sweep(quantity: Callable[[float], float], parameters: Sequence[float]) -> Law:
    """Evaluate a quantity along the sweep and fit its exponent."""
    return fit(parameters, [quantity(parameter) for parameter in parameters])


def vanishes_at_least_like(law: Law, exponent: float, line: str = "") -> Margin:
    """quantity = O(parameter**exponent) as the parameter tends to zero."""
    return _margin(law.exponent - exponent, law, line)


def exponent_equals(law: Law, exponent: float, line: str = "") -> Margin:
    """quantity ~ parameter**exponent."""
    return _margin(-abs(law.exponent - exponent), law, line)


def _margin(slack: float, law: Law, line: str) -> Margin:
    error = Fraction(law.half_width + law.drift)
    return Margin(Fraction(slack), error, scale=EXPONENT_RESOLUTION / RESOLUTION, line=f"{line}: {law}" if line else str(law))
