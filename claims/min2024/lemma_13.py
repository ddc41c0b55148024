r"""Lemma 13: up to $t_1$ norms shrink at most exponentially."""

from refute import Margin, all_of, at_least, bent, derived, mutants, scaled
from refute.claims.min2024.fits import fitting
from refute.claims.min2024.runs import arrival, constants
from refute.claims.min2024.training import LOSSES
from refute.functions import maximum
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory
from refute.models.min2024.alignment import Scales

SPEED, NORM = "d/dt ln |w_j|^2 against -4 n X_max", "ln(|w_j(t_1)|^2 / |w_j(0)|^2)"


@derived
def rate(constants: Scales) -> float:
    """4 n X_max."""
    return float(4 * constants.n * constants.longest)


@fitting.claim("lemma_13.norm_lower_bound", "Lemma 13", derived=[constants, arrival, rate], cost=0.3)
@mutants(bent("e^{+4 n X_max t_1}", NORM, right=lambda bound: -bound), scaled("1/10", SPEED))
def norms_shrink_at_most_exponentially(
    data: Dataset, loss: str, constants: Scales, arrival: LogPolarTrajectory, rate: float
) -> Margin:
    r"""$\|w_j(t_1)\|^2\ge e^{-4nX_{\max}t_1}\|w_j(0)\|^2$, so the same for the sums over $\tilde{\mathcal V}_\pm$; and
    $\frac d{dt}\|w_j\|^2\ge-4nX_{\max}\|w_j\|^2$ before $t_1$.

    Convention: in logarithms, for each neuron and hence for sums; the derivative at recorded times up to t_1.
    """
    sizes, pulls = arrival.log_norms, LOSSES[loss].residual(data.labels, arrival.outputs)
    active = maximum(arrival.directions @ data.inputs.T, 0)
    growth = 2 * arrival.signs * (pulls[:, None] * active).sum(axis=2)
    return all_of(
        at_least(2 * (sizes[-1] - sizes[0]), -rate * float(constants.alignment_time), NORM),
        at_least(growth, -rate, SPEED),
    )
