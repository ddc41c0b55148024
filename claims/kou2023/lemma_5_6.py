r"""Lemma 5.6: after the time $T=C\eta^{-1}nmR_{\max}^{-2}$ the activation pattern of a leaky ReLU network is that of
the labels.

The main text asks for $\sigma_0\le(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$, appendix B for $\gamma$ times that, and the
difference matters. A neuron of the class of $x_i$ that starts on the wrong side of it moves with slope $\gamma$: by
time T it has moved by about $\gamma\log C$, and its start is of order $1/C$. So for every C the printed lemma fails
once $\gamma$ is small against $1/(C\log C)$, with a probability close to that of a start on the wrong side.
"""

from fractions import Fraction

import numpy as np

from refute import Fault, Kind, Margin, changed, derived, section, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, LEAKY_CONDITIONS, small_start_leaky, with_comparable_norms
from refute.claims.kou2023.leaky_courses import EARLY, FURTHER, GIVEN, pattern, whole
from refute.decide.probability import with_probability
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, first_step_after, stage_length
from refute.models.kou2023.gaussian_starts import GaussianStarts, Seen
from refute.strategies.kou2023.nearly_orthogonal import training

FLAT = training(widths=(2,), samples=(1, 2), leaks=(Fraction(1, 1024),), constants=(30, 10))


@derived
def starts(data: Dataset, net: TwoLayer, rate: Number, scale: Number, C: int) -> GaussianStarts:
    """Random starts, seen at T and over some more steps."""
    return GaussianStarts(data, net, rate, scale, first_step_after(stage_length(net, data, rate, C)), FURTHER)


printed = section(
    "kou2023",
    "lemma_5_6",
    "Lemma 5.6",
    kind=Kind.PROBABILISTIC,
    given=FLAT,
    assumes=LEAKY_CONDITIONS,
    derived=[starts],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    in_balls=True,
    convention="with probability at least 1 - delta over Gaussian weights; seen at T and over 50 more steps; C = 10 or "
    "30 with gamma = 1/1024, and for larger C with smaller gamma",
)


@printed.claim("activation_pattern")
def the_pattern_freezes(starts: GaussianStarts, delta: Number, *, rng: np.random.Generator, trials: int) -> Margin:
    r"""$\mathrm{sign}(\langle w^{(t)}_{j,r},x_i\rangle)=jy_i$ for all $t\ge T=C\eta^{-1}nmR_{\max}^{-2}$, all j, r and
    i.

    Fails for small $\gamma$: a neuron of the class of $x_i$ that starts on the wrong side of it, at a distance of order
    $1/C$, moves with slope $\gamma$ and has come only $O(\gamma\log C)$ closer at time T. With $\gamma=1/1024$ and C at
    most 30 about half of these neurons have not arrived; C = 300 needs a smaller $\gamma$, of order $1/(C\log C)$. The
    factor $\gamma$ of (B.2) in $\sigma_0$, which the appendix supposes, is missing.
    """
    trial = starts.with_property(Seen.signs_are_those_of_the_labels)
    return with_probability(1 - delta, trial, rng, trials, "random starts with the pattern of the labels at T")


appendix = section(
    "kou2023",
    "lemma_5_6",
    "Lemma 5.6 with the scale of (B.2)",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=with_comparable_norms(LEAKY_APPENDIX),
    derived=[*EARLY, whole],
    recorded="supported",
    mutants=[changed("from the first step on", end=lambda _: 1), without(small_start_leaky)],
    convention="on the event of Lemma A.1; T with the constant C' = 2",
)


@appendix.claim("activation_pattern.amended")
def the_pattern_freezes_from_a_smaller_start(whole: Decomposition, end: int) -> Margin:
    r"""Amended: with the scale of (B.2), $\mathrm{sign}(\langle w^{(t)}_{j,r},x_i\rangle)=jy_i$ for all $t\ge T$, all
    j, r and i.
    """
    return pattern(whole.since(end))
