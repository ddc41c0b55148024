r"""Figure 2: a dataset that satisfies Condition 3 up to a small displacement of one point.

What is printed and how the rest is read is said in `refute.models.zhang2024.six_points`. Several seeds are run, since a
single run says little.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from refute import Kind, Margin, all_of, at_least, at_most, changed, derived, figure, mutants, scaled, section
from refute.models.drawing import Progress, blank, captioned, compared, listed, silent
from refute.models.zhang2024.six_points import (
    RATE,
    SCALE,
    SEEDS,
    WIDTH,
    Floats,
    Plateaus,
    Runs,
    nearest_boundaries,
    plateaus,
    train,
    train_in_turn,
)

CLOSE = np.radians(3.0)


@derived
def runs(displacement: float, device: str) -> Runs:
    """All seeds."""
    return train(displacement, device)


@derived
def typical(runs: Runs) -> Plateaus:
    """Medians over the seeds."""
    return plateaus(runs).typical()


@derived
def losses(runs: Runs) -> Floats:
    """By recorded time and seed, relative to the largest at the start."""
    return np.asarray(runs.loss / runs.loss[0].max())


main = section(
    "zhang2024",
    "figure_2",
    kind=Kind.EXPERIMENT,
    instances=[{"displacement": 0.15}],
    derived=[runs, typical, losses],
    recorded="supported",
)


@main.claim("loss_to_zero", "Figure 2(a), appendix B")
@mutants(changed("already at a quarter of the run", losses=lambda losses: losses[: len(losses) // 4 + 1]))
def loss_of_a_typical_run_converges_to_zero(losses: Floats) -> Margin:
    """The loss converges to zero, because the displaced point lets the network leave the linear solution.

    Convention: read of a typical run: the median over ten seeds at the end of 40000 steps, against 1e-4 of the
    initial loss.
    """
    return at_most(np.median(losses[-1]), 1e-4, "median final loss over the first one")


@main.claim("loss_to_zero.r1", "Figure 2(a), appendix B", recorded="against")
def loss_of_every_run_converges_to_zero(losses: Floats) -> Margin:
    """The same for every seed.

    It fails: some runs stay on the plateau, at a loss just below that of the linear optimum.

    Convention: read of every run: the largest final loss over ten seeds.
    """
    return at_most(losses[-1].max(), 1e-4, "largest final loss over the first one")


_PLATEAU = (
    "medians over ten seeds; plateau: loss within 2 % of the linear optimum; long: a tenth of the run; nearly linear: "
    "even part below"
)


def _plateau(typical: Plateaus, even: float) -> Margin:
    return all_of(
        at_least(typical.lengths, 0.1, "length of the plateau as a part of the run (median)"),
        at_most(typical.even, even, "even part over odd part on the circle (median)"),
        at_most(typical.gaps, 0.02, "distance of the odd part from the least-squares map (median)"),
    )


@main.claim(
    "plateau.r1", "Figure 2(a, b), appendix B", recorded="against", convention=f"{_PLATEAU} a tenth of the odd part"
)
def the_plateau_is_linear_to_ten_percent(typical: Plateaus) -> Margin:
    """Before that, the loss stays for long near that of the linear optimum, where the network is nearly linear.

    The paper gives no number for nearly. A tenth, the band that was fixed first, fails: the typical even part is about
    0.15 of the odd one. So it is our band that is refuted, and not the paper.
    """
    return _plateau(typical, 0.1)


@main.claim("plateau.r2", "Figure 2(a, b), appendix B", convention=f"{_PLATEAU} a fifth of the odd part")
@mutants(scaled(6, "length"), scaled("2/3", "even part"), scaled("1/10", "distance of the odd part"))
def the_plateau_is_linear_to_twenty_percent(typical: Plateaus) -> Margin:
    """The same with a fifth in place of a tenth.

    This band was chosen after the tenth had failed, so it says little about nearly linear; that the plateau is long and
    that the odd part is the least-squares map are tested in earnest.
    """
    return _plateau(typical, 0.2)


@main.claim("boundaries_close_to_data", "Figure 2(c), appendix B")
@mutants(scaled("1/3"))
def decision_boundaries_come_close_to_data(runs: Runs) -> Margin:
    """At convergence some decision boundary passes close to a data point, so the classifier may not be robust.

    Convention: close: in every converged run a boundary comes within three degrees of a datum. Boundaries placed at
    random in the gaps of at least 36 degrees between data would all do so with a probability below 1 in 100.
    """
    nearest, _ = nearest_boundaries(runs)
    return at_most(nearest, CLOSE, "smallest angle between a boundary and a data point")


@main.claim(
    "exact_symmetry_stays_linear", "appendix B with displacement 0", instances=[{"displacement": 0.0}], printed=False
)
@mutants(changed("99/100 of the loss", runs=lambda runs: replace(runs, loss=runs.loss * 0.99)))
def exactly_symmetric_data_keep_the_network_linear(runs: Runs) -> Margin:
    """With the last input at (1, 0) the loss stays at that of the least-squares map, 4/9, in every run.

    Convention: not printed; the contrast that the appendix implies.
    """
    return at_most(np.abs(runs.loss[-1] - 4 / 9), 1e-3, "distance of the final loss from 4/9")


@figure("zhang2024", 2)
def draw(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Loss of all seeds on nearly symmetric data, and the output of one converged network on the plateau and at the
    end.

    Quick: at most three seeds.
    """
    runs = train_in_turn(0.15, min(seeds, 3) if quick else seeds, progress)
    seed = int(runs.converged[0]) if runs.converged.size else 0
    picture = blank(11, 3.6)
    left, centre, right = picture.subplots(1, 3)
    _show_losses(left, runs)
    _show_output(centre, runs, sum(runs.plateau(seed)) // 2, seed, "(b) on the plateau")
    image = _show_output(right, runs, len(runs.steps) - 1, seed, "(c) at the end")
    picture.colorbar(image, ax=[centre, right], label="network output")
    return captioned(picture, _caption(runs))


def _show_losses(axes: Any, runs: Runs) -> None:
    axes.plot(runs.steps, runs.loss, lw=1)
    axes.axhline(runs.linear_loss, color="grey", ls=":", label="linear optimum")
    axes.set(xlabel="step", ylabel="square loss", title=f"(a) loss, {runs.loss.shape[1]} seeds")
    axes.legend()


def _show_output(axes: Any, runs: Runs, time: int, seed: int, name: str) -> Any:
    """The output in colour, its zeros in black, data with label 1 as circles and with label -1 as lines."""
    axes.set(title=f"{name}, step {int(runs.steps[time])}, seed {seed}", aspect="equal")
    grid = np.linspace(-1.6, 1.6, 161)
    values = runs.output(time, seed, np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)).reshape(161, 161)
    image = axes.pcolormesh(grid, grid, values, cmap="RdBu", vmin=-2, vmax=2, rasterized=True)
    axes.contour(grid, grid, values, levels=[0], colors="k", linewidths=0.8)
    for label, mark in ((1, "o"), (-1, "_")):
        chosen = runs.data.inputs[runs.data.labels == label]
        axes.scatter(chosen[:, 0], chosen[:, 1], marker=mark, color="k", s=60)
    return image


def _caption(runs: Runs) -> list[str]:
    count, found = runs.loss.shape[1], plateaus(runs)
    nearest, spacing = nearest_boundaries(runs)
    final = float(np.median(runs.loss[-1]))
    close = float(nearest.max()) if nearest.size else np.inf
    return [
        f"zhang2024, Figure 2. Width {WIDTH}, gamma = {SCALE:g}, step {RATE:g}, {count} seeds; the labels and the "
        f"loss are a reading.",
        compared(
            f"{len(runs.converged)} of {count} seeds end below 1e-3, median final loss {final:.1e}",
            "the loss converges to zero",
            final < 1e-4 * float(runs.loss[0].max()),
        ),
        compared(
            f"the loss stays within 2 % of the linear optimum {runs.linear_loss:.3f} for "
            f"{np.median(found.lengths):.0%} of the run (median)",
            "a long plateau",
            float(np.median(found.lengths)) > 0.1,
        ),
        compared(
            f"there the even part of the output is {np.median(found.even):.2f} of the odd part, off least squares by "
            f"{np.median(found.gaps):.2f}",
            "approximately linear",
            float(np.median(found.even)) < 0.2 and float(np.median(found.gaps)) < 0.2,
        ),
        compared(
            f"angle from a boundary to the nearest datum at the end: {listed(np.degrees(nearest).tolist())} degrees; "
            f"between data at least "
            f"{np.degrees(spacing):.0f}",
            "boundaries are close to the data",
            close < CLOSE,
        ),
    ]
