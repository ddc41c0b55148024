r"""Definition 5.1: the data-correlated decomposition, its existence, uniqueness and split into signs, and how close its
coefficients are to signals.

Identities are computed in balls, a few steps per case, from dyadic inputs and weights.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from refute import (
    Fault,
    Kind,
    Margin,
    at_least,
    at_most,
    changed,
    derived,
    equal,
    eventually,
    flipped,
    mutants,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, near_orthogonal, nonzero_inputs, signed_halves
from refute.claims.kou2023.equation_5_9 import SMALL, WITHOUT_BETA
from refute.claims.kou2023.leaky_courses import beta, course
from refute.claims.kou2023.relu_runs import early
from refute.claims.kou2023.single_steps import COUNT, steps
from refute.decide.proof import by_smt
from refute.decide.symbolic import by_identity
from refute.functions import absolute, largest, maximum, minimum
from refute.models import Dataset, TwoLayer
from refute.models.geometry.elimination import rank
from refute.models.kou2023.decomposition import Decomposition, unroll, unroll_weights
from refute.models.kou2023.orthogonality import relative_overlap
from refute.strategies.kou2023.nearly_orthogonal import LEAKS, any_training, training


@derived
def descended(data: Dataset, net: TwoLayer, rate: Number) -> Array:
    """The weights of descent (3.2) itself: (time, neuron, coordinate)."""
    return np.array([now.inner for now in unroll_weights(net, data, rate=rate, steps=COUNT)])


main = section(
    "kou2023",
    "def_5_1",
    "Definition 5.1",
    given=any_training(),
    assumes=[signed_halves, nonzero_inputs],
    derived=[steps, descended],
    recorded="proved",
    cost=4.0,
)


def _existence_proof() -> str | None:
    import sympy

    x, square, rho, c = sympy.symbols("x q rho c", positive=True)
    residual = rho / square * x + c * x - (rho + c * square) / square * x
    return by_identity(
        lambda: [residual],
        "a step (3.2) adds c_i x_i with numbers c_i, so rho_i + c_i |x_i|^2 serves for rho_i; rho(0) = 0",
    )


def _with_no_slope_at_zero(course: Decomposition) -> Decomposition:
    """sigma'(0) = 0 in the recursion, but not in the descent."""
    return unroll(course.start, course.data, rate=course.rate, steps=COUNT, slope_at_zero=course.start.slope * 0)


@main.claim("existence", "Eq. (5.1)", proof=_existence_proof)
@mutants(
    changed("normalised by |x_i|^-4", steps=lambda steps: replace(steps, rho=steps.rho / steps.squares)),
    changed("coefficients with sigma'(0) = 0", steps=_with_no_slope_at_zero),
)
def coefficients_exist(data: Dataset, net: TwoLayer, steps: Decomposition, descended: Array) -> Margin:
    r"""At every step $w_{j,r}^{(t)}=w_{j,r}^{(0)}+\sum_i\rho_{j,r,i}^{(t)}\|x_i\|^{-2}x_i$ for some coefficients
    $\rho$.

    Convention: any nonzero inputs, dependent ones too; the coefficients are those of the recursion (5.3)-(5.5).
    """
    rho = steps.rho.reshape(len(steps.steps), net.width, -1)
    return equal(net.inner + (rho / steps.squares) @ data.inputs, descended, "w(0) + sum of rho_i x_i/|x_i|^2")


@main.claim("uniqueness", recorded="refuted", fault=Fault.MISSING_HYPOTHESIS)
def coefficients_are_unique_as_printed(data: Dataset) -> Margin:
    r"""The coefficients in (5.1) are unique, no condition on the data being stated at that place.

    Fails for dependent inputs: with $x_1=x_2$ only the sum $\rho_1+\rho_2$ is determined.

    Convention: two lists of coefficients give the same weights exactly when the inputs are linearly dependent.
    """
    return at_least(rank(data.inputs), len(data.labels), "rank of the inputs against n")


def _independence_proof() -> str | None:
    import sympy

    a, b = sympy.symbols("a b", nonnegative=True)
    meaning = (
        "2ab <= a^2 + b^2, so |sum c_i x_i|^2 >= sum c_i^2 |x_i|^2 - p sum_{i != k} |c_i c_k| >= (R_min^2 - (n-1)p) "
        "|c|^2, "
        "and (n-1)p < R_min^2 since np <= R_min^2/(C R^2) and R_min > 0"
    )
    return by_identity(lambda: [a**2 + b**2 - 2 * a * b - (a - b) ** 2], meaning)


independent = main.but(
    given=training(constants=(1, 2, 100)), assumes=[near_orthogonal], proof=_independence_proof, cost=3.0
)


@independent.claim("uniqueness.amended", "under the conditions of Section 4")
@mutants(without(near_orthogonal), shifted(1))
def coefficients_of_nearly_orthogonal_data_are_unique(data: Dataset) -> Margin:
    r"""Amended: under $R_{\min}^2\ge CR^2np$, here with $C\ge1$, the inputs are independent, so the coefficients are
    unique.

    Convention: $C\ge1$ is enough: the Gram matrix is strictly diagonally dominant, since $(n-1)p<np\le R_{\min}^2$
    unless $p=0$.
    """
    return at_least(rank(data.inputs), len(data.labels), "rank of the inputs against n")


def _split_proof() -> str | None:
    def statement() -> Any:
        import z3

        rho, zero = z3.Real("rho"), z3.RealVal(0)
        return rho == z3.If(rho >= 0, rho, zero) + z3.If(rho <= 0, rho, zero)

    return by_smt(statement)


@derived
def bar(steps: Decomposition) -> Array:
    """max(rho, 0)."""
    return np.asarray(maximum(steps.rho, steps.rho * 0))


@derived
def under(steps: Decomposition) -> Array:
    """min(rho, 0)."""
    return np.asarray(minimum(steps.rho, steps.rho * 0))


@main.claim("split", "Eq. (5.2)", derived=[steps, bar, under], proof=_split_proof)
@mutants(
    changed("the negative part subtracted", under=lambda under: -under),
    changed("positive parts only", under=lambda under: 0 * under),
)
def the_decomposition_splits_into_signs(steps: Decomposition, bar: Array, under: Array) -> Margin:
    r"""$w^{(t)}=w^{(0)}+\sum_i\bar\rho_i\|x_i\|^{-2}x_i+\sum_i\underline\rho_i\|x_i\|^{-2}x_i$ with
    $\bar\rho=\max(\rho,0)$ and $\underline\rho=\min(\rho,0)$.

    Convention: the proof is about one coefficient; a coefficient zero is in both parts and adds nothing.
    """
    start = steps.start.inner.reshape(1, 2, steps.width, -1)
    rebuilt = start + (bar / steps.squares) @ steps.data.inputs + (under / steps.squares) @ steps.data.inputs
    return equal(rebuilt, steps.weights, "w(0) + both parts")


@derived
def overlap(data: Dataset) -> Number:
    """R_min^-2 pn."""
    return relative_overlap(data.inputs)


close = section("kou2023", "sec5.rho_close_to_inner_product", "Section 5.1, after Definition 5.1", recorded="supported")


close_early = close.but(
    kind=Kind.DYNAMICS,
    given=training(leaks=(Fraction(0), *LEAKS[:3])),
    assumes=SMALL,
    derived=[beta, early, overlap],
    cost=0.5,
)


@close_early.claim("r1")
@mutants(WITHOUT_BETA, changed("without the overlaps", overlap=lambda overlap: 0 * overlap))
def coefficients_are_signals_up_to_start_and_overlaps(early: Decomposition, beta: Number, overlap: Number) -> Margin:
    r"""$|\langle w^{(t)}_{j,r},x_i\rangle-\rho^{(t)}_{j,r,i}|\le\beta+R_{\min}^{-2}pn\max_k|\rho^{(t)}_{j,r,k}|$.

    Convention: close: up to the initial signal and the overlaps, for both activations; the first hundred steps.
    """
    signals, rho = early.known(early.signals), early.known(early.rho)
    bound = beta + overlap * largest(absolute(rho), axis=3)[..., None]
    return at_most(absolute(signals - rho), bound, "|<w, x_i> - rho_i|")


@close.claim("r2", kind=Kind.ASYMPTOTIC, given=training(), assumes=LEAKY_APPENDIX, derived=[course], cost=0.2)
@mutants(flipped())
def leaky_coefficients_are_signals_in_the_long_run(course: Decomposition) -> Margin:
    r"""For leaky ReLU $|\langle w^{(t)}_{j,r},x_i\rangle/\rho^{(t)}_{j,r,i}-1|\le\frac1{10}$ for all neurons and
    samples, if t is large.

    Convention: close: the ratio is near 1; the tenth is our choice.
    """
    ratio = course.known(course.signals) / course.known(course.rho)

    def holds(t: float) -> Margin:
        return at_most(absolute(ratio[course.steps == t] - 1), Fraction(1, 10), "|<w, x_i>/rho_i - 1|")

    return eventually(holds, "close to 1", at=course.steps)
