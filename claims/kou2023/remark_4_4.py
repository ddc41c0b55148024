r"""Remark 4.4 with the statement of Lemma F.3: ReLU networks on orthogonal data, their patterns and stable ranks.

Networks start from Gaussian weights with C = 10 and $\delta=\frac12$, on inputs $e_1,\ldots,e_n$ of which the first
half has label 1.
"""

import numpy as np
from numpy.typing import NDArray

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    at_most,
    changed,
    derived,
    equal,
    eventually,
    less,
    moved,
    mutants,
    scaled,
    section,
    shifted,
    suppose,
    tends_to,
    without,
)
from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import orthogonal
from refute.claims.kou2023.relu_runs import GENERIC, STAGE
from refute.claims.kou2023.theorem_4_3 import stable_ranks
from refute.functions import absolute, sign
from refute.language.limits import HORIZONS
from refute.models import Dataset, TwoLayer
from refute.models.geometry.stable_rank import stable_rank
from refute.models.kou2023.decomposition import first_step_after, stage_length, unroll_long
from refute.models.kou2023.gaussian import gaussian_run
from refute.strategies.kou2023.nearly_orthogonal import relu_training, with_factors

Bools = NDArray[np.bool_]
Rng = np.random.Generator
FURTHEST = 1e6

main = section("kou2023", "remark_4_4", "Remark 4.4", kind=Kind.ASYMPTOTIC)


@derived
def first(data: Dataset, net: TwoLayer, rate: Number) -> int:
    """The first step after T, with C = 2."""
    return first_step_after(stage_length(net, data, rate, STAGE))


@derived
def other(net: TwoLayer, factors: NDArray[np.float64]) -> TwoLayer:
    """Every weight times a positive factor."""
    return TwoLayer(net.inner * factors[: net.width, : net.inner.shape[1]], net.outer, net.slope)


def _patterns(net: TwoLayer, data: Dataset, rate: Number, first: int) -> Bools:
    """Where signals are positive at some times from `first` on: (time, j, r, i)."""
    times = np.geomspace(first, FURTHEST, 12)
    return np.asarray(unroll_long(net, data, rate=rate, times=times, direct=1, freeze=2000).signals > 0)


patterns = main.but(
    kind=Kind.DYNAMICS,
    given=with_factors(relu_training(constants=(100,))),
    assumes=GENERIC,
    derived=[first, other],
    recorded="supported",
    cost=0.3,
)


@patterns.claim("pattern_from_init")
@mutants(changed("from the first step on", first=lambda _: 1), without(orthogonal))
def the_pattern_depends_on_the_initial_pattern_only(
    data: Dataset, net: TwoLayer, rate: Number, other: TwoLayer, first: int
) -> Margin:
    r"""On orthogonal data two starts with the same signs of all $\langle w_{j,r}^{(0)},x_i\rangle$ have the same signs
    after time T.

    Convention: weights of the second start are those of the first times positive factors; t from T to $10^6$.
    """
    begin = [sign(start.inner @ data.inputs.T) for start in (net, other)]
    suppose(bool((begin[0] == begin[1]).all()), "equal signs at the start")
    mine, others = (_patterns(start, data, rate, first) for start in (net, other))
    count = min(len(mine), len(others))
    return equal(mine[:count].astype(float), others[:count].astype(float), "patterns")


def _limits(rng: Rng, size: int, width: int, slope: float = 0.0) -> Enclosed:
    """The stable ranks of W_{+1} and W_{-1} at the horizons, for `size` samples of either label."""
    course = gaussian_run(rng, [1] * size + [-1] * size, width, 2 * size, HORIZONS, slope)
    return stable_ranks(course)


def _about(ranks: Enclosed, target: Number, within: Number) -> Margin:
    gaps = absolute(ranks - target)
    return eventually(lambda k: at_most(gaps[k], within, "|stable rank - 2|"), "ranks", at=range(len(HORIZONS)))


@main.claim("stable_rank_two.r1", instances=[{"size": 1}], recorded="against", fault=Fault.BOUNDARY)
def the_stable_rank_is_about_two_for_all_sizes(size: int, *, rng: Rng) -> Margin:
    r"""On orthogonal data the stable rank of $W_j^{(t)}$ converges to approximately 2, for all sizes.

    Fails for few samples: the limit of $W_j/\log t$ has one column per sample of class j, so with one sample its stable
    rank is 1. The remark speaks of the example of Lemma F.3, where sizes are large.

    Convention: approximately: within 1/2; one sample of either label, m = 64.
    """
    return _about(_limits(rng, size, 64), 2, 0.5)


@main.claim(
    "stable_rank_two.r2", instances=[{"size": 40, "width": 60}, {"size": 60, "width": 90}], recorded="supported"
)
@mutants(moved("approximately 8/5", target=1.6), moved("approximately 12/5", target=2.4))
def the_stable_rank_is_about_two_for_many_samples(size: int, width: int, *, rng: Rng, target: float = 2.0) -> Margin:
    r"""On many orthogonal inputs and with many neurons the stable rank of $W_j^{(t)}$ converges to approximately 2.

    Convention: approximately: within 1/4, which is our choice; 40 samples of either label with m = 60, and 60 with
    m = 90.
    """
    return _about(_limits(rng, size, width), target, 0.25)


@main.claim(
    "relu_higher_than_leaky", instances=[{"size": 2, "width": 20}, {"size": 20, "width": 40}], recorded="supported"
)
@mutants(scaled("2/5", "leaky"), shifted("1/100", "leaky stable rank"))
def relu_networks_keep_a_higher_stable_rank(size: int, width: int, *, rng: Rng) -> Margin:
    r"""The limiting stable rank of a ReLU network on orthogonal data is higher than that of a leaky ReLU network, which
    is 1.

    Convention: the same inputs and Gaussian start, slopes 0 and 1/4; at least two samples of either label.
    """
    seed = int(rng.integers(2**32))
    relu, leaky = (_limits(np.random.default_rng(seed), size, width, slope) for slope in (0.0, 0.25))
    higher = eventually(lambda k: less(leaky[k], relu[k], "leaky"), "ranks", at=range(len(HORIZONS)))
    return all_of(higher, tends_to(leaky - 1, 0, "leaky stable rank - 1"))


@section("kou2023", "lemma_f3", "Lemma F.3", kind=Kind.ASYMPTOTIC).claim(
    "existence", instances=[{"starts": 16}], recorded="supported"
)
@mutants(moved("16/9", target=16 / 9), moved("5/2", target=2.5), scaled("1/2"))
def orthogonal_data_with_stable_rank_two_exist(starts: int, *, rng: Rng, target: float = 2.0) -> Margin:
    r"""There are mutually orthogonal data for which the stable rank of $W_j^{(t)}$ converges to $2+o(1)$.

    Convention: data of the proof, $x_i=e_i$ with n even and labels by halves, and $m=n/2$; the limit in t is taken in
    closed form, with columns $m/|S_i|$ on the active neurons. $o(1)$, whose variable is not said: from m = 16 to 128
    the mean distance from 2 falls by a quarter at least whenever m doubles.
    """

    def limit(m: int) -> Number:
        active = rng.random((m, m)) < 0.5
        return stable_rank(active * (m / np.maximum(active.sum(axis=0), 1)))

    gaps = np.array([np.mean([abs(limit(m) - target) for _ in range(starts)]) for m in (16, 32, 64, 128)])
    return at_most(gaps[1:], 0.75 * gaps[:-1], "distance of the stable rank from 2")
