"""A.1 to A.3, Figures 6 to 9: fifty neurons in the plane. Runs and what is not printed of them stand in the model."""

import numpy as np

from refute import Kind, Margin, all_of, at_least, at_most, changed, derived, moved, mutants, scaled, section
from refute.models.descent.single import Descent
from refute.models.geometry.stable_rank import stable_rank
from refute.models.min2024.toy import SEEDS, cone_cosines, outside, partial, plateau, recorded, sharp_drops, train

toy = section("min2024", kind=Kind.EXPERIMENT, recorded="supported")


@toy.claim("exp_A2.mu_sin_0_1", "A.2, Figure 7", instances=[{"angle": 0.1}])
@mutants(moved("by iteration 2000", step=2000), moved("fitted by iteration 7000", fitted=7000))
def all_living_positive_neurons_reach_s_plus(angle: float, *, step: int = 7000, fitted: int = 28_000) -> Margin:
    r"""With $\mu=\sin0.1$ all positive neurons that are not dead are in $S_+$ by iteration 7000, and the data are
    fitted later.

    Convention: a typical run: the median over five seeds; fitted: the loss at iteration 28000 is below 1/100 of the
    first.
    """
    counts = [outside(angle, seed, step)[0] for seed in range(SEEDS)]
    runs = [train(angle, seed)[1] for seed in range(SEEDS)]
    return all_of(
        at_most(float(np.median(counts)), 0, f"positive neurons outside S_+ (all seeds: {counts})"),
        at_most([float(run.loss[recorded(run, fitted)]) for run in runs], 0.01, "loss at the end"),
    )


@toy.claim("exp_A2.mu_sin_0_001", "A.2, Figure 8", instances=[{"angle": 0.001}])
@mutants(changed("with mu = sin 0.1", angle=lambda _: 0.1), scaled(3, "most neurons"))
def some_neurons_are_late_when_mu_is_tiny(angle: float) -> Margin:
    r"""With $\mu=\sin0.001$ some living positive neurons are outside $S_+$ at iteration 7000, and one may still be at
    iteration 21000.

    Convention: at iteration 7000 in every one of five seeds; one left at iteration 21000 in at least one of them, as
    printed for one run.
    """
    early, late = ([outside(angle, seed, step)[0] for seed in range(SEEDS)] for step in (7000, 21_000))
    return all_of(
        at_least(min(early), 1, f"fewest neurons outside S_+ at iteration 7000 (all seeds: {early})"),
        at_least(max(late), 1, f"most neurons outside S_+ at iteration 21000 (all seeds: {late})"),
    )


@toy.claim("exp_A3.orthogonal", "A.3, Figure 9", instances=[{"angle": 0.0}])
@mutants(scaled("1/10", "norm"), changed("with mu = sin 0.1", angle=lambda _: 0.1))
def orthogonal_data_leave_three_groups(angle: float) -> Margin:
    r"""With $\mu=0$ living positive neurons end in $S_+$ or aligned with $x_1$ or $x_2$, and only those in $S_+$, fewer
    than before, grow and fit.

    Convention: at iterations 7000 and 28000, every seed; aligned: cosine above 99/100; only S_+ grows: the other
    living positive neurons stay below 1/10 of the largest norm; fewer neurons than for mu = sin 0.1, in total over the
    seeds.
    """
    cosines, norms = zip(*(partial(angle, seed) for seed in range(SEEDS)), strict=True)
    own, before = (sum(outside(one, seed, 28_000)[1] for seed in range(SEEDS)) for one in (angle, 0.1))
    return all_of(
        at_least(np.concatenate(cosines), 0.99, "cosine of a neuron that sees one datum with that datum"),
        at_most(np.concatenate(norms), 0.1, "norm of a neuron that sees one datum against the largest"),
        at_least([len(each) for each in cosines], 1, "neurons that see one datum only"),
        at_most(own, before - 1, "neurons in S_+ against those for mu = sin 0.1"),
    )


@derived
def runs() -> list[Descent]:
    """On the data of A.1."""
    return [train(None, seed)[1] for seed in range(SEEDS)]


@derived
def aligned(runs: list[Descent]) -> list[int]:
    """When the plateau of each run ends."""
    return [plateau(run) for run in runs]


@toy.claim("exp_A1.toy_alignment", "A.1, Figure 6", derived=[runs, aligned])
@mutants(
    changed("already at a tenth of the plateau", aligned=lambda ends: [end // 10 for end in ends]),
    scaled("10001/20000", "stable rank"),
)
def toy_neurons_align_before_the_loss_falls(runs: list[Descent], aligned: list[int]) -> Margin:
    r"""Early in training all living neurons are in the cone of their sign and aligned with its centre; then norms grow,
    the loss falls, and W has almost low rank.

    Convention: early: the last recorded time with a loss above 99/100 of the first; well aligned: cosine above 9/10;
    every seed; approximately low rank: stable rank below 2 at the end; the loss at the end is below 1/20 of the first.
    """
    wrong, cosines = zip(*(cone_cosines(run, k) for run, k in zip(runs, aligned, strict=True)), strict=True)
    return all_of(
        at_most(max(wrong), 0, "living neurons outside the cone of their sign"),
        at_least(np.concatenate(cosines), 0.9, "cosine with the centre of the class"),
        at_most([stable_rank(run.inner[-1]) for run in runs], 2, "stable rank at the end"),
        at_most([float(run.loss[-1] / run.loss[0]) for run in runs], 0.05, "loss at the end against the first"),
    )


@toy.claim("exp_A1.two_drops", "A.1", derived=[runs])
@mutants(scaled("3/2"), changed("for two data of A.2", runs=lambda _: [train(0.1, seed)[1] for seed in range(2)]))
def the_loss_falls_in_two_sharp_steps(runs: list[Descent]) -> Margin:
    r"""After the alignment the loss decreases sharply twice before it is near zero.

    Convention: a drop is a peak of -d log L/dt that is separate from a higher one by a valley of half its height;
    sharp: at least 1/10 of the highest; every seed; the positive and the negative centre of the chosen data have
    different lengths.
    """
    return at_least([sharp_drops(run) for run in runs], 2, "sharp drops of the loss, by seed")
