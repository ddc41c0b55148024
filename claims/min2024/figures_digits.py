"""Figures 5 and 10 to 13: two digits, centred. Runs and data are those of the model `digits`, 8 x 8 images in place of
MNIST's.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import figure
from refute.models.drawing import Progress, blank, captioned, compared, listed, silent, watched
from refute.models.min2024.digits import ALIGNED, CLOSE, PER_CLASS, RATE, SCALE, WIDTH, Curves, digits, train

Floats = NDArray[np.float64]
SEEDS, BEGINNING, TICKS = 3, 200, (0, 5000, 10_000, 15_000)
SETTING = (
    f"{PER_CLASS} images of 8 x 8 pixels of each digit, {WIDTH} neurons, alpha = {SCALE:g}, step {RATE:g}, full batch"
)


def _runs(
    first: int, second: int, seeds: int, quick: bool, progress: Progress, train_outer: bool = True
) -> list[Curves]:
    return [train(first, second, train_outer, seed) for seed in watched(range(1 if quick else seeds), progress)]


def _agreeing(first: int, second: int, centred: bool) -> float:
    """The part of the pairs of images with y_i y_j <x_i, x_j> > 0."""
    data = digits(first, second, centred)
    signed = data.labels[:, None] * data.inputs
    return float(((signed @ signed.T)[np.triu_indices(len(signed), 1)] > 0).mean())


def _four_panels(run: Curves) -> Any:
    """Correlations, alignment, loss with norm and stable rank, and mean neurons beside class means."""
    picture = blank(14, 3.4)
    panels = picture.subplot_mosaic([["heat", "+", "curves", "images"], ["heat", "-", "curves", "images"]])
    heat, curves, images = (panels[name] for name in ("heat", "curves", "images"))
    x = np.asarray(run.data.inputs, dtype=float)
    size = float(np.abs(x @ x.T).max())
    picture.colorbar(heat.imshow(x @ x.T, cmap="RdBu_r", vmin=-size, vmax=size), ax=heat, shrink=0.7)
    heat.set(title="correlation of the centred data")
    for k, (name, colour) in enumerate((("+", "tab:red"), ("-", "tab:green"))):
        panels[name].plot(run.steps, run.mean[:, k], color=colour, label=rf"mean of $V_{name}$ with $x_{name}$")
        panels[name].fill_between(run.steps, run.worst[:, k], run.best[:, k], color=colour, alpha=0.2)
        panels[name].set(ylabel="cosine")
        panels[name].legend(fontsize=8)
    panels["+"].set(title="alignment", xticks=[])
    panels["-"].set(xlabel="iteration", xticks=TICKS)
    largest = run.spectral.max()
    for values, name in (
        (run.loss, "loss"),
        (run.rank, "stable rank"),
        (run.spectral / largest, f"$\\|W\\|_2^2$ / {largest:.1f}"),
    ):
        curves.plot(run.steps, values, label=name)
    curves.set(title="convergence and low rank", xlabel="iteration", ylim=(0, 3), xticks=TICKS)
    curves.legend(fontsize=8)
    centres = [x[np.asarray(run.data.labels) == sign].mean(axis=0) for sign in (1, -1)]
    rows = [[_image(w), _image(c)] for w, c in zip(run.means, centres, strict=True)]
    images.imshow(np.block(rows), cmap="gray")
    images.set(title="mean neurons (left), class means", xticks=[], yticks=[])
    return picture


def _image(pixels: Floats) -> Floats:
    side = int(np.sqrt(len(pixels)))
    return np.asarray(pixels.reshape(side, side) / np.abs(pixels).max())


def _pair(number: int, first: int, second: int, seeds: int, quick: bool, progress: Progress) -> Any:
    """The picture of a pair of digits (seed 0) with a caption on all seeds."""
    runs = _runs(first, second, seeds, quick, progress)
    ends = [run.plateau for run in runs]
    worst = [float(run.worst[k].min()) for run, k in zip(runs, ends, strict=True)]
    steps = [run.steps[k] for run, k in zip(runs, ends, strict=True)]
    falling = np.array([run.mean[k] - run.mean[k:].min(axis=0) for run, k in zip(runs, ends, strict=True)])
    final, ranks = [float(run.loss[-1] / run.loss[0]) for run in runs], [float(run.rank[-1]) for run in runs]
    match = min(float(run.mean[-1].min()) for run in runs)
    raw, centred = _agreeing(first, second, False), _agreeing(first, second, True)
    return captioned(
        _four_panels(runs[0]),
        [
            f"min2024, Figure {number}, digits {first} and {second}. {SETTING}, {len(runs)} seeds (drawn: seed 0).",
            compared(
                f"pairs of images whose correlation has the sign of their labels: {raw:.0%}, centred {centred:.0%}",
                "very likely after centring",
                centred >= 0.9,
            ),
            compared(
                f"at the end of the plateau, iteration {listed(steps, '.0f')}, the worst neuron has cosine "
                f"{listed(worst)} with x_+ or x_-",
                "all well aligned",
                min(worst) > ALIGNED,
            ),
            compared(
                f"then the cosines of the mean neurons of V_+ and V_- fall by "
                f"{listed(falling.ravel().tolist(), '.2g')}",
                "the alignment drops when the loss falls",
                bool((falling > 0).all() and (falling.max(axis=1) > 0.01).all()),
            ),
            compared(
                f"loss at iteration 15000: {listed(final)} of the first; stable rank {listed(ranks)}",
                "the loss falls, the stable rank falls below 2 to almost 1",
                max(final) < 0.5 and max(ranks) < (CLOSE if number == 5 else 2),
            ),
            compared(
                f"cosine of mean neurons and class means at the end at least {match:.3f}",
                "good alignment to the eye",
                match > 0.8,
            ),
        ],
    )


@figure("min2024", 5)
def zero_and_one(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Digits 0 and 1: correlation of the data, alignment, loss and stable rank, mean neurons. Quick: one seed."""
    return _pair(5, 0, 1, seeds, quick, progress)


@figure("min2024", 10)
def three_and_eight(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Digits 3 and 8: correlation of the data, alignment, loss and stable rank, mean neurons. Quick: one seed."""
    return _pair(10, 3, 8, seeds, quick, progress)


@figure("min2024", 11)
def one_and_seven(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Digits 1 and 7: correlation of the data, alignment, loss and stable rank, mean neurons. Quick: one seed."""
    return _pair(11, 1, 7, seeds, quick, progress)


def _changes(runs: list[Curves], scale: str) -> Any:
    """Loss and changes in norms on the left axis, changes in directions on the right one; thin lines are the other
    seeds.
    """
    picture = blank(8, 4)
    axes = picture.subplots()
    other = axes.twinx()
    for k, run in enumerate(runs):
        style = {"lw": 0.5, "alpha": 0.5} if k else {"lw": 1.8}
        axes.plot(run.steps, run.loss, color="C0", label=None if k else "loss", **style)
        axes.plot(run.steps, run.norms, "--", color="C1", label=None if k else "changes in norms", **style)
        other.plot(run.steps, run.directions, color="C2", label=None if k else "changes in directions", **style)
    axes.set(xlabel="iteration", ylabel="loss, changes in norms")
    other.set(ylabel="changes in directions", yscale=scale)
    picture.legend(
        *(a + b for a, b in zip(axes.get_legend_handles_labels(), other.get_legend_handles_labels(), strict=True)),
        loc="outside upper center",
        ncols=3,
    )
    return picture


def _first_percent(run: Curves) -> float:
    """The first recorded iteration with 1 % of the loss gone."""
    return float(run.steps[run.falls(0.99)])


def _fastest(run: Curves) -> int:
    """When norms grow fastest."""
    return int(np.argmax(run.norms))


def _phase_lines(runs: list[Curves]) -> list[str]:
    turned = [int(np.argmax(run.directions < 0.1 * run.directions[0])) for run in runs]
    growth = max(float(run.norms[: k + 1].max() / run.norms.max()) for run, k in zip(runs, turned, strict=True))
    turning = [float(run.steps[k]) for run, k in zip(runs, turned, strict=True)]
    growing, falling = [float(run.steps[_fastest(run)]) for run in runs], [_first_percent(run) for run in runs]
    return [
        f"min2024, Figure 12. {SETTING} (the paper has batches of 2000), {len(runs)} seeds.",
        compared(
            f"nine tenths of the changes in direction are over at iteration {listed(turning, '.0f')}, where norms "
            f"grow at most at {growth:.0e} of their peak rate",
            "at first only directions change",
            growth < 0.01,
        ),
        compared(
            f"1 % of the loss is gone at {listed(falling, '.0f')}, norms grow fastest at {listed(growing, '.0f')}",
            "then norms grow and the loss falls",
            all(t < f <= g for t, f, g in zip(turning, falling, growing, strict=True)),
        ),
    ]


@figure("min2024", 12)
def both_layers(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Digits 0 and 1, both layers trained: changes in norms and directions, and the loss. Quick: one seed."""
    runs = _runs(0, 1, seeds, quick, progress)
    return captioned(_changes(runs, "linear"), _phase_lines(runs))


@figure("min2024", 13)
def first_layer_only(*, progress: Progress = silent, seeds: int = SEEDS, quick: bool = False) -> Any:
    """Digits 0 and 1, outer weights fixed at +-1: no two phases; drawn are the first iterations. Quick: one seed."""
    runs = _runs(0, 1, seeds, quick, progress, train_outer=False)
    begins = [train(0, 1, False, seed, steps=BEGINNING, every=1) for seed in range(len(runs))]
    plateau, both = max(_first_percent(run) for run in begins), _first_percent(train(0, 1))
    last = max(float(run.loss[-1] / run.loss[0]) for run in runs)
    setting = f"{SETTING} (the paper has batches of 2000), only the first layer is trained, {len(runs)} seeds."
    gone = f"1 % of the loss is gone after {plateau:.0f} iteration{'s' * (plateau > 1)}, against {both:.0f} with both"
    small = f"loss at the end {last:.1e} of the first"
    lines = [
        f"min2024, Figure 13. {setting}",
        compared(f"{gone} layers", "no two-phase training", plateau < 0.1 * both),
        compared(small, "the training loss becomes small as well", last < 0.01),
    ]
    return captioned(_changes(begins, "log"), lines)
