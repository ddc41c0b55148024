"""Gradient descent on a batch of cases as tensors, on any device, in float64.

On the CPU each case gets the same result to the last bit whatever stands beside it: every product is one small matrix
product per case, and every matrix that is multiplied begins at a multiple of 64 bytes. Widths are padded with zeros,
which stay zero; after the samples of a case there is room that nobody looks at.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import FLOAT
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.checks import (
    check_finite,
    checked_layers,
    checked_picks,
    checked_rate,
    checked_samples,
    checked_slope,
    finite,
    recorded_steps,
)
from refute.models.dataset import Dataset
from refute.models.loss import SQUARE, Loss, Shape

if TYPE_CHECKING:
    from torch import Tensor

Floats = NDArray[np.float64]
Picks = NDArray[np.int64]
LINE = 8  # floats of 64 bytes: matrix products round differently on matrices that begin elsewhere
LOOP = 64  # a multiple of what a vectorised loop does at a time
CACHED = 32_000  # entries of a layer's activations that one CPU core works on best at a time


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A batch of networks after `step` steps: inner (batch, width, dim), outer (batch, width), loss (batch,)."""

    step: int
    inner: Floats
    outer: Floats
    loss: Floats


@dataclass(frozen=True, slots=True, eq=False)
class DeepSnapshot:
    """A batch of deep networks after `step` steps: weights[l] is (batch, rows, columns), loss (batch,)."""

    step: int
    weights: tuple[Floats, ...]
    loss: Floats


def descend_batch(
    inner: Floats,
    outer: Floats,
    inputs: Floats,
    labels: Floats,
    loss: Loss = SQUARE,
    *,
    rate: float,
    steps: int,
    every: int = 0,
    slope: float = 0.0,
    slope_at_zero: float,
    train_outer: bool = True,
    picks: Picks | None = None,
    device: str = "cpu",
) -> Iterator[Snapshot]:
    """Two-layer networks inner (batch, width, dim), outer (batch, width) on shared data or on (batch, samples, dim)."""
    inner, outer = finite(inner, "inner"), finite(outer, "outer")
    if inner.ndim != 3 or outer.shape != inner.shape[:2]:
        raise BadInput(
            f"inner has shape {inner.shape} and outer {outer.shape}", "use (batch, width, dimension) and (batch, width)"
        )
    for shot in descend_deep_batch(
        (inner, outer[:, None, :]), inputs, labels, loss, rate=rate, steps=steps, every=every, slope=slope,
        slope_at_zero=slope_at_zero, trained=(True, train_outer), picks=picks, device=device,
    ):  # fmt: skip
        yield Snapshot(shot.step, shot.weights[0], shot.weights[1][:, 0], shot.loss)


def descend_deep_batch(
    weights: Sequence[Floats],
    inputs: Floats,
    labels: Floats,
    loss: Loss = SQUARE,
    *,
    rate: float,
    steps: int,
    every: int = 0,
    slope: float = 0.0,
    slope_at_zero: float,
    trained: Sequence[bool] | None = None,
    picks: Picks | None = None,
    device: str = "cpu",
) -> Iterator[DeepSnapshot]:
    """Networks of any depth, weights[l] of shape (batch, rows, columns); yields at step 0, every `every` steps and at
    the end.
    """
    import torch

    layers = [finite(w, f"weights[{k}]") for k, w in enumerate(weights)]
    x, y = checked_samples(inputs, labels)
    _check_batch(layers, x)
    slope = checked_slope(slope)
    at_zero = checked_slope(slope_at_zero, "slope_at_zero")
    moving = checked_layers(trained, len(layers))
    picks, step = checked_picks(picks, x.shape[-2], steps, checked_rate(rate), loss)
    batch, samples = layers[0].shape[0], x.shape[-2]
    widest = samples * max(w.shape[1] for w in layers)
    chunk = max(1, batch if device != "cpu" else CACHED // max(1, widest))
    sizes = [w.shape[1] for w in layers]
    chosen = None
    if picks.shape[1]:  # the padding of a small batch is a sample of zeros, the first after the last
        chosen = torch.tensor(_padded(picks, 1, samples), device=device)
        x, y = _padded(x, -2, extra=1), _padded(y, -1, extra=1)
    shown, x = x.shape[-2], _padded(x, -2)
    size = 0 if chosen is None else chosen.shape[1]
    layers = [_padded(w, 1) if k + 1 < len(layers) else w for k, w in enumerate(layers)]
    layers = [layers[0], *(_padded(w, 2) for w in layers[1:])]
    parts = [
        _part(layers, x, y, np.arange(begin, min(begin + chunk, batch)), (samples, shown, size), device)
        for begin in range(0, batch, chunk)
    ]
    columns, trains = [layers[0].shape[2], *sizes[:-1]], moving.tolist()
    ends = recorded_steps(steps, every)
    for k, end in enumerate(ends):
        with one_thread(), torch.inference_mode():
            for part in parts:
                for t in range(ends[k - 1] if k else 0, end):
                    part.move(loss, step, slope, at_zero, trains, None if chosen is None else chosen[t])
            losses = np.concatenate([_loss(loss, p, slope) for p in parts])
            found = tuple(_layer(parts, *where) for where in enumerate(zip(columns, sizes, strict=True)))
        check_finite(np.isfinite(losses).all() and all(np.isfinite(w).all() for w in found), end, rate, "before")
        yield DeepSnapshot(end, found, losses)


def square_loss_descent(
    inner: Floats,
    outer: Floats,
    data: Dataset,
    *,
    rate: float,
    steps: int,
    every: int,
    slope: float = 0.0,
    device: str = "cpu",
) -> Iterator[Snapshot]:
    """A batch of networks on one dataset with the square loss <(y - f)^2>/2, full batch, sigma'(0) = slope."""
    data = lift(data, FLOAT)
    return descend_batch(
        inner, outer, data.inputs, data.labels,
        rate=rate, steps=steps, every=every, slope=slope, slope_at_zero=slope, device=device,
    )  # fmt: skip


class _Part:
    """As many cases as fit into the cache, with all memory that a step needs and the views on it made once.

    weights[l] is W_l^T (cases, columns, rows), x (cases, samples, dim), y (cases, samples, 1). The first `count` cases
    and `samples` samples are real, the rest is padding; `size` samples are seen at each step (0: all).
    """

    def __init__(self, count: int, samples: int, size: int, weights: "list[Tensor]", x: "Tensor", y: "Tensor") -> None:
        import torch

        self.count, self.samples, self.weights, self.x, self.y = count, samples, weights, x, y
        self.seen_x, self.seen_y = (
            (x, y) if size == 0 else (x.new_empty(len(x), size, x.shape[2]), y.new_empty(len(y), size, 1))
        )
        self.hidden = [x.new_empty(len(x), self.seen_x.shape[1], w.shape[2]) for w in weights[:-1]]
        self.gates = [torch.empty_like(signal) for signal in self.hidden]
        self.outputs = torch.empty_like(self.seen_y)
        self.delta = _roomy(self.seen_y)
        self.mirrored = [signal.transpose(1, 2) for signal in (self.seen_x, *self.hidden)]
        self.transposed = [w.transpose(1, 2) for w in weights]

    def values(self, slope: float) -> "Tensor":
        """The outputs at all samples."""
        import torch

        signal = torch.bmm(self.x, self.weights[0])
        for w in self.weights[1:]:
            signal = torch.bmm(torch.maximum(signal, slope * signal), w)
        return signal[..., 0]

    def move(
        self, loss: Loss, step: float, slope: float, at_zero: float, moving: list[bool], chosen: "Tensor | None"
    ) -> None:
        """One step of descent, in place."""
        import torch

        if chosen is not None:
            torch.index_select(self.x, 1, chosen, out=self.seen_x)
            torch.index_select(self.y, 1, chosen, out=self.seen_y)
        signal = self.seen_x
        for w, pre, gates in zip(self.weights, self.hidden, self.gates, strict=False):
            torch.bmm(signal, w, out=pre)
            _set_gates(gates, pre, slope, at_zero)
            signal = pre.mul_(gates)
        torch.bmm(signal, self.weights[-1], out=self.outputs)
        delta = tensor_residual(loss, self.seen_y, self.outputs, self.delta)
        for level in range(len(self.weights) - 1, -1, -1):
            w, above = self.weights[level], delta
            if level and w.shape[2] > 1:
                delta = self.gates[level - 1].mul_(torch.bmm(above, self.transposed[level]))
            elif level:  # one output: the product of a column and a row
                delta = self.gates[level - 1].mul_(above).mul_(self.transposed[level])
            if moving[level]:
                w.baddbmm_(self.mirrored[level], above, alpha=step)


def _part(
    layers: list[Floats], x: Floats, y: Floats, rows: NDArray[np.int_], extent: tuple[int, int, int], device: str
) -> _Part:
    """The cases of these rows; `extent` counts the samples, those with their padding, and those seen at each step."""
    import torch

    count, (samples, shown, size) = len(rows), extent
    if count == 1:  # a product of single matrices takes another path, with other round-off
        rows = np.repeat(rows, 2)
    moved = [torch.tensor(w[rows], device=device).transpose(1, 2).contiguous() for w in layers]
    own = (
        values[rows] if values.ndim > axes else np.repeat(values[None], len(rows), axis=0)
        for values, axes in ((x, 2), (y, 1))
    )
    own_x, own_y = (torch.tensor(values, device=device) for values in own)
    return _Part(count, samples, size, moved, own_x[:, :shown], own_y[..., None].contiguous())


def _layer(parts: Sequence[_Part], level: int, shape: tuple[int, int]) -> Floats:
    """The weights of one layer of all cases, without padding."""
    below, above = shape
    found = [p.weights[level][: p.count, :below, :above].transpose(1, 2).cpu().numpy() for p in parts]
    return np.concatenate(found)


def _roomy(like: "Tensor") -> "Tensor":
    """Matrices of the given shape, one for each case, that begin at multiples of LINE rows."""
    return like.new_zeros(len(like), -(-like.shape[1] // LINE) * LINE, like.shape[2])[:, : like.shape[1]]


def _padded(values: NDArray[Any], axis: int, fill: int = 0, extra: int = 0) -> NDArray[Any]:
    """`values` with at least `extra` entries of `fill` appended along an axis, up to a multiple of LINE."""
    length = values.shape[axis] + extra
    widths = [(0, 0)] * values.ndim
    widths[axis] = (0, -(-length // LINE) * LINE - values.shape[axis])
    return np.pad(values, widths, constant_values=fill)


def _loss(loss: Loss, part: _Part, slope: float) -> Floats:
    values = loss.value(*(values[:, : part.samples].cpu().numpy() for values in (part.y[..., 0], part.values(slope))))
    return np.asarray(values)[: part.count]


def _set_gates(gates: "Tensor", pre: "Tensor", slope: float, at_zero: float) -> None:
    """sigma' at the pre-activations; comparisons written into floats, since masks are slow."""
    import torch

    if at_zero == 1.0:
        torch.ge(pre, 0.0, out=gates)
    else:
        torch.gt(pre, 0.0, out=gates)
    if slope > 0:
        gates.clamp_(min=slope)
    if at_zero not in (slope, 1.0):
        gates.masked_fill_(pre == 0, at_zero)


def tensor_residual(loss: Loss, y: "Tensor", f: "Tensor", out: "Tensor | None" = None) -> "Tensor":
    """-dl/df, as models.loss has it for arrays."""
    import torch

    shape, factor, sign = loss.kernel, float(loss.factor), float(loss.sign)
    if shape == Shape.SQUARE:
        found = torch.sub(y, f, out=out)
        return found if factor == 0.5 else found.mul_(2 * factor)
    power = torch.sigmoid_ if shape == Shape.LOGISTIC else torch.exp_
    return torch.mul(_entrywise(power, sign * y * f), y, out=out).mul_(-sign * factor)


def _entrywise(change: Callable[["Tensor"], "Tensor"], values: "Tensor") -> "Tensor":
    """What `change` does in place to every entry, the same bits wherever it stands: the last few of a loop are computed
    in another way.
    """
    room = values.new_zeros(-(-values.numel() // LOOP) * LOOP)
    room[: values.numel()] = values.reshape(-1)
    return change(room)[: values.numel()].view(values.shape)


@contextmanager
def one_thread() -> Iterator[None]:
    """Tensors this small gain nothing from threads, which get in each other's way when several processes run."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _check_batch(layers: list[Floats], x: Floats) -> None:
    columns = x.shape[-1]
    if not layers or layers[0].shape[:1] == (0,):
        raise BadInput(f"weights have shapes {[w.shape for w in layers]}", "give at least one layer and one case")
    for k, w in enumerate(layers):
        if w.ndim != 3 or w.shape[0] != layers[0].shape[0] or w.shape[2] != columns:
            raise BadInput(f"weights[{k}] has shape {w.shape}", f"use (batch, rows, {columns}) with one batch size")
        columns = w.shape[1]
    if columns != 1:
        raise BadInput(f"the last layer has {columns} rows", "use one")
    if x.ndim not in (2, 3) or (x.ndim == 3 and x.shape[0] != layers[0].shape[0]):
        raise BadInput(
            f"inputs have shape {x.shape} for {layers[0].shape[0]} cases", "share one dataset, or give one to each"
        )
