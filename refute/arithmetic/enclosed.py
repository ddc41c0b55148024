"""Values in float64 with a bound on their error, entry by entry: what an integrator returns and a relation takes.

The usual operations carry the bounds along, round-off included, so that a norm or a margin of a computed trajectory
says by itself how far it can be off.
"""

from collections.abc import Callable, Iterable
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Operand = Union["Enclosed", NDArray[Any], float, int]

ULP = 2.0**-52


class Enclosed:
    """`value` differs from the true value by at most `error`, in every entry."""

    __slots__ = ("error", "value")
    __array_ufunc__ = None  # an array on the left leaves the operation to the methods here

    def __init__(self, value: Any, error: Any = 0.0) -> None:
        self.value: Floats = np.asarray(value, dtype=np.float64)
        self.error: Floats = np.broadcast_to(np.asarray(error, dtype=np.float64), self.value.shape)

    def __repr__(self) -> str:
        return f"Enclosed({self.value}, error={self.error})"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    @property
    def size(self) -> int:
        return self.value.size

    @property
    def ndim(self) -> int:
        return self.value.ndim

    @property
    def low(self) -> Floats:
        return np.asarray(self.value - self.error)

    @property
    def high(self) -> Floats:
        return np.asarray(self.value + self.error)

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index: Any) -> "Enclosed":
        return Enclosed(self.value[index], self.error[index])

    def broadcast_to(self, shape: tuple[int, ...]) -> "Enclosed":
        return Enclosed(np.broadcast_to(self.value, shape), np.broadcast_to(self.error, shape))

    def reshape(self, *shape: int) -> "Enclosed":
        return Enclosed(self.value.reshape(*shape), self.error.reshape(*shape))

    @property
    def T(self) -> "Enclosed":  # noqa: N802  # as of an array
        return Enclosed(self.value.T, self.error.T)

    def __neg__(self) -> "Enclosed":
        return Enclosed(-self.value, self.error)

    def __abs__(self) -> "Enclosed":
        return Enclosed(np.abs(self.value), self.error)

    def __add__(self, other: Operand) -> "Enclosed":
        b = enclosed(other)
        return _rounded(self.value + b.value, self.error + b.error)

    __radd__ = __add__

    def __sub__(self, other: Operand) -> "Enclosed":
        return self + (-enclosed(other))

    def __rsub__(self, other: Operand) -> "Enclosed":
        return enclosed(other) + (-self)

    def __mul__(self, other: Operand) -> "Enclosed":
        b = enclosed(other)
        error = np.abs(self.value) * b.error + np.abs(b.value) * self.error + self.error * b.error
        return _rounded(self.value * b.value, error)

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> "Enclosed":
        b = enclosed(other)
        with np.errstate(all="ignore"):
            value = self.value / b.value
            room = np.abs(b.value) - b.error
            error = np.where(room > 0, (self.error + np.abs(value) * b.error) / room, np.inf)
        return _rounded(value, error)

    def __rtruediv__(self, other: Operand) -> "Enclosed":
        return enclosed(other) / self

    def __pow__(self, power: float) -> "Enclosed":
        if power == int(power) and 0 <= power <= 8:
            found = Enclosed(np.ones_like(self.value))
            for _ in range(int(power)):
                found = found * self
            return found
        return self.through(lambda v: v**power)

    def __matmul__(self, other: Operand) -> "Enclosed":
        return product(self, enclosed(other))

    def __rmatmul__(self, other: Operand) -> "Enclosed":
        return product(enclosed(other), self)

    def sum(self, axis: int | tuple[int, ...] | None = None) -> "Enclosed":
        terms = self.size // max(np.sum(self.value, axis=axis).size, 1)
        rounding = terms * ULP * np.abs(self.value).sum(axis=axis)
        return Enclosed(self.value.sum(axis=axis), self.error.sum(axis=axis) + rounding)

    def mean(self, axis: int | None = None) -> "Enclosed":
        return self.sum(axis) / (self.size if axis is None else self.shape[axis])

    def max(self, axis: int | None = None) -> "Enclosed":
        return self._between(np.max, axis)

    def min(self, axis: int | None = None) -> "Enclosed":
        return self._between(np.min, axis)

    def _between(self, extreme: Callable[..., Any], axis: int | None) -> "Enclosed":
        return hull(extreme(self.low, axis=axis), extreme(self.high, axis=axis))

    def through(self, monotone: Callable[[Floats], Any]) -> "Enclosed":
        """A monotone function of the value, from its two ends; outside the domain of the function nothing is known."""
        with np.errstate(all="ignore"):
            ends = np.array([monotone(self.low), monotone(self.high)], dtype=np.float64)
            value = np.asarray(monotone(self.value), dtype=np.float64)
            error = np.abs(ends - value).max(axis=0)
        return _rounded(value, np.where(np.isnan(error), np.inf, error))


def enclosed(value: Any) -> Enclosed:
    """A number or an array as a value that is known up to round-off already counted."""
    return value if isinstance(value, Enclosed) else Enclosed(value)


def stacked(values: Iterable[Operand]) -> Enclosed:
    """Values of one shape along a new first axis."""
    found = [enclosed(value) for value in values]
    return Enclosed([one.value for one in found], [one.error for one in found])


def hull(low: Any, high: Any) -> Enclosed:
    """What lies between two ends."""
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    return _rounded((low + high) / 2, (high - low) / 2)


def product(a: Enclosed, b: Enclosed) -> Enclosed:
    """The matrix product."""
    inner = a.shape[-1]
    error = np.abs(a.value) @ b.error + a.error @ np.abs(b.value) + a.error @ b.error
    return Enclosed(a.value @ b.value, error + inner * ULP * (np.abs(a.value) @ np.abs(b.value)))


def _rounded(value: Any, error: Any) -> Enclosed:
    """The result of one operation in float64, with its round-off."""
    return Enclosed(value, np.asarray(error) + ULP * np.abs(value))
