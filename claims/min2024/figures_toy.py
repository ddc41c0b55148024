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


def _toy_lines(runs: list[Descent], aligned: list[int]) -> list[str]:
    outsiders, cosines = zip(*(cone_cosines(run, k) for run, k in zip(runs, aligned, strict=True)), strict=True)
    ranks, ends = [stable_rank(run.inner[-1]) for run in runs], [float(run.loss[-1] / run.loss[0]) for run in runs]
    falls, worst = [sharp_drops(run) for run in runs], min(float(c.min()) for c in cosines)
    return [
        f"min2024, Figure 6. {SETTING}, {len(runs)} seeds (drawn: 0). Red: positive, blue: negative, grey: dead; "
        "shaded: cones.",
        compared(
            f"living neurons in no cone of their sign at the end of the alignment: {listed(outsiders, 'd')} by seed",
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
    ]


@figure("min2024", 6)
def toy_data(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Fifty neurons on four separated data in the plane: at the start, at the end of the alignment, at the end; and the
    losses.

    The data are chosen, the paper does not print its own. Quick: at most two seeds.
    """
    runs = _runs(None, seeds, quick, progress)
    aligned, picture = [plateau(run) for run in runs], blank(14, 3.8)
    *panels, losses = picture.subplots(1, 4)
    for axes, k, name in zip(panels, (0, aligned[0], -1), ("(a) start", "(b) aligned", "(c) end"), strict=True):
        _show(axes, TOY, runs[0], k, name)
    for run in runs:
        losses.plot(run.steps, run.loss, lw=1)
    losses.axvline(runs[0].steps[aligned[0]], color="grey", ls=":")
    losses.set(xlabel="iteration", ylabel="loss", title=f"loss, {len(runs)} seeds")
    return captioned(picture, _toy_lines(runs, aligned))


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


def _outside(angle: float, runs: list[Descent], step: int) -> list[int]:
    """By seed, the living positive neurons that are not in S_+ at this iteration."""
    return [outside(angle, seed, step)[0] for seed in range(len(runs))]


@figure("min2024", 7)
def small_correlation(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Two positive data with correlation sin 0.1: neurons over time. Quick: at most two seeds."""
    runs = _runs(0.1, seeds, quick, progress)
    counts, last = _outside(0.1, runs, EARLY), max(float(run.loss[-1]) for run in runs)
    found = f"living positive neurons outside S_+ at iteration {EARLY}: {listed(counts, 'd')} by seed"
    lines = [
        compared(found, "none", float(np.median(counts)) == 0),
        compared(f"largest loss at iteration {END}: {last:.4f}", "then final convergence follows", last < 0.01),
    ]
    return _two_data(0.1, 7, runs, "sin 0.1", lines)


@figure("min2024", 8)
def tiny_correlation(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Two positive data with correlation sin 0.001: some neurons are late. Quick: at most two seeds."""
    runs = _runs(0.001, seeds, quick, progress)
    early, late = (_outside(0.001, runs, step) for step in (EARLY, LATE))
    found = f"living positive neurons outside S_+ at iteration {EARLY}: {listed(early, 'd')} by seed"
    lines = [
        compared(found, "there are some, the alignment is slower", min(early) >= 1),
        compared(f"at iteration {LATE}: {listed(late, 'd')}", "one in the run that is shown", max(late) >= 1),
    ]
    return _two_data(0.001, 8, runs, "sin 0.001", lines)


def _partly_active(runs: list[Descent]) -> tuple[list[float], list[float]]:
    """Of the living positive neurons that see one of two orthogonal data: the cosine with it, and the norm against the
    largest.
    """
    x, cosines, sizes = np.asarray(train(0.0, 0)[0].inputs, dtype=float), [], []
    for run in runs:
        pre, norms = run.inner[-1] @ x.T, np.linalg.norm(run.inner[-1], axis=1)
        chosen = (run.outer[-1] > 0) & ((pre > 0).sum(axis=1) == 1)
        cosines += (pre / norms[:, None]).max(axis=1)[chosen].tolist()
        sizes += (norms[chosen] / norms.max()).tolist()
    return cosines, sizes


@figure("min2024", 9)
def orthogonal_data(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Two orthogonal positive data: three groups of neurons, one of which grows. Quick: at most two seeds."""
    runs = _runs(0.0, seeds, quick, progress)
    cosines, sizes = _partly_active(runs)
    here, there = (sum(outside(angle, seed, END)[1] for seed in range(len(runs))) for angle in (0.0, 0.1))
    few = (
        f"{len(cosines)} living positive neurons see one datum only, with cosines to it of at least {min(cosines):.3f}"
    )
    homes = f"neurons in S_+ at the end, all seeds together: {here}, and {there} with correlation sin 0.1"
    small = f"their norms are at most {max(sizes):.1e} of the largest"
    lines = [
        compared(few, "neurons end in S_+ or aligned with x_1 or x_2", min(cosines) > 0.99),
        compared(small, "only the neurons in S_+ grow and fit the data", max(sizes) < 0.1),
        compared(homes, "fewer than for positive correlation", here < there),
    ]
    return _two_data(0.0, 9, runs, "0", lines)
