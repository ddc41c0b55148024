"""Figure 2: stable rank and test accuracy of ReLU networks on images, for five scales of the start.

How the runs are read is said in `refute.models.kou2023.image_runs`.
"""

from fractions import Fraction
from typing import Any

from refute import Kind, Margin, all_of, at_least, at_most, changed, derived, figure, flipped, mutants, scaled, section
from refute.models.drawing import Progress, silent
from refute.models.kou2023.image_panels import draw_scales
from refute.models.kou2023.image_runs import RUNS, SOURCES, Curves, over_scales


@derived
def curves(source: str) -> Curves:
    """Three runs at each scale, m = 1000."""
    return over_scales(source, Fraction(0))


main = section(
    "kou2023",
    kind=Kind.EXPERIMENT,
    instances=[{"source": name} for name in SOURCES],
    derived=[curves],
    recorded="supported",
)
MUTANTS = [
    scaled("5/21", "after one epoch"),
    scaled(10, "largest scale"),
    flipped("growth"),
    changed("before training", curves=Curves.untrained),
]


@main.claim("fig2.relu_small_init", "Section 6, Figure 2")
@mutants(*MUTANTS)
def small_starts_lose_their_stable_rank(curves: Curves) -> Margin:
    """The stable rank depends largely on start and time, and from a small start it soon falls to a small value.

    On the digits, from 47: after one epoch to 1.2, 1.2, 1.4, 7.6 and 21 for the five scales (ReLU) and to 1.1, 1.2,
    1.4, 7.4 and 21 (slope 1/10); after ten to 1.1, 1.1, 1.1, 1.2 and 1.4.

    Convention: means of three runs; bands of ours, set before any run: quickly means within one epoch, a small value is
    a tenth of the first one; depends largely on the start: after one epoch the stable rank does not fall from scale to
    scale, and the largest scale has twice that of the smallest; on the time: with every scale it ends below half of the
    first value. Nothing is said about the accuracies.
    """
    start, early, end = (curves.ranks[:, epoch] for epoch in (0, 1, -1))
    return all_of(
        at_most(early[0], 0.1 * start[0], "after one epoch, smallest scale"),
        at_least(early[1:], early[:-1], "growth from scale to scale after one epoch"),
        at_least(early[-1], 2 * early[0], "largest scale against smallest after one epoch"),
        at_most(end, start / 2, "at the end"),
    )


@figure("kou2023", 2)
def draw(*, progress: Progress = silent, seeds: int = RUNS, quick: bool = False) -> Any:
    """Stable rank and test accuracy of ReLU networks for five scales of the start. Quick: one run."""
    return draw_scales(2, "ReLU", Fraction(0), progress, seeds, quick)
