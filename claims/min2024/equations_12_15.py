r"""Eqs. (12) to (16): the equation of a neuron, and how fast its norm can grow."""

from operator import neg
from typing import Any

import numpy as np

from refute import Margin, at_most, bent, derived, identity, mutants, scaled, section
from refute.arithmetic.numbers import Number
from refute.claims.min2024.assumptions import outputs_at_most_half
from refute.claims.min2024.lemma_2 import near_the_label
from refute.claims.min2024.states import STATES, longest, state
from refute.decide.proof import by_smt, in_words, steps
from refute.models import Dataset
from refute.models.min2024.balanced_state import BalancedState


@derived
def rate(data: Dataset, longest: Number, state: BalancedState) -> Number:
    """2 n (X_max + 4 eps sqrt(h) X_max^2 W_max^2), where 2 eps sqrt(h) X_max W_max^2 is max |f|."""
    return 2 * len(data.labels) * longest * (1 + 2 * state.largest_output)


def _growth_proof() -> str | None:
    """d|w|^2/dt = 2 v sum_i gate_i (-dl_i) <x_i, w>, term by term."""
    import z3

    pull, most, size, longest = z3.Reals("pull most size longest")
    term = z3.And(pull >= 0, pull <= 1 + 2 * most, size >= 0, size <= longest)
    return steps(
        near_the_label(),
        in_words("d|w|^2/dt = 2 v sum_i gate_i (-dl_i) <x_i, w>, |v| = |w|, |<x_i, w>| <= |x_i| |w|, a gate is <= 1"),
        in_words("|-dl_i| <= 1 + 2 max |f|"),
        by_smt(lambda: z3.Implies(term, pull * size <= (1 + 2 * most) * longest), "|-dl_i| |x_i|, for each i"),
        in_words("so d|w|^2/dt <= 2 n X_max (1 + 2 max |f|) |w|^2"),
    )


growth = section("min2024", "eq_14", "Eqs. (14) and (15)", given=STATES, assumes=[outputs_at_most_half])


@growth.claim("norm_growth", derived=[longest, state, rate], proof=_growth_proof, recorded="proved", cost=1.0)
@mutants(scaled("1/2"))
def norms_grow_at_most_exponentially(state: BalancedState, rate: Number) -> Margin:
    r"""If $\max_i|f(x_i)|\le2\epsilon\sqrt hX_{\max}W_{\max}^2\le\frac12$, then
    $\frac d{dt}\|w_j\|^2\le2n(X_{\max}+4\epsilon\sqrt hX_{\max}^2W_{\max}^2)\|w_j\|^2$.

    The bound 1/2 on the outputs is not shown necessary: it takes outputs beyond 5/4 to violate the statement.

    Convention: 2 eps sqrt(h) X_max W_max^2 is any number between max |f| and 1/2; the claim is strongest at max |f|.
    """
    growth = np.array([state.growth(j) for j in range(len(state.rows))])
    return at_most(growth, rate * state.norms * state.norms, "d|w_j|^2/dt against its bound")


@identity("min2024.eq_12.neuron_ode", "Eqs. (12), (13) and (16)", recorded="proved")
@mutants(
    bent("without the minus sign", right=neg), bent("twice as fast", "twice logistic", right=lambda right: 2 * right)
)
def neurons_follow_the_printed_equation() -> Any:
    r"""$-\nabla_{w_j}\mathcal L=-\sum_i\sigma'(\langle x_i,w_j\rangle)\nabla_{\hat y}\ell(y_i,f(x_i))\,x_iv_j$, and
    with $v_j=\mathrm{sign}(v_j)\|w_j\|$ the last factor is $\mathrm{sign}(v_j)\|w_j\|$.

    Convention: datum by datum and coordinate by coordinate, in any dimension, with any output of the other neurons; off
    the hyperplanes sigma(z) = gate z.
    """
    import sympy

    w, x, others, y, gate, rest, p = sympy.symbols(
        "w x others y gate rest p", real=True
    )  # one coordinate of w_j and x_i
    outer, direction = sympy.symbols("z_outer z_sign", real=True, nonzero=True)
    size = sympy.Symbol("size", positive=True)
    sides = {}
    for name, loss in (("exponential", sympy.exp(-y * p)), ("twice logistic", 2 * sympy.log(1 + sympy.exp(-y * p)))):
        output = outer * gate * (x * w + others) + rest
        descent = -sympy.diff(loss.subs(p, output), w)
        printed = -gate * sympy.diff(loss, p).subs(p, output) * x
        balanced = outer, direction * size
        sides[f"{name}, (12)"] = (descent, printed * outer)
        sides[f"{name}, (13)"] = (descent.subs(*balanced), printed.subs(*balanced) * direction * size)
    return sides
