r"""The remark "Refined alignment within $S_+,S_-$" after Theorem 1, which the paper does not state formally."""

from operator import neg

from refute import Fault, Kind, Margin, all_of, at_least, bent, changed, derived, mutants, nothing, section
from refute.claims.min2024.assumptions import SETTING
from refute.claims.min2024.fits import COARSE, FITS
from refute.claims.min2024.runs import arrival, constants, earlier
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.functions import norm
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory
from refute.models.min2024.cones import centre
from refute.models.min2024.families import unequal
from refute.models.min2024.fitting import Fit, fit_run, members
from refute.strategies import choice, sized

remark = section("min2024", "remark.refined_alignment", "Refined alignment within S_+, S_-", kind=Kind.DYNAMICS)


@remark.claim(given=FITS, assumes=SETTING, derived=[constants, arrival], recorded="supported", cost=0.5)
@mutants(bent("away from the centre", left=neg), changed("already at the start", arrival=earlier(0)))
def neurons_in_their_cone_point_at_its_centre(data: Dataset, arrival: LogPolarTrajectory) -> Margin:
    r"""$\cos(w_j,x_\pm)\approx1$ for all neurons in $S_\pm$ at the end of the alignment phase.

    Convention: at t_1, the end of the alignment phase that (28) provides; close to 1 means at least 99/100, fixed in
    advance.
    """
    parts = [nothing("no neuron is in its cone")]
    for label in (1, -1):
        c = centre(data, label)
        if c.any():
            chosen = members(arrival.sides > 0, arrival.signs, data.labels, label)
            parts.append(at_least(arrival.directions[-1][chosen] @ (c / norm(c)), 0.99, "cos(w_j, centre) at t_1"))
    return all_of(*parts)


@derived
def course(ratio: float, loss: str, tolerance: float) -> Fit:
    """From t_1 until the slopes are 1/1000."""
    return fit_run(*unequal(ratio), LOSSES[loss], 0.99, COARSE * tolerance)


@remark.claim(
    "r1",
    "'always gets attracted by x_+'",
    given=sized(ratio=choice("1", "2", "4", "16"), loss=ALL_LOSSES),
    derived=[course],
    recorded="refuted",
    fault=Fault.WRONG,
    root="min2024.eq_37.refined_drift",
)
def neurons_in_their_cone_are_always_attracted_by_its_centre(course: Fit) -> Margin:
    r"""For all $t\ge t_1$ a neuron in $S_+$ turns towards $x_+$: $\frac d{dt}\cos(w_j,x_+)\ge0$, hence $\cos\approx1$
    for good.

    Fails once the outputs are not small: the data pull with different slopes, and the neuron follows $\tilde x_a$,
    which leaves $x_+$ for the direction of largest margin. With ratio 1 the cosine falls from 1 to 0.943.

    Convention: data: ratio (1, 0), ratio (1/8, 1/2), (1, 1) positive, (-1, -1) negative; from the scale (28) until the
    slopes are 1/1000.
    """
    return all_of(
        at_least(course.cosine_speeds(1), 0, "d/dt cos(w_j, x_+)"),
        at_least(course.cosines(1)[-1], 0.99, "cos(w_j, x_+) when the slopes are 1/1000"),
    )
