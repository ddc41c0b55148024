r"""Gradient descent with a fixed second layer in the span of the data: kou2023's (3.2) and (5.1) at a cost that does
not know d.

The state is u_{hi} = <w_h, x_i> and c_{hi} with w_h(t) = w_h(0) + sum_i c_{hi}(t) x_i, so rho_{hi} = |x_i|^2 c_{hi}.
One step reads
    c_{hi} += eta weight g_i a_h sigma'(u_{hi}),    u_{hk} += sum_i (change of c_{hi}) G_{ik},    G = X X^T,
with g_i the residual of the loss and a_h the outer weights (+-1/m in the paper).
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from refute.errors import BadInput, Diverged
from refute.models.checks import checked_case, checked_count, checked_rate
from refute.models.dataset import Dataset
from refute.models.loss import LOGISTIC, Loss
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
MOST_EXTENDED = 1_000_000  # products, some milliseconds
TINY = 1e-290  # the square of an input's norm below this has lost digits


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What stays fixed: the Gram matrix (samples, samples), labels, outer weights (width,), and the conventions."""

    gram: Floats
    labels: Floats
    outer: Floats
    slope: float
    slope_at_zero: float
    rate: float
    loss: Loss
    inputs: Floats | None = None  # where they are known; the Gram matrix is theirs up to round-off

    @property
    def step(self) -> float:
        """eta times the weight of the loss: what multiplies each residual."""
        return self.rate * float(self.loss.weight(len(self.labels)))

    def outputs(self, signals: Floats) -> Floats:
        """f at every sample; works on (..., width, samples)."""
        hidden = np.where(signals > 0, signals, self.slope * signals)
        result: Floats = np.einsum("h,...hi->...i", self.outer, hidden)
        return result

    def margins(self, signals: Floats) -> Floats:
        """q_i = y_i f(x_i)."""
        return self.labels * self.outputs(signals)

    def value(self, signals: Floats) -> Floats:
        """The loss."""
        return np.asarray(self.loss.value(self.labels, self.outputs(signals)))


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """u = `signals` and c = `coefficients` after `step` steps, both (width, samples)."""

    step: int
    signals: Floats
    coefficients: Floats

    def rho(self, problem: Problem) -> Floats:
        """The coefficients of (5.1): rho_{hi} = |x_i|^2 c_{hi}."""
        return self.coefficients * np.diag(problem.gram)

    def inner(self, net: TwoLayer, data: Dataset) -> Floats:
        """The weights, given the network it started from."""
        result: Floats = np.asarray(net.inner, dtype=float) + self.coefficients @ np.asarray(data.inputs, dtype=float)
        return result


def start(
    net: TwoLayer, data: Dataset, *, rate: float, slope_at_zero: float, loss: Loss = LOGISTIC
) -> tuple[Problem, State]:
    """The problem and its state at step 0; sigma'(0) = 1 is the paper's convention."""
    inner, outer, slope, x, y = checked_case(net, data)
    _, first, site = np.unique(x, axis=0, return_index=True, return_inverse=True)
    first = first[site.reshape(-1)]  # repeated inputs have the same rows to the last bit
    with np.errstate(over="ignore", invalid="ignore"):
        gram, signals = _products(x, x)[np.ix_(first, first)], _products(inner, x)[:, first]
    if not np.isfinite(gram).all() or (gram.diagonal() < TINY)[x.any(axis=1)].any():
        low, high = gram.diagonal().min(), gram.diagonal().max()
        raise BadInput(f"inputs have squared norms from {low:.3g} to {high:.3g}", "scale them")
    problem = Problem(gram, y, outer, slope, float(slope_at_zero), checked_rate(rate), loss, x[first])
    return problem, State(0, signals, np.zeros_like(signals))


def _products(left: Floats, right: Floats) -> Floats:
    """left @ right.T, small ones in extended precision, and with the sign of the exact product wherever rounding may
    decide it.
    """
    kind = np.longdouble if left.shape[0] * right.size <= MOST_EXTENDED else float
    found = np.asarray(left.astype(kind) @ right.astype(kind).T, dtype=float)
    doubt = left.shape[1] * float(np.finfo(kind).eps) * (np.abs(left) @ np.abs(right.T))
    for h, i in np.argwhere((np.abs(found) <= doubt) & (doubt > 0) & np.isfinite(doubt)):
        found[h, i] = sum(
            (Fraction(a) * Fraction(b) for a, b in zip(left[h].tolist(), right[i].tolist(), strict=True)), Fraction(0)
        )
    return found


def kernel_descent(problem: Problem, state: State, steps: int) -> State:
    """The state after `steps` more steps."""
    from refute.models.descent.kernels import descend_in_the_span

    u, c = (np.ascontiguousarray(values.T) for values in (state.signals, state.coefficients))
    u, c = u.copy(), c.copy()
    p, loss = problem, problem.loss
    gram, labels, outer = (
        np.array(values, order="C") for values in (p.gram, p.labels, p.outer)
    )  # compiled code has no read-only arrays
    done = descend_in_the_span(
        gram, labels, outer, u, c, p.step, checked_count(steps, "steps"), p.slope, p.slope_at_zero,
        loss.kernel, float(loss.factor), float(loss.sign),
    )  # fmt: skip
    if done < steps:
        raise Diverged(
            f"gradient descent diverged: an output is not finite at step {state.step + done}",
            f"take rate below {p.rate}",
        )
    return State(state.step + steps, u.T.copy(), c.T.copy())
