r"""The residual of a Caratheodory solution: theta(t) - theta(0) - int_0^t F(theta(s)) ds along a computed trajectory.

F is minus the gradient with one value of sigma'(0). The integral is taken by Gauss-Legendre rules between the events,
where F is smooth, on pieces that shrink towards the start and the events, where it may be fast; a second rule on halved
pieces bounds its error.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import FLOAT
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.flow.solve import gradient_flow
from refute.models.flow.trajectory import Trajectory
from refute.models.loss import Loss
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
NODES, PIECES, LAYERS = 8, 6, 16
ON_HYPERPLANE = 1e-9  # a pre-activation below this part of |x| |w| is zero up to the errors of the integrator


class Residual(NamedTuple):
    """The largest residual at the ends of the pieces, what numerical errors can make of it, and the trajectory behind
    it.
    """

    value: float
    error: float
    run: Trajectory

    @property
    def largest(self) -> Enclosed:
        """The residual with its error."""
        return Enclosed(self.value, self.error)


def velocity(
    inner: Floats, outer: Floats, data: Dataset, loss: Loss, at_zero: float, slope: float = 0.0
) -> tuple[Floats, Floats]:
    """F at one state; pre-activations that are zero up to numerical errors have sigma' = `at_zero`."""
    pre = data.inputs @ inner.T
    sizes = np.linalg.norm(data.inputs, axis=1)[:, None] * np.linalg.norm(inner, axis=1)[None, :]
    flat = np.abs(pre) <= ON_HYPERPLANE * sizes
    gates = np.where(flat, at_zero, np.where(pre > 0, 1.0, slope))
    hidden = np.where(flat, 0.0, np.maximum(pre, slope * pre))
    pulls = loss.residual(data.labels, hidden @ outer) * float(loss.weight(len(data.labels)))
    return (gates * outer[None, :] * pulls[:, None]).T @ data.inputs, hidden.T @ pulls


def caratheodory_residual(
    net: TwoLayer,
    data: Dataset,
    loss: Loss,
    horizon: float,
    *,
    concept: str | float,
    at_zero: float = 0.0,
    tolerance: float = 1e-10,
) -> Residual:
    """The residual of the trajectory that `gradient_flow` finds for `concept`, with the field F of sigma'(0) =
    `at_zero`.
    """
    net, data = lift(net, FLOAT), lift(data, FLOAT)
    first = gradient_flow(net, data, loss, np.array([0.0, horizon]), concept=concept, tolerance=tolerance)
    sharp = np.array([0.0, *(event.time for event in first.events if event.time < horizon)])
    layers = horizon * np.concatenate([[0.0], 0.5 ** np.arange(1, LAYERS + 1)])
    graded = np.concatenate([sharp[:, None] + layers, sharp[:, None] - layers]).ravel()
    ends = np.unique([*np.linspace(0, horizon, PIECES + 1), *graded[(graded > 0) & (graded < horizon)]])
    ends = ends[np.concatenate([[True], np.diff(ends) > 1e-9 * horizon])]
    halves = np.unique(np.concatenate([ends, (ends[1:] + ends[:-1]) / 2]))
    points, weights = np.polynomial.legendre.leggauss(NODES)

    def nodes(breaks: Floats) -> Floats:
        return np.concatenate([a + (b - a) * (points + 1) / 2 for a, b in pairwise(breaks)])

    times = np.unique(np.concatenate([ends, nodes(ends), nodes(halves)]))
    run = gradient_flow(net, data, loss, times, concept=concept, tolerance=tolerance)
    states = np.concatenate([run.inner.reshape(len(times), -1), run.outer], axis=1)
    fields = np.array(
        [
            np.concatenate([part.reshape(-1) for part in velocity(w, v, data, loss, at_zero, float(net.slope))])
            for w, v in zip(run.inner, run.outer, strict=True)
        ]
    )

    def integral(breaks: Floats) -> Floats:
        """The integral from 0 to every break."""
        chosen = fields[np.searchsorted(times, nodes(breaks))].reshape(len(breaks) - 1, NODES, -1)
        pieces = np.einsum("pnk,n,p->pk", chosen, weights, np.diff(breaks) / 2)
        return np.concatenate([np.zeros((1, pieces.shape[1])), np.cumsum(pieces, axis=0)])

    fine = integral(halves)[np.searchsorted(halves, ends)]
    drift = states[np.searchsorted(times, ends)] - states[0]
    strength = float(np.abs(fields).max(initial=0.0))
    error = (
        float(np.abs(fine - integral(ends)).max())
        + (4 + 40 * horizon * (1 + strength)) * run.error
        + 1e-8 * strength * len(run.events)
    )
    return Residual(float(np.abs(drift - fine).max()), error, run)
