r"""Appendix B: what removing the bias means for max-margin solutions, and data that break Condition 3 a little."""

from fractions import Fraction

import numpy as np

from refute import Kind, Margin, all_of, at_least, changed, differs, equal, less, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.figure_2 import runs
from refute.functions import squared_norm
from refute.models import TwoLayer
from refute.models.zhang2024.six_points import SEEDS, Runs, train

appendix = section("zhang2024", "app_b", "appendix B")


def _stacked_solution(positive: Number, negative: Number) -> tuple[Number, Number]:
    """argmin w^2 + b^2 subject to positive w + b >= 1 and -(negative w + b) >= 1: the best feasible active set."""
    gap = positive - negative
    candidates = [
        (positive / (positive**2 + 1), 1 / (positive**2 + 1)),
        (-negative / (negative**2 + 1), -1 / (negative**2 + 1)),
        (2 / gap, -(positive + negative) / gap),
    ]
    feasible = [(w, b) for w, b in candidates if positive * w + b >= 1 and -(negative * w + b) >= 1]
    return min(feasible, key=lambda pair: pair[0] ** 2 + pair[1] ** 2)


@appendix.claim(
    "stacked_max_margin",
    '"Implication of Bias Removal"',
    kind=Kind.EXISTENCE,
    instances=[{"positive": Fraction(1), "negative": Fraction(-5)}],
    recorded="proved",
)
@mutants(
    changed("the other point at -2, where both agree", negative=lambda x: x + 3),
    changed("at -3, where both agree", negative=lambda x: x + 2),
)
def stacking_a_one_moves_the_max_margin_threshold(positive: Number, negative: Number) -> Margin:
    r"""The max-margin solution of inputs $[x,1]$ is not that of the inputs x: for x = 1 (label 1) and x = -5 (label -1)
    the stacked problem $\min w^2+b^2$ has $w=b=\tfrac12$ and threshold -1, the original one $\min w^2$ with b free has
    threshold -2.

    Convention: existential: some data have different solutions, others (1 and -2) do not; compared by the threshold
    -b/w.
    """
    w, b = _stacked_solution(positive, negative)
    return differs(-b / w, (positive + negative) / 2, "threshold of the stacked problem against the midpoint")


_FIVE_NEURONS = TwoLayer(
    np.array([[1, 0], [0, 1], [1, -2], [-1, 10], [-1, 5]]), np.array([4, -72, -1, 13, -12]), Fraction(0)
)


def _nearly_symmetric(displacement: Number) -> tuple[Array, Array]:
    """Inputs and labels of Figure 2."""
    corners = [[1, 1], [-1, -1], [1, -1], [-1, 1], [-1, 0], [1, displacement]]
    return np.array(corners, dtype=object) + displacement * 0, np.array([1, -1, 1, -1, 1, -1], dtype=object)


def _best_linear_map(inputs: Array, labels: Array) -> Array:
    """By the normal equations in the plane."""
    (a, b), (_, d) = inputs.T @ inputs
    first, second = labels @ inputs
    found: Array = np.array([d * first - b * second, a * second - b * first], dtype=object) / (a * d - b * b)
    return found


existence = appendix.but(kind=Kind.EXISTENCE, recorded="proved")
_FITTED = {"net": _FIVE_NEURONS, "displacement": Fraction(3, 20)}


@existence.claim("asymmetric_can_be_nonlinear", '"Perturbed Symmetric Dataset"', instances=[_FITTED])
@mutants(
    changed("the symmetric data", displacement=lambda d: d * 0), changed("3/19", displacement=lambda d: d * 20 / 19)
)
def asymmetric_data_have_a_nonlinear_solution(net: TwoLayer, displacement: Number) -> Margin:
    r"""When Condition 3 is violated, here by $(1,0.15)$ against $(-1,0)$, a two-layer bias-free ReLU network can reach
    zero loss where the best linear map has positive loss. Witness: five neurons with integer weights.

    Convention: the data of Figure 2; that training finds such a solution is zhang2024.figure_2.loss_to_zero.
    """
    inputs, labels = _nearly_symmetric(displacement)
    residual = labels - inputs @ _best_linear_map(inputs, labels)
    return all_of(
        equal(net(inputs), labels, "outputs against labels"),
        less(0, squared_norm(residual), "squared residual of the best linear map"),
    )


@appendix.claim(
    "nearly_symmetric_struggle",
    kind=Kind.EXPERIMENT,
    instances=[{"displacement": 0.15}],
    derived=[runs],
    recorded="supported",
)
@mutants(scaled(10, "length of the plateau"), changed("without displacement", runs=lambda runs: train(0.0)))
def nearly_symmetric_data_hold_the_network_up(runs: Runs) -> Margin:
    r"""On data that nearly satisfy Condition 3 the network struggles: it long stays with a nearly linear function.

    Convention: the runs of Figure 2: struggle means ten times as long on the plateau as on the way there.
    """
    ends = np.array([runs.plateau(seed) for seed in range(SEEDS)])
    leaves = np.mean(runs.loss[-1] < runs.linear_loss / 2)
    return all_of(
        at_least(ends[:, 1] - ends[:, 0], 10 * ends[:, 0], "length of the plateau against the time to reach it"),
        at_least(leaves, 0.5, "part of the seeds that leave it"),
    )
