r"""Proofs for one neuron, which the sum over neurons and the average over data carry over: both are linear.

Notation: $\sigma(z)=\max(z,\alpha z)$; $\alpha=1-b$ with $b\ge0$ covers $[0,1]$; a neuron has pre-activation z and
outer weight w.
"""

from functools import lru_cache
from typing import Any

from refute.decide.proof import steps
from refute.decide.symbolic import by_identity


def sigma(z: Any, alpha: Any) -> Any:
    """The activation, in sympy."""
    import sympy

    return sympy.Max(z, alpha * z)


def _neuron() -> tuple[Any, Any, Any]:
    """A pre-activation z, a slope alpha in [0, 1], and a factor a > 0."""
    import sympy

    return sympy.Symbol("z", real=True), 1 - sympy.Symbol("b", nonnegative=True), sympy.Symbol("a", positive=True)


def homogeneous_neuron() -> str | None:
    """sigma(az) = a sigma(z)."""
    z, alpha, a = _neuron()
    return by_identity(
        lambda: [sigma(a * z, alpha) - a * sigma(z, alpha)],
        "sigma(az) = a sigma(z), kept by linear maps and compositions",
    )


def odd_part_of_a_neuron() -> str | None:
    """sigma(z) - sigma(-z) = (1 + alpha) z."""
    z, alpha, _ = _neuron()
    residual = sigma(z, alpha) - sigma(-z, alpha) - (1 + alpha) * z
    return by_identity(
        lambda: [residual], "sigma(z) - sigma(-z) = (1 + alpha) z, so the odd part is (1+alpha)/2 W2 W1 x"
    )


def both_parts_of_a_neuron() -> str | None:
    """The odd part, and sigma(z) + sigma(-z) = (1 - alpha)|z|."""
    import sympy

    z, alpha, _ = _neuron()
    even = sigma(z, alpha) + sigma(-z, alpha) - (1 - alpha) * sympy.Abs(z)
    even_part = by_identity(lambda: [even], "sigma(z) + sigma(-z) = (1 - alpha)|z|, even and homogeneous")
    return steps(even_part, odd_part_of_a_neuron())


def linear_neuron() -> str | None:
    """w (w z) = w^2 z."""
    import sympy

    w, z = sympy.symbols("w z", real=True)
    return by_identity(
        lambda: [w * (w * z) - w**2 * z], "each neuron adds w (w r.x) = w^2 r.x, and the sum of w^2 is |W2|^2"
    )


@lru_cache
def neuron_of_a_rank_one_network() -> str | None:
    """w sigma(w z) = (1+alpha)/2 w^2 z + (1-alpha)/2 w|w| |z|; the sum of w|w| is |W2+|^2 - |W2-|^2."""
    import sympy

    w, z = sympy.symbols("w z", real=True)
    alpha = 1 - sympy.Symbol("b", nonnegative=True)
    split = (1 + alpha) / 2 * w**2 * z + (1 - alpha) / 2 * w * sympy.Abs(w) * sympy.Abs(z)
    meaning = (
        "w sigma(wz) = (1+alpha)/2 w^2 z + (1-alpha)/2 w|w||z|; summed over the neurons, w|w| gives |W2+|^2 - |W2-|^2"
    )
    return by_identity(lambda: [w * sympy.Max(w * z, alpha * w * z) - split], meaning)


def entry_of_the_square_flow() -> str | None:
    """-d/dw (y - f)^2/2 = a (y - f) b for f = a w b + g."""
    import sympy

    a, w, b, g, y = sympy.symbols("a w b g y", real=True)
    f = a * w * b + g
    return by_identity(
        lambda: [-sympy.diff((y - f) ** 2 / 2, w) - a * (y - f) * b], "every entry is a (y - f) b where f = a w b + g"
    )


def entry_of_the_logistic_flow() -> str | None:
    """-d/dw ln(1 + e^{-yf}) = a y b / (e^{yf} + 1)."""
    import sympy

    a, w, b, g, y = sympy.symbols("a w b g y", real=True)
    f = a * w * b + g
    entry = a * y * b / (sympy.exp(y * f) + 1)
    meaning = "every entry is a y b / (e^{yf} + 1) where f = a w b + g"
    return by_identity(lambda: [-sympy.diff(sympy.log(1 + sympy.exp(-y * f)), w) - entry], meaning)
