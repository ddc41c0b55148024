"""Elementary functions that mean the same in float64, in exact rationals and in balls.

Write conclusions with these instead of `np.exp`, `max`, ...: a comparison of two overlapping balls is not a bool, and
the square root of a rational may not be one. Irrational results raise `Inexact` in exact arithmetic.
"""

from collections.abc import Callable
from math import isqrt
from typing import Any

import numpy as np
from flint import arb, fmpq

from refute.arithmetic.enclosed import Enclosed, enclosed, hull
from refute.arithmetic.numbers import Number
from refute.errors import Inexact, SignUnknown


def _elementwise(function: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, np.ndarray):
        result = np.empty(value.shape, dtype=object)
        flat, source = result.reshape(-1), value.reshape(-1)
        for k in range(source.size):
            flat[k] = function(source[k])
        return result
    return function(value)


def _is_float(value: Any) -> bool:
    return value.dtype != object if isinstance(value, np.ndarray) else isinstance(value, (float, int, np.floating))


def _transcendental(name: str, at_exact: dict[int, int]) -> Callable[[Any], Any]:
    """exp, log, ...: numpy on floats, the method of a ball, and only the listed rational values exactly."""

    def one(value: Any) -> Any:
        if isinstance(value, arb):
            return getattr(value, name)()
        for argument, result in at_exact.items():
            if value == argument:
                return fmpq(result)
        raise Inexact(f"{name}({value}) is irrational")

    def function(value: Any) -> Any:
        if isinstance(value, Enclosed):
            return value.through(getattr(np, name))
        return getattr(np, name)(value) if _is_float(value) else _elementwise(one, value)

    function.__name__ = name
    function.__doc__ = f"{name} of a number or, entry by entry, of an array."
    return function


exp = _transcendental("exp", {0: 1})
expm1 = _transcendental("expm1", {0: 0})
log = _transcendental("log", {1: 0})
log1p = _transcendental("log1p", {0: 0})
tanh = _transcendental("tanh", {0: 0})


def _sqrt(value: Any) -> Any:
    if isinstance(value, arb):
        return value.nonnegative_part().sqrt()
    p, q = int(value.p), int(value.q)
    if p < 0:
        raise ValueError(f"square root of the negative number {value}")
    if isqrt(p) ** 2 == p and isqrt(q) ** 2 == q:
        return fmpq(isqrt(p), isqrt(q))
    raise Inexact(f"sqrt({value}) is irrational")


def sqrt(value: Any) -> Any:
    """Square root; exact on squares of rationals."""
    if isinstance(value, Enclosed):
        return value.through(lambda v: np.sqrt(np.maximum(v, 0)))
    return np.sqrt(value) if _is_float(value) else _elementwise(_sqrt, value)


def to_power(base: Any, exponent: Number) -> Any:
    """base^exponent, entry by entry; rationals and balls are at least 0 where the exponent is no whole number."""

    def one(value: Any) -> Any:
        return value if value == 0 else exp(exponent * log(value))

    known = isinstance(base, arb | fmpq) or (isinstance(base, np.ndarray) and base.dtype == object)
    return _elementwise(one, base) if known and not isinstance(exponent, int) else base**exponent


def absolute(value: Any) -> Any:
    """|value|, entry by entry."""
    return abs(value)


def _max(a: Any, b: Any) -> Any:
    if isinstance(a, arb) or isinstance(b, arb):
        return arb(a).max(arb(b))
    return a if a >= b else b


def _min(a: Any, b: Any) -> Any:
    return -_max(-a, -b)


_MAX, _MIN = np.frompyfunc(_max, 2, 1), np.frompyfunc(_min, 2, 1)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two numbers, entry by entry (an enclosure of it for balls)."""
    if isinstance(a, Enclosed) or isinstance(b, Enclosed):
        a, b = enclosed(a), enclosed(b)
        return hull(np.maximum(a.low, b.low), np.maximum(a.high, b.high))
    return np.maximum(a, b) if _is_float(a) and _is_float(b) else _MAX(a, b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two numbers, entry by entry."""
    return -maximum(-a, -b)


def largest(values: Any, axis: int | None = None) -> Any:
    """The largest entry of a non-empty array, or of each line along an axis."""
    if isinstance(values, Enclosed):
        return values.max(axis)
    return _extreme(values, axis, np.maximum, _MAX)


def smallest(values: Any, axis: int | None = None) -> Any:
    """The smallest entry of a non-empty array, or of each line along an axis."""
    if isinstance(values, Enclosed):
        return values.min(axis)
    return _extreme(values, axis, np.minimum, _MIN)


def _extreme(values: Any, axis: int | None, of_floats: np.ufunc, of_others: np.ufunc) -> Any:
    array = np.asarray(values)
    return (of_floats if _is_float(array) else of_others).reduce(
        array if axis is not None else array.reshape(-1), axis=axis or 0
    )


def sign(value: Any) -> Any:
    """-1, 0 or 1, entry by entry; raises `SignUnknown` when a ball straddles zero."""

    def one(v: Any) -> int:
        if isinstance(v, arb):
            if v > 0:
                return 1
            if v < 0:
                return -1
            if v.is_zero():
                return 0
            raise SignUnknown(str(v))
        return int(v > 0) - int(v < 0)

    if isinstance(value, np.ndarray):
        return np.sign(value).astype(int) if _is_float(value) else np.asarray(_elementwise(one, value), dtype=int)
    return one(value)


def leaky_relu(z: Any, slope: Number) -> Any:
    """max(z, slope z), entry by entry."""
    return maximum(z, slope * z)


def leaky_relu_slope(z: Any, slope: Number, at_zero: Number) -> Any:
    """The derivative of `leaky_relu`: 1 for z > 0, `slope` for z < 0, `at_zero` at 0."""
    table = np.array([slope, at_zero, slope * 0 + 1], dtype=z.dtype if isinstance(z, np.ndarray) else object)
    return table[sign(z) + 1]


def squared_norm(value: Any) -> Number:
    """Sum of squares of all entries."""
    if isinstance(value, Enclosed):
        return (value * value).sum()
    flat = np.asarray(value).reshape(-1)
    return flat @ flat if flat.size else 0


def norm(value: Any) -> Number:
    """Euclidean norm of a vector, Frobenius norm of a matrix."""
    squares = squared_norm(value)
    return sqrt(fmpq(squares)) if isinstance(squares, int) else sqrt(squares)


def mean(values: Any, axis: int | None = 0) -> Any:
    """Arithmetic mean along an axis (over the samples by default)."""
    count = values.size if axis is None else values.shape[axis]
    return values.sum(axis=axis) / count
