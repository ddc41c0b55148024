r"""Section 4.2 and appendix F.1: how trained deep networks come to the rank-one and rank-two weights (39), (40).

Each run: white inputs and their negatives, a linear target, all layers from $\mathcal N(0,\gamma^2/N_l)$, gradient
descent until the loss is practically zero; linear and ReLU networks start from the same weights. The sizes are small,
so that several seeds and depths fit into a check; Figure 3 has the printed ones. The two blocks of (40) rarely come at
once: one half space is mostly learnt first.
"""

from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, claim, equal, moved
from refute.arithmetic.numbers import Number
from refute.claims.zhang2024.flow_formulas import deep_factors
from refute.functions import squared_norm
from refute.models import Dataset, DeepNetwork
from refute.models.initialisation import small_deep_gaussian
from refute.models.zhang2024.from_small import FromSmall, descend_from_small, moments_only
from refute.strategies import dataset, deep, sized, slopes

Floats = NDArray[np.float64]
Layers = tuple[Floats, ...]

WIDTH, DIMENSION, PAIRS, RATE = 50, 3, 8, 0.05
STEPS = 200_000


@lru_cache(maxsize=64)
def even_data(seed: int) -> Dataset:
    """Pairs x, -x of Gaussian inputs, made white (Sigma = I), with a linear target of norm one."""
    rng = np.random.default_rng([seed, 1])
    half = np.sqrt(PAIRS) * np.linalg.qr(rng.standard_normal((PAIRS, DIMENSION)))[0]
    target = rng.standard_normal(DIMENSION)
    inputs = np.vstack([half, -half])
    return Dataset(inputs, inputs @ target / np.linalg.norm(target))


def train(depth: int, scale: float, seed: int, slope: float = 0.0, width: int = WIDTH) -> FromSmall:
    """One network; slope 1 is the linear one from the same initial weights."""
    return _trained(int(depth), float(scale), seed, slope, width)


@lru_cache(maxsize=256)
def _trained(depth: int, scale: float, seed: int, slope: float, width: int) -> FromSmall:
    data = even_data(seed)
    start = small_deep_gaussian(np.random.default_rng(seed), [DIMENSION, *[width] * (depth - 1), 1], scale)
    return descend_from_small(
        start, moments_only(data) if slope == 1 else data, rate=RATE, steps=STEPS, slope=slope, settled=1e-5
    )


def ratios(matrix: Floats) -> Floats:
    """Singular values over the largest one."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return np.asarray(values / values[0])


def cosine(a: Floats, b: Floats) -> float:
    """Of two arrays as vectors."""
    return float((a * b).sum() / (np.linalg.norm(a) * np.linalg.norm(b)))


def leading(matrix: Floats, other: Floats) -> Floats:
    """The leading left singular vector, with the sign that makes `other` positive along it."""
    found: Floats = np.linalg.svd(matrix)[0][:, 0]
    return found if found @ other >= 0 else -found


def misfit(weights: Layers, root: float = np.sqrt(2)) -> float:
    """Largest relative distance of a layer of a three-layer network from (40), with r_1 from W_1 and r_2 from W_3."""
    first, second, last = weights
    r2 = last[0] / np.linalg.norm(last)
    r1 = leading(first, np.maximum(second, 0).T @ r2)
    mask = (r2[:, None] > 0) == (r1[None, :] > 0)
    u = float(np.linalg.norm(last))
    forms = [u * np.outer(r1, r1 @ first / np.linalg.norm(r1 @ first)), u * root * np.outer(r2, r1) * mask]
    return max(float(np.linalg.norm(a - b)) / u for a, b in zip(weights, forms, strict=False))


def imbalance(weights: Layers) -> float:
    """Largest ||r^+|^2 - |r^-|^2| over the outgoing directions of the first layer and the incoming ones of the last."""
    first = np.linalg.svd(weights[0])[0][:, 0]
    last = weights[-1][0] / np.linalg.norm(weights[-1])
    return max(abs(float((r * np.abs(r)).sum())) for r in (first, last))


SEEDS = (0, 1, 2)
_RUNS = [{"depth": 3, "scale": 0.01}, {"depth": 4, "scale": 0.2}]
_THREE = [{"depth": 3, "scale": 0.01}]
_SMALL = (
    f"{PAIRS} pairs in {DIMENSION} dimensions, width {WIDTH}, three seeds; L = 3 with gamma = 0.01, L = 4 with "
    f"gamma = 0.2"
)


@claim(
    "zhang2024.eq_39.linear_rank_one",
    "Eq. (39)",
    kind=Kind.EXPERIMENT,
    instances=_RUNS,
    recorded="supported",
    mutants=[moved("before training", part=2.0), moved("second singular value below gamma/100", band=0.01)],
    convention=f"{_SMALL}; rank one: second singular value below gamma times the first; aligned: cosines above 0.99",
)
def deep_linear_networks_become_rank_one_and_aligned(
    depth: int, scale: float, *, part: float = 1e-4, band: float = 1.0
) -> Margin:
    r"""Trained deep linear networks have weights $W_1=u\,r_1r^\top$, $W_l=u\,r_lr_{l-1}^\top$,
    $W_L=u\,r_{L-1}^\top$.
    """
    margins = []
    for seed in SEEDS:
        run = train(depth, scale, seed, 1.0)
        weights = run.weights[run.first_below(part)]
        margins += [
            at_most(float(ratios(matrix)[1]), band * scale, "second singular value over the first")
            for matrix in weights[:-1]
        ]
        for below, above in pairwise(weights):
            outgoing, incoming = np.linalg.svd(below)[0][:, 0], np.linalg.svd(above)[2][0]
            margins.append(at_least(abs(float(outgoing @ incoming)), 0.99, "cosine of neighbouring layers"))
    return all_of(*margins)


@claim(
    "zhang2024.eq_39.equal_layer_norms",
    "text after Eq. (39)",
    given=sized(net=deep, data=dataset, width=(1, 3), depth=(2, 4), at_zero=slopes()),
    recorded="supported",
    mutants=[moved("the first layer at double speed", first=2), moved("norms in place of their squares", squared=0)],
    convention="as the conservation law behind it, for linear and (leaky) ReLU networks, any data and any sigma'(0)",
    cost=2.0,
)
def squared_norms_of_all_layers_move_together(
    net: DeepNetwork, data: Dataset, at_zero: Number, *, first: int = 1, squared: int = 1
) -> Margin:
    r"""$\|W_{l+1}\|^2-\|W_l\|^2$ is constant along the flow, so layers that start with norms of order $\gamma$ have
    squared norms that differ by $O(\gamma^2)$ for all times: all layers have the same norm u as $\gamma\to0$.
    """
    error = data.labels - net(data.inputs)
    speeds = []
    for matrix, (above, below) in zip(net.weights, deep_factors(net.weights, net.slope, data, at_zero), strict=True):
        speed = (matrix * ((above * error[:, None]).T @ below)).sum()
        speeds.append(speed if squared or squared_norm(matrix) == 0 else speed / squared_norm(matrix))
    return equal(
        np.array([first * speeds[0]] * (len(speeds) - 1), dtype=object),
        np.array(speeds[1:], dtype=object),
        "d|W_l|^2/dt, halved",
    )


@claim(
    "zhang2024.sec_4_2.low_rank_first_last",
    "section 4.2",
    kind=Kind.EXPERIMENT,
    instances=_RUNS,
    recorded="supported",
    mutants=[moved("before training", part=2.0), moved("cosines above 0.99", same=0.99)],
    convention=f"{_SMALL}; rank one: second singular value below 0.2; same structure: cosine of the two networks' "
    f"layers above 0.7",
)
def first_and_last_layers_look_alike(depth: int, scale: float, *, part: float = 1e-4, same: float = 0.7) -> Margin:
    r"""First and last layers of linear and ReLU networks from the same small weights become rank one, with the same
    structure.
    """
    margins = []
    for seed in SEEDS:
        linear, relu = (
            run.weights[run.first_below(part)] for run in (train(depth, scale, seed, 1.0), train(depth, scale, seed))
        )
        margins += [
            at_most(float(ratios(weights[0])[1]), 0.2, "second singular value of W_1 over the first")
            for weights in (linear, relu)
        ]
        margins += [
            at_least(cosine(linear[k], relu[k]), same, f"cosine of the two layers {k + 1 or 'L'}") for k in (0, -1)
        ]
    return all_of(*margins)


@claim(
    "zhang2024.sec_4_2.low_rank_intermediate",
    "section 4.2",
    kind=Kind.EXPERIMENT,
    instances=_RUNS,
    recorded="supported",
    mutants=[
        moved("already when a tenth of the loss is gone", part=0.9),
        moved("the ReLU network has rank one too", ranks=1),
        moved("initial weights of order one", enlarged=3.0),
    ],
    convention=f"{_SMALL}; rank k: singular value k + 1 below 1/10, k above 1/2 of the first; negative entries: 2 % "
    f"of the squares",
)
def intermediate_layers_have_rank_one_and_two(
    depth: int, scale: float, *, part: float = 1e-4, ranks: int = 2, enlarged: float = 0.0
) -> Margin:
    r"""Intermediate layers become rank one in linear networks, rank two and nearly non-negative in ReLU networks.

    At the end of training only: when a tenth of the loss is gone, most ReLU networks here have learnt one half space,
    with rank one.
    """
    margins = []
    for seed in SEEDS:
        linear, relu = (train(depth, enlarged or scale, seed, slope) for slope in (1.0, 0.0))
        for matrix in linear.weights[linear.first_below(part)][1:-1]:
            margins.append(at_most(float(ratios(matrix)[1]), 0.1, "linear: second singular value over the first"))
        for matrix in relu.weights[relu.first_below(part)][1:-1]:
            margins.append(
                at_least(float(ratios(matrix)[ranks - 1]), 0.5, f"ReLU: singular value {ranks} over the first")
            )
            margins.append(
                at_most(float(ratios(matrix)[ranks]), 0.1, f"ReLU: singular value {ranks + 1} over the first")
            )
            margins.append(
                at_most(float((np.minimum(matrix, 0) ** 2).sum() / (matrix**2).sum()), 0.02, "part of negative entries")
            )
    return all_of(*margins)


@claim(
    "zhang2024.eq_40.trained_form",
    "Eq. (40)",
    kind=Kind.EXPERIMENT,
    instances=_THREE,
    recorded="supported",
    mutants=[
        moved("already when the loss is halved", part=0.5),
        moved("without the factor sqrt(2)", root=1.0),
        moved("within 1/1000", band=1e-3),
    ],
    convention=f"{_SMALL}, L = 3; approximately: each layer within a tenth of its norm",
)
def trained_relu_weights_have_the_form_40(
    depth: int, scale: float, *, part: float = 1e-4, band: float = 0.1, root: float = np.sqrt(2)
) -> Margin:
    r"""Trained ReLU weights are approximately (40), with $r,r_1$ read off $W_1$, $r_2$ off $W_3$ and $u=\|W_3\|$."""
    runs = [train(depth, scale, seed) for seed in SEEDS]
    gaps = [misfit(run.weights[run.first_below(part)], root) for run in runs]
    return at_most(np.array(gaps), band, "relative distance of a layer from (40), by seed")


@claim(
    "zhang2024.f1.equal_norm_justification",
    "text before Eq. (41)",
    kind=Kind.EXPERIMENT,
    instances=[{"scale": 0.01}],
    recorded="against",
    convention="R0: when the low-rank weights form, at nine tenths of the loss; tested: the imbalance (median of 5 "
    "seeds) falls by "
    "at least a quarter from width 25 to 100, where a law 1/sqrt(width) would halve it",
)
def norms_are_equal_when_the_weights_form(scale: float) -> Margin:
    r"""R0: once the low-rank weights have formed, $\|r_l^+\|=\|r_l^-\|$ is approached with the width, visibly so from
    25 to 100.

    Fails: the median imbalance is 1.00, 1.00, 0.98 and 1.00 at the widths 12, 25, 50 and 100, without a trend. The
    limit of infinite width, of which the text speaks, is not refuted by this: it would show from widths of order
    $\gamma^{-2}$ on. The reason: let $a_\pm$ be the strengths of the two blocks. At L = 3 both grow like
    $\dot a=\tfrac s2a^2$ until the first is of order one, so $1/a_-=1/a_++\delta/a_0$, with $a_0\ll\gamma$ at the start
    and $\delta$ their relative difference then. Unless $\delta\ll\gamma$ the stronger block is learnt alone, and the
    loss rests at one half before the other follows.
    """
    narrow, wide = (float(np.median(_imbalances(scale, width, 0.9))) for width in (25, 100))
    return at_most(wide, 0.75 * narrow, "median of ||r^+|^2 - |r^-|^2| at width 100 against 3/4 of that at width 25")


def _imbalances(scale: float, width: int, part: float) -> list[float]:
    runs = [train(3, scale, seed, 0.0, width) for seed in range(5)]
    return [imbalance(run.weights[run.first_below(part)]) for run in runs]


@claim(
    "zhang2024.f1.equal_norm_justification.r1",
    "text before Eq. (41)",
    kind=Kind.EXPERIMENT,
    instances=[{"scale": 0.01}],
    recorded="supported",
    mutants=[moved("already when a tenth of the loss is gone", part=0.9), moved("within a ten-thousandth", band=1e-4)],
    convention="R1: at the end of training, loss below 1e-4 of the first; equal: within 1/20; five seeds, widths 25 "
    "and 100",
)
def norms_are_equal_at_the_end(scale: float, *, part: float = 1e-4, band: float = 0.05) -> Margin:
    r"""R1: $\|r_l^+\|=\|r_l^-\|$ holds when training has ended, at every width tried: not a consequence of the width,
    but of the fit, since both half spaces then have the same map.
    """
    found = [value for width in (25, 100) for value in _imbalances(scale, width, part)]
    return at_most(np.array(found), band, "||r^+|^2 - |r^-|^2| by width and seed")


def _row_alignment(weights: Layers) -> float:
    """Cosine of the rows of W_2 with the nearer of [r_1^+ 0] and [0 r_1^-], weighted by their squared norms."""
    r1 = np.linalg.svd(weights[0])[0][:, 0]
    halves = np.array([np.maximum(r1, 0), np.maximum(-r1, 0)])
    halves /= np.maximum(np.linalg.norm(halves, axis=1, keepdims=True), 1e-300)
    sizes = np.linalg.norm(weights[1], axis=1)
    cosines = np.maximum(*(weights[1] @ halves.T).T) / sizes
    return float((cosines * sizes**2).sum() / (sizes**2).sum())


@claim(
    "zhang2024.f1.alignment_conjecture",
    "F.1, last paragraph",
    kind=Kind.EXPERIMENT,
    instances=_THREE,
    recorded="supported",
    mutants=[
        moved("aligned from the start", before=0.95),
        moved("aligned before the loss moves by a millionth", part=1 - 1e-6),
    ],
    convention=f"{_SMALL}, L = 3; tested: rows of W_2 against their layer input, cosine below 0.5 at first, above "
    f"0.95 at the end",
)
def rows_align_with_the_layer_input_during_training(
    depth: int, scale: float, *, part: float = 1e-4, before: float = 0.0
) -> Margin:
    r"""The conjecture says that (40) is for ReLU networks what alignment of layers is for linear ones. What is tested
    is its visible part: rows of $W_2$ come to point along $[r_1^{+\top}\ 0]$ or $[0\ r_1^{-\top}]$, the two inputs of
    their layer, and do not at first. That one is the cause of the other is not tested.
    """
    runs = [train(depth, scale, seed) for seed in SEEDS]
    return all_of(
        at_most(
            before or np.array([_row_alignment(run.weights[0]) for run in runs]),
            0.5,
            "mean cosine before training, by seed",
        ),
        at_least(
            np.array([_row_alignment(run.weights[run.first_below(part)]) for run in runs]),
            0.95,
            "mean cosine at the end, by seed",
        ),
    )


@lru_cache(maxsize=4)
def _tilted_data() -> Dataset:
    """Eight pairs of Gaussian inputs in three dimensions, as drawn: Sigma has eigenvalues 0.26, 0.78, 2.93."""
    rng = np.random.default_rng([0, 1])
    half, target = rng.standard_normal((8, 3)), rng.standard_normal(3)
    inputs = np.vstack([half, -half])
    return Dataset(inputs, inputs @ target / np.linalg.norm(target))


@claim(
    "zhang2024.summary.conjecture_11_low_rank_forms",
    "digest, open question 1, Conjecture 11; section 4.2",
    kind=Kind.EXPERIMENT,
    instances=[{"scale": 0.001}],
    recorded="against",
    convention="necessarily, from small weights: each layer within a twentieth of its norm of (40) when the loss is "
    "practically zero",
)
def deep_relu_networks_always_become_low_rank(scale: float) -> Margin:
    r"""Deep ReLU networks trained from small weights on even inputs with a linear target necessarily come to the form
    (40).

    Fails in one run on data that are not white: 8 pairs in three dimensions, width 15. The loss goes to zero, but the
    rows of $W_1$ that belong to one block point in several directions, and $W_1$ is an eighth of its norm away from
    rank one. The distance is 0.135, 0.120 and 0.122 at $\gamma=10^{-2},10^{-3},10^{-4}$ (at $10^{-4}$ of the first
    loss), so it does not seem to vanish in the limit; a proof this is not. Why: the stronger block is learnt first and
    turns from $\bar\beta$ to the direction of the target. The other then sees labels on its own half space only, where
    its neurons have no common direction, and data cross their boundaries one by one.
    """
    start = small_deep_gaussian(np.random.default_rng(0), [3, 15, 15, 1], scale)
    run = descend_from_small(start, _tilted_data(), rate=RATE, steps=400_000, settled=1e-4)
    return at_most(
        misfit(run.weights[-1]),
        0.05,
        f"relative distance from (40) at {run.loss[-1] / run.loss[0]:.1e} of the first loss",
    )


@claim(
    "zhang2024.summary.conjecture_11_low_rank_forms.amended",
    "digest, open question 1, Conjecture 11; section 4.2",
    kind=Kind.EXPERIMENT,
    instances=[{"large": 0.1, "small": 0.01}],
    recorded="supported",
    mutants=[
        moved("hundred times nearer", factor=100.0),
        moved("already when the loss is halved", part=0.5),
        moved("within 1/1000", band=1e-3),
    ],
    convention=f"white inputs, {_SMALL}; no seed was left out",
)
def deep_relu_networks_become_low_rank_on_white_inputs(
    large: float, small: float, *, part: float = 1e-4, band: float = 0.05, factor: float = 2.0
) -> Margin:
    r"""Amended: with white inputs, $\Sigma=I$, the final distance from (40) is small for $\gamma=10^{-2}$, and at most
    half of that for $\gamma=10^{-1}$.
    """
    far, near = (
        np.array([misfit(train(3, g, s).weights[train(3, g, s).first_below(part)]) for s in SEEDS])
        for g in (large, small)
    )
    return all_of(
        at_most(near, band, "relative distance from (40) by seed"),
        at_most(factor * near, far, "against the distance at the larger scale, by seed"),
    )
