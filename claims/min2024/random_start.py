r"""Merits of random initialisation, after Theorem 1: Gaussian neurons, their activations, and how many of them are
enough.

Theorem 1 sends a neuron of $\mathcal V_\pm$ that is active on some datum of its class into $S_\pm$; the remarks bound
the chance of that.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    changed,
    derived,
    mutants,
    nothing,
    scaled,
    section,
    without,
)
from refute.arithmetic.numbers import Array
from refute.claims.min2024.assumptions import (
    SEPARATED_NEURON,
    SEPARATED_START,
    SETTING,
    both_classes,
    separated,
    two_dimensions,
)
from refute.claims.min2024.runs import PRINTED_SEEN
from refute.claims.min2024.training import LOSSES
from refute.decide.probability import with_probability
from refute.decide.proof import by_smt, in_words, steps
from refute.decide.symbolic import by_identity
from refute.functions import sign
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.alignment import scales
from refute.models.min2024.cones import centre
from refute.models.min2024.fitting import aligned_run, members
from refute.strategies import choice, drawn, sized
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


remark = section(
    "min2024",
    "remark",
    "remark on random initialisation",
    kind=Kind.PROBABILISTIC,
    given=sized(data=separated_dataset, m=choice(1, 2, 3)),
)


@remark.claim("assumption_2_almost_sure", assumes=[separated], recorded="refuted", fault=Fault.BOUNDARY)
def gaussian_starts_are_never_aligned(data: Dataset, m: int, *, rng: np.random.Generator, trials: int) -> Margin:
    r"""With $[W_0]_{ij}\sim\mathcal N(0,1/D)$ independent, Assumption 2 holds with probability one.

    Fails in dimension 1: there a neuron has only two directions, and points along the centre of the other class with
    probability 1/2.

    Convention: m neurons of each sign.
    """
    return with_probability(1, lambda rng, count: _assumption_2(data, m, rng, count), rng, trials, "Assumption 2 holds")


@derived
def slack() -> float:
    """How far below one a cosine may be."""
    return 0.0


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


@remark.claim(
    "assumption_2_almost_sure.amended",
    "two dimensions or more",
    assumes=[separated, two_dimensions],
    derived=[slack],
    proof=_rays_are_null,
    recorded="proved",
    cost=2.0,
)
@mutants(
    without(two_dimensions), changed("cosines of 999/1000 or more have probability zero as well", slack=lambda _: 1e-3)
)
def gaussian_starts_are_never_aligned_in_two_dimensions(
    data: Dataset, m: int, slack: float, *, rng: np.random.Generator, trials: int
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
    return steps(
        by_smt(lambda: z3.Implies(p != 0, z3.Or(p > 0, -p > 0)), "w or -w is active on a datum"),
        in_words("w and -w have the same law, so the chance is half the mean number of active ones; p = 0 is null"),
    )


@derived
def some() -> Callable[[Bools], bool]:
    """Of the data of the class."""
    return lambda active: bool(active.any())


@remark.claim(
    "half_probability",
    kind=Kind.ALGEBRAIC,
    given=SEPARATED_NEURON,
    assumes=[both_classes],
    derived=[some],
    proof=_one_of_two,
    recorded="proved",
)
@mutants(
    changed("active on all positive data", some=lambda _: lambda active: bool(active.all())),
    scaled("101/100").called("with probability 101/200"),
    without(both_classes),
)
def a_neuron_or_its_mirror_image_is_active(data: Dataset, w: Array, some: Callable[[Bools], bool]) -> Margin:
    r"""A Gaussian neuron lies in $\bigcup_{i\in\mathcal I_+}\{\langle w,x_i\rangle>0\}$ with probability at least
    $1/2$; likewise for the negative data.

    The law of $w$ is symmetric, so the probability is half the mean of the number of members of $\{w,-w\}$ in the
    union. That number is at least 1, up to a null set: this is what is checked, exactly, and 1/2 is attained for one
    datum.

    Convention: the class has a datum; a neuron with all inner products zero, a null event, is left out.
    """
    parts = [nothing("all inner products vanish")]
    for label in (1, -1):
        pre = sign(data.inputs @ w)[data.labels == label]
        if not pre.size or pre.any():
            found = [int(pre.size > 0 and some(side)) for side in (pre > 0, pre < 0)]
            parts.append(at_least(sum(found), 1, "members of {w, -w} in the union"))
    return all_of(*parts)


def _chances_multiply() -> str | None:
    """If all of m neurons miss with probability q <= r and one more with p <= 1/2, all m + 1 miss with probability at
    most r/2.
    """
    import z3

    p, q, r = z3.Reals("p q r")
    chances = z3.And(p >= 0, 2 * p <= 1, q >= 0, q <= r)
    return steps(
        by_smt(lambda: z3.Implies(chances, 2 * p * q <= r), "one neuron more halves the chance that all miss"),
        in_words("a neuron misses with probability at most 1/2 (half_probability); the neurons are independent"),
    )


Landed = dict[int, Bools]


def _mirrored(data: Dataset, start: Balanced) -> Landed:
    """Which of w_j, -w_j see a datum of the class, (2, m); of neurons for which this is no null event."""
    pre = {y: sign(start.shape @ data.inputs[data.labels == y].T) for y in (1, -1)}
    null = {y: ~(one != 0).any(axis=1) if one.size else np.zeros(len(one), dtype=bool) for y, one in pre.items()}
    return {y: np.array([(one > 0).any(axis=1), (one < 0).any(axis=1)])[:, ~null[y]] for y, one in pre.items()}


def _all_miss(landed: Landed) -> Margin:
    """Of the 2^m choices between w_j and -w_j, which are equally likely, at most one misses the class altogether."""
    parts = [nothing("no neuron")]
    for found in landed.values():
        if found.shape[1]:
            missing = np.prod(2 - found.sum(axis=0, dtype=object))
            parts.append(at_most(missing, 1, "choices of +-w_1, ..., +-w_m that all miss"))
    return all_of(*parts)


@derived
def landed(data: Dataset, start: Balanced, loss: str, part: float, tolerance: float) -> Landed:
    """Which of w_j, -w_j are in the cone of the class at t_1, (2, m), all with the sign of the class."""
    found, seen = {}, _mirrored(data, start)
    for label in (1, -1):
        rows = np.vstack([start.shape, -start.shape])
        both = Balanced(rows, np.full(len(rows), float(label)), start.log_scale, start.slope)
        constants = scales(data, both, part, printed=True)
        run = aligned_run(data, both, LOSSES[loss], constants, tolerance)
        inside = np.isin(np.arange(len(rows)), members(run.sides > 0, run.signs, data.labels, label)).reshape(2, -1)
        pre = data.inputs[data.labels == label] @ start.shape.T
        found[label] = inside[:, (pre != 0).any(axis=0)] if len(pre) else inside & False
    return {label: inside for label, inside in found.items() if seen[label].size}


@remark.claim(
    "one_minus_2_to_minus_m",
    kind=Kind.DYNAMICS,
    given=PRINTED_SEEN,
    assumes=[*SETTING, both_classes],
    derived=[landed],
    recorded="supported",
    cost=0.5,
)
@mutants(
    scaled("2/3").called("1 - (2/3) 2^-m"),
    changed("w alone", landed=lambda landed: {y: inside & [[True], [False]] for y, inside in landed.items()}),
    without(both_classes),
)
def some_neuron_of_m_reaches_the_cone(landed: Landed) -> Margin:
    r"""With $m$ neurons in $\mathcal V_+$, $S_+$ has a neuron at $t_1$ with probability at least $1-2^{-m}$; likewise
    for $S_-$.

    The law of the neurons does not change under $w_j\to\pm w_j$, so that the chance is the mean, over starts, of the
    share of the $2^m$ choices of signs for which a neuron is in the cone at $t_1$. Checked is that at most one misses.

    Convention: the class has a datum; all 2 m neurons w_j, -w_j are trained together, since they do not act on each
    other before t_1, from the scale (28) of this larger network; neurons orthogonal to a whole class, a null event, are
    left out.
    """
    return _all_miss(landed)


@derived
def seeing(data: Dataset, start: Balanced) -> Landed:
    """Which of w_j, -w_j see a datum of the class at the start."""
    return _mirrored(data, start)


@remark.claim(
    "one_minus_2_to_minus_m.r1",
    kind=Kind.ALGEBRAIC,
    given=SEPARATED_START,
    assumes=[both_classes],
    derived=[seeing],
    proof=_chances_multiply,
    recorded="proved",
)
@mutants(scaled("99/100").called("1 - (99/100) 2^-m"), without(both_classes))
def some_neuron_of_m_is_active(seeing: Landed) -> Margin:
    r"""The first half of it: one of $m$ neurons is active on some datum of the class at the start with probability at
    least $1-2^{-m}$. That it reaches the cone by $t_1$ is Theorem 1.
    """
    return _all_miss(seeing)


@derived
def fails(h: int) -> float:
    """2 (3/4)^h."""
    return float(2 * 0.75**h)


@remark.claim(
    "mild_width",
    "very mild overparametrisation",
    given=sized(data=separated_dataset, h=choice(2, 3, 4), samples=drawn(2, 12)),
    assumes=[both_classes],
    derived=[fails],
    recorded="supported",
)
@mutants(changed("1 - 2 (1/2)^h", fails=lambda fails: 2 * (fails / 2) ** 2.409), without(both_classes))
def a_width_independent_of_the_data_is_enough(
    data: Dataset, h: int, fails: float, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""With $h$ Gaussian neurons and random signs, both classes have an active neuron of their sign with probability at
    least $1-2(3/4)^h$, whatever $n$: so $h=O(1)$ is enough for a given probability of failure.

    Our quantification of the remark: a neuron has the right sign and is active with probability at least $1/4$, for
    each class.

    Convention: each v_j has a random sign of its own; the bound 2 (3/4)^h does not contain n.
    """

    def trial(rng: np.random.Generator, count: int) -> Bools:
        weights = rng.standard_normal((count, h, data.inputs.shape[1]))
        signs = rng.choice([-1, 1], (count, h))
        active = weights @ np.asarray(data.inputs, dtype=float).T > 0
        found = [(active[:, :, data.labels == y].any(axis=2) & (signs == y)).any(axis=1) for y in (1, -1)]
        return np.asarray(found[0] & found[1])

    return with_probability(1 - fails, trial, rng, trials, "both classes have an active neuron of their sign")


@derived
def width(n: int) -> int:
    """2^(n-1)."""
    return int(2 ** (n - 1))


@derived
def correlation() -> float:
    """The cosine of the data."""
    return 0.0


@remark.claim(
    "mild_width.all_active",
    "and A.3: activating all data of a class takes exponential width",
    given=sized(n=choice(2, 3, 5, 8)),
    derived=[width, correlation],
    recorded="supported",
)
@mutants(changed("width 2^n", width=lambda width: 2 * width), changed("correlated data", correlation=lambda _: 0.9))
def activating_all_orthogonal_data_takes_exponential_width(
    n: int, width: int, correlation: float, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""On $n$ orthonormal data $h=2^{n-1}$ neurons are not enough: none of them is active on all data with probability
    at least $1/2$.

    Convention: n orthonormal data of one class, the limit mu = 0 of what the remark compares with.
    """

    def trial(rng: np.random.Generator, count: int) -> Bools:
        own, common = rng.standard_normal((count, width, n)), rng.standard_normal((count, width, 1))
        pre = np.sqrt(1 - correlation) * own + np.sqrt(correlation) * common
        return np.asarray(~(pre > 0).all(axis=2).any(axis=1))

    return with_probability(Fraction(1, 2), trial, rng, trials, "no neuron is active on all data")
