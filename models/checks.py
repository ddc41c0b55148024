"""Checks shared by every way of training in float64: the error names the argument and what to do."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import FLOAT
from refute.errors import BadInput, Diverged
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.loss import Loss
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
Picks = NDArray[np.int64]


def finite(values: object, name: str) -> Floats:
    """A contiguous float64 array without NaN and infinities."""
    try:
        array = np.asarray(values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name} is not an array of numbers: {error}") from None
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise BadInput(f"{name} must be finite, got {array[where]} at index {where}", "remove or impute the entry")
    return array


def checked_samples(inputs: object, labels: object) -> tuple[Floats, Floats]:
    """Inputs (..., samples, dimension) and labels (..., samples), with at least one sample."""
    x, y = finite(inputs, "inputs"), finite(labels, "labels")
    if x.ndim < 2 or y.shape != x.shape[:-1]:
        raise BadInput(f"inputs have shape {x.shape} and labels {y.shape}", "use (samples, dimension) and (samples,)")
    if x.shape[-2] == 0:
        raise BadInput("inputs are empty", "give at least one sample")
    return x, y


def checked_case(net: TwoLayer, data: Dataset) -> tuple[Floats, Floats, float, Floats, Floats]:
    """inner, outer, slope, inputs, labels in float64."""
    net, data = lift(net, FLOAT), lift(data, FLOAT)
    inner, outer = finite(net.inner, "inner"), finite(net.outer, "outer")
    x, y = checked_samples(data.inputs, data.labels)
    if inner.ndim != 2 or outer.shape != inner.shape[:1]:
        raise BadInput(f"inner has shape {inner.shape} and outer {outer.shape}", "use (width, dimension) and (width,)")
    check_dimension(inner.shape[1], x.shape[1])
    return inner, outer, checked_slope(net.slope), x, y


def checked_times(times: object) -> Floats:
    """At least one time, finite, increasing, from 0 or later; a copy, since compiled code is typed."""
    found = np.array(finite(times, "times"))
    if found.ndim != 1 or found.size == 0 or (np.diff(found) < 0).any() or found[0] < 0:
        raise BadInput(f"times must be finite and increase from 0 or later, got {found.tolist()}")
    return found


def check_dimension(of_network: int, of_data: int) -> None:
    """A network and its data live in one dimension."""
    if of_network != of_data:
        raise BadInput(
            f"the network takes inputs of dimension {of_network}, the data have dimension {of_data}",
            "give both the same dimension",
        )


def checked_slope(slope: object, name: str = "slope") -> float:
    """A leaky slope, or a value of sigma'(0): in [0, 1]."""
    value = float(finite(slope, name))
    if not 0 <= value <= 1:
        raise BadInput(f"{name} must lie in [0, 1], got {value}")
    return value


def checked_rate(rate: object) -> float:
    """A step size: finite and positive."""
    value = float(finite(rate, "rate"))
    if value <= 0:
        raise BadInput(f"rate must be positive, got {value}")
    return value


def checked_count(count: int, name: str, least: int = 0) -> int:
    """An integer that is at least `least`."""
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < least:
        raise BadInput(f"{name} must be an integer of at least {least}, got {count!r}")
    return int(count)


def recorded_steps(steps: int, every: int) -> list[int]:
    """0, every, 2 every, ..., steps."""
    every = checked_count(every, "every") or max(steps, 1)
    return sorted({*range(0, steps, every), 0, steps})


def checked_picks(picks: Picks | None, samples: int, steps: int, rate: float, loss: Loss) -> tuple[Picks, float]:
    """Indices (steps, size), without columns for the full batch; and the rate times the weight of one residual."""
    steps = checked_count(steps, "steps")
    if picks is None:
        return np.empty((steps, 0), dtype=np.int64), rate * float(loss.weight(samples))
    picks = np.ascontiguousarray(picks, dtype=np.int64)
    if picks.ndim != 2 or picks.shape[0] != steps or picks.shape[1] == 0:
        raise BadInput(f"picks has shape {picks.shape} for {steps} steps", "use refute.models.minibatches")
    if picks.size and (picks.min() < 0 or picks.max() >= samples):
        raise BadInput(f"picks must lie in 0..{samples - 1}, got {picks.min()}..{picks.max()}")
    return picks, rate * float(loss.weight(picks.shape[1]))


def checked_layers(trained: Sequence[bool] | None, depth: int) -> NDArray[np.bool_]:
    """Which layers move: all of them unless given."""
    flags = np.ones(depth, dtype=bool) if trained is None else np.asarray(trained, dtype=bool)
    if flags.shape != (depth,):
        raise BadInput(f"trained has {flags.size} entries for {depth} layers")
    return flags


def check_finite(fine: bool | np.bool_, step: int, rate: float, when: str = "at") -> None:
    """Raise `Diverged`, naming the step, unless all is finite."""
    if not fine:
        raise Diverged(
            f"gradient descent diverged: an output is not finite {when} step {step}", f"take rate below {rate}"
        )
