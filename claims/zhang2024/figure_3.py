r"""Figure 3: weights of a three-layer linear and a three-layer ReLU network trained from the same small weights.

What is printed is said in `refute.models.zhang2024.three_layers`; the seed is not. Claims take 100 of the 1000 pairs
and two seeds, the figure takes all pairs.
"""

from typing import Any

import numpy as np

from refute import Kind, Margin, all_of, at_least, at_most, changed, derived, figure, mutants, scaled, section
from refute.models.drawing import Progress, blank, captioned, compared, listed, silent, watched
from refute.models.zhang2024.small_runs import misfit, ratios
from refute.models.zhang2024.three_layers import (
    EPOCHS,
    RATE,
    SCALE,
    WIDTH,
    Floats,
    Layers,
    Pair,
    likeness,
    train,
    vanishing_ratio,
)

SEEDS, PAIRS, ALL_PAIRS = 2, 100, 1000


@derived
def trained(pairs: int) -> list[Pair]:
    """Both networks, by seed."""
    return [train(int(pairs), seed) for seed in range(SEEDS)]


@derived
def ends(trained: list[Pair]) -> list[tuple[Layers, Layers]]:
    """Their weights when the loss is below 10^-4 of the first one, by seed."""
    return [pair.at(1e-4) for pair in trained]


def _when(name: str, part: float) -> Any:
    """The weights of seed 0 at another loss."""
    return changed(name, ends=lambda ends: [train(PAIRS, 0).at(part)])


main = section(
    "zhang2024",
    "figure_3",
    kind=Kind.EXPERIMENT,
    instances=[{"pairs": PAIRS}],
    derived=[trained, ends],
    recorded="supported",
)


@main.claim("loss_near_zero", "Figure 3, caption")
@mutants(scaled("1/10000", "loss"), scaled("1/10", "epochs"))
def both_losses_approach_zero(trained: list[Pair]) -> Margin:
    """The loss of both networks is near zero after the printed number of epochs; the linear network is there first.

    Convention: 100 of the 1000 pairs, seeds 0 and 1; near zero: below 1e-4 within 20000 epochs.
    """
    losses, arrivals = (np.array([getattr(pair, name) for pair in trained]) for name in ("losses", "arrivals"))
    return all_of(
        at_most(losses, 1e-4, f"loss of the linear and the ReLU network after {EPOCHS} epochs, by seed"),
        at_most(arrivals[:, 0], arrivals[:, 1], "epochs of the linear network until 1e-4 of the loss, by seed"),
    )


@main.claim("same_first_last_and_positive_part", "Figure 3, caption")
@mutants(_when("when a tenth of the loss is gone", 0.9), scaled("1.1"))
def first_and_last_layers_and_positive_entries_agree(ends: list[tuple[Layers, Layers]]) -> Margin:
    """W_1, W_3 and the positive entries of W_2 have approximately the same structure in both networks.

    Convention: 100 of the 1000 pairs, seeds 0 and 1; approximately the same: cosine above 0.9.
    """
    return at_least(np.array([likeness(*pair) for pair in ends]), 0.9, "cosines of W_1, W_3 and positive W_2, by seed")


@main.claim("negative_entries_vanish", "Figure 3, caption")
@mutants(_when("before training", 2.0), scaled("1/3"))
def negative_entries_of_the_linear_network_vanish(ends: list[tuple[Layers, Layers]]) -> Margin:
    """Entries of W_2 that are negative in the linear network are approximately zero in the ReLU network.

    Convention: 100 of the 1000 pairs, seeds 0 and 1; approximately zero: root mean square below a tenth of that of the
    other entries.
    """
    found = np.array([vanishing_ratio(*pair) for pair in ends])
    return at_most(found, 0.1, "root mean square of those entries over that of the others, by seed")


@main.claim("rank_structure", "Figure 3; Eqs. (39), (40)")
@mutants(
    _when("one block only, at half of the loss", 0.9), scaled("1/10", "layer norms"), scaled(2, "second singular value")
)
def trained_weights_have_ranks_one_and_two(ends: list[tuple[Layers, Layers]]) -> Margin:
    r"""$W_1$ has rank one in both networks, $W_2$ rank one in the linear and rank two in the ReLU network, which is
    (40) up to a tenth; its layers are $\sqrt2$ times as large, since $(u/\sqrt2)^3$ must be the linear network's $u^3$.

    Convention: 100 of the 1000 pairs, seeds 0 and 1; rank k: singular value k + 1 below 1/10 of the first, k above 1/2;
    (40) within a tenth of each layer's norm.
    """
    ones = np.array([ratios(matrix)[1] for a, b in ends for matrix in (*a[:2], b[0])])
    larger = np.array([_norms(relu) / _norms(linear) for linear, relu in ends])
    _, second, third = np.array([ratios(relu[1])[:3] for _, relu in ends]).T
    return all_of(
        at_most(ones, 0.1, "second singular value over the first of W_1 and of the linear W_2"),
        at_most(third, 0.1, "third singular value of W_2 in the ReLU network"),
        at_least(second, 0.5, "second singular value of W_2 likewise"),
        at_most(np.array([misfit(relu) for _, relu in ends]), 0.1, "relative distance of the ReLU network from (40)"),
        at_most(np.abs(larger / np.sqrt(2) - 1), 0.005, "layer norms over sqrt(2) times those of the linear network"),
    )


def _norms(layers: Layers) -> Floats:
    return np.array([np.linalg.norm(matrix) for matrix in layers])


@figure("zhang2024", 3)
def draw(*, progress: Progress = silent, seeds: int = 1, quick: bool = False) -> Any:
    """Weights of a three-layer linear and a ReLU network, neurons sorted by the linear network's r_1 and r_2, and the
    losses.

    Weights of seed 0; one seed as in the paper, unless more are asked for. Quick: width 60, 40 pairs of data, one seed.
    """
    width, pairs, seeds = (60, 40, 1) if quick else (WIDTH, ALL_PAIRS, seeds)
    trained = [train(pairs, seed, width) for seed in watched(range(seeds), progress)]
    picture = blank(11, 6.4)
    grid = picture.subplot_mosaic(
        [["l1", "l2", "l3", "loss"], ["r1", "r2", "r3", "loss"]], width_ratios=[1, 2.2, 2.2, 2]
    )
    _draw_weights(picture, grid, *trained[0].at(1e-4))
    _draw_losses(grid["loss"], trained)
    return captioned(picture, _caption(trained, width, pairs))


def _draw_weights(picture: Any, grid: dict[str, Any], linear: Layers, relu: Layers) -> None:
    """Neurons sorted by the linear network's r_1 and r_2."""
    first, second = np.argsort(-linear[0] @ np.linalg.svd(linear[0])[2][0]), np.argsort(-linear[2][0])
    if linear[1][second[:20]][:, first[:20]].mean() < 0:
        first = first[::-1]
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


def _draw_losses(axes: Any, trained: list[Pair]) -> None:
    for seed, pair in enumerate(trained):
        for run, name, colour in ((pair.linear, "linear", "C0"), (pair.relu, "ReLU", "C1")):
            axes.plot(run.steps, run.loss, color=colour, lw=1, label=None if seed else name)
    axes.set(xlabel="epoch", ylabel="square loss", title=f"loss, {len(trained)} seeds", xlim=(0, EPOCHS))
    axes.legend()


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
