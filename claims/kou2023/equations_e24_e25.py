r"""Eqs. (E.24) and (E.25) in the proof of Lemma E.2; $c_1$ is measured over the run, $\hat\epsilon=R_{\min}^{-2}pn$."""

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, at_most, changed, derived, mutants, section, suppose
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX
from refute.claims.kou2023.relu_runs import HALF_BETA, MIXED, RUN, WITHOUT_BETA
from refute.models.kou2023.active import Active


@derived
def room(beta: Number) -> Number:
    """beta + 1."""
    return beta + 1


@derived
def small(active: Active, beta: Number) -> NDArray[np.bool_]:
    """Where the coefficient is at most beta and what the overlaps add up to."""
    return np.asarray(active.opposite.high <= (beta + active.push).low)


main = section(
    "kou2023", kind=Kind.DYNAMICS, given=MIXED, assumes=RELU_APPENDIX, derived=[*RUN, room, small], recorded="supported"
)


@main.claim("eq_e24.opposite_affine", "Eq. (E.24)")
@mutants(
    changed("without beta + 1", room=lambda room: 0 * room),
    changed("beta/2 in place of beta + 1", room=lambda room: (room - 1) / 2),
    changed("9 beta/10 in place of beta + 1", room=lambda room: 9 * (room - 1) / 10),
)
def opposite_coefficients_are_bounded_affinely(active: Active, room: Number) -> Margin:
    r"""$|\underline\rho_{y_i,r,i'}|\le\beta+1+\hat\epsilon\bar\rho_{y_i,r',i}/c_1$ for all t, r, $r'\in S_i^{(0)}$ and
    $y_{i'}=-y_i$.
    """
    suppose(active.both_labels, "both labels occur")
    bound = room + active.epsilon / active.constant * active.of_other_samples
    return at_most(active.opposite, bound, "|rho-underbar|")


@main.claim("eq_e25.case_active", "Eq. (E.25)")
@mutants(WITHOUT_BETA, HALF_BETA)
def other_opposite_coefficients_are_small(active: Active, small: NDArray[np.bool_], beta: Number) -> Margin:
    r"""If $|\underline\rho_{y_i,r,i'}|\le\beta+\sum_{k\ne i'}|\rho_{y_i,r,k}|\|x_k\|^{-2}p$, then
    $|\underline\rho_{y_i,r,i'}|\le\beta+\hat\epsilon\bar\rho_{y_i,r',i}/c_1$ for $r'\in S_i^{(0)}$, $y_{i'}=-y_i$.
    """
    suppose(active.both_labels, "both labels occur")
    bound = beta + active.epsilon / active.constant * active.of_other_samples
    return at_most(active.opposite[small], bound.broadcast_to(active.opposite.shape)[small], "|rho-underbar|")
