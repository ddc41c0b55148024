"""Two statements about one step of training, ten lines each: one that survives and one that falls. Copy and change
them.
"""

from refute import Margin, at_most, claim, equal, moved, mutants
from refute.arithmetic.numbers import Number
from refute.functions import squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.gradient import descent_direction
from refute.models.loss import SQUARE
from refute.strategies import dataset, positive, sized, two_layer


@claim("conjectures.every_neuron_keeps_its_imbalance", given=sized(net=two_layer, data=dataset))
@mutants(moved("factor 2", factor=2))
def every_neuron_keeps_its_imbalance(net: TwoLayer, data: Dataset, *, factor: int = 1) -> Margin:
    """Gradient flow moves |w_h|^2 and a_h^2 at the same speed, whatever the data and the slope."""
    inner, outer = descent_direction(net, data, SQUARE, net.slope)
    return equal(factor * (net.inner * inner).sum(axis=1), net.outer * outer, "d|w_h|^2/dt against d(a_h^2)/dt, halved")


@claim(
    "conjectures.every_step_size_lowers_the_loss",
    given=sized(net=two_layer, data=dataset, step=positive()),
    recorded="refuted",
)
def every_step_size_lowers_the_loss(net: TwoLayer, data: Dataset, step: Number) -> Margin:
    """A step of gradient descent never raises the square loss, however long. (It does: recorded as refuted.)"""
    inner, outer = descent_direction(net, data, SQUARE, net.slope)
    moved_net = net.with_weights(net.inner + step * inner, net.outer + step * outer)
    before, after = (squared_norm(data.labels - n(data.inputs)) for n in (net, moved_net))
    return at_most(after, before, "loss after against loss before")
