r"""Eq. (38): neurons of $S_+$ have a cosine of at least 1/4 with $x_+$ after a fixed time, and until $t_2^+$."""

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, changed, derived, flipped, mutants, scaled, section, without
from refute.arithmetic.numbers import Number
from refute.claims.min2024.assumptions import in_s_plus, leaning_quarter, positive_class, separated
from refute.claims.min2024.equation_37 import INSIDE, drift, drift_proof, slow
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.decide.proof import by_smt, steps
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.fitting import QUARTER
from refute.strategies.min2024.separated import placed, separated_dataset, vector

Floats = NDArray[np.float64]

after_t1 = section(
    "min2024",
    "eq_38.refined_alignment_time",
    "Eq. (38)",
    assumes=[positive_class, separated, in_s_plus, leaning_quarter],
    recorded="supported",
)


def _speed_proof() -> str | None:
    import z3

    speed, d, slow = z3.Reals("speed d slow")
    given = z3.And(speed >= (1 - 3 * d) * slow / 6, 4 * d <= 1, slow >= 0)
    return steps(drift_proof(), by_smt(lambda: z3.Implies(given, speed >= slow / 24), "(37) where cos(x_+, w) <= 1/4"))


@after_t1.claim("pointwise", given=INSIDE, derived=[drift, slow], proof=_speed_proof, recorded="proved", cost=6.0)
@mutants(scaled(24), without(leaning_quarter))
def a_small_cosine_grows_at_a_fixed_speed(drift: Number, slow: Number) -> Margin:
    r"""$\cos(x_+,w_j)\le\frac14$ implies $\frac d{dt}\cos(x_+,w_j)\ge\sqrt\mu n_+X_{\min}/24$, so that $\cos\ge\frac14$
    is trapping.

    Convention: for any w in S_+ and outputs in [-1/4, 1/4]; exponential loss and the logistic loss of the appendix.
    """
    return at_least(drift, slow / 24, "d/dt cos(x_+, w) against sqrt(mu) n_+ X_min / 24")


@derived
def delay(slow: float) -> float:
    """6 / (sqrt(mu) n_+ X_min)."""
    return 6 / slow


@derived
def run(data: Dataset, w: Floats, loss: str, slow: float, delay: float, tolerance: float) -> LogPolarTrajectory:
    """One positive neuron along w, so small that its outputs are small until the delay is over."""
    own = Dataset(data.inputs[data.labels > 0], data.labels[data.labels > 0])  # it sees no other datum, now or later
    depth = 10 + 12 * float(np.linalg.norm(own.inputs.sum(axis=0))) / slow
    begin = Balanced(w[None] / np.linalg.norm(w), np.array([1.0]), -depth, 0.0)
    horizon = 20 * delay + 20 / float(np.linalg.norm(data.inputs, axis=1).min())
    times = np.linspace(0, delay, 9).tolist()
    return log_polar_flow(begin, own, LOSSES[loss], times=times, horizon=horizon, level=0.3, tolerance=tolerance)


@after_t1.claim(
    reference="and the text after it",
    kind=Kind.DYNAMICS,
    given=placed(data=separated_dataset, w=vector, loss=ALL_LOSSES, dimension=(2, 3)),
    derived=[slow, delay, run],
    cost=0.5,
)
@mutants(changed("1/4 in place of 6", delay=lambda delay: delay / 24), flipped("once it was there"))
def cosines_reach_a_quarter_and_stay_above_it(data: Dataset, delay: float, run: LogPolarTrajectory) -> Margin:
    r"""If $w_j(t_1)\in S_+$, then $\cos(w_j(t),x_+)\ge\frac14$ for $t_1+\frac6{\sqrt\mu n_+X_{\min}}\le t\le t_2^+$,
    and from the first time on at which it holds.

    Convention: all three losses; the clock starts with a neuron in S_+ that leans away from x_+, so small that outputs
    are small until t_1 + 6 / (sqrt(mu) n_+ X_min): after the t_1 of (28) cosines are near 1 and nothing is left to see.
    No assumption is shown necessary.
    """
    c = data.inputs[data.labels > 0].sum(axis=0)
    quiet = np.cumsum(np.abs(run.output).max(axis=1) > QUARTER) == 0
    cosines, clock = run.directions[quiet, 0] @ (c / np.linalg.norm(c)), run.time[quiet]
    reached = np.maximum.accumulate(cosines.value >= QUARTER)
    return all_of(
        at_least(cosines[clock >= delay], QUARTER, "after the delay: cos(w_j, x_+)"),
        at_least(cosines[reached], QUARTER, "once it was there: cos(w_j, x_+)"),
    )
