"""E.5: local solutions by Persson's theorem, put together to a global one."""

from operator import neg
from typing import Any

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    assumption,
    at_least,
    at_most,
    bent,
    changed,
    derived,
    equal,
    exponent,
    flipped,
    identity,
    less,
    mutants,
    scaled,
    section,
    shifted,
    suppose,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.harmonic import logarithm_proof
from refute.claims.min2024.lemma_2 import with_the_sign_of_the_label
from refute.claims.min2024.quantities import squares
from refute.claims.min2024.solutions import solutions
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.decide.proof import by_smt, in_words, steps
from refute.functions import largest, sign, smallest, squared_norm
from refute.language.relations import Decision
from refute.models import Dataset, TwoLayer
from refute.models.flow import Trajectory
from refute.models.gradient import descent_direction
from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.residual import Residual, caratheodory_residual
from refute.strategies import choice, sized
from refute.strategies.min2024.outputs import lower_loss, raise_loss
from refute.strategies.min2024.separated import separated_dataset, tame_dataset, tame_network


@identity("min2024.eq_48.persson_growth", "Eq. (48)", recorded="proved")
@mutants(exponent(2, "dr/dt"), scaled("101/100", "dr/dt"))
def linear_growth_excludes_blow_up() -> Any:
    r"""$\|F(\theta)\|\le M(1+\|\theta\|)$ bounds $\|\theta(t)\|$ by $r(t)=(1+r_0)e^{Mt}-1$, the solution of
    $\dot r=M(1+r)$, which is finite for all $t$.

    Convention: the cited existence theorem is not decided here; what is proved is that (48) excludes blow-up in
    finite time.
    """
    import sympy

    t, start, m = sympy.symbols("t r0 M", positive=True)
    r = (1 + start) * sympy.exp(m * t) - 1
    return {"dr/dt": (sympy.diff(r, t), m * (1 + r)), "start": (r.subs(t, 0), start)}


def _loss(net: TwoLayer, data: Dataset) -> Number:
    return EXPONENTIAL_SUM.value(data.labels, net(data.inputs))


@assumption(
    "start.loss_above_zero_network",
    base=sized(net=tame_network, data=tame_dataset),
    satisfy=raise_loss,
    violate=lower_loss,
)
def lossy_start(net: TwoLayer, data: Dataset) -> Margin:
    """the first loss is at least that of the zero network"""
    return at_least(_loss(net, data), len(data.labels), "L(0) against n")


closed = section("min2024", "eq_49.closed_set", "E.5", assumes=[lossy_start])


@closed.claim(
    "",
    "the set Theta_0 is closed",
    given=sized(net=tame_network, data=tame_dataset),
    recorded="refuted",
    fault=Fault.BOUNDARY,
)
def limits_keep_the_signs(net: TwoLayer, data: Dataset) -> Margin:
    r"""$\Theta_0=\{\mathcal L(\theta)\le\mathcal L(\theta(0)),\ \mathrm{sign}(v_j)=\mathrm{sign}(v_j(0))\}$ is closed,
    because $\{v:\mathrm{sign}(v_j)=\mathrm{sign}(v_j(0))\}$ is.

    Fails: $v_j\to0$ has a limit whose sign is 0. With $n=1$, $y=-1$ and one positive neuron the loss even falls on the
    way.

    Convention: exponential loss; the limit of theta_k = (W, 2^-k v), all of which are in Theta_0: the loss is convex
    along them, hence at most the larger of its values at both ends; five of them are looked at.
    """
    limit, first = 0 * net.outer, _loss(net, data)
    members = [at_most(_loss(net.with_weights(net.inner, net.outer / 2**k), data), first) for k in (1, 2, 3, 8, 64)]
    suppose(all_of(*members).decision is Decision.HOLDS, "the sequence stays in the set")
    return equal(sign(limit), sign(net.outer), "signs of the limit against those of the start")


@closed.claim(
    "amended",
    "the set Theta_0 with weak signs is closed",
    given=sized(net=tame_network, data=tame_dataset, keep=choice("0", "1/2", "1/1024")),
    recorded="supported",
)
@mutants(shifted("1/1024", "v_j sign"), without(lossy_start))
def limits_keep_weak_signs(net: TwoLayer, data: Dataset, keep: Number) -> Margin:
    r"""With $v_j\,\mathrm{sign}(v_j(0))\ge0$ in place of equal signs the limits of $(W,(c+2^{-k})v)$, $0\le c<1$, stay
    in the set: the loss is at most the first one and the signs are kept weakly. Amended: weak signs, a closed
    condition.
    """
    limit = net.with_weights(net.inner, keep * net.outer)
    return all_of(
        at_most(_loss(limit, data), _loss(net, data), "loss of the limit against the first loss"),
        at_least(limit.outer * sign(net.outer), 0, "v_j sign(v_j(0)) of the limit"),
    )


@solutions.claim("eq_49.closed_set.invariant", "E.5: Theta_0 is positively invariant")
@mutants(flipped("fall of the loss"), flipped("0 against v_j"), shifted("1/1000", "fall of the loss"))
def the_loss_falls_and_signs_stay(data: Dataset, loss: str, path: Trajectory) -> Margin:
    r"""Along solutions $\mathcal L$ does not grow and every $v_j$ keeps its sign.

    Convention: regular solutions up to time 1 or 3; neither assumption is shown necessary.
    """
    losses: Enclosed = LOSSES[loss].value(data.labels, path.enclosed_outputs(data.inputs))
    return all_of(
        at_least(losses[:-1] - losses[1:], 0, "fall of the loss from one time to the next"),
        less(0, path.outers * sign(path.outer[0]), "0 against v_j sign(v_j(0))"),
    )


TAME = sized(net=tame_network, data=separated_dataset, loss=ALL_LOSSES)
growth = section("min2024", "eq_50", "Eq. (50) and the end of E.5", given=TAME, derived=[squares])


def _growth_proof() -> str | None:
    """|dl_i| <= l_i: an equality for the exponential loss; u/(1+u) <= log(1+u) with u = e^{-y f} for the others."""
    import z3

    gate, pull, loss, size, longest = z3.Reals("gate pull loss size longest")
    term = z3.And(gate >= 0, gate <= 1, pull >= 0, pull <= loss)
    return steps(
        with_the_sign_of_the_label(),
        logarithm_proof(),
        in_words("with x = e^{-y f}: |dl_i| <= l_i, for all three losses"),
        by_smt(lambda: z3.Implies(term, gate * pull <= loss), "a gate makes it no larger"),
        by_smt(lambda: z3.Implies(z3.And(size <= longest, loss >= 0), loss * size <= loss * longest), "|x_i| <= X_max"),
        in_words(
            "|grad_{w_j} L| <= sum_i |dl_i| |x_i| |v_j| <= X_max L |v_j|, |dL/dv_j| <= X_max L |w_j|; squared, summed"
        ),
    )


@growth.claim("linear_growth", proof=_growth_proof, recorded="proved")
@mutants(
    scaled("999/1000", "|grad_W L|^2"),
    scaled("999/1000", "|grad_v L|^2"),
    changed("X_min in place of X_max", squares=smallest),
)
def the_field_grows_at_most_linearly(net: TwoLayer, data: Dataset, loss: str, squares: Array) -> Margin:
    r"""$\sum_j\|\nabla_{w_j}\mathcal L\|^2\le X_{\max}^2\mathcal L^2\|v\|^2$ and
    $\sum_j|\nabla_{v_j}\mathcal L|^2\le X_{\max}^2\mathcal L^2\|W\|_F^2$,
    so $\|F(\theta)\|_F\le C\|\theta\|_F$ with $C=X_{\max}\mathcal L(W(0),v(0))$.

    Convention: at the start of Theta_0, where L = L(W(0), v(0)): elsewhere in the set L is smaller and C the same; all
    three losses.
    """
    inner, outer = descent_direction(net, data, LOSSES[loss], 0)
    value = LOSSES[loss].value(data.labels, net(data.inputs))
    constant = largest(squares) * value * value
    return all_of(
        at_most(squared_norm(inner), constant * squared_norm(net.outer), "|grad_W L|^2 against X_max^2 L^2 |v|^2"),
        at_most(squared_norm(outer), constant * squared_norm(net.inner), "|grad_v L|^2 against X_max^2 L^2 |W|^2"),
    )


@derived
def crossing(
    first: float, second: float, own: float, length: float, loss: str, tolerance: float
) -> tuple[Residual, Enclosed]:
    """From (0, 0, 1) across the hyperplanes of (2, 1, 0) and (1, 2, 0), and y_i sign(v) <x_i, w(t)> of both."""
    rows = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [1.0, 1.0, 1.0]])
    labels = np.array([first, second, 1.0])
    data = Dataset(length * labels[:, None] * rows, labels)
    net = TwoLayer(np.array([[0.0, 0.0, 1.0]]), np.array([own]), 0)
    found = caratheodory_residual(net, data, LOSSES[loss], 0.25, concept=0.0, tolerance=tolerance)
    return found, own * labels[:2] * (found.run.inners[1:, 0] @ data.inputs[:2].T)


SIGN = choice("1", "-1")
CROSSED = sized(first=SIGN, second=SIGN, own=SIGN, length=choice("1", "1/2", "2"), loss=ALL_LOSSES)
pieces = section("min2024", "eq_56", "Eqs. (51) to (56) and Remark 8", kind=Kind.DYNAMICS, given=CROSSED)


@pieces.claim("concatenation", derived=[crossing], recorded="supported")
@mutants(
    bent("only the first is crossed", "0 against y_i", right=lambda sides: sides * np.array([1.0, -1.0])),
    bent("against the label", "0 against y_i", right=neg),
    shifted("1/10000", "largest residual"),
)
def all_hyperplanes_through_a_point_are_crossed(crossing: tuple[Residual, Enclosed]) -> Margin:
    r"""Where $\langle x_1,w\rangle=\langle x_2,w\rangle=0$ and $w$ is not dead, the solution crosses both hyperplanes
    at once, to the sides $y_i\,\mathrm{sign}(v)\langle x_i,w(t)\rangle>0$, and the pieces together solve (45).

    Convention: data (2, 1, 0), (1, 2, 0) with labels of their own, times the label, and (1, 1, 1); the neuron starts
    at (0, 0, 1).
    """
    found, sides = crossing
    return all_of(equal(found.largest, 0, "largest residual of (45)"), less(0, sides, "0 against y_i sign(v) <x_i, w>"))
