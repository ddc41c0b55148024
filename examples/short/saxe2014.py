r"""Saxe, McClelland, Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear networks.

A singular mode of strength $s$ is learned by two layers along a sigmoid: equations (8) and (10), with $a=b$ at the
start and white inputs, so that $a$ is the strength of the mode in each layer and $u=ab$ in their product.
"""

import numpy as np

from refute import Kind, Margin, derived, equal, moved, mutants, scaled, section
from refute.functions import exp
from refute.models import SQUARE, Dataset, TwoLayer, gradient_flow
from refute.models.flow import Trajectory
from refute.strategies import positive, sized

TIMES = np.array([0.1, 0.5, 1.0, 2.0, 4.0])


@derived
def run(strength: float, start: float, tolerance: float) -> Trajectory:
    """One mode by itself: a network of one linear neuron that learns y = s x from x = 1."""
    net, data = TwoLayer([[start]], [start], 1), Dataset([[1]], [strength])
    return gradient_flow(net, data, SQUARE, TIMES, tolerance=tolerance)


modes = section(
    "saxe2014",
    "mode",
    "equation (10)",
    kind=Kind.DYNAMICS,
    given=sized(strength=positive(2), start=positive(1)),
    derived=[run],
)


@modes.claim("sigmoid", recorded="supported")
@mutants(scaled("101/100"), moved("another time constant", rate=1))
def a_mode_is_learned_along_a_sigmoid(run, strength, start, *, rate=2) -> Margin:
    r"""$u(t)=\frac{s\,e^{2st}}{e^{2st}-1+s/u_0}$."""
    fading = exp(-rate * strength * TIMES)
    course = strength / (1 - fading + strength / start**2 * fading)
    return equal((run.inners[:, 0, 0] * run.outers[:, 0]), course, "strength of the mode")


a_mode_is_learned_along_a_sigmoid.reading(
    "slow", "With the time constant 1/s in place of 1/(2s).", rate=1, mutants=(), recorded="refuted"
)
