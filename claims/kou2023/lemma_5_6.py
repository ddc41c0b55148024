r"""Lemma 5.6: the activation pattern of a leaky ReLU network freezes.

The main text asks for $\sigma_0\le(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$, appendix B for $\gamma$ times that. The
difference matters: an own neuron on the wrong side of a sample moves with slope $\gamma$. By time
$T=C\eta^{-1}nmR_{\max}^{-2}$ it has moved by about $\gamma\log C$, and its start is of order $1/C$. So whatever C, the
lemma fails for $\gamma$ of the order $C^{-2}$ and less, with a probability close to that of a start on the wrong side.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from refute import Fault, Kind, Margin, changed, derived, section, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, LEAKY_CONDITIONS, small_start_leaky, with_comparable_norms
from refute.claims.kou2023.leaky_courses import EARLY, FURTHER, GIVEN, whole
from refute.claims.kou2023.lemma_b5 import the_pattern_is_that_of_the_labels
from refute.decide.probability import with_probability
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import first_step_after, stage_length
from refute.models.kou2023.random_starts import Gains, gains
from refute.strategies.kou2023.nearly_orthogonal import training

Draw = Callable[[np.random.Generator, int], Gains]


@derived
def drawn(data: Dataset, net: TwoLayer, rate: Number, scale: Number, C: int) -> Draw:
    """Training from Gaussian starts: at T, and some steps more."""
    first = first_step_after(stage_length(net, data, rate, C))

    def draw(rng: np.random.Generator, count: int) -> Gains:
        inner = scale * rng.standard_normal((count, *net.inner.shape))
        return gains(net, data, inner, rate=rate, first=first, further=FURTHER)

    return draw


# C is the constant of the conditions, and that in T.
from_random_starts = section(
    "kou2023",
    "lemma_5_6",
    "Lemma 5.6",
    kind=Kind.PROBABILISTIC,
    given=training(widths=(2,), samples=(1, 2), leaks=(Fraction(1, 2**20),), constants=(30, 10)),
    assumes=LEAKY_CONDITIONS,
    derived=[drawn],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    in_balls=True,
)


@from_random_starts.claim("activation_pattern")
def the_pattern_is_that_of_the_labels_after_some_time(
    drawn: Draw, delta: Number, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""$\mathrm{sign}(\langle w^{(t)}_{j,r},x_i\rangle)=jy_i$ for all $t\ge T=C\eta^{-1}nmR_{\max}^{-2}$, all j, r and
    i.

    Fails for small $\gamma$: a neuron of the class of $x_i$ that starts on the wrong side of it, at a distance of order
    $1/C$, moves with slope $\gamma$ and has come only $O(\gamma\log C)$ closer at time T.

    Convention: with probability at least $1-\delta$ over Gaussian weights; seen at T, for C = 10 and 30 and
    $\gamma=2^{-20}$. A larger C asks for a smaller $\gamma$, of order $C^{-2}$, which the conditions leave free.
    """
    return with_probability(
        1 - delta, lambda rng, count: drawn(rng, count).right_signs(), rng, trials, "the signs are right at T"
    )


section(
    "kou2023",
    "lemma_5_6",
    "Lemma 5.6 with the scale of (B.2)",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=with_comparable_norms(LEAKY_APPENDIX),
    derived=[*EARLY, whole],
    recorded="supported",
    convention="on the event of Lemma A.1; T with the constant 2",
).claim(
    "activation_pattern.amended",
    mutants=[changed("from the first step on", end=lambda _: 1), without(small_start_leaky)],
)(the_pattern_is_that_of_the_labels.conclusion)
