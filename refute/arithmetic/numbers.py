"""Three arithmetics for one conclusion: float64, exact rationals, and balls with a rigorous radius.

A case stores `Fraction`s (or float64 arrays, which are rationals too). Before a conclusion sees them they are lifted
into one arithmetic: floats and float64 arrays, or object arrays of `flint.fmpq` (exact) or `flint.arb` (balls).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpz
from numpy.typing import NDArray

from refute.errors import BadInput

Array = NDArray[Any]
Number = Any  # a float, an fmpq or an arb: one arithmetic at a time

MOST_DIGITS = 50_000  # of a numeral: enough for an initialisation at 10^-10000, and read in no time
_NUMERAL = re.compile(rf"([+-]?\d{{1,{MOST_DIGITS}}})(?:/(\d{{1,{MOST_DIGITS}}})|\.(\d{{1,{MOST_DIGITS}}}))?", re.ASCII)


def _read(text: str) -> Fraction:
    """A numeral such as "-3/7" or "0.25"; no exponents, since "1e999999999" would take for ever."""
    numeral = _NUMERAL.fullmatch(text)
    if numeral is None:
        raise ValueError
    whole, below, decimals = numeral.groups()
    if decimals:
        return Fraction(int(fmpz(whole.lstrip("+") + decimals)), 10 ** len(decimals))
    return Fraction(int(fmpz(whole.lstrip("+"))), int(fmpz(below or "1")))


def written(value: Fraction) -> str:
    """A numeral that `rational` reads, of any length (`str` refuses integers of more than 4300
    digits, flint does not).
    """
    above, below = value.numerator, value.denominator
    if above.bit_length() + below.bit_length() > 10_000:
        return str(_to_fmpq(value))
    return str(above) if below == 1 else f"{above}/{below}"


def rational(value: object, name: str = "value") -> Fraction:
    """`value` as a Fraction, exactly; strings such as "-3/7" or "0.25" are read as fractions."""
    try:
        if isinstance(value, Fraction):
            return value
        if isinstance(value, fmpq):
            return Fraction(int(value.p), int(value.q))
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        if isinstance(value, str):
            return _read(value)
        if isinstance(value, (int, np.integer)):
            return Fraction(int(value))
        if isinstance(value, (float, np.floating)):
            return Fraction(float(value))
    except (ValueError, OverflowError, ZeroDivisionError):
        shown = f"{value!r:.80}"
        raise BadInput(
            f"{name} must be a finite number, got {shown}", "use integers, fractions such as -3/7 or finite floats"
        ) from None
    except TypeError:
        pass
    raise BadInput(f"{name} must be a number, got {value!r} of type {type(value).__name__}")


def exact_array(values: Any, name: str = "array") -> Array:
    """A read-only object array of Fractions (float64 arrays are kept as they are: each entry is a rational)."""
    try:
        raw = np.asarray(values)
    except ValueError as error:
        raise BadInput(f"{name} is not an array: {error}", "give rows of one and the same length") from None
    if raw.dtype == np.float64:
        if not np.isfinite(raw).all():
            where = tuple(int(i) for i in np.argwhere(~np.isfinite(raw))[0])
            raise BadInput(f"{name} must be finite, got {raw[where]} at index {where}", "remove or impute the entry")
        array = raw.copy()
    else:
        source = np.asarray(values, dtype=object)
        array = source.copy()
        if not all(type(entry) is Fraction for entry in source.reshape(-1).tolist()):
            for index in np.ndindex(source.shape):
                array[index] = rational(source[index], f"{name}{list(index)}")
    array.flags.writeable = False
    return array


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A way to compute: `lift` turns one rational into its number type; `bits` is the precision of balls."""

    name: str
    lift: Callable[[Fraction], Any]
    bits: int = 0

    def scalar(self, value: Fraction | float) -> Any:
        return self.lift(rational(value))

    def array(self, values: Array) -> Array:
        if self is FLOAT:
            return values if values.dtype == np.float64 else values.astype(np.float64)
        lifted = np.empty(values.size, dtype=object)
        lifted[:] = [self.lift(rational(entry)) for entry in values.reshape(-1).tolist()]
        lifted.flags.writeable = False  # like the case it comes from
        return lifted.reshape(values.shape)


def _to_fmpq(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _to_arb(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


FLOAT = Arithmetic("float64", float)
EXACT = Arithmetic("exact", _to_fmpq)


def balls(bits: int) -> Arithmetic:
    """Ball arithmetic at `bits` bits; evaluate inside `flint.ctx.workprec(bits)`."""
    return Arithmetic("balls", _to_arb, bits)


def arithmetic_of(number: Number) -> Arithmetic:
    """The arithmetic that a lifted number belongs to; balls have the working precision."""
    if isinstance(number, arb):
        return balls(ctx.prec)
    return EXACT if isinstance(number, fmpq) else FLOAT


MOST_BITS = 1 << 20  # a number beyond 2^(+-MOST_BITS) would not fit in memory as a fraction


def _exactly(value: arb) -> Fraction:
    """An exact ball (midpoint or radius) as a fraction."""
    mantissa, exponent = (int(part) for part in value.man_exp())
    if abs(exponent) > MOST_BITS:
        raise BadInput(f"a number of size 2^{exponent} is out of range", "rescale the case, or compare logarithms")
    return Fraction(mantissa) * Fraction(2) ** exponent


def enclosure(value: object) -> tuple[Fraction, Fraction]:
    """Exact midpoint and radius of a number of any arithmetic (radius 0 for rationals and floats)."""
    if isinstance(value, arb):
        if not value.is_finite():
            raise BadInput(f"the margin is {value}: not a finite ball")
        return _exactly(value.mid()), _exactly(value.rad())
    return rational(value, "margin"), Fraction(0)


def lifted_like(value: Any, number: Fraction) -> Any:
    """`number` in the arithmetic of `value`, a number, an array, an enclosed value or an expression of sympy."""
    first = value
    if hasattr(value, "free_symbols"):
        import sympy

        return sympy.Rational(number.numerator, number.denominator)
    if isinstance(value, np.ndarray):
        if value.dtype != object:
            return float(number)
        first = value.reshape(-1)[0] if value.size else 0.0
    if isinstance(first, arb):
        return _to_arb(number)
    if isinstance(first, fmpq):
        return _to_fmpq(number)
    return number if isinstance(first, (int, Fraction)) else float(number)
