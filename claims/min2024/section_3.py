r"""Section 3: the cones $S_+$, $S_-$ and $S_{dead}$."""

from operator import neg

import numpy as np

from refute import Fault, Kind, Margin, all_of, at_least, changed, derived, equal, less, mutants, only, section, without
from refute.arithmetic.numbers import EXACT, Array, Number, exact_array
from refute.claims.min2024.assumptions import in_minus_cone, in_plus_cone, not_aligned, separated
from refute.claims.min2024.equations_7_8 import positive_sum
from refute.claims.min2024.lemma_6 import halfspaces_are_convex
from refute.claims.min2024.runs import arrival, constants, earlier, relabelled
from refute.claims.min2024.training import ALL_LOSSES, DEEPEST, PARTS, in_cone
from refute.decide.proof import by_smt, in_words, steps
from refute.language.case import lift
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory
from refute.models.min2024.cones import dead_margin, in_dead
from refute.models.min2024.conic import signed_data, squared_distance
from refute.strategies import positive, sized
from refute.strategies.min2024.separated import neurons, placed, separated_dataset, vector
from refute.strategies.min2024.theory_scale import followable
from refute.strategies.min2024.vectors import dyadic

# (+-6, +-1): the labels follow the first coordinate, and the data surround the origin.
AROUND = Dataset(exact_array([[6, 1], [6, -1], [-6, 1], [-6, -1]]), exact_array([1, 1, -1, -1]))
AXES = ([1, 0], [-1, 0], [0, 1], [0, -1])

cones = section("min2024", "sec_3")


@derived
def mean(data: Dataset) -> Array:
    """sum_i y_i x_i, which lies in S_+."""
    total: Array = data.labels @ data.inputs
    return total


@derived
def own(data: Dataset) -> dict[int, Array]:
    """The data of each class."""
    return {label: data.inputs[[y == label for y in data.labels]] for label in (1, -1)}


def _class_proof() -> str | None:
    """y_i <x_i, x> is positive for a positive datum x and negative for a negative one, by Assumption 1."""
    import z3

    y, z, g = z3.Reals("y z g")
    same, other = (
        z3.Implies(z3.And(y * z * g > 0, z == 1), y * g > 0),
        z3.Implies(z3.And(y * z * g > 0, z == -1), y * g < 0),
    )
    return steps(
        by_smt(lambda: z3.And(same, other), "with g = <x_i, x>, y = y_i and z the label of x: x lies in its cone"),
        positive_sum(),
        in_words("so does sum_i y_i x_i, whose inner products with the y_i x_i are sums of positive numbers"),
        halfspaces_are_convex(),
    )


nonempty = cones.but(
    given=sized(data=separated_dataset, a=positive(), b=positive()), assumes=[separated], derived=[mean, own]
)


@nonempty.claim("cones_S_plus_S_minus", "Section 3, after Assumption 1", proof=_class_proof, recorded="proved")
@mutants(
    changed("the data of the other class", own=lambda found: {1: found[-1], -1: found[1]}),
    changed("minus the sum of the signed data", mean=neg),
    changed("differences too", b=neg),
    without(separated),
)
def each_cone_is_convex_and_contains_its_class(
    data: Dataset, a: Number, b: Number, mean: Array, own: dict[int, Array]
) -> Margin:
    r"""$S_+$ ($S_-$) is not empty, and contains all positive (negative) data and their combinations with positive
    coefficients.

    Convention: nonempty also for a class without data; convexity is tried on the data of the class, Lemma 6 proves it.
    """
    parts = [in_plus_cone(mean, data), in_minus_cone(-mean, data)]
    for label, inside in ((1, in_plus_cone), (-1, in_minus_cone)):
        parts += [inside(a * x + b * z, data) for x in own[label] for z in (0 * x, *own[label])]
    return all_of(*parts)


dead = cones.but(given=placed(data=separated_dataset, w=vector, z=vector, a=positive(), b=positive()))


@dead.claim("cone_S_dead", "Section 3: S_dead is a convex cone", proof=halfspaces_are_convex, recorded="proved")
@mutants(changed("difference of two dead vectors", b=neg), changed("reflected at the origin", a=neg))
def dead_vectors_form_a_convex_cone(data: Dataset, w: Array, z: Array, a: Number, b: Number) -> Margin:
    r"""If $\langle x_i,w\rangle\le0$ and $\langle x_i,z\rangle\le0$ for all $i$ and $a,b>0$, then
    $\langle x_i,aw+bz\rangle\le0$; tried on all dead ones among $\pm w,\pm z$, $-x_i$ and $0$."""
    found = [u for u in (w, -w, z, -z, *(-data.inputs), 0 * w) if in_dead(u, data)]
    mixed = np.array([dead_margin(a * u + b * v, data) for u in found for v in found], dtype=object)
    return at_least(mixed, 0, "minus the largest <x_i, aw + bz>")


@cones.claim(
    "cone_S_dead.possibly_empty",
    "Section 3 and the remarks after Theorem 1: S_dead may be empty",
    given=sized(w=dyadic(2)),
    recorded="refuted",
    fault=Fault.BOUNDARY,
)
def no_vector_is_dead(w: Array) -> Margin:
    r"""$S_{dead}=\{z:\langle z,x_i\rangle\le0\ \forall i\}$ is empty for data $(\pm6,\pm1)$ labelled by the first
    coordinate.

    Fails by the origin alone: $z=0$ satisfies every weak inequality, whatever the data. That is a matter of the
    definition; what the paper needs is the amended form, in which nothing else is dead.

    Convention: for data that surround the origin, the only chance; the definition is as printed, with a weak
    inequality.
    """
    return less(dead_margin(w, lift(AROUND, EXACT)), 0, "minus the largest <x_i, z> against 0")


@derived
def generators(data: Dataset) -> Array:
    """The data, which span a cone."""
    return data.inputs


@cones.claim(
    "cone_S_dead.possibly_empty.amended",
    "Section 3: S_dead may hold nothing but the origin",
    kind=Kind.EXISTENCE,
    instances=[{"data": AROUND}],
    assumes=[separated],
    derived=[generators],
    recorded="proved",
)
@mutants(
    changed("without the last datum", generators=lambda rows: rows[:-1]),
    changed("the cone of the signed data", generators=lambda rows: signed_data(AROUND)),
)
def only_the_origin_is_dead(generators: Array) -> Margin:
    r"""There are separated data with $S_{dead}=\{0\}$.

    Amended: the origin is left out. Witness: the conic hull of $(\pm6,\pm1)$ contains $\pm e_1,\pm e_2$, hence is the
    plane, and $\langle z,x_i\rangle\le0$ for all $i$ then says $\langle z,z\rangle\le0$.
    """
    axes = [np.array(axis, dtype=object) + 0 * generators[0] for axis in AXES]
    distances = [squared_distance(axis, generators) for axis in axes]
    return equal(distances, 0, "squared distance from +-e_k to the hull")


trained = cones.but(
    kind=Kind.DYNAMICS,
    given=followable(
        placed(data=only(AROUND), start=neurons, loss=ALL_LOSSES, part=PARTS, dimension=(2, 2), width=(1, 3)), DEEPEST
    ),
    assumes=[not_aligned],
    derived=[constants, arrival],
)


@trained.claim(
    "cone_S_dead.all_neurons_reach",
    "remark after Theorem 1: if S_dead is empty every neuron reaches S_+ or S_-",
    recorded="supported",
)
@mutants(
    changed("log n / 64 in place of 16 log n", arrival=earlier(1 / 1024)),
    changed("the cone of the other sign", data=relabelled),
    without(not_aligned),
)
def without_dead_directions_every_neuron_aligns(data: Dataset, arrival: LogPolarTrajectory) -> Margin:
    r"""On separated data with $S_{dead}=\{0\}$ every neuron of $\mathcal V_\pm$ is in $S_\pm$ at $t_1$.

    Convention: data $(\pm6,\pm1)$; from the largest scale that (28) allows, with $t_1=\frac{16\log n}r$ and the smaller
    of $\zeta_1,\zeta_2$, all three losses.
    """
    last = arrival.directions[-1]
    return all_of(*(in_cone(last[j], data, int(s)) for j, s in enumerate(arrival.signs)))
