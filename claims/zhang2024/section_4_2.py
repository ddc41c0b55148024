r"""Section 4.2: what does not carry over to deep networks, and the ranks that training leads to.

The two blocks of (40) rarely come at once: one half space is mostly learnt first.
"""

from fractions import Fraction

import numpy as np

from refute import Kind, Margin, all_of, at_least, at_most, differs, instead, moved, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.functions import leaky_relu
from refute.models import Dataset
from refute.models.zhang2024.fields import deep_factors
from refute.models.zhang2024.small_runs import SEEDS, Floats, cosine, ratios, train

ONE, HALF = Fraction(1), Fraction(1, 2)
FOUR = np.array([HALF, HALF, -HALF, -HALF], dtype=object)
ALIGNED = {
    "r1": FOUR,
    "r2": FOUR,
    "r": np.array([ONE], dtype=object),
    "data": Dataset(np.array([[1], [-1]]), np.array([2, -2])),
}

claims = section("zhang2024", "sec_4_2", "section 4.2")


def _velocities(r1: Array, r2: Array, r: Array, data: Dataset, slope: Number) -> tuple[Array, Array]:
    """That of W_2 at the weights (39), and the linear one up to a factor; sigma' is not evaluated at 0."""
    weights = [r1[:, None] * r[None, :], r2[:, None] * r1[None, :], r2[None, :]]
    above, below = deep_factors(weights, slope, data, slope)[1]
    error = data.labels - leaky_relu(below @ weights[1].T, slope) @ r2
    return (above * error[:, None]).T @ below, weights[1]


def _parallel(velocity: Array, linear: Array) -> Margin:
    """The 2 x 2 minors of both as vectors vanish."""
    a, b = velocity.reshape(-1), linear.reshape(-1)
    return differs(np.outer(a, b), np.outer(b, a), "velocity of W_2 against a multiple of r_2 r_1^T")


def _of_a_linear_network(r1: Array, r2: Array, r: Array, data: Dataset) -> Margin:
    return _parallel(*_velocities(r1, r2, r, data, r[0] * 0 + 1))


def _in_the_positive_block(r1: Array, r2: Array, r: Array, data: Dataset) -> Margin:
    velocity, linear = _velocities(r1, r2, r, data, r[0] * 0)
    return _parallel(velocity[:2, :2], linear[:2, :2])


@claims.claim("no_extension", "first sentence", kind=Kind.EXISTENCE, instances=[ALIGNED], recorded="proved")
@mutants(instead("a linear network", _of_a_linear_network), instead("only the positive block", _in_the_positive_block))
def the_equivalence_does_not_extend_to_three_layers(r1: Array, r2: Array, r: Array, data: Dataset) -> Margin:
    r"""Theorem 5 does not carry over: from aligned rank-one weights (39) on data of Condition 3 the ReLU velocity
    $\dot W_2$ is not a multiple of the linear one.

    At weights $aW$ the linear velocity of $W_2$ is a multiple of $r_2r_1^\top$ for every factor a, so no rescaling of
    weights and time helps; the ReLU velocity is zero where $r_2$ and $r_1$ have opposite signs.

    Convention: L = 3; weights (39) with unit r_l of equal halves and u = 1.
    """
    return _parallel(*_velocities(r1, r2, r, data, r[0] * 0))


trained = claims.but(
    kind=Kind.EXPERIMENT, instances=[{"depth": 3, "scale": 0.01}, {"depth": 4, "scale": 0.2}], recorded="supported"
)


@trained.claim("low_rank_first_last")
@mutants(moved("before training", part=2.0), scaled("5/4", "cosine"), scaled("1/10", "second singular value"))
def first_and_last_layers_look_alike(depth: int, scale: float, *, part: float = 1e-4) -> Margin:
    r"""First and last layers of linear and ReLU networks from the same small weights become rank one, with the same
    structure.

    Convention: 8 pairs in 3 dimensions, width 50, three seeds; L = 3 with gamma = 0.01, L = 4 with gamma = 0.2; rank
    one: second singular value below 0.2; same structure: cosine of the two networks' layers above 0.78.
    """
    pairs = [[train(depth, scale, seed, slope).when(part) for slope in (1.0, 0.0)] for seed in SEEDS]
    seconds = [ratios(weights[0])[1] for pair in pairs for weights in pair]
    cosines = [cosine(linear[k], relu[k]) for linear, relu in pairs for k in (0, -1)]
    return all_of(
        at_most(np.array(seconds), 0.2, "second singular value of W_1 over the first"),
        at_least(np.array(cosines), 0.78, "cosine of the two networks' layers, first and last by seed"),
    )


def _between(depth: int, scale: float, slope: float, part: float) -> list[Floats]:
    """The layers between the first and the last of all seeds."""
    return [matrix for seed in SEEDS for matrix in train(depth, scale, seed, slope).when(part)[1:-1]]


@trained.claim("low_rank_intermediate")
@mutants(moved("when a tenth of the loss is gone", part=0.9), scaled("1/20", "ReLU: third"), scaled(2, "ReLU: second"))
def intermediate_layers_have_rank_one_and_two(depth: int, scale: float, *, part: float = 1e-4) -> Margin:
    r"""Intermediate layers become rank one in linear networks, rank two and nearly non-negative in ReLU networks.

    At the end of training only: when a tenth of the loss is gone, most ReLU networks here have learnt one half space,
    with rank one.

    Convention: sizes as for the first and last layers; rank k: singular value k + 1 below 1/10, k above 1/2 of the
    first; negative entries: 2 % of the squares.
    """
    linear, relu = (_between(depth, scale, slope, part) for slope in (1.0, 0.0))
    values = np.array([ratios(matrix) for matrix in relu])
    negative = [(np.minimum(matrix, 0) ** 2).sum() / (matrix**2).sum() for matrix in relu]
    return all_of(
        at_most(np.array([ratios(matrix)[1] for matrix in linear]), 0.1, "linear: second singular value"),
        at_least(values[:, 1], 0.5, "ReLU: second singular value over the first"),
        at_most(values[:, 2], 0.1, "ReLU: third singular value over the first"),
        at_most(np.array(negative), 0.02, "part of negative entries"),
    )
