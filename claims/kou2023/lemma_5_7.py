r"""Lemma 5.7: after the time T of Lemma 5.6 the coefficients of two neurons of one sign gain alike, and those of
neurons of different signs in the proportion $\gamma$.

Like Lemma 5.6 it needs the scale of (B.2). At that of the main text only the second equation stands: on the wrong side
of a sample the neurons of the other class move with slope 1, so that they have all arrived by T.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from refute import Fault, Kind, Margin, changed, derived, equal, mutants, scaled, section, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, LEAKY_MAIN, small_start_leaky, with_comparable_norms
from refute.claims.kou2023.leaky_courses import EARLY, FURTHER, PAIRS, TOO_EARLY
from refute.claims.kou2023.lemma_5_6 import printed as lemma_5_6
from refute.decide.probability import with_probability
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, first_step_after, stage_length, unroll
from refute.models.kou2023.gaussian_starts import Bools, GaussianStarts, Seen
from refute.strategies.kou2023.nearly_orthogonal import training

PATTERN = "kou2023.lemma_5_6.activation_pattern"
printed = section("kou2023", "lemma_5_7", "Lemma 5.7", **{**lemma_5_6.common, "root": PATTERN})


def _likely(
    starts: GaussianStarts, delta: Number, rng: np.random.Generator, trials: int, event: Callable[[Seen], Bools]
) -> Margin:
    return with_probability(1 - delta, starts.with_property(event), rng, trials, "random starts with equal gains")


@printed.claim("bar_equal", "first equation")
def own_coefficients_gain_alike(
    starts: GaussianStarts, delta: Number, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""$\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T)}_{y_i,r,i}=\bar\rho^{(t)}_{y_i,r',i}-\bar\rho^{(T)}_{y_i,r',i}$ for
    $t\ge T$.

    Fails for small $\gamma$ with Lemma 5.6: neurons of the class that have not arrived on the side of $x_i$ gain
    $\gamma$ times what the others gain.
    """
    return _likely(starts, delta, rng, trials, Seen.own_gains_are_equal)


@printed.claim("cross.r1", "third equation, as legible", fault=Fault.SCAN, root="")
def opposite_gains_have_the_sign_of_own_ones(
    starts: GaussianStarts, delta: Number, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""$\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T)}_{y_i,r,i}=
    (\underline\rho^{(t)}_{-y_i,r',i}-\underline\rho^{(T)}_{-y_i,r',i})/\gamma$.

    Fails at every start: the left side is positive and the right side negative. Lemma D.1 has bars there.
    """
    return _likely(starts, delta, rng, trials, Seen.opposite_gains_are_own_ones_with_their_sign)


@printed.claim("cross.r2", "third equation, with absolute values")
def opposite_gains_are_gamma_times_own_ones(
    starts: GaussianStarts, delta: Number, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""$\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T)}_{y_i,r,i}=
    (|\underline\rho^{(t)}_{-y_i,r',i}|-|\underline\rho^{(T)}_{-y_i,r',i}|)/\gamma$.

    Fails for small $\gamma$ with Lemma 5.6, like the first equation.
    """
    return _likely(starts, delta, rng, trials, Seen.opposite_gains_are_own_ones)


late = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=PAIRS,
    assumes=with_comparable_norms(LEAKY_APPENDIX),
    derived=EARLY,
    recorded="supported",
    mutants=[TOO_EARLY, without(small_start_leaky)],
    convention="on the event of Lemma A.1; T_1 with C' = 2, and 50 more steps: by Lemma B.5 later ones go on in the "
    "same way",
)


@late.claim("lemma_5_7.bar_equal.amended", "Lemma 5.7, first equation, with (B.2)")
@mutants(scaled("1001/1000"))
def own_coefficients_gain_alike_from_a_smaller_start(run: Decomposition, end: int) -> Margin:
    r"""Amended: with the scale of (B.2), for $t\ge T$ the gain $\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T)}_{y_i,r,i}$ does
    not depend on the neuron r.
    """
    gains = run.since(end).own_gains
    return equal(gains, gains[:, :1], "own gains")


@late.claim("lemma_5_7.cross.amended", "Lemma 5.7, third equation, with (B.2)")
@mutants(scaled("11/10"))
def opposite_gains_are_gamma_times_own_gains_from_a_smaller_start(
    run: Decomposition, end: int, gamma: Number
) -> Margin:
    r"""Amended: absolute values around the negative coefficients, and the scale of (B.2); then the third equation holds
    for $t\ge T$.
    """
    after = run.since(end)
    return equal(after.opposite_gains[:, None, :, :], gamma * after.own_gains[:, :, None, :], "opposite gains")


@derived
def stage_end(data: Dataset, net: TwoLayer, rate: Number, C: int) -> int:
    """The first step after C nm/(eta R_max^2)."""
    return first_step_after(stage_length(net, data, rate, C))


@derived
def long_run(data: Dataset, net: TwoLayer, rate: Number, stage_end: int) -> Decomposition:
    """Every step up to T, and some more."""
    return unroll(net, data, rate=rate, steps=stage_end + FURTHER)


opposite = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=training(widths=(2, 3), samples=(1, 2), leaks=(Fraction(1, 1024), Fraction(1, 2)), constants=(10,)),
    assumes=with_comparable_norms(LEAKY_MAIN),
    derived=[stage_end, long_run],
    recorded="supported",
)


@opposite.claim("lemma_5_7.under_equal", "Lemma 5.7, second equation")
@mutants(changed("from the first step on", stage_end=lambda _: 1), scaled("1001/1000"))
def opposite_coefficients_of_two_neurons_gain_alike(long_run: Decomposition, stage_end: int) -> Margin:
    r"""For $t\ge T$ the gain $\underline\rho^{(t)}_{-y_i,r,i}-\underline\rho^{(T)}_{-y_i,r,i}$ does not depend on r.

    Unlike the first equation it holds at the scale of the main text.

    Convention: on the event of Lemma A.1; T with the constant C of the conditions, here 10.
    """
    gains = long_run.since(stage_end).opposite_gains
    return equal(gains, gains[:, :1], "opposite gains")
