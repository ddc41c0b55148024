r"""Section 2 up to Proposition 1: the gradient flow as a differential inclusion, and conserved balancedness."""

from typing import Any

import numpy as np

from refute import (
    Enclosed,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    bent,
    derived,
    equal,
    flipped,
    less,
    mutants,
    scaled,
    section,
    shifted,
    strict,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTION_1,
    TRAINING_DATA,
    active_neurons,
    acute_pairs_proof,
    balanced,
)
from refute.decide.proof import in_words, steps
from refute.functions import exp, largest, norm, sign, sqrt
from refute.models import Dataset, TwoLayer
from refute.models.chistikov2023.crossings import stages
from refute.models.flow import gradient_flow
from refute.models.loss import SQUARE
from refute.strategies.chistikov2023.balanced_networks import balanced_network
from refute.strategies.chistikov2023.correlated import SETTING, correlated

TIMES = np.linspace(0.0, 4.0, 9)

identities = section("chistikov2023", kind=Kind.SYMBOLIC, recorded="proved")


@identities.claim("balancedness.difference_conserved", "section 2, balanced initialisation")
@mutants(scaled("101/100"), scaled(-1))
def the_imbalance_of_a_neuron_is_constant() -> Any:
    r"""Along gradient flow, from any start, $a_j^2-\|w_j\|^2$ is constant for every neuron: both have the derivative
    $2a_jw_j^\top g_j$.

    Convention: one neuron, two points of the plane (further points and coordinates add terms of the same form);
    sigma(u) = c u with the same c in [0, 1] that the inclusion selects for sigma'(u).
    """
    import sympy

    a, w = sympy.Symbol("a"), sympy.Matrix(sympy.symbols("w1:3"))
    terms = [(*sympy.symbols(f"r{i} c{i}"), sympy.Matrix(sympy.symbols(f"x{i}_1:3"))) for i in (1, 2)]
    by_outer = sum(r * c * w.dot(x) for r, c, x in terms) / 2
    by_inner = sum((r * a * c * x for r, c, x in terms), 0 * w) / 2
    return {"d a^2/dt against d |w|^2/dt": (2 * a * by_outer, 2 * w.dot(by_inner))}


@identities.claim("prop_1.i", "Proposition 1 (i)")
@mutants(scaled("101/100"), scaled(-1))
def both_layers_follow_one_vector() -> Any:
    r"""$\dot a_j=w_j^\top g_j$ and $\dot w_j=a_jg_j$ with one
    $g_j\in\frac1n\sum_i(y_i-h_\theta(x_i))\,\partial\sigma(w_j^\top x_i)\,x_i$.

    From the loss itself, with an active point, an inactive one, and one on the kink: every convex combination of the
    limits of gradients there has this form with a common $g_j$, since $w_j^\top x_i=0$.

    Convention: one neuron in the plane and n = 3; o_i is what the other neurons put out. Further points of each kind
    add terms of the same form, and every coordinate of w_j has an equation of its own.
    """
    import sympy

    a, k, mu = sympy.symbols("a k mu")
    w = sympy.Matrix(sympy.symbols("w1:3"))
    labels, others = sympy.symbols("y1:4"), sympy.symbols("o1:4")
    points = [sympy.Matrix(sympy.symbols(f"x{i}_1:3")) for i in (1, 2, 3)]
    on_kink = {w[0]: -k * points[2][1], w[1]: k * points[2][0]}

    def residuals(gates: Any) -> list[Any]:
        return [y - o - a * c * w.dot(x) for y, o, c, x in zip(labels, others, gates, points, strict=True)]

    def velocity(gate: int) -> Any:
        loss = sum(r**2 for r in residuals((1, 0, gate))) / 6
        return sympy.Matrix([-sympy.diff(loss, p) for p in (a, *w)]).subs(on_kink)

    moves = (1 - mu) * velocity(0) + mu * velocity(1)
    terms = zip(residuals((1, 0, 0)), (1, 0, mu), points, strict=True)
    push = (sum((r * c * x for r, c, x in terms), 0 * w) / 3).subs(on_kink)
    inner = {f"d w{i + 1}/dt": (moves[i + 1], a * push[i]) for i in (0, 1)}
    return {"d a/dt": (moves[0], w.subs(on_kink).dot(push)), **inner}


@derived
def course(data: Dataset, net: TwoLayer, tolerance: float) -> tuple[Enclosed, Enclosed]:
    """Inner and outer weights at TIMES."""
    run = gradient_flow(net, data, SQUARE, TIMES, tolerance=tolerance)
    return Enclosed(run.inner, run.error), Enclosed(run.outer, run.error)


part_ii = section(
    "chistikov2023",
    "prop_1.ii",
    "Proposition 1 (ii)",
    kind=Kind.DYNAMICS,
    given=correlated(net=balanced_network, width=(1, 2)),
    assumes=[*TRAINING_DATA, balanced],
)


@part_ii.claim(derived=[course], recorded="supported", cost=3)
@mutants(scaled("1001/1000", "a_j"), scaled(-1, "a_j"), scaled("101/100", "lower bound"), without(balanced))
def balanced_neurons_stay_balanced_and_alive(data: Dataset, net: TwoLayer, course: tuple[Enclosed, Enclosed]) -> Margin:
    r"""From a balanced start $a_j^t=s_j\|w_j^t\|\ne0$ for all $t$, with
    $|a_j^t|\ge|a_j^0|e^{-t\sqrt{2L(\theta^0)}\max_i\|x_i\|}$.

    Convention: times up to 4, Filippov solutions; the data play no role and are as in the setting.
    """
    inner, outer = course
    reach = largest([norm(x) for x in data.inputs]) * sqrt(2 * SQUARE.value(data.labels, net(data.inputs)))
    least = abs(net.outer) * exp(-reach * TIMES)[:, None]
    return all_of(
        equal(outer, sign(net.outer) * sqrt((inner * inner).sum(axis=2)), "a_j against s_j |w_j|"),
        at_least(abs(outer), least, "lower bound of |a_j|"),
    )


# Clarke subdifferentials


@identities.claim("clarke.relu_at_zero", "after Proposition 1")
@mutants(scaled("99/100", "largest"), shifted("-1/100", "least"))
def the_subdifferential_of_relu_is_the_unit_interval() -> Any:
    r"""$\partial\sigma(0)=[0,1]$: its ends are the derivatives of the ReLU at 0 from the left and from the right.

    Convention: sigma is convex, so Clarke's directional derivatives are the one-sided ones.
    """
    import sympy

    t = sympy.Symbol("t", positive=True)
    right, left = (sympy.limit(sympy.Max(d * t, 0) / (d * t), t, 0) for d in (1, -1))
    return {"largest element": (right, sympy.Integer(1)), "least element": (left, sympy.Integer(0))}


@derived
def speeds(data: Dataset, start: Any) -> tuple[Array, Array]:
    """Where yardsticks meet a boundary: <x_i, g> for the selections c = 0 and 1, in two groups. A neuron goes across;
    or it loses its last point, and the speed that would bring it back is s_j <x_i, g>.
    """
    across: list[Number] = []
    back: list[Number] = []
    for z, s in active_neurons(data, start):
        for now in stages(z, s, data)[:-1]:
            i = now.points[0]
            own = data.labels[i] * data.inputs[i] / len(data.labels)
            rest = now.gamma - own if s < 0 else now.gamma  # without the point itself
            selected = [data.inputs[i] @ (rest + c * own) for c in (0, 1)]
            if any(rest):
                across += selected
            else:
                back += [s * speed for speed in selected]
    return np.array(across, dtype=object), np.array(back, dtype=object)


def _across_proof() -> str | None:
    return steps(
        acute_pairs_proof(),
        in_words("while another point is active, <x_i, g> is a sum of products of inputs times positive labels"),
        in_words("when the last point leaves, s_j = -1 and s_j <x_i, g> = -(c/n) y_i |x_i|^2 <= 0"),
    )


clarke = section("chistikov2023", given=SETTING, assumes=ASSUMPTION_1, derived=[speeds], recorded="proved", cost=4)


@clarke.claim(
    "clarke.zero_convention_and_uniqueness", "section 2, after the differential inclusion", proof=_across_proof
)
@mutants(
    strict("speed back").called("also when the last point leaves"),
    bent("without part (v), once a residual is negative", "speed back", left=lambda speed: -speed),
    flipped("speed across").called("neurons turn back"),
)
def one_velocity_continues_the_flow(speeds: tuple[Array, Array]) -> Margin:
    r"""One may fix $\sigma'(0)=0$, and trajectories are unique: where a neuron meets the boundary of $x_i$, every
    selection $g=\gamma_I+\frac cny_ix_i$, $c\in[0,1]$, carries it across, $s_jx_i^\top g$ having the sign $s_j$.

    When the last point leaves, $c=0$ is rest and $c>0$ would lead where nothing moves: rest is all that is left, and
    part (v) of Assumption 1 keeps it so when the residual of $x_i$ has become negative.

    Convention: at the boundaries of the first phase, with outputs zero (they are of order lambda^2); later none is met
    (Lemma 3).
    """
    across, back = speeds
    return all_of(less(0, across, "speed across the boundary"), at_most(back, 0, "speed back to life at the last exit"))
