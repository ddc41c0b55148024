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
from refute.decide.proof import by_smt, in_words, steps
from refute.decide.symbolic import by_identity
from refute.functions import sign, squared_norm
from refute.models.geometry.elimination import rank
from refute.models.zhang2024.low_rank import LowRank
from refute.models.zhang2024.small_runs import SEEDS, misfit, train

equation = section("zhang2024", "eq_40", "Eq. (40)", derived=[low], recorded="proved", cost=2.0)


def _norm_of_a_layer() -> str | None:
    """With |rho_l^+|^2 = |rho_l^-|^2 = 1 for rho_l = sqrt(2) r_l, and |a b^T| = |a| |b|."""
    import sympy

    v, plus, minus, above, below = sympy.symbols("v p m q n", real=True)
    half = {plus: 1, minus: 1, above: 1, below: 1}  # squared norms of the parts of two neighbouring rays
    outer, blocks = v**2 * (plus + minus), v**2 * (above * plus + below * minus)
    words = "unit vectors r_l with equal parts have |rho_l^+|^2 = |rho_l^-|^2 = 1, and |a b^T|^2 = |a|^2 |b|^2"
    return steps(
        by_identity(lambda: [each.subs(half) - 2 * v**2 for each in (outer, blocks)], "each layer has |W_l|^2 = 2 v^2"),
        in_words(words),
    )


def _sign_of_a_product() -> str | None:
    """Of the entries a, b of two rays, neither of which is zero: a b or 0, by whether their signs agree."""
    import z3

    a, b, v = z3.Reals("a b v")
    entry = z3.If((a > 0) == (b > 0), v * a * b, z3.RealVal(0))
    signs = z3.And(entry >= 0, (entry > 0) == (a * b > 0), z3.Implies(entry == 0, a * b < 0))
    known = z3.And(a != 0, b != 0, v > 0)
    return by_smt(
        lambda: z3.Implies(known, signs), "an entry is not negative; it is positive with a b, and zero when a b < 0"
    )


def _two_blocks() -> str | None:
    """Rank two: the blocks are nonzero outer products in rows and columns of their own."""
    words = (
        "each block is the outer product of two vectors without zeros, in rows and columns of its own: rank one each"
    )
    return steps(_sign_of_a_product(), in_words(words))


@equation.claim("layer_norm", "with the meaning of u", given=FORM, assumes=[equal_parts], proof=_norm_of_a_layer)
@mutants(without(equal_parts), scaled("99/100"))
def every_layer_has_norm_u(low: LowRank) -> Margin:
    r"""Every layer of (40) has Frobenius norm $u$, if $\|r_l^+\|=\|r_l^-\|$."""
    norms = np.array([squared_norm(matrix) for matrix in low.weights])
    return equal(norms, 2 * low.v * low.v, "|W_l|^2 against u^2")


@equation.claim("nonnegative_rank_two", "text after it", given=DEEPER, assumes=[both_signs], proof=_two_blocks)
@mutants(without(both_signs), scaled("1/2", "rank"), shifted("1/100", "entries"))
def intermediate_layers_are_nonnegative_of_rank_two(low: LowRank) -> Margin:
    r"""The intermediate layers of (40) are entrywise non-negative and have rank two.

    Convention: both blocks of (40b) are there: each r_l has positive and negative entries.
    """
    middle = low.weights[1:-1]
    ranks = [equal(rank(matrix), 2, "rank") for matrix in middle]
    return all_of(*ranks, *[at_least(matrix, 0, "entries") for matrix in middle])


@equation.claim("sign_correspondence", "text after it", given=DEEPER, proof=_sign_of_a_product)
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


@equation.claim("trained_form", kind=Kind.EXPERIMENT, instances=[{"depth": 3, "scale": 0.01}], recorded="supported")
@mutants(moved("already when the loss is halved", part=0.5), scaled("1/100"))
def trained_relu_weights_have_the_form_40(depth: int, scale: float, *, part: float = 1e-4) -> Margin:
    r"""Trained ReLU weights are approximately (40), with $r,r_1$ read off $W_1$, $r_2$ off $W_3$ and $u=\|W_3\|$.

    Convention: 8 pairs in 3 dimensions, width 50, three seeds, gamma = 0.01; approximately: each layer within a tenth
    of its norm.
    """
    gaps = [misfit(train(depth, scale, seed).when(part)) for seed in SEEDS]
    return at_most(np.array(gaps), 0.1, "relative distance of a layer from (40), by seed")
