"""Figure 5 with Appendix I: the same as Figure 4 for leaky ReLU networks of slope 1/10."""

from typing import Any

from refute import derived, figure, section
from refute.claims.kou2023 import figure_4
from refute.models.drawing import Progress, silent
from refute.models.kou2023.image_panels import draw_widths
from refute.models.kou2023.image_runs import LEAK, RUNS, Curves, over_widths


@derived
def curves(source: str) -> Curves:
    """Five runs at each width, from the smallest scale."""
    return over_widths(source, LEAK)


main = section("kou2023", "fig5.leaky_width", "Appendix I, Figure 5", **{**figure_4.main.common, "derived": [curves]})
main.claim("r1", mutants=figure_4.WEAKLY)(figure_4.the_stable_rank_hardly_depends_on_the_width.conclusion)
main.claim("r2", mutants=figure_4.RANKS)(figure_4.the_stable_rank_grows_with_the_width.conclusion)
main.claim("r3", instances=figure_4.ON_THE_DIGITS, mutants=figure_4.DIGITS)(
    figure_4.the_accuracy_on_the_digits_is_highest_at_width_ten.conclusion
)
main.claim("r4", mutants=figure_4.SATURATED)(figure_4.growth_ends_at_large_widths.conclusion)


@figure("kou2023", 5)
def draw(*, progress: Progress = silent, seeds: int = RUNS, quick: bool = False) -> Any:
    """Stable rank and test accuracy of leaky ReLU networks of slope 1/10 for five widths. Quick: one run."""
    return draw_widths(5, "leaky ReLU", LEAK, progress, seeds, quick)
