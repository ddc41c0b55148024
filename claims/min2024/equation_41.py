r"""Eqs. (41) to (43): the block of each cone is almost of rank one."""

import numpy as np
from scipy.special import logsumexp

from refute import Enclosed, Margin, all_of, at_most, bent, mutants, nothing
from refute.claims.min2024.fits import fitting
from refute.functions import exp
from refute.models.geometry.stable_rank import enclosed_excess, enclosed_spectral_norms
from refute.models.min2024.fitting import Fit, Indices


def _log_total(fit: Fit, chosen: Indices) -> Enclosed:
    """ln of sum |w_j(t_1)|^2 over the chosen neurons."""
    return Enclosed(logsumexp(2 * fit.aligned.log_norm[-1, chosen]), 2 * fit.aligned.error)


def _invariant(fit: Fit, chosen: Indices) -> Margin:
    """|W^T W - v v^T|_2 against 2 sum |w_j|^2 at t_1, over the square of the largest of the chosen neurons; v_j v_k =
    |w_j| |w_k|, as the signs agree.
    """
    sizes = exp(fit.aligned.log_norms[-1, chosen] - fit.aligned.log_norm[-1, chosen].max())
    directions = fit.aligned.directions[-1, chosen]
    gram = (directions @ directions.T - 1) * sizes[:, None] * sizes
    return at_most(enclosed_spectral_norms(gram), 2 * (sizes**2).sum(), "|W^T W - v v^T|_2 against 2 sum |w_j(t_1)|^2")


@fitting.claim("eq_41.block_low_rank", "Eqs. (41), (42), (43) and the display before")
@mutants(bent("eps^2 in place of eps", "ln", right=lambda bound: 2 * bound))
def each_block_is_almost_of_rank_one(fit: Fit) -> Margin:
    r"""$\|W_\pm^\top W_\pm-v_\pm v_\pm^\top\|_2\le2\sum_{\tilde{\mathcal V}_\pm}\|w_j(t_1)\|^2\le\frac{4\epsilon
    W_{\max}^2}{\sqrt h}|\tilde{\mathcal V}_\pm|$,
    $\|W_\pm\|_F^2\le\|W_\pm\|_2^2+\frac{4\epsilon W_{\max}^2}{\sqrt h}|\tilde{\mathcal V}_\pm|$ and
    $\|W_{dead}\|_F^2\le\frac{4\epsilon W_{\max}^2}{\sqrt h}|\mathcal V_{dead}|$ for $t\ge t_1$.

    Convention: sums in logarithms; the invariant at t_1 (it is constant by sec_D3.layer_invariance), the norms at all
    recorded times, over the square of the largest neuron.
    """
    parts = [nothing("no neuron is settled")]
    for chosen in (fit.members(1), fit.members(-1)):
        if chosen.size:
            doubled, count = float(np.log(2)) + _log_total(fit, chosen), chosen.size
            parts += [
                _invariant(fit, chosen),
                at_most(doubled, fit.log_extra(count), "ln of 2 sum |w_j(t_1)|^2"),
                at_most(enclosed_excess(fit.rows(chosen)), fit.extra(count), "|W_+|_F^2 - |W_+|_2^2"),
            ]
    if fit.dead.size:
        parts.append(at_most(_log_total(fit, fit.dead), fit.log_extra(fit.dead.size), "ln |W_dead|_F^2 at t_1"))
    return all_of(*parts)
