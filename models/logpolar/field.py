r"""The right-hand side of gradient flow in log-polar coordinates, for a fixed activation pattern."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refute.models.logpolar.contact import Sides, across, gates, holds, hyperplanes, one_sided
from refute.models.logpolar.plateau import is_dead

Floats = NDArray[np.float64]
Residual = Callable[[Floats, Floats], Floats]  # -d loss / d output, from labels and outputs

LARGEST_EXPONENT = 200.0  # a trial step may overshoot; it is rejected, but must not overflow
LARGEST = 1e100


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Data, loss and signs: what stays the same along a trajectory. The loss is weight * sum_i loss(y_i, f_i)."""

    points: Floats
    labels: Floats
    signs: NDArray[np.int_]
    slope: float
    residual: Residual
    weight: float

    def pulls(self, outputs: Floats) -> Floats:
        """c_i = -weight * d loss(y_i, f_i) / d f_i."""
        return np.clip(self.weight * self.residual(self.labels, outputs), -LARGEST, LARGEST)

    def outputs(self, log_norm: Floats, direction: Floats) -> Floats:
        """f_i = sum_j s_j e^{2 rho_j} sigma(<u_j, x_i>); leading axes are kept."""
        pre = direction @ self.points.T
        mass = self.signs * np.exp(np.minimum(2 * log_norm, LARGEST_EXPONENT))
        return np.asarray((mass[..., None, :] @ np.maximum(pre, self.slope * pre))[..., 0, :], dtype=float)


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """All neurons at one time; `sides` (width, samples) is +1 above, -1 below, 0 sliding."""

    log_norm: Floats
    direction: Floats
    sides: Sides

    def live(self, slope: float) -> NDArray[np.int_]:
        """The neurons that can move: not zero and not dead."""
        return np.array(
            [j for j, sides in enumerate(self.sides) if np.isfinite(self.log_norm[j]) and not is_dead(sides, slope)],
            dtype=np.int_,
        )


class Field:
    """The velocities of the live neurons of a state, as a function of (rho - rho_start, u) in one flat vector."""

    def __init__(self, problem: Problem, state: State) -> None:
        self.problem = problem
        self.live = state.live(problem.slope)
        self.width, self.dimension = len(self.live), problem.points.shape[1]
        self.base = state.log_norm[self.live]
        self.signs = problem.signs[self.live].astype(float)
        self.sides = state.sides[self.live]
        self.gates = gates(self.sides, problem.slope)
        self.sliding = np.flatnonzero((self.sides == 0).any(axis=1))
        self.projectors = np.array([across(problem.points[self.sides[j] == 0]) for j in self.sliding])
        planes = [
            (int(j), *plane)
            for j in self.sliding
            for plane in hyperplanes(problem.points, np.flatnonzero(self.sides[j] == 0))
        ]
        self.contacts = np.array([(j, members[0]) for j, _, members, _ in planes], dtype=int).reshape(
            -1, 2
        )  # (live neuron, point)
        self.members = [(members, senses) for _, _, members, senses in planes]
        self.below, self.above = np.zeros((2, len(planes), len(problem.points)))
        for k, (members, senses) in enumerate(self.members):
            self.below[k, members], self.above[k, members] = one_sided(problem.points, members, senses, problem.slope)
        normals = [np.array([plane[1] for plane in planes if plane[0] == j]) for j in self.sliding]
        self.holds = np.concatenate([np.zeros((0, self.dimension)), *(holds(rows) for rows in normals)])

    def unpack(self, flat: Floats) -> tuple[Floats, Floats]:
        """Log-norms and unit directions; flat may hold several states as columns."""
        log_norm = self.base + flat[: self.width].T
        direction = np.moveaxis(
            flat[self.width :].reshape(self.width, self.dimension, *flat.shape[1:]), (0, 1), (-2, -1)
        )
        return log_norm, direction / np.linalg.norm(direction, axis=-1, keepdims=True)

    def pulls(self, log_norm: Floats, pre: Floats) -> Floats:
        """c_i from log-norms and pre-activations of the live neurons; leading axes are kept."""
        mass = self.signs * np.exp(np.minimum(2 * log_norm, LARGEST_EXPONENT))
        return self.problem.pulls((mass[..., None, :] @ (self.gates * pre))[..., 0, :])

    def sliding_gates(self, pulls: Floats) -> Floats:
        """For each hyperplane in contact the share tau in [0, 1] of the upper side in Filippov's mixture; leading axes
        are kept.
        """
        rest = ((self.gates * pulls[..., None, :]) @ self.problem.points)[..., self.contacts[:, 0], :]
        needed = (self.holds * rest).sum(axis=-1)
        below, above = pulls @ self.below.T, pulls @ self.above.T
        with np.errstate(divide="ignore", invalid="ignore"):
            share: Floats = (needed - below) / (above - below)
        return share

    def pushes(self, pulls: Floats) -> Floats:
        """g_j, one row per live neuron, with sliding directions projected out."""
        push: Floats = (self.gates * pulls) @ self.problem.points
        if len(self.sliding):
            push[self.sliding] = np.einsum("jab,jb->ja", self.projectors, push[self.sliding])
        return push

    def __call__(self, _: float, flat: Floats) -> Floats:
        direction = flat[self.width :].reshape(self.width, self.dimension)
        size = np.sqrt(np.einsum("jd,jd->j", direction, direction))[:, None]
        unit = direction / size
        push = self.pushes(self.pulls(self.base + flat[: self.width], unit @ self.problem.points.T))
        radial = np.einsum("jd,jd->j", unit, push)
        velocity = np.empty_like(flat)
        velocity[: self.width] = self.signs * radial
        tangent = push - unit * radial[:, None]
        if len(self.sliding):  # round-off off the hyperplane must not grow
            tangent[self.sliding] = np.einsum("jab,jb->ja", self.projectors, tangent[self.sliding])
        velocity[self.width :] = (tangent * size * self.signs[:, None]).reshape(-1)
        return velocity
