r"""Assumptions 1 and 2, as the section prints them, against what they say of labels and of directions."""

import numpy as np
from numpy.typing import NDArray

from refute import Margin, changed, derived, equal, less, mutants, section
from refute.arithmetic.numbers import EXACT, Array, Number
from refute.claims.min2024.assumptions import SEPARATED_START, alignment_squares, separated
from refute.claims.min2024.quantities import mu_squared
from refute.claims.min2024.runs import relabelled
from refute.decide.proof import by_smt, in_words, steps
from refute.decide.symbolic import by_identity
from refute.functions import sign, squared_norm
from refute.language.case import lift
from refute.language.relations import Decision
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.cones import centre
from refute.models.min2024.conic import signed_data
from refute.strategies import sized
from refute.strategies.min2024.separated import borderline_dataset

Flags = NDArray[np.bool_]


@derived
def agreement(data: Dataset) -> Array:
    """The signs of y_i y_j <x_i, x_j>."""
    return np.asarray(sign(signed_data(data) @ signed_data(data).T))


assumptions = section("min2024", recorded="proved")


def _separation_proof() -> str | None:
    """g = y_i y_j <x_i, x_j> over positive lengths has the sign of g; a minimum is positive if all are."""
    import z3

    g, inner, length, y, z = z3.Reals("g inner length y z")
    labels = z3.And(z3.Or(y == 1, y == -1), z3.Or(z == 1, z == -1), g == y * z * inner)
    follows = (g > 0) == z3.Or(z3.And(y == z, inner > 0), z3.And(y == -z, inner < 0))
    return steps(
        by_smt(
            lambda: z3.Implies(labels, follows), "y_i y_j <x_i, x_j> > 0 says that the labels follow the correlation"
        ),
        by_smt(lambda: z3.Implies(length > 0, (g / length > 0) == (g > 0)), "the cosine has the same sign"),
        in_words("the minimum over all pairs is positive exactly when each is"),
    )


@assumptions.claim(
    "assumption_1.separation",
    "Assumption 1",
    given=sized(data=borderline_dataset),
    derived=[mu_squared, agreement],
    proof=_separation_proof,
)
@mutants(
    changed("orthogonal data allowed", agreement=lambda signs: signs + (signs == 0)),
    changed("of either sign", agreement=abs),
)
def positive_mu_says_that_labels_follow_correlations(mu_squared: Number, agreement: Array) -> Margin:
    r"""$\mu=\min_{i,j}\frac{\langle y_ix_i,y_jx_j\rangle}{\|x_i\|\|x_j\|}>0$ exactly when $\langle x_i,x_j\rangle$ is
    positive for equal and negative for different labels.

    Convention: mu is the minimum over all pairs, a datum with itself included.
    """
    follow = bool((agreement > 0).all())
    return equal(int(sign(mu_squared) > 0), int(follow), "mu > 0 against the signs of all correlations")


@derived
def parallel(data: Dataset, start: Balanced) -> Flags:
    """Which w_j lie on the line of the centre of the other class, if that class is there."""
    pairs = [(w, centre(data, -int(s))) for w, s in zip(start.shape, start.signs, strict=True)]
    return np.array([bool(any(c) and not any(squared_norm(c) * w - (w @ c) * c)) for w, c in pairs])


@derived
def toward(data: Dataset, start: Balanced) -> Array:
    """The signs of <w_j, c>, c the centre of the other class."""
    inner = [w @ centre(data, -int(s)) for w, s in zip(start.shape, start.signs, strict=True)]
    return np.asarray(sign(np.array(inner, dtype=object)))


def _alignment_proof() -> str | None:
    r"""In terms of $p=\|w\|^2$, $q=\|c\|^2$, $r=\langle w,c\rangle$: $\|w-\frac rqc\|^2=p-\frac{r^2}q$."""
    import sympy
    import z3

    p, q = sympy.symbols("p q", positive=True)
    r = sympy.Symbol("r", real=True)
    a, b, d = z3.Reals("a b d")
    return steps(
        by_identity(lambda: [p - 2 * r / q * r + (r / q) ** 2 * q - (p - r**2 / q)], "|w - (r/q) c|^2 = p - r^2/q"),
        by_smt(
            lambda: z3.Implies(z3.And(a > 0, b > 0, d >= 0, a * b - d == 0), d > 0),
            "with a = p, b = q and d = r_+^2: equality in Cauchy and Schwarz's inequality needs r > 0",
        ),
        in_words("so the cosine is 1 exactly when w = (r/q) c with r > 0, a positive multiple of c"),
    )


not_along = assumptions.but("Assumption 2", given=SEPARATED_START, assumes=[separated], derived=[parallel, toward])


@not_along.claim("assumption_2.not_aligned", proof=_alignment_proof)
@mutants(
    changed("the own centre", data=lambda data: lift(relabelled(data), EXACT)),
    changed("neither along nor against the centre", toward=abs),
)
def assumption_2_forbids_only_exact_alignment(data: Dataset, start: Balanced, parallel: Flags, toward: Array) -> Margin:
    r"""$\langle\frac{w_j}{\|w_j\|},\frac{x_\mp}{\|x_\mp\|}\rangle<1$ for all $j\in\mathcal V_\pm$ exactly when no such
    $w_j$ is a positive multiple of $x_\mp$.

    Convention: a neuron of either sign is compared with the sum of the inputs of the opposite label; a class without
    data forbids nothing.
    """
    holds = less(*alignment_squares(data, start), "<w_j, c>_+^2 against |w_j|^2 |c|^2").decision is Decision.HOLDS
    along = parallel & (toward > 0)
    return equal(int(holds), int(not along.any()), "Assumption 2 against: no neuron on the ray of the other centre")
