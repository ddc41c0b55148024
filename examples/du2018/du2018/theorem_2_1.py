r"""Theorem 2.1 and Corollary 2.1: the flow of a homogeneous network keeps its neurons and its layers balanced.

The network is $f(x)=W_N\phi(W_{N-1}\cdots\phi(W_1x))$ with $\phi$ ReLU, leaky ReLU or linear.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from refute import Enclosed, Fault, Kind, Margin, all_of, equal, mutants, scaled, section
from refute.models import SQUARE, Dataset, DeepNetwork, deep_gradient_flow
from refute.strategies import dataset, deep, sized
from refute.strategies.datasets import unscaled_dataset

from .derived import moving
from .models import SoftplusNetwork
from .strategies import INSTANTS, SMALL, softplus_network

TIMES = np.array([0.0, 0.01, 0.1, 0.5])

theorem = section("du2018", "theorem_2_1", "Theorem 2.1", given=INSTANTS, derived=[moving], recorded="supported")
corollary = section("du2018", "corollary_2_1", "Corollary 2.1", given=INSTANTS, derived=[moving])


@theorem.claim("neurons")
@mutants(scaled("101/100", "incoming"))
def every_neuron_stays_balanced(moving) -> Margin:
    r"""$\frac{d}{dt}(\|W_h[i,:]\|^2-\|W_{h+1}[:,i]\|^2)=0$ for every hidden neuron."""
    gains = [((w * v).sum(axis=1), (u * z).sum(axis=0)) for (w, v), (u, z) in pairwise(moving)]
    return all_of(*(equal(incoming, outgoing, "incoming against outgoing") for incoming, outgoing in gains))


@theorem.claim("along_the_flow", given=sized(net=deep, data=unscaled_dataset, **SMALL), kind=Kind.DYNAMICS)
@mutants(scaled("1001/1000"))
def every_neuron_keeps_its_balance(net: DeepNetwork, data: Dataset, tolerance: float) -> Margin:
    """The same from time 0 to 1/2, by integration."""
    run = deep_gradient_flow(net, data, SQUARE, TIMES, tolerance=tolerance)
    squares = [Enclosed(layer, run.error) ** 2 for layer in run.weights]
    balances = [below.sum(axis=2) - above.sum(axis=1) for below, above in pairwise(squares)]
    return all_of(*(equal(balance[1:], balance[:1], "incoming minus outgoing") for balance in balances))


@theorem.claim(
    "softplus",
    given=sized(net=softplus_network, data=dataset),
    derived=[],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    printed=False,
)
def softplus_stays_balanced(net: SoftplusNetwork, data: Dataset) -> Margin:
    """The same for softplus, which is not homogeneous. Fails wherever a neuron moves."""
    inner, outer = net.speed(data)
    return equal((net.inner * inner).sum(axis=1), net.outer * outer, "incoming against outgoing")


@corollary.claim(recorded="supported")
@mutants(scaled("101/100"))
def layers_stay_balanced(moving, *, factor=Fraction(1)) -> Margin:
    r"""$\frac{d}{dt}(\|W_h\|_F^2-\|W_{h+1}\|_F^2)=0$: the squared norms of all layers grow alike."""
    gains = [(weights * speed).sum() for weights, speed in moving]
    return equal(np.array(gains[1:]), factor * np.array(gains[:-1]), "gain of a layer against the one below")


layers_stay_balanced.reading(
    "twice",
    "With a factor: each layer gains twice what the one below it gains.",
    factor=Fraction(2),
    mutants=(),
    recorded="refuted",
    fault=Fault.CONSTANT,
)
