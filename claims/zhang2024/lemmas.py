r"""Appendix D: Lemmas 8, 10 and 11, which turn averages over a half space into averages over the dataset.

Notation: <.> is the average over the dataset, <.>_S the average over the data in S, Sigma = <x x^T>, beta = <y x>.
"""

from fractions import Fraction

import numpy as np

from refute import Assumption, Margin, all_of, at_most, claim, equal, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.conditions import CONDITION_3, even_inputs, odd_target
from refute.claims.zhang2024.pairs import gates_add_up, mean_gates_add_up, one_of_each_pair, outputs_add_up
from refute.errors import BadInput
from refute.functions import leaky_relu_slope, mean, sign, squared_norm
from refute.models import Dataset, TwoLayer
from refute.strategies import choice, dataset, point, sized, two_layer
from refute.strategies.zhang2024.halfspaces import (
    avoid_hyperplane,
    avoid_kinks,
    hit_hyperplane,
    hit_kink,
    tilt_off_zero,
    zero_normal,
)


@claim(
    "zhang2024.lemma_8.second_moment_bound",
    "Lemma 8 and its proof",
    given=sized(net=two_layer, data=dataset),
    recorded="supported",
    mutants=[
        moved("spectral-sized bound: half of the right-hand side", factor=Fraction(1, 2)),
        moved("trace replaced by trace/D", per_dimension=1),
        moved("first link strict", strict=1),
    ],
)
def second_moments_of_the_hidden_layer_are_bounded(
    net: TwoLayer, data: Dataset, *, factor: Number = Fraction(1), per_dimension: int = 0, strict: int = 0
) -> Margin:
    r"""Every link of $\|\langle\sigma\sigma^\top\rangle\|\le\langle\|\sigma\|^2\rangle\le\langle\|W_1x\|^2\rangle
    \le\langle\|W_1\|^2\|x\|^2\rangle=\|W_1\|^2\,\mathrm{Tr}\,\Sigma$, with $\sigma=\sigma(W_1x)$.

    The first link compares squares, so that the Frobenius norm stays rational. It is attained by a single point.
    """
    hidden = net.hidden(data.inputs)
    matrix = hidden.T @ hidden / len(hidden)
    of_hidden = mean((hidden**2).sum(axis=1))
    of_pre = mean(((data.inputs @ net.inner.T) ** 2).sum(axis=1))
    of_product = mean(squared_norm(net.inner) * (data.inputs**2).sum(axis=1))
    trace = data.covariance.trace() / (data.inputs.shape[1] if per_dimension else 1)
    first = less if strict else at_most
    return all_of(
        first(squared_norm(matrix), of_hidden**2, "|<sigma sigma^T>|^2 <= <|sigma|^2>^2"),
        at_most(of_hidden, of_pre, "<|sigma|^2> <= <|W1 x|^2>"),
        at_most(of_pre, factor * of_product, "<|W1 x|^2> <= <|W1|^2 |x|^2>"),
        equal(of_product, squared_norm(net.inner) * trace, "<|W1|^2 |x|^2> = |W1|^2 Tr Sigma"),
    )


def half_space_average(values: Array, inside: Array) -> Array:
    """<values>_S: the average of the values whose sample lies in S."""
    if not inside.any():
        raise BadInput("the average over an empty half space is undefined")
    average: Array = values[inside].sum(axis=0) / int(inside.sum())
    return average


def _outer_products(inputs: Array) -> Array:
    products: Array = inputs[:, :, None] * inputs[:, None, :]
    return products


def _nonzero_normal(data: Dataset, r: Array) -> Margin:
    inside = sign(data.inputs @ r) > 0
    return less(0, int(inside.sum()), "number of data with r.x > 0")


nonempty_half_space = Assumption(
    "half_space.nonempty",
    "the half space r.x > 0 contains data",
    _nonzero_normal,
    base=sized(data=dataset, r=point),
    satisfy=tilt_off_zero,
    violate=zero_normal,
)


def _off_hyperplane(data: Dataset, r: Array) -> Margin:
    return less(0, np.abs(sign(data.inputs @ r)), "no datum on r.x = 0")


no_data_on_hyperplane = Assumption(
    "half_space.no_data_on_boundary",
    "no datum lies on the hyperplane r.x = 0",
    _off_hyperplane,
    base=sized(data=dataset, r=point),
    satisfy=avoid_hyperplane,
    violate=hit_hyperplane,
)

_HALF_SPACE = sized(data=dataset, r=point)


def _half_mass(data: Dataset, r: Array, mass: Number) -> Margin:
    side = sign(data.inputs @ r)
    shares = np.array([int((side > 0).sum()), int((side < 0).sum())], dtype=object)
    return equal(shares, mass * len(side), "data with r.x > 0, with r.x < 0, against half of all")


@claim(
    "zhang2024.lemma_10.half_mass",
    "Lemma 10, proof",
    given=_HALF_SPACE,
    assumes=[even_inputs, nonempty_half_space],
    recorded="refuted",
    mutants=[moved("a third of the mass", mass=Fraction(1, 3))],
    convention="S+ and S- are the open half spaces, as Lemma 10 defines them; r is such that S+ contains data",
)
def each_open_half_space_carries_half_of_the_data(data: Dataset, r: Array, *, mass: Number = Fraction(1, 2)) -> Margin:
    r"""$\int_{S^+}p=\int_{S^-}p=\tfrac12$ with $S^\pm=\{\pm r^\top x>0\}$, for every r.

    Fails as printed when a datum lies on the hyperplane: inputs -1, 0, 1 give each open half space a third.
    """
    return _half_mass(data, r, mass)


@claim(
    "zhang2024.lemma_10.half_mass.amended",
    "Lemma 10, proof",
    given=_HALF_SPACE,
    assumes=[even_inputs, no_data_on_hyperplane],
    proof=one_of_each_pair,
    recorded="proved",
    mutants=[without(even_inputs), without(no_data_on_hyperplane), moved("a third of the mass", mass=Fraction(1, 3))],
)
def half_of_the_data_on_each_side_when_none_is_on_the_boundary(
    data: Dataset, r: Array, *, mass: Number = Fraction(1, 2)
) -> Margin:
    r"""Amended: with no datum on $r^\top x=0$, $\int_{S^+}p=\int_{S^-}p=\tfrac12$.

    The reflection x -> -x then maps S+ onto S- and the two cover all data. (A law with a density has no mass there.)
    """
    return _half_mass(data, r, mass)


def _covariance(data: Dataset, r: Array, factor: Number) -> Margin:
    inside = sign(data.inputs @ r) > 0
    return equal(
        half_space_average(_outer_products(data.inputs), inside), factor * data.covariance, "<x x^T>_S+ against Sigma"
    )


@claim(
    "zhang2024.lemma_10.covariance",
    "Lemma 10, Eq. (14)",
    given=_HALF_SPACE,
    assumes=[even_inputs, nonempty_half_space],
    recorded="refuted",
    mutants=[moved("half of Sigma", factor=Fraction(1, 2))],
    convention="<.>_S+ is the conditional average over the open half space; r is such that S+ contains data",
)
def half_space_covariance_is_the_covariance(data: Dataset, r: Array, *, factor: Number = Fraction(1)) -> Margin:
    r"""$\langle xx^\top\rangle_{S^+}=\Sigma$ for all r.

    Fails as printed when a datum lies on the hyperplane: inputs -1, 0, 1 have $\Sigma=2/3$ but average 1 on x > 0.
    """
    return _covariance(data, r, factor)


@claim(
    "zhang2024.lemma_10.covariance.amended",
    "Lemma 10, Eq. (14)",
    given=_HALF_SPACE,
    assumes=[even_inputs, nonempty_half_space, no_data_on_hyperplane],
    proof=one_of_each_pair,
    recorded="proved",
    mutants=[without(even_inputs), without(no_data_on_hyperplane), moved("half of Sigma", factor=Fraction(1, 2))],
)
def half_space_covariance_is_the_covariance_off_the_boundary(
    data: Dataset, r: Array, *, factor: Number = Fraction(1)
) -> Margin:
    r"""Amended: $\langle xx^\top\rangle_{S^+}=\Sigma$ when no datum lies on $r^\top x=0$.

    Then S+ holds one of each pair x, -x, and both give the same $xx^\top$.
    """
    return _covariance(data, r, factor)


def _correlation(data: Dataset, r: Array, factor: Number) -> Margin:
    inside = sign(data.inputs @ r) > 0
    average = half_space_average(data.labels[:, None] * data.inputs, inside)
    return equal(average, factor * data.correlation, "<x y>_S+ against beta")


@claim(
    "zhang2024.lemma_10.correlation",
    "Lemma 10, Eq. (15)",
    given=_HALF_SPACE,
    assumes=[*CONDITION_3, nonempty_half_space],
    recorded="refuted",
    mutants=[moved("half of beta", factor=Fraction(1, 2))],
    convention="<.>_S+ is the conditional average over the open half space; r is such that S+ contains data",
)
def half_space_correlation_is_the_correlation(data: Dataset, r: Array, *, factor: Number = Fraction(1)) -> Margin:
    r"""$\langle x\,y(x)\rangle_{S^+}=\beta$ for all r.

    Fails as printed when a datum lies on the hyperplane, in the same way as the covariance: inputs -1, 0, 1 with y = x.
    """
    return _correlation(data, r, factor)


@claim(
    "zhang2024.lemma_10.correlation.amended",
    "Lemma 10, Eq. (15)",
    given=_HALF_SPACE,
    assumes=[*CONDITION_3, nonempty_half_space, no_data_on_hyperplane],
    proof=one_of_each_pair,
    recorded="proved",
    mutants=[
        without(even_inputs),
        without(odd_target),
        without(no_data_on_hyperplane),
        moved("half of beta", factor=Fraction(1, 2)),
    ],
)
def half_space_correlation_is_the_correlation_off_the_boundary(
    data: Dataset, r: Array, *, factor: Number = Fraction(1)
) -> Margin:
    r"""Amended: $\langle x\,y(x)\rangle_{S^+}=\beta$ when no datum lies on $r^\top x=0$."""
    return _correlation(data, r, factor)


@claim(
    "zhang2024.lemma_10.proof_normalisation",
    "Lemma 10, two displays of the proof",
    given=_HALF_SPACE,
    assumes=[even_inputs, nonempty_half_space, no_data_on_hyperplane],
    recorded="refuted",
    mutants=[moved("factors 1", factor=Fraction(1))],
    convention="R0: p is the empirical law itself, also inside the integrals over S+ and S-",
)
def half_space_average_is_half_the_integral_of_the_law(
    data: Dataset, r: Array, *, factor: Number = Fraction(1, 2)
) -> Margin:
    r"""$\langle xx^\top\rangle_{S^+}=\tfrac12\int_{S^+}xx^\top p=\tfrac12\int_{S^-}xx^\top p$ and
    $\Sigma=\tfrac12\int_{S^+}xx^\top p+\tfrac12\int_{S^-}xx^\top p=\int_{S^+}xx^\top p$.

    Fails with p the empirical law: for inputs -1, 1 and r = 1, $\int_{S^+}x^2p=\tfrac12$ while the average over S+ and
    $\Sigma$ are 1. The displays hold when p inside the integrals is the law conditioned on the half space (reading R1).
    """
    products, side = _outer_products(data.inputs), sign(data.inputs @ r)
    plus = products[side > 0].sum(axis=0) / len(side)
    minus = products[side < 0].sum(axis=0) / len(side)
    return all_of(
        equal(half_space_average(products, side > 0), factor * plus, "<x x^T>_S+ = 1/2 integral over S+"),
        equal(plus, minus, "the integrals over S+ and S- agree"),
        equal(data.covariance, factor * plus + factor * minus, "Sigma = 1/2 integral S+ + 1/2 integral S-"),
        equal(data.covariance, plus, "Sigma = integral over S+"),
    )


@claim(
    "zhang2024.lemma_10.proof_normalisation.r1",
    "Lemma 10, two displays of the proof",
    given=_HALF_SPACE,
    assumes=[even_inputs, nonempty_half_space, no_data_on_hyperplane],
    recorded="refuted",
    mutants=[moved("factors 1/3", factor=Fraction(1, 3))],
    convention="R1: inside the integrals p is the law conditioned on S+ or S-",
)
def displays_with_the_conditional_law(data: Dataset, r: Array, *, factor: Number = Fraction(1, 2)) -> Margin:
    r"""The same displays with $p(\cdot\,|\,S^\pm)$ in place of p under the integrals over S+ and S-.

    The lines about $\Sigma$ then hold, but the defining line $\langle
    xx^\top\rangle_{S^+}\equiv\tfrac12\int_{S^+}xx^\top p$ carries a factor 1/2 too many: the conditional average is the
    integral against the conditional law itself.
    """
    products, side = _outer_products(data.inputs), sign(data.inputs @ r)
    plus, minus = half_space_average(products, side > 0), half_space_average(products, side < 0)
    return all_of(
        equal(plus, factor * plus, "<x x^T>_S+ = 1/2 integral over S+"),
        equal(plus, minus, "the integrals over S+ and S- agree"),
        equal(data.covariance, factor * plus + factor * minus, "Sigma = 1/2 integral S+ + 1/2 integral S-"),
        equal(data.covariance, plus, "Sigma = integral over S+"),
    )


@claim(
    "zhang2024.lemma_10.proof_normalisation.amended",
    "Lemma 10, two displays of the proof",
    given=_HALF_SPACE,
    assumes=[even_inputs, nonempty_half_space, no_data_on_hyperplane],
    proof=one_of_each_pair,
    recorded="proved",
    mutants=[
        without(even_inputs),
        without(no_data_on_hyperplane),
        moved("factor 1/2 as printed", factor=Fraction(1, 2)),
    ],
)
def half_space_average_is_twice_the_integral_of_the_law(
    data: Dataset, r: Array, *, factor: Number = Fraction(2)
) -> Margin:
    r"""Amended: $\langle xx^\top\rangle_{S^+}=2\int_{S^+}xx^\top p=2\int_{S^-}xx^\top p$ and
    $\Sigma=\int_{S^+}xx^\top p+\int_{S^-}xx^\top p=2\int_{S^+}xx^\top p$.

    S+ has mass 1/2, so conditioning divides by 1/2: the factor is 2, not 1/2.
    """
    products, side = _outer_products(data.inputs), sign(data.inputs @ r)
    plus = products[side > 0].sum(axis=0) / len(side)
    minus = products[side < 0].sum(axis=0) / len(side)
    return all_of(
        equal(half_space_average(products, side > 0), factor * plus, "<x x^T>_S+ = 2 integral over S+"),
        equal(plus, minus, "the integrals over S+ and S- agree"),
        equal(data.covariance, plus + minus, "Sigma = integral S+ + integral S-"),
        equal(data.covariance, factor * plus, "Sigma = 2 integral over S+"),
    )


def _no_kink(net: TwoLayer, data: Dataset) -> Margin:
    return less(0, np.abs(sign(data.inputs @ net.inner.T)), "no pre-activation is zero")


no_kinks = Assumption(
    "network.no_kinks",
    "no pre-activation w_1h.x is zero",
    _no_kink,
    base=sized(net=two_layer, data=dataset),
    satisfy=avoid_kinks,
    violate=hit_kink,
)

# sigma'(0) as a fraction of the way from alpha to 1: 0 is alpha, 1/2 the mean slope, 1 is 1; "zero" is the value 0
# itself.
_KINKS = choice("zero", "alpha", "mean", "one")


def slope_at_zero(word: str, alpha: Number) -> Number:
    """The named value of sigma'(0)."""
    return {"zero": alpha * 0, "alpha": alpha, "mean": (1 + alpha) / 2, "one": alpha * 0 + 1}[word]


def _first_layer(net: TwoLayer, data: Dataset, kink: str, factor: Number) -> Margin:
    gates = leaky_relu_slope(data.inputs @ net.inner.T, net.slope, slope_at_zero(kink, net.slope))
    left = (gates * net.outer[None, :] * data.labels[:, None]).T @ data.inputs / len(data.labels)
    right = factor * (1 + net.slope) * net.outer[:, None] * data.correlation[None, :]
    return equal(left, right, "<sigma'(W1 x) * W2^T y x^T> against (1+alpha)/2 W2^T beta^T")


@claim(
    "zhang2024.lemma_11.first_layer",
    "Lemma 11, Eq. (16a)",
    given=sized(net=two_layer, data=dataset, kink=_KINKS),
    assumes=CONDITION_3,
    recorded="refuted",
    mutants=[moved("factor 1", factor=Fraction(1))],
    convention="sigma'(0) is not fixed by the paper: 0, alpha, (1+alpha)/2 and 1 are tried",
)
def label_term_of_the_first_layer_is_linear(
    net: TwoLayer, data: Dataset, kink: str, *, factor: Number = Fraction(1, 2)
) -> Margin:
    r"""$\langle\sigma'(W_1x)\odot W_2^\top yx^\top\rangle=\tfrac{\alpha+1}{2}W_2^\top\beta^\top$.

    Fails as printed at a kink: with w = 0 every pre-activation is zero and the left side is $\sigma'(0)w_2\beta$, so
    only $\sigma'(0)=(1+\alpha)/2$ would do. One neuron w = 0, w2 = 1, data (1, 1), (-1, -1): the sides are $\sigma'(0)$
    and $(1+\alpha)/2$.
    """
    return _first_layer(net, data, kink, factor)


@claim(
    "zhang2024.lemma_11.first_layer.amended",
    "Lemma 11, Eq. (16a)",
    given=sized(net=two_layer, data=dataset, kink=_KINKS),
    assumes=[*CONDITION_3, no_kinks],
    proof=gates_add_up,
    recorded="proved",
    mutants=[without(even_inputs), without(odd_target), without(no_kinks), moved("factor 1", factor=Fraction(1))],
)
def label_term_of_the_first_layer_is_linear_off_the_kinks(
    net: TwoLayer, data: Dataset, kink: str, *, factor: Number = Fraction(1, 2)
) -> Margin:
    r"""Amended: Eq. (16a) when no pre-activation is zero (or with $\sigma'(0)=\tfrac{1+\alpha}{2}$, see
    `.amended_mean`).

    The pair x, -x contributes $(\sigma'(z)+\sigma'(-z))\,yx=(1+\alpha)yx$ when $z\ne0$, and $2\sigma'(0)yx$ when z = 0.
    """
    return _first_layer(net, data, kink, factor)


@claim(
    "zhang2024.lemma_11.first_layer.amended_mean",
    "Lemma 11, Eq. (16a)",
    given=sized(net=two_layer, data=dataset),
    assumes=CONDITION_3,
    proof=mean_gates_add_up,
    recorded="proved",
    mutants=[
        without(even_inputs),
        without(odd_target),
        moved("sigma'(0) = 1", kink="one"),
        moved("sigma'(0) = 0", kink="zero"),
    ],
)
def label_term_of_the_first_layer_is_linear_for_the_mean_slope(
    net: TwoLayer, data: Dataset, *, kink: str = "mean", factor: Number = Fraction(1, 2)
) -> Margin:
    r"""Amended: Eq. (16a) for all weights and data of Condition 3 with the convention
    $\sigma'(0)=\tfrac{1+\alpha}{2}$.
    """
    return _first_layer(net, data, kink, factor)


@claim(
    "zhang2024.lemma_11.second_layer",
    "Lemma 11, Eq. (16b)",
    given=sized(net=two_layer, data=dataset),
    assumes=CONDITION_3,
    proof=outputs_add_up,
    recorded="proved",
    mutants=[
        without(even_inputs),
        without(odd_target),
        moved("factor 1", factor=Fraction(1)),
        moved("factor 0", factor=Fraction(0)),
    ],
)
def label_term_of_the_second_layer_is_linear(
    net: TwoLayer, data: Dataset, *, factor: Number = Fraction(1, 2)
) -> Margin:
    r"""$\langle y\,\sigma(W_1x)^\top\rangle=\tfrac{\alpha+1}{2}\beta^\top W_1^\top$."""
    left = mean(data.labels[:, None] * net.hidden(data.inputs))
    right = factor * (1 + net.slope) * (net.inner @ data.correlation)
    return equal(left, right, "<y sigma(W1 x)^T> against (1+alpha)/2 beta^T W1^T")
