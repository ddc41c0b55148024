"""Data labelled by a teacher neuron with which every input is correlated, balanced starts, and repairs (chistikov2023).

A case has a `teacher`, `data`, a `start` (unscaled rows z_j, signs, ln lambda) and `epsilon`. Repairs move one entry at
a time, so that numbers stay small, and put what they moved back into the cone of angle 45 degrees around the teacher.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array, exact_array
from refute.language.assumption import Assumption, repaired
from refute.language.cases import Cases, Fields, Values, along, values
from refute.models.chistikov2023.crossings import is_active, most_points_touched
from refute.models.chistikov2023.smallness import largest_log_scale
from refute.models.chistikov2023.yardstick import gamma
from refute.models.dataset import Dataset
from refute.models.geometry.elimination import rank, reduced
from refute.models.logpolar.balanced import Balanced
from refute.models.network import TwoLayer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import array, choice, is_array
from refute.strategies.retry import patience
from refute.strategies.sizes import Size, Sizes, drawn, sized

STEPS = [
    Fraction(1),
    Fraction(1, 4),
    Fraction(1, 40),
]  # of the way into the cone: a fine one ends close to its boundary
MOVES = [Fraction(m) for m in ("1", "-1", "1/2", "2", "-2", "3", "1/3", "5")]


def _is_start(value: Any) -> bool:
    return isinstance(value, Balanced) and value.slope == 0 and all(abs(s) == 1 for s in value.signs)


@values(_is_start, lambda value: Balanced(value.shape, value.signs, value.log_scale, Fraction(0)))
def start(size: Size) -> SearchStrategy[Balanced]:
    """Rows z_j from the grid with signs; the scale is 10^-1000 until a repair sets it."""
    signs = st.lists(st.sampled_from([1, 1, -1]), min_size=size.width, max_size=size.width)
    return st.builds(
        lambda z, s: Balanced(z, np.array(s), Fraction(-2303), Fraction(0)),
        array(size.width, size.dimension, limit=3),
        signs,
    )


def is_vector(value: Any) -> bool:
    """Whether the value is a vector, and not zero."""
    return is_array(value, 1) and any(value)


@values(is_vector, sizes=along("dimension"))
def teacher(size: Size) -> SearchStrategy[Array]:
    """A rational unit vector."""
    return unit_vector(size.dimension)


def correlated(*, dimension: Sizes = None, samples: Sizes = None, width: Sizes = None, **parts: Any) -> Cases:
    """Teacher and data, and further parts such as `start=start`; the assumptions of the claim make them correlated.

    Sizes that are not given are small in what is drawn, and in the domain any, with at least two dimensions.
    """
    cases = sized(
        dimension=dimension or drawn(2, 3),
        samples=samples or drawn(2, 4),
        width=width or drawn(1, 3),
        teacher=teacher,
        data=unscaled_dataset,
        **parts,
    )
    return cases if dimension else cases.within(lambda fields: len(fields["teacher"]) >= 2)


SETTING = correlated(start=start, epsilon=choice("1/4", "1/8", "1/100"))


@lru_cache
def lattice_points(largest: int) -> list[Array]:
    """Integer points of space within 45 degrees of e_1 and without a common divisor, the shortest first."""
    grid = product(range(1, largest + 1), range(-largest, largest + 1), range(-largest, largest + 1))
    inside = [p for p in grid if p[0] ** 2 > p[1] ** 2 + p[2] ** 2 and math.gcd(*p) == 1]
    return [exact_array(np.array(p)) for p in sorted(inside, key=lambda p: (sum(e * e for e in p), p))]


def lattice_setting(largest: int) -> Cases:
    """Three integer points around the teacher e_1, and two neurons."""
    axis = exact_array(np.array([1, 0, 0]))
    pick = st.lists(st.sampled_from(range(len(lattice_points(largest)))), min_size=3, max_size=3, unique=True)
    data = pick.map(lambda which: labelled(axis, _stacked([lattice_points(largest)[k] for k in which])))
    return sized(
        dimension=(3, 3),
        samples=(3, 3),
        width=(2, 2),
        teacher=Values(st.just(axis), is_vector, sizes=along("dimension")),
        data=Values(data, lambda value: isinstance(value, Dataset)),
        start=start,
        epsilon=choice("1/4"),
    )


def prepared(base: Cases | SearchStrategy[Fields], *assumptions: Assumption) -> Cases:
    """Cases of `base` that satisfy the assumptions, under a short name: nested ones would have an endless `repr`."""
    inner = repaired(base, satisfied=list(assumptions))

    @st.composite
    def ready(draw: DrawFn) -> dict[str, Any]:
        return draw(inner)

    return Cases.of(base).drawn_by(ready())


# Geometry of one point


def in_cone(v: Array, x: Array) -> bool:
    """angle(v, x) < 45 degrees."""
    along = v @ x
    return bool(along > 0 and 2 * along * along > (v @ v) * (x @ x))


def towards(v: Array, x: Array, step: Fraction) -> Array:
    """x or -x plus the least multiple of step v that leads into the cone."""
    x = x if v @ x >= 0 else -x
    if in_cone(v, x):
        return x
    along = (v @ x) / (v @ v)
    across = (x @ x) / (v @ v) - along * along
    k = max(0, math.floor((math.sqrt(across) - along) / step) - 1)
    turns = patience()
    while not in_cone(v, x + k * step * v):
        next(turns)
        k += 1
    return np.asarray(x + k * step * v)


def across(v: Array) -> Array:
    """A rational vector as long as v and orthogonal to it, for a rational unit vector v: the reflection of e_1 to v,
    applied to e_2.
    """
    axes = np.array([[Fraction(int(i == k)) for i in range(len(v))] for k in range(2)], dtype=object)
    mirror = axes[0] - v
    if not any(mirror):
        return np.asarray(axes[1])
    return np.asarray(axes[1] - 2 * mirror * (mirror @ axes[1]) / (mirror @ mirror))


def labelled(v: Array, inputs: Array) -> Dataset:
    """The inputs with the labels sigma(<v, x>)."""
    return Dataset(inputs, np.array([max(y, Fraction(0)) for y in inputs @ v], dtype=object))


def _stacked(rows: list[Array]) -> Array:
    return exact_array(np.array([list(row) for row in rows], dtype=object))


def _moves(x: Array) -> Iterator[Array]:
    """x with one entry moved, small moves first; then along a moment curve, which leaves every hypersurface."""
    for move in MOVES:
        for k in range(len(x)):
            moved = x.copy()
            moved[k] = moved[k] + move
            yield moved
    for step in range(1, 30):
        yield x + np.array([Fraction(step) ** (k + 1) / 10 for k in range(len(x))], dtype=object)


def _mended(v: Array, inputs: Array, defect: Callable[[Array], int]) -> Array:
    """Move rows within the cone, one at a time, until there is no defect left."""
    best = defect(inputs)
    rows = list(inputs)
    while best:
        for i, x in [(k, moved) for k in reversed(range(len(rows))) for moved in _moves(rows[k])]:
            trial = _stacked([*rows[:i], towards(v, x, Fraction(1)), *rows[i + 1 :]])
            if defect(trial) < best:
                rows, best = list(trial), defect(trial)
                break
        else:
            break
    return _stacked(rows)


# The teacher and the inputs


def normalise_teacher(draw: DrawFn, teacher: Array) -> dict[str, Array]:
    """The teacher if it has length one, else another."""
    return {"teacher": teacher if teacher @ teacher == 1 else draw(unit_vector(len(teacher)))}


def rescale_teacher(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Any]:
    """A teacher twice or half as long, and its labels."""
    longer = teacher * draw(st.sampled_from([Fraction(2), Fraction(1, 2)]))
    return {"teacher": longer, "data": labelled(longer, data.inputs)}


def turn_to_teacher(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """Every input in the cone of 45 degrees around the teacher, many of them near its boundary."""
    step = draw(st.sampled_from(STEPS))
    return {"data": labelled(teacher, _stacked([towards(teacher, x, step) for x in data.inputs]))}


# In coordinates where the teacher is e_1: acute angles of all pairs, but a bundle that fits the two long points loses
# the short one.
_LOST = [[1, 1, 1], [3, 3, 2], [Fraction(2, 100), Fraction(-3, 100), Fraction(4, 100)]]


def turn_from_teacher(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """One or two inputs at 45 degrees exactly, or at an angle up to 90 degrees and beyond; the others in the cone; the
    labels follow.

    In space sometimes three inputs at angles of 50 to 70 degrees whose pairs are acute.
    """
    if len(teacher) == 3 and draw(st.booleans()):
        frame = np.array([teacher, across(teacher), np.cross(teacher, across(teacher))])
        return {"data": labelled(teacher, exact_array(np.array(_LOST, dtype=object)) @ exact_array(frame))}
    rows = [towards(teacher, x, Fraction(1)) for x in data.inputs]
    side = across(teacher)
    for k in range(draw(st.integers(1, min(2, len(rows))))):
        tilt = draw(st.sampled_from([Fraction(t) for t in ("1", "11/10", "3/2", "2", "4", "100")]))
        rows[-1 - k] = teacher + (-1) ** k * tilt * side
    if draw(st.integers(0, 5)) == 5:
        rows[-1] = rows[-1] - 2 * teacher
    return {"data": labelled(teacher, _stacked(rows))}


def make_acute(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """Inputs on the side of the teacher: turned round, or moved off the boundary by a quarter or a fortieth of the
    teacher.
    """
    step = draw(st.sampled_from([Fraction(1, 4), Fraction(1, 40)]))
    sides = [teacher @ x for x in data.inputs]
    rows = [
        x if side > 0 else -x if side < 0 else x + step * teacher for x, side in zip(data.inputs, sides, strict=True)
    ]
    return {"data": labelled(teacher, _stacked(rows))}


def make_obtuse(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """The last input at an angle between 90 and 180 degrees; its label is zero."""
    tilt = draw(st.sampled_from([Fraction(1), Fraction(3), Fraction(1, 3)]))
    rows = [*make_acute(draw, teacher, data)["data"].inputs[:-1], tilt * across(teacher) - teacher]
    return {"data": labelled(teacher, _stacked(rows))}


def make_pairs_acute(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """In the plane: inputs between two orthogonal rays, one of which is closer to the teacher than 45 degrees, in
    either order.
    """
    far = draw(st.sampled_from([Fraction(3), Fraction(3, 2)]))
    shares = [draw(st.sampled_from([Fraction(k, 20) for k in (18, 2, 10, 15)])) for _ in data.labels]
    side = across(teacher) * draw(st.sampled_from([1, -1]))
    sizes = [draw(st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3)])) for _ in data.labels]
    tilts = [share * far - (1 - share) / far for share in shares]
    return {
        "data": labelled(teacher, _stacked([r * (teacher + tilt * side) for r, tilt in zip(sizes, tilts, strict=True)]))
    }


def make_a_pair_obtuse(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """The first and the last input on both sides of the teacher, at more than 45 degrees."""
    tilt = draw(st.sampled_from([Fraction(11, 10), Fraction(2)])) * across(teacher)
    return {"data": labelled(teacher, _stacked([teacher + tilt, *data.inputs[1:-1], teacher - tilt]))}


def label_by_teacher(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """Labels sigma(<v, x_i>)."""
    return {"data": labelled(teacher, data.inputs)}


def relabel(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """One label larger by one, or of the other sign, or zero."""
    labels = data.labels.copy()
    i = draw(st.integers(0, len(labels) - 1))
    labels[i] = draw(st.sampled_from([labels[i] + 1, -labels[i] - 1]))
    return {"data": Dataset(data.inputs, labels)}


def keep_as_many_as_dimensions(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """A basis of the inputs (spanning inputs are repaired first)."""
    basis = reduced(data.inputs.T, len(data.labels))[1]
    return {"data": labelled(teacher, data.inputs[basis])}


def append_sum(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """The sum of all inputs as a further one; it is in the cone too."""
    return {"data": labelled(teacher, _stacked([*data.inputs, data.inputs.sum(axis=0)]))}


def span_space(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """Dependent inputs replaced, and new ones appended, until the inputs span the space."""
    rows = list(data.inputs)
    d = len(teacher)
    axes = [np.array([Fraction(int(i == k)) for i in range(d)], dtype=object) for k in range(d)]
    fresh = [towards(teacher, axis, Fraction(1)) for axis in axes] + [teacher]
    turns = patience()
    while rank(_stacked(rows)) < d:
        next(turns)
        basis = reduced(_stacked(rows).T, len(rows))[1]
        spare = [i for i in range(len(rows)) if i not in basis]
        kept = [row for i, row in enumerate(rows) if i != spare[-1]] if spare else rows
        rows = next([*kept, x] for x in fresh if rank(_stacked([*kept, x])) > len(basis))
    return {"data": labelled(teacher, _stacked(rows))}


def flatten(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """At most d - 1 of the inputs, and sums of them, which are in the cone as well: they span a hyperplane or less."""
    basis = reduced(data.inputs.T, len(data.labels))[1][: len(teacher) - 1]
    rows = [data.inputs[i] for i in basis]
    if len(rows) > 1 and draw(st.booleans()):
        rows.append(rows[0] + rows[1])
    return {"data": labelled(teacher, _stacked(rows))}


def repeated_directions(inputs: Array) -> int:
    """How many inputs have the direction of an earlier one."""
    rows = list(inputs)
    return sum(any(_parallel(x, y) for y in rows[:i]) for i, x in enumerate(rows))


def _parallel(x: Array, y: Array) -> bool:
    return bool(x @ y > 0 and (x @ y) ** 2 == (x @ x) * (y @ y))


def krylov(inputs: Array, v: Array) -> Array:
    """v, Hv, ..., H^{d-1} v as rows, with n H = X X^T: independent iff H has distinct eigenvalues and v a part along
    every eigenvector.
    """
    rows = [v]
    for _ in range(len(v) - 1):
        rows.append(inputs.T @ (inputs @ rows[-1]))
    return np.array([list(row) for row in rows], dtype=v.dtype)


def separate_directions(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """No two inputs of one direction; the rank does not fall."""
    full = rank(data.inputs)
    return {
        "data": labelled(
            teacher, _mended(teacher, data.inputs, lambda x: repeated_directions(x) + max(0, full - rank(x)))
        )
    }


def repeat_direction(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """One more input, in the direction of the first."""
    factor = draw(st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 2)]))
    return {"data": labelled(teacher, _stacked([*data.inputs, factor * data.inputs[0]]))}


def mix_spectrum(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """Distinct eigenvalues of X X^T, and a teacher that has a part along every eigenvector."""

    def defect(x: Array) -> int:
        return (
            len(teacher) - rank(krylov(x, teacher)) + max(0, full - rank(x)) + max(0, repeated_directions(x) - repeated)
        )

    full, repeated = rank(data.inputs), repeated_directions(data.inputs)
    return {"data": labelled(teacher, _mended(teacher, data.inputs, defect))}


def make_teacher_an_eigenvector(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """Every input with its mirror image at the line of the teacher, so that X X^T maps the teacher
    to a multiple of it.
    """
    images = [2 * (x @ teacher) / (teacher @ teacher) * teacher - x for x in data.inputs]
    images = [x for x in images if not any((x == y).all() for y in data.inputs)]
    return {"data": labelled(teacher, _stacked([*data.inputs, *images]))}


# The initial weights


def _with_rows(start: Balanced, rows: list[Array], signs: list[int]) -> dict[str, Balanced]:
    return {"start": Balanced(_stacked(rows), np.array(signs), start.log_scale, start.slope)}


def _signs(start: Balanced) -> list[int]:
    return [int(s) for s in start.signs]


def leave_hyperplanes(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """No z_j orthogonal to an input."""
    rows = [next((z for z in (row, *_moves(row)) if all(data.inputs @ z)), row) for row in start.shape]
    return _with_rows(start, rows, _signs(start))


def enter_hyperplane(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """One more neuron, orthogonal to an input (and of either sign)."""
    x = data.inputs[draw(st.integers(0, len(data.labels) - 1))]
    z = np.array([-x[1], x[0], *x[2:] * 0], dtype=object)
    z = z if any(z) else np.array([Fraction(int(k == 0)) for k in range(len(x))], dtype=object)
    z = z * draw(st.sampled_from([Fraction(1), Fraction(-1)]))
    return _with_rows(start, [*start.shape, z], [*_signs(start), draw(st.sampled_from([1, -1]))])


def activate_positive(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """Some neuron of positive sign that is active on some input: the first one, turned round if need be."""
    signs, rows = _signs(start), list(start.shape)
    if not any(s > 0 and is_active(z, data) for s, z in zip(signs, rows, strict=True)):
        signs[0] = 1
        if not is_active(rows[0], data):
            rows[0] = -rows[0] if is_active(-rows[0], data) else data.inputs.sum(axis=0)
    return _with_rows(start, rows, signs)


def deactivate_positive(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """Active neurons of positive sign get a negative one, or are turned until they are inactive."""
    gone = -data.inputs.sum(axis=0)
    flip = draw(st.booleans())
    rows, signs = [], []
    for z, s in zip(start.shape, _signs(start), strict=True):
        awake = s > 0 and is_active(z, data)
        rows.append(gone if awake and not flip else z)
        signs.append(-1 if awake and flip else s)
    return _with_rows(start, rows, signs)


def _acceptable(z: Array, s: int, data: Dataset, was_active: bool) -> bool:
    aligned = s < 0 and _parallel(z, gamma(data, np.ones(len(data.labels), dtype=int)))
    return bool(all(data.inputs @ z)) and not aligned and is_active(z, data) == was_active


def misalign_negative(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """No active neuron of negative sign along gamma."""
    signs = _signs(start)
    rows = [
        next((moved for moved in (z, *_moves(z)) if _acceptable(moved, s, data, is_active(z, data))), z)
        for z, s in zip(start.shape, signs, strict=True)
    ]
    return _with_rows(start, rows, signs)


def align_negative(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """One more neuron, of negative sign and along gamma."""
    along = gamma(data, np.ones(len(data.labels), dtype=int)) * draw(st.sampled_from([Fraction(1), Fraction(3)]))
    return _with_rows(start, [*start.shape, along], [*_signs(start), -1])


def stagger_crossings(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """No yardstick that meets two inputs at once."""
    signs = _signs(start)
    rows = []
    for z, s in zip(start.shape, signs, strict=True):
        awake = is_active(z, data)
        trials = (moved for moved in (z, *_moves(z)) if _acceptable(moved, s, data, awake))
        rows.append(z if not awake else next((t for t in trials if most_points_touched(t, s, data) <= 1), z))
    return _with_rows(start, rows, signs)


def tie_crossings(draw: DrawFn, teacher: Array, data: Dataset, start: Balanced) -> dict[str, Any]:
    """One more neuron whose yardstick meets two inputs at once: z = y - c gamma_I with y orthogonal to both.

    I are the inputs with <y, x> > 0, and c is so small that they are active at z too. In the plane the two have one
    direction.
    """
    if len(teacher) == 2 or len(data.labels) < 3 or rank(data.inputs) < 3:
        data = labelled(teacher, _stacked([*data.inputs, 2 * data.inputs[0]]))
    pair = [0, len(data.labels) - 1] if len(teacher) == 2 or rank(data.inputs) < 3 else [0, 1]
    y = _orthogonal(data.inputs[pair], data.inputs)
    signs = data.inputs @ y
    active = np.array([int(value > 0) for value in signs])
    push = gamma(data, active)
    c = min(value / (push @ x) for value, x in zip(signs, data.inputs, strict=True) if value > 0) / 2
    return {"data": data, **_with_rows(start, [*start.shape, y - c * push], [*_signs(start), 1])}


def _orthogonal(pair: Array, inputs: Array) -> Array:
    """A nonzero vector orthogonal to both rows, active on some input where one is."""
    d = pair.shape[1]
    rows, pivots = reduced(pair, d)
    free = [k for k in range(d) if k not in pivots]
    for k in free:
        y = np.array([Fraction(int(i == k)) for i in range(d)], dtype=object)
        for row, p in zip(rows, pivots, strict=False):
            y[p] = -row[k]
        if any(inputs @ y):
            return y if any(value > 0 for value in inputs @ y) else -y
    return y


# The scale


def shrink_scale(
    draw: DrawFn, teacher: Array, data: Dataset, start: Balanced, epsilon: Fraction
) -> dict[str, Balanced]:
    """ln lambda just below the bound of Assumption 2, or twice as far down."""
    bound = largest_log_scale(data, teacher, start.shape, start.signs, float(epsilon))
    factor = draw(st.sampled_from([1.001, 2.0]))
    log_scale = Fraction(math.floor(factor * bound)) if math.isfinite(bound) else start.log_scale
    return {"start": Balanced(start.shape, start.signs, log_scale, start.slope)}


def enlarge_scale(draw: DrawFn, start: Balanced) -> dict[str, Balanced]:
    """lambda between e^-5 and 1, above the bound whatever the data are."""
    log_scale = Fraction(draw(st.sampled_from([0, -1, -5])))
    return {"start": Balanced(start.shape, start.signs, log_scale, start.slope)}


# A teacher and a perturbation of it


@st.composite
def _perturbed(draw: DrawFn) -> dict[str, Array]:
    d = draw(st.integers(2, 3))
    v = draw(unit_vector(d)) * draw(st.sampled_from([Fraction(1), Fraction(3), Fraction(1, 2)]))
    shift = draw(array(d, limit=2)) if draw(st.booleans()) else _critical(v)
    return {"teacher": exact_array(v), "shift": exact_array(shift)}


def _critical(v: Array) -> Array:
    """The shift of length |v|/sqrt(2) that turns v by 45 degrees: half of w - v with w orthogonal to v and as long."""
    square = sum((entry * entry for entry in v), Fraction(0))
    size = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    return np.asarray((size * across(v / size) - v) / 2)


def perturbed_teacher() -> Cases:
    """A teacher of rational length and a shift, often in the direction that turns it most."""
    return Cases(_perturbed(), _is_perturbed)


def _is_perturbed(fields: Mapping[str, Any]) -> dict[str, bool]:
    teacher: Any = fields.get("teacher")
    shift: Any = fields.get("shift")
    fits = is_vector(teacher) and is_array(shift, 1) and np.shape(shift) == np.shape(teacher)
    return {"teacher": is_vector(teacher), "shift": fits}


def shorten_shift(draw: DrawFn, teacher: Array, shift: Array) -> dict[str, Array]:
    """The shift times the largest multiple of 1/2, 1/20 or 1/200 that makes it shorter than |v|/sqrt(2)."""
    step = draw(st.sampled_from([Fraction(1, 2), Fraction(1, 20), Fraction(1, 200)]))
    k = int(1 / step)
    while k and 2 * k * k * step * step * (shift @ shift) >= teacher @ teacher:
        k -= 1
    return {"shift": k * step * shift}


def lengthen_shift(draw: DrawFn, teacher: Array, shift: Array) -> dict[str, Array]:
    """The critical shift, or a longer one."""
    return {"shift": _critical(teacher) * draw(st.sampled_from([Fraction(1), Fraction(11, 10), Fraction(2)]))}


# Balanced networks in Cartesian coordinates


def is_relu(value: Any) -> bool:
    """Whether the value is a two-layer ReLU network."""
    return isinstance(value, TwoLayer) and value.slope == 0


def as_relu(net: TwoLayer) -> TwoLayer:
    """The same weights with slope 0."""
    return net.with_slope(Fraction(0))


@values(is_relu, as_relu)
def balanced_network(size: Size) -> SearchStrategy[TwoLayer]:
    """Neurons c u_j with rational unit vectors u_j and outer weights c or -c."""
    scales = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(2)])
    rows = st.lists(
        st.tuples(unit_vector(size.dimension), scales, st.sampled_from([1, -1])),
        min_size=size.width,
        max_size=size.width,
    )
    return rows.map(
        lambda drawn: TwoLayer(
            _stacked([c * u for u, c, _ in drawn]), np.array([c * s for _, c, s in drawn]), Fraction(0)
        )
    )


def rebalance(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Rows as long as their outer weights; a balanced network stays."""
    rows = [
        w if a and w @ w == a * a else (abs(a) or 1) * draw(unit_vector(len(w)))
        for w, a in zip(net.inner, net.outer, strict=True)
    ]
    return {"net": TwoLayer(_stacked(rows), np.array([a or Fraction(1) for a in net.outer], dtype=object), net.slope)}


def double_outer(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Outer weights twice as large."""
    return {"net": TwoLayer(net.inner, 2 * net.outer, net.slope)}
