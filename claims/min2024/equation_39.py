r"""Eqs. (36) and (39): the explicit bound on $t_2$."""

import numpy as np

from refute import Margin, all_of, at_most, mutants, scaled, suppose
from refute.claims.min2024.fits import ALSO_EMPTY, REACHED, fit, fitting, never, reached
from refute.models.min2024.fitting import Fit


@fitting.claim("eq_39.t2_explicit", "Eqs. (36), (39)", derived=[fit, reached])
@mutants(scaled("1/10"), ALSO_EMPTY)
def both_classes_are_fitted_by_the_explicit_time(fit: Fit, reached: bool) -> Margin:
    r"""$t_2^\pm\le t_1+\frac6{\sqrt\mu n_\pm X_{\min}}+\frac4{\sqrt\mu n_\pm
    X_{\min}}\big(\log\frac2{\epsilon^2\sqrt\mu X_{\min}W_{\min}^2}+4nX_{\max}t_1\big)$.

    Convention: all three losses; zeta in t_1 is the smaller one.
    """
    suppose(reached, REACHED)
    if fit.second >= len(fit.time):
        return never(fit)
    c = fit.constants
    bracket = np.log(2 / (np.sqrt(c.mu) * c.shortest * c.least**2)) - 2 * fit.log_epsilon + 4 * c.n * c.longest * fit.t1
    bounds = {label: fit.t1 + (6 + 4 * bracket) / fit.slow(label) for label in (1, -1)}
    return all_of(*(at_most(fit.first_loud(label), bound, "t_2 of a class") for label, bound in bounds.items()))
