"""Gradient flow of a two-layer network: the differential inclusion, integrated from one activation pattern to the next.

Inside a pattern the field is smooth and a Runge-Kutta method follows it; where a pre-activation reaches zero the step
ends there, and the neuron crosses, slides or leaves (models.flow.filippov). Three solution concepts:
FILIPPOV takes, where several solutions start in one point, the one that descends fastest; a neuron that arrives at the
region where nothing activates it stays there. REGULAR leaves every dead neuron dead, also one that starts on the edge
of that region. A number fixes sigma'(0): a solution in the sense of Caratheodory, and `stop` says when there is none.
"""

from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import FLOAT, rational
from refute.decide.confirmation import CERTIFIED, CONFIRMED, CONTRADICTED, REPEATED, answered, asked
from refute.errors import BadInput, Diverged
from refute.language.case import lift
from refute.models.checks import check_dimension, checked_times, finite
from refute.models.dataset import Dataset
from refute.models.flow.trajectory import Trajectory
from refute.models.loss import Loss, Shape
from refute.models.network import TwoLayer
from refute.models.training import Stop

if TYPE_CHECKING:  # these import numba
    from refute.models.flow.course import Concept, Course


Floats = NDArray[np.float64]
FINEST = 3e-14  # the smallest relative tolerance that the integrator takes
COARSER = 30.0  # the second run, which measures the error of the first, has a tolerance so many times larger
BUDGET = 200_000  # evaluations of the field; a smooth trajectory of the sizes used here needs a few hundred
MOST_NEURONS, MOST_DIMENSIONS, MOST_SAMPLES, MOST_STEPS = 4, 3, 8, 100  # of a case that is enclosed in balls
AGREEMENT = 1e-9  # two methods that differ by less, relative to the largest weight, do not contradict each other
HOPELESS = 1e9  # the error of an integration that ended early: it decides nothing


class Rule(StrEnum):
    """Which solution is followed where several start in one point; its value is the word for it."""

    FILIPPOV = "filippov"
    REGULAR = "regular"


FILIPPOV, REGULAR = Rule.FILIPPOV, Rule.REGULAR


def gradient_flow(
    net: TwoLayer,
    data: Dataset,
    loss: Loss,
    times: Floats,
    *,
    tau: float = 1.0,
    tolerance: float = 1e-10,
    concept: str | float = FILIPPOV,
    train_outer: bool = True,
    budget: int = BUDGET,
) -> Trajectory:
    """Integrate tau dW/dt = -grad L from `net` at time 0 to the given increasing times."""
    from refute.models.flow.course import events, follow
    from refute.models.flow.pose import pose

    times = checked_times(times)
    net, data = lift(net, FLOAT), lift(data, FLOAT)
    _check(net, data, tau, tolerance)
    chosen, finest = _concept(concept), max(tolerance, FINEST)
    start = np.concatenate([net.inner.reshape(-1), net.outer]).astype(float)
    problem, complain = pose(net, data, loss, tau, train_outer)
    fine, coarse = (
        follow(problem, start.copy(), net.width, times, level, chosen, budget, complain)
        for level in (finest, COARSER * finest)
    )
    if fine.stop is Stop.DIVERGED:
        raise Diverged(f"training diverged at time {fine.reached:.4g} of {times[-1]:.4g}", Stop.DIVERGED.value)
    run = Trajectory(
        time=times,
        inner=fine.states[:, : net.inner.size].reshape(-1, *net.inner.shape),
        outer=fine.states[:, net.inner.size :],
        slope=float(net.slope),
        error=_error(fine, coarse, finest) if fine.stop is coarse.stop is Stop.HORIZON else HOPELESS,
        tolerance=tolerance,
        events=events(fine),
        stop=fine.stop,
        reached=fine.reached,
        evaluations=fine.evaluations,
        checks=coarse.evaluations,
    )
    if train_outer and _passed_a_saddle(net, run):
        return replace(run, error=HOPELESS)
    return _confirmed(run, net, data, loss, tau, train_outer, concept) if asked() else run


def _passed_a_saddle(net: TwoLayer, run: Trajectory) -> bool:
    """Whether rounding has led a neuron past a saddle: a^2 - |w|^2 is constant, so that a neuron for which it is not
    negative could change the sign of a only at a = 0, w = 0, where it would rest. On which side of zero the difference
    lies is not known where it is within the tolerance.
    """
    inner, outer = (net.inner**2).sum(axis=1), net.outer**2
    rests = outer - inner >= -run.tolerance * (outer + inner)
    changed = (np.sign(run.outer) * np.sign(net.outer) < 0).any(axis=0)
    return bool((rests & changed).any())


def _confirmed(
    run: Trajectory, net: TwoLayer, data: Dataset, loss: Loss, tau: float, train_outer: bool, concept: str | float
) -> Trajectory:
    """The run, its error widened by the distance from the second method, or the rigorous one where balls enclose it.

    The error of the second method is measured only where the first one's error and rounding do not explain the
    distance.
    """
    from refute.models.flow.confirm import FINE, confirm_flow

    def second(tolerance: float) -> tuple[Floats, Floats]:
        return confirm_flow(net, data, loss, run.time, tau=tau, tolerance=tolerance, train_outer=train_outer)

    weights = (run.inner, run.outer)
    try:
        if concept != FILIPPOV or run.stop is not Stop.HORIZON:
            raise BadInput("the second method follows Filippov solutions to the end")
        other = second(FINE)
        enclosed = _enclosed(run, net, data, loss, tau, train_outer)
        if enclosed is not None:
            answered(CERTIFIED)
            return replace(run, error=enclosed)
        size = max(float(np.abs(part).max()) for part in weights)
        distance, allowed = _distance(weights, other), max(run.error, AGREEMENT * size)
        if not distance <= allowed:
            allowed += 2 * _distance(other, second(COARSER * FINE))
    except BadInput:
        answered(REPEATED)
        return run
    methods = "the Runge-Kutta method and the multistep method of gradient flow"
    answered(CONFIRMED if distance <= allowed else CONTRADICTED, methods, distance, allowed)
    return replace(run, error=run.error + distance)


def _distance(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> float:
    return max(float(np.abs(a - b).max(initial=0.0)) for a, b in zip(one, other, strict=True))


def _enclosed(run: Trajectory, net: TwoLayer, data: Dataset, loss: Loss, tau: float, train_outer: bool) -> float | None:
    """The largest distance of the run from a validated enclosure of the trajectory, for small cases; None where there
    is none.
    """
    from refute.models.validated import validated_flow

    if (
        loss.shape is Shape.OWN
        or net.width > MOST_NEURONS
        or data.inputs.shape[1] > MOST_DIMENSIONS
        or len(data.labels) > MOST_SAMPLES
    ):
        return None
    times = [rational(time) / rational(tau) for time in run.time.tolist()]
    tube = validated_flow(
        net,
        data,
        loss,
        times,
        train_outer=train_outer,
        radius=Fraction(1, 10**14),
        most_bits=256,
        most_steps=MOST_STEPS,
    )
    if len(tube.time) < len(times):
        return None
    inner, outer = (
        np.array([float(ball.mid()) for ball in layer.reshape(-1)]).reshape(layer.shape)
        for layer in (tube.inner, tube.outer)
    )
    return (
        _distance((run.inner, run.outer), (inner, outer))
        + tube.radius()
        + float(np.finfo(float).eps) * float(np.abs(run.inner).max(initial=0.0))
    )


def _error(fine: "Course", coarse: "Course", tolerance: float) -> float:
    """The gap between the runs, plus the estimated errors of the steps (both may take the same
    ones), plus round-off.
    """
    size, rounding = float(np.abs(fine.states).max(initial=0.0)), np.finfo(float).eps * (20 + fine.steps)
    gap = float(np.abs(fine.states - coarse.states).max(initial=0.0))
    return 2 * gap + ((1 + fine.spent) * tolerance + 4 * rounding) * size


def _check(net: TwoLayer, data: Dataset, tau: float, tolerance: float) -> None:
    for name, values in (("inner", net.inner), ("outer", net.outer), ("inputs", data.inputs), ("labels", data.labels)):
        finite(values, name)
    check_dimension(net.inner.shape[1], data.inputs.shape[1])
    if not (np.isfinite(tau) and tau > 0):
        raise BadInput(f"tau must be positive, got {tau}")
    if not 0 < tolerance < 1:
        raise BadInput(f"tolerance must lie between 0 and 1, got {tolerance}", "1e-10 is the default")


def _concept(concept: str | float) -> "Concept":
    from refute.models.flow.course import Concept

    if isinstance(concept, str):
        if concept not in (*Rule,):
            raise BadInput(f"concept = {concept!r}", "use FILIPPOV, REGULAR or a number for sigma'(0)")
        return Concept(regular=Rule(concept) is Rule.REGULAR)
    if not 0 <= concept <= 1:
        raise BadInput(f"sigma'(0) = {concept} is not in [0, 1]")
    return Concept(at_zero=float(concept))


def scaled(net: TwoLayer, factor: float, slope: float) -> TwoLayer:
    """Both layers times `factor`, with another slope."""
    return replace(
        net,
        inner=np.asarray(net.inner, dtype=float) * factor,
        outer=np.asarray(net.outer, dtype=float) * factor,
        slope=slope,
    )
