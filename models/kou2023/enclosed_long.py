r"""Enclosures of gradient descent with a fixed second layer at any time: the decomposition of kou2023 in balls, up to t
= 10^20 and beyond.

The first steps are taken one by one (`unroll`). Let G be the Gram matrix, a_h = +-1/m, g_{hi} = sigma'(u_{hi}), and
suppose that y_i y_k G_{ik} >= 0 for all i, k (orthogonal inputs and one sample included). Then

    y_i a_h (u_{hi}(t+1) - u_{hi}(t)) = eta/n a_h^2 sum_k g_{hk} s_k y_i y_k G_{ik} >= 0,    s_k = 1/(1 + e^{z_k}),

so that a gate can never change again once y_i a_h u_{hi} > 0 or the sum is zero for structural reasons (a dead ReLU on
orthogonal data). As soon as this is so for all h and i, the margins z_i = y_i f(x_i) obey a recursion of their own,

    z_i(t+1) = z_i(t) + sum_k M_{ik} s_k(t),    M_{ik} = eta/n y_i y_k G_{ik} sum_h a_h^2 g_{hi} g_{hk} >= 0,

or z_i(t+1) = z_i(t) + d with d = kappa_i(t) s_i(t) and kappa_i = M_{ii} + sum_{k != i} M_{ik} s_k/s_i. Take Phi(z) = z
+ e^z, whose derivative is 1/s. One step changes it by

    Phi(z + d) - Phi(z) = kappa + e^z (e^d - 1 - d),    0 <= e^z (e^d - 1 - d) <= e^z d^2 e^d/2 <= kappa e^d d/2,

since e^z d = kappa e^z/(1 + e^z) <= kappa. Let l <= kappa_i <= r over N steps that lead from z to z' = z + D, and b = r
e^{r s}/2 with s = s_i at the beginning, where it is largest. Then

    l N <= Phi(z') - Phi(z) <= r N + b D,    and D <= Phi(z') - Phi(z) gives Phi(z') - Phi(z) <= r N/(1 - b) if b < 1,

which bounds D; Phi is inverted by Lambert's function, e^z = W(e^{Phi(z)}). On orthogonal inputs kappa_i = M_{ii} is a
constant, one stretch serves any number of steps, and the relative error of e^z is of the order of (log t)/t. On others
stretches grow in proportion to the time, and z_i <= z_i(t) <= z_i + N sum_k M_{ik} s_k over a stretch, with s_k at its
beginning, bounds the quotients s_k/s_i. Last, the sums A_i of s_i(t) over t solve M A = z(t) - z(0), and A is all that
coefficients and signals depend on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb

from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput
from refute.functions import exp, leaky_relu_slope, sign
from refute.models.dataset import Dataset
from refute.models.geometry.elimination import inverse
from refute.models.kou2023.decomposition import Decomposition, unroll
from refute.models.loss import expit
from refute.models.network import TwoLayer

FIRST_STEPS = 300  # taken one by one, and twice as many as long as a gate may change
MOST_STEPS = 5000
STRETCH = 8  # with overlaps, one stretch is that part of the time passed


@dataclass(frozen=True, slots=True, eq=False)
class _Frozen:
    """The state at step `time`, from which on no gate changes: u and c |x|^2, (neuron, sample), and the margins z."""

    time: int
    signals: Array
    rho: Array
    margins: Array
    gates: Array
    lean: Array  # j y_i
    alliance: Array  # y_i y_k G_{ik}
    rate: Number
    data: Dataset

    @property
    def unit(self) -> Number:
        """eta/(nm)."""
        return self.rate * 2 / (len(self.margins) * len(self.signals))

    @property
    def matrix(self) -> Array:
        """M, where a_h^2 = 1/m^2."""
        return np.asarray(self.unit * 2 / len(self.signals) * self.alliance * (self.gates.T @ self.gates))

    @property
    def for_good(self) -> bool:
        """Whether no gate will ever change."""
        moved = sign(self.gates @ self.alliance) > 0
        return bool(((sign(self.signals * self.lean) > 0) | ~moved).all())

    def at(self, amounts: Array) -> tuple[Array, Array]:
        """Signals and coefficients when every sample has pushed by the given amount."""
        x, change = self.data.inputs, self.lean * self.gates * (self.unit * amounts)
        return self.signals + change @ (x @ x.T), self.rho + change * (x * x).sum(axis=1)


def enclosed_long(net: TwoLayer, data: Dataset, *, rate: Number, times: Sequence[int]) -> Decomposition:
    """The listed steps in balls; raises `BadInput` when overlaps oppose labels, or a gate may still change after
    `MOST_STEPS` steps.
    """
    early, frozen = _beginning(net, data, rate, times[-1], FIRST_STEPS)
    soon = [time for time in times if time < len(early.steps)]
    found = [(early.signals[time], early.rho[time], early.logits[time]) for time in soon]
    if frozen is not None:
        found.extend(_later(frozen, times[len(soon) :], early.signals.shape[1:]))
    signals, rho, logits = (np.array(part) for part in zip(*found, strict=True))
    return Decomposition(np.array([arb(time) for time in times], dtype=object), data, net, signals, rho, logits, rate)


def _beginning(
    net: TwoLayer, data: Dataset, rate: Number, last: int, steps: int
) -> tuple[Decomposition, _Frozen | None]:
    """The steps taken one by one, and the state at their end if later ones are asked for."""
    alliance = (data.inputs @ data.inputs.T) * data.labels[:, None] * data.labels
    if last > steps and (sign(alliance) < 0).any():
        raise BadInput(
            "there is no enclosure at late times for overlaps that oppose the labels", "ask for earlier times"
        )
    early = unroll(net, data, rate=rate, steps=min(steps, last))
    if last <= steps:
        return early, None
    signals, rho = (part[-1].reshape(net.width, -1) for part in (early.signals, early.rho))
    gates = leaky_relu_slope(signals, net.slope, net.slope * 0 + 1)
    lean = np.repeat([1, -1], net.width // 2)[:, None] * data.labels
    frozen = _Frozen(steps, signals, rho, early.margins[-1], gates, lean, alliance, rate, data)
    if frozen.for_good:
        return early, frozen
    if 2 * steps > MOST_STEPS:
        raise BadInput(f"after {steps} steps it is not certain that no gate changes any more", "ask for earlier times")
    return _beginning(net, data, rate, last, 2 * steps)


def _later(frozen: _Frozen, times: Sequence[int], shape: tuple[int, ...]) -> Iterator[tuple[Array, Array, Array]]:
    matrix = frozen.matrix
    live = np.flatnonzero(sign(np.diagonal(matrix)) > 0)  # the others move nothing
    solver, amounts = inverse(matrix[np.ix_(live, live)]) if live.size else None, frozen.margins * 0
    for margins in march(frozen.margins, matrix, frozen.time, times):
        if solver is not None:
            amounts[live] = solver @ (margins - frozen.margins)[live]
        signals, rho = frozen.at(amounts)
        yield signals.reshape(shape), rho.reshape(shape), expit(-margins)


def march(margins: Array, matrix: Array, start: int, times: Sequence[int]) -> Iterator[Array]:
    """Enclosures of z at the times, in order, under z <- z + M s(z) from `margins` at the time `start`."""
    heights, now = margins + exp(margins), start
    alone = not (sign(matrix) > 0)[~np.eye(len(matrix), dtype=bool)].any()
    for time in times:
        while now < time:
            after = time if alone else min(time, now + max(1, now // STRETCH))
            heights = _stretch(margins, heights, matrix, after - now)
            margins, now = np.array([_inverted(height) for height in heights]), after
        yield margins


def _stretch(margins: Array, heights: Array, matrix: Array, steps: int) -> Array:
    """Phi(z) after some more steps."""
    pushes = expit(-margins)
    found = heights.copy()
    for i, rate in enumerate(_rates(margins, pushes, matrix, steps)):
        bend = rate.upper() * exp(rate.upper() * pushes[i].upper()) / 2
        if not bend < 1:
            raise BadInput(f"the margin of sample {i} moves too fast for an enclosure")
        top = _inverted(heights[i] + rate.upper() * steps / (1 - bend))
        surplus = (bend * (top - margins[i])).upper()
        found[i] = heights[i] + rate * steps + arb(0).union(surplus)
    return found


def _rates(margins: Array, pushes: Array, matrix: Array, steps: int) -> list[arb]:
    """kappa_i over the next steps."""
    boxes = [z.union(z + change) for z, change in zip(margins, matrix @ pushes * steps, strict=True)]
    found = []
    for i, row in enumerate(matrix):
        others = [k for k, entry in enumerate(row) if k != i and not entry.is_zero()]
        found.append(row[i] + sum(row[k] * (1 + exp(boxes[i])) / (1 + exp(boxes[k])) for k in others))
    return found


def _inverted(height: arb) -> arb:
    """The z with z + e^z = `height`; it increases with it."""
    low, high = (end.exp().lambertw().log() for end in (height.lower(), height.upper()))
    return low.union(high)
