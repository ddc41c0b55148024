r"""Section 5, the second phase: the bundle of aligned neurons grows and turns from the origin to the teacher.

$\lambda$ is the one that Assumption 2 asks for, often below $10^{-10000}$. Up to take-off the closed form of the
yardsticks is used; then neurons of positive sign differ in direction by far less than round-off, so that they move as
one: every statement here is about this one-neuron bundle, and `full_network` puts the whole network beside it.
"""

import numpy as np

from refute import (
    Enclosed,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    bent,
    changed,
    derived,
    equal,
    less,
    mutants,
    section,
    shifted,
    suppose,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.chistikov2023.assumptions import ASSUMPTIONS_1_AND_2, quarter_angle
from refute.claims.chistikov2023.theorem_6 import training
from refute.models import Dataset
from refute.models.chistikov2023.bundle import Bundle
from refute.models.chistikov2023.bundle_in_s import Constraints, constraints
from refute.models.chistikov2023.training import Training, quiet_neurons, train
from refute.models.logpolar.balanced import Balanced
from refute.strategies import choice
from refute.strategies.chistikov2023.correlated import SETTING, correlated, start
from refute.strategies.chistikov2023.lopsided import LOPSIDED

phase = section(
    "chistikov2023",
    "",
    "section 5",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    derived=[training],
    recorded="supported",
)


@derived
def in_s(training: Training) -> Constraints:
    """The constraints of S along the bundle."""
    return constraints(training.followed)


@phase.claim("set_S.trajectory_stays", derived=[training, in_s])
@mutants(
    bent("lower bounds by p_k 101/50 times as large", "Psi down", left=lambda low: 2.02 * low),
    bent("exponent 101/100 eta_k'/eta_k - 1/100", "Psi up", right=lambda e: 2.02 * e - 1.02),
    shifted("-1/10", "Xi").called("cosine above 1/10"),
)
def the_bundle_stays_in_the_set(in_s: Constraints) -> Margin:
    r"""$v^t\in\mathcal S$ for all $t\ge T_1$, where $v$ is the one-neuron bundle.

    Convention: from take-off on; from T_1 till then the ratios of the p_k are the same to round-off, and so is the
    padding 0.
    """
    return all_of(
        at_least(in_s.below, 0.0, "some p_l <= 1"),
        less(in_s.floor, in_s.first, "Phi: p_l"),
        less(in_s.ratio, in_s.parts, "Psi down: p_k'/p_k"),
        less(in_s.powers, in_s.exponent, "Psi up: ln q_k'/ln q_k"),
        less(0.0, in_s.heading, "Xi: cosine of v and g"),
    )


@derived
def to_the_end(data: Dataset, teacher: Array, start: Balanced, epsilon: Number, tolerance: float) -> Bundle:
    """The bundle down to |q| = 1e-20."""
    return train(data, teacher, start, epsilon, tolerance, level=1e-20).followed


@phase.claim("set_S.handover_order", derived=[to_the_end])
@mutants(
    bent("in the opposite order", "q_{k+1}", right=lambda q: -q),
    bent("the coordinates before the last stay below", "q_1, ..., q_{d-1} in", left=lambda q: -q),
    shifted(1, "how often q_d").called("the last coordinate overshoots as well"),
)
def coordinates_overshoot_in_order(to_the_end: Bundle) -> Margin:
    r"""$v^t$ passes through $\mathcal S_1,\dots,\mathcal S_d$ in this order: $\nu_1^t,\dots,\nu_{d-1}^t$ exceed their
    targets one after the other, each once and for good, and $\nu_d^t$ never does; $v$ is the one-neuron bundle.

    Convention: the signs of q_k = 1 - p_k on a grid of times, down to |q| = 1e-20, and those of the slowest mode, which
    decides in the end; exactly when means: by definition of S_l.
    """
    q, error, slow = to_the_end.q, to_the_end.error, to_the_end.slow_part
    changes, last = np.abs(np.diff((q < 0).astype(int), axis=0)).sum(axis=0), q.shape[1] - 1
    then = {k: int(np.argmax(q[:, k] < 0)) for k in range(last) if (q[:, k] < 0).any()}
    following = Enclosed([q[t, k + 1] / np.abs(q[t]).max() for k, t in then.items()], error)
    return all_of(
        at_most(changes[:last], 1, "how often q_1, ..., q_{d-1} change sign"),
        equal(changes[last], 0, "how often q_d does"),
        less(slow[:last], 0.0, "q_1, ..., q_{d-1} in the end"),
        less(0.0, slow[last], "q_d in the end"),
        less(0.0, following, "q_{k+1} when p_k exceeds 1"),
    )


@phase.claim(
    "bundle.cosines",
    given=correlated(start=start, epsilon=choice("1/4", "1/8", "1/100"), width=(2, 3)),
    cost=0.25,  # in many a case only one neuron lives
)
@mutants(
    changed("1 - 4 lambda^{2 epsilon}", epsilon=lambda epsilon: 2 * epsilon),
    changed("1 - 4 lambda^{3 epsilon}", epsilon=lambda epsilon: 3 * epsilon),
)
def angles_in_the_bundle_stay_tiny(epsilon: Number, training: Training) -> Margin:
    r"""$\cos\angle(w_j^t,w_{j'}^t)>1-4\lambda^\varepsilon$ for all $t\ge T_1$ and $j,j'\in J_+$.

    Convention: logarithms: at T_1 in closed form, later by the conserved $\|w_j\|\|w_k\|-w_j^\top w_k$, so that 1 - cos
    falls as the norms grow.
    """
    suppose(training.log_gaps.size > 0, "two neurons live")
    gaps = training.log_gaps.max() - training.log_growth
    return less(gaps, np.log(4) - epsilon * training.small, "ln(1 - cos)")


@phase.claim("bundle.angles_non_increasing", "third contribution of section 1")
@mutants(shifted("1/20").called("at a rate of |g|/20 at least"), shifted("2").called("at a rate of |g| at least"))
def angles_in_the_bundle_do_not_grow(training: Training) -> Margin:
    r"""From $T_1$ on the angle between any two neurons of $J_+$ does not increase:
    $g^\top(\bar w_j+\bar w_{j'})\ge0$.

    Convention: $\ln(1-\cos)$ changes at the rate $-g^\top(\bar w_j+\bar w_{j'})$; both directions are that of v to
    round-off.
    """
    return at_least(2 * training.followed.enclosed_heading, 0.0, "<g, sum of directions> / |g|")


@phase.claim("bundle.linear_network", given=LOPSIDED)
@mutants(
    without(quarter_angle),
    bent("cosine to every input at least 1/10", "cosine of v", left=lambda bound: bound + 0.1),
    shifted("-1/10", "pre-activation").called("the others at least a tenth inside"),
)
def the_network_is_linear_on_the_data(data: Dataset, start: Balanced, training: Training) -> Margin:
    r"""From $T_1$ on $h_{\theta^t}(x_i)=v^{t\top}x_i$ for all $i$: the network acts like one linear neuron.

    Convention: positive sign: active on every input from T_1 on (v on the bundle's grid); all others: inactive on every
    input.
    """
    way = training.bundle or training.followed
    cosines = way.v @ data.inputs.T / (way.size[:, None] * np.linalg.norm(data.inputs, axis=1))
    return all_of(
        less(0.0, Enclosed(cosines, 10 * way.error), "cosine of v and x_i"),
        at_most(quiet_neurons(start, data, training.start), 0.0, "pre-activation of the others"),
    )
