r"""Importance of a quantitative bound on $t_1$, and A.2: alignment takes longer as $\mu\to0$."""

from refute import Enclosed, Kind, Margin, all_of, claim, derived, flipped, less, mutants, shifted
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.models.min2024.families import below_the_axis, last_switches, two_positive_data
from refute.strategies import choice, sized

SEPARATIONS = tuple(10.0 ** (-3 - k / 2) for k in range(7))
TIMES, SCALES = "last switch at one mu against the next smaller one", "ln of the scale that the time allows"


@derived
def times(angle: float, loss: str) -> Enclosed:
    """When the last neuron has changed its pattern, along the data of A.2."""
    return last_switches([(two_positive_data(mu), below_the_axis(angle)) for mu in SEPARATIONS], LOSSES[loss])


@claim(
    "min2024.remark.mu_controls_time",
    "Importance of a quantitative bound on t_1; A.2",
    kind=Kind.DYNAMICS,
    given=sized(angle=choice("1/4", "1/2", "1", "3/2"), loss=ALL_LOSSES),
    derived=[times],
    recorded="supported",
    cost=2.0,
)
@mutants(flipped(TIMES).called("time decreases"), shifted(-2, TIMES))
def alignment_takes_longer_as_mu_vanishes(times: Enclosed) -> Margin:
    r"""As $\mu\to0$ the time until the neuron is in $S_+$ increases, and so $\epsilon$ must decrease for $T$ to reach
    it.

    Convention: data of A.2 with mu from 10^-3 to 10^-6, one neuron that sees x_1 only; the scale needed is that with T
    equal to the time of alignment.
    """
    needed = -4 * 2 * times  # ln(sqrt(h) eps) = -4 n X_max t
    return all_of(less(times[:-1], times[1:], TIMES), less(needed[1:], needed[:-1], SCALES))
