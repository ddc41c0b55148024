"""Figure 3: the same as Figure 2 for leaky ReLU networks of slope 1/10."""

from typing import Any

from refute import derived, figure
from refute.claims.kou2023.figure_2 import MUTANTS, main, small_starts_lose_their_stable_rank
from refute.models.drawing import Progress, silent
from refute.models.kou2023.image_panels import draw_scales
from refute.models.kou2023.image_runs import LEAK, RUNS, Curves, over_scales


@derived
def curves(source: str) -> Curves:
    """Three runs at each scale, m = 1000."""
    return over_scales(source, LEAK)


main.claim("fig3.leaky_small_init", "Section 6, Figure 3", derived=[curves], mutants=MUTANTS)(
    small_starts_lose_their_stable_rank.conclusion
)


@figure("kou2023", 3)
def draw(*, progress: Progress = silent, seeds: int = RUNS, quick: bool = False) -> Any:
    """Stable rank and test accuracy of leaky ReLU networks for five scales of the start. Quick: one run."""
    return draw_scales(3, "leaky ReLU", LEAK, progress, seeds, quick)
