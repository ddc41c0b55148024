r"""Appendix F.1: equal norms of the positive and negative parts of each $r_l$, and alignment of layers."""

import numpy as np

from refute import Kind, Margin, all_of, at_least, at_most, equal, moved, mutants, scaled, section
from refute.claims.zhang2024.assumptions import nonempty_half_space
from refute.claims.zhang2024.deep_setting import DEEP, low
from refute.functions import sign
from refute.models.zhang2024.low_rank import LowRank, part, relu
from refute.models.zhang2024.small_runs import SEEDS, imbalance, misfit, row_alignment, train

appendix = section("zhang2024", "f1", "F.1", recorded="supported")
trained = appendix.but("text before Eq. (41)", kind=Kind.EXPERIMENT, instances=[{"scale": 0.01}])
FIVE = range(5)


def _when_formed(scale: float, width: int, seed: int) -> float:
    """The imbalance at the first record with weights within a twentieth of the form (40), or at the last one."""
    found = train(3, scale, seed, 0.0, width).weights
    return imbalance(next((weights for weights in found if misfit(weights) < 0.05), found[-1]))


@trained.claim("equal_norm_justification")
@mutants(scaled("1/10"))
def norms_are_equal_when_the_weights_form(scale: float) -> Margin:
    r"""R0: once the weights have the form (40), $\|r_l^+\|=\|r_l^-\|$ approximately.

    The text derives it from the limit of infinite width. It holds at every width tried, since both half spaces then
    have nearly the same map; while the weights are still a tenth away from (40) it may be off by a fifth.

    Convention: R0: when the weights have come within a twentieth of the form (40); equal: within a twentieth as
    well; five seeds, widths 25 and 100.
    """
    found = [_when_formed(scale, width, seed) for width in (25, 100) for seed in FIVE]
    return at_most(np.array(found), 0.05, "||r^+|^2 - |r^-|^2| by width and seed")


@trained.claim("equal_norm_justification.r1")
@mutants(moved("already when a tenth of the loss is gone", part=0.9), scaled("1/500"))
def norms_are_equal_at_the_end(scale: float, *, part: float = 1e-4) -> Margin:
    r"""R1: $\|r_l^+\|=\|r_l^-\|$ holds when training has ended, at every width tried: not a consequence of the width,
    but of the fit, since both half spaces then have the same map.

    Convention: R1: at the end of training, loss below 1e-4 of the first; equal: within 1/20; five seeds, widths 25
    and 100.
    """
    found = [imbalance(train(3, scale, seed, 0.0, width).when(part)) for width in (25, 100) for seed in FIVE]
    return at_most(np.array(found), 0.05, "||r^+|^2 - |r^-|^2| by width and seed")


@trained.claim("equal_norm_justification.r2", recorded="against")
def norms_become_equal_with_the_width_from_the_start(scale: float) -> Margin:
    r"""R2, a probe: $\|r_l^+\|=\|r_l^-\|$ is approached with the width already when the first block has formed, visibly
    so from 25 to 100.

    Fails: the median imbalance is 1.00, 1.00, 0.98 and 1.00 at the widths 12, 25, 50 and 100, without a trend. At this
    time $W_2$ has rank one and not yet the form (40). The limit of infinite width, of which the text speaks, is not
    refuted by this: it would show from widths of order $\gamma^{-2}$ on. The reason: let $a_\pm$ be the strengths of
    the two blocks. At L = 3 both grow like $\dot a=\tfrac s2a^2$ until the first is of order one, so
    $1/a_-=1/a_++\delta/a_0$, with $a_0\ll\gamma$ at the start and $\delta$ their relative difference then. Unless
    $\delta\ll\gamma$ the stronger block is learnt alone, and the loss rests at one half before the other follows.

    Convention: R2: at nine tenths of the loss; tested: the imbalance (median of 5 seeds) falls by at least a
    quarter from width 25 to 100, where a law 1/sqrt(width) would halve it.
    """
    narrow, wide = (
        float(np.median([imbalance(train(3, scale, seed, 0.0, width).when(0.9)) for seed in FIVE]))
        for width in (25, 100)
    )
    return at_most(wide, 0.75 * narrow, "median of ||r^+|^2 - |r^-|^2| at width 100 against 3/4 of that at width 25")


@appendix.claim("alignment", "last paragraph", given=DEEP, assumes=[nonempty_half_space], derived=[low], cost=2.0)
@mutants(*(scaled("99/100", line) for line in ("W_1 x", "sigma(W_1 x)", "rows")))
def rows_align_with_the_layer_input(low: LowRank) -> Margin:
    r"""Rows of $W_2$ are parallel to $r_1$ (linear network), to $[r_1^{+\top}\ 0]$ or $[0\ r_1^{-\top}]$ (ReLU
    network), and the layer input $\sigma(W_1x)$ is $u[r_1^+;0]r^\top x$ for $r^\top x>0$ and $u[0;r_1^-]r^\top x$ for
    $r^\top x<0$.

    Convention: parallel: every row is a multiple; the linear network has W_2 = u r_2 r_1^T.
    """
    ray, z = low.rays[0], low.projections
    signal = low.data.inputs @ low.weights[0].T
    halves = np.array([part(ray, 1 if sign(value) >= 0 else -1) for value in z])
    rows = np.array([low.v * above * part(ray, sign(above)) for above in low.rays[1]])
    return all_of(
        equal(signal, low.v * np.outer(z, ray), "W_1 x against u r_1 r.x"),
        equal(relu(signal), low.v * z[:, None] * halves, "sigma(W_1 x) against the half of r_1"),
        equal(low.weights[1], rows, "rows of W_2 against multiples of a half of r_1"),
    )


@appendix.claim("alignment_conjecture", "last paragraph", kind=Kind.EXPERIMENT, instances=[{"depth": 3, "scale": 0.01}])
@mutants(moved("aligned before the loss moves by a millionth", part=1 - 1e-6), scaled("1/10", "before"))
def rows_align_with_the_layer_input_during_training(depth: int, scale: float, *, part: float = 1e-4) -> Margin:
    r"""The conjecture says that (40) is for ReLU networks what alignment of layers is for linear ones. What is tested
    is its visible part: rows of $W_2$ come to point along $[r_1^{+\top}\ 0]$ or $[0\ r_1^{-\top}]$, the two inputs of
    their layer, and do not at first. That one is the cause of the other is not tested.

    Convention: 8 pairs in 3 dimensions, width 50, three seeds, gamma = 0.01; tested: rows of W_2 against their layer
    input, cosine below 0.5 at first, above 0.95 at the end.
    """
    runs = [train(depth, scale, seed) for seed in SEEDS]
    first, last = np.array([[row_alignment(found) for found in (run.weights[0], run.when(part))] for run in runs]).T
    return all_of(at_most(first, 0.5, "before training: mean cosine"), at_least(last, 0.95, "at the end: mean cosine"))
