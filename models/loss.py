r"""Losses as values: the shape, and the factor, sign and normalisation that each paper prints.

    L = c sum_i l(y_i, f_i) or c <l(y_i, f_i)>,   l(y, f) = (y - f)^2,  log(1 + e^{s y f})  or  e^{s y f}.

The residual is -c dl/df, one entry per sample; `weight` is 1/n for a mean and 1 for a sum, and stands apart from the
residual. Everything works on floats (no overflow in the logistic loss), rationals (square loss), balls and enclosed
values.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np

from refute.arithmetic.numbers import Array
from refute.errors import BadInput
from refute.functions import absolute, exp, log1p, maximum

Residual = Callable[[Array, Array], Array]


class Shape(IntEnum):
    """What is averaged or summed; the number is the one that compiled kernels know it by."""

    OWN = -1  # given by its residual alone
    SQUARE = 0
    LOGISTIC = 1
    EXPONENTIAL = 2


@dataclass(frozen=True, slots=True)
class Loss:
    """`factor` times the shape, averaged over the samples or summed; `sign` is that of y f in the exponent.

    A loss of one's own is `Loss.of(residual)`: what only needs the residual trains it, too.
    """

    shape: Shape
    factor: Fraction = Fraction(1)
    sign: int = -1
    averaged: bool = True
    own: Residual | None = None

    @classmethod
    def of(cls, residual: Residual, averaged: bool = True) -> "Loss":
        """The loss with this residual -dl/df, a function of labels and outputs."""
        return cls(Shape.OWN, averaged=averaged, own=residual)

    @property
    def kernel(self) -> int:
        """The number by which compiled code knows the shape."""
        if self.shape is Shape.OWN:
            raise BadInput("compiled code does not know a loss that is given by its residual", "use a loss by its name")
        return int(self.shape)

    def __post_init__(self) -> None:
        if self.sign not in (-1, 1):
            raise BadInput(f"sign must be -1 or 1, got {self.sign}")
        if self.factor <= 0:
            raise BadInput(f"factor must be positive, got {self.factor}")
        if (self.own is None) == (self.shape is Shape.OWN):
            raise BadInput("a loss has a shape, or a residual of its own", "use Loss.of(residual)")

    def weight(self, samples: int) -> Fraction:
        """1/n for a mean, 1 for a sum."""
        return Fraction(1, samples) if self.averaged else Fraction(1)

    def each(self, labels: Array, outputs: Any) -> Any:
        """The loss of every sample, factor included, not yet averaged."""
        if self.own is not None:
            raise BadInput("the values of a loss that is given by its residual are not known", "give its shape")
        with np.errstate(over="ignore"):  # e^{-yf} may well be infinite: the caller sees that it is
            return self._times(_SHAPES[self.shape](labels, outputs, self.sign))

    def residual(self, labels: Array, outputs: Any) -> Any:
        """-dl/df of every sample, factor included, not yet averaged."""
        if self.own is not None:
            return self.own(labels, outputs)
        with np.errstate(over="ignore"):
            return self._times(_RESIDUALS[self.shape](labels, outputs, self.sign))

    def value(self, labels: Array, outputs: Any) -> Any:
        """The loss of the dataset."""
        each = self.each(labels, outputs)
        return each.sum(axis=-1) / each.shape[-1] if self.averaged else each.sum(axis=-1)

    def _times(self, values: Any) -> Any:
        """factor * values by an integer product and quotient, which every arithmetic does in its own way."""
        return values * self.factor.numerator / self.factor.denominator


def _is_float(value: Any) -> bool:
    return bool(np.asarray(value).dtype != object)


def softplus(z: Any) -> Any:
    """log(1 + e^z) = max(z, 0) + log(1 + e^{-|z|}), which neither overflows nor cancels."""
    return np.logaddexp(0.0, z) if _is_float(z) else maximum(z, z * 0) + log1p(exp(-absolute(z)))


def expit(z: Any) -> Any:
    """1 / (1 + e^{-z}), without overflow in float64."""
    if not _is_float(z):
        return 1 / (1 + exp(-z))
    small = np.exp(-np.abs(z))  # in (0, 1], whatever the sign of z
    return np.where(np.asarray(z) >= 0, 1.0, small) / (1.0 + small)


_SHAPES = {
    Shape.SQUARE: lambda y, f, s: (y - f) * (y - f),
    Shape.LOGISTIC: lambda y, f, s: softplus(s * y * f),
    Shape.EXPONENTIAL: lambda y, f, s: exp(s * y * f),
}
_RESIDUALS = {
    Shape.SQUARE: lambda y, f, s: 2 * (y - f),
    Shape.LOGISTIC: lambda y, f, s: -s * y * expit(s * y * f),
    Shape.EXPONENTIAL: lambda y, f, s: -s * y * exp(s * y * f),
}

SQUARE = Loss(Shape.SQUARE, Fraction(1, 2))  # zhang2024: <(y - f)^2>/2; chistikov2023: the same, as 1/(2n) times a sum
LOGISTIC = Loss(Shape.LOGISTIC)  # kou2023: <log(1 + e^{-yf})>
LOGISTIC_PRINTED = Loss(Shape.LOGISTIC, sign=1)  # zhang2024 prints <ln(1 + e^{yf})>
EXPONENTIAL_SUM = Loss(Shape.EXPONENTIAL, averaged=False)  # min2024: sum of e^{-yf}
LOGISTIC_SUM = Loss(Shape.LOGISTIC, averaged=False)  # min2024, main text: sum of log(1 + e^{-yf})
TWICE_LOGISTIC_SUM = Loss(Shape.LOGISTIC, Fraction(2), averaged=False)  # min2024, appendix: sum of 2 log(1 + e^{-yf})
