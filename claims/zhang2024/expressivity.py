r"""Section 3: what bias-free (leaky) ReLU networks can express.

Notation: sigma(z) = max(z, alpha z) with alpha in [0, 1], f(x) = W2 sigma(W1 x).
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Assumption, Kind, Margin, all_of, at_least, claim, differs, equal, identity, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.decide.proof import by_smt, steps
from refute.decide.symbolic import by_identity
from refute.functions import absolute, largest, leaky_relu, maximum
from refute.models import DeepNetwork, TwoLayer
from refute.models.zhang2024.evenness import even_part_coefficients
from refute.strategies import deep, drawn, point, positive, sized, two_layer
from refute.strategies.zhang2024.evenness import break_evenness, cancel_even_part


def _sigma(z: Any, alpha: Any) -> Any:
    import sympy

    return sympy.Max(z, alpha * z)


def _neuron() -> tuple[Any, Any, Any]:
    """A pre-activation z, a slope alpha in [0, 1] written 1 - b with b >= 0, and a factor a > 0."""
    import sympy

    return sympy.Symbol("z", real=True), 1 - sympy.Symbol("b", nonnegative=True), sympy.Symbol("a", positive=True)


def _homogeneous_neuron() -> str | None:
    z, alpha, a = _neuron()
    return by_identity(
        lambda: [_sigma(a * z, alpha) - a * _sigma(z, alpha)],
        "sigma(az) = a sigma(z), kept by linear maps and compositions",
    )


def odd_part_of_a_neuron() -> str | None:
    z, alpha, _ = _neuron()
    residual = _sigma(z, alpha) - _sigma(-z, alpha) - (1 + alpha) * z
    return by_identity(
        lambda: [residual], "sigma(z) - sigma(-z) = (1 + alpha) z, so the odd part is (1+alpha)/2 W2 W1 x"
    )


def _both_parts_of_a_neuron() -> str | None:
    import sympy

    z, alpha, _ = _neuron()
    even = _sigma(z, alpha) + _sigma(-z, alpha) - (1 - alpha) * sympy.Abs(z)
    even_part = by_identity(lambda: [even], "sigma(z) + sigma(-z) = (1 - alpha)|z|, even and homogeneous")
    return steps(even_part, odd_part_of_a_neuron())


positive_factor = Assumption(
    "number.positive_factor",
    "a > 0",
    lambda a: less(0, a, "0 against a"),
    base=sized(a=positive()),
    violate=lambda draw, a: {"a": -a},
)


@identity(
    "zhang2024.sec_2.alpha_one_is_linear",
    "section 2, below Eq. (1)",
    recorded="proved",
    mutants=[moved("slope 1/2 instead of 1", alpha=Fraction(1, 2)), moved("slope 0 instead of 1", alpha=0)],
)
def slope_one_makes_the_network_linear(*, alpha: Any = 1) -> Any:
    r"""With alpha = 1 every neuron is linear: $w_2\,\sigma(w_1 x) = w_2 w_1 x$, hence $W_2\sigma(W_1x)=W_2W_1x$."""
    import sympy

    pre, outer = sympy.symbols("z w", real=True)
    return outer * _sigma(pre, sympy.Rational(alpha)) - outer * pre


@claim(
    "zhang2024.sec_3.positive_homogeneity_two_layer",
    "section 3, first paragraph",
    given=sized(net=two_layer, x=point, a=positive()),
    assumes=[positive_factor],
    proof=_homogeneous_neuron,
    recorded="proved",
    mutants=[moved("scale invariant", degree=0), moved("quadratic", degree=2), without(positive_factor)],
)
def two_layer_functions_are_positively_homogeneous(net: TwoLayer, x: Array, a: Number, *, degree: int = 1) -> Margin:
    r"""$g(ax) = a\,g(x)$ for every $a>0$, and $g(0)=0$."""
    return all_of(equal(net(a * x), a**degree * net(x), "g(ax) = a g(x)"), equal(net(0 * x), 0, "g(0) = 0"))


@claim(
    "zhang2024.sec_3.positive_homogeneity_deep",
    "section 3.2, first sentence",
    given=sized(net=deep, x=point, a=positive(), depth=(2, 6)),
    assumes=[positive_factor],
    proof=_homogeneous_neuron,
    recorded="proved",
    mutants=[moved("scale invariant", degree=0), moved("quadratic", degree=2), without(positive_factor)],
)
def deep_functions_are_positively_homogeneous(net: DeepNetwork, x: Array, a: Number, *, degree: int = 1) -> Margin:
    r"""$g(ax) = a\,g(x)$ for every $a>0$, for networks of any depth."""
    return equal(net(a * x), a**degree * net(x), "g(ax) = a g(x)")


def _sixth_is_unavoidable() -> str | None:
    """Homogeneity gives g(1) = 2 g(1/2); whatever a = g(1/2) is, one of the two errors is at least 1/6."""
    import z3

    a = z3.Real("a")
    one_error, half_error = z3.Abs(2 * a - 1), z3.Abs(a - z3.Q(1, 4))
    return by_smt(lambda: z3.Or(one_error >= z3.Q(1, 6), half_error >= z3.Q(1, 6)))


@claim(
    "zhang2024.sec_3.not_universal",
    "section 3, first paragraph",
    given=sized(net=deep, dimension=(1, 1), depth=(2, 5)),
    proof=_sixth_is_unavoidable,
    recorded="proved",
    mutants=[
        moved("distance at least 1/2", distance=Fraction(1, 2)),
        moved("target |x|, which is expressible", power=1),
    ],
    convention="the continuous function is x^2 on [-1, 1], the distance the supremum norm; depth and width are "
    "arbitrary",
    cost=0.4,
)
def square_function_stays_at_distance_one_sixth(
    net: DeepNetwork, *, distance: Fraction = Fraction(1, 6), power: int = 2
) -> Margin:
    r"""Some continuous function is not approximated: every bias-free net g has $\sup_{[-1,1]}|g(x)-x^2|\ge 1/6$.

    Homogeneity alone forces $g(1)=2g(\tfrac12)$, while the target has $1$ and $\tfrac14$ there.
    """
    x = net.weights[0][:1, 0] * 0 + 1  # the point 1 in the arithmetic of the case
    errors = [absolute(net(p) - largest(p) ** power) for p in (x, x / 2)]
    return at_least(maximum(*errors), distance, "distance to the target at 1 or 1/2")


@claim(
    "zhang2024.theorem_1.decomposition",
    "Theorem 1",
    given=sized(net=two_layer, x=point, z=point, a=positive()),
    assumes=[positive_factor],
    proof=_both_parts_of_a_neuron,
    recorded="proved",
    mutants=[
        moved("linear part W2 W1 x", linear=1),
        moved("even part vanishes", even=0),
        moved("slope factor 1/3", linear=Fraction(1, 3)),
    ],
)
def every_function_is_linear_plus_even_homogeneous(
    net: TwoLayer, x: Array, z: Array, a: Number, *, linear: Number = Fraction(1, 2), even: int = 1
) -> Margin:
    r"""$f = \ell + e$ with $\ell(x)=\tfrac12(f(x)-f(-x))$ linear, $e(x)=\tfrac12(f(x)+f(-x))$ even and positively
    homogeneous.

    The linear part is $\tfrac{1+\alpha}{2}W_2W_1x$.
    """

    def ell(p: Array) -> Number:
        return (net(p) - net(-p)) / 2

    def e(p: Array) -> Number:
        return even * (net(p) + net(-p)) / 2

    return all_of(
        equal(ell(x), linear * (1 + net.slope) * (net.linear_map() @ x), "odd part is (1+alpha)/2 W2 W1 x"),
        equal(ell(x + z), ell(x) + ell(z), "the odd part is additive"),
        equal(e(-x), e(x), "the even part is even"),
        equal(e(a * x), a * e(x), "the even part is homogeneous"),
        equal(ell(x) + e(x), net(x), "the parts add up"),
    )


@identity(
    "zhang2024.eq_2.activation_split",
    "Eq. (2)",
    recorded="proved",
    mutants=[
        moved("linear factor (1-alpha)/2", linear=(-1, 2)),
        moved("absolute factor (1+alpha)/2", absolute_value=(1, 2)),
        moved("halves dropped", linear=(1, 1), absolute_value=(-1, 1)),
        moved("factors 2/5", linear=(1, Fraction(5, 2))),
    ],
    convention="alpha is written 1 - b with b >= 0, which covers [0, 1]; the sum over neurons is linear in each term",
)
def relu_is_a_linear_plus_an_absolute_value(*, linear: Any = (1, 2), absolute_value: Any = (-1, 2)) -> Any:
    r"""$\sigma(z)=\tfrac{1+\alpha}{2}z+\tfrac{1-\alpha}{2}|z|$ for $\alpha\in[0,1]$, neuron by neuron."""
    import sympy

    z, w = sympy.symbols("z w", real=True)
    b = sympy.symbols("b", nonnegative=True)
    alpha = 1 - b
    plus, by = (sympy.Rational(part) for part in linear)
    minus, over = (sympy.Rational(part) for part in absolute_value)
    return w * _sigma(z, alpha) - w * ((1 + plus * alpha) / by * z + (1 + minus * alpha) / over * sympy.Abs(z))


def _expressed_function_is_odd(net: TwoLayer) -> Margin:
    return equal(even_part_coefficients(net), 0, "coefficients of |v.x| over the distinct lines v")


odd_function = Assumption(
    "network.odd_function",
    "the expressed function is odd on the whole space",
    _expressed_function_is_odd,
    base=sized(net=two_layer),
    satisfy=cancel_even_part,
    violate=break_evenness,
)


@claim(
    "zhang2024.corollary_2.odd_implies_linear",
    "Corollary 2",
    given=sized(net=two_layer, x=point, z=point, width=drawn(1, 3)),
    assumes=[odd_function],
    proof=odd_part_of_a_neuron,
    recorded="proved",
    mutants=[without(odd_function), moved("equal to W2 W1 x", factor=1), moved("equal to zero", factor=0)],
    convention="oddness is decided exactly: sum_h w2h |w1h.x| vanishes iff it does on every line spanned by rows of W1",
)
def odd_functions_are_linear(net: TwoLayer, x: Array, z: Array, *, factor: Number = Fraction(1, 2)) -> Margin:
    r"""An odd function expressed by a two-layer net is linear, namely $\tfrac{1+\alpha}{2}W_2W_1x$.

    If f is odd then f(x) = (f(x) - f(-x))/2, and that is linear for every two-layer net.
    """
    return all_of(
        equal(net(x + z), net(x) + net(z), "f(x+z) = f(x) + f(z)"),
        equal(net(x), factor * (1 + net.slope) * (net.linear_map() @ x), "f(x) = (1+alpha)/2 W2 W1 x"),
    )


def _g(x: Array) -> Number:
    """The function of Eq. (3), sample by sample."""

    def relu(z: Any) -> Any:
        return leaky_relu(z, 0)

    x1, x2 = x[..., 0], x[..., 1]
    return relu(relu(x1) - relu(x2)) - relu(relu(-x1) - relu(-x2))


@identity(
    "zhang2024.eq_3.odd", "Eq. (3)", recorded="proved", mutants=[moved("terms added", second=1), moved("even", sign=-1)]
)
def the_example_function_is_odd(*, second: int = -1, sign: int = 1) -> Any:
    r"""$g(x)=\sigma(\sigma(x_1)-\sigma(x_2))-\sigma(\sigma(-x_1)-\sigma(-x_2))$ satisfies $g(-x)=-g(x)$."""
    import sympy

    x1, x2 = sympy.symbols("x1 x2", real=True)

    def relu(z: Any) -> Any:
        return sympy.Max(z, 0)

    def g(a: Any, b: Any) -> Any:
        return relu(relu(a) - relu(b)) + second * relu(relu(-a) - relu(-b))

    return g(-x1, -x2) + sign * g(x1, x2)


@claim(
    "zhang2024.eq_3.nonlinear",
    "Eq. (3) and the sentence before",
    kind=Kind.EXISTENCE,
    instances=[{"x": np.array([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]], dtype=object)}],
    recorded="proved",
    mutants=[moved("only the linear part is taken", keep=0)],
)
def the_example_function_is_not_linear(x: Array, *, keep: int = 1) -> Margin:
    r"""There are $x,x'$ with $g(x+x')\ne g(x)+g(x')$; the witness is $x=(1,0)$, $x'=(0,1)$, where $0\ne1$."""

    def g(p: Array) -> Number:
        return keep * _g(p) + (1 - keep) * p[..., 0]

    return differs(g(x[0] + x[1]), g(x[0]) + g(x[1]), "g(x + x') against g(x) + g(x')")


_ONE, _NIL = Fraction(1), Fraction(0)
_THREE_LAYERS = DeepNetwork(
    (
        np.array([[_ONE, _NIL], [_NIL, _ONE], [-_ONE, _NIL], [_NIL, -_ONE]], dtype=object),
        np.array([[_ONE, -_ONE, _NIL, _NIL], [_NIL, _NIL, _ONE, -_ONE]], dtype=object),
        np.array([[_ONE, -_ONE]], dtype=object),
    ),
    _NIL,
)
# Both functions are linear on the cones cut out by x1 = 0, x2 = 0, x1 = x2: agreement on this grid is agreement
# everywhere.
_GRID = np.array([[Fraction(a), Fraction(b)] for a in range(-2, 3) for b in range(-2, 3)], dtype=object)


@claim(
    "zhang2024.eq_3.three_layer",
    "sentence before Eq. (3)",
    kind=Kind.EXISTENCE,
    instances=[{"net": _THREE_LAYERS, "x": _GRID}],
    recorded="proved",
    mutants=[moved("output scaled by 2", scale=2), moved("slope 1/2 in the network", slope=Fraction(1, 2))],
)
def three_layers_implement_the_example(
    net: DeepNetwork, x: Array, *, scale: int = 1, slope: Number = Fraction(0)
) -> Margin:
    r"""A bias-free ReLU net with three weight matrices ($4\times2$, $2\times4$, $1\times2$) implements $g$."""
    built = DeepNetwork.__new__(DeepNetwork)
    object.__setattr__(built, "weights", net.weights)
    object.__setattr__(built, "slope", slope)
    return equal(scale * built(x), _g(x), "three-layer network against g")


@claim(
    "zhang2024.sec_3_2.depth_separation",
    "end of section 3.2",
    kind=Kind.EXISTENCE,
    instances=[{"net": _THREE_LAYERS, "x": _GRID}],
    recorded="proved",
    mutants=[moved("the linear function x1 instead", nonlinear=0)],
    convention="no two-layer net expresses an odd nonlinear function: that half is "
    "zhang2024.corollary_2.odd_implies_linear",
)
def depth_three_expresses_an_odd_nonlinear_function(net: DeepNetwork, x: Array, *, nonlinear: int = 1) -> Margin:
    r"""A function that is odd, not linear, and implemented by a three-layer net exists; no
    two-layer net can be both.
    """

    def g(p: Array) -> Number:
        return nonlinear * net(p) + (1 - nonlinear) * p[..., 0]

    parts = [equal(g(-x), -g(x), "odd"), differs(g(x[:1] + x[1:]), g(x[:1]) + g(x[1:]), "additivity fails somewhere")]
    return all_of(*parts)
