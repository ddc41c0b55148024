"""Gradient flow of many cases at once, on a device.

On the CPU the compiled integrator takes one case after the other: a case gets the same result to the last bit whatever
stands beside it. On another device all cases of one shape move together as float64 tensors, each with its own clock and
step, as long as no neuron reaches a hyperplane; a case in which one does (or that starts on one) is given to the
compiled integrator, from its start. Crossing and sliding are decided there alone, so a batch of trajectories full of
events is no faster than on the CPU.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import RK45

from refute.arithmetic.numbers import FLOAT
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.descent.batch import tensor_residual
from refute.models.flow.solve import BUDGET, COARSER, FILIPPOV, FINEST, gradient_flow
from refute.models.flow.trajectory import Trajectory
from refute.models.loss import Loss, Shape
from refute.models.network import TwoLayer
from refute.models.training import Stop

if TYPE_CHECKING:
    from torch import Tensor

Floats = NDArray[np.float64]
Case = tuple[TwoLayer, Dataset]
SAFETY, GROWTH, CUT = 0.9, 6.0, 0.2
FLOOR = 1e-3  # absolute over relative tolerance, in units of the largest initial weight
TOUCHES = 1e-12  # a pre-activation this small, in units of the weights, may be on its hyperplane


def gradient_flows(
    cases: Sequence[Case],
    loss: Loss,
    times: Floats,
    *,
    tau: float = 1.0,
    tolerance: float = 1e-10,
    concept: str | float = FILIPPOV,
    train_outer: bool = True,
    budget: int = BUDGET,
    device: str = "cpu",
) -> list[Trajectory]:
    """`gradient_flow` of every case (a network and its dataset), in order."""
    times = np.array(times, dtype=float)
    found: list[Trajectory | None] = [None] * len(cases)
    if device != "cpu":
        found = smooth_flows(cases, loss, times, tau=tau, tolerance=tolerance, train_outer=train_outer, device=device)
    options: dict[str, Any] = {
        "tau": tau,
        "tolerance": tolerance,
        "concept": concept,
        "train_outer": train_outer,
        "budget": budget,
    }
    return [run or gradient_flow(*case, loss, times, **options) for case, run in zip(cases, found, strict=True)]


def smooth_flows(
    cases: Sequence[Case],
    loss: Loss,
    times: Floats,
    *,
    tau: float = 1.0,
    tolerance: float = 1e-10,
    train_outer: bool = True,
    device: str = "cpu",
) -> list[Trajectory | None]:
    """As tensors: the trajectory of every case in which no neuron comes near a hyperplane of a sample, and None for the
    others.
    """
    found: list[Trajectory | None] = [None] * len(cases)
    finest = max(tolerance, FINEST)
    if not 0 < tolerance < 1 or not tau > 0:
        raise BadInput(f"tolerance = {tolerance}, tau = {tau}", "give a tolerance between 0 and 1 and a positive tau")
    if loss.shape is Shape.OWN:
        return found
    alike: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    lifted = [(lift(net, FLOAT), lift(data, FLOAT)) for net, data in cases]
    for k, (net, data) in enumerate(lifted):
        alike[(*net.inner.shape, *data.inputs.shape)].append(k)
    for members in alike.values():
        batch = _Batch([lifted[k] for k in members], loss, tau, train_outer, device)
        fine, coarse = batch.follow(times, finest), batch.follow(times, COARSER * finest)
        for place, k in enumerate(members):
            if fine.smooth[place] and coarse.smooth[place]:
                found[k] = _trajectory(lifted[k][0], times, tolerance, finest, fine, coarse, place)
    return found


class _Run:
    """States (times, batch, width, dimension + 1) at the asked times, which cases stayed smooth, and per case the
    errors and work.
    """

    def __init__(self, states: Floats, smooth: Any, spent: Floats, evaluations: Any) -> None:
        self.states, self.smooth, self.spent, self.evaluations = states, smooth, spent, evaluations


def _trajectory(
    net: TwoLayer, times: Floats, tolerance: float, finest: float, fine: _Run, coarse: _Run, place: int
) -> Trajectory:
    """The bound as in models.flow.solve: the gap of two runs, the estimated errors of the steps, and round-off."""
    states, other = fine.states[:, place], coarse.states[:, place]
    size, gap = float(np.abs(states).max(initial=0.0)), float(np.abs(states - other).max(initial=0.0))
    rounding = np.finfo(float).eps * (20 + int(fine.evaluations[place]))
    return Trajectory(
        time=times,
        inner=states[..., :-1].copy(),
        outer=states[..., -1].copy(),
        slope=float(net.slope),
        error=2 * gap + ((1 + float(fine.spent[place])) * finest + 4 * rounding) * size,
        tolerance=tolerance,
        stop=Stop.HORIZON,
        reached=float(times[-1]),
        evaluations=int(fine.evaluations[place]),
        checks=int(coarse.evaluations[place]),
    )


class _Batch:
    """Cases of one shape as tensors; the outer weight is the last column of a neuron."""

    def __init__(self, cases: list[Any], loss: Loss, tau: float, train_outer: bool, device: str) -> None:
        import torch

        def tensor(values: list[Any]) -> "Tensor":
            return torch.tensor(np.array(values, dtype=float), device=device)

        self.start = tensor([np.column_stack([net.inner, net.outer]) for net, _ in cases])
        self.inputs, self.labels = (
            tensor([data.inputs for _, data in cases]),
            tensor([data.labels for _, data in cases]),
        )
        self.slope = tensor([net.slope for net, _ in cases])[:, None, None]
        self.loss, self.outer = loss, float(train_outer)
        self.rate = float(loss.weight(self.labels.shape[1])) / tau

    def signals(self, state: "Tensor") -> "Tensor":
        """w_h . x_i, (batch, width, samples)."""
        return state[..., :-1] @ self.inputs.transpose(1, 2)

    def velocity(self, state: "Tensor", gates: "Tensor") -> "Tensor":
        """In the pattern of the given gates."""
        import torch

        pull = self.rate * tensor_residual(
            self.loss, self.labels, (state[..., -1:] * (gates * self.signals(state))).sum(dim=1)
        )
        drift = (gates * pull[:, None, :]) @ self.inputs
        return torch.cat(
            [state[..., -1:] * drift, self.outer * (state[..., :-1] * drift).sum(dim=-1, keepdim=True)], dim=-1
        )

    def follow(self, times: Floats, tolerance: float, most: int = 20_000) -> _Run:
        """Steps of order 5, each case with its own step, until all have reached the horizon or met a hyperplane."""
        import torch

        state, signals = self.start.clone(), self.signals(self.start)
        gates = torch.where(signals > 0, torch.ones_like(signals), self.slope.expand_as(signals))
        scale = state.abs().amax(dim=(1, 2))
        largest = self.inputs.norm(dim=2)[:, None, :] * state[..., :-1].norm(dim=2)[..., None]
        smooth = ~((signals.abs() <= TOUCHES * largest) & (self.inputs.norm(dim=2)[:, None, :] > 0)).flatten(1).any(
            dim=1
        )
        ends = torch.tensor(times, device=state.device, dtype=state.dtype)
        stages = [self.velocity(state, gates)]
        speed = stages[0].abs().amax(dim=(1, 2))
        span = float(times[-1])
        step = torch.where(speed > 0, (0.01 * scale / speed).clamp(max=span), torch.full_like(speed, span))
        clock, filled, spent = torch.zeros_like(step), torch.zeros_like(step, dtype=torch.long), torch.zeros_like(step)
        evaluations = torch.ones_like(filled)
        states = state[None].repeat(len(times), 1, 1, 1)
        floor = (FLOOR * tolerance * scale).clamp(min=1e-290)
        for _ in range(most):
            filled = _fill(states, state, clock, ends, filled)
            moving = smooth & (filled < len(times))
            if not bool(moving.any()):
                break
            target = ends[filled.clamp(max=len(times) - 1)]
            last = step >= target - clock
            length = torch.where(last, target - clock, step) * moving
            stages = stages[:1]
            for row in RK45.A[1:]:
                stages.append(self.velocity(state + _combined(row, stages, length), gates))
            new = state + _combined(RK45.B, stages, length)
            stages.append(self.velocity(new, gates))
            evaluations = evaluations + 6 * moving
            size = torch.maximum(state.abs(), new.abs()).amax(dim=2, keepdim=True)
            wrong = _combined(RK45.E, stages, length) / (floor[:, None, None] + tolerance * size)
            error = (wrong * wrong).mean(dim=(1, 2)).sqrt()
            good = moving & (error <= 1.0)
            smooth = (
                smooth
                & ~(good & self._meets(signals, new, stages[0], stages[-1], length))
                & new.isfinite().flatten(1).all(dim=1)
            )
            factor = torch.where(
                error > 0, SAFETY * error.clamp(min=1e-30) ** -0.2, torch.full_like(error, GROWTH)
            ).clamp(CUT, GROWTH)
            wished = torch.where(good & last, torch.maximum(length * factor, step), length * factor)
            step = torch.where(moving, wished, step)
            keep = good & smooth
            clock = torch.where(keep, torch.where(last, target, clock + length), clock)
            spent = spent + torch.where(keep, error, torch.zeros_like(error))
            state = torch.where(keep[:, None, None], new, state)
            signals = torch.where(keep[:, None, None], self.signals(new), signals)
            stages = [torch.where(keep[:, None, None], stages[-1], stages[0])]
        done = smooth & (filled == len(times))
        return _Run(states.cpu().numpy(), done.cpu().numpy(), spent.cpu().numpy(), evaluations.cpu().numpy())

    def _meets(self, before: "Tensor", new: "Tensor", begin: "Tensor", end: "Tensor", length: "Tensor") -> "Tensor":
        """Whether a pre-activation changes its sign in the step, or turns back so close to zero that it might have."""
        after, side = self.signals(new), before.sign()
        leaving, returning = -side * self.signals(begin), side * self.signals(end)
        dip = length[:, None, None] * (leaving.minimum(returning)).clamp(min=0)
        return ((side * after < 0) | ((dip > 0) & ((side * before).minimum(side * after) < dip))).flatten(1).any(dim=1)


def _combined(row: Any, stages: "list[Tensor]", length: "Tensor") -> "Tensor":
    total = sum(
        (float(weight) * stage for weight, stage in zip(row, stages, strict=False) if weight), start=0 * stages[0]
    )
    return total * length[:, None, None]


def _fill(states: "Tensor", state: "Tensor", clock: "Tensor", ends: "Tensor", filled: "Tensor") -> "Tensor":
    """Write the states of cases that stand at an asked time; how many times each has reached."""
    while True:
        ready = (filled < len(ends)) & (ends[filled.clamp(max=len(ends) - 1)] <= clock)
        if not bool(ready.any()):
            return filled
        cases = ready.nonzero()[:, 0]
        states[filled[cases], cases] = state[cases]
        filled = filled + ready
