r"""Appendix F, Lemma F.1: from coefficients to the norms of $W_j^{(t)}-W_j^{(0)}=A_tX$ of a ReLU network.

$A_t$ has the entries $\rho^{(t)}_{j,r,i}\|x_i\|^{-2}$ and columns $a_i$; $S_j$ are the samples with label j. Statements with a constant that
the paper only says to exist are tested with a constant stated here, at $t=10^4$ and later. Where the proof needs both labels in bounded
proportion, which nothing in Theorem 4.3 says, the printed display falls and the one with $|S_j|$ in place of n stands.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from numpy.typing import NDArray

from claims.kou2023.assumptions import RELU_APPENDIX, signed_halves
from claims.kou2023.initialisation import nonzero_inputs
from claims.kou2023.relu_coefficients import GIVEN, settled
from claims.kou2023.theorem_4_3 import gaussian_run
from models import Dataset, TwoLayer
from models.descent.decomposition import Decomposition, unroll, unroll_weights
from models.geometry.elimination import inverse
from models.geometry.orthogonality import largest_overlap, squared_norms, squared_radii
from models.geometry.stable_rank import stable_rank
from refute import Assumption, Kind, Margin, all_of, at_least, at_most, claim, equal, less, moved, without
from refute.functions import absolute, exp
from refute.numbers import Array, Number
from strategies import nearly_orthogonal as repair
from strategies.nearly_orthogonal import any_training, relu_training, training
from strategies.numbers import array

Floats = NDArray[np.float64]

STEPS = 5
_RUN: dict[str, Any] = {"kind": Kind.ASYMPTOTIC, "given": GIVEN, "assumes": RELU_APPENDIX}


def _scaled(course: Decomposition) -> Array:
    """A_t for both signs: (time, j, r, i)."""
    return np.asarray(course.rho / course.squares)


def _coefficients(data: Dataset, net: TwoLayer, rate: Number) -> tuple[Array, list[TwoLayer]]:
    """rho solved from the weights of descent (3.2): (time, neuron, sample), and the networks."""
    nets = list(unroll_weights(net, data, rate=rate, steps=STEPS))
    solver = data.inputs.T @ inverse(data.inputs @ data.inputs.T)
    return np.array([(now.inner - net.inner) @ solver for now in nets]) * squared_norms(data.inputs), nets


@claim(
    "kou2023.eq_f1.update",
    "Eq. (F.1)",
    given=relu_training(samples=(1, 2), widths=(2,), constants=(100,)),
    assumes=RELU_APPENDIX,
    recorded="supported",
    mutants=[moved("1/n in place of 1/(nm)", shares=0), moved("neurons inactive at the start", side=-1), moved("|x_i|^4", power=2)],
    convention="the first five steps, in balls; the coefficients are solved from the weights",
    cost=6.0,
)
def active_coefficients_gain_the_logit(
    data: Dataset, net: TwoLayer, rate: Number, *, shares: int = 1, side: int = 1, power: int = 1
) -> Margin:
    r"""$\bar\rho^{(t+1)}_{y_i,r,i}=\bar\rho^{(t)}_{y_i,r,i}+\frac{\eta}{nm}|\ell_i'^{(t)}|\|x_i\|^2$ for all $t\ge0$ and $r\in S_i^{(0)}$."""
    rho, nets = _coefficients(data, net, rate)
    m, n = net.width // 2, len(data.labels)
    squares, found = squared_norms(data.inputs), []
    for i, y in enumerate(data.labels):
        rows = [r for r in (range(m) if y > 0 else range(m, 2 * m)) if side * (net.inner[r] @ data.inputs[i]) > 0]
        logits = np.array([1 / (1 + exp(y * now(data.inputs)[i])) for now in nets[:-1]])
        gains = rate * logits * squares[i] ** power / (n * m**shares)
        found += [equal(rho[1:, r, i] - rho[:-1, r, i], gains, "gain of rho-bar") for r in rows]
    return all_of(*found) if found else equal(0, 0, "no such neuron")


@claim(
    "kou2023.lemma_f1.matrix_form",
    "proof of Lemma F.1, first displays",
    given=any_training(),
    assumes=[signed_halves, nonzero_inputs],
    recorded="supported",
    mutants=[moved("without |x_i|^-2", power=0), moved("W_j(t) itself", start=0)],
    convention="any nonzero inputs; the coefficients of the recursion (5.3)-(5.5) against descent on the weights, five steps",
    cost=4.0,
)
def the_change_of_the_weights_is_a_product(data: Dataset, net: TwoLayer, rate: Number, *, power: int = 1, start: int = 1) -> Margin:
    r"""$W_j^{(t)}-W_j^{(0)}=A_tX$ with $(A_t)_{ri}=\rho^{(t)}_{j,r,i}\|x_i\|^{-2}$ and X the matrix with rows $x_i$."""
    course = unroll(net, data, rate=rate, steps=STEPS)
    product = (course.rho.reshape(STEPS + 1, net.width, -1) / course.squares**power) @ data.inputs
    changes = np.array([now.inner - start * net.inner for now in unroll_weights(net, data, rate=rate, steps=STEPS)])
    return equal(product, changes, "A_t X against W(t) - W(0)")


@st.composite
def _matrices(draw: DrawFn) -> dict[str, Any]:
    n = draw(st.integers(1, 3))
    return {"A": draw(array(draw(st.integers(1, 3)), n)), "X": draw(array(n, draw(st.integers(1, 3))))}


MATRICES: SearchStrategy[dict[str, Any]] = _matrices()


@claim(
    "kou2023.lemma_f1.frobenius_expansion",
    "proof of Lemma F.1",
    given=MATRICES,
    recorded="supported",
    mutants=[moved("R_min in place of R_max", radius=0), moved("without the cross terms", cross=0), moved("twice the products", twice=2)],
    convention="any matrix A, any inputs X",
)
def frobenius_norm_expands_in_inner_products(A: Array, X: Array, *, radius: int = 1, cross: int = 1, twice: int = 1) -> Margin:
    r"""$\|AX\|_F^2=\sum_{i,i'}\langle x_i,x_{i'}\rangle a_i^\top a_{i'}\le R_{\max}^2\sum_i\|a_i\|^2+p\sum_{i\ne i'}|a_i^\top a_{i'}|$."""
    product, gram, columns = A @ X, X @ X.T, A.T @ A
    diagonal = np.diagonal(columns)
    left = (product * product).sum()
    off = absolute(columns).sum() - diagonal.sum()
    return all_of(
        equal(left, twice * (gram * columns).sum(), "|AX|_F^2 against the sum of inner products"),
        at_most(left, squared_radii(X)[radius] * diagonal.sum() + cross * largest_overlap(X) * off, "|AX|_F^2 against its bound"),
    )


half_overlaps = Assumption(
    "data.overlaps_below_half",
    "R_min^2 >= 2np and R_min > 0",
    lambda data: all_of(
        at_least(squared_radii(data.inputs)[0], 2 * len(data.labels) * largest_overlap(data.inputs), "R_min^2 against 2np"),
        less(0, squared_radii(data.inputs)[0], "0 against R_min^2"),
    ),
    base=training(constants=(2,)),
    satisfy=repair.shrink_overlaps,
    violate=repair.repeat_an_input,
)


@st.composite
def _with_vector(draw: DrawFn) -> dict[str, Any]:
    case = draw(training(samples=(1, 3), constants=(2,)))
    return case | {"v": np.array([Fraction(draw(st.integers(-2, 2))) for _ in range(4)], dtype=object)}


@claim(
    "kou2023.lemma_f1.gershgorin",
    "proof of Lemma F.1",
    given=_with_vector(),
    assumes=[half_overlaps],
    recorded="supported",
    mutants=[moved("R_min^2 - np/4", share=Fraction(1, 4)), moved("9 R_min^2/10", half=Fraction(9, 10)), without(half_overlaps)],
    convention="the smallest eigenvalue is at least c exactly when v'XX'v >= c|v|^2 for all v; v is drawn",
    cost=2.0,
)
def smallest_eigenvalue_of_the_gram_matrix(
    data: Dataset, v: Array, *, share: Number = Fraction(1), half: Number = Fraction(1, 2)
) -> Margin:
    r"""$\lambda_{\min}(XX^\top)\ge R_{\min}^2-np\ge R_{\min}^2/2$ if $R_{\min}^2\ge2np$."""
    n, u = len(data.labels), v[: len(data.labels)]
    low, p, pulled = squared_radii(data.inputs)[0], largest_overlap(data.inputs), data.inputs.T @ u
    energy, square = (pulled * pulled).sum(), (u * u).sum()
    return all_of(
        at_least(energy, (low - share * n * p) * square, "v'XX'v against (R_min^2 - np)|v|^2"),
        at_least(energy, half * low * square, "v'XX'v against R_min^2 |v|^2/2"),
        at_least(low - n * p, half * low, "R_min^2 - np against R_min^2/2") if half * 2 == 1 else equal(0, 0),
    )


@claim(
    "kou2023.lemma_f1.pinv_norm",
    "proof of Lemma F.1",
    kind=Kind.DYNAMICS,
    given=training(constants=(2,)),
    assumes=[half_overlaps],
    recorded="supported",
    mutants=[moved("largest eigenvalue", which=-1), moved("half the second bound", factor=0.5), moved("n in place of its root", power=0.0)],
    convention="eigenvalues in float64; both inequalities squared and divided by their left-hand side",
)
def norm_of_the_test_vector(data: Dataset, *, which: int = 0, factor: float = 2.0, power: float = 1.0) -> Margin:
    r"""$\|X^\top(XX^\top)^{-1}1_n\|_2\le\sqrt n/\sqrt{\lambda_{\min}(XX^\top)}\le\sqrt{2n}/R_{\min}$ if $R_{\min}^2\ge2np$."""
    gram, n = data.inputs @ data.inputs.T, len(data.labels)
    size, value = float(np.linalg.inv(gram).sum()), float(np.linalg.eigvalsh(gram)[which])
    low = float(squared_radii(data.inputs)[0])
    return all_of(
        at_least(n**power / (value * size), 1, "n/lambda against the squared norm, relative", error=1e-12),
        at_least(factor * n / (low * size), 1, "2n/R_min^2 against the squared norm, relative", error=1e-12),
    )
