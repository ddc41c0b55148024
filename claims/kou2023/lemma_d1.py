r"""Lemma D.1: after $T_1$ the coefficients of a leaky ReLU network gain what the sums of $|\ell_i'|$ say, own ones
$\gamma^{-1}$ times as much as opposite ones, and all neurons alike. $C'=2$.
"""

import numpy as np

from refute import Margin, all_of, changed, equal, scaled
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.lemma_5_7 import late
from refute.functions import sqrt
from refute.models.kou2023.decomposition import Decomposition


@late.claim("lemma_d1.bar_equal", "Lemma D.1, first equation", mutants=[scaled("1001/1000")])
def own_gains_are_equal(run: Decomposition, end: int) -> Margin:
    r"""For $t\ge T_1$ the gain $\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i}$ does not depend on the neuron
    r.
    """
    gains = run.since(end).own_gains
    return equal(gains, gains[:, :1], "own gains")


@late.claim("lemma_d1.under_equal", "Lemma D.1, second equation", mutants=[scaled("1001/1000")])
def opposite_gains_are_equal(run: Decomposition, end: int) -> Margin:
    r"""For $t\ge T_1$ the gain $\underline\rho^{(t)}_{-y_i,r,i}-\underline\rho^{(T_1)}_{-y_i,r,i}$ does not depend on
    the neuron r.
    """
    gains = run.since(end).opposite_gains
    return equal(gains, gains[:, :1], "opposite gains")


@late.claim("lemma_d1.cross", "Lemma D.1, third equation", mutants=[scaled("11/10")])
def opposite_gains_are_gamma_times_own_gains(run: Decomposition, end: int, gamma: Number) -> Margin:
    r"""For $t\ge T_1$: $\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i}=
    (|\underline\rho^{(t)}_{-y_i,r',i}|-|\underline\rho^{(T_1)}_{-y_i,r',i}|)/\gamma$.
    """
    after = run.since(end)
    return equal(after.opposite_gains[:, None, :, :], gamma * after.own_gains[:, :, None, :], "opposite gains")


@late.claim(
    "lemma_d1.closed_form",
    "proof of Lemma D.1, sums of (D.1) and (D.2)",
    mutants=[scaled("1001/1000"), changed("with the root of gamma", gamma=sqrt)],
)
def gains_after_the_first_stage_are_sums_of_logits(run: Decomposition, end: int, gamma: Number) -> Margin:
    r"""For $t\ge T_1$: $\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i}=
    \frac{\eta\|x_i\|^2}{nm}\sum_{s=T_1}^{t-1}|\ell_i'^{(s)}|$, and
    $|\underline\rho^{(t)}_{-y_i,r,i}|-|\underline\rho^{(T_1)}_{-y_i,r,i}|$ is $\gamma$ times that.
    """
    after = run.since(end)
    pushes = after.pushes
    past = (np.tril(np.ones((len(pushes), len(pushes)), dtype=int)) @ pushes)[:, None, :]
    return all_of(
        equal(after.own_gains, past, "own gains"), equal(after.opposite_gains, gamma * past, "opposite gains")
    )
