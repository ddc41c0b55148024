r"""The closed-form motion of one balanced neuron under a constant push.

A balanced neuron w = e^rho u, a = s e^rho with |u| = 1 obeys du/dt = s (I - u u^T) g, drho/dt = s <g, u>. For constant
g, with G = |g|, the angle phi between u and g has tan(phi/2) = e^{-v} where v = v_0 + s G t moves at constant speed,
and
    u = sech(v) e + tanh(v) g/G,    rho = rho_0 + ln cosh(v) - ln cosh(v_0),
e being the unit vector of the part of u across g. Nothing here loses accuracy when rho or v is 10^5.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROUND_OFF = 1e-15


def log_cosh(v: Floats | float) -> Floats:
    """ln cosh v without overflow."""
    size = np.abs(v)
    value: Floats = size + np.log1p(np.exp(-2 * size)) - np.log(2)
    return value


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """From time `start` on: log-norm `log_norm`, direction `direction`, and a push of strength `strength` along
    `toward`.

    `rapidity` is v_0 = -ln tan(phi_0 / 2), infinite when the neuron is exactly (anti-)parallel to the push; `across` is
    e.
    """

    start: float
    log_norm: float
    direction: Floats
    sign: int
    toward: Floats
    strength: float
    rapidity: float
    across: Floats

    def rapidity_at(self, time: float) -> float:
        """v = v_0 + s G (t - start); tan(phi/2) = e^{-v}."""
        return self.rapidity + self.sign * self.strength * (time - self.start)

    def log_norm_at(self, time: float) -> float:
        """ln |w| at `time`."""
        if np.isinf(self.rapidity):
            return self.log_norm + float(np.sign(self.rapidity)) * self.sign * self.strength * (time - self.start)
        return self.log_norm + float(log_cosh(self.rapidity_at(time)) - log_cosh(self.rapidity))

    def direction_at(self, time: float) -> Floats:
        """The unit vector w / |w| at `time`."""
        if self.strength == 0 or np.isinf(self.rapidity) or time == self.start:
            return self.direction
        v = self.rapidity_at(time)
        moved: Floats = np.exp(-log_cosh(v)) * self.across + np.tanh(v) * self.toward
        return moved / np.linalg.norm(moved)

    def crossing_times(self, points: Floats, sides: NDArray[np.int_]) -> Floats:
        """When each hyperplane <u, x_i> = 0 is reached from the side `sides[i]` (+1 or -1); infinite when never.

        cosh(v) <u, x_i> = <e, x_i> + sinh(v) <g, x_i>/G is monotone, so each hyperplane is met at most once.
        """
        if self.strength == 0 or np.isinf(self.rapidity):
            return np.full(len(points), np.inf)
        along, across = points @ self.toward, points @ self.across
        approaching = self.sign * along * sides < 0
        at = np.arcsinh(-across / np.where(approaching, along, 1.0))
        waits = (at - self.rapidity) / (self.sign * self.strength)
        times: Floats = np.where(approaching, self.start + np.maximum(waits, 0.0), np.inf)
        return times


def stage(
    start: float, log_norm: float, direction: Floats, sign: int, push: Floats, within: Floats | None = None
) -> Stage:
    """The stage that begins at `start` with unit vector `direction` and lasts while the push is constant.

    `within` projects onto the hyperplanes along which the neuron slides. Angles to the push below round-off count as
    zero.
    """
    strength = float(np.linalg.norm(push))
    still = np.zeros_like(direction)
    if strength == 0:
        return Stage(start, log_norm, direction, sign, still, 0.0, 0.0, still)
    toward = push / strength
    apart, together = float(np.linalg.norm(direction - toward)), float(np.linalg.norm(direction + toward))
    across = direction - toward * (toward @ direction)
    across = across - toward * (toward @ across)
    across = across if within is None else within @ across
    width = float(np.linalg.norm(across))
    if width < ROUND_OFF:
        return Stage(start, log_norm, direction, sign, toward, strength, np.inf if together > apart else -np.inf, still)
    return Stage(start, log_norm, direction, sign, toward, strength, float(np.log(together / apart)), across / width)
