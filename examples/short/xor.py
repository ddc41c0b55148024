"""Which networks compute XOR of signs: four ReLU neurons do, one does not.

An existence claim is proved by a witness; a search that finds none refutes nothing. That there is none is a claim of
its own.
"""

import numpy as np

from refute import Kind, Margin, at_most, less, section, values
from refute.decide.proof import by_smt
from refute.functions import smallest
from refute.models import TwoLayer
from refute.strategies import Size, sized, two_layer

INPUTS = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
LABELS = np.array([-1, 1, 1, -1])
FOUR = TwoLayer([[1, 1], [-1, -1], [1, -1], [-1, 1]], [-1, -1, 1, 1], 0)


@values(lambda net: isinstance(net, TwoLayer) and net.slope == 0)
def relu_network(size: Size):
    """A two-layer ReLU network."""
    return two_layer(size).map(lambda net: net.with_slope(0 * net.slope))


ONE = sized(net=relu_network, dimension=(2, 2), width=(1, 1))
xor = section("xor", kind=Kind.EXISTENCE)


@xor.claim("width_4", instances=[{"net": FOUR}], recorded="proved")
def four_neurons_compute_xor(net: TwoLayer) -> Margin:
    """Some ReLU network of width 4 has y f(x) > 0 at the four corners."""
    return less(0, LABELS * net(INPUTS), "y f(x)")


four_neurons_compute_xor.reading(
    "width_1",
    "By one neuron. No witness is found, which refutes nothing.",
    given=ONE,
    instances=(),
    recorded="undecided",
)


def one_sign_only() -> str | None:
    """With the outer weight a >= 0 no output is negative, with a <= 0 none is positive."""
    import z3

    a, u, v = z3.Reals("a u v")
    outputs = [a * z3.If(x * u + y * v > 0, x * u + y * v, 0) for x, y in INPUTS.tolist()]
    return by_smt(lambda: z3.Not(z3.And(*(y * f > 0 for y, f in zip(LABELS.tolist(), outputs, strict=True)))))


@xor.claim("no_width_1", kind=Kind.ALGEBRAIC, given=ONE, proof=one_sign_only, recorded="proved")
def one_neuron_does_not_compute_xor(net: TwoLayer) -> Margin:
    """Every ReLU network of width 1 has y f(x) <= 0 at some corner."""
    return at_most(smallest(LABELS * net(INPUTS)), 0, "smallest y f(x)")
