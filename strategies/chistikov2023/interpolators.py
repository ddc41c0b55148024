"""Networks that fit data labelled by a teacher exactly, as many points as dimensions, and repairs of the sign of M
(chistikov2023).
"""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import EXACT, Array, exact_array
from refute.language.cases import values
from refute.models.chistikov2023.exchange import (
    Exchange,
    best_exchange,
    cheaper_interpolator,
    exchanged,
    largest_share,
    network,
)
from refute.models.chistikov2023.measure_m import sign_of_m
from refute.models.dataset import Dataset
from refute.models.geometry.elimination import inverse, rank
from refute.models.network import TwoLayer
from refute.strategies.chistikov2023.balanced_networks import as_relu, is_relu
from refute.strategies.chistikov2023.cone import across, in_cone, labelled
from refute.strategies.chistikov2023.correlated import correlated
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import is_array, labelled_rows
from refute.strategies.retry import patience
from refute.strategies.sizes import Size, drawn

# In coordinates where the teacher is e_1; all angles below 45 degrees and M > 0.
POSITIVE = [
    [[2, -1, 0], [2, 1, 1], [3, 0, 1]],
    [[2, 1, 1], [3, 1, -1], [3, 1, 0]],
    [[4, -3, -2], [4, 1, 3], [3, -1, 0]],
]
ZERO = [[2, 1, 0], [3, -2, -2], [4, 1, -1]]  # V = 1, so M = 0
_Z = [
    [[1, 0, 0], [2, -1, -1], [2, -1, 0]],
    [[4, 3, 0], [4, -2, 3], [4, -1, -3]],
]  # M < 0 since the inverse Gram matrix is a Z-matrix
SCALES = st.sampled_from([Fraction(1), Fraction(1), Fraction(2), Fraction(1, 3)])
MOST_ADDED = 12


def _sign(inputs: Array, teacher: Array) -> int:
    return sign_of_m(EXACT.array(inputs), EXACT.array(teacher))


def reflection(v: Array) -> Array:
    """The rational reflection that maps e_1 to the unit vector v."""
    identity = np.array([[Fraction(int(i == k)) for i in range(len(v))] for k in range(len(v))], dtype=object)
    mirror = identity[0] - v
    return np.asarray(identity - 2 * np.outer(mirror, mirror) / (mirror @ mirror) if any(mirror) else identity)


def _turned(example: list[list[int]], teacher: Array) -> Array:
    """The three points with the teacher in place of e_1; in higher dimensions with 2 e_1 + e_k for every further axis
    k.
    """
    d = len(teacher)
    rows = [[*row, *[0] * (d - 3)] for row in example] + [
        [2 * int(i == 0) + int(i == k) for i in range(d)] for k in range(3, d)
    ]
    return exact_array(np.array(rows, dtype=object)) @ reflection(teacher)


def make_m_positive(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """The data if M > 0, else an example turned to the teacher, its points rescaled and one entry
    moved; needs d >= 3.
    """
    d = len(teacher)
    if d < 3 or (rank(data.inputs) == d == len(data.labels) and _sign(data.inputs, teacher) > 0):
        return {"data": data}
    points = _turned(draw(st.sampled_from(POSITIVE)), teacher)
    moved = points.copy()
    entry = draw(st.integers(0, d - 1)), draw(st.integers(0, d - 1))
    moved[entry] += draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(-1, 2), Fraction(1, 8)]))
    good = rank(moved) == d and all(in_cone(teacher, x) for x in moved) and _sign(moved, teacher) > 0
    scales = np.array([draw(SCALES) for _ in range(d)], dtype=object)
    return {"data": labelled(teacher, exact_array((moved if good else points) * scales[:, None]))}


def make_m_zero(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """An example with M = 0, turned to the teacher, its points rescaled; needs d >= 3."""
    if len(teacher) < 3:
        return {"data": data}
    scales = np.array([draw(SCALES) for _ in range(len(teacher))], dtype=object)
    return {"data": labelled(teacher, exact_array(_turned(ZERO, teacher) * scales[:, None]))}


def make_m_negative(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """The data if M < 0, else with the teacher added to every point until it is, or an example: M may be positive
    however near they are.
    """
    inputs = data.inputs
    if len(data.labels) != len(teacher):
        return {"data": data}
    for _ in range(MOST_ADDED):
        if rank(inputs) == len(teacher) and _sign(inputs, teacher) < 0:
            return {"data": labelled(teacher, inputs)}
        inputs = inputs + teacher[None, :]
    return {"data": labelled(teacher, _turned(_Z[0], teacher) if len(teacher) >= 3 else inputs)}


def make_m_nonzero(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """M > 0 or M < 0, as drawn; always M < 0 in the plane. Data with M < 0 stay as they are where they may."""
    if len(teacher) >= 3 and draw(st.integers(0, 2)) == 2:
        return make_m_positive(draw, teacher, data)
    inputs = data.inputs
    fine = rank(inputs) == len(teacher) == len(data.labels) and _sign(inputs, teacher) != 0
    return {"data": data} if fine else make_m_negative(draw, teacher, data)


# Networks of loss zero


@values(is_relu, as_relu)
def relu_network(size: Size) -> SearchStrategy[TwoLayer]:
    """A ReLU network with weights from the grid."""
    return st.builds(
        lambda rows: TwoLayer(rows[0], rows[1], Fraction(0)), labelled_rows(size.width, size.dimension, limit=2)
    )


def _are_shares(value: Any) -> bool:
    return is_array(value, 1) and all(entry >= 0 for entry in value) and value @ value == 1


@values(_are_shares)
def shares(size: Size) -> SearchStrategy[Array]:
    """Outer weights of a network of Theta_{v*}: not negative, squares add up to one."""
    return unit_vector(size.width).map(lambda drawn: exact_array(np.array([abs(c) for c in drawn], dtype=object)))


NETWORKS = correlated(dimension=(2, 3), samples=(2, 3), width=drawn(2, 3), net=relu_network, shares=shares)

_SPLITS = ["3/5 4/5", "2/3 2/3 1/3", "1 0", "5/13 12/13 0", "0 1 0"]


def theta_member(draw: DrawFn, teacher: Array) -> TwoLayer:
    """Two or three neurons c_j v with outer weights c_j >= 0 and sum c_j^2 = 1."""
    shares = np.array([Fraction(c) for c in draw(st.sampled_from(_SPLITS)).split()], dtype=object)
    return TwoLayer(shares[:, None] * teacher[None, :], shares, Fraction(0))


def _nearly_split(draw: DrawFn, teacher: Array) -> TwoLayer:
    """v/2 + t e and v/2 - t e with e orthogonal to the teacher v: both are active on every point within 45 degrees."""
    aside = draw(st.sampled_from([Fraction(1, 1000), Fraction(1, 50), Fraction(1, 8)])) * across(teacher)
    return network([teacher / 2 + aside, teacher / 2 - aside], [1, 1], 4096)


def _drawn_exchange(draw: DrawFn, chi: Array, teacher: Array) -> Exchange:
    """Random p and q in cones of disjoint generators; most often one of each."""
    kinds = [draw(st.sampled_from([1, -1, 0])) for _ in chi]
    kinds[0], kinds[-1] = (1, -1) if draw(st.booleans()) else (-1, 1)
    sizes = np.array([draw(st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 2)])) for _ in chi], dtype=object)
    p = (sizes * [int(k > 0) for k in kinds]) @ chi
    q = (sizes * [int(k < 0) for k in kinds]) @ chi
    return Exchange(p, q, 1 if teacher @ p > 0 else -1, Fraction(0))


def _two_neurons(draw: DrawFn, teacher: Array, data: Dataset) -> TwoLayer:
    best = best_exchange(data.inputs, teacher) if draw(st.booleans()) else None
    if best is not None:
        cheaper = cheaper_interpolator(data.inputs, teacher)
        if cheaper is not None:
            return cheaper
    exchange = _drawn_exchange(draw, inverse(data.inputs).T, teacher)
    share = largest_share(data.inputs, teacher, exchange) * draw(
        st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 20)])
    )
    return network(exchanged(teacher, exchange, share), [1, exchange.sense], 64)


def two_sided(data: Dataset, positive: list[bool], ratio: Fraction) -> TwoLayer:
    """A network of rank one: sigma(<w, x>) + t sigma(<-w, x>) with <w, x_i> = y_i on some points and -y_i/t on the
    others; t = `ratio`.
    """
    values = np.array([y if side else -y / ratio for y, side in zip(data.labels, positive, strict=True)], dtype=object)
    w = inverse(data.inputs) @ values
    return network([w, -ratio * w], [1, 1], 64)


def _corrected(net: TwoLayer, data: Dataset) -> TwoLayer:
    """The network with one more neuron per point, active on that point alone, that takes up its residual."""
    chi = inverse(data.inputs).T
    residual = data.labels - TwoLayer(net.inner, net.outer, Fraction(0))(data.inputs)
    return TwoLayer(np.vstack([net.inner, chi]), np.concatenate([net.outer, residual]), Fraction(0))


def interpolate(draw: DrawFn, teacher: Array, data: Dataset, net: TwoLayer) -> dict[str, Any]:
    """A network of loss zero: the teacher split up, or nearly so, a cheap exchange, a two-sided one of rank one, or the
    drawn one and a correction.
    """
    kind = draw(st.sampled_from(["member", "near", "exchange", "exchange", "two-sided", "corrected"]))
    if kind == "member":
        return {"net": theta_member(draw, teacher)}
    if kind == "near" and all(in_cone(teacher, x) for x in data.inputs):
        return {"net": _nearly_split(draw, teacher)}
    if kind == "exchange":
        return {"net": _two_neurons(draw, teacher, data)}
    if kind == "two-sided":
        sides = [i == 0 or draw(st.booleans()) for i in range(len(data.labels) - 1)] + [False]
        return {"net": two_sided(data, sides, draw(st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3)])))}
    return {"net": _corrected(net, data)}


def make_m_positive_and_fit(draw: DrawFn, teacher: Array, data: Dataset, net: TwoLayer) -> dict[str, Any]:
    """M > 0, and the network that is then cheaper than the teacher."""
    changed = make_m_positive(draw, teacher, data)["data"]
    return {
        "data": changed,
        "net": (cheaper_interpolator(changed.inputs, teacher) or net) if len(teacher) >= 3 else net,
    }


def miss_a_label(draw: DrawFn, data: Dataset, net: TwoLayer) -> dict[str, TwoLayer]:
    """All outer weights halved, so that every output is half a positive label."""
    return {"net": TwoLayer(net.inner, net.outer / 2, net.slope)}


# Rank one


def split_teacher(draw: DrawFn, teacher: Array) -> dict[str, TwoLayer]:
    """The teacher split up into neurons in its direction, with labels as they are."""
    return {"net": theta_member(draw, teacher)}


# (w in the plane of the teacher e_1 and e_2, r): both hyperplanes <v - w, x> = 0 and <v + r^2 w, x> = 0 are close to
# the teacher.
_LINES = [("3/5", "4/5", 3), ("3/5", "-4/5", 3), ("5/13", "12/13", 4), ("3/5", "4/5", 4)]


def balance_on_both_sides(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Any]:
    """sigma(<w, x>) + r^2 sigma(-<w, x>) with a unit vector w, and inputs on which it has the labels of the teacher."""
    first, second, r = draw(st.sampled_from(_LINES))
    mirror = reflection(teacher)
    w = Fraction(first) * mirror[0] + Fraction(second) * mirror[1]
    rows = []
    for i, x in enumerate(data.inputs):
        normal = teacher - w if i == 0 or (i > 1 and draw(st.booleans())) else teacher + r * r * w
        rows.append(_within(teacher, x, normal))
    outer = np.array([Fraction(1), Fraction(r)], dtype=object)
    return {
        "data": labelled(teacher, np.array([list(x) for x in rows], dtype=object)),
        "net": TwoLayer(_pair(w, r), outer, Fraction(0)),
    }


def _pair(w: Array, r: int) -> Array:
    return exact_array(np.array([list(w), list(-r * w)], dtype=object))


def _within(v: Array, x: Array, normal: Array) -> Array:
    """The part of x in a hyperplane, plus the least integer multiple of the part of v there that leads into the cone
    around v.
    """
    flat, along = (vector - (vector @ normal) / (normal @ normal) * normal for vector in (x, v))
    k = 0
    turns = patience()
    while not in_cone(v, flat + k * along):
        next(turns)
        k += 1
    return np.asarray(flat + k * along)


def balance_on_a_line(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Any]:
    """The teacher split up, or a network on both sides of a line with data that it fits."""
    return split_teacher(draw, teacher) if draw(st.booleans()) else balance_on_both_sides(draw, teacher, data)


def unbalance(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """The same function with inner weights twice as long."""
    return {"net": TwoLayer(2 * net.inner, net.outer / 2, net.slope)}


# Gram matrices


def _is_z_matrix(inputs: Array) -> bool:
    chi = inverse(inputs)
    gram = chi.T @ chi
    return all(gram[i, k] <= 0 for i in range(len(gram)) for k in range(i))


def make_z_matrix(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """The data if the inverse of their Gram matrix is a Z-matrix, else an example turned to the teacher; data in the
    plane always are.
    """
    if len(teacher) != len(data.labels) or len(teacher) < 3 or _is_z_matrix(data.inputs):
        return {"data": data}
    return {"data": labelled(teacher, _turned(draw(st.sampled_from(_Z)), teacher))}


def break_z_matrix(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """An example with M > 0, at times a hundred times as long."""
    if len(teacher) < 3:
        return {"data": data}
    points = _turned(draw(st.sampled_from(POSITIVE)), teacher)
    return {"data": labelled(teacher, draw(st.sampled_from([1, 100])) * points)}


def make_orthogonal(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Any]:
    """Orthogonal points c_k u_k with a rational orthonormal frame u_k, and a teacher that has a positive part along
    each.
    """
    d = len(teacher)
    frame = reflection(draw(unit_vector(d)))
    parts = draw(unit_vector(d).filter(all))
    scales = np.array([draw(SCALES) for _ in range(d)], dtype=object)
    v = np.array([abs(c) for c in parts], dtype=object) @ frame
    return {"teacher": exact_array(v), "data": labelled(v, exact_array(scales[:, None] * frame))}


def tilt_towards_each_other(draw: DrawFn, teacher: Array, data: Dataset) -> dict[str, Dataset]:
    """As many points as dimensions with M > 0: an example in space; in the plane v + 2w and v - 2w with w orthogonal to
    v.
    """
    if len(teacher) >= 3:
        return {"data": labelled(teacher, _turned(draw(st.sampled_from(POSITIVE)), teacher))}
    mirror = reflection(teacher)
    return {
        "data": labelled(
            teacher, exact_array(np.array([list(teacher + 2 * mirror[1]), list(teacher - 2 * mirror[1])], dtype=object))
        )
    }
