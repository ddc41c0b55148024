r"""Proof of Lemma F.1: the Frobenius norm of $W_j^{(t)}-W_j^{(0)}=A_tX$ for a ReLU network.

$A_t$ has the entries $\rho^{(t)}_{j,r,i}\|x_i\|^{-2}$ and columns $a_i$. Constants that the paper only says to exist
are 10 here, from $t=10^4$ on.
"""

from typing import Any

import numpy as np

from refute import Kind, Margin, all_of, at_most, changed, derived, equal, exponent, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX, nonzero_inputs, signed_halves
from refute.claims.kou2023.relu_runs import GIVEN, course
from refute.decide.proof import by_smt, in_words, steps
from refute.decide.symbolic import by_identity
from refute.functions import absolute, log, sqrt
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, unroll, unroll_weights
from refute.models.kou2023.orthogonality import largest_overlap, squared_norms, squared_radii
from refute.strategies.kou2023.matrices import MATRICES
from refute.strategies.kou2023.nearly_orthogonal import any_training

STEPS = 3


@derived
def rho(data: Dataset, net: TwoLayer, rate: Number) -> Array:
    """The coefficients of the recursion (5.3) to (5.5): (time, neuron, sample)."""
    return unroll(net, data, rate=rate, steps=STEPS).rho.reshape(STEPS + 1, net.width, -1)


@derived
def weights(data: Dataset, net: TwoLayer, rate: Number) -> Array:
    """The weights of descent (3.2): (time, neuron, coordinate)."""
    return np.array([now.inner for now in unroll_weights(net, data, rate=rate, steps=STEPS)])


@derived
def squares(data: Dataset) -> Array:
    """|x_i|^2."""
    return squared_norms(data.inputs)


@derived
def start(net: TwoLayer) -> Array:
    """W(0)."""
    return net.inner


first_displays = section(
    "kou2023",
    "lemma_f1",
    "proof of Lemma F.1, first displays",
    given=any_training(),
    assumes=[signed_halves, nonzero_inputs],
    derived=[rho, weights, squares, start],
    recorded="proved",
    cost=4.0,
)


def _product_proof() -> str | None:
    import sympy

    rho, gain, square, x = sympy.symbols("rho gain square x", real=True, nonzero=True)
    meaning = "a step adds gain/|x_i|^2 x_i to w for each i by (3.2) and gain to rho_i by (5.1), and both start at zero"
    return by_identity(
        lambda: [sympy.expand((rho + gain) / square * x - rho / square * x - gain / square * x)], meaning
    )


@first_displays.claim("matrix_form", proof=_product_proof)
@mutants(
    changed("without |x_i|^-2", squares=lambda squares: squares**0),
    changed("W_j(t) itself", start=lambda start: 0 * start),
    scaled("1001/1000"),
)
def the_change_of_the_weights_is_a_product(
    rho: Array, weights: Array, squares: Array, start: Array, data: Dataset
) -> Margin:
    r"""$W_j^{(t)}-W_j^{(0)}=A_tX$ with $(A_t)_{ri}=\rho^{(t)}_{j,r,i}\|x_i\|^{-2}$ and X the matrix with rows $x_i$.

    Convention: any nonzero inputs; the coefficients of the recursion against descent on the weights, three steps.
    """
    return equal((rho / squares) @ data.inputs, weights - start, "A_t X")


@derived
def overlap(X: Array) -> Number:
    """p."""
    return largest_overlap(X)


@derived
def high(X: Array) -> Number:
    """R_max^2."""
    return squared_radii(X)[1]


algebra = section(
    "kou2023", "lemma_f1", "proof of Lemma F.1", given=MATRICES, derived=[overlap, high], recorded="proved"
)


def _expansion_proof() -> str | None:
    def terms() -> Any:
        import z3

        g, p, c, square, high, column = z3.Reals("g p c square high column")
        size = z3.If(c >= 0, c, -c)
        given = z3.And(-p <= g, g <= p, square <= high, column >= 0)
        return z3.Implies(given, z3.And(g * c <= p * size, square * column <= high * column))

    return steps(in_words("(AX)_{rl} = sum_i A_ri x_il: both sums are swapped"), by_smt(terms, "term by term"))


@algebra.claim("frobenius_expansion", proof=_expansion_proof)
@mutants(
    changed("without the cross terms", overlap=lambda p: 0 * p),
    changed("with 9/10 of R_max^2", high=lambda square: 9 * square / 10),
    scaled(2, "|AX|_F^2 expanded"),
)
def frobenius_norm_expands_in_inner_products(A: Array, X: Array, overlap: Number, high: Number) -> Margin:
    r"""$\|AX\|_F^2=\sum_{i,i'}\langle x_i,x_{i'}\rangle a_i^\top a_{i'}\le R_{\max}^2\sum_i\|a_i\|^2+p\sum_{i\ne
    i'}|a_i^\top a_{i'}|$.

    Convention: any matrix A, any inputs X.
    """
    product, columns = A @ X, A.T @ A
    left, diagonal = (product * product).sum(), np.diagonal(columns).sum()
    bound = high * diagonal + overlap * (absolute(columns).sum() - diagonal)
    return all_of(equal(left, (X @ X.T * columns).sum(), "|AX|_F^2 expanded"), at_most(left, bound, "|AX|_F^2 bounded"))


@derived
def log_t(course: Decomposition) -> Array:
    """log t from 10^4 on."""
    return np.asarray(log(course.since(1e4).steps))


late = section(
    "kou2023",
    "lemma_f1",
    "proof of Lemma F.1",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=RELU_APPENDIX,
    derived=[course, log_t],
    recorded="supported",
    convention="C = C' = 10, from t = 10^4 on",
)


@late.claim("column_bounds")
@mutants(scaled("1/10"), exponent("1/2"))
def columns_grow_at_most_like_the_logarithm(course: Decomposition, log_t: Array) -> Margin:
    r"""$\|a_i\|^2\le CmR_{\min}^{-4}\log^2t$ and $|a_i^\top a_{i'}|\le CmR_{\min}^{-4}\log^2t$ for all $i,i'$."""
    now = course.since(1e4)
    low = squared_radii(course.data.inputs)[0]
    A = now.known(now.rho) * (low / now.squares)
    products = (A[:, :, :, :, None] * A[:, :, :, None, :]).sum(axis=2) / now.width
    return at_most(absolute(products), 10 * log_t[:, None, None, None] ** 2, "R_min^4 |a_i'a_k|/m")


@late.claim("frobenius_upper")
@mutants(scaled("1/20"), exponent("1/2"))
def frobenius_norm_of_the_change_grows_at_most_logarithmically(course: Decomposition, log_t: Array) -> Margin:
    r"""$\|W_j^{(t)}-W_j^{(0)}\|_F^2\le C'mnR_{\max}^2R_{\min}^{-4}\log^2t$."""
    now = course.since(1e4)
    low, high = squared_radii(course.data.inputs)
    moved = now.moved * (low / sqrt(high))
    squares: Any = (moved * moved).sum(axis=(2, 3)) / (now.width * len(now.squares))
    return at_most(squares, 10 * log_t[:, None] ** 2, "|W - W(0)|_F^2 R_min^4/(m n R_max^2)")
