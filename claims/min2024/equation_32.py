r"""Eq. (32): from $t_1$ on the loss is that of two linear networks, one for each class."""

from refute import Margin, changed, equal, mutants
from refute.claims.min2024.final_convergence import Blocks, exchanged
from refute.claims.min2024.fits import blocks, fit, fitting
from refute.models.min2024.fitting import Fit


def _positive_only(blocks: Blocks) -> Blocks:
    return {1: blocks[1], -1: blocks[-1][:0]}


@fitting.claim("eq_32.decomposition", "Eq. (32)", derived=[fit, blocks])
@mutants(
    changed("the cones exchanged", blocks=exchanged),
    changed("the negative class has no network", blocks=_positive_only),
)
def the_loss_splits_into_two_linear_problems(fit: Fit, blocks: Blocks) -> Margin:
    r"""$\mathcal L=\mathcal L_++\mathcal L_-$ for $t\ge t_1$, each the loss of a linear network on one class, made of
    the neurons in the cone of that class.
    """
    each = fit.loss.each(fit.data.labels, fit.linear(blocks))
    parts = [each[:, fit.of_class(label)].sum(axis=1) for label in (1, -1)]
    return equal(fit.total_loss, parts[0] + parts[1], "loss against L_+ + L_-")
