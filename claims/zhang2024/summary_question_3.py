r"""The digest, open question 3: do small random networks turn to the max-margin map as well?"""

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_most, changed, derived, mutants, scaled, section
from refute.models import Dataset
from refute.models.descent.single import Descent
from refute.models.loss import LOGISTIC
from refute.models.reference.max_margin import max_margin
from refute.models.zhang2024.small_two_layer import angles_to, even_over_odd, train_all

Floats = NDArray[np.float64]

SEPARABLE = Dataset(np.array([[1, 1], [-1, -1], [4, -1], [-4, 1]]), np.array([1, -1, 1, -1]))
LEAST_SQUARES = np.linalg.lstsq(SEPARABLE.inputs.astype(float), SEPARABLE.labels.astype(float), rcond=None)[0]


@derived
def runs(data: Dataset) -> list[Descent]:
    """ReLU networks without Assumption 4, by seed."""
    return train_all(data, 0.0, LOGISTIC, steps=20_000)


@derived
def target(data: Dataset) -> Floats:
    """The max-margin map."""
    return np.asarray(max_margin(data).weights, dtype=float)


question = section(
    "zhang2024", "summary", "digest, open question 3", kind=Kind.EXPERIMENT, derived=[runs, target], printed=False
)


@question.claim("open_question_3_max_margin", instances=[{"data": SEPARABLE}], recorded="supported")
@mutants(
    changed("the least-squares direction", target=lambda target: LEAST_SQUARES),
    scaled("1/4", "angle").called("the angle falls to a quarter in each decade"),
    scaled("1/1000", "even part"),
)
def small_random_networks_turn_to_the_max_margin_map(data: Dataset, runs: list[Descent], target: Floats) -> Margin:
    r"""On separable data of Condition 3 with logistic loss, networks from small random weights (without Assumption 4)
    turn to the max-margin linear map, and their even part stays small.

    Hunted on one dataset; no run went elsewhere. The direction converges like $1/\ln t$ and is still 0.24 away at the
    end, so this says that the angle falls, not that it vanishes.

    Convention: loss ln(1+e^{-yf}), width 40, gamma = 1e-3, step 0.1, three seeds; read: the angle falls by a tenth
    per decade of steps.
    """
    angles = np.array([angles_to(run, target) for run in runs])
    even = np.array([even_over_odd(run, data) for run in runs])
    return all_of(
        at_most(angles[:, [10, 100]], 0.9 * angles[:, [1, 10]], "angle after 2000 and 20000 steps, a decade before"),
        at_most(even, 0.01, "even part over odd part on the data, by seed"),
    )
