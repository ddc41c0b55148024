r"""Appendix F, Lemma F.1: from coefficients to the norms of $W_j^{(t)}-W_j^{(0)}=A_tX$ of a ReLU network.

$A_t$ has the entries $\rho^{(t)}_{j,r,i}\|x_i\|^{-2}$ and columns $a_i$; $S_j$ are the samples of label j. Statements
with a constant that the paper only says to exist are tested with a constant stated here, at $t=10^4$ and later. Where
the proof needs both labels in bounded proportion, which nothing in Theorem 4.3 says, the printed display falls and the
one with $|S_j|$ in place of n stands.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from numpy.typing import NDArray

from refute import Assumption, Cases, Kind, Margin, all_of, at_least, at_most, claim, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX
from refute.claims.kou2023.relu_coefficients import GENERIC, GIVEN, VARIED, settled
from refute.claims.kou2023.theorem_4_3 import gaussian_start
from refute.functions import largest, log, norm, smallest, sqrt
from refute.models import Dataset, TwoLayer
from refute.models.geometry.elimination import inverse
from refute.models.geometry.stable_rank import spectral_norms, stable_rank
from refute.models.kou2023.decomposition import Decomposition, unroll, unroll_long, unroll_weights
from refute.models.kou2023.orthogonality import largest_overlap, squared_norms, squared_radii
from refute.strategies import choice, sized
from refute.strategies.kou2023 import nearly_orthogonal as repair
from refute.strategies.kou2023.nearly_orthogonal import training
from refute.strategies.numbers import array, is_array

Floats = NDArray[np.float64]

STEPS = 3
_RUN: dict[str, Any] = {"kind": Kind.ASYMPTOTIC, "given": GIVEN, "assumes": RELU_APPENDIX}


def _scaled(course: Decomposition) -> Array:
    """A_t for both signs: (time, j, r, i)."""
    return np.asarray(course.rho / course.squares)


def _coefficients(data: Dataset, net: TwoLayer, rate: Number) -> tuple[Array, list[TwoLayer]]:
    """rho solved from the weights of descent (3.2): (time, neuron, sample), and the networks."""
    nets = list(unroll_weights(net, data, rate=rate, steps=STEPS))
    solver = data.inputs.T @ inverse(data.inputs @ data.inputs.T)
    return np.array([(now.inner - net.inner) @ solver for now in nets]) * squared_norms(data.inputs), nets


@st.composite
def _matrices(draw: DrawFn) -> dict[str, Any]:
    n = draw(st.integers(1, 3))
    return {"A": draw(array(draw(st.integers(1, 3)), n)), "X": draw(array(n, draw(st.integers(1, 3))))}


def _fit(fields: Mapping[str, Any]) -> dict[str, bool]:
    A: Any = fields.get("A")
    X: Any = fields.get("X")
    fit = is_array(A, 2) and is_array(X, 2) and A.shape[1] == len(X) > 0
    return {"A": fit, "X": fit}


MATRICES = Cases(_matrices(), _fit)


half_overlaps = Assumption(
    "data.overlaps_below_half",
    "R_min^2 >= 2np and R_min > 0",
    lambda data: all_of(
        at_least(
            squared_radii(data.inputs)[0], 2 * len(data.labels) * largest_overlap(data.inputs), "R_min^2 against 2np"
        ),
        less(0, squared_radii(data.inputs)[0], "0 against R_min^2"),
    ),
    base=training(constants=(2,)),
    satisfy=repair.shrink_overlaps,
    violate=repair.repeat_an_input,
)


_TRAINING = training(samples=(1, 3), constants=(2,))


@st.composite
def _and_a_vector(draw: DrawFn) -> dict[str, Any]:
    entries = [Fraction(draw(st.integers(-2, 2))) for _ in range(4)]
    return draw(_TRAINING.strategy) | {"v": np.array(entries, dtype=object)}


_WITH_VECTOR = _TRAINING.joined(_and_a_vector(), v=lambda value: is_array(value, 1)).within(
    lambda fields: len(fields["v"]) >= len(fields["data"].labels)  # one entry for each sample, the others are not used
)


@claim(
    "kou2023.lemma_f1.gershgorin",
    "proof of Lemma F.1",
    given=_WITH_VECTOR,
    assumes=[half_overlaps],
    recorded="supported",
    mutants=[
        moved("R_min^2 - np/4", share=Fraction(1, 4)),
        moved("9 R_min^2/10", half=Fraction(9, 10)),
        without(half_overlaps),
    ],
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
        at_least(low - n * p, half * low, "R_min^2 - np against R_min^2/2"),
    )


@claim(
    "kou2023.lemma_f1.pinv_norm",
    "proof of Lemma F.1",
    kind=Kind.DYNAMICS,
    given=training(constants=(2,)),
    assumes=[half_overlaps],
    recorded="supported",
    mutants=[
        moved("largest eigenvalue", which=-1),
        moved("half the second bound", factor=0.5),
        moved("n in place of its root", power=0.0),
    ],
    convention="eigenvalues in float64; both inequalities squared and divided by their left-hand side",
)
def norm_of_the_test_vector(data: Dataset, *, which: int = 0, factor: float = 2.0, power: float = 1.0) -> Margin:
    r"""$\|X^\top(XX^\top)^{-1}1_n\|_2\le\sqrt n/\sqrt{\lambda_{\min}(XX^\top)}\le\sqrt{2n}/R_{\min}$ if
    $R_{\min}^2\ge2np$.
    """
    gram, n = data.inputs @ data.inputs.T, len(data.labels)
    size, value = float(np.linalg.inv(gram).sum()), float(np.linalg.eigvalsh(gram)[which])
    low = float(squared_radii(data.inputs)[0])
    return all_of(
        at_least(n**power / (value * size), 1, "n/lambda against the squared norm, relative", error=1e-12),
        at_least(factor * n / (low * size), 1, "2n/R_min^2 against the squared norm, relative", error=1e-12),
    )


@claim(
    "kou2023.lemma_f1.cauchy",
    "proof of Lemma F.1",
    given=MATRICES,
    recorded="supported",
    mutants=[moved("without 1/sqrt(m)", power=0), moved("3/2 in place of 1", factor=Fraction(3, 2))],
    convention="any matrix with m rows; squared, which is stronger where the sum is negative",
)
def row_sums_dominate_the_total(A: Array, *, power: int = 1, factor: Number = Fraction(1)) -> Margin:
    r"""$\|A1_n\|_2\ge\frac1{\sqrt m}\sum_{r,i}A_{ri}$."""
    rows = A.sum(axis=1)
    return at_least(
        len(A) ** power * (rows * rows).sum(), factor * rows.sum() * rows.sum(), "m |A 1|^2 against the squared sum"
    )


def _norms(matrices: Floats) -> Floats:
    return np.asarray(np.linalg.norm(matrices, ord=2, axis=(-2, -1)))


@claim(
    "kou2023.lemma_f1.spectral_test_vector",
    "proof of Lemma F.1",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=RELU_APPENDIX,
    recorded="supported",
    mutants=[
        moved("3/2 times the quotient", factor=1.5),
        moved("divided by the norm of the test vector twice", power=2),
    ],
    convention="the first 20 steps in float64, where both sides are divided by |A_t X|_2; W(t) - W(0) from descent on "
    "the weights",
)
def the_test_vector_bounds_the_spectral_norm(
    data: Dataset, net: TwoLayer, rate: float, *, factor: float = 1.0, power: int = 1
) -> Margin:
    r"""$\|W_j^{(t)}-W_j^{(0)}\|_2\ge\|A_t1_n\|_2/\|X^\top(XX^\top)^{-1}1_n\|_2$."""
    course = unroll(net, data, rate=rate, steps=20)
    nets = list(unroll_weights(net, data, rate=rate, steps=20))[1:]
    changes = _norms(np.array([now.inner - net.inner for now in nets]).reshape(20, 2, course.width, -1))
    vector = np.sqrt(np.linalg.inv(data.inputs @ data.inputs.T).sum())
    sums = np.linalg.norm(_scaled(course)[1:].sum(axis=-1), axis=-1)
    quotient = factor * sums / vector**power
    return at_most(
        np.where(changes > 0, quotient / np.where(changes > 0, changes, 1.0), quotient),
        1,
        "quotient over |W - W(0)|_2",
        error=1e-9,
    )


def _late(data: Dataset, net: TwoLayer, rate: float) -> tuple[Decomposition, Floats, Floats]:
    """The run, A_t at 10^4 and later multiplied by R_min^2, and log^2 t there."""
    course = settled(data, net, rate, first=1e4, count=12)
    late = course.steps >= 1e4
    return course, _scaled(course)[late] * course.squares.min(), np.log(course.steps[late]) ** 2


_MISSING = r"""

Fails for $j=-1$ when no label is $-1$: $A_t$ then has entries $\le0$ only, and they stop moving once the neurons are
inactive.
"""
_ORTHOGONAL: dict[str, Any] = {"kind": Kind.ASYMPTOTIC, "given": GIVEN, "assumes": GENERIC, "cost": 0.5}
_REFUTED: dict[str, Any] = {**_ORTHOGONAL, "recorded": "refuted", "in_balls": True}
_END = "orthogonal data, t = 10^20"
_AMENDED: dict[str, Any] = {**_ORTHOGONAL, "given": VARIED, "cost": 0.1}
_VARIED = (
    f"{_END}; C = 10, 100 or 1000, up to five samples of either label, norms up to a factor 2 apart, up to ten "
    f"neurons of each sign"
)


def _end(data: Dataset, net: TwoLayer, rate: Number) -> tuple[Decomposition, Array, Floats, Number]:
    """The run, A_t at its end times R_max^2: (j, r, i), the sizes of S_+1 and S_-1, and log t."""
    course = settled(data, net, rate, first=1e18, count=3)
    counts = np.array([(data.labels > 0).sum(), (data.labels < 0).sum()], dtype=float)
    return course, _scaled(course)[-1] * largest(course.squares), counts, log(course.steps[-1])


def _signed_sums(data: Dataset, net: TwoLayer, rate: Number, factor: float, occurring: int) -> Margin:
    course, A, counts, _ = _end(data, net, rate)
    active = np.where(course.starts_active, course.own(course.rho)[-1], 0).sum(axis=0)
    sums = np.array([active[data.labels > 0].sum(), active[data.labels < 0].sum()])
    asked = (counts > 0) | (not occurring)
    return at_least(
        np.where(asked, A.sum(axis=(1, 2)), 0), np.where(asked, factor * sums, 0), "R_max^2 sum of A_t", error=1e-6
    )


def _signed_sum(data: Dataset, net: TwoLayer, rate: Number, *, factor: float = 0.5) -> Margin:
    return _signed_sums(data, net, rate, factor, 0)


_signed_sum.__doc__ = (
    r"$\sum_{r,i}\rho_{j,r,i}\|x_i\|^{-2}\ge\frac12R_{\max}^{-2}\sum_{i\in S_j}\sum_{r\in "
    r"S_i^{(0)}}\bar\rho_{y_i,r,i}$ for late t, "
    r"$j=\pm1$." + _MISSING
)
claim("kou2023.lemma_f1.signed_sum_lower.r1", "proof of Lemma F.1, the display", convention=_END, **_REFUTED)(
    _signed_sum
)


@claim(
    "kou2023.lemma_f1.signed_sum_lower.amended",
    "proof of Lemma F.1, the display for labels that occur",
    recorded="supported",
    mutants=[moved("3/2 in place of 1/2", factor=1.5), moved("for labels that do not occur too", occurring=0)],
    convention=_VARIED,
    **_AMENDED,
)
def own_coefficients_dominate_the_sum(
    data: Dataset, net: TwoLayer, rate: float, *, factor: float = 0.5, occurring: int = 1
) -> Margin:
    r"""Amended: j is the label of some sample. On orthogonal data the opposite coefficients stay bounded and the own
    ones grow.
    """
    return _signed_sums(data, net, rate, factor, occurring)


@claim(
    "kou2023.lemma_f1.signed_sum_lower.r2",
    "proof of Lemma F.1, the inequality used",
    given=sized(
        others=choice(1, 10, 1000), own=choice(1, 2, 10), share=choice("1/2", "2/5", "3/5"), C=choice(100, 1000)
    ),
    recorded="refuted",
    convention="c = 1, overlaps at the bound C R_max^2 R_min^-4 p n = 1, all |S_i| equal to `share` times m; C fixed, "
    "n free",
)
def overlaps_beat_every_label_proportion(others: int, own: int, share: Number, C: int, *, c: int = 1) -> Margin:
    r"""$\frac{m|S_{-j}|}{|S_j|\min_{i\in S_j}|S_i^{(0)}|}cR_{\min}^{-4}R_{\max}^2pn\le\frac12$ if
    $R_{\min}^2\ge CR^2np$ with C absolute.

    Fails for labels out of proportion: the left side is $c|S_{-j}|/(|S_j|\,\mathrm{share}\,C)$, and $|S_{-j}|/|S_j|$
    may be $n-1$.
    """
    return at_most(2 * c * others, own * share * C, "2c|S_{-j}| against |S_j| share C")


def _row_sums(data: Dataset, net: TwoLayer, rate: Number, c: float, per_class: int) -> Margin:
    course, A, counts, log_t = _end(data, net, rate)
    size = counts if per_class else np.full(2, float(len(data.labels)))
    sums = np.array([norm(rows) for rows in A.sum(axis=-1)])
    return at_least(sums, c * sqrt(0 * log_t + course.width) * size * log_t, "R_max^2 |A_t 1|", error=1e-6)


def _row_sums_as_printed(data: Dataset, net: TwoLayer, rate: Number, *, c: float = 0.01) -> Margin:
    return _row_sums(data, net, rate, c, 0)


_row_sums_as_printed.__doc__ = r"$\|A_t1_n\|_2\ge CR_{\max}^{-2}\sqrt m\,n\log t$ for $j=\pm1$ and late t." + _MISSING
claim("kou2023.eq_f2.A1_lower", "Eq. (F.2)", convention=f"C = 1/100; {_END}", **_REFUTED)(_row_sums_as_printed)


@claim(
    "kou2023.eq_f2.A1_lower.amended",
    "Eq. (F.2) with the size of the class",
    recorded="supported",
    mutants=[moved("C = 2", c=2.0), moved("n in place of the size of the class", per_class=0)],
    convention=f"C = 1/2; {_VARIED}",
    **_AMENDED,
)
def row_sums_grow_like_the_class(
    data: Dataset, net: TwoLayer, rate: float, *, c: float = 0.5, per_class: int = 1
) -> Margin:
    r"""Amended: $\|A_t1_n\|_2\ge CR_{\max}^{-2}\sqrt m\,|S_j|\log t$."""
    return _row_sums(data, net, rate, c, per_class)


def _spectral(data: Dataset, net: TwoLayer, rate: Number, c: float, per_class: int) -> Margin:
    course, A, counts, log_t = _end(data, net, rate)
    size = counts if per_class else np.full(2, float(len(data.labels)))
    norms = spectral_norms(A @ data.inputs) / sqrt(smallest(course.squares))
    return at_least(norms, c * sqrt(0 * log_t + course.width * size) * log_t, "R_max^2 |W - W(0)|_2/R_min", error=1e-6)


def _spectral_as_printed(data: Dataset, net: TwoLayer, rate: Number, *, c: float = 0.01) -> Margin:
    return _spectral(data, net, rate, c, 0)


_spectral_as_printed.__doc__ = (
    r"$\|W_j^{(t)}-W_j^{(0)}\|_2\ge C''R_{\max}^{-2}R_{\min}\sqrt{mn}\log t$ for $j=\pm1$ and late t." + _MISSING
)
claim("kou2023.lemma_f1.spectral_lower", "proof of Lemma F.1", convention=f"C'' = 1/100; {_END}", **_REFUTED)(
    _spectral_as_printed
)


@claim(
    "kou2023.lemma_f1.spectral_lower.amended",
    "proof of Lemma F.1 with the size of the class",
    recorded="supported",
    mutants=[moved("C'' = 3", c=3.0), moved("n in place of the size of the class", per_class=0)],
    convention=f"C'' = 1/2; {_VARIED}",
    **_AMENDED,
)
def spectral_norm_of_the_change_grows_like_the_class(
    data: Dataset, net: TwoLayer, rate: float, *, c: float = 0.5, per_class: int = 1
) -> Margin:
    r"""Amended: $\|W_j^{(t)}-W_j^{(0)}\|_2\ge C''R_{\max}^{-2}R_{\min}\sqrt{m|S_j|}\log t$."""
    return _spectral(data, net, rate, c, per_class)


@claim(
    "kou2023.lemma_f1.ratio",
    "proof of Lemma F.1, last display",
    kind=Kind.ASYMPTOTIC,
    instances=[
        {"positive": 12, "negative": 0, "R": 1},
        {"positive": 6, "negative": 6, "R": 1},
        {"positive": 11, "negative": 1, "R": 1},
        {"positive": 6, "negative": 6, "R": 4},
        {"positive": 12, "negative": 0, "R": 4},
    ],
    recorded="supported",
    mutants=[moved("of W_j itself", start=0.0), moved("5/4 in place of 5", bound=1.25)],
    convention="orthogonal inputs of norms one and R in turn, Gaussian starts with m = d = 48, t = 10^12; C'/C''^2 = "
    "5. With one label "
    "missing W_{-j} - W_{-j}(0) stays bounded but its entries all have one sign, so that its stable rank is bounded "
    "too",
)
def stable_rank_of_the_change_is_bounded(
    positive: int, negative: int, R: int, *, rng: np.random.Generator, start: float = 1.0, bound: float = 5.0
) -> Margin:
    r"""$\|W_j^{(t)}-W_j^{(0)}\|_F^2/\|W_j^{(t)}-W_j^{(0)}\|_2^2\le C'R_{\max}^6/(C''^2R_{\min}^6)$, a constant."""
    labels = np.array([1.0] * positive + [-1.0] * negative)
    radii = np.where(np.arange(len(labels)) % 2, float(R), 1.0)
    data = Dataset(np.eye(48)[: len(labels)] * radii[:, None], labels)
    net, rate = gaussian_start(rng, data, 48, 10)
    course = unroll_long(net, data, rate=rate, times=[1e12])
    changes = course.weights[-1] - start * course.start.inner.reshape(2, 48, 48)
    return at_most(
        np.array([stable_rank(change) for change in changes]), bound * float(R) ** 6, "stable rank of W_j - W_j(0)"
    )
