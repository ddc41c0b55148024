r"""Theorem 4.1: below a threshold of the loss the smoothed normalised margin never decreases.

$\tilde\gamma=\ell^{-1}(\mathcal L)/\rho^L$ with $\rho=\|\theta\|$, here for two layers of (leaky) ReLU, where $L=2$.
"""

import numpy as np

from refute import Enclosed, Fault, Kind, Margin, at_most, derived, flipped, mutants, scaled, section, without
from refute.functions import exp, log, smallest
from refute.models import EXPONENTIAL_SUM, LOGISTIC_SUM, Dataset, TwoLayer, gradient_flow
from refute.models.flow import Trajectory

from .assumptions import below_log_2, below_one
from .models import motion
from .strategies import FLOWS, INSTANTS

TIMES = np.array([0.0, 0.01, 0.1, 0.5, 2.0, 10.0])


@derived
def run(net: TwoLayer, data: Dataset, tolerance: float) -> Trajectory:
    """The flow of the exponential loss."""
    return gradient_flow(net, data, EXPONENTIAL_SUM, TIMES, tolerance=tolerance)


@derived
def margins(run: Trajectory, data: Dataset) -> Enclosed:
    """q_i = y_i f(x_i) at every time."""
    return run.enclosed_outputs(data.inputs) * data.labels


@derived
def size(run: Trajectory) -> Enclosed:
    """rho^2."""
    return (run.inners**2).sum(axis=(1, 2)) + (run.outers**2).sum(axis=1)


theorem = section("lyu2020", "theorem_4_1", "Theorem 4.1", recorded="supported")
instants = theorem.but(given=INSTANTS)
flow = theorem.but(kind=Kind.DYNAMICS, given=FLOWS, assumes=[below_one], derived=[run, margins, size], cost=1 / 4)


@instants.claim("speed", "exponential loss", assumes=[below_one])
@mutants(scaled("99/100"), without(below_one))
def the_smoothed_margin_grows(net: TwoLayer, data: Dataset, at_zero) -> Margin:
    r"""$\frac{d}{dt}\log\tilde\gamma\ge0$.

    That is $\|\theta'\|^2\rho^2\ge2\,\mathcal L\log\frac1{\mathcal L}\langle\theta,\theta'\rangle$.
    """
    loss, now = EXPONENTIAL_SUM.value(data.labels, net(data.inputs)), motion(net, data, EXPONENTIAL_SUM, at_zero)
    return at_most(-2 * loss * log(loss) * now.outward, now.speed * now.size, "share of the growing norm")


@instants.claim("speed.logistic", "logistic loss", assumes=[below_log_2])
@mutants(scaled("99/100"), without(below_log_2))
def the_smoothed_margin_grows_for_logistic_loss(net: TwoLayer, data: Dataset, at_zero) -> Margin:
    r"""The same with $\ell^{-1}(\mathcal L)=-\log(e^{\mathcal L}-1)$."""
    loss, now = LOGISTIC_SUM.value(data.labels, net(data.inputs)), motion(net, data, LOGISTIC_SUM, at_zero)
    share = -2 * (1 - exp(-loss)) * log(exp(loss) - 1) * now.outward
    return at_most(share, now.speed * now.size, "share of the growing norm")


@flow.claim("smoothed")
@mutants(flipped("smoothed"), scaled("9/10"))
def the_smoothed_margin_never_decreases(margins: Enclosed, size: Enclosed) -> Margin:
    """From each recorded time to the next, by integration."""
    smoothed = -log(exp(-margins).sum(axis=1)) / size
    return at_most(smoothed[:-1], smoothed[1:], "smoothed margin")


@flow.claim("hard", recorded="refuted", fault=Fault.WRONG, printed=False)
def the_hard_margin_never_decreases(margins: Enclosed, size: Enclosed) -> Margin:
    r"""The same for $\min_iq_i/\rho^2$. Fails where another sample pulls more than the one of the smallest margin."""
    hard = smallest(margins, axis=1) / size
    return at_most(hard[:-1], hard[1:], "hard margin")
