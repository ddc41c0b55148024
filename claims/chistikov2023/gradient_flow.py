r"""Section 2: the gradient flow as a differential inclusion, conserved balancedness, and Proposition 1."""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Assumption, Kind, Margin, all_of, at_most, claim, equal, identity, less, moved, nothing, without
from refute.arithmetic.numbers import Number
from refute.claims.chistikov2023.assumptions import ASSUMPTION_1, ASSUMPTIONS_1_AND_2, TRAINING_DATA
from refute.claims.chistikov2023.setting import on_a as starts
from refute.functions import maximum, sign, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.chistikov2023.crossings import is_active, stages
from refute.models.flow import gradient_flow
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import Change
from refute.models.loss import SQUARE
from refute.strategies import number, sized
from refute.strategies.chistikov2023.correlated import SETTING, balanced_network, correlated, double_outer, rebalance

TIMES = np.linspace(0.0, 4.0, 9)


@identity(
    "chistikov2023.balancedness.difference_conserved",
    "section 2, balanced initialisation",
    recorded="proved",
    mutants=[moved("a^2 - 2 |w|^2 is", weight=2), moved("the sum a^2 + |w|^2 is", weight=-1)],
    convention="one neuron, two points of the plane; sigma(u) = c u with the same c in [0, 1] that the inclusion "
    "selects for sigma'(u)",
)
def the_imbalance_of_a_neuron_is_constant(*, weight: int = 1) -> Any:
    r"""Along gradient flow, from any start, $a_j^2-\|w_j\|^2$ is constant for every neuron: both have the derivative
    $2a_jw_j^\top g_j$.
    """
    import sympy

    a, w = sympy.Symbol("a"), sympy.symbols("w1:3")
    terms = [(sympy.Symbol(f"r{i}"), sympy.Symbol(f"c{i}"), sympy.symbols(f"x{i}_1:3")) for i in (1, 2)]
    by_outer = sum(r * c * (w[0] * x[0] + w[1] * x[1]) for r, c, x in terms) / 2
    by_inner = [sum(r * a * c * x[k] for r, c, x in terms) / 2 for k in range(2)]
    return sympy.expand(2 * a * by_outer - weight * 2 * (w[0] * by_inner[0] + w[1] * by_inner[1]))


@identity(
    "chistikov2023.prop_1.i",
    "Proposition 1 (i)",
    recorded="proved",
    mutants=[moved("2/n in place of 1/n", factor=2), moved("uphill", factor=-1)],
    convention="one neuron, two points of the plane, n = 2; the first point may lie on the kink, where w is "
    "orthogonal to it",
)
def both_layers_follow_one_vector(*, factor: int = 1, outer: int = 1) -> Any:
    r"""$\dot a_j=w_j^\top g_j$ and $\dot w_j=a_jg_j$ with one
    $g_j\in\frac1n\sum_i(y_i-h_\theta(x_i))\,\partial\sigma(w_j^\top x_i)\,x_i$.

    Off the kinks from the loss itself, with one active and one inactive point. On a kink every convex combination of
    the limits of gradients has this form with a common $g_j$, since $w_j^\top x_i=0$ there.
    """
    import sympy

    a, y1, y2, o1, o2, mu = sympy.symbols("a y1 y2 o1 o2 mu")
    w = sympy.symbols("w1:3")
    points = [sympy.symbols(f"x{i}_1:3") for i in (1, 2)]
    found = {}
    for pattern in ((1, 0),):
        residuals, gradient = _gradient(a, w, points, (y1, y2), (o1, o2), pattern)
        push = [
            factor * sum(r * c * x[k] for r, c, x in zip(residuals, pattern, points, strict=True)) / 2 for k in range(2)
        ]
        scale = a if outer else 1
        found[f"{pattern}: a"] = gradient[0] - (w[0] * push[0] + w[1] * push[1])
        found |= {f"{pattern}: w{k + 1}": gradient[k + 1] - scale * push[k] for k in range(2)}
    on_kink = {w[0]: -points[0][1], w[1]: points[0][0]}
    for second in (1,):
        (residuals, off), (_, on) = (_gradient(a, w, points, (y1, y2), (o1, o2), (first, second)) for first in (0, 1))
        mixed = [((1 - mu) * p + mu * q).subs(on_kink) for p, q in zip(off, on, strict=True)]
        chosen = (mu, second)
        push = [
            (factor * sum(r * c * x[k] for r, c, x in zip(residuals, chosen, points, strict=True)) / 2).subs(on_kink)
            for k in range(2)
        ]
        found[f"kink, {second}: a"] = mixed[0] - (on_kink[w[0]] * push[0] + on_kink[w[1]] * push[1])
        found |= {f"kink, {second}: w{k + 1}": mixed[k + 1] - (a if outer else 1) * push[k] for k in range(2)}
    return {name: sympy.expand(residual) for name, residual in found.items()}


def _gradient(
    a: Any, w: Any, points: Any, labels: Any, others: Any, pattern: tuple[int, int]
) -> tuple[list[Any], list[Any]]:
    """Residuals, and minus the gradient by (a, w1, w2), of the loss with two points when the neuron is active as
    `pattern` says.
    """
    import sympy

    pre = [w[0] * x[0] + w[1] * x[1] for x in points]
    outputs = [o + a * c * p for o, c, p in zip(others, pattern, pre, strict=True)]
    residuals = [y - h for y, h in zip(labels, outputs, strict=True)]
    loss = sum(r**2 for r in residuals) / 4
    return residuals, [-sympy.diff(loss, p) for p in (a, *w)]


# Clarke subdifferentials


@claim(
    "chistikov2023.clarke.relu_at_zero",
    "after Proposition 1",
    given=sized(slope=number()),
    recorded="supported",
    mutants=[moved("[0, 9/10]", high=Fraction(9, 10)), moved("[-1/10, 1]", low=Fraction(-1, 10))],
    convention="Clarke's directional derivative of the ReLU at 0, a limit superior of difference quotients, which "
    "here take two values",
)
def the_subdifferential_of_relu_is_the_unit_interval(
    slope: Number, *, low: Number = Fraction(0), high: Number = Fraction(1)
) -> Margin:
    r"""$\partial\sigma(0)=[0,1]$: $g$ satisfies $g\,d\le\sigma^\circ(0;d)$ for $d=\pm1$ if and only if $0\le g\le1$.

    Both sides are compared as signed distances to the set.
    """
    base, step = [Fraction(k, 4) for k in range(-4, 5)], Fraction(1, 4)

    def directional(d: int) -> Fraction:
        return max((max(y + step * d, Fraction(0)) - max(y, Fraction(0))) / step for y in base)

    up, down = directional(1), directional(-1)
    inside = -maximum(slope - up.numerator, -slope - down.numerator)
    return equal(
        inside,
        -maximum(slope - high, low - slope),
        "distance into the subdifferential against distance into the interval",
    )


@claim(
    "chistikov2023.clarke.zero_convention_and_uniqueness",
    "section 2, after the differential inclusion",
    given=SETTING,
    assumes=ASSUMPTION_1,
    recorded="supported",
    mutants=[
        moved("also when the last point leaves", last=1),
        moved("without part (v), once a residual is negative", late=-1),
        moved("neurons turn back", turn=-1),
    ],
    cost=4,
    convention="at the boundaries of the first phase, with outputs zero (they are of order lambda^2); later none is "
    "met (Lemma 3)",
)
def one_velocity_continues_the_flow(
    data: Dataset, start: Balanced, *, last: int = 0, late: int = 1, turn: int = 1
) -> Margin:
    r"""One may fix $\sigma'(0)=0$, and trajectories are unique: where a neuron meets the boundary of $x_i$, every
    selection $g=\gamma_I+\frac cny_ix_i$, $c\in[0,1]$, carries it across, $s_jx_i^\top g$ having the sign $s_j$.

    When the last point leaves, $c=0$ is rest and $c>0$ would lead where nothing moves: rest is all that is left, and
    part (v) of Assumption 1 keeps it so when the residual of $x_i$ has become negative.
    """
    parts = [nothing("no boundary is met")]
    for z, s in zip(start.shape, sign(start.signs), strict=True):
        met = stages(z, int(s), data)[:-1] if is_active(z, data) else []
        for now in met:
            i = now.points[0]
            own = data.labels[i] * data.inputs[i] / len(data.labels)
            rest = now.gamma - own if s < 0 else now.gamma  # without the point itself
            for selected in (0, 1):
                across = data.inputs[i] @ (rest + selected * own)
                if any(rest) or last:
                    parts.append(less(0, turn * across, "speed across the boundary"))
                else:
                    parts.append(at_most(int(s) * late * across, 0, "speed back to life after the last exit"))
    return all_of(*parts)


@claim(
    "chistikov2023.assumption_1.v",
    "Assumption 1 (v)",
    kind=Kind.DYNAMICS,
    instances=[starts((1, "1/2", "1"), (1, "1/2", "3/2"), (-1, "3/2", "1/2"))],
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("after it enters, too", dies=0)],
    convention="a choice among the solutions of the inclusion, which the log-polar flow makes; one run with one "
    "negative neuron",
)
def a_deactivated_neuron_stays(data: Dataset, start: Balanced, tolerance: float, *, dies: int = 1) -> Margin:
    r"""When the last active point of a neuron leaves its half-space at time $T'$, then $w_j^t=w_j^{T'}$ for all
    $t\ge T'$.
    """
    run = log_polar_flow(start, data, SQUARE, level=1e-4, tolerance=1e4 * tolerance)
    events = [one for one in run.switches if (one.change is Change.DIES) == bool(dies)]
    parts = [less(0, len(events), "events")]
    for one in events:
        after = run.time >= one.time
        rows, norms = run.direction[after, one.neuron], run.log_norm[after, one.neuron]
        parts += [
            equal(rows, rows[:1], "direction", error=1e-12),
            equal(norms, norms[:1], "log-norm", error=1e-9 * abs(float(norms[0]))),
        ]
    return all_of(*parts)


balanced = Assumption(
    "network.balanced_nonzero",
    "every neuron is as long as its outer weight, and not zero",
    lambda net: all_of(
        equal(
            net.outer * net.outer, np.array([squared_norm(w) for w in net.inner], dtype=object), "a_j^2 against |w_j|^2"
        ),
        less(0, net.outer * net.outer, "0 against a_j^2"),
    ),
    base=correlated(net=balanced_network),
    satisfy=rebalance,
    violate=double_outer,
)


@claim(
    "chistikov2023.prop_1.ii",
    "Proposition 1 (ii)",
    kind=Kind.DYNAMICS,
    given=correlated(net=balanced_network, width=(1, 2)),
    assumes=[*TRAINING_DATA, balanced],
    recorded="supported",
    mutants=[
        moved("a_j = 101/100 s_j |w_j|", factor=1.01),
        moved("the outer weight has the other sign", factor=-1.0),
        without(balanced),
    ],
    cost=3,
    convention="times up to 4, Filippov solutions; the data play no role and are as in the setting",
)
def balanced_neurons_stay_balanced_and_alive(
    data: Dataset, net: TwoLayer, tolerance: float, *, factor: float = 1.0
) -> Margin:
    r"""From a balanced start $a_j^t=s_j\|w_j^t\|\ne0$ for all $t$, with
    $|a_j^t|\ge|a_j^0|e^{-t\sqrt{2L(\theta^0)}\max_i\|x_i\|}$.
    """
    run = gradient_flow(net, data, SQUARE, TIMES, tolerance=tolerance)
    lengths = np.linalg.norm(run.inner, axis=2)
    error = 4 * np.sqrt(run.inner.shape[2]) * run.error
    reach = float(np.linalg.norm(data.inputs, axis=1).max()) * float(
        np.sqrt(2 * SQUARE.value(data.labels, net(data.inputs)))
    )
    least = np.abs(net.outer) * np.exp(-reach * TIMES)[:, None]
    return all_of(
        equal(run.outer, factor * np.sign(net.outer) * lengths, "a_j against s_j |w_j|", error=error),
        at_most(least, np.abs(run.outer), "lower bound of |a_j|", error=run.error),
    )
