r"""A second opinion on descent to t = 10^20 and beyond, for when one is asked (refute.confirmation); the first is
`longtime`.

Direct steps in extended precision (`confirm.extended`), to another step than in the first method, then frozen gates:
the amounts A_i(t) = sum of s_i over the steps obey A -> A + s(A), with
    s = expit(-q - K A),    K_{ik} = eta/n y_i y_k G_{ik} sum_h a_h^2 sigma'_{hi} sigma'_{hk}.
The flow through these iterates has the velocity log(1 + Delta) A, by Newton's forward differences along the iterates
themselves,
    dA/dt = s - Delta s / 2 + Delta^2 s / 3 - Delta^3 s / 4 + Delta^4 s / 5 + O(s^6),
two orders more than the modified equation of `longtime`, and no derivatives. LSODA follows it in log t. Where a sign
changes, the old gates stay until the next whole step, as in descent.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute.errors import BadInput
from refute.models.dataset import Dataset
from refute.models.kou2023.confirm import MOST_STEPS, extended, relative_gap
from refute.models.loss import expit
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
Pair = tuple[Any, Any]
MOST_CHANGES = 200  # of signs, after the direct steps
MOST_RATES = 40_000  # evaluations of the velocity, a few seconds
FINE = 1e-11  # the tolerance at which it confirms
COARSER = 30.0  # and that of the run that measures its own error
NEWTON = ((1, 0, 0, 0, 0), (-1, 1, 0, 0, 0), (1, -2, 1, 0, 0), (-1, 3, -3, 1, 0), (1, -4, 6, -4, 1))  # Delta^k


def long_gap(
    net: TwoLayer, data: Dataset, *, rate: float, times: Floats, signals: Floats, rho: Floats, direct: int
) -> float:
    """How far signals and coefficients at the given times are from those of the second method; raises `BadInput` where
    it cannot follow.
    """
    if not len(times):
        raise BadInput("no time was reached")
    shape = (len(times), net.width, len(data.labels))
    pairs = _second(net, data, rate, times, min(direct, MOST_STEPS), FINE)
    squares = (np.asarray(data.inputs, dtype=float) ** 2).sum(axis=1)
    u, c = (np.array([np.asarray(pair[k], dtype=float) for pair in pairs]) for k in (0, 1))
    return max(relative_gap(signals.reshape(shape), u), relative_gap(rho.reshape(shape), c * squares))


def own_gap(net: TwoLayer, data: Dataset, *, rate: float, times: Floats, direct: int) -> float:
    """A bound on the error of the second method: twice the distance of a coarser run, which freezes
    the gates earlier.
    """
    direct = min(direct, MOST_STEPS)
    fine = _second(net, data, rate, times, direct, FINE)
    rough = _second(net, data, rate, times, max(1, direct // 2), COARSER * FINE)
    pairs = [[np.array([np.asarray(pair[k], dtype=float) for pair in run]) for k in (0, 1)] for run in (rough, fine)]
    return 2 * max(relative_gap(a, b) for a, b in zip(*pairs, strict=True))


def _second(net: TwoLayer, data: Dataset, rate: float, times: Floats, direct: int, tolerance: float) -> list[Pair]:
    """u and c at the times: direct steps in extended precision, then frozen gates."""
    steps, wanted, found, last = int(min(direct, times[-1])), set(times.tolist()), [], None
    for now, last in enumerate(extended(data, net.inner, slope=float(net.slope), rate=rate, steps=steps, at_zero=1.0)):
        if now in wanted:
            found.append(last)
    rest = times[len(found) :]
    assert last is not None
    return found + (_follow(net, data, rate, last, math.log(steps), rest, tolerance) if len(rest) else [])


@dataclass(slots=True, eq=False)
class _Frozen:
    """Descent whose gates are those of u: amounts A from there, u and c as functions of A."""

    u: Floats
    c: Floats
    q: Floats
    reach: Floats  # by how much s_i = 1 moves c_{hi}
    gram: Floats
    matrix: Floats
    pattern: Floats
    left: int

    def at(self, amounts: Floats) -> tuple[Floats, Floats]:
        change = self.reach * amounts
        return self.u + change @ self.gram, self.c + change

    def velocity(self, tau: float, amounts: Floats) -> Floats:
        """dA/dlog t, by Newton's forward differences of s along the next iterates."""
        self.left -= 1
        if self.left < 0:
            raise BadInput("the second method cannot follow: too many evaluations")
        now, pushes = amounts, []
        for _ in NEWTON:
            pushes.append(expit(-(self.q + self.matrix @ now)))
            now = now + pushes[-1]
        total = sum((-1) ** k / (k + 1) * (np.array(row) @ np.array(pushes)) for k, row in enumerate(NEWTON))
        return np.asarray(math.exp(tau) * total)

    def distance(self, tau: float, amounts: Floats) -> float:
        """The smallest |u| with the sign of the pattern: negative once a sign has changed. A
        structural zero stays one.
        """
        signed = self.at(amounts)[0] * self.pattern
        return float(signed[self.pattern != 0].min(initial=math.inf))


def _freeze(net: TwoLayer, data: Dataset, rate: float, u: Floats, c: Floats, left: int) -> _Frozen:
    x, y = np.asarray(data.inputs, dtype=float), np.asarray(data.labels, dtype=float)
    outer, pattern, gram = np.repeat([1.0, -1.0], net.width // 2) / (net.width // 2), np.sign(u), x @ x.T
    gates = np.where(pattern > 0, 1.0, np.where(pattern < 0, float(net.slope), 1.0))
    lever = outer[:, None] * gates
    matrix = rate / len(y) * np.outer(y, y) * gram * (lever.T @ lever)
    return _Frozen(u, c, y * (outer @ (gates * u)), lever * y * rate / len(y), gram, matrix, pattern, left)


def _follow(
    net: TwoLayer, data: Dataset, rate: float, state: Pair, tau: float, times: Floats, tolerance: float
) -> list[Pair]:
    """u and c at the times by LSODA in log t, frozen again at the first whole step after each change of a sign."""
    u, c = (np.asarray(part, dtype=float) for part in state)
    found: list[Pair] = []
    left = MOST_RATES
    for _ in range(MOST_CHANGES):
        frozen = _freeze(net, data, rate, u, c, left)
        taus = np.maximum(np.log(times[len(found) :]), tau)
        run = _solve(frozen, np.zeros(len(frozen.q)), tau, taus, tolerance, events=True)
        found.extend(
            frozen.at(amounts) for amounts in np.reshape(run.y, (len(frozen.q), -1)).T
        )  # where no time was reached y is a list
        if run.status == 0:
            return found
        tau, amounts = float(run.t_events[0][0]), run.y_events[0][0]
        after = math.log(max(math.floor(math.exp(tau)) + 1, math.exp(tau) * (1 + 1e-12)))
        amounts = _solve(frozen, amounts, tau, np.array([after]), tolerance, events=False).y[:, -1]
        tau, left, (u, c) = after, frozen.left, frozen.at(amounts)
        if (np.sign(u) == frozen.pattern).all():
            raise BadInput("the second method cannot follow: a signal touches zero")
    raise BadInput("the second method cannot follow: signs keep changing")


@dataclass(frozen=True)
class _Crossing:
    """An event of scipy's integrators: a distance that falls to zero ends the run."""

    distance: Callable[[float, Floats], float]
    terminal: bool = True
    direction: int = -1

    def __call__(self, tau: float, amounts: Floats) -> float:
        return self.distance(tau, amounts)


def _solve(frozen: _Frozen, amounts: Floats, tau: float, times: Floats, tolerance: float, *, events: bool) -> Any:
    from scipy.integrate import solve_ivp

    scale = max(float(np.abs(np.diagonal(frozen.matrix)).max()), 1e-300)
    watched, span, floor = (
        [_Crossing(frozen.distance)] if events else None,
        (tau, float(times[-1])),
        0.1 * tolerance / scale,
    )
    try:
        run = solve_ivp(frozen.velocity, span, amounts, "LSODA", times, events=watched, rtol=tolerance, atol=floor)
    except ValueError as error:  # the sign changes where the dense output of a step does not meet the step
        raise BadInput(f"the second method cannot follow: {error}") from None
    if run.status < 0:
        raise BadInput(f"the second method cannot follow: {run.message}")
    return run
