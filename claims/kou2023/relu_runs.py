r"""How ReLU networks are trained for the claims of appendices E to G, and the quantities that these claims share.

On orthogonal data every pattern freezes and trajectories are followed to $t=10^{20}$ or to the horizons of limits. With
overlaps a neuron may slide along an activation boundary for ever; those runs are stepped directly to $t=10^5$.
Statements are read on the events of Lemmas A.1 and A.2.
"""

import numpy as np

from refute import changed, derived
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import RELU_ORTHOGONAL, with_no_signal_at_zero
from refute.functions import absolute, largest, sign
from refute.language.limits import HORIZONS
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.active import Active
from refute.models.kou2023.decomposition import (
    Decomposition,
    first_step_after,
    last_step_before,
    stage_length,
    unroll,
    unroll_long,
)
from refute.models.kou2023.orthogonality import largest_overlap
from refute.strategies.kou2023.nearly_orthogonal import relu_training

STAGE = 2  # C in T_1 = C nm/(eta R_max^2)
DIRECT = 100_000
GIVEN = relu_training(constants=(100,))
MIXED = relu_training(samples=(2, 3), constants=(100,))  # both labels may occur
VARIED = relu_training(samples=(1, 5), widths=(2, 4, 5, 10), extra=3, constants=(10, 100, 1000))
FREEZING = relu_training(samples=(1, 4), constants=(100,), families=("orthogonal", "class"))
GENERIC = with_no_signal_at_zero(RELU_ORTHOGONAL)

EVERY = changed("for every neuron of the class", active=Active.of_every_neuron)
OTHERS = changed("of the other class", active=Active.of_the_other_class)
WITHOUT_BETA = changed("without beta", beta=lambda beta: 0 * beta)
HALF_BETA = changed("with half of beta", beta=lambda beta: beta / 2)


def settled(data: Dataset, net: TwoLayer, rate: Number, first: float = 1.0, count: int = 30) -> Decomposition:
    """From `first` to 10^20 on orthogonal data, to 10^5 step by step on others.

    For rates so small that nm/(eta R_max^2) exceeds 1000, the times on others are multiplied by a thousandth of it.
    """
    if sign(largest_overlap(data.inputs)) == 0:
        return unroll_long(net, data, rate=rate, times=np.geomspace(first, 1e20, count))
    unit = max(1.0, stage_length(net, data, rate) / 1000)
    return unroll_long(net, data, rate=rate, times=np.geomspace(1, unit * DIRECT, count), freeze=int(unit * DIRECT))


@derived
def course(data: Dataset, net: TwoLayer, rate: Number) -> Decomposition:
    """The training, from the first step on."""
    return settled(data, net, rate)


@derived
def active(course: Decomposition) -> Active:
    """Its neurons that start active."""
    return Active(course)


@derived
def late(data: Dataset, net: TwoLayer, rate: Number) -> Decomposition:
    """The training at the horizons at which limits are judged, as far as they are reached."""
    return unroll_long(net, data, rate=rate, times=HORIZONS)


@derived
def early(data: Dataset, net: TwoLayer, rate: Number) -> Decomposition:
    """The first hundred steps, one by one."""
    return unroll(net, data, rate=rate, steps=100)


@derived
def stage(data: Dataset, net: TwoLayer, rate: Number) -> Active:
    """All steps up to T_1 = 2nm/(eta R_max^2), one by one."""
    steps = last_step_before(stage_length(net, data, rate, STAGE))
    return Active(unroll(net, data, rate=rate, steps=steps))


@derived
def after(data: Dataset, net: TwoLayer, rate: Number) -> Decomposition:
    """Orthogonal data: the training from the end T of the first stage to 10^20."""
    first = first_step_after(stage_length(net, data, rate, STAGE))
    return unroll_long(net, data, rate=rate, times=np.geomspace(first, 1e20, 20))


@derived
def signals(data: Dataset, net: TwoLayer) -> Array:
    """<w_{j,r}(0), x_i>: (1, j, r, i)."""
    return np.asarray((net.inner @ data.inputs.T).reshape(1, 2, net.width // 2, -1))


@derived
def beta(signals: Array) -> Number:
    """The largest |<w_{j,r}(0), x_i>|."""
    return largest(absolute(signals))


RUN = [signals, beta, course, active]
