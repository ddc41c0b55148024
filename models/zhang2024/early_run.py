r"""The flow on the early phase, beside the solution $\tilde W$ of the linear system (21).

It ends at $T=\tfrac\tau{s+\mathrm{Tr}\,\Sigma}\ln\tfrac1{u_0}$, with $u_0$ the larger norm of the initial layers.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.functions import maximum, sqrt
from refute.models.dataset import Dataset
from refute.models.flow import Trajectory, gradient_flow
from refute.models.loss import SQUARE
from refute.models.network import TwoLayer
from refute.models.zhang2024.early_phase import early_phase
from refute.models.zhang2024.fields import cubic_term

Floats = NDArray[np.float64]


def stacked(inner: Floats, outer: Floats) -> Floats:
    """The transpose of [W1^T; W2]: one row per neuron, the outer weight last."""
    both: Floats = np.concatenate([inner, outer[..., None]], axis=-1)
    return both


def epsilon(net: TwoLayer, data: Dataset) -> Floats:
    """The cubic terms of both layers in Eq. (25), stacked; sigma'(0) is the mean slope."""
    hidden = net.hidden(data.inputs)
    return stacked(cubic_term(net, data, (1 + net.slope) / 2), hidden.T @ hidden @ net.outer / len(hidden))


@dataclass(frozen=True, eq=False)
class EarlyRun:
    """The trajectory at parts of the early phase."""

    net: TwoLayer
    data: Dataset
    tau: float
    course: Trajectory

    @property
    def size(self) -> float:
        """s = |beta|."""
        return float(np.linalg.norm(self.data.correlation))

    @property
    def trace(self) -> float:
        return float(np.trace(self.data.covariance))

    @property
    def start(self) -> float:
        """u_0."""
        return larger_norm(self.net)

    @cached_property
    def layers(self) -> tuple[Enclosed, Enclosed]:
        return Enclosed(self.course.inner, self.course.error), Enclosed(self.course.outer, self.course.error)

    def larger(self) -> Enclosed:
        """u(t)/u_0."""
        first, second = (layer / self.start for layer in self.layers)
        return maximum(sqrt((first * first).sum(axis=(1, 2))), sqrt((second * second).sum(axis=1)))  # type: ignore[no-any-return]

    def gap(self) -> Enclosed:
        """W - W~, stacked, at every time."""
        w, v, b = self.net.inner, self.net.outer, self.data.correlation
        tilde = [early_phase(w, v, b, self.net.slope, self.tau, float(t)) for t in self.course.time]
        linear = stacked(np.array([first for first, _ in tilde]), np.array([second for _, second in tilde]))
        return Enclosed(stacked(self.course.inner, self.course.outer), self.course.error) - linear

    def remainder(self) -> Enclosed:
        """epsilon at every time. It is cubic: an error of the weights counts 3 u^2 Tr Sigma times in each layer."""
        steps = zip(self.course.inner, self.course.outer, strict=True)
        found = np.array([epsilon(self.net.with_weights(w, v), self.data) for w, v in steps])
        largest = self.larger().high * self.start
        missed = np.sqrt(found[0].size) * self.course.error
        return Enclosed(found, (3 * self.trace * (largest + missed) ** 2 * missed)[:, None, None])


def larger_norm(net: TwoLayer) -> float:
    return float(max(np.linalg.norm(net.inner), np.linalg.norm(net.outer)))


def early_run(net: TwoLayer, data: Dataset, tau: float, tolerance: float, parts: Floats) -> EarlyRun:
    """The flow at the given parts of the early phase."""
    clock = float(np.linalg.norm(data.correlation)) + float(np.trace(data.covariance))
    end = tau / clock * np.log(1 / larger_norm(net))
    return EarlyRun(net, data, tau, gradient_flow(net, data, SQUARE, parts * end, tau=tau, tolerance=tolerance))


class Quadrature:
    """Gauss rules of 20 and 32 points between the activation changes; `nodes` are those of both, and the ends."""

    def __init__(self, breaks: Floats) -> None:
        self.rules = []
        for count in (20, 32):
            x, weights = np.polynomial.legendre.leggauss(count)
            half = np.diff(breaks)[:, None] / 2
            self.rules.append(((breaks[:-1, None] + half * (1 + x)).reshape(-1), (half * weights).reshape(-1)))
        self.nodes = np.unique(np.concatenate([*(nodes for nodes, _ in self.rules), [0.0, breaks[-1]]]))

    def __call__(self, values: Enclosed) -> Enclosed:
        """The integral of values given at the nodes; its error is the distance between the two rules, and theirs."""
        rough, fine = (self._with(rule, values.value) for rule in self.rules)
        return Enclosed(fine, np.abs(fine - rough) + self._with(self.rules[1], values.error))

    def _with(self, rule: tuple[Floats, Floats], values: Floats) -> Floats:
        nodes, weights = rule
        return np.asarray(np.tensordot(weights, values[np.searchsorted(self.nodes, nodes)], axes=1))


@dataclass(frozen=True, slots=True, eq=False)
class Integrals:
    r"""What the proof of Theorem 13 integrates over the early phase, over $\sqrt2u_0^3\mathrm{Tr}\,\Sigma$.

    distance  $W-\tilde W$ at the end
    linear    $\int\tfrac{\alpha+1}2M(W-\tilde W)\,dt$
    cubic     $\int\epsilon\,dt$
    distances $\sqrt2s\int\|W-\tilde W\|dt$
    cubics    $\int\|\epsilon\|dt$
    growth    $\int e^{3(s+\mathrm{Tr}\,\Sigma)t/\tau}dt$
    closed    $(e^{3(s+\mathrm{Tr}\,\Sigma)t/\tau}-1)/(3(s+\mathrm{Tr}\,\Sigma))$ at the end
    """

    distance: Enclosed
    linear: Enclosed
    cubic: Enclosed
    distances: Enclosed
    cubics: Enclosed
    growth: Enclosed
    closed: float


def early_integrals(net: TwoLayer, data: Dataset, tau: float, tolerance: float) -> Integrals:
    """At the end of the early phase."""
    scout = early_run(net, data, tau, tolerance, np.array([1.0])).course
    end = float(scout.time[-1])
    integral = Quadrature(np.array([0.0, *sorted({e.time for e in scout.events if 0 < e.time < end}), end]) / end)
    run = early_run(net, data, tau, tolerance / 100, integral.nodes)  # W - W~ is a small difference
    unit, clock, b = np.sqrt(2) * run.start**3 * run.trace, 3 * (run.size + run.trace), data.correlation
    gap, cubic = run.gap() / unit, run.remainder() / unit
    turned = hstack(gap[..., -1:] * b, (gap[..., :-1] * b).sum(axis=-1))
    return Integrals(
        distance=gap[-1],
        linear=end * (1 + net.slope) / 2 * integral(turned),
        cubic=end * integral(cubic),
        distances=end * np.sqrt(2) * run.size * integral(over_neurons(gap)),
        cubics=end * integral(over_neurons(cubic)),
        growth=end * integral(Enclosed(np.exp(clock * run.course.time / tau))),
        closed=float(np.expm1(clock * end / tau) / clock),
    )


def hstack(first: Enclosed, last: Enclosed) -> Enclosed:
    """The transpose of [first^T; last] for enclosed layers."""
    return Enclosed(stacked(first.value, last.value), stacked(first.error, last.error))


def over_neurons(layers: Enclosed) -> Enclosed:
    """The norm of all weights together at every time."""
    return sqrt((layers * layers).sum(axis=(1, 2)))  # type: ignore[no-any-return]
