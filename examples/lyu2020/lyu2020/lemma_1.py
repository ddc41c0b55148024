r"""Lemma 1: one step of gradient descent on the square loss."""

from refute import Margin, at_most, derived, equal, mutants, scaled, section, without
from refute.functions import absolute, squared_norm
from refute.models import SQUARE, Dataset, TwoLayer, descent_direction
from refute.strategies import dataset, sized, two_layer

from .assumptions import nonnegative_labels
from .strategies import short_step

lemma = section("lyu2020", "lemma_1", "Lemma 1", given=sized(net=two_layer, data=dataset, step=short_step))


@derived
def speed(net: TwoLayer, data: Dataset):
    """Minus the gradient with respect to both layers, with sigma'(0) = slope."""
    return descent_direction(net, data, SQUARE, net.slope)


@lemma.claim("balance", derived=[speed], recorded="supported")
@mutants(scaled("101/100", "d|w|^2"))
def every_neuron_keeps_its_balance(net: TwoLayer, speed) -> Margin:
    r"""The flow moves $\|w_h\|^2$ and $a_h^2$ at the same speed."""
    inner, outer = speed
    return equal((net.inner * inner).sum(axis=1), net.outer * outer, "d|w|^2/dt against d(a^2)/dt, halved")


@lemma.claim("labels", assumes=[nonnegative_labels], recorded="supported")
@mutants(scaled("99/100"), without(nonnegative_labels))
def labels_add_up(data: Dataset) -> Margin:
    r"""$\sum_i|y_i|\le|\sum_iy_i|$."""
    return at_most(absolute(data.labels).sum(), absolute(data.labels.sum()), "sum of |y| against |sum of y|")


@lemma.claim("descends", recorded="refuted", printed=False)
def a_step_lowers_the_loss(net: TwoLayer, data: Dataset, step) -> Margin:
    """A step of at most one never raises the loss. (A conjecture that fell; one that stands has nothing recorded.)"""
    inner, outer = descent_direction(net, data, SQUARE, net.slope)
    after = net.with_weights(net.inner + step * inner, net.outer + step * outer)
    return at_most(squared_norm(data.labels - after(data.inputs)), squared_norm(data.labels - net(data.inputs)), "loss")
