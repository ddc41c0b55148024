r"""Theorem 1 with Eq. (2): every function of a bias-free two-layer network is linear plus even and homogeneous."""

from typing import Any

from refute import Margin, all_of, equal, identity, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.neurons import both_parts_of_a_neuron, sigma
from refute.claims.zhang2024.section_3 import positive_factor
from refute.models import TwoLayer
from refute.models.zhang2024.fields import mean_slope
from refute.strategies import mixed, point, positive, sized, two_layer

PARTS: dict[str, Any] = {"net": two_layer, "x": point, "z": point, "a": positive()}

main = section(
    "zhang2024",
    "theorem_1",
    "Theorem 1",
    given=mixed(sized(**PARTS), sized(**PARTS, width=(5, 50), dimension=(4, 20))),
    assumes=[positive_factor],
    proof=both_parts_of_a_neuron,
    recorded="proved",
)


@main.claim("decomposition")
@mutants(scaled("101/100", "odd part"), scaled("101/100", "the even part is homogeneous"))
def every_function_is_linear_plus_even_homogeneous(net: TwoLayer, x: Array, z: Array, a: Number) -> Margin:
    r"""$f=\ell+e$ with $\ell(x)=\tfrac12(f(x)-f(-x))$ linear, $e(x)=\tfrac12(f(x)+f(-x))$ even and positively
    homogeneous.

    The linear part is $\tfrac{1+\alpha}{2}W_2W_1x$.

    Convention: proved for one neuron, and both sides are sums over neurons; up to 50 neurons in 20 dimensions are tried
    as well
    """

    def odd(p: Array) -> Number:
        return (net(p) - net(-p)) / 2

    def even(p: Array) -> Number:
        return (net(p) + net(-p)) / 2

    return all_of(
        equal(odd(x), mean_slope(net) * (net.linear_map() @ x), "odd part is (1+alpha)/2 W2 W1 x"),
        equal(odd(x + z), odd(x) + odd(z), "the odd part is additive"),
        equal(even(-x), even(x), "the even part is even"),
        equal(even(a * x), a * even(x), "the even part is homogeneous"),
        equal(odd(x) + even(x), net(x), "the parts add up"),
    )


@identity("zhang2024.eq_2.activation_split", "Eq. (2)", recorded="proved")
@mutants(scaled("1000001/1000000"), scaled("999999/1000000"))
def relu_is_a_linear_plus_an_absolute_value() -> Any:
    r"""$\sigma(z)=\tfrac{1+\alpha}{2}z+\tfrac{1-\alpha}{2}|z|$ for $\alpha\in[0,1]$, neuron by neuron.

    Convention: alpha is written 1 - b with b >= 0, which covers [0, 1]; the sum over neurons is linear in each term
    """
    import sympy

    z, w = sympy.symbols("z w", real=True)
    alpha = 1 - sympy.symbols("b", nonnegative=True)
    return {"neuron": (w * sigma(z, alpha), w * ((1 + alpha) / 2 * z + (1 - alpha) / 2 * sympy.Abs(z)))}
