r"""Figure 1: the largest angle between active neurons at the end of training against the scale of the start.

Printed: dimensions 4 to 1024, sixteen scales, five trials, until the loss is below $10^{-9}$. Reduced here to $d=4$ and
three scales, with 25 trials in place of five: single runs differ much, since a neuron may be stuck at a large angle
(at $\lambda=4^{-8}$ in about a third of the centred and a fifth of the uncentred runs), and a median of five may fall
among them.
"""

from typing import Any

import numpy as np

from refute import Kind, Margin, derived, figure, flipped, less, mutants, section, shifted
from refute.models.chistikov2023.experiment import ENOUGH, RATE, SCHEMES, WIDTH, Floats, angles, ended
from refute.models.drawing import Progress, blank, captioned, compared, listed, silent, watched

SCALES, TRIALS, STEPS = (0, -4, -8), 25, 40_000
PRINTED_TRIALS, PRINTED_STEPS = 5, 20_000_000
ALL_POWERS, SOME_POWERS = tuple(range(2, -14, -1)), tuple(range(2, -14, -3))


@derived
def largest(scheme: str) -> Floats:
    """The angles of all trials, by scale."""
    return angles(scheme, 4, SCALES, TRIALS, STEPS)


@section("chistikov2023", "experiment", "Figure 1", kind=Kind.EXPERIMENT, recorded="supported").claim(
    "figure_1", instances=[{"scheme": scheme} for scheme in SCHEMES], derived=[largest]
)
@mutants(flipped("power").called("angles grow as lambda falls"), shifted("-1", "power").called("faster than lambda"))
def smaller_starts_end_with_smaller_angles(largest: Floats) -> Margin:
    r"""The largest angle between active neurons at the end of training, median over trials, decreases with $\lambda$.

    Convention: d = 4, lambda = 1, 4^-4, 4^-8, 25 trials, until the authors' loss is below 1e-9, at most 40 000 steps;
    the medians must decrease from each scale to the next.
    """
    falls = -np.diff(np.log(np.median(largest, axis=1))) / (-np.diff(SCALES) * np.log(4))
    return less(0.0, falls, "power of lambda from one median to the next")


def _settings(quick: bool, full: bool) -> tuple[dict[int, int], tuple[int, ...]]:
    """Most steps by dimension, and the powers of 4."""
    if full:
        return dict.fromkeys((4, 16, 64, 256, 1024), PRINTED_STEPS), ALL_POWERS
    return ({4: 40_000, 16: 5000} if quick else {4: 1_000_000, 16: 40_000, 64: 6000}), SOME_POWERS


def _said(scheme: str, d: int, found: Floats, powers: tuple[int, ...], reached: int) -> str:
    """One line of the caption."""
    medians = np.median(found, axis=1)
    power = float(np.log(medians[-1] / medians[-3]) / ((powers[-1] - powers[-3]) * np.log(4)))
    return compared(
        f"{scheme}, d = {d}: medians {listed(medians.tolist())} degrees, at the end like lambda^{power:.2f}; in "
        f"{(found[-1] > 1).mean():.0%} of the runs at the last scale above one degree; {reached} of {found.size} runs "
        f"below loss 1e-9",
        "decreases with lambda",
        bool((np.diff(medians) < 0).all()),
    )


@figure("chistikov2023", 1)
def draw_figure_1(
    *, progress: Progress = silent, seeds: int = PRINTED_TRIALS, quick: bool = False, full: bool = False
) -> Any:
    """The largest angle between active neurons at the end of training against the scale, medians of several trials.

    Dimensions 4, 16, 64 and every third scale, with fewer steps in higher dimensions. Quick: dimensions 4 and 16, at
    most three trials, fewer steps. Full: all dimensions up to 1024, all scales, 2e7 steps, which takes a cluster, or
    weeks. The phenomenon counts as shown if the medians fall from each scale to the next.
    """
    (limits, powers), trials = _settings(quick, full), min(seeds, 3) if quick else seeds
    jobs = [(s, d, p, t) for d in limits for s in SCHEMES for p in powers for t in range(trials)]
    runs = {job: ended(*job, limits[job[1]]) for job in watched(jobs, progress)}
    picture, lines, scales = blank(10, 4), [], 4.0 ** np.array(powers)
    for axes, scheme in zip(picture.subplots(1, 2, sharey=True), SCHEMES, strict=True):
        for k, d in enumerate(limits):
            found = np.degrees([[runs[scheme, d, p, t].angle for t in range(trials)] for p in powers])
            axes.loglog(scales, np.median(found, axis=1), "o-", color=f"C{k}", label=f"d = {d}")
            axes.loglog(np.repeat(scales, trials), found.ravel(), ".", color=f"C{k}", ms=3, alpha=0.5)
            reached = sum(runs[scheme, d, p, t].loss < ENOUGH for p in powers for t in range(trials))
            lines.append(_said(scheme, d, found, powers, reached))
        axes.set(xlabel="scale of the initialisation", ylabel="largest angle, degrees", title=scheme)
        axes.legend()
    steps = ", ".join(f"{count:,} for d = {d}" for d, count in limits.items())
    first = (
        f"chistikov2023, Figure 1. Width {WIDTH}, rate {RATE:g} on L, {trials} trials (small dots), lambda = "
        f"4^{powers[0]} to 4^{powers[-1]}; until the loss is below 1e-9 or, at most, steps: {steps}."
    )
    return captioned(picture, [first, *lines])
