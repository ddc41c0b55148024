r"""The first sentence of section 7: which interpolators make up $\Theta_{v^*}$."""

from refute import Fault, Margin, all_of, changed, scaled, section, without
from refute.arithmetic.numbers import Array
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTION_1_SQUARE,
    balanced_rank_one,
    is_balanced_rank_one,
    one_direction,
)
from refute.claims.chistikov2023.setting import in_theta, member
from refute.models import Dataset, TwoLayer
from refute.strategies.chistikov2023.interpolators import NETWORKS

theta = section(
    "chistikov2023",
    "theta_vstar",
    "section 7, first sentence",
    given=NETWORKS,
    assumes=[*ASSUMPTION_1_SQUARE, balanced_rank_one],
    derived=[member],
)


@theta.claim("is_balanced_rank_one_interpolators", "section 1", recorded="refuted", fault=Fault.MISSING_HYPOTHESIS)
def theta_is_the_set_of_balanced_rank_one_interpolators(
    teacher: Array, data: Dataset, net: TwoLayer, member: TwoLayer
) -> Margin:
    r"""$\Theta_{v^*}$ is the set of balanced networks of loss 0 and rank 1.

    Neurons on both sides of one line have rank 1 too: $\sigma(w^\top x)+t\,\sigma(-w^\top x)$ fits positive labels of
    independent points when $w^\top x_i=y_i$ on some of them and $-y_i/t$ on the others. With $v^*=(1,0)$, $x_1=(2,1)$,
    $x_2=(9,-8)$: $w=(3,4)/5$, $t=9$.

    Convention: the rank of a network is that of its inner weights.
    """
    return all_of(is_balanced_rank_one(data, member), in_theta(net, teacher))


theta_is_the_set_of_balanced_rank_one_interpolators.amended(
    "Amended: all nonzero neurons point in one direction.",
    assumes=[*theta.assumes, one_direction],
    recorded="supported",
    mutants=[
        changed("its first neuron alone", net=lambda net: net.with_weights(net.inner[:1], net.outer[:1])),
        scaled("101/100", "w_j"),
        without(one_direction),
        without(balanced_rank_one),
    ],
    cost=2,
)
