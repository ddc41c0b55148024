"""The panels and the caption of Figure 1 of kou2023."""

from typing import Any

import numpy as np

from refute.models.drawing import blank, captioned, compared, listed
from refute.models.kou2023.mixture_runs import EPOCHS, SEEDS, SHOWN, SLOPES, START, losses, stable_ranks


def draw_slopes() -> Any:
    """Stable rank and training loss against epochs, one line per slope: mean and three standard deviations."""
    picture = blank(9, 3.6)
    panels = picture.subplots(1, 2)
    ranks, every = stable_ranks(START, SHOWN, "stacked"), losses(START, EPOCHS)
    for axes, values, epochs, name in (
        (panels[0], ranks, np.array(SHOWN), "stable rank"),
        (panels[1], every, np.arange(EPOCHS + 1), "training loss"),
    ):
        for k, slope in enumerate(SLOPES):
            middle, spread = values[:, k].mean(axis=0), 3 * values[:, k].std(axis=0)
            axes.plot(epochs, middle, lw=1, label=f"slope {float(slope)}")
            axes.fill_between(epochs, middle - spread, middle + spread, alpha=0.2)
        axes.set(xlabel="epoch", ylabel=name)
    panels[0].set(yscale="log")
    panels[0].legend(fontsize=7)
    early, end = ranks.mean(axis=0)[:, 1], ranks.mean(axis=0)[:, -1]
    lines = [
        f"kou2023, Figure 1: a Gaussian mixture, n = 10, d = 784, m = 100, {SEEDS} runs, start {START:g}",
        compared(
            f"stable rank after one epoch by slope: {listed(early)}",
            "decreases faster for larger slopes",
            bool((np.diff(early) <= 0).all()),
        ),
        compared(
            f"after {EPOCHS} epochs: {listed(end)}",
            "a smaller value for larger slopes",
            bool((np.diff(end) <= 0).all()),
        ),
        compared(
            f"training loss after {EPOCHS} epochs: {listed(every.mean(axis=0)[:, -1])}",
            "falls",
            bool((np.diff(every) <= 0).all()),
        ),
    ]
    return captioned(picture, lines)
