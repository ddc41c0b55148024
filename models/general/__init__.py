"""Any network, as a function of its weights and its inputs: gradient flow and descent of what torch can differentiate.

The networks of `refute.models` have integrators that know them, reach farther and prove more. What has none is trained
here: biases, any activation, several outputs, residual connections, a torch module; batches, momentum, Adam, decay.
"""

from refute.models.general.descent import adam, descent, momentum, plain
from refute.models.general.flow import flow
from refute.models.general.objective import batches, decayed, mean_square, of_module, risk
from refute.models.general.run import Run

__all__ = [
    "Run",
    "adam",
    "batches",
    "decayed",
    "descent",
    "flow",
    "mean_square",
    "momentum",
    "of_module",
    "plain",
    "risk",
]
