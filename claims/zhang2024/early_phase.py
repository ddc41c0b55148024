r"""Section 4.1 before Assumption 4: why the assumption is plausible after the early phase.

The text names two limits, initialisation to zero and width to infinity. They are encoded separately: each alone removes
one part.
"""

from fractions import Fraction

import numpy as np

from refute import Assumption, Kind, Margin, claim, less, moved, without
from refute.claims.zhang2024.conditions import CONDITION_3, even_inputs, odd_target
from refute.decide.rate import fit, geometric, sweep, vanishes_at_least_like
from refute.functions import squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.flow import gradient_flow
from refute.models.gradient import descent_direction, square_residual
from refute.models.initialisation import small_gaussian
from refute.strategies import drawn, sized, slopes
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.zhang2024.correlations import correlate, decorrelate

HARDLY = 0.005  # the smallest power of gamma that a sweep over twelve decades tells from none


def _correlated(data: Dataset) -> Margin:
    return less(0, squared_norm(data.correlation), "|beta|^2")


correlated_target = Assumption(
    "data.correlated",
    "inputs and labels are correlated, s = |beta| > 0",
    _correlated,
    base=sized(data=unscaled_dataset),
    satisfy=correlate,
    violate=decorrelate,
)


@claim(
    "zhang2024.assumption_4.justification.r1",
    "text before Assumption 4",
    kind=Kind.ASYMPTOTIC,
    given=sized(data=unscaled_dataset, slope=slopes(), samples=drawn(1, 3), dimension=(2, 3)),
    assumes=[*CONDITION_3, correlated_target],
    recorded="supported",
    mutants=[moved("one and a half times the rate of the linearised flow", share=1.5), without(even_inputs)],
    convention="limit gamma -> 0 at width 6; the early phase ends at tau/(s + Tr Sigma) ln(1/gamma); error relative "
    "to |W1|; "
    "tends to 0: at no less than half the rate (alpha + 1) s / 2 of the linearised flow",
)
def weights_become_rank_one_as_the_initialisation_vanishes(
    data: Dataset, slope: float, rng: np.random.Generator, tolerance: float, *, share: float = 0.5
) -> Margin:
    r"""At the end of the early phase $\|W_1-W_2^\top\bar\beta^\top\|/\|W_1\|\to0$ as $\gamma\to0$.

    In the linearised flow the part along $\bar\beta$ grows like $e^{(\alpha+1)st/2}$ and the rest stands still, so the
    ratio falls like $\gamma^p$ with $p=\tfrac{\alpha+1}{2}\,s/(s+\operatorname{Tr}\Sigma)$. That $s>0$ is part of the
    limit: without it nothing grows. That the target is odd is not shown necessary: without it the fitted powers drift
    too much to decide.
    """
    inner, outer = small_gaussian(rng, 6, data.inputs.shape[1], 1.0)
    inner, outer = inner / np.linalg.norm(inner), outer / np.linalg.norm(outer)
    size = float(np.linalg.norm(data.correlation))
    clock = size + float(np.trace(data.covariance))

    def residual(gamma: float) -> float:
        end = np.array([np.log(1 / gamma) / clock])
        run = gradient_flow(
            TwoLayer(gamma * inner, gamma * outer, slope), data, square_residual, end, tolerance=tolerance
        )
        off = run.inner[0] - run.outer[0][:, None] * data.correlation[None, :] / size
        return float(np.linalg.norm(off) / np.linalg.norm(run.inner[0]))

    power = share * (1 + slope) / 2 * size / clock
    if power < HARDLY:  # gamma^p is the same at both ends of the sweep: nothing can be said about its limit
        return Margin(Fraction(0), Fraction(1), strict=True, line=f"the power {power:.1g} is too small to be seen")
    return vanishes_at_least_like(
        sweep(residual, geometric(1e-4, 1e-16, 7)), power, "relative rank-one residual in gamma"
    )


@claim(
    "zhang2024.assumption_4.justification.r2",
    "text before Assumption 4",
    kind=Kind.ASYMPTOTIC,
    given=sized(data=unscaled_dataset, samples=drawn(1, 3)),
    assumes=[*CONDITION_3, correlated_target],
    recorded="supported",
    mutants=[moved("imbalance vanishes like 1/H", power=1.0), moved("imbalance vanishes like H^(-3/4)", power=0.75)],
    convention="limit width -> infinity in the limit gamma -> 0, where W2 is proportional to r1 = (W1(0) beta/s + "
    "W2(0)^T)/2",
)
def signs_balance_as_the_width_grows(data: Dataset, rng: np.random.Generator, *, power: float = 0.0) -> Margin:
    r"""$\big|\|W_2^+\|^2-\|W_2^-\|^2\big|/\|W_2\|^2\to0$ as the width grows: its power of 1/H is positive (root mean
    square over draws).
    """
    direction = data.correlation / np.linalg.norm(data.correlation)

    def imbalance(width: int) -> float:
        draws = 400_000 // width
        inner = rng.standard_normal((draws, width)) * np.linalg.norm(direction) / np.sqrt(width * data.inputs.shape[1])
        r1 = inner + rng.standard_normal((draws, width)) / np.sqrt(width)
        return float(np.sqrt(np.mean(((r1 * np.abs(r1)).sum(axis=1) / (r1**2).sum(axis=1)) ** 2)))

    widths = [16, 32, 64, 128, 256, 512]
    margin = vanishes_at_least_like(
        fit([1 / w for w in widths], [imbalance(w) for w in widths]), power, "imbalance in 1/H"
    )
    return Margin(margin.value, margin.error, strict=True, scale=margin.scale, line=margin.line)


@claim(
    "zhang2024.eq_18_19.early_phase_linear",
    "Eqs. (18), (19)",
    kind=Kind.ASYMPTOTIC,
    given=sized(data=unscaled_dataset, slope=slopes(), samples=drawn(1, 3)),
    assumes=[*CONDITION_3, correlated_target],
    recorded="supported",
    mutants=[moved("dropped terms of relative order 3", power=3.0), without(even_inputs), without(odd_target)],
    convention="approximately equal: the relative error of the linear system is O(weights^2)",
)
def small_weights_obey_a_linear_system(
    data: Dataset, slope: float, rng: np.random.Generator, *, power: float = 2.0
) -> Margin:
    r"""For small weights, approximately,
    $\tau\dot W_1=\tfrac{\alpha+1}{2}W_2^\top\beta^\top$ and $\tau\dot W_2=\tfrac{\alpha+1}{2}\beta^\top W_1^\top$.

    What is dropped is of third order in the weights, so its part of the field falls like the square of their scale.
    """
    inner, outer = small_gaussian(rng, 5, data.inputs.shape[1], 1.0)
    half = (1 + slope) / 2

    def relative_error(scale: float) -> float:
        net = TwoLayer(scale * inner, scale * outer, slope)
        first, second = descent_direction(net, data, square_residual, half)
        linear = half * np.outer(scale * outer, data.correlation), half * scale * inner @ data.correlation
        gap = np.linalg.norm(first - linear[0]) + np.linalg.norm(second - linear[1])
        return float(gap / (np.linalg.norm(linear[0]) + np.linalg.norm(linear[1])))

    return vanishes_at_least_like(
        sweep(relative_error, geometric(1e-1, 1e-6, 6)), power, "relative size of the dropped terms"
    )
