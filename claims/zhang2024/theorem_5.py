r"""Theorem 5: under Condition 3 and Assumption 4 a (leaky) ReLU network trains like a linear one.

With $W(0)=\sqrt{2/(\alpha+1)}\,W^{lin}(0)$ the weights stay $W(t)=\sqrt{2/(\alpha+1)}\,W^{lin}(\tfrac{\alpha+1}{2}t)$.
Both flows are integrated independently; the margin is minus their largest difference and its error the sum of the two
integrators' bounds. The logistic loss is printed as $\langle\ln(1+e^{yf})\rangle$; its flow is read in three ways:
R0 minus the gradient of the printed loss, R1 minus the gradient of $\langle\ln(1+e^{-yf})\rangle$, R2 the printed
fields (7), (10).
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Assumption, Claim, Kind, Margin, Mutant, all_of, claim, equal, identity, moved, without
from refute.claims.zhang2024.conditions import ASSUMPTION_4, CONDITION_3, equal_norms, even_inputs, odd_target, rank_one
from refute.models import Dataset, TwoLayer
from refute.models.flow import Trajectory, gradient_flow, scaled
from refute.models.gradient import Residual, logistic_residual, square_residual
from refute.strategies import choice, drawn, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.zhang2024.symmetry import double_labels, sign_labels

Floats = NDArray[np.float64]
TIMES = np.linspace(0.0, 2.0, 9)


def printed_logistic_residual(labels: Floats, outputs: Floats) -> Floats:
    """The factor that Eqs. (7) and (10) print where the residual stands: f / (e^{yf} + 1), with f in the place of y."""
    residual: Floats = outputs / (np.exp(labels * outputs) + 1)
    return residual


def _times(net: TwoLayer, data: Dataset, residual: Residual) -> Floats:
    """Times in units of tau. The printed field (7) grows like the cube of the weights and blows up in finite time, so
    there the theorem is tried on an interval on which the solution certainly exists."""
    if residual is not printed_logistic_residual:
        return TIMES
    weights = float((net.inner**2).sum() + (net.outer**2).sum())
    reach = float((data.inputs**2).sum(axis=1).max())
    return TIMES / (4 * (1 + weights) * (1 + reach))


_CONVENTION = (
    "sigma'(0) = (1 + alpha)/2, the Filippov value under Condition 3; the two networks share the time constant tau"
)
_CASES = sized(
    net=two_layer,
    data=unscaled_dataset,
    tau=choice("1", "1/10", "10"),
    samples=drawn(1, 3),
    width=(2, 4),
    dimension=(1, 3),
)


def _both_flows(
    net: TwoLayer, data: Dataset, residual: Residual, tau: float, tolerance: float, stretch: float, weight: float
) -> tuple[Trajectory, Trajectory, float]:
    """The ReLU flow at times t, the linear flow at the rescaled times, and the factor between their weights."""
    half = (1 + net.slope) / 2
    factor = weight * np.sqrt(1 / half)
    times = _times(net, data, residual)
    relu = gradient_flow(net, data, residual, times * tau, tau=tau, tolerance=tolerance)
    start = scaled(net, 1 / factor, 1.0)
    linear = gradient_flow(start, data, residual, stretch * half * times * tau, tau=tau, tolerance=tolerance)
    return relu, linear, float(factor)


def same_function(
    net: TwoLayer, data: Dataset, residual: Residual, tau: float, tolerance: float, stretch: float, weight: float
) -> Margin:
    """f(x; W(t)) = f_lin(x; W_lin((alpha+1)/2 t)) on the data and on fresh points; both linear in x."""
    relu, linear, _ = _both_flows(net, data, residual, tau, tolerance, stretch, weight)
    fresh = np.vstack([data.inputs, np.eye(data.inputs.shape[1]), -np.eye(data.inputs.shape[1]), 0.5 - data.inputs])
    outputs, others = relu.outputs(fresh), linear.outputs(fresh)
    error = relu.output_error(fresh) + linear.output_error(fresh)
    odd = equal(relu.outputs(-fresh), -outputs, "f(-x; W(t)) = -f(x; W(t))", error=2 * relu.output_error(fresh))
    return all_of(equal(outputs, others, "f(x; W(t)) against f_lin(x; W_lin(rescaled t))", error=error), odd)


def same_weights(
    net: TwoLayer, data: Dataset, residual: Residual, tau: float, tolerance: float, stretch: float, weight: float
) -> Margin:
    """W(t) = sqrt(2/(alpha+1)) W_lin((alpha+1)/2 t), both layers."""
    relu, linear, factor = _both_flows(net, data, residual, tau, tolerance, stretch, weight)
    error = relu.error + factor * linear.error
    return all_of(
        equal(relu.inner, factor * linear.inner, "W1(t) against the scaled linear W1", error=error),
        equal(relu.outer, factor * linear.outer, "W2(t) against the scaled linear W2", error=error),
    )


def assumption_4_persists(
    net: TwoLayer, data: Dataset, residual: Residual, tau: float, tolerance: float, stretch: float, weight: float
) -> Margin:
    """Along the flow |W2|^2 W1 = W2^T (W2 W1), W1 W1^T and W2^T W2 have equal traces, and the signs stay balanced."""
    run = gradient_flow(net, data, residual, _times(net, data, residual) * tau, tau=tau, tolerance=tolerance)
    size = (run.outer**2).sum(axis=1)
    reach = 1 + float(np.abs(run.inner).max() + np.abs(run.outer).max())
    error = 12 * net.width * data.inputs.shape[1] * reach**2 * run.error
    projected = run.outer[:, :, None] * np.einsum("th,thd->td", run.outer, run.inner)[:, None, :]
    return all_of(
        equal(size[:, None, None] * run.inner, projected, "W1 = W2^T r^T", error=error),
        equal((run.inner**2).sum(axis=(1, 2)), weight * size, "|W1| = |W2|, that is |r| = 1", error=error),
        equal((run.outer * np.abs(run.outer)).sum(axis=1), 0.0, "|W2+|^2 = |W2-|^2", error=error),
    )


sign_target = Assumption(
    "label.sign_off_origin",
    "labels are +1 or -1 (0 at x = 0)",
    lambda data: equal([abs(y) for x, y in zip(data.inputs, data.labels, strict=True) if any(x)], 1, "|y|"),
    base=sized(data=unscaled_dataset),
    satisfy=sign_labels,
    violate=double_labels,
)

_SQUARE = [*CONDITION_3, *ASSUMPTION_4]
_LOGISTIC = [even_inputs, sign_target, odd_target, *ASSUMPTION_4]

# Each part: its ids for the two losses, its predicate, its reference, what it says, and its mutants.
_TIME = moved("time runs twice as fast as stated", stretch=2.0)
_FACTOR = moved("weights 5/4 times as large as stated", weight=1.25)
_DROPS = [without(assumption) for assumption in (even_inputs, odd_target, equal_norms, rank_one)]


@dataclass(frozen=True)
class Part:
    square: str
    logistic: str
    predicate: Callable[..., Margin]
    reference: str
    statement: str
    moves: tuple[Mutant, ...]


_PARTS = [
    Part(
        "zhang2024.theorem_5.function_square",
        "zhang2024.theorem_5.function_logistic",
        same_function,
        "Theorem 5, item 1, Eq. (4)",
        r"$f(x;W(t))=f^{lin}(x;W^{lin}(\tfrac{\alpha+1}{2}t))$ for all x and $t\ge0$; both are linear in x.",
        (_TIME, _FACTOR),
    ),
    Part(
        "zhang2024.theorem_5.weights_square",
        "zhang2024.theorem_5.weights_logistic",
        same_weights,
        "Theorem 5, item 2, Eq. (5)",
        r"$W(t)=\sqrt{2/(\alpha+1)}\,W^{lin}(\tfrac{\alpha+1}{2}t)$ for all $t\ge0$.",
        (_TIME, _FACTOR),
    ),
    Part(
        "zhang2024.theorem_5.assumption_4_persists_square",
        "zhang2024.theorem_5.assumption_4_persists_logistic",
        assumption_4_persists,
        "Theorem 5; proof, part 3",
        r"Assumption 4 (rank one with a unit r(t), equal norms of positive and negative outer weights) holds for all "
        r"$t\ge0$.",
        (moved("|W1|^2 is 5/4 of |W2|^2", weight=1.25),),
    ),
]
_READINGS: dict[str, tuple[Residual, str]] = {
    "": (logistic_residual(1), r"R0: minus the gradient of the printed loss $\langle\ln(1+e^{yf})\rangle$."),
    ".r1": (logistic_residual(-1), r"R1: minus the gradient of $\langle\ln(1+e^{-yf})\rangle$."),
    ".r2": (
        printed_logistic_residual,
        "R2: the printed fields (7) and (10) at face value, as long as their solution exists.",
    ),
}


def _encode(
    part: Part, id: str, residual: Residual, loss: str, assumes: list[Assumption], mutants: list[Mutant]
) -> Claim:
    """One part of the theorem for one loss and one reading of its flow."""

    def conclusion(
        net: TwoLayer, data: Dataset, tau: float, tolerance: float, *, stretch: float = 1.0, weight: float = 1.0
    ) -> Margin:
        return part.predicate(net, data, residual, tau, tolerance, stretch, weight)

    conclusion.__name__ = id.split(".", 2)[2].replace(".", "_")
    conclusion.__doc__ = f"{part.statement}\n\n{loss}"
    register = claim(
        id,
        part.reference,
        kind=Kind.DYNAMICS,
        given=_CASES,
        assumes=assumes,
        recorded="supported",
        mutants=[*part.moves, *mutants],
        convention=_CONVENTION,
    )
    return register(conclusion)


SQUARE = [_encode(part, part.square, square_residual, "Square loss.", _SQUARE, _DROPS) for part in _PARTS]
LOGISTIC = [
    _encode(part, part.logistic + reading, residual, f"Logistic loss. {remark}", _LOGISTIC, _DROPS)
    for part in _PARTS
    for reading, (residual, remark) in _READINGS.items()
]


@identity(
    "zhang2024.eq_35.rescaled_dynamics",
    "Eq. (35) and the display after it",
    recorded="proved",
    mutants=[
        moved("factor sqrt(2)/(alpha+1) for the weights", weight_power=1),
        moved("no factor for the weights", weight_power=0),
        moved("time factor (alpha+1)/2 missing", time_power=0),
        moved("time factor squared", time_power=2),
    ],
    convention="matrices are non-commuting symbols, so the identity holds in every dimension and width",
)
def rescaled_weights_follow_the_linear_flow(*, weight_power: Any = Fraction(1, 2), time_power: int = 1) -> Any:
    r"""With $V_i=\sqrt{\tfrac{\alpha+1}{2}}\,W_i$ the reduced flow (34) becomes the linear flow (8) with another time
    constant: $\tfrac{2\tau}{\alpha+1}\dot V_1=V_2^\top(\beta^\top-V_2V_1\Sigma)$ and
    $\tfrac{2\tau}{\alpha+1}\dot V_2=(\beta^\top-V_2V_1\Sigma)V_1^\top$.

    The scaling factors of Theorem 5 are read off here.
    """
    import sympy

    alpha = sympy.Symbol("alpha", nonnegative=True)
    tau = sympy.Symbol("tau", positive=True)
    W1, W1t, W2, W2t, S, bt = sympy.symbols("W1 W1t W2 W2t Sigma betat", commutative=False)
    half = (alpha + 1) / 2
    dW1 = (half * W2t * bt - half**2 * W2t * W2 * W1 * S) / tau
    dW2 = (half * bt * W1t - half**2 * W2 * W1 * S * W1t) / tau
    c = half ** sympy.Rational(weight_power)
    clock = tau / half**time_power
    V1, V1t, V2, V2t = c * W1, c * W1t, c * W2, c * W2t
    return {
        "first layer": sympy.expand(clock * c * dW1 - V2t * (bt - V2 * V1 * S)),
        "second layer": sympy.expand(clock * c * dW2 - (bt - V2 * V1 * S) * V1t),
    }
