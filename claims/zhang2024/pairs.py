r"""Proofs over a pair of data x, -x: by Condition 3 every average is one over such pairs, with labels y, -y, and a
datum at 0 adds nothing.

Notation: z = w.x, sigma' has any value k at zero unless it is said to be the mean slope (1+alpha)/2.
"""

from typing import Any

from refute.decide.proof import by_smt, in_words, steps
from refute.decide.symbolic import by_identity


def _gate(z: Any, alpha: Any, at_zero: Any) -> Any:
    import z3

    return z3.If(z > 0, z3.RealVal(1), z3.If(z < 0, alpha, at_zero))


def _smt(meaning: str, statement: Any) -> str | None:
    method = by_smt(statement)
    return method and f"{method}: {meaning}"


def one_of_each_pair() -> str | None:
    """z != 0 puts exactly one of x, -x on each side, whether the half space is open or closed."""
    import z3

    z = z3.Real("z")
    one = z3.And(z3.Xor(z > 0, -z > 0), z3.Xor(z >= 0, -z >= 0), z3.Xor(z < 0, -z < 0))
    meaning = (
        "each half space holds one of x, -x, which have the same x x^T and the same y x, so its averages are "
        "those of all data"
    )
    return _smt(meaning, lambda: z3.Implies(z != 0, one))


def gates_add_up() -> str | None:
    """sigma'(z) + sigma'(-z) = 1 + alpha for z != 0."""
    import z3

    z, alpha, k = z3.Reals("z alpha k")
    meaning = "sigma'(z) + sigma'(-z) = 1 + alpha off the kink, and y x is the same at x and -x"
    return _smt(meaning, lambda: z3.Implies(z != 0, _gate(z, alpha, k) + _gate(-z, alpha, k) == 1 + alpha))


def mean_gates_add_up() -> str | None:
    """The same for every z with the mean slope at zero."""
    import z3

    z, alpha = z3.Reals("z alpha")
    mean = (1 + alpha) / 2
    meaning = "with the mean slope at zero sigma'(z) + sigma'(-z) = 1 + alpha, and y x is the same at x and -x"
    return _smt(meaning, lambda: _gate(z, alpha, mean) + _gate(-z, alpha, mean) == 1 + alpha)


def gated_outputs_add_up() -> str | None:
    """At rank-one weights z = a q with q = r.x, and a q (sigma'(z) + sigma'(-z)) = (1 + alpha) a q."""
    import z3

    a, q, alpha, k = z3.Reals("a q alpha k")
    gates = _gate(a * q, alpha, k) + _gate(-(a * q), alpha, k)
    meaning = "a q (sigma'(aq) + sigma'(-aq)) = (1 + alpha) a q with q = r.x, whatever sigma'(0) is"
    return _smt(meaning, lambda: a * q * gates == (1 + alpha) * a * q)


def gated_weights_add_up() -> str | None:
    """At rank-one weights a (sigma'(aq) + sigma'(-aq)) = (1 + alpha) a for q = r.x != 0."""
    import z3

    a, q, alpha, k = z3.Reals("a q alpha k")
    gates = _gate(a * q, alpha, k) + _gate(-(a * q), alpha, k)
    meaning = "a (sigma'(aq) + sigma'(-aq)) = (1 + alpha) a where q = r.x is not 0, whatever sigma'(0) is"
    return _smt(meaning, lambda: z3.Implies(q != 0, a * gates == (1 + alpha) * a))


def gates_by_sides() -> str | None:
    """At rank-one weights a sigma'(aq) and sigma(aq)/q are a or alpha a, by the signs of a and q; both add up."""
    import z3

    a, q, alpha, k = z3.Reals("a q alpha k")
    plus, minus = z3.If(a > 0, a, alpha * a), z3.If(a > 0, alpha * a, a)
    side, z = z3.If(q > 0, plus, minus), a * q
    activation = z3.If(z >= alpha * z, z, alpha * z)
    each = z3.And(a * _gate(z, alpha, k) == side, activation == side * q, plus + minus == (1 + alpha) * a)
    meaning = (
        "on S+ the weights [W2+, alpha W2-] and on S- [alpha W2+, W2-] stand for the gates; their sum is (1 + alpha) W2"
    )
    return _smt(meaning, lambda: z3.Implies(z3.And(q != 0, alpha >= 0, alpha <= 1), each))


def half_spaces_off_the_boundary() -> str | None:
    """The lines of the displays (31), (33) and of those below (37), when no datum has r.x = 0."""
    moments = in_words("x x^T, and 1/E since y and W2 W1 x change sign together, are the same at x and -x")
    return steps(one_of_each_pair(), gates_by_sides(), moments)


def gate_ignores_the_scale() -> str | None:
    """sigma'(cz) = sigma'(z) for c > 0."""
    import z3

    z, alpha, k, c = z3.Reals("z alpha k c")
    return _smt("gates ignore a factor c > 0", lambda: z3.Implies(c > 0, _gate(c * z, alpha, k) == _gate(z, alpha, k)))


def gate_times_argument() -> str | None:
    """sigma'(z) z = sigma(z)."""
    import z3

    z, alpha, k = z3.Reals("z alpha k")
    meaning = "sigma'(z) z = sigma(z), so that w.dL/dw = a dL/da for each neuron"
    return _smt(meaning, lambda: z3.Implies(alpha <= 1, _gate(z, alpha, k) * z == z3.If(z >= alpha * z, z, alpha * z)))


def gate_times_argument_at_rank_one() -> str | None:
    """The same for z = a q with q = r.x, times the outer weight b of any neuron."""
    import z3

    a, b, q, alpha, k = z3.Reals("a b q alpha k")
    z = a * q
    outputs = b * z3.If(z >= alpha * z, z, alpha * z)
    meaning = "b (a q sigma'(aq)) = b sigma(aq) for outer weights a, b: both products have the same entries"
    return _smt(meaning, lambda: z3.Implies(alpha <= 1, b * (a * q * _gate(z, alpha, k)) == outputs))


def outputs_add_up() -> str | None:
    """sigma(z) - sigma(-z) = (1 + alpha) z, which y and x multiply."""
    import sympy

    z, alpha = sympy.Symbol("z", real=True), 1 - sympy.Symbol("b", nonnegative=True)
    residual = sympy.Max(z, alpha * z) - sympy.Max(-z, -alpha * z) - (1 + alpha) * z
    return by_identity(
        lambda: [residual], "over x, -x an odd factor (y, or x) times sigma(z) sums to (1 + alpha) times itself times z"
    )


def loss_splits() -> str | None:
    """Over a pair x, -x with labels y, -y and f = l + e, the two losses sum to (y - l)^2 + e^2."""
    import sympy

    y, odd, even = sympy.symbols("y l e", real=True)
    residual = ((y - odd - even) ** 2 + (-y + odd - even) ** 2) / 2 - (y - odd) ** 2 - even**2
    return by_identity(
        lambda: [residual],
        "over each pair x, -x the loss is that of the odd part plus e^2; a datum at 0 has loss 0 in both",
    )


def least_squares_is_least() -> str | None:
    """(y - p)^2 - (y - q)^2 = (p - q)^2 - 2 (y - q)(p - q), whose last term averages to zero if q = x.w* solves the
    normal equations.
    """
    import sympy

    y, p, q = sympy.symbols("y p q", real=True)
    residual = (y - p) ** 2 - (y - q) ** 2 - (p - q) ** 2 + 2 * (y - q) * (p - q)
    return by_identity(
        lambda: [residual], "(y - p)^2 - (y - q)^2 = (p - q)^2 - 2 (y - q)(p - q), and <(y - x.w*) x> = 0"
    )
