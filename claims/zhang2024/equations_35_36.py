r"""Appendix E.2, Eqs. (35) and (36): the reduced flow in rescaled weights, and what it conserves.

In identities matrices are non-commuting symbols, so that they hold in every dimension and width.
"""

from typing import Any

import numpy as np

from refute import Margin, equal, identity, instead, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.assumptions import rank_one
from refute.claims.zhang2024.pairs import gate_times_argument, gate_times_argument_at_rank_one
from refute.claims.zhang2024.setting import KINKS, OPEN_SLOPE
from refute.models import Dataset, TwoLayer
from refute.models.gradient import descent_direction
from refute.models.loss import SQUARE
from refute.models.zhang2024.fields import slope_at_zero
from refute.strategies import dataset, sized, two_layer

NEARLY = "100001/100000"


def _symbols() -> tuple[Any, ...]:
    """half, and W1, W1^T, W2, W2^T, Sigma, beta, beta^T as matrices."""
    import sympy

    names = "W1 W1t W2 W2t Sigma beta betat"
    return (sympy.Symbol("alpha", nonnegative=True) + 1) / 2, *sympy.symbols(names, commutative=False)


@identity("zhang2024.eq_35.rescaled_dynamics", "Eq. (35) and the display after it", recorded="proved")
@mutants(scaled(NEARLY, "first layer"), scaled(NEARLY, "second layer"), scaled(NEARLY, "V2 V1"))
def rescaled_weights_follow_the_linear_flow() -> Any:
    r"""With $V_i=\sqrt{\tfrac{\alpha+1}{2}}\,W_i$ the reduced flow (34) becomes the linear flow (8) with another time
    constant: $\tfrac{2\tau}{\alpha+1}\dot V_1=V_2^\top(\beta^\top-V_2V_1\Sigma)$ and
    $\tfrac{2\tau}{\alpha+1}\dot V_2=(\beta^\top-V_2V_1\Sigma)V_1^\top$.

    The scaling factors of Theorem 5 are read off here.
    """
    import sympy

    half, W1, W1t, W2, W2t, S, _, bt = _symbols()
    c = sympy.sqrt(half)
    V1, V1t, V2, V2t = c * W1, c * W1t, c * W2, c * W2t
    first, second = half * W2t * bt - half**2 * W2t * W2 * W1 * S, half * bt * W1t - half**2 * W2 * W1 * S * W1t
    lines = {
        "first layer": (c / half * first, V2t * (bt - V2 * V1 * S)),
        "second layer": (c / half * second, (bt - V2 * V1 * S) * V1t),
        "V2 V1": (V2 * V1, half * W2 * W1),
    }
    return {name: tuple(map(sympy.expand, sides)) for name, sides in lines.items()}


@identity("zhang2024.eq_36.balancing", "Eq. (36)", recorded="proved")
@mutants(scaled(NEARLY), scaled(-1))
def reduced_flow_conserves_the_balance() -> Any:
    r"""$\frac d{dt}(W_1W_1^\top-W_2^\top W_2)=0$ along the reduced flow (34).

    Convention: the field (34) at arbitrary weights; matrices are non-commuting symbols
    """
    import sympy

    half, W1, W1t, W2, W2t, S, b, bt = _symbols()
    d1, d1t = half * W2t * bt - half**2 * W2t * W2 * W1 * S, half * b * W2 - half**2 * S * W1t * W2t * W2
    d2, d2t = half * bt * W1t - half**2 * W2 * W1 * S * W1t, half * W1 * b - half**2 * W1 * S * W1t * W2t
    return {"balance": (sympy.expand(d1 * W1t + W1 * d1t), sympy.expand(d2t * W2 + W2t * d2))}


flow = section(
    "zhang2024",
    "eq_36.balancing",
    "Eq. (36)",
    given=sized(net=two_layer, data=dataset, kink=KINKS, width=(2, 4)),
    recorded="proved",
    convention=OPEN_SLOPE,
    cost=2.0,
)


def _changes(net: TwoLayer, data: Dataset, at_zero: Number) -> tuple[Array, Array]:
    """The derivatives of W1 W1^T and of W2^T W2."""
    inner, outer = descent_direction(net, data, SQUARE, at_zero)
    first, second = inner @ net.inner.T, outer[:, None] * net.outer[None, :]
    return first + first.T, second + second.T


@flow.claim("r1", assumes=[rank_one], proof=gate_times_argument_at_rank_one)
@mutants(without(rank_one), scaled(NEARLY))
def relu_flow_conserves_the_balance_at_rank_one(net: TwoLayer, data: Dataset, kink: str) -> Margin:
    r"""R1: $\frac d{dt}(W_1W_1^\top-W_2^\top W_2)=0$ for the (leaky) ReLU flow (6) at rank-one weights
    $W_1=W_2^\top r^\top$, on any data.

    Both products are $W_2^\top\langle g\,\sigma(W_1x)^\top\rangle$ or its transpose, with g the residual, since
    $\sigma'(z)z=\sigma(z)$.

    Neither Condition 3 nor equal norms are needed.
    """
    return equal(*_changes(net, data, slope_at_zero(kink, net.slope)), "d/dt W1 W1^T against d/dt W2^T W2")


@flow.claim("r2", proof=gate_times_argument)
@mutants(instead("all entries", relu_flow_conserves_the_balance_at_rank_one.conclusion), scaled(NEARLY))
def every_neuron_conserves_its_balance(net: TwoLayer, data: Dataset, kink: str) -> Margin:
    r"""R2: $\frac d{dt}(\|w_{1h}\|^2-w_{2h}^2)=0$ for each neuron, without any condition; off the diagonal the balance
    is not kept.
    """
    first, second = _changes(net, data, slope_at_zero(kink, net.slope))
    return equal(np.diagonal(first), np.diagonal(second), "d/dt |w_1h|^2 against d/dt w_2h^2")
