r"""The digest, open question 1: do deep ReLU networks come to the low-rank weights (40), and keep them?

Proposition 12 and Conjecture 11 of the longer version, known from the digest only. None of its sentences is printed in
the paper.
"""

import numpy as np

from refute import Kind, Margin, all_of, at_most, equal, instead, moved, mutants, scaled, section
from refute.claims.zhang2024.deep_setting import DROPS, FORM, SYMMETRIC, low
from refute.claims.zhang2024.section_f2 import TIMES, at_slope_one, keeps_the_form, run
from refute.models.zhang2024.low_rank import LowRank
from refute.models.zhang2024.low_rank_flow import LowRankFlow
from refute.models.zhang2024.small_runs import SEEDS, misfit, tilted_run, train

question = section("zhang2024", "summary", "digest, open question 1", recorded="supported", printed=False)


proposition = question.but(kind=Kind.DYNAMICS, given=FORM, assumes=SYMMETRIC, derived=[low, run], convention=TIMES)


@proposition.claim("proposition_12_low_rank_is_kept", "Proposition 12")
@mutants(
    *DROPS, instead("with sigma'(0) = 1", at_slope_one), scaled("1001/1000", "f("), scaled("1001/1000", "|r(t)|^2")
)
def low_rank_weights_keep_a_linear_map(low: LowRank, run: LowRankFlow) -> Margin:
    r"""Weights of the form (40) keep it along the flow and implement the linear map $f(x;W(t))=(u/\sqrt2)^Lr(t)^\top x$
    all the time.
    """
    inputs = np.asarray(low.data.inputs, dtype=float)
    points = np.vstack([inputs, np.eye(inputs.shape[1]), 0.5 - inputs])
    margins = [keeps_the_form(run)]
    for k in range(len(run.time)):
        linear = run.v(k) ** (low.depth - 1) * (points @ run.vr(k))
        margins.append(equal(run.output(k, points), linear, "f(x; W(t)) against (u/sqrt(2))^L r.x"))
    return all_of(*margins)


conjecture = question.but("digest, open question 1, Conjecture 11; section 4.2", kind=Kind.EXPERIMENT)


@conjecture.claim("conjecture_11_low_rank_forms", instances=[{"scale": 0.001}], recorded="against")
def deep_relu_networks_always_become_low_rank(scale: float) -> Margin:
    r"""Deep ReLU networks trained from small weights on even inputs with a linear target necessarily come to the form
    (40).

    One run on data that are not white speaks against it: 8 pairs in three dimensions, width 15. The loss goes to zero,
    but the rows of $W_1$ that belong to one block point in several directions, and $W_1$ is an eighth of its norm away
    from rank one. The distance is 0.135, 0.120 and 0.122 at $\gamma=10^{-2},10^{-3},10^{-4}$ (at $10^{-4}$ of the first
    loss), so it does not seem to vanish in the limit; a proof this is not. Why: the stronger block is learnt first and
    turns from $\bar\beta$ to the direction of the target. The other then sees labels on its own half space only, where
    its neurons have no common direction, and data cross their boundaries one by one.

    Convention: necessarily, from small weights: each layer within a twentieth of its norm of (40) when the loss is
    practically zero.
    """
    found = tilted_run(float(scale))
    left = found.loss[-1] / found.loss[0]
    return at_most(misfit(found.weights[-1]), 0.05, f"relative distance from (40) at {left:.1e} of the first loss")


@conjecture.claim("conjecture_11_low_rank_forms.amended", instances=[{"large": 0.1, "small": 0.01}])
@mutants(
    scaled("1/50", "against").called("fifty times nearer"),
    moved("already when the loss is halved", part=0.5),
    scaled("1/50", "relative distance").called("within 1/1000"),
)
def deep_relu_networks_become_low_rank_on_white_inputs(large: float, small: float, *, part: float = 1e-4) -> Margin:
    r"""Amended: with white inputs, $\Sigma=I$, the final distance from (40) is small for $\gamma=10^{-2}$, and at most
    half of that for $\gamma=10^{-1}$.

    Convention: white inputs, 8 pairs in 3 dimensions, width 50, L = 3, three seeds; no seed was left out.
    """
    far, near = (np.array([misfit(train(3, g, s).when(part)) for s in SEEDS]) for g in (large, small))
    return all_of(
        at_most(near, 0.05, "relative distance from (40) by seed"),
        at_most(near, far / 2, "against half of that at the larger scale, by seed"),
    )
