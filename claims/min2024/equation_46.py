r"""Eq. (46): the flow crosses the hyperplane of a datum in the direction of its label."""

import numpy as np

from refute import Fault, Margin, all_of, at_least, changed, derived, less, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import not_dead, separated
from refute.claims.min2024.equations_7_8 import drift_proof, mu, reversed_sign
from refute.claims.min2024.states import NEIGHBOURS, beside, negative, positive
from refute.decide.proof import by_smt, in_words, steps
from refute.functions import exp, norm, sign
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.balanced_state import BalancedState

SIGNS = "0 against y_i sign(v_j) <x_i, "
BOUND = "y_i sign(v_j) <x_i, dw_j/dt> against its lower bound"


def _along(data: Dataset, state: BalancedState, own: int) -> Array:
    """y_i sign(v_j) <x_i, -grad_{w_j} L> for all i."""
    products: Array = own * data.labels * (data.inputs @ state.pulls[0]) * state.outer[0]
    return products


@derived
def exponentials(w: Array, data: Dataset, start: Balanced, scale: Number) -> dict[int, BalancedState]:
    """The states of either sign for the exponential loss."""
    return {own: beside(w, own, data, start, scale, "exponential") for own in (1, -1)}


crossing = section(
    "min2024", "eq_46.crossing_sign", "Eq. (46)", given=NEIGHBOURS, assumes=[separated, not_dead], derived=[positive]
)


@crossing.claim(
    "r1",
    "with the gradient of the loss",
    recorded="refuted",
    fault=Fault.SIGN,
    root="min2024.eq_2.flow_direction",
    cost=2.0,
)
def the_gradient_crosses_in_the_direction_of_the_label(data: Dataset, positive: BalancedState) -> Margin:
    r"""$y_i\,\mathrm{sign}(v_j)\langle x_i,\nabla_{w_j}\mathcal L\rangle>0$ wherever $w_j\notin S_{dead}$.

    Fails everywhere: $\nabla_{w_j}\mathcal L=-v_j\sum_kg_kx_k$ over the active data, with $g_k$ of the sign of $y_k$,
    so the product is negative. It is the flow, minus the gradient, that crosses in this direction.

    Convention: a reading. The sign is that of (2) once more: E.5 prints as $\nabla_{w_j}\mathcal L$ what is minus the
    gradient, and with it (46) is right (r2).
    """
    return less(0, -_along(data, positive, 1), f"{SIGNS}grad L>")


@derived
def floors(data: Dataset, w: Array, exponentials: dict[int, BalancedState], mu: Number) -> dict[int, Array]:
    """sum_k 1_{<x_k, w> > 0} e^{-y_k f(x_k)} mu |x_k| |x_i| |w|, for all i and either sign."""
    sizes = np.array([norm(x) for x in data.inputs])
    seen = (sign(data.inputs @ w) > 0).astype(int) * sizes
    return {
        own: (seen * exp(-data.labels * state.outputs)).sum() * mu * state.norms[0] * sizes
        for own, state in exponentials.items()
    }


def _crossing_proof() -> str | None:
    """Term by term: e^{-y_k f_k} <y_i x_i, y_k x_k> with <y_i x_i, y_k x_k> >= mu |x_i| |x_k|."""
    import z3

    pull, product, bound = z3.Reals("pull product bound")
    return steps(
        drift_proof(),
        in_words("for the exponential loss |dl_k| = e^{-y_k f(x_k)}, and |v| = |w|"),
        by_smt(
            lambda: z3.Implies(z3.And(pull > 0, product >= bound), pull * product >= pull * bound),
            "with mu |x_i| |x_k| as the bound of a product, each term is at least that of the right side",
        ),
    )


both = crossing.but(derived=[positive, negative, exponentials, mu, floors])


@both.claim("r2", "and E.5, with the right-hand side of the flow", proof=_crossing_proof, recorded="proved", cost=4.0)
@mutants(
    changed("the gradient itself", positive=reversed_sign),
    changed("the gradient itself, of a negative neuron", negative=reversed_sign),
    scaled("101/100", BOUND),
    without(separated),
    without(not_dead),
)
def the_flow_crosses_in_the_direction_of_the_label(
    data: Dataset,
    positive: BalancedState,
    negative: BalancedState,
    exponentials: dict[int, BalancedState],
    floors: dict[int, Array],
) -> Margin:
    r"""For the flow $\dot w_j=-\nabla_{w_j}\mathcal L$ and $w_j\notin S_{dead}$:
    $y_i\,\mathrm{sign}(v_j)\langle x_i,\dot w_j\rangle>0$ for all $i$, and for the exponential loss it is at least
    $\sum_k\mathbf 1_{\langle x_k,w_j\rangle>0}e^{-y_kf(x_k)}\mu\|x_k\|\|x_i\|\|w_j\|$.

    Convention: the printed formula for the derivative is that of -grad L, and is used here; S_dead empty is read as:
    w_j is not dead.
    """
    signs = [less(0, _along(data, state, own), f"{SIGNS}dw_j/dt>") for own, state in ((1, positive), (-1, negative))]
    bounds = [at_least(_along(data, state, own), floors[own], BOUND) for own, state in exponentials.items()]
    return all_of(*signs, *bounds)
