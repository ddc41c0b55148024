"""What the limit of the flow from a vanishing start costs: in float64 with an error bound, or proved where a proof is
asked for.
"""

from contextlib import suppress

import numpy as np

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import FLOAT, enclosure
from refute.decide.confirmation import CERTIFIED, answered, asked
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.solve import log_polar_flow
from refute.models.loss import SQUARE

LEVEL = 1e-5  # the flow is followed until every residual has fallen to this part of the first
STEPS = 3000
COARSER = 1e5  # than the tolerance asked for: norms that differ by percents are compared
ROUNDING = 8 * float(np.finfo(float).eps)


def cost_of_the_limit(start: Balanced, data: Dataset, tolerance: float) -> Enclosed:
    """|theta|^2 in the limit of the square loss, for as many independent points as dimensions."""
    if asked():
        with suppress(BadInput):
            return _enclosed(start, data)
    return _followed(start, data, tolerance)


def _enclosed(start: Balanced, data: Dataset) -> Enclosed:
    from refute.models.logpolar.from_zero import limit_from_zero

    middle, radius = (float(part) for part in enclosure(limit_from_zero(start, data).cost))
    answered(CERTIFIED)
    return Enclosed(middle, radius + ROUNDING * middle)


def _followed(start: Balanced, data: Dataset, tolerance: float) -> Enclosed:
    """|theta|^2 at the end of the run; the limit may be below by 2 |X^{-1}| times what is left of the residual."""
    run = log_polar_flow(start, data, SQUARE, level=LEVEL, tolerance=COARSER * tolerance, steps=STEPS)
    known = lift(data, FLOAT)
    left = float(np.linalg.norm(known.labels - run.output[-1])) + run.output_error * np.sqrt(len(known.labels))
    reach = float(np.linalg.norm(np.linalg.inv(known.inputs), 2))
    size = 2 * float(np.exp(2 * run.log_norm[-1]).sum())
    return Enclosed(size, 2 * reach * left + 2 * size * run.error)
