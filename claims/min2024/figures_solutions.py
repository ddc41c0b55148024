"""Figures 18 to 21: existence and uniqueness of Caratheodory solutions where the flow is discontinuous.

The flow is F = -grad L with the exponential loss; the arrows are F in the plane of one inner weight, for a fixed outer
weight 1.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import figure
from refute.claims.min2024.solutions import EDGE, TRAP, TRAPPED
from refute.models import Dataset, TwoLayer
from refute.models.drawing import POSITIVE, QUIET, arrow, blank, captioned, compared, listed
from refute.models.flow import FILIPPOV, REGULAR, Stop, gradient_flow
from refute.models.gradient import descent_direction
from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.residual import Residual, caratheodory_residual

Floats = NDArray[np.float64]
# As TRAP, with labels that make the data separated: the neuron crosses the hyperplane of the first datum.
THROUGH = Dataset(np.array([[1.0, 0.0], [0.5, 1.0]]), np.array([1.0, 1.0]))
BEGIN = np.array([-0.2, 0.5])
NEAR, HORIZON = 1e-6, 2.5


def _field(w: Floats, data: Dataset, at_zero: float = 0.0) -> Floats:
    net = TwoLayer(np.asarray(w, dtype=float)[None, :], np.ones(1), 0.0)
    return np.asarray(descent_direction(net, data, EXPONENTIAL_SUM, at_zero)[0][0], dtype=float)


def _arrows(axes: Any, data: Dataset, title: str) -> None:
    """F on both sides of the hyperplane w_1 = 0 of the first datum."""
    points = np.array([[a, b] for a in np.linspace(-0.42, 0.42, 8) for b in np.linspace(0.5, 1.6, 8)])
    axes.quiver(*points.T, *np.array([_field(w, data) for w in points]).T, color=QUIET, angles="xy")
    axes.axvline(0, color="k", lw=1)
    axes.text(0.01, 1.66, r"$\mathcal{A}$")
    axes.set(xlabel="$w_1$", ylabel="$w_2$", title=title, xlim=(-0.5, 0.5), ylim=(0.4, 1.75))


def _normal_speeds(data: Dataset) -> tuple[float, float]:
    """The first component of F just left and just right of (0, 1)."""
    return float(_field(np.array([-NEAR, 1.0]), data)[0]), float(_field(np.array([NEAR, 1.0]), data)[0])


def _side(data: Dataset, start: Floats, title: str) -> tuple[Any, Any]:
    """The field with the trajectory from a point left of the hyperplane, which Filippov's concept continues in any
    case.
    """
    net = TwoLayer(start[None, :], np.ones(1), 0)
    run = gradient_flow(net, data, EXPONENTIAL_SUM, np.linspace(0, HORIZON, 301), concept=FILIPPOV)
    picture = blank(5.6, 4.4)
    axes = picture.subplots()
    _arrows(axes, data, title)
    axes.plot(*run.inner[:, 0].T, color=POSITIVE, lw=2)
    axes.plot(*start, "o", color=POSITIVE)
    return picture, run


def _speeds(left: float, right: float) -> str:
    return f"normal speed {left:.3f} on the left, {right:.3f} on the right"


@figure("min2024", 18)
def no_solution_past_the_hyperplane() -> Any:
    """Data that are not separated: the flow points at the hyperplane from both sides, and no Caratheodory solution goes
    on.
    """
    picture, run = _side(TRAP, BEGIN, "pushed from both sides")
    left, right = _normal_speeds(TRAP)
    stuck = gradient_flow(TRAPPED, TRAP, EXPONENTIAL_SUM, np.array([0.0, 1.0]), concept=0.0)
    ends = f"from (0, 1) the integrator with sigma'(0) = 0 says: {_words(stuck.stop)}, time reached {stuck.reached:g}"
    lines = [
        "min2024, Figure 18. x_1 = (1, 0) with label -1, x_2 = (1/2, 1) with label 1: positively correlated, so "
        "not separated.",
        compared(_speeds(left, right), "the flow pushes towards A from both sides", left > 0 > right),
        compared(ends, "the Caratheodory solution ceases to exist", stuck.stop is Stop.NO_SOLUTION),
        f"drawn: the Filippov solution, which slides along A (|w_1| = {abs(run.inner[-1, 0, 0]):.1e} at the end)",
    ]
    return captioned(picture, lines)


def _residual(start: TwoLayer, data: Dataset, horizon: float, concept: str) -> Residual:
    """Of (45), with sigma'(0) = 0."""
    tight = {"at_zero": 0.0, "tolerance": 1e-10}
    return caratheodory_residual(start, data, EXPONENTIAL_SUM, horizon, concept=concept, **tight)


@figure("min2024", 19)
def a_solution_crosses() -> Any:
    """Separated data: the flow has one direction on both sides, and the solution leaves the hyperplane at once."""
    picture, run = _side(THROUGH, BEGIN, "crossed at once")
    left, right = _normal_speeds(THROUGH)
    residual = _residual(TwoLayer(BEGIN[None, :], np.ones(1), 0), THROUGH, HORIZON, FILIPPOV)
    crosses = left > 0 and right > 0 and len(run.events) == 1
    ways = f"{_speeds(left, right)}; events on the way: {len(run.events)}"
    found = f"residual of the integral equation (45): {residual.value:.1e}, error {residual.error:.1e}"
    lines = [
        "min2024, Figure 19. x_1 = (1, 0) and x_2 = (1/2, 1), both with label 1: separated.",
        compared(ways, "the flow on the opposite side is outward, A is left at once", crosses),
        compared(found, "a valid Caratheodory solution", residual.value <= residual.error),
    ]
    return captioned(picture, lines)


def _words(stop: Stop) -> str:
    return stop.name.lower().replace("_", " ")


def _point(label: int) -> Dataset:
    return Dataset(np.array([[1.0, 0.0]]), np.array([float(label)]))


def _edge(title: str) -> tuple[Any, Any, Any]:
    """The neuron (0, 1) on the edge of S_dead, the datum (1, 0), and room for curves over time."""
    picture = blank(9, 3.8)
    left, right = picture.subplots(1, 2)
    left.axvspan(-1, 0, color=QUIET, alpha=0.3)
    left.text(-0.7, 0.2, "$S_{dead}$")
    arrow(left, np.zeros(2), np.array([1.0, 0.0]), "k", "$x$")
    arrow(left, np.zeros(2), np.array([0.0, 1.0]), POSITIVE, "$w(0)$")
    left.set(xlim=(-1, 1.3), ylim=(-0.3, 1.4), aspect="equal", title=title)
    return picture, left, right


def _draw_slopes(axes: Any, data: Dataset, slopes: tuple[float, ...]) -> None:
    """The speed of <x, w> beside the edge, and on it for each value of sigma'(0)."""
    grid = np.linspace(-0.5, 0.5, 401)
    for a in slopes:
        speeds = np.array([_field(np.array([w, 1.0]), data, a)[0] for w in grid])
        axes.plot(grid[grid < 0], speeds[grid < 0], grid[grid > 0], speeds[grid > 0], color="0.5")
        axes.plot(0, _field(np.array([0.0, 1.0]), data, a)[0], "o", label=f"$a={a:g}$")
    axes.set(xlabel=r"$\langle x,w\rangle$", ylabel=r"speed of $\langle x,w\rangle$")
    axes.set_title("the flow, and its value at 0")
    axes.legend()


def _slope_lines(slopes: tuple[float, ...], pushes: list[float], data: Dataset) -> list[str]:
    inside = float(np.abs(_field(np.array([-NEAR, 1.0]), data)).max())
    still, *runs = (gradient_flow(EDGE, data, EXPONENTIAL_SUM, np.array([0.0, 1.0]), concept=a) for a in (0.0, *slopes))
    words, times = ", ".join(_words(run.stop) for run in runs), listed([run.reached for run in runs])
    moved = np.abs(still.inner[-1] - still.inner[0]).max()
    return [
        "min2024, Figure 20. x = (1, 0), y = -1, w(0) = (0, 1), v(0) = 1.",
        compared(
            f"on the edge <x, w> has speed {listed(pushes)} for a = {listed(slopes)}; in the interior of S_dead "
            f"{inside:g}",
            "pushed inside, where there is no flow",
            max(pushes) < 0 and inside == 0,
        ),
        compared(
            f"the integrator says {words}, at times {times}",
            "no Caratheodory solution for any t > 0",
            all(run.stop is Stop.NO_SOLUTION and run.reached == 0 for run in runs),
        ),
        compared(f"with sigma'(0) = 0 the neuron moves by {moved:.1e}", "it stays on the edge", bool(moved == 0)),
    ]


@figure("min2024", 20)
def no_solution_with_another_slope() -> Any:
    """One datum of label -1 and sigma'(0) = a > 0: the neuron can neither stay on the edge of S_dead nor enter it."""
    slopes, data = (0.25, 0.5, 1.0), _point(-1)
    pushes = [float(_field(np.array([0.0, 1.0]), data, a)[0]) for a in slopes]
    picture, left, right = _edge("label -1")
    arrow(left, np.array([0.0, 1.0]), np.array([pushes[1], 0.0]), "tab:purple", "$F$ for $a=1/2$")
    _draw_slopes(right, data, (0.0, *slopes))
    return captioned(picture, _slope_lines(slopes, pushes, data))


def _draw_delays(axes: Any, delays: tuple[float, ...], times: Floats, leaving: Floats) -> None:
    axes.axhline(0, color="k", lw=2, label="stays: the regular one")
    for delay in delays:
        path = np.where(times >= delay, np.interp(times - delay, times, leaving), 0.0)
        axes.plot(times, path, label=f"leaves at $t_0={delay:g}$")
    axes.set(xlabel="$t$", ylabel=r"$\langle x,w(t)\rangle$", title="four solutions")
    axes.legend()


@figure("min2024", 21)
def many_solutions() -> Any:
    """One datum of label 1: the neuron may stay on the edge of S_dead or leave it at any time."""
    data, horizon, delays = _point(1), 4.0, (0.0, 1.0, 2.0)
    times = np.linspace(0, horizon, 201)
    leaving = gradient_flow(EDGE, data, EXPONENTIAL_SUM, times, concept=FILIPPOV).inner[:, 0, 0]
    solutions = (REGULAR, 0.0), *((FILIPPOV, delay) for delay in delays)
    residuals = [_residual(EDGE, data, horizon - delay, concept) for concept, delay in solutions]
    picture, left, right = _edge("label 1")
    arrow(left, np.array([0.0, 1.0]), np.array([0.5, 0.0]), "tab:purple", "leaving")
    _draw_delays(right, delays, times, leaving)
    words, apart = listed([one.value for one in residuals], ".1e"), float(leaving[-1])
    solve = all(one.value <= one.error for one in residuals)
    found = f"residuals of (45): {words}; two of them are {apart:.2f} apart at the end"
    paper = "staying, and leaving at any t_0, are both Caratheodory solutions"
    first = "min2024, Figure 21. x = (1, 0), y = 1, w(0) = (0, 1), v(0) = 1, sigma'(0) = 0."
    return captioned(picture, [first, compared(found, paper, solve and apart > 0)])
