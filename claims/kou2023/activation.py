r"""Lemmas 5.6 and 5.7 with their counterparts B.5, C.1, C.2 and D.1: the pattern of a leaky ReLU network freezes, and
rows stay close.

The main text asks for $\sigma_0\le(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$, appendix B for $\gamma$ times that. The
difference matters: an own neuron on the wrong side of a sample moves with slope $\gamma$. By time
$T=C\eta^{-1}nmR_{\max}^{-2}$ it has moved by about $\gamma\log C$, its start is of order $1/C$; so for every C the
printed lemmas fail once $\gamma\ll1/(C\log C)$, with a probability close to that of a start on the wrong side.
Statements of the main text are therefore tested with Gaussian starts and a sequential test; those of the appendix on
every start of the event of Lemma A.1, with $C'=2$ in $T_1=C'\eta^{-1}nmR_{\max}^{-2}$ and $C=100$.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, at_least, at_most, claim, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import (
    LEAKY_APPENDIX,
    LEAKY_MAIN,
    small_start_leaky,
    small_step,
    with_comparable_norms,
)
from refute.claims.kou2023.theorem_4_1 import late
from refute.decide.probability import with_probability
from refute.functions import absolute, largest, sign, smallest
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import (
    Decomposition,
    batch_courses,
    first_step_after,
    last_step_before,
    stage_length,
    unroll,
)
from refute.strategies.kou2023.nearly_orthogonal import training

Floats = NDArray[np.float64]
Event = Callable[[Array, Array, Floats, Number], NDArray[np.bool_]]

STAGE = 2.0  # C'
FURTHER = 50  # steps after the first stage
ROUND_OFF = 1e-11
EQUAL = 1e-9  # of the largest gain: gains that differ by less count as equal, in floats and in balls
FLAT = training(widths=(2,), samples=(1, 2), leaks=(Fraction(1, 1024),), constants=(30, 10))
GIVEN = training(constants=(100,))
PAIRS = training(widths=(2, 3), constants=(100,))


def _wrong_side(signals: Floats, lean: Floats) -> Floats:
    """By how much a signal is on the wrong side; sign(0) = -1."""
    return np.where(lean > 0, np.maximum(-signals, 0) + (signals == 0), np.maximum(signals, 0))


def _right_signs(signals: Array, gained: Array, lean: Floats, slope: Number) -> NDArray[np.bool_]:
    """sign <w, x_i> = j y_i for all neurons and samples; sign(0) = -1."""
    return np.asarray(((sign(signals) > 0) == (lean > 0)).all(axis=(1, 2)))


def _range(values: Array) -> Array:
    """The largest minus the smallest over the neurons: (starts, samples)."""
    return np.asarray(largest(values, axis=1) - smallest(values, axis=1))


def _negligible(gap: Array, size: Array) -> NDArray[np.bool_]:
    """Where every gap, (starts, ...), is at most 10^-9 of the size: what counts as equal."""
    return np.asarray((sign(EQUAL * size - gap) >= 0).all(axis=1))


def _own_alike(signals: Array, gained: Array, lean: Floats, slope: Number) -> NDArray[np.bool_]:
    """The gains of all neurons of a class agree on each sample of the class."""
    m = len(lean) // 2
    gaps = [_range(half[:, :, own[0] > 0]) for half, own in ((gained[:, :m], lean[:m]), (gained[:, m:], lean[m:]))]
    return _negligible(np.concatenate(gaps, axis=1), largest(largest(absolute(gained), axis=1), axis=1)[:, None])


def _crossed_alike(scaled: Array, gained: Array) -> NDArray[np.bool_]:
    return _negligible(_range(scaled), largest(absolute(gained), axis=1))


def _cross(signals: Array, gained: Array, lean: Floats, slope: Number) -> NDArray[np.bool_]:
    """|gain of an opposite coefficient| / gamma equals the gain of an own one, neuron by neuron of either sign."""
    return _crossed_alike(np.where(lean > 0, gained, -gained / slope), gained)


def _cross_signed(signals: Array, gained: Array, lean: Floats, slope: Number) -> NDArray[np.bool_]:
    return _crossed_alike(np.where(lean > 0, gained, gained / slope), gained)


_MAIN_TEXT: list[tuple[str, str, Event, str]] = [
    (
        "kou2023.lemma_5_6.activation_pattern",
        "Lemma 5.6",
        _right_signs,
        r"$\mathrm{sign}(\langle w^{(t)}_{j,r},x_i\rangle)=jy_i$ for all $t\ge T=C\eta^{-1}nmR_{\max}^{-2}$, all j, r "
        r"and i.",
    ),
    (
        "kou2023.sec5.frozen_slopes",
        "Section 5.2, before Lemma 5.7",
        _right_signs,
        r"For $t\ge T$ the slope $\sigma'(\langle w^{(t)}_{j,r},x_i\rangle)$ is 1 where $j=y_i$ and $\gamma$ where "
        r"$j\ne y_i$.",
    ),
    (
        "kou2023.lemma_5_7.bar_equal",
        "Lemma 5.7, first equation",
        _own_alike,
        r"$\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T)}_{y_i,r,i}=\bar\rho^{(t)}_{y_i,r',i}-\bar\rho^{(T)}_{y_i,r',i}$ for "
        r"$t\ge T$.",
    ),
    (
        "kou2023.lemma_5_7.cross.r1",
        "Lemma 5.7, third equation, as legible",
        _cross_signed,
        r"$\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T)}_{y_i,r,i}"
        r"=(\underline\rho^{(t)}_{-y_i,r',i}-\underline\rho^{(T)}_{-y_i,r',i})/\gamma$. "
        "Fails at every start: the left side is positive and the right side negative.",
    ),
    (
        "kou2023.lemma_5_7.cross.r2",
        "Lemma 5.7, third equation, with absolute values",
        _cross,
        r"$\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T)}_{y_i,r,i}=(|\underline\rho^{(t)}_{-y_i,r',i}|-|\underline\rho^{(T)}_{-y_i,r',i}|)/\gamma$.",
    ),
]
_WHY = r"""

Fails for small $\gamma$: a neuron of the class of $x_i$ that starts on the wrong side of it, at a distance of order
$1/C$, moves with slope $\gamma$ and has come only $O(\gamma\log C)$ closer at time T. With $\gamma=1/1024$ about half
of these neurons have not arrived.
"""


def _printed(id: str, reference: str, event: Event, statement: str) -> None:
    def conclusion(
        data: Dataset,
        net: TwoLayer,
        rate: Number,
        scale: Number,
        delta: Number,
        C: int,
        *,
        rng: np.random.Generator,
        trials: int,
    ) -> Margin:
        x, m = data.inputs, net.width // 2
        lean = np.repeat([1, -1], m)[:, None] * sign(data.labels)
        until = first_step_after(stage_length(net, data, rate, C))

        def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
            inner = scale * rng.standard_normal((count, net.width, x.shape[1]))
            end = until + FURTHER
            courses = batch_courses(data, inner, slope=net.slope, rate=rate, steps=end, record=(until, end))
            (signals, early), (_, late) = courses
            return event(signals, late - early, lean, net.slope)

        return with_probability(1 - delta, trial, rng, trials, "random starts with the property from T on")

    conclusion.__name__ = id.split(".", 1)[1].replace(".", "_")
    conclusion.__doc__ = statement + ("" if id.endswith(".r1") else _WHY)
    claim(
        id,
        reference,
        kind=Kind.PROBABILISTIC,
        given=FLAT,
        assumes=LEAKY_MAIN[:-1],
        recorded="refuted",
        in_balls=True,
        convention=f"with probability at least 1 - delta over Gaussian weights; seen at T and over {FURTHER} more "
        f"steps; C = 10 or 30",
    )(conclusion)


for _entry in _MAIN_TEXT:
    _printed(*_entry)


def _to(data: Dataset, net: TwoLayer, rate: float, stage: float, further: int = FURTHER) -> tuple[Decomposition, int]:
    """The steps to the end of a stage of the given length and some more, and the first step after it."""
    end = first_step_after(stage_length(net, data, rate, stage))
    return unroll(net, data, rate=rate, steps=end + further), end


def _lean(course: Decomposition) -> Floats:
    return np.array([1.0, -1.0])[:, None, None] * course.data.labels


_LATE_MUTANTS = [moved("from the first step on", stage=0.0), without(small_start_leaky)]
_APPENDIX: dict[str, Any] = {
    "kind": Kind.DYNAMICS,
    "assumes": with_comparable_norms(LEAKY_APPENDIX),
    "recorded": "supported",
}
_SEEN = (
    f"on the event of Lemma A.1; T_1 with C' = 2, and {FURTHER} more steps: by Lemma B.5 later ones go on in the "
    f"same way"
)


def _pattern(data: Dataset, net: TwoLayer, rate: float, stage: float) -> Margin:
    course, end = _to(data, net, rate, stage)
    far = late(data, net, rate, first=1e4) if stage == STAGE else course
    wrong = [_wrong_side(part.signals[first:], _lean(part)) for part, first in ((course, end), (far, 0))]
    return at_most(np.concatenate(wrong), 0, "distance of <w, x_i> from the side j y_i")


@claim(
    "kou2023.lemma_5_6.activation_pattern.amended",
    "Lemma 5.6 with the scale of (B.2)",
    given=GIVEN,
    mutants=_LATE_MUTANTS,
    convention="on the event of Lemma A.1; T with the constant C' = 2",
    **_APPENDIX,
)
def the_pattern_freezes_from_a_smaller_start(
    data: Dataset, net: TwoLayer, rate: float, *, stage: float = STAGE
) -> Margin:
    r"""Amended: with the scale of (B.2), $\mathrm{sign}(\langle w^{(t)}_{j,r},x_i\rangle)=jy_i$ for all $t\ge T$, all
    j, r and i.
    """
    return _pattern(data, net, rate, stage)


@claim(
    "kou2023.sec5.frozen_slopes.amended",
    "Section 5.2, before Lemma 5.7, with the scale of (B.2)",
    given=GIVEN,
    mutants=_LATE_MUTANTS,
    convention="on the event of Lemma A.1; T with the constant C' = 2; a signal zero would have slope 1",
    **_APPENDIX,
)
def slopes_freeze_from_a_smaller_start(data: Dataset, net: TwoLayer, rate: float, *, stage: float = STAGE) -> Margin:
    r"""Amended: with the scale of (B.2) the slope of $\sigma$ at each signal is 1 for $j=y_i$ and $\gamma$ for
    $j\ne y_i$, for $t\ge T$.
    """
    course, end = _to(data, net, rate, stage)
    far = late(data, net, rate, first=1e4)
    slopes = np.where(np.concatenate([course.signals[end:], far.signals]) >= 0, 1.0, float(net.slope))
    return at_most(np.abs(slopes - np.where(_lean(course) > 0, 1.0, float(net.slope))), 0, "difference of the slopes")


def _alike(pick: str, data: Dataset, net: TwoLayer, rate: float, stage: float) -> Margin:
    course, end = _to(data, net, rate, stage)
    gained = getattr(course, pick)(course.rho)
    gained = gained[end:] - gained[end]
    return at_most(gained.max(axis=1) - gained.min(axis=1), 0, "spread of the gains over the neurons", error=ROUND_OFF)


def _crossed(data: Dataset, net: TwoLayer, rate: float, stage: float, factor: float) -> Margin:
    course, end = _to(data, net, rate, stage)
    own, opposite = (side[end:] - side[end] for side in (course.own(course.rho), course.opposite(np.abs(course.rho))))
    gap = np.abs(own[:, :, None, :] * factor * float(net.slope) - opposite[:, None, :, :])
    return at_most(gap, 0, "gamma times own gain against opposite gain", error=ROUND_OFF)


_EQUAL_MUTANTS = [moved("from the first step on", stage=0.0), without(small_start_leaky)]
_PARTS: list[tuple[str, str, str, str, str]] = [
    (
        "kou2023.lemma_5_7.bar_equal.amended",
        "Lemma 5.7, first equation, with (B.2)",
        "own",
        "T",
        "Amended: with the scale of (B.2), ",
    ),
    ("kou2023.lemma_d1.bar_equal", "Lemma D.1, first equation", "own", "T_1", ""),
    ("kou2023.lemma_d1.under_equal", "Lemma D.1, second equation", "opposite", "T_1", ""),
]


def _encode(id: str, reference: str, pick: str, time: str, prefix: str) -> None:
    def conclusion(data: Dataset, net: TwoLayer, rate: float, *, stage: float = STAGE) -> Margin:
        return _alike(pick, data, net, rate, stage)

    symbol = r"\bar\rho_{y_i,r,i}" if pick == "own" else r"\underline\rho_{-y_i,r,i}"
    conclusion.__name__ = id.split(".", 1)[1].replace(".", "_")
    conclusion.__doc__ = (
        f"{prefix}for $t\\ge {time}$ the gain ${symbol}^{{(t)}}-{symbol}^{{({time})}}$ does not depend on the neuron r."
    )
    claim(id, reference, given=PAIRS, mutants=_EQUAL_MUTANTS, convention=_SEEN, **_APPENDIX)(conclusion)


for _part in _PARTS:
    _encode(*_part)


@claim(
    "kou2023.lemma_5_7.under_equal",
    "Lemma 5.7, second equation",
    kind=Kind.DYNAMICS,
    given=training(widths=(2, 3), samples=(1, 2), leaks=(Fraction(1, 1024), Fraction(1, 2)), constants=(10,)),
    assumes=with_comparable_norms(LEAKY_MAIN),
    recorded="supported",
    mutants=[moved("from the first step on", share=0.0), moved("the own coefficients", pick="own")],
    convention="on the event of Lemma A.1; T with the constant C of the conditions, here 10",
)
def opposite_coefficients_of_two_neurons_gain_alike(
    data: Dataset, net: TwoLayer, rate: float, C: int, *, share: float = 1.0, pick: str = "opposite"
) -> Margin:
    r"""For $t\ge T$ the gain $\underline\rho^{(t)}_{-y_i,r,i}-\underline\rho^{(T)}_{-y_i,r,i}$ does not depend on r.

    Unlike the first equation it holds at the scale of the main text: on the wrong side these neurons move with slope 1.
    """
    return _alike(pick, data, net, rate, share * C)


_CROSS_MUTANTS = [
    moved("a tenth more", factor=1.1),
    moved("from the first step on", stage=0.0),
    without(small_start_leaky),
]


@claim(
    "kou2023.lemma_5_7.cross.amended",
    "Lemma 5.7, third equation, with (B.2)",
    given=PAIRS,
    mutants=_CROSS_MUTANTS,
    convention=_SEEN,
    **_APPENDIX,
)
def opposite_gains_are_gamma_times_own_gains_from_a_smaller_start(
    data: Dataset, net: TwoLayer, rate: float, *, stage: float = STAGE, factor: float = 1.0
) -> Margin:
    r"""Amended: absolute values around the negative coefficients, and the scale of (B.2); then the third equation holds
    for $t\ge T$.
    """
    return _crossed(data, net, rate, stage, factor)


@claim(
    "kou2023.lemma_d1.cross",
    "Lemma D.1, third equation",
    given=PAIRS,
    mutants=_CROSS_MUTANTS,
    convention=_SEEN,
    **_APPENDIX,
)
def opposite_gains_are_gamma_times_own_gains(
    data: Dataset, net: TwoLayer, rate: float, *, stage: float = STAGE, factor: float = 1.0
) -> Margin:
    r"""For $t\ge T_1$:
    $\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i}=(|\underline\rho^{(t)}_{-y_i,r',i}|-|\underline\rho^{(T_1)}_{-y_i,r',i}|)/\gamma$.
    """
    return _crossed(data, net, rate, stage, factor)


def _differences(course: Decomposition) -> Floats:
    sides = [side(course.rho) for side in (course.own, course.opposite)]
    return np.asarray(np.maximum(*(np.ptp(side, axis=1) for side in sides)))


@claim(
    "kou2023.lemma_c1.early_difference",
    "Lemma C.1",
    given=PAIRS,
    mutants=[moved("a thousandth of it", share=1e-3), without(small_step)],
    **_APPENDIX,
)
def coefficients_of_two_neurons_stay_close_early(
    data: Dataset, net: TwoLayer, rate: float, *, share: float = 1.0
) -> Margin:
    r"""$|\bar\rho_{y_i,r,i}-\bar\rho_{y_i,r',i}|\le C'$ and $|\underline\rho_{-y_i,r,i}-\underline\rho_{-y_i,r',i}|\le
    C'$ up to $T_1$.
    """
    end = last_step_before(stage_length(net, data, rate, STAGE)) if stage_length(net, data, rate, STAGE) >= 1 else 1
    course = unroll(net, data, rate=rate, steps=end)
    return at_most(_differences(course), share * STAGE, "difference of two coefficients", error=ROUND_OFF)


@claim(
    "kou2023.lemma_c2.late_difference",
    "Lemma C.2",
    given=PAIRS,
    mutants=[moved("a thousandth of it", share=1e-3), moved("of neurons of different signs", across=1)],
    **_APPENDIX,
)
def coefficients_of_two_neurons_stay_close(
    data: Dataset, net: TwoLayer, rate: float, *, share: float = 1.0, across: int = 0
) -> Margin:
    r"""For $t\ge T_1$ the same: two neurons of one sign have coefficients that differ by at most $C'$."""
    course, end = _to(data, net, rate, STAGE)
    far = late(data, net, rate, first=1e4)
    gaps = np.abs(far.own(far.rho) - far.opposite(far.rho)).max(axis=1) if across else _differences(far)
    parts = [_differences(course)[end:], gaps]
    return at_most(np.concatenate(parts), share * STAGE, "difference of two coefficients", error=ROUND_OFF)


_MAIN: dict[str, Any] = {
    "kind": Kind.DYNAMICS,
    "given": PAIRS,
    "assumes": with_comparable_norms(LEAKY_MAIN),
    "recorded": "supported",
    "cost": 0.2,
}


def _unitless(course: Decomposition) -> tuple[Floats, float]:
    """The weights times R_max, and a bound on their error."""
    weights = course.weights * float(np.sqrt(course.squares.max()))
    return weights, 4 * course.error * float(np.abs(weights).max()) * len(course.squares)


def _row_gaps(weights: Floats) -> Floats:
    """The largest distance of a row from the first of its sign, at every time: (time, j)."""
    return np.asarray(np.linalg.norm(weights - weights[:, :, :1], axis=-1).max(axis=2))


@claim(
    "kou2023.sec5.row_difference_bounded",
    "Section 5.2, after Lemma 5.7",
    mutants=[moved("rows of different signs", across=1), moved("a row and zero", across=2)],
    convention="bounded in t: from 10^8 to 10^20 the distance is that at 10^8; the constant may depend on gamma",
    **_MAIN,
)
def rows_of_one_sign_stay_together(data: Dataset, net: TwoLayer, rate: float, *, across: int = 0) -> Margin:
    r"""$\|w^{(t)}_{j,r}-w^{(t)}_{j,r'}\|_2$ is bounded by a constant."""
    weights, error = _unitless(late(data, net, rate))
    other = [weights[:, :, :1], weights[:, ::-1, :1], weights[:, :, :1] * 0][across]
    gaps = np.linalg.norm(weights - other, axis=-1)
    return at_most(gaps, gaps[0], "|w_r - w_r'| against its value at 10^8", error=error)


def _norm_bounds(
    data: Dataset, net: TwoLayer, rate: float, share: float, other: int
) -> tuple[Floats, Floats, Floats, float]:
    """Weights, |w_{j,1}|, D and the error; D is the distance of a row from the first one at the first time, 10^8, not
    later.
    """
    weights, error = _unitless(late(data, net, rate))
    if other:
        weights = np.concatenate([weights[:, :, :1], weights[:, ::-1, :-1]], axis=2)
    return (
        weights,
        np.linalg.norm(weights[:, :, 0], axis=-1),
        share * _row_gaps(weights)[0],
        2 * error * float(np.linalg.norm(weights[-1])),
    )


_NORM_MUTANTS = [
    moved("constants zero", share=0.0),
    moved("constants a hundred times smaller", share=0.01),
    moved("without the linear term", linear=0.0),
    moved("a row of one sign and the others of the other sign", other=1),
]


@claim(
    "kou2023.sec5.frobenius_upper",
    "Section 5.2, display after Lemma 5.7",
    mutants=_NORM_MUTANTS,
    convention="C_1 = 2D and C_2 = D^2 with D the largest distance of a row from the first one at t = 10^8; then t to "
    "10^20, so that a "
    "distance that still grew would break the bound",
    **_MAIN,
)
def the_frobenius_norm_is_that_of_equal_rows(
    data: Dataset, net: TwoLayer, rate: float, *, share: float = 1.0, linear: float = 1.0, other: int = 0
) -> Margin:
    r"""$\|W_j^{(t)}\|_F^2\le m\|w_{j,1}^{(t)}\|^2+mC_1\|w_{j,1}^{(t)}\|+mC_2$ with constants in t."""
    weights, first, gap, error = _norm_bounds(data, net, rate, share, other)
    m = net.width // 2
    return at_most(
        (weights**2).sum(axis=(2, 3)), m * (first**2 + 2 * linear * gap * first + gap**2), "|W|_F^2", error=error
    )


@claim(
    "kou2023.sec5.spectral_lower",
    "Section 5.2, display after Lemma 5.7",
    mutants=_NORM_MUTANTS,
    convention="C_3 = 2D and C_4 = 0 with D as before",
    **_MAIN,
)
def the_spectral_norm_is_that_of_equal_rows(
    data: Dataset, net: TwoLayer, rate: float, *, share: float = 1.0, linear: float = 1.0, other: int = 0
) -> Margin:
    r"""$\|W_j^{(t)}\|_2^2\ge m\|w_{j,1}^{(t)}\|^2-mC_3\|w_{j,1}^{(t)}\|-mC_4$ with constants in t."""
    weights, first, gap, error = _norm_bounds(data, net, rate, share, other)
    spectral = np.linalg.norm(weights, ord=2, axis=(2, 3)) ** 2
    return at_least(spectral, net.width // 2 * (first**2 - 2 * linear * gap * first), "|W|_2^2", error=error)
