"""Remark 7: a random start avoids the points from which two solutions leave."""

import numpy as np
from numpy.typing import NDArray

from refute import Fault, Kind, Margin, assumption, changed, derived, equal, less, section, without
from refute.decide.probability import with_probability
from refute.functions import squared_norm
from refute.models import Dataset
from refute.strategies import sized
from refute.strategies.min2024 import data_repairs as repair
from refute.strategies.min2024.separated import separated_dataset

Floats = NDArray[np.float64]
PAIR = sized(data=separated_dataset, samples=(2, 2), dimension=(1, 3))


@assumption("data.opposite_labels", base=PAIR, satisfy=repair.give_opposite_labels, violate=repair.give_equal_labels)
def opposite_labels(data: Dataset) -> Margin:
    """one datum is positive and one negative"""
    return equal(data.labels.sum(), 0, "sum of the labels")


@assumption("data.no_two_parallel", base=PAIR, satisfy=repair.make_not_parallel, violate=repair.make_antipodal)
def not_antipodal(data: Dataset) -> Margin:
    """the two data are not parallel"""
    x, z = data.inputs[0], data.inputs[1]
    return less((x @ z) * (x @ z), squared_norm(x) * squared_norm(z), "<x_1, x_2>^2 against |x_1|^2 |x_2|^2")


@derived
def rounding() -> float:
    """What counts as a right angle in float64."""
    return 1e-12


def branches(data: Dataset, w: Floats, near: float) -> NDArray[np.bool_]:
    """Positive neurons of vanishing size that lose the negative datum where they are not yet strictly inactive on the
    positive one.

    A neuron that sees only the negative datum turns away from it, in the plane of both, until it is orthogonal to it;
    it is dead there if it has not met the positive datum, and may go on at once if it is orthogonal to that as well.
    """
    units = data.inputs / np.linalg.norm(data.inputs, axis=1)[:, None]
    own, other = units[np.argsort(-data.labels)]
    landing = w - (w @ other)[:, None] * other
    height = landing @ own / np.linalg.norm(landing, axis=1)
    return np.asarray((w @ other > 0) & (w @ own <= 0) & (np.abs(height) <= near))


remark = section(
    "min2024", "remark_7.irregular_rare", "Remark 7", kind=Kind.PROBABILISTIC, given=PAIR, derived=[rounding]
)


@remark.claim(
    assumes=[opposite_labels], derived=[rounding], recorded="refuted", fault=Fault.MISSING_HYPOTHESIS, cost=0.2
)
def random_starts_have_one_solution(data: Dataset, rounding: float, *, rng: np.random.Generator, trials: int) -> Margin:
    r"""A random start meets no point of $S_{dead}$ from which another solution leaves, with probability one.

    Fails for antipodal data: $S_{dead}$ is then orthogonal to both, and every neuron that starts in $S_-$, half of
    them, lands there and may either stay or go on into $S_+$.

    Convention: one positive and one negative datum, Gaussian positive neurons of vanishing size; 99/100 in place of 1,
    which sampling cannot show.
    """

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        return ~branches(data, rng.standard_normal((count, data.inputs.shape[1])), rounding)

    return with_probability(0.99, trial, rng, trials, "no branching point is met")


random_starts_have_one_solution.amended(
    "Amended: the two data are not antipodal. A landing point orthogonal to one is then almost never orthogonal to the "
    "other.",
    assumes=[opposite_labels, not_antipodal],
    recorded="supported",
    mutants=[without(not_antipodal), changed("nor a neighbourhood of such a point", rounding=lambda _: 0.5)],
)
