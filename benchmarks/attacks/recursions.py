"""Gradient descent by its definition, step by step in balls of 240 bits: references that share no code with
models.descent.
"""

from typing import Any

import numpy as np
from flint import arb, ctx

from benchmarks.attacks.cases import Floats

BITS = 240
lift = np.vectorize(lambda value: arb(float(value)), otypes=[object])


class Unknown(Exception):
    """The sign of a pre-activation cannot be told."""


def _gates(pre: Any, slope: Any, at_zero: Any) -> Any:
    found = np.empty(pre.shape, dtype=object)
    for place, value in np.ndenumerate(pre):
        if value > 0:
            found[place] = arb(1)
        elif value < 0:
            found[place] = slope
        elif value.is_zero():
            found[place] = at_zero
        elif slope == 1 and at_zero == 1:
            found[place] = slope
        else:
            raise Unknown
    return found


def _residual(loss: str, y: Any, f: Any) -> Any:
    if loss == "square":
        return y - f
    return np.array(
        [a / (1 + (a * b).exp()) if loss == "logistic" else a * (-a * b).exp() for a, b in zip(y, f, strict=True)]
    )


def layers_after(
    weights: list[Floats],
    slope: float,
    at_zero: float,
    x: Floats,
    y: Floats,
    loss: str,
    rate: float,
    steps: int,
    picks: Any = None,
) -> list[Any]:
    """The layers after all steps of descent of the mean loss."""
    with ctx.workprec(BITS):
        now, low, zero = [lift(w) for w in weights], arb(slope), arb(at_zero)
        inputs, labels = lift(x), lift(y)
        for t in range(steps):
            chosen = range(len(y)) if picks is None else picks[t]
            seen, told = inputs[list(chosen)], labels[list(chosen)]
            active, gates = [seen], []
            for w in now[:-1]:
                pre = active[-1] @ w.T
                gates.append(_gates(pre, low, zero))
                active.append(pre * gates[-1])
            delta = (_residual(loss, told, (active[-1] @ now[-1].T)[:, 0]) * arb(rate) / len(told))[:, None]
            moved = list(now)
            for k in reversed(range(len(now))):
                moved[k] = now[k] + delta.T @ active[k]
                if k:
                    delta = (delta @ now[k]) * gates[k - 1]
            now = moved
        return now


def signals_and_coefficients(
    inner: Floats, outer: Floats, slope: float, x: Floats, y: Floats, loss: str, rate: float, times: list[int]
) -> list[tuple[Any, Any]]:
    """<w_h, x_i> and the c_{hi} of w_h = w_h(0) + sum_i c_{hi} x_i at the times; the second layer
    is fixed, sigma'(0) = 1.
    """
    with ctx.workprec(BITS):
        inputs, labels, push, low, one = (
            lift(x),
            lift(y),
            lift(outer)[:, None] * (arb(rate) / len(y)),
            arb(slope),
            arb(1),
        )
        gram, found = inputs @ inputs.T, []
        u, c = lift(inner) @ inputs.T, lift(np.zeros((len(inner), len(y))))
        for t in range(max(times) + 1):
            if t in times:
                found.append((u, c))
            gates = _gates(u, low, one)
            change = push * gates * _residual(loss, labels, lift(outer) @ (gates * u))
            c, u = c + change, u + change @ gram
        return found


def distance(found: Floats, exact: Any) -> float:
    """The largest difference; `Unknown` where the balls have grown."""
    with ctx.workprec(BITS):
        values, rough = np.asarray(exact).reshape(-1), arb(2) ** -70
        if any(b.rad() > rough * size(values) for b in values):
            raise Unknown
        pairs = zip(np.asarray(found).reshape(-1), values, strict=True)
        return max((float((arb(float(a)) - b).abs_upper()) for a, b in pairs), default=0.0)


def size(exact: Any) -> float:
    """The largest entry."""
    return max((float(b.abs_upper()) for b in np.asarray(exact).reshape(-1)), default=0.0)
