r"""Eq. (5.12) and the recursion after it: the margins of a ReLU network are sums of the coefficients of neurons that
start active.

Read on inputs with $\langle x_i,x_k\rangle=py_iy_k$, where patterns freeze and t reaches $10^{20}$. Approximately equal
is read as: up to the printed factor, with c = 20, and $2\beta$. Write $\hat\epsilon=R_{\min}^{-2}pn$.
"""

from typing import Any

import numpy as np

from refute import Fault, Kind, Margin, all_of, at_least, at_most, changed, derived, mutants, scaled, section
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX, with_no_signal_at_zero
from refute.claims.kou2023.relu_runs import WITHOUT_BETA, beta, signals
from refute.functions import log
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.active import Active
from refute.models.kou2023.decomposition import unroll_long
from refute.strategies.kou2023.nearly_orthogonal import relu_training


@derived
def allied(data: Dataset, net: TwoLayer, rate: Number) -> Active:
    """The training from the first step to 10^20."""
    return Active(unroll_long(net, data, rate=rate, times=np.geomspace(1, 1e20, 30), direct=1))


@derived
def spread(allied: Active) -> Number:
    """c epsilon, with c = 20."""
    return 20 * allied.epsilon


@derived
def joiners(allied: Active) -> Number:
    """c' = max m/|S_i^(0)|."""
    return allied.c_prime


main = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=relu_training(samples=(2, 3), widths=(2,), constants=(100,), families=("class",)),
    assumes=with_no_signal_at_zero(RELU_APPENDIX),
    derived=[signals, beta, allied, spread, joiners],
    cost=0.25,
)
printed = main.but(recorded="refuted", fault=Fault.WRONG, in_balls=True)
WITHOUT_JOINERS = changed("without c'", joiners=lambda joiners: 0 * joiners + 1)


def _margins(allied: Active, spread: Any, beta: Number, joiners: Any) -> Margin:
    above = joiners * (1 + spread) * allied.mean + 2 * beta
    return all_of(
        at_least(allied.margins, (1 - spread) * allied.mean - 2 * beta, "y f below"),
        at_most(allied.margins, above, "y f above"),
    )


@printed.claim("eq_5_12.margin_approx_relu", "Eq. (5.12)")
def margins_are_sums_of_active_coefficients(allied: Active, spread: Number, beta: Number) -> Margin:
    r"""$F_{y_i}(x_i)-F_{-y_i}(x_i)=\frac{1\pm c\hat\epsilon}m\sum_{r\in S_i^{(0)}}\bar\rho_{y_i,r,i}\pm2\beta$.

    Fails for data with $\langle x_i,x_k\rangle=py_iy_k$ once $p>0$: a neuron of class $y_i$ that starts inactive on
    $x_i$ is pushed by its other samples, its signal $-\beta+O(\hat\epsilon\log t)$ turns positive in the end, and from
    then on its coefficient on $x_i$ grows like the others. The margin then grows like the sum over
    $S_i^{(t)}\supsetneq S_i^{(0)}$: a factor up to $m/|S_i^{(0)}|$ is missing. As p is free, no c helps.
    """
    return _margins(allied, spread, beta, 1)


@main.claim("eq_5_12.margin_approx_relu.amended", "Eq. (5.12) with the factor c' of (E.14)", recorded="supported")
@mutants(WITHOUT_BETA, scaled("11/10", "y f below"), WITHOUT_JOINERS)
def margins_are_sums_of_active_coefficients_up_to_joiners(
    allied: Active, spread: Number, beta: Number, joiners: Number
) -> Margin:
    r"""Amended: the upper side has the factor $c'=\max_im/|S_i^{(0)}|$ of (E.14), since neurons may join; the lower
    side stands.
    """
    return _margins(allied, spread, beta, joiners)


def _recursion(allied: Active, spread: Any, beta: Number, joiners: Any) -> Margin:
    """The increment over eta |x_i|^2 |S_i|/(nm) is |l_i'|, compared by its logarithm."""
    below = -joiners * (1 + spread) * allied.mean - beta - log(0 * beta + 2)
    return all_of(
        at_most(allied.course.log_logits, -(1 - spread) * allied.mean + 2 * beta, "log |l'| above"),
        at_least(allied.course.log_logits, below, "log |l'| below"),
    )


THETA = "Theta: between e^-beta/2 and e^{2 beta}"
WHERE = "Section 5.1, display after Eq. (5.12)"


@printed.claim("sec5.relu_coeff_recursion", WHERE, root="kou2023.eq_5_12.margin_approx_relu", convention=THETA)
def active_coefficients_obey_the_printed_recursion(allied: Active, spread: Number, beta: Number) -> Margin:
    r"""$\sum_{S_i^{(0)}}\bar\rho^{(t+1)}-\sum_{S_i^{(0)}}\bar\rho^{(t)}
    =\Theta(\frac{\eta\|x_i\|^2|S_i^{(0)}|}{nm})\exp(-\frac{1\pm c\hat\epsilon}m\sum_{S_i^{(0)}}\bar\rho^{(t)})$.

    Fails like (5.12): neurons that join later make the margin, and so the exponent, larger by a factor up to
    $m/|S_i^{(0)}|$.
    """
    return _recursion(allied, spread, beta, 1)


@main.claim(
    "sec5.relu_coeff_recursion.amended",
    f"{WHERE}, with the factor c' of (E.17)",
    recorded="supported",
    convention=THETA,
)
@mutants(scaled("11/10", "log |l'| above"), scaled("3/4", "log |l'| below"), WITHOUT_JOINERS)
def active_coefficients_obey_the_recursion_up_to_joiners(
    allied: Active, spread: Number, beta: Number, joiners: Number
) -> Margin:
    r"""Amended: the exponent lies between $1-c\hat\epsilon$ and $c'(1+c\hat\epsilon)$ times the mean,
    $c'=\max_im/|S_i^{(0)}|$.
    """
    return _recursion(allied, spread, beta, joiners)
