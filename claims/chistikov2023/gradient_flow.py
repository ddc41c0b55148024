r"""Section 2: the gradient flow as a differential inclusion, conserved balancedness, and Proposition 1."""

from refute import Kind, Margin, all_of, claim, equal, less, moved
from refute.claims.chistikov2023.assumptions import ASSUMPTIONS_1_AND_2
from refute.claims.chistikov2023.setting import on_a as starts
from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import Change
from refute.models.loss import SQUARE


@claim(
    "chistikov2023.assumption_1.v",
    "Assumption 1 (v)",
    kind=Kind.DYNAMICS,
    instances=[starts((1, "1/2", "1"), (1, "1/2", "3/2"), (-1, "3/2", "1/2"))],
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("after it enters, too", dies=0)],
    convention="a choice among the solutions of the inclusion, which the log-polar flow makes; one run with one "
    "negative neuron",
)
def a_deactivated_neuron_stays(data: Dataset, start: Balanced, tolerance: float, *, dies: int = 1) -> Margin:
    r"""When the last active point of a neuron leaves its half-space at time $T'$, then $w_j^t=w_j^{T'}$ for all
    $t\ge T'$.
    """
    run = log_polar_flow(start, data, SQUARE, level=1e-4, tolerance=1e4 * tolerance)
    events = [one for one in run.switches if (one.change is Change.DIES) == bool(dies)]
    parts = [less(0, len(events), "events")]
    for one in events:
        after = run.time >= one.time
        rows, norms = run.direction[after, one.neuron], run.log_norm[after, one.neuron]
        parts += [
            equal(rows, rows[:1], "direction", error=1e-12),
            equal(norms, norms[:1], "log-norm", error=1e-9 * abs(float(norms[0]))),
        ]
    return all_of(*parts)
