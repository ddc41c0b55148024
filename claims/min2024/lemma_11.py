r"""Lemma 11: the pull $x_a(w)$ grows with the number of active data."""

from refute import Fault, Margin, all_of, at_least, changed, derived, equal, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import SEPARATED_NEURON, separated
from refute.claims.min2024.quantities import squares
from refute.decide.proof import by_smt, in_words, steps
from refute.decide.symbolic import by_identity
from refute.functions import largest, sign, smallest, squared_norm
from refute.models import Dataset
from refute.models.min2024.cones import separation
from refute.models.min2024.conic import signed_data


@derived
def active(data: Dataset, w: Array) -> Array:
    """y_i x_i of the data that are active at w; their sum is x_a."""
    rows: Array = signed_data(data)[sign(data.inputs @ w) > 0]
    return rows


@derived
def pull(data: Dataset, active: Array) -> Number:
    """|x_a|^2."""
    return squared_norm(active.sum(axis=0) + 0 * data.inputs[0])


@derived
def diagonal(active: Array) -> Number:
    """The sum of |x_i|^2 over the active data."""
    return squared_norm(active)


@derived
def cross(data: Dataset, active: Array) -> Number:
    """The sum of y_i y_j <x_i, x_j> over the pairs of active data, each once."""
    products = active @ active.T
    return sum((products[i, j] for i in range(len(active)) for j in range(i)), 0 * data.inputs[0, 0])


lemma = section(
    "min2024", "lemma_11.x_a_norm", given=SEPARATED_NEURON, derived=[active, pull, diagonal, cross, squares]
)


def pull_is_long() -> str | None:
    r"""$\|x_a\|^2$ is a sum of $n_a$ squares, each at least $X_{\min}^2$, and of $n_a(n_a-1)$ products, each at least
    $\mu X_{\min}^2$.
    """
    import z3

    mu, p, q, g, least, n = z3.Reals("mu p q g least n")
    sizes = z3.And(mu > 0, p >= least, q >= least, least > 0, g >= mu * p * q)
    return steps(
        in_words("|x_a|^2 is the sum of n_a squares, each at least X_min^2, and of n_a(n_a - 1) products"),
        by_smt(lambda: z3.Implies(sizes, g >= mu * least * least), "each product is at least mu X_min^2"),
        by_smt(
            lambda: z3.Implies(z3.And(mu <= 1, n >= 0), n * (1 + mu * (n - 1)) >= mu * n * n),
            "the bound in the middle is above the last one",
        ),
    )


@lemma.claim("", "Lemma 11, Eq. (25)", assumes=[separated], proof=pull_is_long, recorded="proved")
@mutants(
    scaled("1001/1000", "|x_a|^2 against n_a"),
    scaled("1001/1000", "|x_a|^2 against mu"),
    changed("X_max in place of X_min", squares=largest),
)
def the_pull_grows_with_the_active_data(data: Dataset, active: Array, pull: Number, squares: Array) -> Margin:
    r"""$\|x_a(w)\|\ge\sqrt{n_a(1+\mu(n_a-1))}\,X_{\min}\ge\sqrt\mu\,n_aX_{\min}$ with $n_a$ the number of data active
    at $w$.

    Separation is not shown necessary: without it the square root of $\mu$ does not exist, and the bound in the middle
    was not seen to fail.
    """
    n, mu, least = len(active), separation(data), smallest(squares)
    return all_of(
        at_least(pull, n * (1 + mu * (n - 1)) * least, "|x_a|^2 against n_a (1 + mu (n_a - 1)) X_min^2"),
        at_least(pull, mu * n * n * least, "|x_a|^2 against mu n_a^2 X_min^2"),
    )


@lemma.claim("expansion.r1", "proof of Lemma 11, cross terms counted once", recorded="refuted", fault=Fault.SCAN)
def squared_pull_has_single_cross_terms(pull: Number, diagonal: Number, cross: Number) -> Margin:
    r"""$\|x_a\|^2=\sum_i\|x_i\|^2+\sum_{i<j}y_iy_j\langle x_i,x_j\rangle$ over the active data, each pair once.

    Fails with two active data: the square of a sum has each product twice. The line after it in the proof needs them
    twice as well.
    """
    return equal(pull, diagonal + cross, "|x_a|^2 against its expansion")


def _square_of_a_sum() -> str | None:
    """One more active datum, coordinate by coordinate: it brings its square and twice its product with the sum of those
    before it.
    """
    import sympy

    total, x = sympy.symbols("total x", real=True)
    return by_identity(
        lambda: [(total + x) ** 2 - total**2 - x**2 - 2 * total * x], "by induction over the active data"
    )


@lemma.claim("expansion.r2", "proof of Lemma 11, cross terms counted twice", proof=_square_of_a_sum, recorded="proved")
@mutants(
    changed("cross terms counted once", cross=lambda cross: cross / 2),
    changed("cross terms counted three times", cross=lambda cross: cross * 3 / 2),
)
def squared_pull_has_double_cross_terms(pull: Number, diagonal: Number, cross: Number) -> Margin:
    r"""$\|x_a\|^2=\sum_i\|x_i\|^2+2\sum_{i<j}y_iy_j\langle x_i,x_j\rangle$ over the active data."""
    return equal(pull, diagonal + 2 * cross, "|x_a|^2 against its expansion")
