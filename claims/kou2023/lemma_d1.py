r"""Lemma D.1: after the first stage the coefficients of a leaky ReLU network gain alike.

$T_1$ with $C'=2$. By Lemma B.5 the pattern does not change after $T_1$, so that the steps after the ones that are seen
go on in the same way.
"""

from dataclasses import replace

import numpy as np

from refute import Kind, Margin, all_of, changed, equal, mutants, scaled, section, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, small_start_leaky, with_comparable_norms
from refute.claims.kou2023.leaky_courses import EARLY, FURTHER, PAIRS, TOO_EARLY
from refute.functions import largest
from refute.models.kou2023.decomposition import Decomposition

main = section(
    "kou2023",
    "lemma_d1",
    "Lemma D.1",
    kind=Kind.DYNAMICS,
    given=PAIRS,
    assumes=with_comparable_norms(LEAKY_APPENDIX),
    derived=EARLY,
    recorded="supported",
    cost=0.25,
    mutants=[TOO_EARLY, without(small_start_leaky)],
    convention=f"T with the constant C' = 2; {FURTHER} steps after it",
)


@main.claim("bar_equal", "first equation")
@mutants(scaled("1001/1000"))
def own_coefficients_gain_alike(run: Decomposition, end: int) -> Margin:
    r"""For $t\ge T_1$ the gain $\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i}$ does not depend on the neuron
    r.
    """
    own = run.since(end).own_gains
    return equal(own, own[:, :1], "own gain")


@main.claim("under_equal", "second equation")
@mutants(scaled("1001/1000"))
def opposite_coefficients_gain_alike(run: Decomposition, end: int) -> Margin:
    r"""For $t\ge T_1$ the gain $\underline\rho^{(t)}_{-y_i,r,i}-\underline\rho^{(T_1)}_{-y_i,r,i}$ does not depend on
    the neuron r.
    """
    opposite = run.since(end).opposite_gains
    return equal(opposite, opposite[:, :1], "opposite gain")


@main.claim("cross", "third equation")
@mutants(scaled("101/100"))
def opposite_gains_are_gamma_times_own_gains(run: Decomposition, end: int, gamma: Number) -> Margin:
    r"""For $t\ge T_1$: $\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i}
    =(|\underline\rho^{(t)}_{-y_i,r',i}|-|\underline\rho^{(T_1)}_{-y_i,r',i}|)/\gamma$ for all r and r'.
    """
    late = run.since(end)
    return equal(late.opposite_gains[:, None], gamma * late.own_gains[:, :, None], "opposite gain")


def _later(run: Decomposition) -> Decomposition:
    """The derivatives of the next step in place of each."""
    return replace(run, logits=np.concatenate([run.logits[1:], run.logits[-1:]]))


@main.claim("closed_form", "proof, sums of (D.1) and (D.2)")
@mutants(
    *(scaled("1001/1000"), changed("the sum ends at t", run=_later)),
    changed("no gamma in the second", gamma=lambda gamma: 0 * gamma + 1),
)
def gains_after_the_first_stage_are_sums_of_logits(run: Decomposition, end: int, gamma: Number) -> Margin:
    r"""For $t\ge T_1$: $\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i}
    =\frac{\eta\|x_i\|^2}{nm}\sum_{s=T_1}^{t-1}|\ell_i'^{(s)}|$, and
    $|\underline\rho^{(t)}_{-y_i,r,i}|-|\underline\rho^{(T_1)}_{-y_i,r,i}|$ is $\gamma$ times that.
    """
    late = run.since(end)
    past = (late.unit * np.cumsum(late.logits, axis=0))[:-1, None, :]
    blur = 2 * len(late.steps) * float(largest(late.unit))  # an error of the margins moves |l'| by at most twice that
    past = late.since(late.steps[1]).known(past, blur)
    return all_of(equal(late.own_gains, past, "own gain"), equal(late.opposite_gains, gamma * past, "opposite gain"))
