r"""Appendix G: the initialisation of all experiments."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, Mutant, changed, derived, mutants, section
from refute.decide.probability import with_probability
from refute.models.initialisation import small_deep_gaussian

Floats = NDArray[np.float64]
Layers = list[Floats]
Start = Callable[[np.random.Generator], Layers]

NETWORKS = 10


@derived
def start(scale: float, width: int) -> Start:
    """Draws the layers of a network with 3 inputs and two hidden layers."""
    return lambda rng: small_deep_gaussian(rng, [3, int(width), int(width), 1], float(scale))


def instead_of_each(name: str, change: Callable[[np.random.Generator, Floats], Floats]) -> Mutant:
    """Every layer drawn, and then changed."""
    return changed(name, start=lambda start: lambda rng: [change(rng, layer) for layer in start(rng)])


def uniform(rng: np.random.Generator, layer: Floats) -> Floats:
    """Uniform entries with the same mean square."""
    return np.asarray(rng.uniform(-1.0, 1.0, layer.shape) * np.sqrt(3 * (layer**2).mean()))


def looks_gaussian(start: Start, scale: float, rng: np.random.Generator) -> bool:
    """Whether second and fourth moments of each layer's entries, scaled to variance 1, are near 1 and 3."""
    draws = [start(rng) for _ in range(NETWORKS)]
    for layers in zip(*draws, strict=True):
        entries = np.stack(layers) * np.sqrt(layers[0].size) / scale
        second, fourth = (entries**2).mean(), (entries**4).mean()
        if abs(second - 1) > 1 / 4 or abs(fourth / second**2 / 3 - 1) > 1 / 3:
            return False
    return True


appendix = section("zhang2024", "app_g", "appendix G", kind=Kind.PROBABILISTIC, derived=[start])


@appendix.claim("initialisation", instances=[{"scale": Fraction(1, 100), "width": 30}], recorded="supported")
@mutants(
    instead_of_each("variance gamma^2 over the number of columns", lambda _, layer: layer * len(layer) ** 0.5),
    instead_of_each("standard deviation a fifth larger", lambda _, layer: layer * 1.2),
    instead_of_each("uniform entries of the same variance", uniform),
)
def layers_start_with_norm_gamma(scale: float, start: Start, rng: np.random.Generator, trials: int) -> Margin:
    r"""Layer l has i.i.d. entries $\mathcal N(0,\gamma^2/N_l)$, $N_l$ the number of its weights, so
    $\mathbb E\|W_l\|^2=\gamma^2$.

    Convention: checked: in 10 networks second and fourth moments of each layer's entries, within 1/4 and 1/3 of a
    Gaussian's (three standard deviations or more), with probability 0.95.
    """

    def near(generator: np.random.Generator, count: int) -> NDArray[np.bool_]:
        return np.array([looks_gaussian(start, float(scale), generator) for _ in range(count)])

    return with_probability(0.95, near, rng, trials, "moments of the entries of every layer")
