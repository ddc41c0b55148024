"""Steps of descent on any objective: plain, with momentum, Adam; one objective for all steps, or one for each.

The steps are taken in float64, and once more in float32, whose rounding is 2^29 times as large: what it makes of the
weights says what rounding can do. That is an estimate and no bound, so that no violation is confirmed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from refute.decide.confirmation import REPEATED, answered
from refute.errors import Diverged
from refute.models.general.objective import Field, Objective
from refute.models.general.run import Floats, Run
from refute.models.training import Stop

FINER = 2.0**-29  # the rounding of float64 over that of float32
SAFETY = 64

Rule = Callable[[], Callable[[Floats], Floats]]  # a memory of its own for each run: from minus the gradient to the step


def plain(rate: float) -> Rule:
    """Gradient descent."""
    return lambda: lambda push: rate * push


def momentum(rate: float, kept: float, nesterov: bool = False) -> Rule:
    """v <- kept v - grad, theta <- theta + rate v, as torch's SGD does it."""

    def begin() -> Callable[[Floats], Floats]:
        speed: list[Floats] = []

        def step(push: Floats) -> Floats:
            speed[:] = [kept * speed[0] + push if speed else push]
            return rate * (push + kept * speed[0] if nesterov else speed[0])

        return step

    return begin


def adam(rate: float = 1e-3, first: float = 0.9, second: float = 0.999, floor: float = 1e-8) -> Rule:
    """Adam, with the corrections of its two averages."""

    def begin() -> Callable[[Floats], Floats]:
        done, mean, square = [0], [np.zeros(1)], [np.zeros(1)]

        def step(push: Floats) -> Floats:
            done[0] += 1
            mean[0] = first * mean[0] + (1 - first) * push
            square[0] = second * square[0] + (1 - second) * push**2
            size = np.sqrt(square[0] / (1 - second ** done[0]))
            return np.asarray(rate * mean[0] / (1 - first ** done[0]) / (size + floor))

        return step

    return begin


def descent(
    objective: Objective | Sequence[Objective], start: Mapping[str, Any], rule: Rule, steps: int | None = None
) -> Run:
    """The weights after 0, 1, ..., `steps` steps; a sequence has one objective for each of them."""
    answered(REPEATED)
    each = list(objective) if isinstance(objective, Sequence) else [objective] * (steps or 0)
    fine, coarse = (_follow(each, Field(start, kind), rule) for kind in (torch.float64, torch.float32))
    size, apart = float(np.abs(fine).max(initial=0.0)), float(np.abs(fine - coarse).max(initial=0.0))
    error = SAFETY * FINER * apart + 4 * len(fine) * float(np.finfo(float).eps) * size
    return Run(np.arange(len(fine), dtype=float), Field(start).named(fine), error, Stop.HORIZON)


def _follow(each: Sequence[Objective], field: Field, rule: Rule) -> Floats:
    state, step, found = field.start, rule(), [field.start]
    for number, objective in enumerate(each):
        state = state + step(field(objective, state))
        if field.kind == torch.float32:
            state = state.astype(np.float32).astype(np.float64)
        if not np.isfinite(state).all():
            raise Diverged(f"training diverged at step {number + 1}", Stop.DIVERGED.value)
        found.append(state)
    return np.array(found)
