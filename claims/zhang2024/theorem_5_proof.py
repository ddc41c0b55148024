r"""The proof of Theorem 5 beside its numbered equations: values on half spaces, the argument for rank one, the displays
below (37), and what is said along the flow.

Notation: $\mathbb S^+=\{r^\top x\ge0\}$ and $\mathbb S^-$ its complement; $W_2=[W_2^+,W_2^-]$;
$E=e^{\frac{\alpha+1}2yW_2W_1x}+1$.
"""

from typing import Any

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    assumption,
    changed,
    derived,
    equal,
    identity,
    less,
    mutants,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.assumptions import clear, even_inputs, odd_target, off_boundary, rank_one
from refute.claims.zhang2024.equation_37 import (
    ASSUMED,
    LOGISTIC_CASES,
    MUTANTS,
    PRINTED_FIELD,
    PRINTED_LOSS,
    ROOT,
    USUAL_LOSS,
    damping,
    output_put_in,
)
from refute.claims.zhang2024.equations_30_34 import DISPLAY_MUTANTS, OFF_BOUNDARY, PARTITION, display
from refute.claims.zhang2024.neurons import neuron_of_a_rank_one_network
from refute.claims.zhang2024.pairs import (
    gated_outputs_add_up,
    gated_weights_add_up,
    gates_by_sides,
    half_spaces_off_the_boundary,
    outputs_add_up,
)
from refute.claims.zhang2024.setting import ON_THE_HYPERPLANE
from refute.claims.zhang2024.theorem_5 import DROPS, LATE, square
from refute.decide.proof import in_words, steps
from refute.decide.symbolic import by_identity
from refute.functions import sign, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.geometry.elimination import rank
from refute.models.zhang2024.fields import Pair, mean_slope, through
from refute.models.zhang2024.rank_one import (
    Lines,
    damped_row,
    first_layer_lines,
    projection,
    second_layer_lines,
    squared_norm_of_sign,
)
from refute.models.zhang2024.rescaled import Course, Floats, LinearCourse
from refute.models.zhang2024.symmetry import rank_one_defects
from refute.strategies import point, sized, two_layer
from refute.strategies.zhang2024.boundaries import fill_outer, zero_net
from refute.strategies.zhang2024.symmetry import break_rank_one, make_rank_one

NEARLY = "100001/100000"


@derived
def squares(net: TwoLayer) -> tuple[Number, Number]:
    """|W2+|^2 and |W2-|^2."""
    return squared_norm_of_sign(net.outer, 1), squared_norm_of_sign(net.outer, -1)


values = section(
    "zhang2024",
    "theorem_5.half_space_values",
    "two displays after Eq. (26)",
    given=sized(net=two_layer, x=point, width=(1, 4)),
    assumes=[rank_one],
    derived=[squares],
    proof=neuron_of_a_rank_one_network,
    recorded="proved",
    mutants=[
        without(rank_one),
        scaled("101/100"),
        changed("alpha on the other side", squares=lambda squares: squares[::-1]),
    ],
    cost=2.0,
)


@values.claim()
def output_on_each_half_space(net: TwoLayer, x: Array, squares: tuple[Number, Number]) -> Margin:
    r"""$f=r^\top x(\|W_2^+\|^2+\alpha\|W_2^-\|^2)$ on $\mathbb S^+$ and $f=r^\top x(\alpha\|W_2^+\|^2+\|W_2^-\|^2)$ on
    $\mathbb S^-$.
    """
    z = projection(net, x)
    active, leaking = squares if sign(z) >= 0 else squares[::-1]
    return equal(net(x), z * (active + net.slope * leaking), "f(x) against its value on the half space")


@square.claim("proof_weight_match", "displays after Eq. (35)")
@mutants(LATE, scaled("1001/1000", "first"), scaled("1001/1000", "f against"), *DROPS)
def rescaled_weights_are_those_of_the_linear_network(
    net: TwoLayer, relu: Course, linear: LinearCourse, clock: float, points: Floats
) -> Margin:
    r"""With $\overline W=\sqrt{\tfrac{\alpha+1}2}W$ and $\overline W(0)=W^{lin}(0)$:
    $\overline W(t)=W^{lin}(\tfrac{\alpha+1}2t)$, and $f=\tfrac{\alpha+1}2W_2(t)W_1(t)x=W_2^{lin}W_1^{lin}x$ at the
    rescaled time.

    Convention: the printed product W(t) W(t) x lacks its subscripts: W2(t) W1(t) x.
    """
    half, other = mean_slope(net), linear(clock)
    product = half * relu.linear_map @ points.T
    return all_of(
        equal(half**0.5 * relu.inner, other.inner, "first layer, rescaled"),
        equal(half**0.5 * relu.outer, other.outer, "second layer, rescaled"),
        equal(relu.outputs(points), product, "f against (alpha+1)/2 W2 W1 x"),
        equal(product, other.linear_map @ points.T, "(alpha+1)/2 W2 W1 x against the linear network"),
    )


@square.claim("balanced_zero", "display after Eq. (36)")
@mutants(scaled("1001/1000"), *DROPS)
def layers_stay_balanced(relu: Course) -> Margin:
    r"""$W_1(t)W_1(t)^\top-W_2(t)^\top W_2(t)=0$ for all $t\ge0$.

    The diagonal is conserved by every flow; off the diagonal equal norms are needed, since otherwise the two signs turn
    apart.
    """
    first = (relu.inner[:, :, None, :] * relu.inner[:, None, :, :]).sum(axis=3)
    return equal(first, relu.outer[:, :, None] * relu.outer[:, None, :], "W1 W1^T against W2^T W2")


@assumption("network.balanced", base=sized(net=two_layer), satisfy=make_rank_one, violate=break_rank_one)
def balanced(net: TwoLayer) -> Margin:
    """W1 W1^T = W2^T W2"""
    return equal(net.inner @ net.inner.T, net.outer[:, None] * net.outer[None, :], "W1 W1^T against W2^T W2")


@assumption("network.nonzero_outer", base=sized(net=two_layer), satisfy=fill_outer, violate=zero_net)
def nonzero_outer(net: TwoLayer) -> Margin:
    """W2 is not zero"""
    return less(0, squared_norm(net.outer), "|W2|^2")


def _balanced_matrices() -> str | None:
    r"""With $b=W_2^\top$, $s=b^\top b$, $G=W_1W_1^\top$ and $M=s-bb^\top$: $M^2=sM$, so that
    $\|MW_1\|^2=\operatorname{tr}M^2G=s(s\operatorname{tr}G-b^\top Gb)$, which is zero for $G=bb^\top$.
    """
    import sympy

    b, bt = sympy.symbols("b bt", commutative=False)
    s = sympy.Symbol("s", positive=True)
    M = s - b * bt
    product = sympy.expand(M * M).subs(bt * b, s)
    trace, form = s, (bt * b * bt * b).subs(bt * b, s)  # tr G and b^T G b for G = b b^T
    return by_identity(
        lambda: [sympy.expand(product - s * M), s * (s * trace - form), form / s**2 - 1],
        "in every size, (|W2|^2 - W2^T W2) W1 has norm zero, so W1 = W2^T r^T with r = W1^T W2^T/|W2|^2 and |r| = 1",
    )


@square.but(given=sized(net=two_layer), cost=2.0, derived=[]).claim(
    "rank_argument",
    "paragraph after Eq. (36)",
    assumes=[balanced],
    kind=Kind.ALGEBRAIC,
    convention="",
    recorded="refuted",
    fault=Fault.BOUNDARY,
)
def balanced_weights_have_rank_one(net: TwoLayer) -> Margin:
    r"""$W_1W_1^\top=W_2^\top W_2$ implies that $W_1$ has rank one and is $vr^\top$ with $\|r\|=1$, $v=\pm W_2^\top$.

    Fails only for $W_2=0$, where $W_1=0$ has rank zero.
    """
    residual, length = rank_one_defects(net.inner, net.outer)
    return all_of(
        equal(rank(net.inner @ net.inner.T), rank(net.inner), "rank W1 W1^T against rank W1"),
        equal(rank(net.inner), 1, "rank W1"),
        equal(residual, 0, "W1 = v r^T with v = +-W2^T"),
        equal(length, 0, "|r| = 1"),
    )


balanced_weights_have_rank_one.amended(
    r"Amended: if $W_2\ne0$. Then $W_2^\top W_2$ has rank one, so $W_1=vr^\top$ and $vv^\top=W_2^\top W_2$: "
    r"$v=\pm W_2^\top$.",
    assumes=[nonzero_outer, balanced],
    proof=_balanced_matrices,
    recorded="proved",
    mutants=[without(nonzero_outer), without(balanced), shifted(1, "rank W1")],
)


logistic = section(
    "zhang2024",
    "theorem_5",
    given=LOGISTIC_CASES,
    assumes=[*ASSUMED, clear],
    derived=[damping, PRINTED_FIELD],
    recorded="proved",
    convention="no datum on r.x = 0, where every term with W2 W1 x vanishes anyway",
    cost=8.0,
)
BOTH_LAYERS = [scaled("101/100", "first"), scaled("101/100", "second"), *MUTANTS[1:], without(even_inputs)]


def _both(one: Pair, other: Pair) -> Margin:
    return all_of(equal(one[0], other[0], "first layer"), equal(one[1], other[1], "second layer"))


EVEN_DAMPING = in_words("1/E is the same at x and -x, as y and W2 W1 x change sign together")


def _reduced() -> str | None:
    return steps(output_put_in(), gated_outputs_add_up(), outputs_add_up(), EVEN_DAMPING)


def _reduced_with_the_label() -> str | None:
    return steps(output_put_in(), gated_weights_add_up(), outputs_add_up(), EVEN_DAMPING)


@logistic.claim("logistic_reduced", 'display "Thus, the reduced dynamics"', proof=_reduced)
@mutants(*BOTH_LAYERS)
def logistic_reduced_dynamics(net: TwoLayer, data: Dataset, damping: Array, flow: Pair) -> Margin:
    r"""R0: $\tau\dot W_1=(\tfrac{\alpha+1}2)^2W_2^\top W_2W_1\langle xx^\top/E\rangle$,
    $\tau\dot W_2=(\tfrac{\alpha+1}2)^2W_2W_1\langle xx^\top/E\rangle W_1^\top$ is the printed field (7) at weights of
    Assumption 4.
    """
    return _both(flow, through(net, mean_slope(net) ** 2 * damped_row(net, data, damping)))


@logistic.but(derived=[damping, USUAL_LOSS], proof=_reduced_with_the_label).claim(
    "logistic_reduced.amended", 'display "Thus, the reduced dynamics"'
)
@mutants(*BOTH_LAYERS, without(odd_target))
def logistic_reduced_dynamics_with_the_label(net: TwoLayer, data: Dataset, damping: Array, flow: Pair) -> Margin:
    r"""Amended: $\tau\dot W_1=\tfrac{\alpha+1}2W_2^\top\langle yx^\top/E\rangle$,
    $\tau\dot W_2=\tfrac{\alpha+1}2\langle yx^\top/E\rangle W_1^\top$ is minus the gradient of
    $\langle\ln(1+e^{-yf})\rangle$: the label y stands where f was printed.
    """
    return _both(flow, through(net, mean_slope(net) * (data.labels * damping) @ data.inputs / len(data.labels)))


for name, loss, formula, numbers in (
    ("r1", PRINTED_LOSS, r"$\langle\ln(1+e^{yf})\rangle$, the printed loss", "1, -1: 0.134 against -0.366"),
    ("r2", USUAL_LOSS, r"$\langle\ln(1+e^{-yf})\rangle$", "1/2, -1/2: 0.027 against 0.109"),
):
    logistic_reduced_dynamics.reading(
        name,
        f"{name.upper()}: minus the gradient of {formula}. Fails, as Eq. (7) does: f stands where y should. For the "
        f"data (1, 1), (-1, -1) and ReLU neurons with both weights {numbers} in the first entry of each layer.",
        derived=[damping, loss],
        recorded="refuted",
        fault=Fault.WRONG,
        root=ROOT,
        mutants=[],
    )


@derived
def of_first_layer(net: TwoLayer, data: Dataset, damping: Array) -> Lines:
    """The lines of the first display after Eq. (37)."""
    return first_layer_lines(net, data, damping)


@derived
def of_second_layer(net: TwoLayer, data: Dataset, damping: Array) -> Lines:
    """The lines of the second display after Eq. (37)."""
    return second_layer_lines(net, data, damping)


displays = logistic.but(
    assumes=[*ASSUMED, off_boundary],
    derived=[damping, of_first_layer, of_second_layer],
    recorded="refuted",
    fault=Fault.BOUNDARY,
    root=ON_THE_HYPERPLANE,
    convention=PARTITION,
    cost=1.0,
)
terms = displays.but(assumes=logistic.assumes, fault=Fault.WRONG, root="", convention="R1: term by term")


@displays.claim("logistic_simplify_first", "first display after Eq. (37)")
def logistic_second_term_of_the_first_layer(of_first_layer: Lines) -> Margin:
    r"""$\langle\sigma'(W_1x)\odot W_2^\top W_2W_1xx^\top/E\rangle=\tfrac12\langle\cdot\rangle_{\mathbb S^+}
    +\tfrac12\langle\cdot\rangle_{\mathbb S^-}=\tfrac12[\alpha W_2^+,W_2^-]^\top W_2W_1\langle
    xx^\top/E\rangle_{\mathbb S^+}+\tfrac12[W_2^+,\alpha W_2^-]^\top W_2W_1\langle xx^\top/E\rangle_{\mathbb S^-}
    =\tfrac{\alpha+1}2W_2^\top W_2W_1\langle xx^\top/E\rangle$.

    Fails in its half-space averages when a datum lies on the hyperplane, like Eqs. (31) and (33). In their case, with
    labels -1, 0, 1, the first entry is 0.18 on average, 0.13 by the two halves and 0.27 in the next line.
    """
    return display(of_first_layer, of_first_layer.exchanged)


@displays.claim("logistic_simplify_second", "second display after Eq. (37)")
def logistic_second_term_of_the_second_layer(of_second_layer: Lines) -> Margin:
    r"""$\langle x\,\sigma(W_1x)^\top/E\rangle=\tfrac12\langle xx^\top/E\rangle_{\mathbb S^+}r[\alpha W_2^+\ W_2^-]
    +\tfrac12\langle xx^\top/E\rangle_{\mathbb S^-}r[W_2^+\ \alpha W_2^-]=\tfrac{\alpha+1}2\langle xx^\top/E\rangle
    W_1^\top$.

    Fails in its half-space averages like the first display: the first entry is 0.09 on average, 0.07 by the two halves
    and 0.13 in the next line.
    """
    return display(of_second_layer, of_second_layer.exchanged)


for printed in (logistic_second_term_of_the_first_layer, logistic_second_term_of_the_second_layer):
    printed.amended(
        OFF_BOUNDARY,
        assumes=logistic.assumes,
        proof=half_spaces_off_the_boundary,
        recorded="proved",
        mutants=DISPLAY_MUTANTS,
        convention="",
        cost=8.0,
    )


def _term_by_term(lines: Lines, gated: Pair) -> Margin:
    """The term over each half space with its counterpart in the next line."""
    pairs = zip(lines.halves, gated, "+-", strict=True)
    return all_of(*(equal(average, term, f"term over S{side}") for average, term, side in pairs))


@terms.claim("logistic_simplify_first.r1", "first display after Eq. (37)")
def logistic_first_display_term_by_term(of_first_layer: Lines) -> Margin:
    r"""R1: in $\tfrac12\langle\cdot\rangle_{\mathbb S^+}+\tfrac12\langle\cdot\rangle_{\mathbb S^-}=\tfrac12[\alpha
    W_2^+,W_2^-]^\top W_2W_1\langle xx^\top/E\rangle_{\mathbb S^+}+\tfrac12[W_2^+,\alpha W_2^-]^\top W_2W_1\langle
    xx^\top/E\rangle_{\mathbb S^-}$ the term over each half space agrees with its counterpart.

    Fails: on $\mathbb S^+$ the positive outer weights are active, so $\alpha$ belongs to $W_2^-$ there; print has it at
    $W_2^+$. The two errors cancel in the sum, since both half spaces have the same moments. For the ReLU neurons 1 and
    -1 with outer weights 1 and -1 and the inputs 1, -1 the factor on $\mathbb S^+$ is (1, 0), printed as (0, -1).
    """
    return _term_by_term(of_first_layer, of_first_layer.exchanged)


@terms.claim(
    "logistic_simplify_second.r1",
    "second display after Eq. (37)",
    root="zhang2024.theorem_5.logistic_simplify_first.r1",
)
def logistic_second_display_term_by_term(of_second_layer: Lines) -> Margin:
    r"""R1: in the same way, the terms with $\langle xx^\top/E\rangle_{\mathbb S^+}r[\alpha W_2^+\ W_2^-]$ and $\langle
    xx^\top/E\rangle_{\mathbb S^-}r[W_2^+\ \alpha W_2^-]$ agree with the averages over $\mathbb S^+$ and $\mathbb S^-$.

    Fails as in the first display.
    """
    return _term_by_term(of_second_layer, of_second_layer.exchanged)


exchanged = logistic.but(
    derived=displays.common["derived"],
    proof=gates_by_sides,
    convention="",
    mutants=[scaled("101/100", "term over S+"), scaled("101/100", "term over S-"), without(rank_one)],
)


@exchanged.claim("logistic_simplify_first.r1.amended", "first display after Eq. (37)")
def logistic_first_display_with_gates_exchanged(of_first_layer: Lines) -> Margin:
    r"""Amended: term by term, $[W_2^+,\alpha W_2^-]$ on $\mathbb S^+$ and $[\alpha W_2^+,W_2^-]$ on $\mathbb S^-$, as
    in (31).
    """
    return _term_by_term(of_first_layer, of_first_layer.gated)


@exchanged.claim("logistic_simplify_second.r1.amended", "second display after Eq. (37)")
def logistic_second_display_with_gates_exchanged(of_second_layer: Lines) -> Margin:
    r"""Amended: term by term, $[W_2^+\ \alpha W_2^-]$ on $\mathbb S^+$ and $[\alpha W_2^+\ W_2^-]$ on $\mathbb S^-$, as
    in (33).
    """
    return _term_by_term(of_second_layer, of_second_layer.gated)


@identity("zhang2024.theorem_5.logistic_rescaled", "last display of the logistic proof", recorded="proved")
@mutants(scaled(NEARLY, "exponent"), scaled(NEARLY, "first layer"), scaled(NEARLY, "second layer"))
def rescaled_weights_follow_the_linear_logistic_flow() -> Any:
    r"""With $V_i=\sqrt{\tfrac{\alpha+1}2}W_i$ the reduced logistic flow becomes (10) with another time constant:
    $\tfrac{2\tau}{\alpha+1}\dot V_1=V_2^\top V_2V_1\langle\frac{xx^\top}{e^{yV_2V_1x}+1}\rangle$ and
    $\tfrac{2\tau}{\alpha+1}\dot V_2=V_2V_1\langle\frac{xx^\top}{e^{yV_2V_1x}+1}\rangle V_1^\top$.

    Convention: matrices are non-commuting symbols and S = <x x^T/E>, whose exponent half y W2 W1 x is y V2 V1 x
    """
    import sympy

    y, half = sympy.Symbol("y", real=True), (sympy.Symbol("alpha", nonnegative=True) + 1) / 2
    W1, W1t, W2, W2t, S, x = sympy.symbols("W1 W1t W2 W2t S x", commutative=False)
    c = sympy.sqrt(half)
    V1, V1t, V2, V2t = c * W1, c * W1t, c * W2, c * W2t
    lines = {
        "exponent": (half * y * W2 * W1 * x, y * V2 * V1 * x),
        "first layer": (c / half * half**2 * W2t * W2 * W1 * S, V2t * V2 * V1 * S),
        "second layer": (c / half * half**2 * W2 * W1 * S * W1t, V2 * V1 * S * V1t),
    }
    return {name: tuple(map(sympy.expand, sides)) for name, sides in lines.items()}
