r"""Lemma 5.7: once the pattern of a leaky ReLU network is frozen, neurons of one class gain alike.

At the scale of the main text the pattern need not freeze, see `lemma_5_6`; with that of (B.2) these are the equations
of Lemma D.1.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from refute import Fault, Kind, Margin, changed, derived, equal, scaled, section
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_MAIN, with_comparable_norms
from refute.claims.kou2023.leaky_courses import FURTHER
from refute.claims.kou2023.lemma_5_6 import Draw, from_random_starts
from refute.claims.kou2023.lemma_d1 import main as of_appendix_d
from refute.claims.kou2023.lemma_d1 import opposite_gains_are_gamma_times_own_gains, own_coefficients_gain_alike
from refute.decide.probability import with_probability
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, first_step_after, stage_length, unroll
from refute.strategies.kou2023.nearly_orthogonal import training

at_random = section(
    "kou2023", "lemma_5_7", "Lemma 5.7", **{**from_random_starts.common, "root": "kou2023.lemma_5_6.activation_pattern"}
)


@at_random.claim("bar_equal", "first equation")
def own_coefficients_of_two_neurons_gain_alike(
    drawn: Draw, delta: Number, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""$\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T)}_{y_i,r,i}=\bar\rho^{(t)}_{y_i,r',i}-\bar\rho^{(T)}_{y_i,r',i}$ for
    $t\ge T$.

    Fails for small $\gamma$ with Lemma 5.6: a neuron that is still on the wrong side gains $\gamma$ times as much.

    Convention: with probability at least $1-\delta$ over Gaussian weights, as for Lemma 5.6; t is 50 steps after T, and
    equal means to one part in $10^9$.
    """
    return with_probability(
        1 - delta, lambda rng, count: drawn(rng, count).own_alike(), rng, trials, "own coefficients gain alike"
    )


@at_random.claim("cross.r1", "third equation, as legible", fault=Fault.SCAN, root="")
def signed_gains_differ_by_the_slope(drawn: Draw, delta: Number, *, rng: np.random.Generator, trials: int) -> Margin:
    r"""$\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T)}_{y_i,r,i}
    =(\underline\rho^{(t)}_{-y_i,r',i}-\underline\rho^{(T)}_{-y_i,r',i})/\gamma$.

    Fails at every start: the left side is positive and the right side negative. Lemma D.1 has absolute values there,
    which the scan may have lost.

    Convention: as for the first equation.
    """
    return with_probability(
        1 - delta, lambda rng, count: drawn(rng, count).crossed(1), rng, trials, "signed gains differ by gamma"
    )


@at_random.claim("cross.r2", "third equation, with absolute values")
def gains_differ_by_the_slope(drawn: Draw, delta: Number, *, rng: np.random.Generator, trials: int) -> Margin:
    r"""$\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T)}_{y_i,r,i}
    =(|\underline\rho^{(t)}_{-y_i,r',i}|-|\underline\rho^{(T)}_{-y_i,r',i}|)/\gamma$.

    Fails for small $\gamma$ like the first equation.

    Convention: as for the first equation.
    """
    return with_probability(
        1 - delta, lambda rng, count: drawn(rng, count).crossed(-1), rng, trials, "gains differ by gamma"
    )


amended = section("kou2023", "lemma_5_7", "Lemma 5.7", **of_appendix_d.common)
amended.claim("bar_equal.amended", "first equation, with the scale of (B.2)")(own_coefficients_gain_alike.conclusion)
amended.claim(
    "cross.amended", "third equation, with absolute values and the scale of (B.2)", mutants=[scaled("101/100")]
)(opposite_gains_are_gamma_times_own_gains.conclusion)


@derived
def late(data: Dataset, net: TwoLayer, rate: Number, C: int) -> Decomposition:
    """Some steps from T on, with the constant C of the conditions."""
    end = first_step_after(stage_length(net, data, rate, C))
    return unroll(net, data, rate=rate, steps=end + FURTHER).since(end)


def turned(course: Decomposition) -> Decomposition:
    """The same run, with the labels turned when it is asked for classes."""
    return replace(course, data=Dataset(course.data.inputs, -course.data.labels))


@section(
    "kou2023",
    "lemma_5_7",
    "Lemma 5.7",
    kind=Kind.DYNAMICS,
    given=training(widths=(2, 3), samples=(1, 2), leaks=(Fraction(1, 1024), Fraction(1, 2)), constants=(10,)),
    assumes=with_comparable_norms(LEAKY_MAIN),
    derived=[late],
    recorded="supported",
).claim("under_equal", "second equation", mutants=[changed("the own coefficients", late=turned)])
def opposite_coefficients_of_two_neurons_gain_alike(late: Decomposition) -> Margin:
    r"""For $t\ge T$ the gain $\underline\rho^{(t)}_{-y_i,r,i}-\underline\rho^{(T)}_{-y_i,r,i}$ does not depend on r.

    Unlike the first equation it holds at the scale of the main text: on the wrong side these neurons move with slope 1.

    Convention: on the event of Lemma A.1; T with the constant C of the conditions, here 10.
    """
    opposite = late.known(late.opposite(late.rho))
    gained = opposite[1:] - opposite[0]
    return equal(gained, gained[:, :1], "gain of the opposite coefficients")
