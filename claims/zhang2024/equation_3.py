r"""Eq. (3): an odd function that is not linear, and a three-layer network that implements it."""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Kind, Margin, changed, differs, equal, identity, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.functions import leaky_relu
from refute.models import DeepNetwork


def _whole(rows: list[list[int]]) -> Array:
    return np.array([[Fraction(entry) for entry in row] for row in rows], dtype=object)


THREE_LAYERS = DeepNetwork(
    (_whole([[1, 0], [0, 1], [-1, 0], [0, -1]]), _whole([[1, -1, 0, 0], [0, 0, 1, -1]]), _whole([[1, -1]])), Fraction(0)
)
# Both functions are linear on the cones cut out by x1 = 0, x2 = 0, x1 = x2: agreement on this grid is agreement
# everywhere.
GRID = _whole([[a, b] for a in range(-2, 3) for b in range(-2, 3)])

existence = section("zhang2024", "eq_3", kind=Kind.EXISTENCE, recorded="proved")


def example(x: Array) -> Number:
    """The function of Eq. (3), sample by sample."""
    x1, x2 = x[..., 0], x[..., 1]
    return _relu(_relu(x1) - _relu(x2)) - _relu(_relu(-x1) - _relu(-x2))


def _relu(z: Any) -> Any:
    return leaky_relu(z, 0)


@identity("zhang2024.eq_3.odd", "Eq. (3)", recorded="proved")
@mutants(scaled("1000001/1000000"), scaled(-1))
def the_example_function_is_odd() -> Any:
    r"""$g(x)=\sigma(\sigma(x_1)-\sigma(x_2))-\sigma(\sigma(-x_1)-\sigma(-x_2))$ satisfies $g(-x)=-g(x)$."""
    import sympy

    x1, x2 = sympy.symbols("x1 x2", real=True)

    def relu(z: Any) -> Any:
        return sympy.Max(z, 0)

    def g(a: Any, b: Any) -> Any:
        return relu(relu(a) - relu(b)) - relu(relu(-a) - relu(-b))

    return {"g(-x)": (g(-x1, -x2), -g(x1, x2))}


@existence.claim("nonlinear", "Eq. (3) and the sentence before", instances=[{"x": _whole([[1, 0], [0, 1]])}])
@mutants(changed("both points on one line", x=lambda x: x[:1] + 0 * x))
def the_example_function_is_not_linear(x: Array) -> Margin:
    r"""There are $x,x'$ with $g(x+x')\ne g(x)+g(x')$; the witness is $x=(1,0)$, $x'=(0,1)$, where $0\ne1$."""
    return differs(example(x[0] + x[1]), example(x[0]) + example(x[1]), "g(x + x') against g(x) + g(x')")


@existence.claim("three_layer", "sentence before Eq. (3)", instances=[{"net": THREE_LAYERS, "x": GRID}])
@mutants(scaled("101/100"), changed("slope 1/100", net=lambda net: net.with_slope((net.slope + 1) / 100)))
def three_layers_implement_the_example(net: DeepNetwork, x: Array) -> Margin:
    r"""A bias-free ReLU net with three weight matrices ($4\times2$, $2\times4$, $1\times2$) implements $g$."""
    return equal(net(x), example(x), "three-layer network against g")
