"""The panels and captions of Figures 2 to 5 of kou2023."""

from fractions import Fraction
from typing import Any

import numpy as np

from refute.models.drawing import Progress, blank, captioned, compared, listed
from refute.models.kou2023.image_runs import EPOCHS, SCALES, SOURCES, WIDTHS, Curves, over_scales, over_widths


def panels(run: Curves, names: list[str]) -> Any:
    """Stable rank and test accuracy against epochs, one line per setting: mean and three standard deviations."""
    picture = blank(9, 3.6)
    (left, right), epochs = picture.subplots(1, 2), np.arange(EPOCHS + 1)
    for axes, values, name in ((left, run.rank.value, "stable rank"), (right, run.accuracy, "test accuracy")):
        for k, setting in enumerate(names):
            mean, spread = values[:, k].mean(axis=0), 3 * values[:, k].std(axis=0)
            axes.plot(epochs, mean, lw=1, label=setting)
            axes.fill_between(epochs, mean - spread, mean + spread, alpha=0.2)
        axes.set(xlabel="epoch", ylabel=name)
    left.set(yscale="log")
    left.legend(fontsize=7)
    return picture


def _title(number: int, kind: str, source: str, runs: int) -> str:
    shown = "scikit-learn's 8 x 8 digits" if source == "digits" else source
    return f"kou2023, Figure {number}: {kind} on {shown} (paper: MNIST), even against odd classes, runs: {runs}"


def draw_scales(number: int, kind: str, slope: Fraction, progress: Progress, seeds: int, quick: bool) -> Any:
    source, seeds = ("digits", 1) if quick else (SOURCES[-1], seeds)
    run = over_scales(source, slope, seeds, progress)
    rank = run.ranks.value
    early, end = rank[:, 1], rank[:, -1]
    lines = [
        _title(number, kind, source, seeds),
        compared(
            f"smallest scale: {rank[0, 0]:.3g} falls to {early[0]:.3g} in one epoch",
            "quickly to a small value for a small start",
            bool(early[0] <= 0.1 * rank[0, 0]),
        ),
        compared(
            f"stable rank after one epoch by scale: {listed(early.tolist())}",
            "depends largely on the start",
            bool((np.diff(early) >= 0).all() and early[-1] >= 2 * early[0]),
        ),
        compared(
            f"at the end: {listed(end.tolist())}", "and on the training time", bool((end <= rank[:, 0] / 2).all())
        ),
    ]
    return captioned(panels(run, [f"scale {s:g}" for s in SCALES]), lines)


def draw_widths(number: int, kind: str, slope: Fraction, progress: Progress, seeds: int, quick: bool) -> Any:
    source, seeds = ("digits", 1) if quick else (SOURCES[-1], seeds)
    run = over_widths(source, slope, seeds, progress)
    rank, accuracy = run.ranks.value[:, -1], run.accuracies[:, -1]
    lines = [
        _title(number, kind, source, seeds),
        compared(
            f"final stable rank by width: {listed(rank.tolist(), '.4g')}",
            "weakly influenced by the width",
            bool(rank.max() <= 2 * rank.min()),
        ),
        compared(
            f"from width 10 to 50: {rank[0]:.4g} to {rank[1]:.4g}",
            "smallest at width 10, growing with the width",
            bool(rank[0] < rank[1:].min()),
        ),
        compared(
            f"final test accuracy by width: {listed(accuracy.tolist())}",
            "lowest at width 10, growing",
            bool((np.diff(accuracy) >= 0).all()),
        ),
        compared(
            f"from width 500 to 1000: {rank[-2]:.4g} to {rank[-1]:.4g} and {accuracy[-2]:.3g} to {accuracy[-1]:.3g}",
            "no increase at large widths",
            bool(rank[-1] <= 1.1 * rank[-2] and accuracy[-1] <= accuracy[-2] + 0.01),
        ),
    ]
    return captioned(panels(run, [f"width {m}" for m in WIDTHS]), lines)
