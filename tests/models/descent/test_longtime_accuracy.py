"""The error that long-time descent reports bounds its distance from balls, on cases full of coincidences."""

import numpy as np
from flint import arb, ctx

from refute.errors import SignUnknown
from refute.models.dataset import Dataset
from refute.models.descent.exact import ball_descent
from refute.models.descent.kernel_space import start
from refute.models.descent.longtime import long_descent
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC
from refute.models.network import signed_halves

TIMES = np.array([20.0, 70.0])
CONDITIONS = (1.0, 1e2, 1e4, 1e8, np.inf)


def inputs(rng: np.random.Generator, seed: int, samples: int, dim: int) -> np.ndarray:
    """Quarters between -1 and 1 (zero, repeated, opposite, orthogonal points), or singular values between 1 and
    1/condition.
    """
    condition = CONDITIONS[seed // 2 % len(CONDITIONS)]
    if seed % 2 == 0:
        return rng.integers(-4, 5, (samples, dim)) / 4
    scales = condition ** -np.linspace(0, 1, dim) if np.isfinite(condition) else (np.arange(dim) == 0).astype(float)
    return np.asarray(rng.standard_normal((samples, dim)) * scales @ np.linalg.qr(rng.standard_normal((dim, dim)))[0])


def relative(found: np.ndarray, exact: list[arb]) -> float:
    with ctx.workprec(200):
        size = max(max(float(abs(value).upper()) for value in exact), 1e-300)
        return max(float(abs(arb(float(a)) - b).upper()) for a, b in zip(found.reshape(-1), exact, strict=True)) / size


def test_the_bound_holds_on_two_hundred_cases() -> None:
    """Signals at two times, of which the second lies in the reduced system; zero labels, repeated inputs, sign changes
    on the way.
    """
    refused = sharp = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        samples, dim, half = (int(rng.integers(1, most)) for most in (4, 4, 3))
        x, y = inputs(rng, seed, samples, dim), rng.choice([-1.0, 1.0], samples)
        if seed % 5 == 4:
            y[0] = 0.0
        if seed % 7 == 6:  # one input with both labels, or twice
            x, y = np.vstack([x, x[:1]]), np.append(y, (-1.0, 1.0)[seed % 2] * y[0])
        w = (rng.integers(-4, 5, (2, half, dim)) / 4) if seed % 3 else 0.1 * rng.standard_normal((2, half, dim))
        net, data = signed_halves(w[0], w[1], (0.0, 0.1, 0.5, 1.0)[int(rng.integers(4))]), Dataset(x, y)
        loss = (LOGISTIC, EXPONENTIAL_SUM)[seed % 4 == 3]
        problem, state = start(net, data, rate=0.25, loss=loss, slope_at_zero=1.0)
        run = long_descent(problem, state, TIMES, freeze=15, tolerance=10.0 ** -int(rng.integers(6, 10)))
        try:
            truth = ball_descent(
                net, data, loss, rate=0.25, steps=70, record=[20], slope_at_zero=1, train_outer=False, accuracy=1e-25
            )
        except SignUnknown:
            refused += 1
            continue
        sharp += run.error < 1e-2
        for k in range(len(run.time)):
            with ctx.workprec(200):
                signals = truth.inner[k] @ np.vectorize(lambda value: arb(float(value)), otypes=[object])(x.T)
            assert relative(run.signals[k], signals.reshape(-1).tolist()) <= run.error, seed
    assert refused <= 10
    assert sharp >= 150
