r"""Section 5: the set $\mathcal S=\mathcal S_1\cup\dots\cup\mathcal S_d$ in predictor space, and its shape.

Everything is written in $p_k=\nu_k/\nu_k^*$ and decided in balls, since exponents and eigenvectors are irrational.
Where only the eigenvalues and $\nu^*$ matter they are drawn freely, more than data within $\pi/4$ of a teacher allow;
the padding is the largest that Assumption 2 allows for them. Points are drawn by their place between the bounds of each
coordinate. What its faces do is in `set_s_faces`.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    bent,
    changed,
    derived,
    equal,
    flipped,
    less,
    moved,
    mutants,
    scaled,
    section,
    shifted,
    suppose,
    without,
)
from refute.arithmetic.numbers import Array, Number, exact_array
from refute.claims.chistikov2023.assumptions import ASSUMPTION_1_DATA, quarter_angle
from refute.claims.chistikov2023.setting import A_TEACHER, A
from refute.functions import norm
from refute.models import Dataset
from refute.models.chistikov2023 import predictor_set as sets
from refute.models.chistikov2023.path_in_s import path, small_step
from refute.models.chistikov2023.predictor_set import Shape, Spectrum
from refute.strategies import choice
from refute.strategies.chistikov2023.spectra import places, places_in_data


@derived
def shape() -> Shape:
    """The constants of the constraints."""
    return sets.PRINTED


AGGREGATE = "eigenvalues and teacher are free; the padding is the largest that Assumption 2 allows for them"

definition = section(
    "chistikov2023",
    "set_S",
    "section 5, after the definition of S",
    given=places(edge=choice("inside", "target")),
    derived=[shape],
    recorded="supported",
)


def _placed(shares: Array, stage: int, edge: str) -> Array:
    """The shares, with p_l = 1 exactly on the edge "target"."""
    placed = shares.copy()
    placed[stage] = placed[stage] * 0 + 1 if edge == "target" else placed[stage]
    return placed


def _slacks(s: Spectrum, q: Array, padding: Number, shape: Shape) -> Array:
    return np.array(sets.slacks(s, q, padding, shape), dtype=object)


@definition.claim(
    "open",
    convention=f"the steps are along the axes and one diagonal, so short that every slack bounds them; {AGGREGATE}",
    cost=2,
)
@mutants(
    changed("lower bounds by p_k dropped", shape=lambda printed: replace(printed, low=Fraction(0))),
    changed("nothing asked of the cosine", shape=lambda printed: replace(printed, padded=False)),
)
def small_steps_stay_in_the_set(
    spectrum: Spectrum, stage: int, shares: Array, reach: Number, edge: str, shape: Shape
) -> Margin:
    r"""$\mathcal S$ is open, although it asks for $p_\ell\le1$ and not $p_\ell<1$: beyond $p_\ell=1$ lies
    $\mathcal S_{\ell+1}$.

    Its lower bound for $p_{\ell+1}$ is that of $\Psi^\downarrow_{\ell,\ell+1}$ at $p_\ell=1$; for $\ell=d$ the cosine
    is negative there.
    """
    p, padding = sets.place(spectrum, stage, _placed(shares, stage, edge), reach, shape), sets.largest_padding(spectrum)
    here = sets.slacks(spectrum, 1 - p, padding, shape)
    suppose(sets.inside(here), "the point is in S")
    step = small_step(here)
    axes = np.array([[spectrum.zero + int(i == k) for i in range(len(p))] for k in range(len(p))], dtype=object)
    around = [1 - p + way * step * axis for axis in [*axes, axes.sum(axis=0)] for way in (1, -1)]
    return all_of(*(less(0, _slacks(spectrum, one, padding, shape), "slacks around p") for one in around))


@definition.claim(
    "connected",
    convention=f"a path to one and the same point is followed, on a grid of places along it; {AGGREGATE}",
    cost=4,
)
@mutants(
    changed("Omega asks for p_k > 65/64", shape=lambda printed: replace(printed, above=Fraction(65, 64))),
    changed("Phi asks for p_l <= 9/10", shape=lambda printed: replace(printed, upto=Fraction(9, 10))),
)
def every_point_is_joined_to_one_and_the_same(
    spectrum: Spectrum, stage: int, shares: Array, reach: Number, edge: str, shape: Shape
) -> Margin:
    r"""$\mathcal S$ is connected: from each of its points a path inside leads to one and the same point near $v^*$.

    First $p_k\downarrow1$ for $k<\ell$, then $q_k\mapsto q_ke^{-\eta_ks}$ for $k\ge\ell$, then $p_{\ell-1},\dots,p_1$
    come back below 1, then a line in $\ln q$.
    """
    p, padding = sets.place(spectrum, stage, _placed(shares, stage, edge), reach), sets.largest_padding(spectrum)
    suppose(sets.inside(sets.slacks(spectrum, 1 - p, padding, shape)), "the point is in S")
    places = enumerate(path(spectrum, p, stage))
    return all_of(*(less(0, _slacks(spectrum, one, padding, shape), f"slacks at place {k}") for k, one in places))


symbolic = definition.but(kind=Kind.SYMBOLIC, given=None, derived=[], recorded="proved")


@symbolic.claim("ellipsoid")
@mutants(moved("centred at v*/3", centre=Fraction(1, 3)), moved("half of v*^T H v*", level=Fraction(1, 2)))
def the_cosine_is_positive_in_an_ellipsoid(
    *, centre: Fraction = Fraction(1, 2), level: Fraction = Fraction(1, 4)
) -> Any:
    r"""$v^\top H(v^*-v)=\frac14v^{*\top}Hv^*-(v-\frac{v^*}2)^\top H(v-\frac{v^*}2)$, so $\Xi$ confines $\mathcal S$ to
    the interior of the ellipsoid $v^\top XX^\top(v^*-v)=0$, whose centre is $v^*/2$.

    Both sides are combinations of $v^\top Hv$, $v^\top Hv^*$ and $v^{*\top}Hv^*$, in any dimension.

    Convention: the cosine exceeds a positive number only where v^T X X^T (v* - v) is positive.
    """
    import sympy

    own, mixed, teacher = sympy.symbols("vHv vHt tHt", real=True)
    place = sympy.Rational(centre)
    around = own - 2 * place * mixed + place**2 * teacher
    return {"v^T H (v* - v)": (mixed - own, sympy.Rational(level) * teacher - around)}


@symbolic.claim("ellipsoid_acute_angle")
@mutants(scaled("3/2").called("the second-layer part twice"), scaled("1/2").called("without the factor 2"))
def the_ellipsoid_is_where_the_angle_to_the_velocity_is_acute() -> Any:
    r"""With $\dot v=\|v\|(g+\bar v\bar v^\top g)$, $g=H(v^*-v)$: $v^\top\dot v=2\|v\|\,v^\top H(v^*-v)$.

    So for $v\ne0$ the interior of the ellipsoid consists of the $v$ that make an acute angle with $\dot v$. ($\dot v$
    is the sum of $\dot a\,w=(w^\top g)w$ and $a\dot w=a^2g$ for $v=aw$, $a=\|w\|$.)

    Convention: v not zero; the derivative of an exactly aligned bundle, which moves like one balanced neuron.
    """
    import sympy

    size, along = sympy.Symbol("size", positive=True), sympy.Symbol("vg", real=True)  # |v| and <v, g>
    velocity = size * (along + size**2 * along / size**2)  # <v, dv/dt>, since <v, v> = |v|^2
    return {"<v, dv/dt>": (velocity, 2 * size * along)}


@definition.claim(
    "xi_face_not_everywhere_repelling",
    kind=Kind.EXISTENCE,
    given=None,
    instances=[{"data": A, "teacher": A_TEACHER, "v": exact_array(["15/14", "3/14"])}],
    derived=[],
    recorded="proved",
)
@mutants(flipped("|g|^2"), shifted(1, "<v, g>").called("off the boundary"))
def the_ellipsoid_can_be_left(data: Dataset, teacher: Array, v: Array) -> Margin:
    r"""There are data with a point $v\ne v^*$ on $v^\top g=0$ at which $\frac{\mathrm d}{\mathrm dt}(v^\top g)<0$.

    With $v^\top g=0$ the velocity is $\|v\|g$, so the derivative is $\|v\|(g^\top g-v^\top Hg)$. The witness is
    $v=(15,3)/14$ for the inputs $(1,\frac14)$, $(\frac54,-1)$ and the teacher $(1,0)$; there $p_1<1<p_2$.

    Convention: a point of the ellipsoid where the flow of an aligned bundle leaves it; the padding may be as small as
    one likes.
    """
    g = data.covariance @ (teacher - v)
    return all_of(equal(v @ g, 0, "<v, g>"), less(g @ g, v @ (data.covariance @ g), "|g|^2 against <v, H g>"))


@definition.claim("positive_correlation", given=places_in_data(), assumes=ASSUMPTION_1_DATA, derived=[], cost=2)
@mutants(without(quarter_angle), bent("cosine at least 1/100", left=lambda bound: bound + Fraction(1, 100)))
def points_of_the_set_activate_all_data(
    data: Dataset, teacher: Array, stage: int, shares: Array, reach: Number
) -> Margin:
    r"""$v^\top x_i>0$ for every $v\in\mathcal S$ and every training point.

    It can be as small as one likes: $v\approx u_1$, an input of small length near the boundary of the cone of $\pi/4$
    around $v^*$.

    Convention: every v with <v, g> > 0 that meets the other constraints, whatever the padding.
    """
    spectrum, rows = sets.spectrum_of(data, teacher)
    v = (sets.place(spectrum, stage, shares, reach) * spectrum.teacher) @ rows
    sizes = np.array([norm(x) for x in data.inputs], dtype=object)
    return less(0, data.inputs @ v / (norm(v) * sizes), "cosine of v and x_i")
