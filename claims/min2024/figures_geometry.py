"""Figures 1 to 4: where the flow pushes a small neuron in the plane, the cones, and how activation patterns evolve.

The paper's figures are sketches; the data here are chosen to look like them, and what a sketch shows is computed.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refute import figure
from refute.models import Dataset, TwoLayer
from refute.models.drawing import NEGATIVE, POSITIVE, QUIET, arrow, blank, captioned, compared, cone, listed, plane
from refute.models.flow import REGULAR, Trajectory, gradient_flow
from refute.models.gradient import descent_direction
from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.cones import attraction, centre, in_dead, in_minus, in_plus, separation

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
SMALL = 1e-6  # the size of the neurons that are followed
ROUNDING = 1e-9


def _unit(angles: Any) -> Floats:
    """Unit vectors at these angles, in degrees."""
    turned = np.radians(np.asarray(angles, dtype=float))
    return np.stack([np.cos(turned), np.sin(turned)], axis=-1)


# One positive and two negative data; the neuron (0, 1) sees the first two.
THREE = Dataset(np.array([[0.8, 0.45], [-0.55, 0.6], [-0.4, -0.75]]), np.array([1.0, -1.0, -1.0]))
UP = np.array([0.0, 1.0])
# Separated data with vectors that no datum activates: positive at 20 and 50 degrees, negative at 145 and 165.
CONES = Dataset(_unit([20, 50, 145, 165]) * np.array([[1.0], [0.9], [0.9], [1.0]]), np.array([1.0, 1.0, -1.0, -1.0]))
# Four data of each label.
EIGHT = Dataset(_unit([5, 20, 35, 48, 143, 152, 160, 170]), np.array([1.0] * 4 + [-1.0] * 4))
# Not separated: the first and the third datum have different labels and an acute angle.
MIXED = Dataset(_unit([20, 60, 100]), np.array([1.0, 1.0, -1.0]))


def _turning(w: Floats, data: Dataset, size: float, sign: int) -> Floats:
    """d/dt of w/|w| under gradient flow, for a balanced neuron of this size and sign."""
    net = TwoLayer(size * w[None, :], np.array([sign * size * np.linalg.norm(w)]), 0.0)
    push = np.asarray(
        descent_direction(net, data, EXPONENTIAL_SUM, 0.0)[0][0] / (size * np.linalg.norm(w)), dtype=float
    )
    return np.asarray(push - (push @ w) * w / (w @ w))


def _show_data(axes: Any, data: Dataset, names: bool = True) -> None:
    for k, (x, y) in enumerate(zip(np.asarray(data.inputs, dtype=float), data.labels, strict=True)):
        arrow(axes, np.zeros(2), x, POSITIVE if y > 0 else NEGATIVE, f"$x_{{{k + 1}}}$" if names else "")


def _errors(sizes: Floats) -> list[float]:
    """The distance of the two sides of (4), for positive neurons along (0, 1) of these sizes."""
    across = attraction(UP, THREE) - (attraction(UP, THREE) @ UP) * UP
    return [float(np.linalg.norm(_turning(UP, THREE, float(size), 1) - across)) for size in sizes]


def _draw_push(axes: Any) -> None:
    axes.axhspan(0, 2, color=QUIET, alpha=0.25)
    _show_data(axes, THREE)
    arrow(axes, np.zeros(2), 0.9 * UP, "k", "$w_j$")
    arrow(axes, np.zeros(2), np.asarray(attraction(UP, THREE)) / 1.6, "tab:green", "$x_a(w_j)$")
    arrow(axes, 0.9 * UP, _turning(UP, THREE, SMALL, 1) / 3, "tab:purple", r"$\frac{d}{dt}\frac{w_j}{\|w_j\|}$")
    plane(axes, 1.3, "$v_j>0$; shaded: what $w_j$ sees")


def _push_lines(sizes: Floats, errors: list[float]) -> list[str]:
    pushes = {sign: float(_turning(UP, THREE, SMALL, sign) @ attraction(UP, THREE)) for sign in (1, -1)}
    power = float(np.polyfit(np.log(sizes[4:]), np.log(errors[4:]), 1)[0])
    return [
        "min2024, Figure 1. x_1 has label 1, x_2 and x_3 have label -1; the exponential loss; data chosen to look "
        "like the sketch.",
        compared(
            f"the inner product of d/dt w/|w| with x_a = x_1 - x_2 is {pushes[1]:.3f} for v > 0 and "
            f"{pushes[-1]:.3f} for v < 0",
            "pushed towards x_a for v > 0, the opposite for v < 0",
            pushes[1] > 0 > pushes[-1],
        ),
        compared(
            f"error of (4) {errors[0]:.1e} at size {sizes[0]:.2g}, {errors[-1]:.1e} at {sizes[-1]:.0e}: power "
            f"{power:.2f} of the size",
            "exact in the limit",
            power > 0.5,
        ),
    ]


@figure("min2024", 1)
def push_in_the_early_phase() -> Any:
    """A small neuron is pushed towards x_a(w), the signed sum of the data that it sees; and the error of that
    approximation.
    """
    sizes = 10.0 ** -np.arange(0.5, 6.1, 0.5)
    errors, picture = _errors(sizes), blank(9, 4.2)
    left, right = picture.subplots(1, 2)
    _draw_push(left)
    right.loglog(sizes, errors, "o-")
    words = "size of the neuron", "distance of the two sides of (4)", "error of the approximation (4)"
    right.set(xlabel=words[0], ylabel=words[1], title=words[2])
    return captioned(picture, _push_lines(sizes, errors))


def _paths(data: Dataset, angles: Floats, horizon: float) -> Trajectory:
    """Positive neurons from these angles, tiny and balanced, under gradient flow; a dead neuron stays dead."""
    inner = SMALL * _unit(angles)
    return gradient_flow(
        TwoLayer(inner, np.full(len(inner), SMALL), 0),
        data,
        EXPONENTIAL_SUM,
        np.linspace(0, horizon, 241),
        concept=REGULAR,
    )


def _dies(w: Floats, data: Dataset) -> bool:
    """Dead up to rounding: a neuron that loses its last datum rests on the edge of S_dead."""
    return bool((np.asarray(data.inputs, dtype=float) @ w <= ROUNDING * np.linalg.norm(w)).all())


def _draw_cones(axes: Any) -> None:
    for inside, colour in ((in_plus, POSITIVE), (in_minus, NEGATIVE), (in_dead, "k")):
        cone(axes, partial(inside, data=CONES), colour, 2.5)
    for sign, colour, name in ((1, POSITIVE, "$x_+$"), (-1, NEGATIVE, "$x_-$")):
        arrow(axes, np.zeros(2), np.asarray(centre(CONES, sign), dtype=float) * 0.8, colour, name)
    _show_data(axes, CONES, names=False)
    for angle, words in ((10, "$S_+$"), (188, "$S_-$"), (272, "$S_{dead}$")):
        axes.text(*(1.55 * _unit(angle)), words, ha="center")
    plane(axes, 1.8, "positive neurons, time outwards")


def _home_lines(run: Trajectory, dead: Flags, home: Flags) -> list[str]:
    ends, plus = run.inner[-1], np.asarray(centre(CONES, 1), dtype=float)
    cosines = ends[home] @ plus / np.linalg.norm(ends[home], axis=1) / np.linalg.norm(plus)
    return [
        f"min2024, Figure 2. Separated data, mu = {float(separation(CONES)):.3f}; "
        f"{sum(in_minus(w, CONES) for w in run.inner[0])} positive neurons of size {SMALL:g} that start in S_-.",
        compared(
            f"at time {run.time[-1]:g}: {int(dead.sum())} in S_dead, {int(home.sum())} in S_+, "
            f"{int((~dead & ~home).sum())} elsewhere",
            "each escapes from S_- and ends in S_dead or in S_+",
            bool((dead | home).all() and dead.any() and home.any()),
        ),
        compared(
            f"cosines with x_+ of those in S_+ at least {cosines.min():.4f}",
            "constantly attracted by x_+",
            bool(cosines.min() > 0.9),
        ),
    ]


@figure("min2024", 2)
def cones_and_neurons() -> Any:
    """The cones S_+, S_- and S_dead, and the directions of positive neurons that start in S_-, over time (outwards)."""
    run = _paths(CONES, np.array([142, 146, 150, 153, 154.5, 157, 160, 165, 175, 190, 215]), 6.0)
    dead, home = (np.array([inside(w, CONES) for w in run.inner[-1]]) for inside in (_dies, in_plus))
    picture = blank(5.6, 5.2)
    axes = picture.subplots()
    _draw_cones(axes)
    radii = 0.45 + 0.9 * run.time / run.time[-1]
    for j, dies in enumerate(dead):
        directions = run.inner[:, j] / np.linalg.norm(run.inner[:, j], axis=1)[:, None]
        axes.plot(*(radii[:, None] * directions).T, color="0.35" if dies else "tab:orange", lw=1)
    return captioned(picture, _home_lines(run, dead, home))


def _least_pull(data: Dataset, angles: Floats) -> Floats:
    """min_i <y_i x_i, x_a(w)> for w at these angles; nan where no datum is active."""
    signed = np.asarray(data.labels, dtype=float)[:, None] * np.asarray(data.inputs, dtype=float)
    found = [np.nan if in_dead(w, data) else float((signed @ attraction(w, data)).min()) for w in _unit(angles)]
    return np.array(found)


def _sees(x: Floats, w: Floats) -> bool:
    return bool(x @ w > 0)


def _draw_inward(axes: Any, i: int, angle: float) -> float:
    """A neuron on the hyperplane of the datum i, and the flow there; its speed into the half space y_i <x_i, w> > 0."""
    signed, w = CONES.labels[i] * np.asarray(CONES.inputs[i], dtype=float), 1.25 * _unit(angle)
    push = _turning(w, CONES, SMALL, 1)
    cone(axes, partial(_sees, signed), POSITIVE, 3.0)
    _show_data(axes, CONES)
    arrow(axes, np.zeros(2), w, "k", "$w_j$")
    arrow(axes, w, push / 3, "tab:purple")
    k = i + 1
    words = rf"on $\langle x_{k},w\rangle=0$, $y_{k}={CONES.labels[i]:+.0f}$; shaded: $\langle y_{k}x_{k},w\rangle>0$"
    plane(axes, 1.5, words)
    return float(signed @ push)


def _draw_pulls(axes: Any) -> dict[str, float]:
    """The least <y_i x_i, x_a(w)> at every angle of w, on separated data and on others; the least of all."""
    angles = np.arange(0, 360, 0.5)
    pulls = {"separated": _least_pull(CONES, angles), "not separated": _least_pull(MIXED, angles)}
    for (name, values), style in zip(pulls.items(), ("-", "--"), strict=True):
        axes.plot(angles, values, style, label=name)
    axes.axhline(0, color="k", lw=0.6)
    axes.set(xlabel="angle of $w$, degrees", ylabel=r"$\min_i\langle y_ix_i,x_a(w)\rangle$")
    axes.set_title("all directions that see a datum")
    axes.legend()
    return {name: float(np.nanmin(values)) for name, values in pulls.items()}


@figure("min2024", 3)
def pushed_inwards() -> Any:
    """On the hyperplane of a datum the flow turns a positive neuron into the half space y_i <x_i, w> > 0."""
    picture = blank(13, 4.2)
    left, middle, right = picture.subplots(1, 3)
    inward, least = [_draw_inward(left, 1, 140), _draw_inward(middle, 2, 55)], _draw_pulls(right)
    mu, mixed = float(separation(CONES)), float(separation(MIXED))
    pulls = least["separated"], least["not separated"]
    lines = [
        f"min2024, Figure 3. Data of Figure 2, mu = {mu:.3f}; dashed: not separated, mu = {mixed:.3f}.",
        compared(
            f"speed of <y_i x_i, w/|w|> on the two hyperplanes: {listed(inward)}",
            "the flow pushes w_j inward",
            all(s > 0 for s in inward),
        ),
        compared(
            f"smallest <y_i x_i, x_a(w)> of all directions: {pulls[0]:.3f}, without separation {pulls[1]:.3f}",
            "Assumption 1 enforces that it is positive",
            pulls[0] > 0 > pulls[1],
        ),
    ]
    return captioned(picture, lines)


class Pattern(NamedTuple):
    """Which data a neuron sees over time: wrong changes, all changes, the last one, and the longest wait between two,
    times the number of active data.
    """

    wrong: int
    changes: int
    settled: float
    wait: float


def _pattern(time: Floats, active: Flags) -> tuple[Pattern, NDArray[np.intp]]:
    """What is said of a pattern, and when it changes."""
    labels = np.asarray(EIGHT.labels, dtype=float)
    gained, lost = active[1:] & ~active[:-1], active[:-1] & ~active[1:]
    moments = np.flatnonzero((gained | lost).any(axis=1)) + 1
    wrong = int(gained[:, labels < 0].sum() + lost[:, labels > 0].sum())
    waits = np.diff(time[[0, *moments]]) * active[[0, *moments[:-1]]].sum(axis=1)
    return Pattern(wrong, int((gained | lost).sum()), float(time[moments[-1]]), float(waits.max())), moments


def _draw_pattern(axes: Any, time: Floats, active: Flags, name: str) -> Pattern:
    """A row for each datum, negative ones below; in colour where the neuron sees it."""
    labels = np.asarray(EIGHT.labels, dtype=float)
    order = np.concatenate([np.flatnonzero(labels < 0)[::-1], np.flatnonzero(labels > 0)[::-1]])
    pattern, moments = _pattern(time, active)
    for row, i in enumerate(order):
        colour, mark = (POSITIVE, "+") if labels[i] > 0 else (NEGATIVE, "_")
        for seen, shade in ((active[:, i], colour), (~active[:, i], "0.85")):
            axes.plot(time[seen][::6], np.full(len(time[seen][::6]), row), mark, color=shade)
    for moment in moments:
        axes.axvline(time[moment], color="k", lw=0.4, ls=":")
    axes.set(xlabel="$t$", title=f"a neuron that ends in {name}", yticks=range(8))
    axes.set_yticklabels([f"$x_{i + 1}$" for i in order])
    return pattern


def _pattern_lines(first: Pattern, second: Pattern, dies: bool, comes_home: bool) -> list[str]:
    wrong = first.wrong + second.wrong
    return [
        f"min2024, Figure 4. Four data of each label, mu = {float(separation(EIGHT)):.3f}; two positive neurons "
        f"of size {SMALL:g} that start in S_-. In colour: active.",
        compared(
            f"{first.changes} and {second.changes} changes, of which {wrong} gain a negative or lose a positive datum",
            "at most n changes, only such that lose negative or gain positive data",
            not wrong and max(first.changes, second.changes) <= len(EIGHT.labels),
        ),
        compared(
            f"the first settles at time {first.settled:.3f} (in S_dead: {dies}), the second at {second.settled:.3f} "
            f"(in S_+: {comes_home})",
            "the neuron dies, or eventually reaches S_+",
            dies and comes_home,
        ),
        f"longest wait between changes, times the number of active data: {listed((first.wait, second.wait))} (paper: "
        "of the order of one)",
    ]


@figure("min2024", 4)
def activation_patterns() -> Any:
    """Activation patterns over time of two positive neurons that start with all negative data: one dies, one reaches
    S_+.
    """
    run, picture = _paths(EIGHT, np.array([232.0, 139.0]), 0.6), blank(10, 3.8)
    sees = run.inner @ np.asarray(EIGHT.inputs, dtype=float).T > ROUNDING * SMALL
    left, right = picture.subplots(1, 2, sharey=True)
    first = _draw_pattern(left, run.time, sees[:, 0], r"$S_{dead}$")
    second = _draw_pattern(right, run.time, sees[:, 1], "$S_+$")
    lines = _pattern_lines(first, second, _dies(run.inner[-1, 0], EIGHT), in_plus(run.inner[-1, 1], EIGHT))
    return captioned(picture, lines)
