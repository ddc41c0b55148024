r"""The induction of Lemma B.3 and the proof of Lemma B.5: outputs, derivatives of the loss and coefficients of leaky
ReLU networks.

$c_3\gamma^2$ is measured: the smallest over the largest of the sums $\sum_r|\rho_{j,r,i}|$ over the listed times, from
1 to $10^{12}$, so that (B.15) holds with it. Write $\kappa=\gamma^{-2}c_3^{-1}R_{\min}^{-2}pn$, $c_4=1-\kappa$,
$c_5=1-\kappa/\gamma$, $c_6=1+\kappa$ and $C'=2$.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, claim, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, off_boundaries, small_start_leaky
from refute.claims.kou2023.leaky_coefficients import ALL_TIMES, STAGE, overlap, sums
from refute.functions import absolute, largest, smallest
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, first_step_after, stage_length, unroll, unroll_long
from refute.models.kou2023.orthogonality import squared_radii
from refute.strategies.kou2023.nearly_orthogonal import training

Floats = NDArray[np.float64]

ERROR = 1e-6
GIVEN = training(constants=(100,))
CROWDED = training(
    samples=(2, 3),
    leaks=tuple(Fraction(v) for v in ("7/8", "7/8", "1/2", "1/64")),
    constants=(100,),
    families=("class", "anti", "positive", "negative"),
)

_DYNAMICS: dict[str, Any] = {"kind": Kind.DYNAMICS, "assumes": LEAKY_APPENDIX, "recorded": "supported", "cost": 0.4}


@dataclass(frozen=True, slots=True)
class _Late:
    """A run with its constants and the averages of |rho| over r for j = y_i and j = -y_i: (time, i)."""

    course: Decomposition
    gamma: Number
    beta: Number
    kappa: Number
    own: Array
    opposite: Array
    unit: Array  # eta |x_i|^2/(nm)

    @property
    def c4(self) -> Number:
        return 1 - self.kappa

    @property
    def c5(self) -> Number:
        return 1 - self.kappa / self.gamma

    @property
    def c6(self) -> Number:
        return 1 + self.kappa

    @property
    def time(self) -> Array:
        return np.asarray(self.course.steps[:, None])

    @property
    def balance(self) -> Array:
        """The smallest sum over the largest, at every time."""
        return _balance(self.course)


def _balance(course: Decomposition) -> Array:
    both = sums(course).reshape(len(course.steps), -1)
    return np.asarray(smallest(both, axis=1) / largest(both, axis=1))


def _late(data: Dataset, net: TwoLayer, rate: Number, times: Floats = ALL_TIMES) -> _Late:
    course = unroll_long(net, data, rate=rate, times=times)
    averages = sums(course) / course.width
    return _Late(
        course,
        net.slope,
        course.beta,
        overlap(data) / smallest(_balance(course)),
        course.own(averages),
        course.opposite(averages),
        np.asarray(rate * course.squares / (len(course.squares) * course.width)),
    )


# Lemma B.5


def _signal_bound(run: _Late, relative: Number) -> Array:
    """(1 - relative R_min^-2 pn) |rho_{j,r,i}| at every time, for all neurons and samples."""
    return np.asarray((1 - relative * overlap(run.course.data)) * absolute(run.course.rho))


@claim(
    "kou2023.lemma_b5.own_lower",
    "proof of Lemma B.5, first display",
    given=CROWDED,
    mutants=[moved("without beta", slack=0.0), moved("without the overlaps", spread=0.0)],
    convention="c_1 as measured for (B.8)",
    **_DYNAMICS,
)
def own_signals_are_at_least_the_coefficients(
    data: Dataset, net: TwoLayer, rate: float, *, slack: float = 1.0, spread: float = 1.0
) -> Margin:
    r"""For $j=y_i$: $\langle w_{j,r},x_i\rangle\ge(1-\gamma^{-4}c_1^{-1}R_{\min}^{-2}pn)\bar\rho_{j,r,i}-\beta$."""
    run = _late(data, net, rate)
    bound = _signal_bound(run, spread / (run.gamma**2 * float(run.balance.min()))) - slack * run.beta
    return at_least(run.course.own(run.course.signals), run.course.own(bound), "<w, x_i>", error=ERROR)


def _first_constant(run: _Late, rate: Number) -> Number:
    """gamma c_2 = gamma |l'| R^-2 with the smallest |l'| of the first stage."""
    course = run.course
    low, high = squared_radii(course.data.inputs)
    stage = unroll(
        course.start,
        course.data,
        rate=rate,
        steps=first_step_after(stage_length(course.start, course.data, rate, STAGE)),
    )
    return run.gamma * smallest(stage.logits) * low / high


def _opposite_upper(data: Dataset, net: TwoLayer, rate: Number, constant: str, slack: float, spread: float) -> Margin:
    run = _late(data, net, rate)
    c = _first_constant(run, rate) if constant == "c_2" else run.gamma**2 * smallest(run.balance)
    bound = -_signal_bound(run, spread / c) + slack * run.beta
    return at_most(run.course.opposite(run.course.signals), run.course.opposite(bound), "<w, x_i>", error=ERROR)


_READINGS = [(1, "c_2", -1), (2, "c_1", -1), (3, "c_2", 1), (4, "c_1", 1)]
_WHY = r"""

Fails for a neuron with $\langle w^{(0)},x_i\rangle=\beta$: the left side is at least $\underline\rho_{j,r,i}+\beta$
minus the overlaps, so that it exceeds the right side for ever if $p=0$, and otherwise as long as the overlaps are below
$2\beta$. The triangle inequality gives $+\beta$, which also stands two lines before; the sign at the end is read from a
poor scan. With $+\beta$ the display holds (r3 and r4)."""


def _reading(number: int, constant: str, sign: int) -> None:
    def conclusion(
        data: Dataset, net: TwoLayer, rate: Number, *, slack: float = float(sign), spread: float = 1.0
    ) -> Margin:
        return _opposite_upper(data, net, rate, constant, slack, spread)

    factor = r"\gamma^{-1}c_2^{-1}" if constant == "c_2" else r"\gamma^{-4}c_1^{-1}"
    shown = "+" if sign > 0 else "-"
    bound = rf"(1-{factor}R_{{\min}}^{{-2}}pn)\underline\rho_{{j,r,i}}{shown}\beta"
    conclusion.__name__ = f"opposite_signals_are_at_most_the_coefficients_{number}"
    conclusion.__doc__ = rf"For $j\ne y_i$: $\langle w_{{j,r}},x_i\rangle\le{bound}$." + (_WHY if sign < 0 else "")
    right = [moved("without beta", slack=0.0), moved("without the overlaps", spread=0.0)]
    wrong = [moved("0 in place of -beta", slack=0.0)]
    claim(
        f"kou2023.lemma_b5.opposite_upper.r{number}",
        "proof of Lemma B.5, second display",
        given=CROWDED,
        mutants=right if sign > 0 else wrong,
        convention=f"{shown} beta, {constant} as measured"
        + ("" if sign > 0 else "; the mutant is weaker and falls too"),
        **{
            **_DYNAMICS,
            "recorded": "supported" if sign > 0 else "refuted",
            "assumes": LEAKY_APPENDIX if sign > 0 else [*LEAKY_APPENDIX, off_boundaries],
            "in_balls": sign < 0,
        },
    )(conclusion)


for _entry in _READINGS:
    _reading(*_entry)


@claim(
    "kou2023.eq_b43_b44.threshold",
    "Eqs. (B.43) and (B.44) with the displays after them",
    given=GIVEN,
    mutants=[moved("without gamma", power=0.0), moved("3/2 of it", gain=1.5), without(small_start_leaky)],
    convention="c_1 as measured, the smallest |l'| of the first stage; t from the first step after T_1 to 10^12",
    **_DYNAMICS,
)
def coefficients_exceed_the_start_after_the_first_stage(
    data: Dataset, net: TwoLayer, rate: float, *, power: float = 1.0, gain: float = 1.0
) -> Margin:
    r"""For $t\ge T_1$: $\bar\rho_{y_i,r,i}$ and $|\underline\rho_{-y_i,r,i}|$ are at least
    $\hat cC'\gamma R_{\min}^2R_{\max}^{-2}$, and $(1-\gamma^{-4}c_1^{-1}R_{\min}^{-2}pn)|\rho_{j,r,i}|>\beta$.
    """
    first = first_step_after(stage_length(net, data, rate, STAGE))
    run = _late(data, net, rate, np.unique(np.append(ALL_TIMES, first)))
    after = run.course.steps >= first
    floor = gain * _first_constant(run, rate) * run.gamma ** (power - 1) * STAGE
    return all_of(
        at_least(np.abs(run.course.rho)[after], floor, "|rho|", error=1e-9),
        less(
            run.beta,
            _signal_bound(run, 1 / (run.gamma**2 * float(run.balance.min())))[after],
            "beta against the coefficients",
        ),
    )
