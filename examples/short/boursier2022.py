r"""Boursier, Pillaud-Vivien, Flammarion 2022, Gradient flow dynamics of shallow ReLU networks for square loss and
orthogonal inputs.

As the balanced start shrinks to zero, the limit of the flow tends to an interpolator of least norm (Theorem 1).
"""

import math

import numpy as np

from refute import Enclosed, Kind, Margin, derived, mutants, scaled, section, suppose, tends_to
from refute.functions import exp
from refute.language.limits import SMALL
from refute.models import SQUARE, Balanced, Dataset, Stop, log_polar_flow
from refute.models.reference.minimum_norm import least_squared_norm
from refute.strategies import dataset, drawn, orthogonal_data, signed, sized

ORTHOGONAL = sized(data=signed(orthogonal_data), samples=drawn(1, 2), dimension=drawn(1, 2))
THREE_SAMPLES = sized(data=dataset, samples=drawn(3, 3), dimension=drawn(3, 3))


@derived
def ends(data: Dataset, tolerance: float) -> Enclosed:
    """|theta|^2 in the limit of the flow, for starts from 10^-5 to 10^-160: one neuron on each side."""
    signs = [sign for sign in (1, -1) if (sign * data.labels > 0).any()]
    shape = np.array([data.inputs[sign * data.labels > 0].sum(axis=0) for sign in signs])
    starts = [Balanced(shape, signs, math.log(scale), 0) for scale in SMALL]
    runs = [log_polar_flow(start, data, SQUARE, level=1e-8, horizon=1e6, tolerance=tolerance) for start in starts]
    suppose(all(run.stop is Stop.FITTED for run in runs), "the limit interpolates")
    return Enclosed([run.log_norm[-1] for run in runs], [[max(run.error, 1e-7)] * len(signs) for run in runs])


theorem = section("boursier2022", "theorem_1", "Theorem 1", kind=Kind.ASYMPTOTIC, derived=[ends], cost=2)


@theorem.claim("least_norm", given=ORTHOGONAL, recorded="supported")
@mutants(scaled("99/100"))
def orthogonal_inputs_lead_to_least_norm(ends: Enclosed, data: Dataset) -> Margin:
    r"""$\|\theta\|^2\to2\sqrt{\sum_{y_i>0}y_i^2/\|x_i\|^2}+2\sqrt{\sum_{y_i<0}y_i^2/\|x_i\|^2}$, the least there is."""
    shares = data.labels**2 / (data.inputs**2).sum(axis=1)
    least = sum(2 * np.sqrt(shares[data.labels * sign > 0].sum()) for sign in (1, -1))
    return tends_to(2 * exp(2 * ends).sum(axis=1), least, "squared norm", at=SMALL)


@theorem.claim("any_inputs", given=THREE_SAMPLES, recorded="against", printed=False)
def any_inputs_lead_to_least_norm(ends: Enclosed, data: Dataset) -> Margin:
    """The same for inputs of any angles. Fails where one neuron fits all, but two would cost less."""
    return tends_to(2 * exp(2 * ends).sum(axis=1), least_squared_norm(data).value, "squared norm", at=SMALL)
