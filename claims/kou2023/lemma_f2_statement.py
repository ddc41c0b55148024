r"""Lemma F.2, what it states: the activation pattern and the coefficients of a ReLU network on orthogonal data.

C = 2 in the time T. Signals $\langle w^{(0)},x_i\rangle=0$ are among the cases, unless it is said otherwise.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    at_least,
    changed,
    equal,
    exponent,
    grows_like,
    less,
    mutants,
    power,
    section,
    without,
)
from refute.arithmetic.numbers import Array
from refute.claims.kou2023.assumptions import RELU_ORTHOGONAL, off_boundaries, orthogonal, small_start
from refute.claims.kou2023.relu_runs import GENERIC, GIVEN, after, course, late, signals
from refute.decide.proof import by_smt, steps
from refute.functions import sign
from refute.language.limits import Logs
from refute.models import Dataset
from refute.models.kou2023.active import Active
from refute.models.kou2023.decomposition import Decomposition, unroll_long

main = section(
    "kou2023",
    "lemma_f2",
    "Lemma F.2",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=RELU_ORTHOGONAL,
    derived=[signals, course, after],
    recorded="supported",
    cost=0.25,
)


def _from_the_first_step(after: Decomposition) -> Decomposition:
    return unroll_long(after.start, after.data, rate=after.rate, times=np.geomspace(1, 1e20, 20))


def turned(course: Decomposition) -> Decomposition:
    """The same run, with the labels turned when it is asked for classes."""
    return replace(course, data=Dataset(course.data.inputs, -course.data.labels))


TOO_EARLY = changed("from the first step on", after=_from_the_first_step)


@main.claim("pattern", "four rows")
@mutants(TOO_EARLY, without(small_start))
def the_pattern_on_orthogonal_data_is_that_of_the_start(after: Decomposition, signals: Array) -> Margin:
    r"""For $p=0$ and $t\ge T$: $\langle w^{(t)}_{y_i,r},x_i\rangle$ has the sign of its start ($\ge0$ or $<0$), and
    $\langle w^{(t)}_{-y_i,r},x_i\rangle<0$ whatever its start.
    """
    own, opposite = (after.known(side(after.signals)) for side in (after.own, after.opposite))
    active = sign(after.own(signals)[0]) >= 0
    return all_of(
        at_least(own[:, active], 0, "own signal, active at the start"),
        less(own[:, ~active], 0, "own signal, inactive at the start"),
        less(opposite, 0, "opposite signal"),
    )


def inactive_stays() -> str | None:
    """A signal u below zero and its coefficient stand still: with orthogonal inputs nothing else moves the signal."""

    def step() -> Any:
        import z3

        u, start, rho, side, push = z3.Reals("u start rho side push")  # side is j y_i
        gain = side * push * z3.If(u >= 0, 1, 0)
        now = z3.And(u == start, start < 0, rho == 0)
        return z3.Implies(now, z3.And(u + gain == start, rho + gain == 0))

    return steps(
        "(5.1) and p = 0: <w, x_i> and rho_i gain the same, j y_i eta |l_i'| |x_i|^2/(nm) sigma'", by_smt(step)
    )


@main.claim("zero_coeff", proof=inactive_stays, recorded="proved")
@mutants(changed("of neurons active at the start", signals=lambda signals: -signals), without(orthogonal))
def inactive_neurons_never_move(course: Decomposition, signals: Array) -> Margin:
    r"""For $p=0$: $\rho^{(t)}_{j,r,i}=0$ for all $t\ge0$ if $\langle w^{(0)}_{j,r},x_i\rangle<0$."""
    return equal(course.known(course.rho)[:, sign(signals[0]) < 0], 0, "rho")


@main.claim("opposite_frozen")
@mutants(TOO_EARLY, changed("the own coefficients", after=turned))
def opposite_coefficients_freeze(after: Decomposition, signals: Array) -> Margin:
    r"""For $p=0$: $\underline\rho^{(t)}_{-y_i,r,i}$ is constant from T on if
    $\langle w^{(0)}_{-y_i,r},x_i\rangle\ge0$.
    """
    rho = after.known(after.opposite(after.rho))[:, sign(after.opposite(signals)[0]) >= 0]
    return equal(rho, rho[:1], "rho(t)")


@main.claim("own_limit", "Eq. (F.5)", kind=Kind.ASYMPTOTIC, assumes=GENERIC, derived=[late], cost=0.5)
@mutants(exponent("99/100"), exponent("1001/1000"), without(orthogonal), without(off_boundaries))
def active_coefficients_grow_like_their_share(late: Decomposition) -> Margin:
    r"""For $p=0$: $\lim_t\bar\rho^{(t)}_{y_i,r,i}/\log t=m/|S_i^{(0)}|$ if $\langle w^{(0)}_{y_i,r},x_i\rangle\ge0$.

    Convention: $e^{\bar\rho|S_i^{(0)}|/m}=\Theta(t)$, which gives the limit; no signal is zero at the start, where a
    neuron would move without being counted in $S_i^{(0)}$.
    """
    active = Active(late)
    parts = active.rho * active.each(active.sizes / late.width)
    return grows_like(Logs(parts.value, parts.error), power(1), "e^{rho |S|/m}", at=late.steps, clock=late.loss)
