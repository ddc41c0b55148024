r"""Lemma B.5: after the first stage the signals of a leaky ReLU network have the signs of the labels.

Write $\kappa=\gamma^{-2}c_1^{-1}R_{\min}^{-2}pn$ with $c_1$ as measured for (B.8), $C'=2$ in
$T_1=C'\eta^{-1}nmR_{\max}^{-2}$ and $c_2=\hat cR^{-2}$ with the smallest $|\ell_i'|$ of the first stage for $\hat c$.
"""

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    changed,
    derived,
    less,
    mutants,
    scaled,
    section,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, off_boundaries, small_start_leaky, with_comparable_norms
from refute.claims.kou2023.leaky_courses import CROWDED, GIVEN, LATE, STAGE, TOO_EARLY, pattern, whole
from refute.functions import absolute, sign, sqrt
from refute.models import Dataset
from refute.models.kou2023.decomposition import Decomposition
from refute.models.kou2023.orthogonality import relative_overlap

main = section(
    "kou2023",
    "lemma_b5",
    "Lemma B.5",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=with_comparable_norms(LEAKY_APPENDIX),
    derived=[*LATE, whole],
    recorded="supported",
)


@main.claim("pattern_value", "Eq. (B.42)")
@mutants(TOO_EARLY, without(small_start_leaky))
def the_pattern_is_that_of_the_labels(whole: Decomposition, end: int) -> Margin:
    r"""$\mathrm{sign}(\langle w^{(t)}_{j,r},x_i\rangle)=jy_i$ for all $t\ge T_1$, all j, r and i."""
    return pattern(whole.since(end))


@main.claim("pattern_constant", "first part")
@mutants(TOO_EARLY, without(small_start_leaky))
def the_pattern_stays_after_the_first_stage(whole: Decomposition, end: int) -> Margin:
    r"""$\mathrm{sign}(\langle w^{(t)}_{j,r},x_i\rangle)=\mathrm{sign}(\langle w^{(T_1)}_{j,r},x_i\rangle)$ for all
    $t\ge T_1$.
    """
    late = whole.since(end)
    signals, positive = late.known(late.signals), sign(late.signals[0]) > 0
    return all_of(less(0, signals[:, positive], "positive at T_1"), at_most(signals[:, ~positive], 0, "others"))


@derived
def c1_share(kappa: Number, gamma: Number) -> Number:
    """gamma^-4 c_1^-1 R_min^-2 pn."""
    return kappa / gamma**2


@derived
def c2_share(data: Dataset, early_share: Number) -> Number:
    """gamma^-1 c_2^-1 R_min^-2 pn."""
    return relative_overlap(data.inputs) / early_share


@derived
def own_signal(throughout: Decomposition) -> Array:
    """<w_{y_i,r}, x_i>: (time, r, i)."""
    values: Array = throughout.known(throughout.own(throughout.signals))
    return values


@derived
def own_rho(throughout: Decomposition) -> Array:
    """rho-bar_{y_i,r,i}."""
    values: Array = throughout.known(throughout.own(throughout.rho))
    return values


@derived
def opposite_signal(throughout: Decomposition) -> Array:
    """<w_{-y_i,r}, x_i>."""
    values: Array = throughout.known(throughout.opposite(throughout.signals))
    return values


@derived
def opposite_rho(throughout: Decomposition) -> Array:
    """rho-underbar_{-y_i,r,i}."""
    values: Array = throughout.known(throughout.opposite(throughout.rho))
    return values


proof = main.but(
    "proof of Lemma B.5",
    given=CROWDED,
    assumes=LEAKY_APPENDIX,
    derived=[*LATE, c1_share, c2_share, own_signal, own_rho, opposite_signal, opposite_rho],
    mutants=[changed("without beta", beta=lambda beta: 0 * beta)],
    cost=0.4,
)


@proof.claim("own_lower", "first display")
@mutants(changed("without the overlaps", c1_share=lambda share: 0 * share))
def own_signals_are_at_least_the_coefficients(
    own_signal: Array, own_rho: Array, c1_share: Number, beta: Number
) -> Margin:
    r"""For $j=y_i$: $\langle w_{j,r},x_i\rangle\ge(1-\gamma^{-4}c_1^{-1}R_{\min}^{-2}pn)\bar\rho_{j,r,i}-\beta$."""
    return at_least(own_signal, (1 - c1_share) * own_rho - beta, "<w, x_i>")


minus_beta = proof.but(assumes=[*LEAKY_APPENDIX, off_boundaries], recorded="refuted", fault=Fault.SCAN, in_balls=True)


@minus_beta.claim("opposite_upper.r1", "second display")
def opposite_signals_are_below_the_coefficients_with_c2(
    opposite_signal: Array, opposite_rho: Array, c2_share: Number, beta: Number
) -> Margin:
    r"""For $j\ne y_i$:
    $\langle w_{j,r},x_i\rangle\le(1-\gamma^{-1}c_2^{-1}R_{\min}^{-2}pn)\underline\rho_{j,r,i}-\beta$.

    Fails for a neuron with $\langle w^{(0)},x_i\rangle=\beta$: the left side is at least $\underline\rho_{j,r,i}+\beta$
    minus the overlaps, so that it exceeds the right side for ever if $p=0$, and otherwise as long as the overlaps are
    below $2\beta$. The triangle inequality gives $+\beta$, which also stands two lines before; the sign at the end is
    read from a poor scan. With $+\beta$ the display holds (r3 and r4).
    """
    return at_most(opposite_signal, (1 - c2_share) * opposite_rho - beta, "<w, x_i>")


@minus_beta.claim("opposite_upper.r2", "second display")
def opposite_signals_are_below_the_coefficients_with_c1(
    opposite_signal: Array, opposite_rho: Array, c1_share: Number, beta: Number
) -> Margin:
    r"""For $j\ne y_i$:
    $\langle w_{j,r},x_i\rangle\le(1-\gamma^{-4}c_1^{-1}R_{\min}^{-2}pn)\underline\rho_{j,r,i}-\beta$.

    Fails like the first reading.
    """
    return at_most(opposite_signal, (1 - c1_share) * opposite_rho - beta, "<w, x_i>")


@proof.claim("opposite_upper.r3", "second display")
@mutants(changed("without the overlaps", c2_share=lambda share: 0 * share))
def opposite_signals_are_at_most_the_coefficients_with_c2(
    opposite_signal: Array, opposite_rho: Array, c2_share: Number, beta: Number
) -> Margin:
    r"""For $j\ne y_i$:
    $\langle w_{j,r},x_i\rangle\le(1-\gamma^{-1}c_2^{-1}R_{\min}^{-2}pn)\underline\rho_{j,r,i}+\beta$.
    """
    return at_most(opposite_signal, (1 - c2_share) * opposite_rho + beta, "<w, x_i>")


@proof.claim("opposite_upper.r4", "second display")
@mutants(changed("without the overlaps", c1_share=lambda share: 0 * share))
def opposite_signals_are_at_most_the_coefficients_with_c1(
    opposite_signal: Array, opposite_rho: Array, c1_share: Number, beta: Number
) -> Margin:
    r"""For $j\ne y_i$:
    $\langle w_{j,r},x_i\rangle\le(1-\gamma^{-4}c_1^{-1}R_{\min}^{-2}pn)\underline\rho_{j,r,i}+\beta$.
    """
    return at_most(opposite_signal, (1 - c1_share) * opposite_rho + beta, "<w, x_i>")


threshold = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=LEAKY_APPENDIX,
    derived=[*LATE, c1_share, whole],
    recorded="supported",
    cost=0.4,
)


@threshold.claim("eq_b43_b44.threshold", "Eqs. (B.43) and (B.44) with the displays after them")
@mutants(scaled("3/2", "|rho|"), changed("with the root of gamma c_2", early_share=sqrt), without(small_start_leaky))
def coefficients_exceed_the_start_after_the_first_stage(
    whole: Decomposition, end: int, early_share: Number, c1_share: Number, beta: Number
) -> Margin:
    r"""For $t\ge T_1$: $\bar\rho_{y_i,r,i}$ and $|\underline\rho_{-y_i,r,i}|$ are at least
    $\hat cC'\gamma R_{\min}^2R_{\max}^{-2}$, and $(1-\gamma^{-4}c_1^{-1}R_{\min}^{-2}pn)|\rho_{j,r,i}|>\beta$.
    """
    late = whole.since(end)
    sizes = late.known(absolute(late.rho))
    return all_of(at_least(sizes, early_share * STAGE, "|rho|"), less(beta, (1 - c1_share) * sizes, "beta"))
