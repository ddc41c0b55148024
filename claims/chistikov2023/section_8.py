r"""Section 8: the two random schemes for the training data, and the angles and distances they are said to have.

Centred: $x_i\sim\mathcal N(\mu,\frac1dI)$ and $v^*=\mu$. Uncentred: variance $\rho/d$ with $\rho=\sqrt2-1$, one more
point, $v^*=\bar x_0$.
"""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    bent,
    moved,
    mutants,
    section,
    shifted,
    tends_to,
    values,
)
from refute.arithmetic.numbers import Number
from refute.decide.probability import with_probability
from refute.functions import exp, sqrt
from refute.models.chistikov2023.schemes import UNCENTRED, Floats, angles, datasets, drawn_angles, drawn_distances
from refute.strategies import Size, choice, sized
from refute.strategies.numbers import is_number

DIMENSIONS = (1e2, 1e4, 1e8, 1e16, 1e32)
SAMPLES = 400
SIGMAS = 6
QUARTER = float(np.pi / 4)

experiment = section("chistikov2023", "experiment", "section 8", kind=Kind.PROBABILISTIC, recorded="supported")
concentration = experiment.but(kind=Kind.ASYMPTOTIC, given=sized(draw=choice(1, 2, 3)))


def _means(drawn: list[Floats]) -> Enclosed:
    """Of the samples, to within so many standard errors."""
    errors = [SIGMAS * each.std() / np.sqrt(len(each)) for each in drawn]
    return Enclosed([each.mean() for each in drawn], errors)


def _concentrates(rng: np.random.Generator, rho: float, centred: bool) -> Margin:
    """The mean angle tends to pi/4 and the spread of the angles vanishes."""
    drawn = [drawn_angles(rng, d, rho, centred, SAMPLES) for d in DIMENSIONS]
    return all_of(
        tends_to(_means(drawn), QUARTER, "mean angle", at=DIMENSIONS),
        tends_to(np.array([each.std() for each in drawn]), 0.0, "spread of the angles", at=DIMENSIONS),
    )


@concentration.claim("centred_angles_concentrate", "Centred")
@mutants(shifted("1/60", "mean angle").called("around 46 degrees"), moved("variance 1.05/d", rho=1.05))
def centred_angles_concentrate(draw: int, rng: np.random.Generator, *, rho: float = 1.0) -> Margin:
    r"""In the centred scheme the angles $\angle(v^*,x_i)$ concentrate around $\pi/4$ as $d\to\infty$:
    $\cos\to1/\sqrt{1+\rho}$ with $\rho=1$.

    Convention: samples of the law of an angle in dimensions 10^2 to 10^32; means are known to six standard errors.
    """
    return _concentrates(rng, rho, True)


@concentration.claim("uncentred_angles_concentrate", "Uncentred")
@mutants(shifted("1/60", "mean angle").called("around 46 degrees"), moved("rho = 0.45", rho=0.45))
def uncentred_angles_concentrate(draw: int, rng: np.random.Generator, *, rho: float = UNCENTRED) -> Margin:
    r"""In the uncentred scheme, $\rho=\sqrt2-1$ and $v^*=\bar x_0$, the angles concentrate around $\pi/4$ as
    $d\to\infty$: $\cos\to1/(1+\rho)$.

    Convention: as for the centred scheme.
    """
    return _concentrates(rng, rho, False)


@values(lambda value: is_number(value) and bool(0 < value <= Fraction(1, 16)))
def _inverses(size: Size) -> SearchStrategy[Fraction]:
    """1/d for d from 16 on."""
    return st.sampled_from([Fraction(1, d) for d in (64, 16, 1024)])


@experiment.claim(
    "uncentred_expected_distance",
    "Uncentred",
    kind=Kind.ALGEBRAIC,
    given=sized(inverse=choice("1/64", "1/16", "1/1024")).within(
        lambda fields: 0 < fields["inverse"] <= Fraction(1, 16)
    ),
    recorded="refuted",
    fault=Fault.CONSTANT,
)
def the_teacher_is_at_distance_root_rho(inverse: Number) -> Margin:
    r"""In the uncentred scheme the expected distance between $v^*$ and $\mu$ is $\sqrt\rho$, $\rho=\sqrt2-1$.

    As printed it fails by normalisation: $\|v^*-\mu\|\to\sqrt{2-2^{3/4}}=0.564$, while $\sqrt\rho=0.644$; it is $x_0$
    before normalisation that lies at distance $\sqrt\rho$. An upper bound on the expectation is below $\sqrt\rho$ for
    every $d\ge16$: with $c=1+\rho$ and $a=\mu^\top x_0$ convexity gives
    $\frac1{\|x_0\|}\ge\frac1{\sqrt c}(\frac32-\frac{\|x_0\|^2}{2c})$, and $\mathbb E a\|x_0\|^2=c+\frac{2\rho}d$, so
    $\mathbb E\frac a{\|x_0\|}\ge\frac1{\sqrt c}(1-\frac\rho{cd})-5e^{-d/(4\rho)}$, where the last term is for $a<0$;
    and $\mathbb E\|v^*-\mu\|\le\sqrt{2-2\,\mathbb E\frac a{\|x_0\|}}$.

    Convention: d from 16 on, given by 1/d; the expectation is over $x_0$.
    """
    root = sqrt(0 * inverse + 2)
    rho = root - 1
    cosine = (1 - inverse * rho / root) / sqrt(root) - 5 * exp(-1 / (4 * rho * inverse))
    return at_least(sqrt(2 - 2 * cosine), sqrt(rho), "upper bound on E |v* - mu|")


@experiment.claim(
    "uncentred_expected_distance.amended",
    "Uncentred, for the point before normalisation",
    kind=Kind.ASYMPTOTIC,
    given=sized(draw=choice(1, 2, 3)),
    cost=4,
)
@mutants(moved("after normalisation", normalised=True), bent("distance rho", right=lambda square: square**2))
def the_extra_point_is_at_distance_root_rho(draw: int, rng: np.random.Generator, *, normalised: bool = False) -> Margin:
    r"""In the uncentred scheme the expected distance between $x_0$ and $\mu$ tends to $\sqrt\rho$ as $d\to\infty$
    ($x_0$ in place of $v^*=\bar x_0$).

    Convention: samples of the law in dimensions 10^2 to 10^32; means are known to six standard errors.
    """
    drawn = [drawn_distances(rng, d, UNCENTRED, normalised, SAMPLES) for d in DIMENSIONS]
    return tends_to(_means(drawn), float(np.sqrt(UNCENTRED)), "mean |x_0 - mu|", at=DIMENSIONS)


@experiment.claim("large_angles_rare", given=sized(d=choice(4, 16, 64)), cost=4)
@mutants(moved("angles above pi/3", angle=float(np.pi / 3)), moved("variance 4/d", variance=4.0))
def obtuse_angles_are_rare(
    d: int, rng: np.random.Generator, trials: int, *, angle: float = float(np.pi / 2), variance: float = 1.0
) -> Margin:
    r"""In both schemes datasets with an angle $\angle(v^*,x_i)>\pi/2$ are rare.

    Convention: rare: in at most one dataset of ten, a band of ours (for d = 4 they are one of eleven); n = d as in the
    experiments.
    """

    def trial(centred: bool, rho: float) -> Margin:
        def clean(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
            teachers, inputs, _ = datasets(rng, d, rho, centred, count, d)
            return np.asarray((angles(teachers, inputs) <= angle).all(axis=1))

        return with_probability(0.9, clean, rng, trials, "no angle above pi/2")

    return all_of(trial(True, variance), trial(False, variance * UNCENTRED))
