r"""Figure 3: weights of a three-layer linear and a three-layer ReLU network trained from the same small weights.

Printed: width 100, $\gamma=10^{-2}$, step 0.1, 20000 epochs, inputs in 20 dimensions as in Figure 1 (1000 Gaussian
draws and their negatives), target $w^\top x$ with $w_i$ uniform in [-0.5, 0.5]. Not printed: the seed. Claims take 100
of the 1000 pairs and two seeds, the figure takes all pairs. Plateaus are crossed in long steps
(`models.descent.from_small`); training ends at a millionth of the loss.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, claim, figure, moved
from refute.claims.zhang2024.deep_formation import Layers, cosine, misfit, ratios
from refute.models import Dataset
from refute.models.drawing import Progress, blank, captioned, compared, listed, silent, watched
from refute.models.initialisation import small_deep_gaussian
from refute.models.zhang2024.from_small import FromSmall, descend_from_small, moments_only

Floats = NDArray[np.float64]

WIDTH, DIMENSION, SCALE, RATE, EPOCHS = 100, 20, 1e-2, 0.1, 20_000
SEEDS, PAIRS, ALL_PAIRS = 2, 100, 1000
_PRINTED = [{"pairs": PAIRS}]
_READ = f"{PAIRS} of the 1000 pairs, seeds 0 and 1"


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The two networks, from the same start."""

    linear: FromSmall
    relu: FromSmall

    def at(self, part: float) -> tuple[Layers, Layers]:
        """Weights of both when the loss is below `part` of the first one."""
        return self.linear.weights[self.linear.first_below(part)], self.relu.weights[self.relu.first_below(part)]


@lru_cache(maxsize=8)
def train(pairs: int, seed: int, width: int = WIDTH) -> Pair:
    """Both networks with the printed hyper-parameters."""
    rng = np.random.default_rng(seed)
    half, target = rng.standard_normal((pairs, DIMENSION)), rng.uniform(-0.5, 0.5, DIMENSION)
    inputs = np.vstack([half, -half])
    data, start = Dataset(inputs, inputs @ target), small_deep_gaussian(rng, [DIMENSION, width, width, 1], SCALE)
    linear = descend_from_small(start, moments_only(data), rate=RATE, steps=EPOCHS, slope=1.0)
    return Pair(linear, descend_from_small(start, data, rate=RATE, steps=EPOCHS))


def vanishing_ratio(linear: Layers, relu: Layers) -> float:
    """Root mean square in the ReLU network of the entries of W_2 that are negative in the linear one, over that of the
    others.
    """
    negative = linear[1] < 0
    return float(np.sqrt((relu[1][negative] ** 2).mean() / (relu[1][~negative] ** 2).mean()))


def likeness(linear: Layers, relu: Layers) -> list[float]:
    """Cosines of W_1, W_3 and of W_2 where it is positive in the linear network."""
    positive = linear[1] > 0
    return [cosine(linear[0], relu[0]), cosine(linear[2], relu[2]), cosine(linear[1][positive], relu[1][positive])]


@claim(
    "zhang2024.figure_3.loss_near_zero",
    "Figure 3, caption",
    kind=Kind.EXPERIMENT,
    instances=_PRINTED,
    recorded="supported",
    mutants=[
        moved("already after 5000 epochs", epochs=5000),
        moved("the linear network not before the ReLU network", order=-1.0),
    ],
    convention=f"{_READ}; near zero: below 1e-4 within 20000 epochs",
)
def both_losses_approach_zero(pairs: int, *, epochs: int = EPOCHS, order: float = 1.0) -> Margin:
    """The loss of both networks is near zero after the printed number of epochs; the linear network is there first."""
    margins = []
    for seed in range(SEEDS):
        pair = train(int(pairs), seed)
        times = [run.steps[run.first_below(1e-4)] for run in (pair.linear, pair.relu)]
        for run, name in ((pair.linear, "linear"), (pair.relu, "ReLU")):
            margins.append(
                at_most(float(run.loss[run.steps <= epochs][-1]), 1e-4, f"{name}: loss after at most {epochs} epochs")
            )
        margins.append(at_least(order * float(times[1] - times[0]), 0.0, "epochs by which the linear network is ahead"))
    return all_of(*margins)


@claim(
    "zhang2024.figure_3.same_first_last_and_positive_part",
    "Figure 3, caption",
    kind=Kind.EXPERIMENT,
    instances=_PRINTED,
    recorded="supported",
    mutants=[moved("when a tenth of the loss is gone", part=0.9), moved("cosines above 0.99", same=0.99)],
    convention=f"{_READ}; approximately the same: cosine above 0.9",
)
def first_and_last_layers_and_positive_entries_agree(pairs: int, *, part: float = 1e-4, same: float = 0.9) -> Margin:
    """W_1, W_3 and the positive entries of W_2 have approximately the same structure in both networks."""
    found = [likeness(*train(int(pairs), seed).at(part)) for seed in range(SEEDS)]
    return at_least(np.array(found), same, "cosines of W_1, W_3 and positive W_2, by seed")


@claim(
    "zhang2024.figure_3.negative_entries_vanish",
    "Figure 3, caption",
    kind=Kind.EXPERIMENT,
    instances=_PRINTED,
    recorded="supported",
    mutants=[moved("before training", part=2.0), moved("ratio below 1/100", band=0.01)],
    convention=f"{_READ}; approximately zero: root mean square below a tenth of that of the other entries",
)
def negative_entries_of_the_linear_network_vanish(pairs: int, *, part: float = 1e-4, band: float = 0.1) -> Margin:
    """Entries of W_2 that are negative in the linear network are approximately zero in the ReLU network."""
    found = [vanishing_ratio(*train(int(pairs), seed).at(part)) for seed in range(SEEDS)]
    return at_most(np.array(found), band, "root mean square of those entries over that of the others, by seed")


@claim(
    "zhang2024.figure_3.rank_structure",
    "Figure 3; Eqs. (39), (40)",
    kind=Kind.EXPERIMENT,
    instances=_PRINTED,
    recorded="supported",
    mutants=[
        moved("before training", part=2.0),
        moved("one block only, at half of the loss", part=0.9),
        moved("norms equal", norms=1.0),
    ],
    convention=f"{_READ}; rank k: singular value k + 1 below 1/10 of the first, k above 1/2; (40) within a tenth of "
    f"each layer's norm",
)
def trained_weights_have_ranks_one_and_two(pairs: int, *, part: float = 1e-4, norms: float = np.sqrt(2)) -> Margin:
    r"""$W_1$ has rank one in both networks, $W_2$ rank one in the linear and rank two in the ReLU network, which is
    (40) up to a tenth; its layers are $\sqrt2$ times as large, since $(u/\sqrt2)^3$ must be the linear network's $u^3$.
    """
    margins = []
    for seed in range(SEEDS):
        linear, relu = train(int(pairs), seed).at(part)
        seconds = [float(ratios(matrix)[1]) for matrix in (*linear[:2], relu[0])] + [float(ratios(relu[1])[2])]
        margins.append(
            at_most(np.array(seconds), 0.1, "first singular value that should vanish: linear W_1, W_2, ReLU W_1, W_2")
        )
        margins.append(at_least(float(ratios(relu[1])[1]), 0.5, "second singular value of W_2 in the ReLU network"))
        margins.append(at_most(misfit(relu), 0.1, "relative distance of the ReLU network from (40)"))
        margins += [
            at_most(abs(np.linalg.norm(b) / np.linalg.norm(a) / norms - 1), 0.05, "layer norms")
            for a, b in zip(linear, relu, strict=True)
        ]
    return all_of(*margins)


@figure("zhang2024", 3)
def draw(*, progress: Progress = silent, seeds: int = 1, quick: bool = False) -> Any:
    """Weights of a three-layer linear and a ReLU network, neurons sorted by the linear network's r_1 and r_2, and the
    losses.

    Weights of seed 0; one seed as in the paper, unless more are asked for. Quick: width 60, 40 pairs of data, one seed.
    """
    width, pairs, seeds = (60, 40, 1) if quick else (WIDTH, ALL_PAIRS, seeds)
    trained = [train(pairs, seed, width) for seed in watched(range(seeds), progress)]
    linear, relu = trained[0].at(1e-4)
    first, second = np.argsort(-linear[0] @ np.linalg.svd(linear[0])[2][0]), np.argsort(-linear[2][0])
    if linear[1][second[:20]][:, first[:20]].mean() < 0:
        first = first[::-1]
    picture = blank(11, 6.4)
    grid = picture.subplot_mosaic(
        [["l1", "l2", "l3", "loss"], ["r1", "r2", "r3", "loss"]], width_ratios=[1, 2.2, 2.2, 2]
    )
    for key, name, (w1, w2, w3) in (("l", "linear", linear), ("r", "ReLU", relu)):
        for axes, matrix, title in (
            (grid[f"{key}1"], w1[first], "$W_1$"),
            (grid[f"{key}2"], w2[np.ix_(second, first)], "$W_2$"),
            (grid[f"{key}3"], np.repeat(w3[:, second], 8, axis=0), "$W_3$"),
        ):
            size = float(np.abs(matrix).max())
            aspect = "auto" if title == "$W_1$" else "equal"
            image = axes.imshow(matrix, cmap="RdBu_r", vmin=-size, vmax=size, aspect=aspect, rasterized=True)
            axes.set(title=f"{title}, {name}", xticks=[], yticks=[])
            picture.colorbar(image, ax=axes, shrink=0.6)
    for seed, pair in enumerate(trained):
        for run, name, colour in ((pair.linear, "linear", "C0"), (pair.relu, "ReLU", "C1")):
            grid["loss"].plot(run.steps, run.loss, color=colour, lw=1, label=None if seed else name)
    grid["loss"].set(xlabel="epoch", ylabel="square loss", title=f"loss, {seeds} seeds", xlim=(0, EPOCHS))
    grid["loss"].legend()
    return captioned(picture, _caption(trained, width, pairs))


def _caption(trained: list[Pair], width: int, pairs: int) -> list[str]:
    ends = [pair.at(1e-4) for pair in trained]
    losses = [[float(run.loss[run.steps <= EPOCHS][-1]) for run in (pair.linear, pair.relu)] for pair in trained]
    cosines = np.array([likeness(linear, relu) for linear, relu in ends]).min(axis=0)
    vanishing = max(vanishing_ratio(linear, relu) for linear, relu in ends)
    rank_one = max(float(ratios(matrix)[1]) for linear, relu in ends for matrix in (*linear[:2], relu[0]))
    rank_two = [float(ratios(relu[1])[k]) for _, relu in ends for k in (1, 2)]
    return [
        f"zhang2024, Figure 3. Width {width}, gamma = {SCALE:g}, step {RATE:g}, {pairs} pairs, seeds: {len(trained)}; "
        f"the worst of them:",
        compared(
            f"loss after {EPOCHS} epochs at most {np.max(losses):.1e}",
            "the loss has approached zero",
            float(np.max(losses)) < 1e-4,
        ),
        compared(
            f"cosines of W_1, W_3 and the positive part of W_2 in the two networks: "
            f"{listed([float(c) for c in cosines])}",
            "approximately the same structure",
            float(cosines.min()) > 0.9,
        ),
        compared(
            f"entries of W_2 that are negative in the linear network: {vanishing:.3f} of the size of the others in "
            f"the ReLU network",
            "approximately zero",
            vanishing < 0.1,
        ),
        compared(
            f"second singular value of W_1 (both networks) and of the linear W_2 at most {rank_one:.3f} of the first",
            "rank one",
            rank_one < 0.1,
        ),
        compared(
            f"second and third singular value of the ReLU network's W_2: {listed(rank_two)} of the first",
            "rank two",
            min(rank_two[::2]) > 0.5 and max(rank_two[1::2]) < 0.1,
        ),
        f"distance of the ReLU weights from (40), relative: at most {max(misfit(relu) for _, relu in ends):.3f}",
    ]
