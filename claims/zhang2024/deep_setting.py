r"""What the statements of section 4.2 and appendix F share: networks at the weights (40).

The text asks for a linear target; that it is odd suffices everywhere.
"""

from refute import derived, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.assumptions import CONDITION_3, equal_parts, even_inputs, no_data_on_hyperplane, odd_target
from refute.models import Dataset
from refute.models.zhang2024.low_rank import LowRank, Rays
from refute.strategies.zhang2024.low_rank import low_rank

FORM, DEEP, DEEPER = low_rank(), low_rank((3, 4)), low_rank((3, 5))
SYMMETRIC = [*CONDITION_3, equal_parts]
CLEAR = [*SYMMETRIC, no_data_on_hyperplane]
RESTING_DATUM = "zhang2024.eq_43.first_layer"  # the root of what data that move nothing break
DROPS = [without(even_inputs), without(odd_target), without(equal_parts)]
OFF = "when no datum lies on $r^\\top x=0$."
ODD = "the target need only be odd; sigma'(0) = 0"


@derived
def low(v: Number, r: Array, rays: Rays, data: Dataset) -> LowRank:
    """The ReLU network at these weights."""
    return LowRank(v, r, rays, data)
