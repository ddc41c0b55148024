r"""Merits of random initialisation, after Theorem 1: Gaussian neurons, their activations, and how many of them are
enough.

Theorem 1 sends a neuron of $\mathcal V_\pm$ that is active on some datum of its class into $S_\pm$; the remarks bound
the chance of that.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from refute import Assumption, Kind, Margin, all_of, at_least, claim, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import SEPARATED_NEURON, both_classes, separated
from refute.decide.probability import with_probability
from refute.decide.proof import by_smt
from refute.decide.symbolic import by_identity
from refute.functions import sign
from refute.models import Dataset
from refute.models.min2024.cones import centre
from refute.strategies import choice, drawn, sized
from refute.strategies.min2024.data_repairs import add_second_dimension, make_one_dimensional
from refute.strategies.min2024.separated import separated_dataset

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def _aligned(w: Floats, middle: Floats, slack: float) -> Bools:
    """Which rows have a cosine of 1 - slack or more with a nonzero vector; for slack 0 all 2 x 2 minors must vanish."""
    if slack:
        return np.asarray(w @ middle >= (1 - slack) * np.linalg.norm(w, axis=-1) * np.linalg.norm(middle))
    minors = w[..., :, None] * middle[None, :] - w[..., None, :] * middle[:, None]
    return np.asarray((minors == 0).all(axis=(-1, -2)) & (w @ middle > 0))


def _assumption_2(data: Dataset, m: int, rng: np.random.Generator, count: int, slack: float = 0.0) -> Bools:
    """Whether Assumption 2 holds, in `count` Gaussian starts with m neurons of each sign."""
    dimension = data.inputs.shape[1]
    fine = np.ones(count, dtype=bool)
    for label in (1, -1):
        middle = np.asarray(centre(data, label), dtype=float)
        weights = rng.standard_normal((count, m, dimension)) / np.sqrt(dimension)
        if middle.any():
            fine &= ~_aligned(weights, middle, slack).any(axis=1)
    return fine


_STARTS = sized(data=separated_dataset, m=choice(1, 2, 3))


@claim(
    "min2024.remark.assumption_2_almost_sure",
    "remark on random initialisation",
    kind=Kind.PROBABILISTIC,
    given=_STARTS,
    assumes=[separated],
    recorded="refuted",
    convention="m neurons of each sign",
)
def gaussian_starts_are_never_aligned(data: Dataset, m: int, *, rng: np.random.Generator, trials: int) -> Margin:
    r"""With $[W_0]_{ij}\sim\mathcal N(0,1/D)$ independent, Assumption 2 holds with probability one.

    Fails in dimension 1: there a neuron has only two directions, and points along the centre of the other class with
    probability 1/2.
    """
    return with_probability(1, lambda rng, count: _assumption_2(data, m, rng, count), rng, trials, "Assumption 2 holds")


two_dimensions = Assumption(
    "data.two_dimensions",
    "the input space has at least two dimensions",
    lambda data: at_least(data.inputs.shape[1], 2, "D"),
    base=sized(data=separated_dataset),
    satisfy=add_second_dimension,
    violate=make_one_dimensional,
)


def _rays_are_null() -> str | None:
    """The chance of an angle below phi in the plane is phi / pi, which vanishes with phi."""
    import sympy

    phi, theta = sympy.symbols("phi theta", positive=True)
    chance = sympy.integrate(1 / (2 * sympy.pi), (theta, -phi, phi))
    meaning = (
        "a neuron along c is along c in a plane through c as well, where its law is Gaussian; the chance of an "
        "angle below phi is phi/pi"
    )
    return by_identity(lambda: [chance - phi / sympy.pi, sympy.limit(chance, phi, 0)], meaning)


@claim(
    "min2024.remark.assumption_2_almost_sure.amended",
    "remark on random initialisation, two dimensions or more",
    kind=Kind.PROBABILISTIC,
    given=_STARTS,
    assumes=[separated, two_dimensions],
    proof=_rays_are_null,
    recorded="proved",
    cost=2.0,
    mutants=[without(two_dimensions), moved("cosines of 999/1000 or more have probability zero as well", slack=1e-3)],
)
def gaussian_starts_are_never_aligned_in_two_dimensions(
    data: Dataset, m: int, *, rng: np.random.Generator, trials: int, slack: float = 0.0
) -> Margin:
    r"""For $D\ge2$ and $[W_0]_{ij}\sim\mathcal N(0,1/D)$ independent, Assumption 2 holds with probability one.

    Amended: two dimensions, so that the ray of a centre has measure zero. Sampling cannot show probability one; the
    proof does.
    """
    return with_probability(
        1, lambda rng, count: _assumption_2(data, m, rng, count, slack), rng, trials, "Assumption 2 holds"
    )


def _one_of_two() -> str | None:
    """An inner product that is not zero is positive for w or for -w; the law of w does not change under w -> -w."""
    import z3

    p = z3.Real("p")
    return by_smt(lambda: z3.Implies(p != 0, z3.Or(p > 0, -p > 0)))


@claim(
    "min2024.remark.half_probability",
    "remark on random initialisation",
    given=SEPARATED_NEURON,
    assumes=[both_classes],
    proof=_one_of_two,
    recorded="proved",
    mutants=[
        moved("active on all positive data", every=True),
        moved("with probability 3/4", pairs=Fraction(3, 2)),
        without(both_classes),
    ],
    convention="the class has a datum; a neuron with all inner products zero, a null event, is left out",
)
def a_neuron_or_its_mirror_image_is_active(
    data: Dataset, w: Array, *, every: bool = False, pairs: Number = Fraction(1)
) -> Margin:
    r"""A Gaussian neuron lies in $\bigcup_{i\in\mathcal I_+}\{\langle w,x_i\rangle>0\}$ with probability at least
    $1/2$; likewise for the negative data.

    The law of $w$ is symmetric, so the probability is half the mean of the number of members of $\{w,-w\}$ in the
    union. That number is at least 1, up to a null set: this is what is checked, exactly, and 1/2 is attained for one
    datum.
    """
    parts = []
    for label in (1, -1):
        pre = sign(data.inputs @ w)[data.labels == label]
        if not pre.size or pre.any():
            chosen = np.all if every else np.any
            members = int(bool(pre.size) and chosen(pre > 0)) + int(bool(pre.size) and chosen(pre < 0))
            parts.append(at_least(members, pairs, "members of {w, -w} in the union"))
    return all_of(*parts) if parts else at_least(1, 1, "all inner products vanish")


def _hit(data: Dataset, label: int, count: int, m: int, rng: np.random.Generator) -> Bools:
    """In which of `count` draws of m Gaussian neurons one is active on a datum of the class."""
    rows = np.asarray(data.inputs, dtype=float)[data.labels == label]
    weights = rng.standard_normal((count, m, data.inputs.shape[1]))
    return np.asarray((weights @ rows.T > 0).any(axis=(1, 2)))


def _chances_multiply() -> str | None:
    """If all of m neurons miss with probability q <= r and one more with p <= 1/2, all m + 1 miss with probability at
    most r/2.
    """
    import z3

    p, q, r = z3.Reals("p q r")
    return by_smt(lambda: z3.Implies(z3.And(p >= 0, 2 * p <= 1, q >= 0, q <= r), 2 * p * q <= r))


@claim(
    "min2024.remark.one_minus_2_to_minus_m",
    "remark on random initialisation",
    kind=Kind.PROBABILISTIC,
    given=sized(data=separated_dataset, m=choice(1, 2, 3, 5)),
    assumes=[both_classes],
    proof=_chances_multiply,
    recorded="proved",
    mutants=[moved("1 - 3^-m", base=Fraction(1, 3)), moved("one neuron less", fewer=1), without(both_classes)],
    convention="m independent neurons of the sign of the class, which has a datum; that an active neuron reaches the "
    "cone is Theorem 1",
)
def some_neuron_of_m_is_active(
    data: Dataset, m: int, *, rng: np.random.Generator, trials: int, base: Fraction = Fraction(1, 2), fewer: int = 0
) -> Margin:
    r"""With $m$ neurons in $\mathcal V_+$, one is active on some positive datum (so that $S_+$ has a neuron at $t_1$)
    with probability at least $1-2^{-m}$; likewise for $S_-$.

    One neuron misses with probability at most 1/2 (`half_probability`), and the chances of independent neurons
    multiply: that step is the proof, for every $m$. Sampling confirms it; it cannot decide the case of a single datum,
    where the bound is attained.
    """

    def of_class(label: int) -> Margin:
        wanted = 1 - float(base) ** m
        return with_probability(
            wanted, lambda rng, count: _hit(data, label, count, m - fewer, rng), rng, trials, "some neuron is active"
        )

    return all_of(of_class(1), of_class(-1))


@claim(
    "min2024.remark.mild_width",
    "remark on random initialisation: very mild overparametrisation",
    kind=Kind.PROBABILISTIC,
    given=sized(data=separated_dataset, h=choice(3, 4, 6), samples=drawn(2, 12)),
    assumes=[both_classes],
    recorded="supported",
    mutants=[moved("1 - 2 (1/2)^h", base=0.5), without(both_classes)],
    convention="each v_j has a random sign of its own; the bound 2 (3/4)^h does not contain n",
)
def a_width_independent_of_the_data_is_enough(
    data: Dataset, h: int, *, rng: np.random.Generator, trials: int, base: float = 0.75
) -> Margin:
    r"""With $h$ Gaussian neurons and random signs, both classes have an active neuron of their sign with probability at
    least $1-2(3/4)^h$, whatever $n$: so $h=O(1)$ is enough for a given probability of failure.

    Our quantification of the remark: a neuron has the right sign and is active with probability at least $1/4$, for
    each class.
    """

    def trial(rng: np.random.Generator, count: int) -> Bools:
        weights = rng.standard_normal((count, h, data.inputs.shape[1]))
        signs = rng.choice([-1, 1], (count, h))
        active = weights @ np.asarray(data.inputs, dtype=float).T > 0
        found = [(active[:, :, data.labels == y].any(axis=2) & (signs == y)).any(axis=1) for y in (1, -1)]
        return np.asarray(found[0] & found[1])

    return with_probability(1 - 2 * base**h, trial, rng, trials, "both classes have an active neuron of their sign")


@claim(
    "min2024.remark.mild_width.all_active",
    "remark on random initialisation and A.3: activating all data of a class takes exponential width",
    kind=Kind.PROBABILISTIC,
    given=sized(n=choice(2, 3, 5, 8)),
    recorded="supported",
    mutants=[moved("width 2^n", factor=2), moved("correlated data", correlation=0.9)],
    convention="n orthonormal data of one class, the limit mu = 0 of what the remark compares with",
)
def activating_all_orthogonal_data_takes_exponential_width(
    n: int, *, rng: np.random.Generator, trials: int, factor: int = 1, correlation: float = 0.0
) -> Margin:
    r"""On $n$ orthonormal data $h=2^{n-1}$ neurons are not enough: none of them is active on all data with probability
    at least $1/2$.
    """
    h = factor * 2 ** (n - 1)

    def trial(rng: np.random.Generator, count: int) -> Bools:
        own, common = rng.standard_normal((count, h, n)), rng.standard_normal((count, h, 1))
        pre = np.sqrt(1 - correlation) * own + np.sqrt(correlation) * common
        return np.asarray(~(pre > 0).all(axis=2).any(axis=1))

    return with_probability(Fraction(1, 2), trial, rng, trials, "no neuron is active on all data")
