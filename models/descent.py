"""Gradient descent on batches of two-layer networks as tensors, on any device, in float64."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from models.dataset import Dataset
from refute.case import lift
from refute.errors import Diverged
from refute.numbers import FLOAT

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A batch of networks after `step` steps: inner (batch, width, dim), outer (batch, width), loss (batch,)."""

    step: int
    inner: Floats
    outer: Floats
    loss: Floats


@contextmanager
def one_thread() -> Iterator[None]:
    """Tensors this small gain nothing from threads, which get in each other's way when several processes run."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def square_loss_descent(
    inner: Floats, outer: Floats, data: Dataset, *, rate: float, steps: int, every: int, slope: float = 0.0, device: str = "cpu"
) -> Iterator[Snapshot]:
    """W <- W - rate * grad of <(y - f)^2>/2, full batch, sigma'(0) = slope; yields a snapshot every `every` steps.

    The gradient is written out, so no graph is built: a small network is all overhead in automatic differentiation.
    """
    data = lift(data, FLOAT)
    x, y, w, v = (torch.tensor(values, dtype=torch.float64, device=device) for values in (data.inputs, data.labels, inner, outer))
    scale = rate / x.shape[0]
    with one_thread(), torch.inference_mode():
        for step in range(steps + 1):
            pre = w @ x.T
            gates = torch.where(pre > 0, 1.0, slope)
            hidden = pre * gates
            error = y - (v[:, None, :] @ hidden)[:, 0]
            if step % every == 0 or step == steps:
                loss = (error**2).mean(dim=1) / 2
                if not torch.isfinite(loss).all():
                    raise Diverged(f"gradient descent diverged before step {step}", f"take a step size below {rate}")
                yield Snapshot(step, *(values.cpu().numpy().copy() for values in (w, v, loss)))
            change = (gates * error[:, None, :]) @ x * v[:, :, None]
            v += scale * (hidden @ error[:, :, None])[:, :, 0]
            w += scale * change
