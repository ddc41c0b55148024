r"""The remarks "Final convergence and low-rank bias" after Theorem 1: what happens from $t_1$ on."""

import numpy as np

from refute import Kind, Margin, bounded_by, changed, derived, equal, exponent, flipped, less, mutants, power, suppose
from refute.claims.min2024.fits import REACHED, SEEN_FITS, blocks, fit, fitting, late
from refute.claims.min2024.runs import arrival, constants, earlier
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory
from refute.models.min2024.fitting import Fit, Indices, members, signed_outputs

remark = fitting.but("Final convergence and low-rank bias")
Blocks = dict[int, Indices]


def together(blocks: Blocks) -> Blocks:
    """All neurons that are in a cone, for both classes."""
    return dict.fromkeys(blocks, np.concatenate(list(blocks.values())))


def exchanged(blocks: Blocks) -> Blocks:
    """The neurons of the other class."""
    return {-label: chosen for label, chosen in blocks.items()}


@remark.claim("remark.linear_subnetworks", derived=[fit, blocks])
@mutants(
    changed("one linear network for both classes", blocks=together),
    changed("each class is fitted by the other neurons", blocks=exchanged),
)
def each_class_is_fitted_by_a_linear_network(fit: Fit, blocks: Blocks) -> Margin:
    r"""After $t_1$ the output on a datum is $\sum_jv_j\langle w_j,x_i\rangle$ over the neurons in the cone of its
    class: linear, and the others do not act on it.
    """
    return equal(fit.outputs, fit.linear(blocks), "f(x_i) against the linear network of its class")


@derived
def reached(arrival: LogPolarTrajectory, data: Dataset) -> bool:
    """Whether S_+ and S_- contain a neuron at t_1, and both classes a datum."""
    neurons = (members(arrival.sides > 0, arrival.signs, data.labels, label).size for label in (1, -1))
    return bool(all(neurons) and len(set(data.labels.tolist())) == 2)


@remark.claim("remark.correct_classification_at_t1", derived=[constants, arrival, reached], cost=0.3)
@mutants(
    changed("already at the start", arrival=earlier(0)),
    flipped(),
    changed("also if a cone contains no neuron", reached=lambda _: True),
)
def all_data_are_classified_correctly_at_t1(arrival: LogPolarTrajectory, data: Dataset, reached: bool) -> Margin:
    r"""At $t_1$ every datum has $y_if(x_i)>0$, if $S_+$ and $S_-$ contain a neuron then.

    Convention: outputs over the square of the largest neuron that sees the datum, since they underflow.
    """
    suppose(reached, REACHED)
    return less(0, signed_outputs(arrival, data), "0 against y_i f(x_i)")


@remark.claim("remark.known_rate", kind=Kind.ASYMPTOTIC, given=SEEN_FITS, derived=[late], cost=1.5)
@mutants(exponent("51/50"), exponent("11/10"))
def the_loss_vanishes_like_one_over_t_log_t(late: Fit) -> Margin:
    r"""$\mathcal L(t)=O(\frac1{t\log t})$.

    Convention: the exponent of the logarithm is read as 1; cases in which S_+ and S_- contain a neuron at t_1.
    """
    return bounded_by(late.total_loss, power(-1, -1), "loss", clock=late.clock)
