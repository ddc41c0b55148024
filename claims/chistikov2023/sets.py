r"""Section 5: the set $\mathcal S=\mathcal S_1\cup\dots\cup\mathcal S_d$ in predictor space.

Everything is written in $p_k=\nu_k/\nu_k^*$ and decided in balls, since exponents and eigenvectors are irrational.
Where only the eigenvalues and $\nu^*$ matter they are drawn freely, more than data within $\pi/4$ of a teacher allow;
the padding is the largest that Assumption 2 allows for them. Points are drawn by their place between the bounds of each
coordinate.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from refute import Kind, Margin, all_of, claim, equal, identity, less, moved, suppose, values, without
from refute.arithmetic.numbers import Array, Number, enclosure, exact_array
from refute.claims.chistikov2023.assumptions import ASSUMPTION_1_DATA, quarter_angle
from refute.functions import absolute, exp, log, norm, sign, smallest, sqrt
from refute.models import Dataset
from refute.models.chistikov2023 import predictor_set as sets
from refute.models.chistikov2023.predictor_set import Shape, Spectrum
from refute.strategies import Size, choice, sized
from refute.strategies.chistikov2023.spectra import places, places_in_data, spectrum
from refute.strategies.numbers import is_count

_AGGREGATE = "eigenvalues and teacher are free; the padding is the largest that Assumption 2 allows for them"


def _inside(values: list[Number]) -> bool:
    return all(sign(value) > 0 for value in values)


def _small_step(values: list[Number]) -> Number:
    """So short that q^(1/2) of it is far below every slack."""
    least = smallest(np.array(values, dtype=object))
    return least * least / 2**40


def _placed(shares: Array, stage: int, edge: str) -> Array:
    """The shares, with p_l = 1 exactly on the edge "target"."""
    placed = shares.copy()
    placed[stage] = placed[stage] * 0 + 1 if edge == "target" else placed[stage]
    return placed


@claim(
    "chistikov2023.set_S.open",
    "section 5, after the definition of S",
    given=places(edge=choice("inside", "target")),
    recorded="supported",
    mutants=[moved("lower bounds by p_k dropped", low=0), moved("nothing asked of the cosine", padded=0)],
    convention=f"the steps are along the axes and one diagonal, so short that every slack bounds them; {_AGGREGATE}",
    cost=2.0,
)
def small_steps_stay_in_the_set(
    spectrum: Spectrum, stage: int, shares: Array, reach: Number, edge: str, *, low: int = 1, padded: int = 1
) -> Margin:
    r"""$\mathcal S$ is open, although it asks for $p_\ell\le1$ and not $p_\ell<1$: beyond $p_\ell=1$ lies
    $\mathcal S_{\ell+1}$.

    Its lower bound for $p_{\ell+1}$ is that of $\Psi^\downarrow_{\ell,\ell+1}$ at $p_\ell=1$; for $\ell=d$ the cosine
    is negative there.
    """
    shape = Shape(low=low, padded=bool(padded))
    p, padding = sets.place(spectrum, stage, _placed(shares, stage, edge), reach, shape), sets.largest_padding(spectrum)
    here = sets.slacks(spectrum, p, padding, shape)
    suppose(_inside(here), "the point is in S")
    step = _small_step(here)
    axes = np.array([[spectrum.zero + int(i == k) for i in range(len(p))] for k in range(len(p))], dtype=object)
    around = [p + way * step * axis for axis in [*axes, axes.sum(axis=0)] for way in (1, -1)]
    return all_of(
        *(
            less(0, np.array(sets.slacks(spectrum, one, padding, shape), dtype=object), "slacks around p")
            for one in around
        )
    )


def _path(s: Spectrum, p: Array, at: int) -> list[Array]:
    """From p in S_l, l = at + 1, to one and the same point near v*, in four moves."""
    d, points, q = s.dimension, [p], 1 - p
    if q[at] == 0:
        q[at] = _small_step([1 - p[k] for k in range(at + 1, d)] or [s.zero + 1])
    for k in range(at):  # the coordinates beyond their target come close to it
        for halving in (2, 16, 2**20, 2**200):
            q[k] = (1 - p[k]) / halving
            points.append(1 - q)
    for step in (0, 1, 2, 4, 8, 16, 64):  # the others come close as well, the larger eigenvalue the faster
        decay = [exp(-step * s.eta[k] / s.eta[d - 1] / 4) for k in range(d)]
        q = np.array([q[k] * (decay[k] if k >= at else 1) for k in range(d)], dtype=object)
        points.append(1 - q)
    for k in reversed(range(at)):  # p_k comes back below its target, the last one first
        q = q.copy()
        for value in (s.zero, _small_step([q[later] for later in range(k + 1, d)])):
            q[k] = value
            points.append(1 - q.copy())
    goal = [s.zero + 1] * d
    for k in reversed(range(d)):
        goal[k] = (goal[k + 1] * goal[k + 1] if k + 1 < d else s.zero + 1) / 4
    for part in range(1, 9):  # a straight line in ln q
        points.append(
            1 - np.array([exp((log(q[k]) * (8 - part) + log(goal[k]) * part) / 8) for k in range(d)], dtype=object)
        )
    return points


@claim(
    "chistikov2023.set_S.connected",
    "section 5, after the definition of S",
    given=places(edge=choice("inside", "target")),
    recorded="supported",
    mutants=[
        moved("Omega asks for p_k > 5/4", above=Fraction(5, 4)),
        moved("Phi asks for p_l <= 9/10", upto=Fraction(9, 10)),
    ],
    convention=f"a path to one and the same point is followed; {_AGGREGATE}",
    cost=8.0,
)
def every_point_is_joined_to_one_and_the_same(
    spectrum: Spectrum,
    stage: int,
    shares: Array,
    reach: Number,
    edge: str,
    *,
    above: Number = Fraction(1),
    upto: Number = Fraction(1),
) -> Margin:
    r"""$\mathcal S$ is connected: from each of its points a path inside leads to one and the same point near $v^*$.

    First $p_k\downarrow1$ for $k<\ell$, then $q_k\mapsto q_ke^{-\eta_ks}$ for $k\ge\ell$, then $p_{\ell-1},\dots,p_1$
    come back below 1, then a line in $\ln q$.
    """
    shape = Shape(above=above, upto=upto)
    p, padding = sets.place(spectrum, stage, _placed(shares, stage, edge), reach), sets.largest_padding(spectrum)
    suppose(_inside(sets.slacks(spectrum, p, padding, shape)), "the point is in S")
    way = _path(spectrum, p, stage)
    return all_of(
        *(
            less(0, np.array(sets.slacks(spectrum, one, padding, shape), dtype=object), f"slacks at place {k}")
            for k, one in enumerate(way)
        )
    )


def _predictors() -> tuple[Any, Any, Any]:
    """A symmetric matrix, a teacher and a predictor of three symbols each."""
    import sympy

    h = sympy.Matrix(3, 3, lambda i, j: sympy.Symbol(f"h{min(i, j)}{max(i, j)}", real=True))
    return h, sympy.Matrix(sympy.symbols("t0:3", real=True)), sympy.Matrix(sympy.symbols("v0:3", real=True))


@identity(
    "chistikov2023.set_S.ellipsoid",
    "section 5, after the definition of S",
    recorded="proved",
    mutants=[moved("centred at v*/3", centre=Fraction(1, 3)), moved("half of v*^T H v*", level=Fraction(1, 2))],
    convention="d = 3 with free symbols; the cosine exceeds a positive number only where v^T X X^T (v* - v) is "
    "positive",
)
def the_cosine_is_positive_in_an_ellipsoid(
    *, centre: Fraction = Fraction(1, 2), level: Fraction = Fraction(1, 4)
) -> Any:
    r"""$v^\top H(v^*-v)=\frac14v^{*\top}Hv^*-(v-\frac{v^*}2)^\top H(v-\frac{v^*}2)$, so $\Xi$ confines $\mathcal S$ to
    the interior of the ellipsoid $v^\top XX^\top(v^*-v)=0$, whose centre is $v^*/2$.
    """
    import sympy

    h, teacher, v = _predictors()
    off = v - sympy.Rational(centre) * teacher
    return sympy.expand(
        (v.T * h * (teacher - v) - sympy.Rational(level) * teacher.T * h * teacher + off.T * h * off)[0]
    )


@identity(
    "chistikov2023.set_S.ellipsoid_acute_angle",
    "section 5, on the constraint Xi",
    recorded="proved",
    mutants=[moved("the second-layer part twice", second=2), moved("without the factor 2", factor=1)],
    convention="v not zero; the derivative of an exactly aligned bundle, which moves like one balanced neuron",
)
def the_ellipsoid_is_where_the_angle_to_the_velocity_is_acute(*, second: int = 1, factor: int = 2) -> Any:
    r"""With $\dot v=\|v\|(g+\bar v\bar v^\top g)$, $g=H(v^*-v)$: $v^\top\dot v=2\|v\|\,v^\top H(v^*-v)$.

    So for $v\ne0$ the interior of the ellipsoid consists of the $v$ that make an acute angle with $\dot v$. ($\dot v$
    is the sum of $\dot a\,w=(w^\top g)w$ and $a\dot w=a^2g$ for $v=aw$, $a=\|w\|$.)
    """
    import sympy

    size, along = sympy.Symbol("size", positive=True), sympy.Symbol("vg", real=True)  # |v| and <v, g>
    velocity = size * (along + second * size**2 * along / size**2)  # <v, dv/dt>, since <v, v> = |v|^2
    return velocity - factor * size * along


_A = Dataset(exact_array([[1, "1/4"], ["5/4", -1]]), exact_array([1, "5/4"]))


@claim(
    "chistikov2023.set_S.xi_face_not_everywhere_repelling",
    "section 5",
    kind=Kind.EXISTENCE,
    instances=[{"data": _A, "teacher": np.array([1, 0]), "v": np.array([Fraction(15, 14), Fraction(3, 14)])}],
    recorded="proved",
    mutants=[moved("the angle becomes more acute", way=-1), moved("off the boundary", offset=1)],
    convention="a point of the ellipsoid where the flow of an aligned bundle leaves it; the padding may be as small "
    "as one likes",
)
def the_ellipsoid_can_be_left(data: Dataset, teacher: Array, v: Array, *, way: int = 1, offset: int = 0) -> Margin:
    r"""There are data with a point $v\ne v^*$ on $v^\top g=0$ at which $\frac{\mathrm d}{\mathrm dt}(v^\top g)<0$.

    With $v^\top g=0$ the velocity is $\|v\|g$, so the derivative is $\|v\|(g^\top g-v^\top Hg)$. The witness is
    $v=(15,3)/14$ for the inputs $(1,\frac14)$, $(\frac54,-1)$ and the teacher $(1,0)$; there $p_1<1<p_2$.
    """
    second_moment = data.covariance
    g = second_moment @ (teacher - v)
    return all_of(
        equal(v @ g, offset, "<v, g>"), less(way * (g @ g), way * (v @ (second_moment @ g)), "|g|^2 against <v, H g>")
    )


@values(lambda value: is_count(value, 0))
def _index(size: Size) -> SearchStrategy[int]:
    """A coordinate, or one more for the ellipsoid."""
    return st.integers(0, size.dimension)


def _nearest(values: list[Number]) -> int:
    """The largest entry; for faces that meet any of them will do."""
    return max(range(len(values)), key=lambda k: enclosure(values[k])[0])


@claim(
    "chistikov2023.set_S.faces_repelling",
    "section 5",
    given=places(face=_index, end=choice(0, 1)),
    recorded="supported",
    mutants=[
        moved("lower bounds by p_k three times as large", low=3),
        moved("exponent 11/10 eta_k'/eta_k - 1/10", half=Fraction(-1, 10)),
        moved("the flow runs backwards", way=-1),
    ],
    convention=f"points inside one face; velocities of an aligned bundle with a relative error 3 lambda^(eps/2); "
    f"{_AGGREGATE}",
    cost=2.0,
)
def every_face_repels(
    spectrum: Spectrum,
    stage: int,
    shares: Array,
    reach: Number,
    face: int,
    end: int,
    *,
    low: int = 1,
    half: Number = Fraction(1, 2),
    way: int = 1,
) -> Margin:
    r"""On every face of $\partial\mathcal S$ the slack of the constraint that defines it grows along the training
    dynamics.

    $\Omega_k$: $\dot p_k=B$. $\Phi_\ell$: $\dot p_\ell>0$. $\Psi^\downarrow$: $A\eta_{k'}(\frac12+p_k(\frac12-r))$.
    $\Psi^\uparrow$: $Aq_k^e\frac{\eta_k-\eta_{k'}}2+B(eq_k^{e-1}+(1-e)q_k^e-1)$, the bracket being positive by the
    inequality of means. $\Xi$: $A\sum_k\eta_k^2\nu_k^{*2}q_k(2q_k-1)$ where $v^\top g=0$, positive because $q_k<0$
    exactly for the first $\ell-1$, largest eigenvalues.
    """
    s, shape, where = spectrum, Shape(low=low, half=half), shares.copy()
    if face < s.dimension:
        where[face] = s.zero + (end if face > stage else 0)
    suppose(face > 0 or stage > 0, "a face: the origin is none")
    p, padding = (
        sets.place(s, stage, where, reach if face < s.dimension else s.zero + 1, shape),
        sets.largest_padding(s),
    )
    noise = 3 * padding * sqrt(padding) * sets.speed(s, p)
    drift, unsure = way * sets.velocity(s, p), noise / s.teacher
    if face == s.dimension:
        suppose(stage > 0, "a coordinate is beyond its target")
        return _leaves_the_ellipsoid(s, p, way, padding, noise)
    suppose(sign(sets.cosine_parts(s, p)[0] - padding * sets.cosine_parts(s, p)[1]) > 0, "inside the ellipsoid")
    if face <= stage:
        return less(0, drift[face] - unsure[face], "dp_k/dt")
    if end:
        k = _nearest([sets.power(1 - p[k], shape.exponent(s, k, face)) for k in range(stage, face)]) + stage
        e = shape.exponent(s, k, face)
        steep = e * sets.power(1 - p[k], e) / (1 - p[k])
        return less(0, steep * (drift[k] - unsure[k]) - drift[face] - unsure[face], "d(q_k' - q_k^e)/dt")
    ratios = [shape.ratio(s, k, face) for k in range(face)]
    k = _nearest([ratios[k] * p[k] for k in range(stage, face)]) + stage
    return less(0, drift[face] - unsure[face] - ratios[k] * (drift[k] + unsure[k]), "d(p_k' - r p_k)/dt")


def _leaves_the_ellipsoid(s: Spectrum, p: Array, way: int, padding: Number, noise: Number) -> Margin:
    """d<v, g>/dt on <v, g> = 0 against what the padding, a multiple of |v| |g|, and the noise can take away."""
    v, g, drift = s.teacher * p, s.eta * s.teacher * (1 - p), s.teacher * sets.velocity(s, p)
    sizes, turned = (norm(v), norm(g)), s.eta * drift
    taken = padding * (absolute(v @ drift) * sizes[1] / sizes[0] + absolute(g @ turned) * sizes[0] / sizes[1])
    return less(0, way * (drift @ g - v @ turned) - taken - 2 * noise * (sizes[1] + s.eta[0] * sizes[0]), "d<v, g>/dt")


_LINES = sized(
    dimension=(3, 3),
    spectrum=spectrum,
    line=choice("1", "9/10", "1/2", "1/10", "0"),
    through=choice("target", "origin"),
)


def _repels_somewhere_not(s: Spectrum, line: Number, through: str, noise: Number, bent: int) -> Margin:
    """Minus the least sign of d(slack)/dt on the line q_k' = c q_k (or p_k' = c p_k), k = 1, k' = 2, as q_k -> 0; p_3 =
    3/5.

    d(slack)/dt = A (c eta_k q_k - eta_k' q_k') + B (c p_k - p_k') with c = e q_k^{e-1} for the printed bound q_k' >
    q_k^e.
    """
    found = []
    for q in [(s.zero + 1) / 2**fall for fall in (2, 6, 100, 1000)] + ([] if noise == 0 else [noise / 2**60]):
        e = sets.PRINTED.exponent(s, 0, 1)
        other = sets.power(q, e) if bent else line * q if through == "target" else (1 - line) + line * q
        slope = e * other / q if bent else line
        rest = slope - 1 - slope * q + other if bent else line - 1 if through == "target" else s.zero
        p = np.array([1 - q, 1 - other, (s.zero + 3) / 5], dtype=object)
        size, unsure = norm(s.teacher * p), noise * sets.speed(s, p) / s.teacher
        along = sets.cosine_parts(s, p)[0] / size
        found.append(
            sign(size * (slope * s.eta[0] * q - s.eta[1] * other) + along * rest - slope * unsure[0] - unsure[1])
        )
    return less(min(found), 0, "least sign of d(slack)/dt on the face")


@claim(
    "chistikov2023.set_S.psi_up_nonlinearity_needed.r1",
    "section 5, last sentence",
    given=_LINES,
    recorded="refuted",
    convention="R1: the dynamics is that of an exactly aligned bundle; linear: q_k' > c q_k or p_k' < c p_k with 0 <= "
    "c <= 1",
)
def no_linear_bound_repels_an_aligned_bundle(spectrum: Spectrum, line: Number, through: str) -> Margin:
    r"""R1: with any linear bound in place of $\Psi^\uparrow$ some point of its face does not repel the flow of an
    aligned bundle.

    Fails for $p_{k'}<p_k$: on the face $\frac{\mathrm d}{\mathrm dt}(p_k-p_{k'})=Aq_k(\eta_k-\eta_{k'})>0$, the terms
    with $B$ cancel; for $\eta=(\frac32,1,\frac12)$, k = 1 and k' = 2 it is $\frac12Aq_1$. The paper speaks of the noisy
    bundle, which is reading R2.
    """
    return _repels_somewhere_not(spectrum, line, through, spectrum.zero, 0)


@claim(
    "chistikov2023.set_S.psi_up_nonlinearity_needed.r2",
    "section 5, last sentence",
    given=_LINES,
    recorded="supported",
    mutants=[moved("nor does the printed bound", bent=1), moved("without noise (R1)", noisy=0)],
    convention="R2: velocities with a relative error 3 lambda^(eps/2), which is what the padding is for; linear as in "
    "R1; d = 3",
    cost=4.0,
)
def no_linear_bound_repels_a_noisy_bundle(
    spectrum: Spectrum, line: Number, through: str, *, bent: int = 0, noisy: int = 1
) -> Margin:
    r"""R2: the same for the dynamics of an approximately aligned bundle.

    For $c<1$ the derivative tends to $-B(1-c)$ or $-A\eta_{k'}(1-c)$ as $q_k\to0$, for $c=1$ to 0 like $q_k$, below the
    noise; with the printed exponent it tends to $+\infty$ like $q_k^{e-1}$.
    """
    padding = sets.largest_padding(spectrum)
    return _repels_somewhere_not(spectrum, line, through, noisy * 3 * padding * sqrt(padding), bent)


@claim(
    "chistikov2023.set_S.positive_correlation",
    "section 5",
    given=places_in_data(),
    assumes=ASSUMPTION_1_DATA,
    recorded="supported",
    mutants=[without(quarter_angle), moved("cosine at least 1/5", cosine=Fraction(1, 5))],
    convention="every v with <v, g> > 0 that meets the other constraints, whatever the padding",
    cost=2.0,
)
def points_of_the_set_activate_all_data(
    data: Dataset, teacher: Array, stage: int, shares: Array, reach: Number, *, cosine: Number = Fraction(0)
) -> Margin:
    r"""$v^\top x_i>0$ for every $v\in\mathcal S$ and every training point.

    It can be as small as one likes: $v\approx u_1$, an input of small length near the boundary of the cone of $\pi/4$
    around $v^*$.
    """
    spectrum, rows = sets.spectrum_of(data, teacher)
    v = (sets.place(spectrum, stage, shares, reach) * spectrum.teacher) @ rows
    sizes = np.array([norm(x) for x in data.inputs], dtype=object)
    return less(cosine * norm(v) * sizes, data.inputs @ v, "<v, x_i>")


@claim(
    "chistikov2023.polyak_lojasiewicz.r1",
    "section 5",
    given=places(),
    recorded="supported",
    mutants=[
        moved("from p_1 = 1/200 on", start=Fraction(1, 200)),
        moved("with 4 in place of 2/5", constant=Fraction(4)),
        moved("eta_1 in place of eta_d", least=0),
    ],
    convention=f"R1: every aligned balanced network with v in S and p_1 >= 1/2, which is where a bundle is from T_2 "
    f"on; {_AGGREGATE}",
)
def the_gradient_dominates_the_loss_on_the_set(
    spectrum: Spectrum,
    stage: int,
    shares: Array,
    reach: Number,
    *,
    constant: Number = Fraction(2, 5),
    start: Number = Fraction(1, 2),
    least: int = -1,
) -> Margin:
    r"""R1: $\|\nabla L\|^2>\frac{2\eta_d\|\gamma_{[n]}\|}{5\eta_1}L$ for aligned bundles with $v\in\mathcal S$,
    $\nu_1\ge\frac12\nu_1^*$.

    $\|\nabla L\|^2\ge\|v\|\|g\|^2$, $\|g\|^2\ge2\eta_dL$, and the lower bounds of $\mathcal S$ give
    $p_k\ge\eta_k/(4\eta_1)$, so $\|v\|\ge\|\gamma_{[n]}\|/(4\eta_1)$.
    """
    s, where = spectrum, shares.copy()
    if stage == 0:
        where[0] = start + (1 - start) * where[0] / 8
    loss, squared = sets.loss_and_gradient(s, sets.place(s, stage, where, reach))
    return less(
        constant * s.eta[least] * norm(s.eta * s.teacher) / s.eta[0] * loss,
        squared,
        "constant times L against |grad L|^2",
    )
