r"""What Sections 2 and 3 say about their own definitions: Assumptions 1 and 2, (3), the cones of Section 3 and the
extreme vectors.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Kind, Margin, all_of, at_least, claim, equal, identity, less, moved, only, without
from refute.arithmetic.numbers import EXACT, Array, Number, exact_array
from refute.claims.min2024.assumptions import (
    SEPARATED_START,
    alignment_squares,
    in_minus_cone,
    in_plus_cone,
    not_aligned,
    separated,
)
from refute.claims.min2024.lemma_6 import halfspaces_are_convex
from refute.claims.min2024.training import in_cone
from refute.functions import sign, squared_norm
from refute.language.case import lift
from refute.language.relations import Decision
from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.cones import centre, dead_margin, in_dead
from refute.models.min2024.conic import signed_data, signed_separation, squared_distance
from refute.strategies import positive, sized
from refute.strategies.min2024.separated import dyadic, labelled_dataset, neurons, placed, separated_dataset, vector


@claim(
    "min2024.assumption_1.separation",
    "Assumption 1",
    given=sized(data=labelled_dataset),
    recorded="supported",
    mutants=[
        moved("correlations of either sign or none", weak=True),
        moved("only data with the same label", across=False),
    ],
    convention="mu is the minimum over all pairs, a datum with itself included",
)
def positive_mu_says_that_labels_follow_correlations(
    data: Dataset, *, weak: bool = False, across: bool = True
) -> Margin:
    r"""$\mu=\min_{i,j}\frac{\langle y_ix_i,y_jx_j\rangle}{\|x_i\|\|x_j\|}>0$ exactly when $\langle x_i,x_j\rangle$ is
    positive for equal and negative for different labels."""
    signs, equal_labels = sign(data.inputs @ data.inputs.T), data.labels[:, None] == data.labels[None, :]
    right = np.where(equal_labels, signs, -signs if across else 1)
    words = bool((right >= 0 if weak else right > 0).all())
    return equal(int(sign(signed_separation(data)) > 0), int(words), "mu > 0 against the signs of all correlations")


@claim(
    "min2024.assumption_2.not_aligned",
    "Assumption 2",
    given=SEPARATED_START,
    assumes=[separated],
    recorded="supported",
    mutants=[moved("the own centre", side=1), moved("neither along nor against the centre", both=True)],
    convention="a neuron of either sign is compared with the sum of the inputs of the opposite label; a class without "
    "data forbids nothing",
)
def assumption_2_forbids_only_exact_alignment(
    data: Dataset, start: Balanced, *, side: int = -1, both: bool = False
) -> Margin:
    r"""$\langle\frac{w_j}{\|w_j\|},\frac{x_\mp}{\|x_\mp\|}\rangle<1$ for all $j\in\mathcal V_\pm$ exactly when no such
    $w_j$ is a positive multiple of $x_\mp$."""
    along = False
    for w, s in zip(start.shape, start.signs, strict=True):
        middle = centre(data, side * int(s))
        if any(middle) and not any(squared_norm(middle) * w - (w @ middle) * middle):
            along |= both or bool(sign(w @ middle) > 0)
    holds = less(*alignment_squares(data, start), "<w_j, c>_+^2 against |w_j|^2 |c|^2").decision is Decision.HOLDS
    return equal(int(holds), int(not along), "Assumption 2 against: no neuron on the ray of the other centre")


@identity(
    "min2024.eq_3.init_balanced",
    "Eq. (3) and the text after it",
    recorded="proved",
    mutants=[
        moved("outer weights of the size of a column of W_0", power=0),
        moved("outer weights half as large", factor=Fraction(1, 2)),
    ],
    convention="in two dimensions; the norm is all that enters",
)
def the_start_is_balanced(*, power: int = 1, factor: Any = 1) -> Any:
    r"""$W(0)=\epsilon W_0$ and $v_j(0)=\pm\|w_j(0)\|$ give $v_j(0)^2-\|w_j(0)\|^2=0$ for both signs."""
    import sympy

    a, b = sympy.symbols("a b", real=True)
    epsilon = sympy.Symbol("epsilon", positive=True)
    row = (epsilon * a, epsilon * b)
    size = factor * epsilon**power * sympy.sqrt(a**2 + b**2)
    return {f"sign {s:+d}": (s * size) ** 2 - row[0] ** 2 - row[1] ** 2 for s in (1, -1)}


@claim(
    "min2024.sec_3.cones_S_plus_S_minus",
    "Section 3, after Assumption 1",
    given=sized(data=separated_dataset, a=positive(), b=positive()),
    assumes=[separated],
    recorded="supported",
    mutants=[
        moved("all data in S_+", own=False),
        moved("S_+ contains the mean of all data", everything=True),
        without(separated),
    ],
    convention="nonempty also for a class without data; convexity is tried on the data of the class, Lemma 6 proves it",
)
def each_cone_is_convex_and_contains_its_class(
    data: Dataset, a: Number, b: Number, *, own: bool = True, everything: bool = False
) -> Margin:
    r"""$S_+$ ($S_-$) is not empty, and contains all positive (negative) data and their combinations with positive
    coefficients.
    """
    signed = data.labels @ data.inputs
    parts = [in_plus_cone(signed, data), in_minus_cone(-signed, data)]
    for label, inside in ((1, in_plus_cone), (-1, in_minus_cone)):
        rows = [x for x, y in zip(data.inputs, data.labels, strict=True) if y == label or not own]
        parts += [inside(a * x + b * z, data) for x in rows for z in (0 * x, *rows)]
    if everything:
        parts.append(in_plus_cone(data.inputs.sum(axis=0), data))
    return all_of(*parts)


@claim(
    "min2024.sec_3.cone_S_dead",
    "Section 3: S_dead is a convex cone",
    given=placed(data=separated_dataset, w=vector, z=vector, a=positive(), b=positive()),
    proof=halfspaces_are_convex,
    recorded="proved",
    mutants=[moved("difference of two dead vectors", second=-1), moved("reflected at the origin", first=-1)],
)
def dead_vectors_form_a_convex_cone(
    data: Dataset, w: Array, z: Array, a: Number, b: Number, *, first: int = 1, second: int = 1
) -> Margin:
    r"""If $\langle x_i,w\rangle\le0$ and $\langle x_i,z\rangle\le0$ for all $i$ and $a,b>0$, then
    $\langle x_i,aw+bz\rangle\le0$; tried on all dead ones among $\pm w,\pm z$, $-x_i$ and $0$."""
    dead = [u for u in (w, -w, z, -z, *(-data.inputs), 0 * w) if in_dead(u, data)]
    mixed = np.array([dead_margin(first * a * u + second * b * v, data) for u in dead for v in dead], dtype=object)
    return at_least(mixed, 0, "minus the largest <x_i, aw + bz>")


# (+-6, +-1): the labels follow the first coordinate, and the data surround the origin.
AROUND = Dataset(exact_array([[6, 1], [6, -1], [-6, 1], [-6, -1]]), exact_array([1, 1, -1, -1]))


@claim(
    "min2024.sec_3.cone_S_dead.possibly_empty",
    "Section 3 and the remarks after Theorem 1: S_dead may be empty",
    given=sized(w=dyadic(2)),
    recorded="refuted",
    convention="for data that surround the origin, the only chance; the definition is as printed, with a weak "
    "inequality",
)
def no_vector_is_dead(w: Array) -> Margin:
    r"""$S_{dead}=\{z:\langle z,x_i\rangle\le0\ \forall i\}$ is empty for data $(\pm6,\pm1)$ labelled by the first
    coordinate.

    Fails by the origin alone: $z=0$ satisfies every weak inequality, whatever the data. That is a matter of the
    definition; what the paper needs is the amended form, in which nothing else is dead.
    """
    return less(dead_margin(w, lift(AROUND, EXACT)), 0, "minus the largest <x_i, z> against 0")


@claim(
    "min2024.sec_3.cone_S_dead.possibly_empty.amended",
    "Section 3: S_dead may hold nothing but the origin",
    kind=Kind.EXISTENCE,
    instances=[{"data": AROUND}],
    assumes=[separated],
    recorded="proved",
    mutants=[moved("without the last datum", dropped=1), moved("the cone of the signed data", labels=True)],
)
def only_the_origin_is_dead(data: Dataset, *, dropped: int = 0, labels: bool = False) -> Margin:
    r"""There are separated data with $S_{dead}=\{0\}$.

    Amended: the origin is left out. Witness: the conic hull of $(\pm6,\pm1)$ contains $\pm e_1,\pm e_2$, hence is the
    plane, and $\langle z,x_i\rangle\le0$ for all $i$ then says $\langle z,z\rangle\le0$.
    """
    rows = (signed_data(data) if labels else data.inputs)[: len(data.labels) - dropped]
    axes = [np.array(axis, dtype=object) + 0 * rows[0] for axis in ([1, 0], [-1, 0], [0, 1], [0, -1])]
    return equal(
        np.array([squared_distance(axis, rows) for axis in axes], dtype=object),
        0,
        "squared distance from +-e_k to the hull",
    )


@claim(
    "min2024.sec_3.cone_S_dead.all_neurons_reach",
    "remark after Theorem 1: if S_dead is empty every neuron reaches S_+ or S_-",
    kind=Kind.DYNAMICS,
    given=placed(data=only(AROUND), start=neurons, dimension=(2, 2), width=(1, 3)),
    assumes=[not_aligned],
    recorded="supported",
    mutants=[
        moved("by a ten-thousandth of the time", part=1e-4),
        moved("the cone of the other sign", side=-1),
        without(not_aligned),
    ],
    convention="S_dead = {0}; exponential loss, the scale is e^-10000, below (28) for these data, and the time is T "
    "of Lemma 1",
)
def without_dead_directions_every_neuron_aligns(
    data: Dataset, start: Balanced, tolerance: float, *, part: float = 1.0, side: int = 1
) -> Margin:
    r"""On separated data with $S_{dead}=\{0\}$ every neuron of $\mathcal V_\pm$ is in $S_\pm$ at the end $T$ of the
    alignment phase.
    """
    log_scale = -10_000.0
    phase = (-log_scale - np.log(len(start.signs)) / 2) / (4 * 4 * np.sqrt(37))
    tiny = Balanced(start.shape, start.signs, log_scale - np.log(np.abs(start.shape).max()), 0.0)
    run = log_polar_flow(tiny, data, EXPONENTIAL_SUM, times=[part * phase], tolerance=tolerance)
    last = run.direction[int(np.argmin(np.abs(run.time - part * phase)))]
    return all_of(*(in_cone(u, data, side * int(s), run.error) for u, s in zip(last, run.signs, strict=True)))
