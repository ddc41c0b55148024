r"""Deep networks trained from small weights, several seeds at once, and how near they come to the form (40).

White inputs and their negatives, a linear target, all layers from $\mathcal N(0,\gamma^2/N_l)$, gradient descent until
the loss is practically zero; linear and ReLU networks start from the same weights.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refute.models.dataset import Dataset
from refute.models.initialisation import small_deep_gaussian
from refute.models.zhang2024.from_small import FromSmall, descend_from_small, moments_only

Floats = NDArray[np.float64]
Layers = tuple[Floats, ...]

WIDTH, DIMENSION, PAIRS, RATE = 50, 3, 8, 0.05
STEPS = 200_000
SEEDS = (0, 1, 2)
SIZES = (
    f"{PAIRS} pairs in {DIMENSION} dimensions, width {WIDTH}, three seeds; L = 3 with gamma = 0.01, L = 4 with "
    f"gamma = 0.2"
)


@lru_cache(maxsize=64)
def even_data(seed: int) -> Dataset:
    """Pairs x, -x of Gaussian inputs, made white (Sigma = I), with a linear target of norm one."""
    rng = np.random.default_rng([seed, 1])
    half = np.sqrt(PAIRS) * np.linalg.qr(rng.standard_normal((PAIRS, DIMENSION)))[0]
    target = rng.standard_normal(DIMENSION)
    inputs = np.vstack([half, -half])
    return Dataset(inputs, inputs @ target / np.linalg.norm(target))


def train(depth: int, scale: float, seed: int, slope: float = 0.0, width: int = WIDTH) -> FromSmall:
    """One network; slope 1 is the linear one from the same initial weights."""
    return _trained(int(depth), float(scale), seed, slope, width)


@lru_cache(maxsize=256)
def _trained(depth: int, scale: float, seed: int, slope: float, width: int) -> FromSmall:
    data = even_data(seed)
    start = small_deep_gaussian(np.random.default_rng(seed), [DIMENSION, *[width] * (depth - 1), 1], scale)
    return descend_from_small(
        start, moments_only(data) if slope == 1 else data, rate=RATE, steps=STEPS, slope=slope, settled=1e-5
    )


@lru_cache(maxsize=4)
def tilted_run(scale: float) -> FromSmall:
    """Width 15 on eight pairs of Gaussian inputs in three dimensions, as drawn: Sigma has eigenvalues 0.26, 0.78,
    2.93.
    """
    rng = np.random.default_rng([0, 1])
    half, target = rng.standard_normal((8, 3)), rng.standard_normal(3)
    inputs = np.vstack([half, -half])
    data = Dataset(inputs, inputs @ target / np.linalg.norm(target))
    start = small_deep_gaussian(np.random.default_rng(0), [3, 15, 15, 1], scale)
    return descend_from_small(start, data, rate=RATE, steps=400_000, settled=1e-4)


def ratios(matrix: Floats) -> Floats:
    """Singular values over the largest one."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return np.asarray(values / values[0])


def cosine(a: Floats, b: Floats) -> float:
    """Of two arrays as vectors."""
    return float((a * b).sum() / (np.linalg.norm(a) * np.linalg.norm(b)))


def alignment(below: Floats, above: Floats) -> float:
    """Cosine of the leading directions that leave a layer and enter the next one."""
    return float(abs(np.linalg.svd(below)[0][:, 0] @ np.linalg.svd(above)[2][0]))


def leading(matrix: Floats, other: Floats) -> Floats:
    """The leading left singular vector, with the sign that makes `other` positive along it."""
    found: Floats = np.linalg.svd(matrix)[0][:, 0]
    return found if found @ other >= 0 else -found


def misfit(weights: Layers) -> float:
    """Largest relative distance of a layer of a three-layer network from (40), with r_1 from W_1 and r_2 from W_3."""
    first, second, last = weights
    r2 = last[0] / np.linalg.norm(last)
    r1 = leading(first, np.maximum(second, 0).T @ r2)
    mask = (r2[:, None] > 0) == (r1[None, :] > 0)
    u = float(np.linalg.norm(last))
    forms = [u * np.outer(r1, r1 @ first / np.linalg.norm(r1 @ first)), u * np.sqrt(2) * np.outer(r2, r1) * mask]
    return max(float(np.linalg.norm(a - b)) / u for a, b in zip(weights, forms, strict=False))


def imbalance(weights: Layers) -> float:
    """Largest ||r^+|^2 - |r^-|^2| over the outgoing directions of the first layer and the incoming ones of the last."""
    first = np.linalg.svd(weights[0])[0][:, 0]
    last = weights[-1][0] / np.linalg.norm(weights[-1])
    return max(abs(float((r * np.abs(r)).sum())) for r in (first, last))


def row_alignment(weights: Layers) -> float:
    """Cosine of the rows of W_2 with the nearer of [r_1^+ 0] and [0 r_1^-], weighted by their squared norms."""
    r1 = np.linalg.svd(weights[0])[0][:, 0]
    halves = np.array([np.maximum(r1, 0), np.maximum(-r1, 0)])
    halves /= np.maximum(np.linalg.norm(halves, axis=1, keepdims=True), 1e-300)
    sizes = np.linalg.norm(weights[1], axis=1)
    cosines = np.maximum(*(weights[1] @ halves.T).T) / sizes
    return float((cosines * sizes**2).sum() / (sizes**2).sum())
