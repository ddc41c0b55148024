r"""Eq. (40): the weights of trained deep ReLU networks, $W_1=u\,r_1r^\top$,
$W_l=u\,\mathrm{diag}(\sqrt2r_l^+r_{l-1}^{+\top},\sqrt2r_l^-r_{l-1}^{-\top})$, $W_L=u\,r_{L-1}^\top$.
"""

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    equal,
    flipped,
    less,
    moved,
    mutants,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.assumptions import both_signs, equal_parts
from refute.claims.zhang2024.deep_setting import DEEPER, FORM, low
from refute.functions import sign, squared_norm
from refute.models.geometry.elimination import rank
from refute.models.zhang2024.low_rank import LowRank
from refute.models.zhang2024.small_runs import SEEDS, misfit, train

equation = section("zhang2024", "eq_40", "Eq. (40)", derived=[low], recorded="supported", cost=2.0)


@equation.claim("layer_norm", "with the meaning of u", given=FORM, assumes=[equal_parts])
@mutants(without(equal_parts), scaled("99/100"))
def every_layer_has_norm_u(low: LowRank) -> Margin:
    r"""Every layer of (40) has Frobenius norm $u$, if $\|r_l^+\|=\|r_l^-\|$."""
    norms = np.array([squared_norm(matrix) for matrix in low.weights])
    return equal(norms, 2 * low.v * low.v, "|W_l|^2 against u^2")


@equation.claim("nonnegative_rank_two", "text after it", given=DEEPER, assumes=[both_signs])
@mutants(without(both_signs), scaled("1/2", "rank"), shifted("1/100", "entries"))
def intermediate_layers_are_nonnegative_of_rank_two(low: LowRank) -> Margin:
    r"""The intermediate layers of (40) are entrywise non-negative and have rank two.

    Convention: both blocks of (40b) are there: each r_l has positive and negative entries.
    """
    middle = low.weights[1:-1]
    ranks = [equal(rank(matrix), 2, "rank") for matrix in middle]
    return all_of(*ranks, *[at_least(matrix, 0, "entries") for matrix in middle])


@equation.claim("sign_correspondence", "text after it", given=DEEPER)
@mutants(flipped("positive"), flipped("zero"))
def zeros_stand_where_linear_weights_are_negative(low: LowRank) -> Margin:
    r"""Entries positive in (40) are positive in (39), $W_l=u\,r_lr_{l-1}^\top$; entries zero in (40) are negative in
    (39).

    Convention: (39) and (40) with the same r_l, no entry of which is zero.
    """
    margins = []
    for level in low.between:
        linear: Array = np.outer(low.rays[level], low.rays[level - 1])
        positive = np.asarray(sign(low.weights[level])) > 0
        margins.append(less(0, linear[positive], "positive entries of the ReLU network, in the linear one"))
        margins.append(less(linear[~positive], 0, "zero entries of the ReLU network, in the linear one"))
    return all_of(*margins)


@equation.claim("trained_form", kind=Kind.EXPERIMENT, instances=[{"depth": 3, "scale": 0.01}])
@mutants(moved("already when the loss is halved", part=0.5), scaled("1/100"))
def trained_relu_weights_have_the_form_40(depth: int, scale: float, *, part: float = 1e-4) -> Margin:
    r"""Trained ReLU weights are approximately (40), with $r,r_1$ read off $W_1$, $r_2$ off $W_3$ and $u=\|W_3\|$.

    Convention: 8 pairs in 3 dimensions, width 50, three seeds, gamma = 0.01; approximately: each layer within a tenth
    of its norm.
    """
    gaps = [misfit(train(depth, scale, seed).when(part)) for seed in SEEDS]
    return at_most(np.array(gaps), 0.1, "relative distance of a layer from (40), by seed")
