"""Small cases for the integrators, hostile on purpose; all numbers are float64, so references take them as they are."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rng = np.random.Generator
FAMILIES = ("grid", "gaussian", "axes", "ratios", "repeated", "nearly parallel", "on hyperplanes", "zeros", "singular")
SLOPES = (0.0, 0.0, 0.25, 0.01, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A two-layer network on a dataset."""

    family: str
    inner: Floats
    outer: Floats
    slope: float
    inputs: Floats
    labels: Floats

    def __str__(self) -> str:
        parts = (f"{name} = {getattr(self, name).tolist()}" for name in ("inner", "outer", "inputs", "labels"))
        return f"{self.family}: {', '.join(parts)}, slope = {self.slope}"


def quarters(rng: Rng, *shape: int) -> Floats:
    """Between -1 and 1, full of zeros and of coincidences."""
    return np.asarray(rng.integers(-4, 5, shape) / 4)


def power(rng: Rng, most: int) -> float:
    """A power of two up to 10^(+-most)."""
    return float(2.0 ** np.round(rng.uniform(-most, most) / np.log10(2)))


def draw(rng: Rng, *, samples: int = 4, dim: int = 3, width: int = 3) -> Drawn:
    """A family at random, in sizes from one up to the given ones."""
    family = str(rng.choice(FAMILIES))
    n, d, m = (int(rng.integers(1, most + 1)) for most in (samples, dim, width))
    if family == "axes":
        d = n = min(n, d)
    plain = family in ("grid", "on hyperplanes", "zeros", "axes") or rng.random() < 0.3
    inner, outer = (
        (quarters(rng, m, d), quarters(rng, m)) if plain else (rng.standard_normal((m, d)), rng.standard_normal(m))
    )
    inputs = quarters(rng, n, d) if plain else rng.standard_normal((n, d))
    labels = 2 * quarters(rng, n) if plain else rng.standard_normal(n)
    if family == "axes":
        inputs = np.diag([power(rng, 4) * rng.choice([-1.0, 1.0]) for _ in range(d)])
    elif family == "ratios":
        inputs = inputs * np.array([power(rng, 4) for _ in range(n)])[:, None]
    elif family == "repeated":
        k = int(rng.integers(n))
        inputs, labels = np.vstack([inputs, inputs[k], -2 * inputs[k]]), np.append(labels, [labels[k], -labels[k]])
    elif family == "nearly parallel":
        k = int(rng.integers(n))
        inputs = np.vstack([inputs, inputs[k] + 10.0 ** -int(rng.integers(3, 13)) * quarters(rng, d)])
        labels = np.append(labels, rng.choice([-1.0, 1.0]))
    elif family == "on hyperplanes" and d > 1:
        inner[0] = 0
        inner[0, :2] = [-inputs[0, 1], inputs[0, 0]]
    elif family == "zeros":
        inner[rng.random(m) < 0.5] = 0
        outer[rng.random(m) < 0.3] = 0
        inputs[rng.random(n) < 0.3] = 0
        labels[rng.random(n) < 0.3] = 0
    elif family == "singular":
        inputs = np.outer(quarters(rng, n), rng.integers(-4, 5, d) / 4)
    return Drawn(family, inner, outer, float(rng.choice(SLOPES)), inputs, labels)


def deep_weights(rng: Rng, dim: int, depth: int) -> list[Floats]:
    """Layers of one or two units, on a grid or Gaussian, sometimes with a layer of zeros."""
    widths = [dim, *(int(k) for k in rng.integers(1, 3, depth - 1)), 1]
    plain = rng.random() < 0.5
    found = [quarters(rng, r, c) if plain else 1.2 * rng.standard_normal((r, c)) for c, r in pairwise(widths)]
    if rng.random() < 0.15:
        found[int(rng.integers(depth))][:] = 0
    return found


def signs(rng: Rng, count: int) -> Any:
    return rng.choice([-1.0, 1.0], count)
