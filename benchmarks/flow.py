"""Gradient flow against what one would use instead: torchdiffeq and scipy, at the same tolerance, on one thread.

Each row says how long we take, how long the peer takes, their ratio, and by how much both miss a run of far higher
accuracy. The first call, which compiles or loads the compiled code, is measured apart.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute.models import Dataset, TwoLayer
from refute.models.flow import Trajectory, gradient_flow
from refute.models.loss import SQUARE

Floats = NDArray[np.float64]
ENOUGH = (
    150_000  # evaluations after which a peer that chatters on a boundary is stopped: its ratio is then a lower bound
)


class GaveUp(Exception):
    """A peer has spent its evaluations."""


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A network, a dataset, a horizon and tolerances."""

    net: TwoLayer
    data: Dataset
    horizon: float
    relative: float
    absolute: float

    @property
    def arrays(self) -> tuple[Floats, Floats, Floats, Floats]:
        names = self.net.inner, self.net.outer, self.data.inputs, self.data.labels
        inner, outer, inputs, labels = (np.array(values, dtype=float) for values in names)
        return inner, outer, inputs, labels


def figure_1(seed: int = 0) -> Task:
    """zhang2024 Figure 1 in small: 10 normal inputs with their negatives, y = w.x + sin(4 w.x),
    width 50, scale 1e-6.
    """
    rng = np.random.default_rng(seed)
    half = rng.standard_normal((10, 5))
    inputs = np.vstack([half, -half])
    along = inputs @ rng.uniform(-0.5, 0.5, 5)
    net = TwoLayer(1e-6 * rng.standard_normal((50, 5)), 1e-6 * rng.standard_normal(50), 0.0)
    return Task(net, Dataset(inputs, along + np.sin(4 * along)), 60.0, 1e-9, 1e-15)


def generic(seed: int) -> Task:
    """10 normal inputs in dimension 5, a linear teacher, 20 balanced neurons of size 1e-3: most
    such trajectories slide.
    """
    rng = np.random.default_rng(seed)
    inputs = rng.standard_normal((10, 5))
    inner = rng.standard_normal((20, 5))
    inner *= 1e-3 / np.linalg.norm(inner, axis=1)[:, None]
    outer = 1e-3 * rng.choice([-1.0, 1.0], 20)
    return Task(TwoLayer(inner, outer, 0.0), Dataset(inputs, inputs @ rng.standard_normal(5)), 10.0, 1e-6, 1e-9)


def ours(task: Task, tolerance: float | None = None) -> Trajectory:
    return gradient_flow(task.net, task.data, SQUARE, np.array([task.horizon]), tolerance=tolerance or task.relative)


def torchdiffeq(task: Task) -> tuple[Floats, int]:
    """dopri5 on the gradient written out in torch; the last state (NaN when it gave up) and the
    number of evaluations.
    """
    import torch
    from torchdiffeq import odeint

    inner, outer, x, y = (torch.tensor(values, dtype=torch.float64) for values in task.arrays)
    evaluations = 0

    def field(_: Any, state: tuple[Any, Any]) -> tuple[Any, Any]:
        nonlocal evaluations
        evaluations += 1
        if evaluations > ENOUGH:
            raise GaveUp
        w, v = state
        pre = x @ w.T
        hidden = torch.relu(pre)
        residual = (y - hidden @ v) / len(y)
        return ((pre > 0) * residual[:, None]).T @ x * v[:, None], residual @ hidden

    times = torch.tensor([0.0, task.horizon], dtype=torch.float64)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.inference_mode():
            w, v = odeint(field, (inner, outer), times, rtol=task.relative, atol=task.absolute, method="dopri5")
    except GaveUp:
        return np.full(inner.numel() + outer.numel(), np.nan), evaluations
    finally:
        torch.set_num_threads(threads)
    return np.concatenate([w[-1].numpy().reshape(-1), v[-1].numpy()]), evaluations


def scipy(task: Task, method: str) -> tuple[Floats, int]:
    """solve_ivp on the gradient written out in numpy."""
    from scipy.integrate import solve_ivp

    inner, outer, x, y = task.arrays
    shape, split = inner.shape, inner.size

    def field(_: float, state: Floats) -> Floats:
        w, v = state[:split].reshape(shape), state[split:]
        pre = x @ w.T
        hidden = np.maximum(pre, 0.0)
        residual = (y - hidden @ v) / len(y)
        change = ((pre > 0) * residual[:, None]).T @ x * v[:, None]
        return np.concatenate([change.reshape(-1), residual @ hidden])

    start = np.concatenate([inner.reshape(-1), outer])
    run = solve_ivp(field, (0.0, task.horizon), start, method, rtol=task.relative, atol=task.absolute)
    return run.y[:, -1], run.nfev


def seconds(work: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """The least processor time of several runs (other work on the machine does not count), and the last result."""
    best, result = np.inf, None
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return best, result


def _state(run: Trajectory) -> Floats:
    return np.concatenate([run.inner[-1].reshape(-1), run.outer[-1]])


def _row(
    work: str, peer: str, ours_seconds: float, peer_seconds: float, at_least: float, **more: Any
) -> dict[str, Any]:
    ratio = peer_seconds / ours_seconds
    return {
        "work": work,
        "peer": peer,
        "ratio": ratio,
        "at_least": at_least,
        "ours_s": ours_seconds,
        "peer_s": peer_seconds,
        **more,
    }


def small_start_rows() -> list[dict[str, Any]]:
    """One trajectory from a tiny start over its plateau to the end of training."""
    task, work = figure_1(), "gradient flow to t = 60 from 1e-6, n=20, d=5, m=50, rtol 1e-9"
    mine, run = seconds(lambda: ours(task), 5)
    truth = _state(ours(task, 1e-13))
    miss = float(np.abs(_state(run) - truth).max())
    rows = []
    theirs, (state, evaluations) = seconds(lambda: torchdiffeq(task), 3)  # the first run imports it
    off = float(np.abs(state - truth).max())
    common = {"ours_evaluations": run.evaluations, "ours_checks": run.checks, "ours_error": miss}
    rows.append(
        _row(work, "torchdiffeq dopri5", mine, theirs, 40.0, peer_evaluations=evaluations, peer_error=off, **common)
    )
    tried = {}
    for method in ("DOP853", "RK45", "LSODA"):
        spent, (state, evaluations) = seconds(lambda method=method: scipy(task, method), 3)  # type: ignore[misc]
        tried[method] = (spent, evaluations, float(np.abs(state - truth).max()))
    best = min(tried, key=lambda method: tried[method][0])
    spent, evaluations, off = tried[best]
    rows.append(_row(work, f"scipy {best}", mine, spent, 5.0, peer_evaluations=evaluations, peer_error=off, **common))
    return rows


def sliding_rows(datasets: int = 40) -> list[dict[str, Any]]:
    """Many generic datasets, where trajectories slide along activation boundaries; a peer that chatters is stopped
    after `ENOUGH`.

    Stopping it lowers both ratios. The evaluations of the second run, which makes our error bound, have a row of their
    own.
    """
    mine = theirs = 0.0
    counts, checks, others, misses, offs = [], [], [], [], []
    for seed in range(datasets):
        task = generic(seed)
        spent, run = seconds(lambda task=task: ours(task), 2)  # type: ignore[misc]
        waited, (state, evaluations) = seconds(lambda task=task: torchdiffeq(task), 1)  # type: ignore[misc]
        truth = _state(ours(task, 1e-12))
        mine, theirs = mine + spent, theirs + waited
        counts.append(run.evaluations)
        checks.append(run.checks)
        others.append(evaluations)
        misses.append(float(np.abs(_state(run) - truth).max()))
        offs.append(float(np.abs(state - truth).max()))
        done = (
            f"{seed + 1} of {datasets} datasets, {sum(others) / sum(counts):.0f}x fewer evaluations, "
            f"{theirs / mine:.0f}x less time"
        )
        sys.stderr.write(f"gradient flow against torchdiffeq: {done}\n")
    work = f"gradient flow on {datasets} generic datasets, n=10, d=5, m=20, t = 10, tolerance 1e-6, sliding"
    errors = {
        "ours_error": float(np.median(misses)),
        "peer_error": float(np.nanmedian(offs)),
        "peer_gave_up": int(np.isnan(offs).sum()),
    }
    totals = {"ours_evaluations": sum(counts), "ours_checks": sum(checks), "peer_evaluations": sum(others)}
    row = _row(work, "torchdiffeq dopri5", mine, theirs, 50.0, **totals, **errors)
    fewer = {**row, "work": f"{work}: evaluations of the field", "ratio": sum(others) / sum(counts), "at_least": 50.0}
    bounded = {
        "work": f"{work}: the same, with those of the run that makes the bound",
        "value": sum(others) / (sum(counts) + sum(checks)),
    }
    stopped = {
        "work": f"{work}: peers stopped after {ENOUGH} evaluations",
        "value": int(np.isnan(offs).sum()),
        "unit": f"of {datasets}",
    }
    return [row, fewer, {**bounded, "unit": "x"}, stopped]


def rows(datasets: int = 40) -> list[dict[str, Any]]:
    """All rows; `first_call_s` is what the first call cost, compilation included."""
    first, _ = seconds(lambda: ours(generic(0)), 1)
    return [{**row, "first_call_s": first} for row in [*small_start_rows(), *sliding_rows(datasets)]]


def main(arguments: list[str]) -> int:
    """This part of `training` alone."""
    from benchmarks import training

    return training.main(arguments, ("flow",))
