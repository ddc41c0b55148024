r"""Section 3 beside its numbered statements: homogeneity, what it excludes, and what depth adds.

Notation: $\sigma(z)=\max(z,\alpha z)$ with $\alpha\in[0,1]$, $f(x)=W_2\sigma(W_1x)$.
"""

from fractions import Fraction

from refute import (
    Kind,
    Margin,
    all_of,
    assumption,
    at_least,
    changed,
    differs,
    equal,
    instead,
    less,
    mutants,
    scaled,
    section,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.equation_3 import GRID, THREE_LAYERS
from refute.claims.zhang2024.neurons import homogeneous_neuron
from refute.decide.proof import by_smt
from refute.functions import absolute, maximum
from refute.models import DeepNetwork, TwoLayer
from refute.strategies import deep, point, positive, sized, two_layer


@assumption("number.positive_factor", base=sized(a=positive()), violate=lambda draw, a: {"a": -a})
def positive_factor(a: Number) -> Margin:
    """a > 0"""
    return less(0, a, "0 against a")


homogeneity = section(
    "zhang2024",
    "sec_3",
    assumes=[positive_factor],
    proof=homogeneous_neuron,
    recorded="proved",
    mutants=[scaled("101/100", "g(ax)"), without(positive_factor)],
)


@homogeneity.claim(
    "positive_homogeneity_two_layer", "section 3, first paragraph", given=sized(net=two_layer, x=point, a=positive())
)
def two_layer_functions_are_positively_homogeneous(net: TwoLayer, x: Array, a: Number) -> Margin:
    r"""$g(ax)=a\,g(x)$ for every $a>0$, and $g(0)=0$."""
    return all_of(equal(net(a * x), a * net(x), "g(ax) = a g(x)"), equal(net(0 * x), 0, "g(0) = 0"))


@homogeneity.claim(
    "positive_homogeneity_deep",
    "section 3.2, first sentence",
    given=sized(net=deep, x=point, a=positive(), depth=(2, 6)),
)
def deep_functions_are_positively_homogeneous(net: DeepNetwork, x: Array, a: Number) -> Margin:
    r"""$g(ax)=a\,g(x)$ for every $a>0$, for networks of any depth."""
    return equal(net(a * x), a * net(x), "g(ax) = a g(x)")


def _sixth_is_unavoidable() -> str | None:
    """Homogeneity gives g(1) = 2 g(1/2); whatever a = g(1/2) is, one of the two errors is at least 1/6."""
    import z3

    a = z3.Real("a")
    one_error, half_error = z3.Abs(2 * a - 1), z3.Abs(a - z3.Q(1, 4))
    return by_smt(lambda: z3.Or(one_error >= z3.Q(1, 6), half_error >= z3.Q(1, 6)))


def _distance(net: DeepNetwork, power: int) -> Number:
    """The larger distance of g from |x|^power at 1 and at 1/2."""
    one = net.weights[0][:1, 0] * 0 + 1
    return maximum(*(absolute(net(p) - p[0] ** power) for p in (one, one / 2)))


def _distance_to_the_absolute_value(net: DeepNetwork) -> Margin:
    return at_least(_distance(net, 1), Fraction(1, 6), "distance to the target at 1 or 1/2")


@section("zhang2024", "sec_3.not_universal", "section 3, first paragraph", cost=0.4).claim(
    given=sized(net=deep, dimension=(1, 1), depth=(2, 5)), proof=_sixth_is_unavoidable, recorded="proved"
)
@mutants(scaled("5/4"), instead("target |x|, which is expressible", _distance_to_the_absolute_value))
def square_function_stays_at_distance_one_sixth(net: DeepNetwork) -> Margin:
    r"""Some continuous function is not approximated: every bias-free net g has $\sup_{[-1,1]}|g(x)-x^2|\ge1/6$.

    Homogeneity alone forces $g(1)=2g(\tfrac12)$, while the target has $1$ and $\tfrac14$ there.

    Convention: the continuous function is x^2 on [-1, 1], the distance the supremum norm; depth and width are
    arbitrary
    """
    return at_least(_distance(net, 2), Fraction(1, 6), "distance to the target at 1 or 1/2")


@section("zhang2024", "sec_3_2.depth_separation", "end of section 3.2", kind=Kind.EXISTENCE).claim(
    instances=[{"net": THREE_LAYERS, "x": GRID}], recorded="proved"
)
@mutants(
    changed("its absolute value, which is even", net=lambda net: lambda x: absolute(net(x))),
    changed("the linear function x1 instead", net=lambda net: lambda x: x[..., 0]),
)
def depth_three_expresses_an_odd_nonlinear_function(net: DeepNetwork, x: Array) -> Margin:
    r"""A function that is odd, not linear, and implemented by a three-layer net exists; no two-layer net can be
    both.

    Convention: no two-layer net expresses an odd nonlinear function: that half is
    zhang2024.corollary_2.odd_implies_linear
    """
    return all_of(
        equal(net(-x), -net(x), "odd"),
        differs(net(x[:1] + x[1:]), net(x[:1]) + net(x[1:]), "additivity fails somewhere"),
    )
