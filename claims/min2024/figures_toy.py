"""Figures 6 to 9: neurons in the plane before, during and after the alignment. The runs are those
of the model `toy`.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import figure
from refute.models import Dataset
from refute.models.descent.single import Descent
from refute.models.drawing import (
    NEGATIVE,
    POSITIVE,
    QUIET,
    Progress,
    blank,
    captioned,
    compared,
    cone,
    listed,
    plane,
    rays,
    silent,
    watched,
)
from refute.models.geometry.stable_rank import stable_rank
from refute.models.min2024.cones import in_dead, in_minus, in_plus
from refute.models.min2024.toy import RATE, SCALE, SEEDS, TOY, WIDTH, cone_cosines, outside, plateau, sharp_drops, train

Floats = NDArray[np.float64]
EARLY, LATE, END = 7000, 21_000, 28_000  # iterations that the paper names, and the last one
SETTING = f"{WIDTH} neurons, alpha = {SCALE:g}, step {RATE:g}, averaged exponential loss"


def _runs(angle: float | None, seeds: int, quick: bool, progress: Progress) -> list[Descent]:
    return [train(angle, seed)[1] for seed in watched(range(min(seeds, 2) if quick else seeds), progress)]


def _show(axes: Any, data: Dataset, run: Descent, k: int, title: str) -> None:
    """Cones, data (stars), directions of neurons (lines) and neurons (dots) at the recorded time k; dead neurons are
    grey.
    """
    x = np.asarray(data.inputs, dtype=float)
    inner, outer = run.inner[k], run.outer[k]
    reach = 1.25 * max(float(np.abs(x).max()), float(np.abs(inner).max()))
    cones = [(in_plus, POSITIVE), (in_dead, QUIET)] + [(in_minus, NEGATIVE)] * (-1 in data.labels)
    for inside, colour in cones:
        cone(axes, partial(inside, data=data), colour, 2 * reach)
    dead = ~(inner @ x.T > 0).any(axis=1)
    for chosen, colour in ((dead, QUIET), (~dead & (outer < 0), NEGATIVE), (~dead & (outer > 0), POSITIVE)):
        rays(axes, inner[chosen], colour, 0.8 * reach, lw=0.6)
        axes.plot(*inner[chosen].T, ".", color=colour, ms=5)
    for label, colour in ((1, POSITIVE), (-1, NEGATIVE)):
        axes.plot(*x[np.asarray(data.labels) == label].T, "*", color=colour, mec="k", ms=12)
    plane(axes, reach, f"{title}, iteration {int(run.steps[k])}")


def _at(run: Descent, step: int) -> int:
    return int(np.searchsorted(run.steps, step))


@figure("min2024", 6)
def toy_data(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Fifty neurons on four separated data in the plane: at the start, at the end of the alignment, at the end; and the
    losses.

    The data are chosen, the paper does not print its own. Quick: at most two seeds.
    """
    runs = _runs(None, seeds, quick, progress)
    aligned = [plateau(run) for run in runs]
    picture = blank(14, 3.8)
    *panels, losses = picture.subplots(1, 4)
    for axes, k, name in zip(panels, (0, aligned[0], -1), ("(a) start", "(b) aligned", "(c) end"), strict=True):
        _show(axes, TOY, runs[0], k, name)
    for run in runs:
        losses.plot(run.steps, run.loss, lw=1)
    losses.axvline(runs[0].steps[aligned[0]], color="grey", ls=":")
    losses.set(xlabel="iteration", ylabel="loss", title=f"loss, {len(runs)} seeds")
    outsiders, cosines = zip(*(cone_cosines(run, k) for run, k in zip(runs, aligned, strict=True)), strict=True)
    ranks, ends = [stable_rank(run.inner[-1]) for run in runs], [float(run.loss[-1] / run.loss[0]) for run in runs]
    falls = [sharp_drops(run) for run in runs]
    worst = min(float(c.min()) for c in cosines)
    return captioned(
        picture,
        [
            f"min2024, Figure 6. {SETTING}, {len(runs)} seeds (drawn: 0). Red: positive, blue: negative, grey: dead; "
            f"shaded: cones.",
            compared(
                f"living neurons in no cone of their sign at the end of the alignment: {listed(outsiders, 'd')} by "
                f"seed",
                "all neurons are in S_+, S_- or S_dead",
                not any(outsiders),
            ),
            compared(f"there the cosine with x_+ or x_- is at least {worst:.4f}", "well aligned", worst > 0.9),
            compared(
                f"sharp drops of the loss by seed: {listed(falls, 'd')}",
                "two sharp decreases",
                all(fall == 2 for fall in falls),
            ),
            compared(
                f"at the end the loss is {max(ends):.3f} of the first, the stable rank at most {max(ranks):.3f}",
                "loss close to zero, W approximately of low rank",
                max(ends) < 0.05 and max(ranks) < 2,
            ),
        ],
    )


def _two_data(angle: float, number: int, runs: list[Descent], correlation: str, lines: list[str]) -> Any:
    """Neurons at the start and at iterations 7000 and 21000, and the angles of living positive neurons over time; all
    of one seed.
    """
    drawn = min(1, len(runs) - 1)
    data, run = train(angle, drawn)
    picture = blank(14, 3.8)
    *panels, angles = picture.subplots(1, 4)
    for axes, step in zip(panels, (0, EARLY, LATE), strict=True):
        _show(axes, data, run, _at(run, step), f"loss {run.loss[_at(run, step)]:.3f}")
    chosen = (run.outer[-1] > 0) & (run.inner[-1] @ np.asarray(data.inputs, dtype=float).T > 0).any(axis=1)
    turned = np.degrees(np.arctan2(run.inner[:, chosen, 1], run.inner[:, chosen, 0]))
    angles.plot(run.steps, turned, color=POSITIVE, lw=0.8)
    angles.axhspan(-np.degrees(angle), 90, color=POSITIVE, alpha=0.15)
    angles.set(xlabel="iteration", ylabel="angle, degrees", title=r"living positive neurons, and $S_+$")
    first = (
        f"min2024, Figure {number}. Correlation of the two positive data {correlation}; {SETTING}, {len(runs)} "
        f"seeds (drawn: {drawn})."
    )
    return captioned(picture, [first, *lines])


@figure("min2024", 7)
def small_correlation(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Two positive data with correlation sin 0.1: neurons over time. Quick: at most two seeds."""
    runs = _runs(0.1, seeds, quick, progress)
    counts = [outside(0.1, seed, EARLY)[0] for seed in range(len(runs))]
    last = max(float(run.loss[-1]) for run in runs)
    return _two_data(
        0.1,
        7,
        runs,
        "sin 0.1",
        [
            compared(
                f"living positive neurons outside S_+ at iteration {EARLY}: {listed(counts, 'd')} by seed",
                "none",
                float(np.median(counts)) == 0,
            ),
            compared(f"largest loss at iteration {END}: {last:.4f}", "then final convergence follows", last < 0.01),
        ],
    )


@figure("min2024", 8)
def tiny_correlation(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Two positive data with correlation sin 0.001: some neurons are late. Quick: at most two seeds."""
    runs = _runs(0.001, seeds, quick, progress)
    early, late = ([outside(0.001, seed, step)[0] for seed in range(len(runs))] for step in (EARLY, LATE))
    return _two_data(
        0.001,
        8,
        runs,
        "sin 0.001",
        [
            compared(
                f"living positive neurons outside S_+ at iteration {EARLY}: {listed(early, 'd')} by seed",
                "there are some, the alignment is slower",
                min(early) >= 1,
            ),
            compared(f"at iteration {LATE}: {listed(late, 'd')}", "one in the run that is shown", max(late) >= 1),
        ],
    )


@figure("min2024", 9)
def orthogonal_data(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Two orthogonal positive data: three groups of neurons, one of which grows. Quick: at most two seeds."""
    runs = _runs(0.0, seeds, quick, progress)
    x = np.asarray(train(0.0, 0)[0].inputs, dtype=float)
    cosines, sizes, shares = [], [], []
    for seed, run in enumerate(runs):
        pre, norms = run.inner[-1] @ x.T, np.linalg.norm(run.inner[-1], axis=1)
        partial = (run.outer[-1] > 0) & ((pre > 0).sum(axis=1) == 1)
        cosines += (pre / norms[:, None]).max(axis=1)[partial].tolist()
        sizes += (norms[partial] / norms.max()).tolist()
        shares.append((outside(0.0, seed, END)[1], outside(0.1, seed, END)[1]))
    fewer = sum(here for here, _ in shares), sum(there for _, there in shares)
    return _two_data(
        0.0,
        9,
        runs,
        "0",
        [
            compared(
                f"{len(cosines)} living positive neurons see one datum only, with cosines to it of at least "
                f"{min(cosines):.3f}",
                "neurons end in S_+ or aligned with x_1 or x_2",
                min(cosines) > 0.99,
            ),
            compared(
                f"their norms are at most {max(sizes):.1e} of the largest",
                "only the neurons in S_+ grow and fit the data",
                max(sizes) < 0.1,
            ),
            compared(
                f"neurons in S_+ at the end, all seeds together: {fewer[0]}, and {fewer[1]} with correlation sin 0.1",
                "fewer than for positive correlation",
                fewer[0] < fewer[1],
            ),
        ],
    )
