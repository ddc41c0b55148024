r"""Lemma 9 in its readings: the statement does not say which product of $\sigma$ and $\sigma'$ is meant.

Norms are Euclidean and Frobenius, compared by their squares, which are rational.
"""

from collections.abc import Callable

from refute import Fault, Margin, at_most, derived, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.norms import gated_products
from refute.claims.zhang2024.setting import OPEN_SLOPE
from refute.functions import mean, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.zhang2024.fields import cubic_term, gates, slope_at_zero
from refute.strategies import choice, dataset, sized, two_layer


@derived
def slopes(net: TwoLayer, data: Dataset, kink: str) -> Array:
    """sigma'(W1 x), one row per sample."""
    return gates(net, data, slope_at_zero(kink, net.slope))


lemma = section(
    "zhang2024",
    "lemma_9",
    "Lemma 9",
    given=sized(net=two_layer, data=dataset, kink=choice("one", "zero", "alpha", "mean")),
    derived=[slopes],
    convention=OPEN_SLOPE,
)

Product = Callable[[Array, Array, Array], Array]


def entrywise(hidden: Array, slopes: Array, inputs: Array) -> Array:
    return mean(hidden * slopes)  # type: ignore[no-any-return]


def inner(hidden: Array, slopes: Array, inputs: Array) -> Number:
    return mean(hidden * slopes).sum()


def outer(hidden: Array, slopes: Array, inputs: Array) -> Array:
    return hidden.T @ slopes / len(slopes)


def with_the_input(hidden: Array, slopes: Array, inputs: Array) -> Array:
    return (hidden * slopes).T @ inputs / len(slopes)


@lemma.claim("derivative_bound", recorded="refuted", fault=Fault.WRONG)
def products_with_the_derivative_are_bounded(
    net: TwoLayer, data: Dataset, slopes: Array, *, product: Product = entrywise
) -> Margin:
    r"""R0a: $\|\langle\sigma(W_1x)\odot\sigma'(W_1x)\rangle\|\le\|W_1\|\,\mathrm{Tr}\,\Sigma$ , entrywise.

    Fails: the left side is linear in the inputs and the right side quadratic. One neuron w = 1 and x = 1/2: 1/2 against
    1/4. A factor $x^\top$ is missing, see R1 and R2.
    """
    left = product(net.hidden(data.inputs), slopes, data.inputs)
    bound = squared_norm(net.inner) * data.covariance.trace() ** 2
    return at_most(squared_norm(left), bound, "squares: |<sigma sigma'>|^2 against |W1|^2 (Tr Sigma)^2")


products_with_the_derivative_are_bounded.reading(
    "r3",
    r"R0b, inner product: $|\langle\sigma(W_1x)\cdot\sigma'(W_1x)\rangle|\le\|W_1\|\,\mathrm{Tr}\,\Sigma$ falls by the "
    "same case.",
    product=inner,
    recorded="refuted",
    fault=Fault.WRONG,
)
products_with_the_derivative_are_bounded.reading(
    "r4",
    r"R0c, outer product: $\|\langle\sigma(W_1x)\,\sigma'(W_1x)^\top\rangle\|\le\|W_1\|\,\mathrm{Tr}\,\Sigma$ falls by "
    r"the same case, and with $\sigma'(0)=1$ also for the neurons 0 and 1 at x = 1: $\sqrt2$ against 1.",
    product=outer,
    recorded="refuted",
    fault=Fault.WRONG,
)
products_with_the_derivative_are_bounded.reading(
    "r1",
    r"R1, with the factor $x^\top$: $\|\langle(\sigma(W_1x)\odot\sigma'(W_1x))x^\top\rangle\|\le\|W_1\|\,"
    r"\mathrm{Tr}\,\Sigma$ holds, since $|\sigma\sigma'|\le|W_1x|$ entrywise and $\|W_1x\|\|x\|\le\|W_1\|\|x\|^2$. One "
    "neuron along one datum is tight.",
    product=with_the_input,
    proof=gated_products,
    recorded="proved",
    mutants=[scaled("99/100")],
    cost=2.0,
)


@lemma.claim("derivative_bound.r2", "as used below Eq. (25)", proof=gated_products, recorded="proved", cost=2.0)
@mutants(scaled("99/100"))
def the_cubic_term_is_bounded(net: TwoLayer, data: Dataset, kink: str) -> Margin:
    r"""R2, the term that Eq. (24a) needs: $\|\langle\sigma'(W_1x)\odot W_2^\top W_2\sigma(W_1x)x^\top\rangle\|
    \le\|W_2\|^2\|W_1\|\,\mathrm{Tr}\,\Sigma$.

    Per sample $\|\sigma'\odot W_2^\top\|\le\|W_2\|$ and $|W_2\sigma|\le\|W_2\|\|W_1x\|$.
    """
    left = cubic_term(net, data, slope_at_zero(kink, net.slope))
    bound = squared_norm(net.outer) ** 2 * squared_norm(net.inner) * data.covariance.trace() ** 2
    return at_most(squared_norm(left), bound, "squares of the sides")
