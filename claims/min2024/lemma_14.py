r"""Lemma 14: from $t_1$ on the norms of the neurons in their cones do not shrink."""

from refute import Margin, all_of, at_least, flipped, mutants, nothing, shifted
from refute.claims.min2024.fits import fitting
from refute.models.min2024.fitting import Fit


@fitting.claim("lemma_14.norm_monotone", "Lemma 14, Eq. (30)")
@mutants(flipped("growth of ln sum"), shifted("1/10", "d/dt ln |w_j|"))
def norms_do_not_shrink_after_t1(fit: Fit) -> Margin:
    r"""$\sum_{j\in\tilde{\mathcal V}_\pm}\|w_j\|^2$ does not decrease after $t_1$.

    Convention: t_2 is any time after t_1 here, as printed; each neuron by itself, at recorded times.
    """
    parts = []
    for label in (1, -1):
        if fit.members(label).size:
            mass = fit.log_mass(label)
            parts.append(at_least(fit.growth(label), 0, "d/dt ln |w_j|"))
            parts.append(at_least(mass[1:] - mass[:-1], 0, "growth of ln sum |w_j|^2 between two times"))
    return all_of(*parts, nothing("no neuron is in a cone"))
