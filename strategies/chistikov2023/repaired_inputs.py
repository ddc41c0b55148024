"""Teachers and inputs that meet a condition on the training data, or break it."""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array, exact_array
from refute.models.chistikov2023.degeneracy import krylov, repeated_directions
from refute.models.dataset import Dataset
from refute.models.geometry.elimination import rank, reduced
from refute.strategies.chistikov2023.cone import across, labelled, mended, stacked, towards
from refute.strategies.directions import unit_vector
from refute.strategies.retry import patience

STEPS = [
    Fraction(1),
    Fraction(1, 4),
    Fraction(1, 40),
]  # of the way into the cone: a fine one ends close to its boundary


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
    return {"data": labelled(teacher, stacked([towards(teacher, x, step) for x in data.inputs]))}


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
    return {"data": labelled(teacher, stacked(rows))}


def make_acute(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """Inputs on the side of the teacher: turned round, or moved off the boundary by a quarter or a fortieth of the
    teacher.
    """
    step = draw(st.sampled_from([Fraction(1, 4), Fraction(1, 40)]))
    sides = [teacher @ x for x in data.inputs]
    rows = [
        x if side > 0 else -x if side < 0 else x + step * teacher for x, side in zip(data.inputs, sides, strict=True)
    ]
    return {"data": labelled(teacher, stacked(rows))}


def make_obtuse(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """The last input at an angle between 90 and 180 degrees; its label is zero."""
    tilt = draw(st.sampled_from([Fraction(1), Fraction(3), Fraction(1, 3)]))
    rows = [*make_acute(draw, teacher, data)["data"].inputs[:-1], tilt * across(teacher) - teacher]
    return {"data": labelled(teacher, stacked(rows))}


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
        "data": labelled(teacher, stacked([r * (teacher + tilt * side) for r, tilt in zip(sizes, tilts, strict=True)]))
    }


def make_a_pair_obtuse(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """The first and the last input on both sides of the teacher, at more than 45 degrees."""
    tilt = draw(st.sampled_from([Fraction(11, 10), Fraction(2)])) * across(teacher)
    return {"data": labelled(teacher, stacked([teacher + tilt, *data.inputs[1:-1], teacher - tilt]))}


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
    return {"data": labelled(teacher, stacked([*data.inputs, data.inputs.sum(axis=0)]))}


def span_space(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """Dependent inputs replaced, and new ones appended, until the inputs span the space."""
    rows = list(data.inputs)
    d = len(teacher)
    axes = [np.array([Fraction(int(i == k)) for i in range(d)], dtype=object) for k in range(d)]
    fresh = [towards(teacher, axis, Fraction(1)) for axis in axes] + [teacher]
    turns = patience()
    while rank(stacked(rows)) < d:
        next(turns)
        basis = reduced(stacked(rows).T, len(rows))[1]
        spare = [i for i in range(len(rows)) if i not in basis]
        kept = [row for i, row in enumerate(rows) if i != spare[-1]] if spare else rows
        rows = next([*kept, x] for x in fresh if rank(stacked([*kept, x])) > len(basis))
    return {"data": labelled(teacher, stacked(rows))}


def flatten(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """At most d - 1 of the inputs, and sums of them, which are in the cone as well: they span a hyperplane or less."""
    basis = reduced(data.inputs.T, len(data.labels))[1][: len(teacher) - 1]
    rows = [data.inputs[i] for i in basis]
    if len(rows) > 1 and draw(st.booleans()):
        rows.append(rows[0] + rows[1])
    return {"data": labelled(teacher, stacked(rows))}


def separate_directions(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """No two inputs of one direction; the rank does not fall."""
    full = rank(data.inputs)
    return {
        "data": labelled(
            teacher, mended(teacher, data.inputs, lambda x: repeated_directions(x) + max(0, full - rank(x)))
        )
    }


def repeat_direction(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """One more input, in the direction of the first."""
    factor = draw(st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 2)]))
    return {"data": labelled(teacher, stacked([*data.inputs, factor * data.inputs[0]]))}


def mix_spectrum(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """Distinct eigenvalues of X X^T, and a teacher that has a part along every eigenvector."""

    def defect(x: Array) -> int:
        return (
            len(teacher) - rank(krylov(x, teacher)) + max(0, full - rank(x)) + max(0, repeated_directions(x) - repeated)
        )

    full, repeated = rank(data.inputs), repeated_directions(data.inputs)
    return {"data": labelled(teacher, mended(teacher, data.inputs, defect))}


def make_teacher_an_eigenvector(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """Every input with its mirror image at the line of the teacher, so that X X^T maps the teacher
    to a multiple of it.
    """
    images = [2 * (x @ teacher) / (teacher @ teacher) * teacher - x for x in data.inputs]
    images = [x for x in images if not any((x == y).all() for y in data.inputs)]
    return {"data": labelled(teacher, stacked([*data.inputs, *images]))}
