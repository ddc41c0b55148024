r"""Eq. (39): the weights of trained deep linear networks, and why all layers have one norm."""

from itertools import pairwise

import numpy as np

from refute import Kind, Margin, all_of, at_least, at_most, equal, moved, mutants, scaled, section
from refute.arithmetic.numbers import Number
from refute.claims.zhang2024.pairs import gate_times_argument
from refute.decide.proof import in_words, steps
from refute.models import Dataset, DeepNetwork
from refute.models.zhang2024.fields import deep_factors
from refute.models.zhang2024.small_runs import SEEDS, alignment, ratios, train
from refute.strategies import dataset, deep, sized, slopes

equation = section("zhang2024", "eq_39", "Eq. (39)")


def _every_layer_carries_the_output() -> str | None:
    by_layer = "by layer from the top, (dh_L/dh_l).h_l = f, so the sum of W_l dL/dW_l is -<(y - f) f> for every l"
    return steps(gate_times_argument(), in_words(by_layer))


DEPTHS = [{"depth": 3, "scale": 0.01}, {"depth": 4, "scale": 0.2}]


@equation.claim("linear_rank_one", kind=Kind.EXPERIMENT, instances=DEPTHS, recorded="supported")
@mutants(moved("before training", part=2.0), scaled("1/100", "second singular value"))
def deep_linear_networks_become_rank_one_and_aligned(depth: int, scale: float, *, part: float = 1e-4) -> Margin:
    r"""Trained deep linear networks have weights $W_1=u\,r_1r^\top$, $W_l=u\,r_lr_{l-1}^\top$,
    $W_L=u\,r_{L-1}^\top$.

    Convention: 8 pairs in 3 dimensions, width 50, three seeds; L = 3 with gamma = 0.01, L = 4 with gamma = 0.2; rank
    one: second singular value below gamma times the first; aligned: cosines above 0.99.
    """
    found = [train(depth, scale, seed, 1.0).when(part) for seed in SEEDS]
    seconds = [ratios(matrix)[1] for weights in found for matrix in weights[:-1]]
    cosines = [alignment(*pair) for weights in found for pair in pairwise(weights)]
    return all_of(
        at_most(np.array(seconds), scale, "second singular value over the first"),
        at_least(np.array(cosines), 0.99, "cosine of neighbouring layers"),
    )


@equation.claim(
    "equal_layer_norms",
    "text after it",
    given=sized(net=deep, data=dataset, width=(1, 3), depth=(2, 4), at_zero=slopes()),
    proof=_every_layer_carries_the_output,
    recorded="proved",
    cost=2.0,
)
@mutants(scaled("99/100"))
def squared_norms_of_all_layers_move_together(net: DeepNetwork, data: Dataset, at_zero: Number) -> Margin:
    r"""$\|W_{l+1}\|^2-\|W_l\|^2$ is constant along the flow, so layers that start with norms of order $\gamma$ have
    squared norms that differ by $O(\gamma^2)$ for all times: all layers have the same norm u as $\gamma\to0$.

    Convention: as the conservation law behind it, for linear and (leaky) ReLU networks, any data and any sigma'(0).
    """
    error = data.labels - net(data.inputs)
    factors = deep_factors(net.weights, net.slope, data, at_zero)
    gradients = [(above * error[:, None]).T @ below for above, below in factors]
    speeds = np.array([(w * g).sum() for w, g in zip(net.weights, gradients, strict=True)], dtype=object)
    return equal(speeds[1:], speeds[:-1], "d|W_l|^2/dt, halved")
