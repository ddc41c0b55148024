"""What the statements speak about, computed once per case."""

from refute import derived
from refute.models import SQUARE, Dataset, DeepNetwork, deep_descent_direction


@derived
def moving(net: DeepNetwork, data: Dataset, at_zero):
    """Every layer with its speed; the subgradient of the activation at zero may be any number."""
    return list(zip(net.weights, deep_descent_direction(net, data, SQUARE, at_zero), strict=True))
