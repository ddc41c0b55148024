r"""Equation (F.2) and the proof of Lemma F.1: the spectral norm of $W_j^{(t)}-W_j^{(0)}=A_tX$ for a ReLU network.

$A_t$ has the entries $\rho^{(t)}_{j,r,i}\|x_i\|^{-2}$; $S_j$ are the samples of label j. The proof needs both labels in
bounded proportion, which nothing in Theorem 4.3 says: the printed displays fall and those with $|S_j|$ in place of n
stand. Late times are those at which limits are judged, on orthogonal data.
"""

from typing import Any

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    changed,
    derived,
    eventually,
    less,
    mutants,
    scaled,
    section,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX, half_overlaps
from refute.claims.kou2023.relu_runs import GENERIC, GIVEN, VARIED, early, late
from refute.claims.kou2023.theorem_4_3 import stable_ranks_are_bounded
from refute.decide.proof import by_smt, in_words, steps
from refute.decide.symbolic import by_identity
from refute.functions import largest, log, sign, sqrt
from refute.models import Dataset
from refute.models.geometry.stable_rank import stable_rank
from refute.models.kou2023.decomposition import Decomposition, unroll_long
from refute.models.kou2023.gaussian import gaussian_start, nearly_orthogonal
from refute.models.kou2023.gram import eigenvalues, inverse_sum
from refute.models.kou2023.orthogonality import largest_overlap, squared_radii
from refute.strategies import choice, sized
from refute.strategies.kou2023.matrices import MATRICES, WITH_VECTOR
from refute.strategies.kou2023.nearly_orthogonal import training

proof = section("kou2023", "lemma_f1", "proof of Lemma F.1", recorded="supported")


@derived
def low(data: Dataset) -> Number:
    """R_min^2."""
    return squared_radii(data.inputs)[0]


@derived
def overlaps(data: Dataset) -> Number:
    """np."""
    return len(data.labels) * largest_overlap(data.inputs)


def _gershgorin() -> str | None:
    def pair() -> Any:
        import z3

        v, w, g, p = z3.Reals("v w g p")
        return z3.Implies(z3.And(-p <= g, g <= p), 2 * v * w * g >= -p * (v * v + w * w))

    def half() -> Any:
        import z3

        low, overlaps = z3.Reals("low overlaps")
        return z3.Implies(low >= 2 * overlaps, 2 * (low - overlaps) >= low)

    meaning = "summed over the pairs i < k, v_i v_k <x_i, x_k> take at most (n - 1)p |v|^2 from sum_i v_i^2 |x_i|^2"
    return steps(by_smt(pair), in_words(meaning), by_smt(half))


@proof.claim(
    "gershgorin",
    given=WITH_VECTOR,
    assumes=[half_overlaps],
    derived=[low, overlaps],
    proof=_gershgorin,
    recorded="proved",
    cost=2.0,
)
@mutants(
    changed("R_min^2 - np/4", overlaps=lambda overlaps: overlaps / 4),
    scaled("9/5", "v'XX'v, second"),
    without(half_overlaps),
)
def smallest_eigenvalue_of_the_gram_matrix(data: Dataset, v: Array, low: Number, overlaps: Number) -> Margin:
    r"""$\lambda_{\min}(XX^\top)\ge R_{\min}^2-np\ge R_{\min}^2/2$ if $R_{\min}^2\ge2np$.

    Convention: the smallest eigenvalue is at least c exactly when $v^\top XX^\top v\ge c\|v\|^2$ for all v; v is drawn.
    """
    u = v[: len(data.labels)]
    pulled, square = data.inputs.T @ u, (u * u).sum()
    energy = (pulled * pulled).sum()
    return all_of(
        at_least(energy, (low - overlaps) * square, "v'XX'v, first"),
        at_least(energy, low * square / 2, "v'XX'v, second"),
        at_least(low - overlaps, low / 2, "R_min^2 - np"),
    )


@derived
def gram(data: Dataset) -> Array:
    """XX'."""
    return data.inputs @ data.inputs.T


@derived
def least(gram: Array) -> Enclosed:
    """Its smallest eigenvalue."""
    return eigenvalues(gram)[0]


@derived
def vector(gram: Array) -> Enclosed:
    """|X'(XX')^-1 1_n|^2 = 1'(XX')^-1 1."""
    return inverse_sum(gram)


def _eigenvalues_proof() -> str | None:
    def one_eigenvalue() -> Any:
        import z3

        share, value, least, low = z3.Reals("share value least low")  # share is <1, u>^2 for the unit eigenvector u
        given = z3.And(share >= 0, value >= least, 2 * least >= low, low > 0)
        return z3.Implies(given, z3.And(share / value <= share / least, 1 / least <= 2 / low))

    meaning = "1'(XX')^-1 1 is the sum of share/value over an eigenbasis, the shares add up to n"
    return steps(by_smt(one_eigenvalue), in_words(meaning), _gershgorin())


inverse = proof.but(
    kind=Kind.DYNAMICS,
    given=training(constants=(2,)),
    assumes=[half_overlaps],
    derived=[gram, least, vector],
    proof=_eigenvalues_proof,
    recorded="proved",
)


@inverse.claim("pinv_norm")
@mutants(scaled("99/100", "first"), scaled("1/2", "second"))
def norm_of_the_test_vector(data: Dataset, least: Enclosed, vector: Enclosed) -> Margin:
    r"""$\|X^\top(XX^\top)^{-1}1_n\|_2\le\sqrt n/\sqrt{\lambda_{\min}(XX^\top)}\le\sqrt{2n}/R_{\min}$ if
    $R_{\min}^2\ge2np$.

    Convention: squared.
    """
    n, low = len(data.labels), squared_radii(data.inputs)[0]
    return all_of(at_most(vector, n / least, "first bound"), at_most(n / least, 2 * n / low, "second bound"))


def _cauchy() -> str | None:
    import sympy

    a, b = sympy.symbols("a b", real=True)
    meaning = (
        "m |s|^2 - (sum s)^2 is the sum of (s_r - s_q)^2 over the pairs of rows: each gives s_r^2 + s_q^2 - 2 s_r s_q"
    )
    return by_identity(lambda: [sympy.expand(a**2 + b**2 - 2 * a * b - (a - b) ** 2)], meaning)


@proof.claim("cauchy", given=MATRICES, proof=_cauchy, recorded="proved")
@mutants(scaled("1001/1000"))
def row_sums_dominate_the_total(A: Array) -> Margin:
    r"""$\|A1_n\|_2\ge\frac1{\sqrt m}\sum_{r,i}A_{ri}$.

    Convention: any matrix with m rows; squared, which is stronger where the sum is negative.
    """
    rows = A.sum(axis=1)
    return at_least(len(A) * (rows * rows).sum(), rows.sum() * rows.sum(), "m |A 1|^2")


@proof.claim(
    "spectral_test_vector", kind=Kind.DYNAMICS, given=GIVEN, assumes=RELU_APPENDIX, derived=[early, gram, vector]
)
@mutants(scaled("3/2"), changed("divided by the norm of the test vector twice", vector=lambda square: square**2))
def the_test_vector_bounds_the_spectral_norm(early: Decomposition, vector: Enclosed) -> Margin:
    r"""$\|W_j^{(t)}-W_j^{(0)}\|_2\ge\|A_t1_n\|_2/\|X^\top(XX^\top)^{-1}1_n\|_2$.

    Convention: the first hundred steps.
    """
    rows = (early.known(early.rho) / early.squares).sum(axis=-1)
    return at_least(early.moved_norms, sqrt((rows * rows).sum(axis=-1)) / sqrt(vector), "|W - W(0)|_2")


@derived
def scaled_rows(late: Decomposition) -> Enclosed:
    """A_t R_max^2: (time, j, r, i)."""
    found: Enclosed = late.known(late.rho) * (largest(late.squares) / late.squares)
    return found


def row_sums(course: Decomposition) -> Enclosed:
    """R_max^2 |A_t 1_n|: (time, j)."""
    rows = (course.known(course.rho) * (largest(course.squares) / course.squares)).sum(axis=-1)
    sizes: Enclosed = sqrt((rows * rows).sum(axis=-1))
    return sizes


def spectral(course: Decomposition) -> Enclosed:
    """R_max^2 |W_j(t) - W_j(0)|_2/R_min: (time, j)."""
    low, high = squared_radii(course.data.inputs)
    norms: Enclosed = course.moved_norms * (high / np.sqrt(low))
    return norms


@derived
def counts(data: Dataset) -> Array:
    """|S_{+1}| and |S_{-1}|."""
    return np.array([(data.labels > 0).sum(), (data.labels < 0).sum()], dtype=float)


@derived
def occurs(counts: Array) -> Array:
    """Which of the labels occur."""
    return counts > 0


printed = section(
    "kou2023",
    "",
    "",
    kind=Kind.ASYMPTOTIC,
    given=GIVEN,
    assumes=GENERIC,
    derived=[early, late, scaled_rows, counts, occurs],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    root=stable_ranks_are_bounded.id,
    in_balls=True,
    cost=0.5,
)
EVERY_LABEL = changed("for labels that do not occur too", occurs=np.ones_like)
N_FOR_CLASS = changed("n in place of the size of the class", counts=lambda counts: 0 * counts + counts.sum())
amended = printed.but(given=VARIED, recorded="supported", fault=None, root="", in_balls=False, cost=0.1)


def signed_sums_are_large(late: Decomposition, scaled_rows: Enclosed, occurs: Array) -> Margin:
    """R_max^2 sum of A_t against half of the sum of the own coefficients of neurons that start active, for late t."""
    active = np.where(late.starts_active, late.own(late.rho), 0).sum(axis=1)
    labels = np.asarray(late.data.labels, dtype=float)
    sums = late.known(np.stack([active[:, labels > 0].sum(axis=1), active[:, labels < 0].sum(axis=1)], axis=1))
    total = scaled_rows.sum(axis=(2, 3))

    def holds(t: float) -> Margin:
        now = late.steps == t
        return at_least(total[now][:, occurs], sums[now][:, occurs] / 2, "R_max^2 sum of A_t")

    return eventually(holds, "signed sum", at=late.steps)


@printed.claim("lemma_f1.signed_sum_lower.r1", "proof of Lemma F.1, the display", printed=True)
def own_coefficients_dominate_every_sum(early: Decomposition) -> Margin:
    r"""$\sum_{r,i}\rho_{j,r,i}\|x_i\|^{-2}\ge\frac12R_{\max}^{-2}\sum_{i\in S_j}\sum_{r\in S_i^{(0)}}
    \bar\rho_{y_i,r,i}$ for late t, $j=\pm1$.

    Fails for $j=-1$ when no label is $-1$: $A_t$ then has entries $\le0$ only, and they stop moving once the neurons
    are inactive on every sample.

    Convention: for a sign whose neurons are inactive on every sample after a hundred steps, so that both sides are what
    they will be for ever.
    """
    end = early.since(len(early.steps) - 1)
    still = np.asarray(sign(largest(end.signals[0].reshape(2, -1), axis=1)) < 0)
    labels, active = sign(end.data.labels), np.where(end.starts_active, end.own(end.rho), 0).sum(axis=1)
    sums = np.stack([(active * (labels == j)).sum(axis=1) for j in (1, -1)], axis=1)
    total = (end.rho * (largest(end.squares) / end.squares)).sum(axis=(2, 3))
    return at_least(end.known(total)[0][still], end.known(sums)[0][still] / 2, "R_max^2 sum of A_t")


@amended.claim("lemma_f1.signed_sum_lower.amended", "proof of Lemma F.1, the display for labels that occur")
@mutants(scaled(3), EVERY_LABEL)
def own_coefficients_dominate_the_sum(late: Decomposition, scaled_rows: Enclosed, occurs: Array) -> Margin:
    r"""Amended: j is the label of some sample. On orthogonal data the opposite coefficients stay bounded and the own
    ones grow.
    """
    return signed_sums_are_large(late, scaled_rows, occurs)


PROPORTIONS = sized(
    others=choice(1, 10, 1000), own=choice(1, 2, 10), share=choice("1/2", "2/5", "3/5"), C=choice(100, 1000)
)


@proof.claim(
    "signed_sum_lower.r2",
    "the inequality used",
    given=PROPORTIONS,
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    root=stable_ranks_are_bounded.id,
    printed=True,
)
def overlaps_beat_every_label_proportion(others: int, own: int, share: Number, C: int) -> Margin:
    r"""$\frac{m|S_{-j}|}{|S_j|\min_{i\in S_j}|S_i^{(0)}|}cR_{\min}^{-4}R_{\max}^2pn\le\frac12$ if
    $R_{\min}^2\ge CR^2np$ with C absolute.

    Fails for labels out of proportion: the left side is $c|S_{-j}|/(|S_j|\,\mathrm{share}\,C)$, and $|S_{-j}|/|S_j|$
    may be $n-1$.

    Convention: c = 1, overlaps at the bound $CR_{\max}^2R_{\min}^{-4}pn=1$, all $|S_i|$ equal to `share` times m; C
    fixed, n free.
    """
    return at_most(2 * others, own * share * C, "2c|S_{-j}|")


@printed.claim("eq_f2.A1_lower", "Eq. (F.2)")
def row_sums_grow_logarithmically(early: Decomposition) -> Margin:
    r"""$\|A_t1_n\|_2\ge CR_{\max}^{-2}\sqrt m\,n\log t$ for $j=\pm1$ and late t.

    Fails for $j=-1$ when no label is $-1$, whatever C: once the neurons are inactive on every sample $A_t$ stands still
    for ever, and the right side grows.

    Convention: what grows has not come to rest, that is some neuron of either sign is active on some sample after a
    hundred steps.
    """
    return less(0, early.liveliest[-1], "largest signal of either sign")


def late_bound(late: Decomposition, quantity: Enclosed, bound: Array, line: str) -> Margin:
    """quantity >= bound log t for the labels that occur, in the end."""
    return eventually(lambda t: at_least(quantity[late.steps == t], bound * log(t), line), line, at=late.steps)


@amended.claim("eq_f2.A1_lower.amended", "Eq. (F.2) with the size of the class")
@mutants(scaled(4), N_FOR_CLASS)
def row_sums_grow_like_the_class(late: Decomposition, counts: Array) -> Margin:
    r"""Amended: $\|A_t1_n\|_2\ge CR_{\max}^{-2}\sqrt m\,|S_j|\log t$ for late t.

    Convention: C = 1/2.
    """
    return late_bound(late, row_sums(late), np.sqrt(late.width) * counts / 2, "R_max^2 |A_t 1|")


@printed.claim("lemma_f1.spectral_lower", "proof of Lemma F.1")
def spectral_norm_of_the_change_grows_logarithmically(early: Decomposition) -> Margin:
    r"""$\|W_j^{(t)}-W_j^{(0)}\|_2\ge C''R_{\max}^{-2}R_{\min}\sqrt{mn}\log t$ for $j=\pm1$ and late t.

    Fails for $j=-1$ when no label is $-1$, whatever $C''$: once the neurons are inactive on every sample $W_j$ stands
    still for ever, and the right side grows.

    Convention: as for (F.2).
    """
    return less(0, early.liveliest[-1], "largest signal of either sign")


@amended.claim("lemma_f1.spectral_lower.amended", "proof of Lemma F.1 with the size of the class")
@mutants(scaled(6), N_FOR_CLASS)
def spectral_norm_of_the_change_grows_like_the_class(late: Decomposition, counts: Array) -> Margin:
    r"""Amended: $\|W_j^{(t)}-W_j^{(0)}\|_2\ge C''R_{\max}^{-2}R_{\min}\sqrt{m|S_j|}\log t$ for late t.

    Convention: C'' = 1/2.
    """
    return late_bound(late, spectral(late), np.sqrt(late.width * counts) / 2, "R_max^2 |W - W(0)|_2/R_min")


RUNS = [
    {"positive": positive, "negative": negative, "R": R, "family": family, "start": start}
    for positive, negative in ((12, 0), (6, 6), (11, 1))
    for R, family in ((1, "orthogonal"), (4, "orthogonal"), (2, "class"))
    for start in (1, 2)
]


@proof.claim("ratio", "last display", kind=Kind.ASYMPTOTIC, instances=RUNS)
@mutants(scaled("1/3"), changed("of W_j itself", start=lambda start: -start))
def stable_rank_of_the_change_is_bounded(
    positive: int, negative: int, R: int, family: str, start: int, *, rng: np.random.Generator
) -> Margin:
    r"""$\|W_j^{(t)}-W_j^{(0)}\|_F^2/\|W_j^{(t)}-W_j^{(0)}\|_2^2\le C'R_{\max}^6/(C''^2R_{\min}^6)$, a constant.

    Convention: $C'/C''^2=3$; orthogonal inputs, or inner products $py_iy_k$, of norms one and R in turn, Gaussian
    starts with m = d = 48, $t=10^{20}$. With one label missing $W_{-j}-W_{-j}^{(0)}$ stays bounded but its entries all
    have one sign, so that its stable rank is bounded too.
    """
    labels = np.array([1.0] * positive + [-1.0] * negative)
    data = nearly_orthogonal(labels, 10, 48 - len(labels), R, family)
    net, rate = gaussian_start(rng, data, 48, 10)
    course = unroll_long(net, data, rate=rate, times=[1e20])
    rows = course.rows if start < 0 else course.moved
    ranks = np.array([stable_rank(change) for change in rows.value[-1]])
    return at_most(ranks, 3 * float(R) ** 6, "stable rank of W_j - W_j(0)")
