r"""Eqs. (33) to (35): once a class is fitted its neurons keep a size."""

import numpy as np

from refute import Margin, all_of, at_least, mutants, scaled, suppose
from refute.claims.min2024.fits import ALSO_EMPTY, REACHED, fit, fitting, never, reached
from refute.models.min2024.fitting import Fit


@fitting.claim("eq_34.norm_floor", "Eqs. (33), (34), (35)", derived=[fit, reached])
@mutants(scaled(2), ALSO_EMPTY)
def norms_stay_above_a_floor_after_t2(fit: Fit, reached: bool) -> Margin:
    r"""$\sum_{j\in\tilde{\mathcal V}_\pm}\|w_j(t)\|^2\ge\frac1{4\|x_{i_\pm}\|}\ge\frac1{4X_{\max}}$ for $t\ge t_2$ and
    some $i_\pm\in\mathcal I_\pm$.

    Convention: i_+ is the datum with the largest output when the class first exceeds 1/4; at all recorded times after
    t_2, at which the bound may be an equality.
    """
    suppose(reached, REACHED)
    if fit.second >= len(fit.time):
        return never(fit)
    parts = []
    for label in (1, -1):
        own = fit.of_class(label)
        loudest = own[np.argmax(np.abs(fit.output[fit.crossing(label), own]))]
        size = float(np.linalg.norm(fit.data.inputs[loudest]))
        parts.append(at_least(size * fit.after_t2.mass(label), 0.25, "|x_i| sum |w_j|^2"))
    return all_of(*parts)
