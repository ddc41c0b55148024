"""A network, data and a loss as the arrays that compiled code works on; a loss of one's own becomes a function that it
can call.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute.errors import BadInput
from refute.models.dataset import Dataset
from refute.models.flow.lines import lines_through
from refute.models.flow.pattern import Problem
from refute.models.loss import Loss, Shape
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]


@dataclass(slots=True, eq=False)
class Asked:
    """The residual of a loss of one's own, which compiled code calls by its address, without arguments. What it raises
    is kept: it cannot pass through.
    """

    loss: Loss
    labels: Floats
    outputs: Floats
    into: Floats
    failures: list[Exception] = field(default_factory=list)
    pointer: Any = None

    def __post_init__(self) -> None:
        self.pointer = ctypes.CFUNCTYPE(None)(self.answer)

    @property
    def address(self) -> int:
        return ctypes.cast(self.pointer, ctypes.c_void_p).value or 0

    def answer(self) -> None:
        try:
            self.into[:] = self.loss.residual(self.labels, self.outputs) if not self.failures else np.nan
        except Exception as failure:
            self.failures.append(failure)
            self.into[:] = np.nan


def pose(net: TwoLayer, data: Dataset, loss: Loss, tau: float, train_outer: bool) -> tuple[Problem, Callable[[], None]]:
    """The problem, and a function that raises what the residual has raised (and that keeps it alive)."""
    inputs, labels = (
        np.array(values, dtype=float, order="C") for values in (data.inputs, data.labels)
    )  # writable copies
    lines, own = lines_through(inputs), loss.shape is Shape.OWN
    outputs, residuals = np.zeros(len(labels)), np.zeros(len(labels))
    pull = np.zeros(2 * len(lines.directions))
    rays = np.unique(np.where(lines.factors > 0, lines.index, lines.index + len(lines.directions))[lines.index >= 0])
    asked = Asked(loss, labels, outputs, residuals) if own else None
    problem = Problem(
        directions=lines.directions,
        across=np.ascontiguousarray(lines.directions.T),
        index=lines.index,
        factors=lines.factors,
        labels=labels,
        outputs=outputs,
        residuals=residuals,
        pull=pull,
        positive=pull[: len(pull) // 2],
        negative=pull[len(pull) // 2 :],
        rays=rays,
        slope=float(net.slope),
        rate=float(loss.weight(len(labels))) / tau,
        outer=float(train_outer),
        shape=int(loss.shape),
        factor=float(loss.factor),
        sign=float(loss.sign),
        address=0 if asked is None else asked.address,
    )

    def complain() -> None:
        if asked is not None and asked.failures:
            raise asked.failures[0]

    return problem, complain


def check_start(problem: Problem) -> None:
    """The residual at the initial weights is a number."""
    if not np.isfinite(problem.residuals).all():
        raise BadInput(
            "the residual is not finite at the initial weights",
            "make the initial weights smaller, or mend the residual",
        )
