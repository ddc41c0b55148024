r"""Appendix D: displays in the proofs of Lemmas D.1 and D.2 on the margins of a leaky ReLU network after the first
stage.

With $T_1$ the first step after $2nm/(\eta R_{\max}^2)$, $c_1\gamma^2$ the least ratio of two sums
$\sum_r|\rho_{j,r,i}|$ over the run, and $\kappa=c_1^{-1}\gamma^{-2}R_{\min}^{-2}pn$.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from refute import Kind, Margin, all_of, at_least, at_most, claim, moved, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, small_start_leaky
from refute.claims.kou2023.leaky_coefficients import Floats, overlap, sums
from refute.decide.proof import by_smt
from refute.functions import absolute
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, first_step_after, stage_length, unroll, unroll_long
from refute.strategies import choice, sized
from refute.strategies.kou2023.nearly_orthogonal import training

STAGE = 2.0  # C' in T_1 = C' nm/(eta R_max^2)
_FURTHER = 40
_LAST_PAIR = 1e4  # up to here every step is taken, so that increments keep their digits

_APPENDIX: dict[str, Any] = {
    "kind": Kind.DYNAMICS,
    "given": training(constants=(100,)),
    "assumes": LEAKY_APPENDIX,
    "recorded": "supported",
    "convention": "t from T_1 to 10^12; c_1 as measured",
}


@claim(
    "kou2023.lemma_d1.closed_form",
    "proof of Lemma D.1, sums of (D.1) and (D.2)",
    kind=Kind.DYNAMICS,
    given=training(constants=(100,)),
    assumes=LEAKY_APPENDIX,
    recorded="supported",
    mutants=[
        moved("the sum ends at t", shift=1),
        moved("no gamma in the second", factor=0.0),
        moved("from the first step on", stage=0.0),
        without(small_start_leaky),
    ],
    convention="the 40 steps after T_1, with C' = 2",
)
def gains_after_the_first_stage_are_sums_of_logits(
    data: Dataset, net: TwoLayer, rate: float, *, shift: int = 0, factor: float = 1.0, stage: float = STAGE
) -> Margin:
    r"""For $t\ge T_1$:
    $\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i}=\frac{\eta\|x_i\|^2}{nm}\sum_{s=T_1}^{t-1}|\ell_i'^{(s)}|$, and
    $|\underline\rho^{(t)}_{-y_i,r,i}|-|\underline\rho^{(T_1)}_{-y_i,r,i}|$ is $\gamma$ times that.
    """
    end = first_step_after(stage_length(net, data, rate, stage))
    course = unroll(net, data, rate=rate, steps=end + _FURTHER + 1)
    unit = rate * course.squares / (len(course.squares) * course.width)
    past = unit * np.cumsum(course.logits[end:], axis=0)[shift : _FURTHER + shift, None, :]
    own, opposite = (np.abs(side(course.rho)) for side in (course.own, course.opposite))
    gamma = float(net.slope) if factor else 1.0
    gaps = [
        side[end + 1 : end + _FURTHER + 1] - side[end] - share * past for side, share in ((own, 1.0), (opposite, gamma))
    ]
    return at_most(absolute(np.stack(gaps)), 0, "gain against the sum of |l'|", error=1e-12)


@dataclass(frozen=True)
class Late:
    """A run whose first listed step is T_1, and the constants of the proof of Lemma D.2."""

    course: Decomposition
    rate: float

    @property
    def gamma(self) -> float:
        return float(self.course.start.slope)

    @property
    def beta(self) -> float:
        return float(self.course.beta)

    @cached_property
    def means(self) -> Floats:
        """1/m sum over r of |rho_{j,r,i}|."""
        return sums(self.course) / self.course.width

    @cached_property
    def kappa(self) -> float:
        ratios = self.means.min(axis=(1, 2)) / self.means.max(axis=(1, 2))
        return float(overlap(self.course.data) / ratios.min())

    @cached_property
    def own(self) -> Floats:
        return self.course.own(self.means)

    @cached_property
    def opposite(self) -> Floats:
        return self.course.opposite(self.means)

    @property
    def gained(self) -> Floats:
        """Z/m = 1/m sum over r of (rho-bar(t) - rho-bar(T_1))."""
        return np.asarray(self.own - self.own[0])

    def offset(self, sign: float, slack: float = 1.0) -> Floats:
        """C_i for sign 1, C_i' for sign -1."""
        both = self.own[0] + self.gamma * self.opposite[0]
        return np.asarray((1 + sign * self.kappa) * both + sign * slack * (self.gamma + 1) * self.beta)

    @property
    def steepness(self) -> float:
        """(1 + gamma^2)(1 + kappa)."""
        return (1 + self.gamma**2) * (1 + self.kappa)

    @property
    def growth(self) -> Floats:
        """log(1 + eta |x_i|^2 e^{-C_i} (1 + gamma^2)(1 + kappa) (t - T_1)/(2nm))."""
        n, m = len(self.course.squares), self.course.width
        speed = self.rate * self.course.squares * np.exp(-self.offset(1.0)) * self.steepness / (2 * n * m)
        return np.asarray(np.log1p(speed * (self.course.steps - self.course.steps[0])[:, None]))


def after_first_stage(data: Dataset, net: TwoLayer, rate: float, *, pairs: int = 0) -> Late:
    """From T_1 to 10^12, or (with `pairs`) steps t and t + 1 to 10^4, one after the other."""
    first = first_step_after(stage_length(net, data, rate, STAGE))
    if not pairs:
        return Late(unroll_long(net, data, rate=rate, times=np.geomspace(first, 1e12, 30)), rate)
    times = np.round(np.geomspace(first, max(_LAST_PAIR, 4 * first), 15))
    return Late(unroll_long(net, data, rate=rate, times=np.union1d(times, times + 1), freeze=10**6), rate)


@claim(
    "kou2023.eq_d3.Fy_upper",
    "Eq. (D.3)",
    mutants=[moved("without beta", slack=0.0), moved("factor 9/10", factor=0.9)],
    **_APPENDIX,
)
def the_output_of_the_own_class_is_bounded_above(
    data: Dataset, net: TwoLayer, rate: float, *, slack: float = 1.0, factor: float = 1.0
) -> Margin:
    r"""$F_{y_i}(x_i)\le\frac{1+\kappa}m\sum_r\bar\rho_{y_i,r,i}+\beta$ for $t\ge T_1$."""
    late = after_first_stage(data, net, rate)
    bound = factor * (1 + late.kappa) * late.own + slack * late.beta
    return at_most(late.course.own(late.course.outputs), bound, "F_y", error=1e-6)


@claim(
    "kou2023.eq_d4.Fminus_lower",
    "Eq. (D.4)",
    mutants=[moved("without beta", slack=0.0), moved("factor 9/10", factor=0.9), moved("gamma^2 beta", power=2.0)],
    **_APPENDIX,
)
def the_output_of_the_other_class_is_bounded_below(
    data: Dataset, net: TwoLayer, rate: float, *, slack: float = 1.0, factor: float = 1.0, power: float = 1.0
) -> Margin:
    r"""$F_{-y_i}(x_i)\ge\frac{\gamma(1+\kappa)}m\sum_r\underline\rho_{-y_i,r,i}-\gamma\beta$ for $t\ge T_1$; the sum is
    negative.
    """
    late = after_first_stage(data, net, rate)
    bound = -factor * late.gamma * (1 + late.kappa) * late.opposite - slack * late.gamma**power * late.beta
    return at_least(late.course.opposite(late.course.outputs), bound, "F_-y", error=1e-7)


@claim(
    "kou2023.lemma_d2.margin_upper",
    "proof of Lemma D.2, upper bound of the margin",
    mutants=[
        moved("1 in place of 1 + gamma^2", squared=0.0),
        moved("factor 9/10", factor=0.9),
        moved("C_i without (gamma + 1) beta", slack=0.0),
    ],
    **_APPENDIX,
)
def margins_are_at_most_the_gains_and_a_constant(
    data: Dataset, net: TwoLayer, rate: float, *, squared: float = 1.0, factor: float = 1.0, slack: float = 1.0
) -> Margin:
    r"""$y_if\le\frac{(1+\gamma^2)(1+\kappa)}m\sum_r(\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i})+C_i$, where
    $C_i=\frac{1+\kappa}m\sum_r\bar\rho^{(T_1)}_{y_i,r,i}+\frac{\gamma(1+\kappa)}m\sum_r|\underline\rho^{(T_1)}_{-y_i,r,i}|+(\gamma+1)\beta$.
    """
    late = after_first_stage(data, net, rate)
    steepness = factor * (1 + squared * late.gamma**2) * (1 + late.kappa)
    return at_most(late.course.margins, steepness * late.gained + late.offset(1.0, slack), "y f", error=1e-6)


def _offsets_bounded() -> str | None:
    def statement() -> Any:
        import z3

        own, opposite, C, kappa, gamma, beta = z3.Reals("own opposite C kappa gamma beta")
        given = z3.And(
            own >= 0, own <= C, opposite >= 0, opposite <= C, kappa >= 0, kappa <= 1, gamma > 0, gamma < 1, beta >= 0
        )
        both, top, slack = own + gamma * opposite, (1 + gamma) * C, (gamma + 1) * beta
        lower = (1 - kappa) * both - slack
        low_top = (1 - kappa) * top + slack
        return z3.Implies(
            given, z3.And((1 + kappa) * both + slack <= (1 + kappa) * top + slack, lower <= low_top, -lower <= low_top)
        )

    return by_smt(statement)


_SHARE = choice("1", "1/2", "0", "1/10")


@claim(
    "kou2023.lemma_d2.Ci_bound",
    "proof of Lemma D.2, bounds of C_i and C_i'",
    given=sized(
        own=_SHARE,
        opposite=_SHARE,
        stage=choice(1, 2, 10),
        kappa=_SHARE,
        gamma=choice("1/2", "1/100", "9/10"),
        beta=_SHARE,
    ),
    proof=_offsets_bounded,
    recorded="proved",
    mutants=[
        moved("C' without the factor gamma + 1", both=0),
        moved("C_i without the factor 1 + kappa", spread=0),
        moved("without (gamma + 1) beta", slack=0),
    ],
    convention="by (C.3) the averages at T_1 lie between 0 and C': drawn as shares of C'; kappa <= 1, as it is small "
    "in the paper",
)
def the_offsets_are_constants(
    own: Number,
    opposite: Number,
    stage: Number,
    kappa: Number,
    gamma: Number,
    beta: Number,
    *,
    both: int = 1,
    spread: int = 1,
    slack: int = 1,
) -> Margin:
    r"""$C_i\le(\gamma+1)C'(1+\kappa)+(\gamma+1)\beta$ and $|C_i'|\le C'(1+\gamma)(1-\kappa)+(\gamma+1)\beta$."""
    mean, top, shift = stage * (own + gamma * opposite), stage * (1 + both * gamma), (gamma + 1) * beta
    return all_of(
        at_most((1 + kappa) * mean + shift, (1 + spread * kappa) * top + slack * shift, "C_i"),
        at_most(absolute((1 - kappa) * mean - shift), (1 - kappa) * top + slack * shift, "|C_i'|"),
    )


@claim(
    "kou2023.eq_d5.recursion",
    "Eq. (D.5)",
    mutants=[
        moved("without the factor 1/2", front=2.0),
        moved("half of the exponent", gain=0.5),
        moved("1 + gamma^2 left out", squared=0.0),
    ],
    **{**_APPENDIX, "convention": "pairs of steps from T_1 to 10^4; c_1 as measured"},
)
def own_coefficients_gain_at_least_the_exponential(
    data: Dataset, net: TwoLayer, rate: float, *, front: float = 1.0, gain: float = 1.0, squared: float = 1.0
) -> Margin:
    r"""With $Z^{(t)}=\sum_r(\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i})$:
    $Z^{(t+1)}\ge Z^{(t)}+\frac{\eta\|x_i\|^2e^{-C_i}}{2n}\exp(-\frac{(1+\gamma^2)(1+\kappa)}mZ^{(t)})$ for $t\ge T_1$.
    """
    late = after_first_stage(data, net, rate, pairs=1)
    steps = late.course.steps
    now = np.flatnonzero(steps[1:] == steps[:-1] + 1)
    m, n = late.course.width, len(late.course.squares)
    steepness = gain * (1 + squared * late.gamma**2) * (1 + late.kappa)
    bound = front * late.rate * late.course.squares / (2 * n) * np.exp(-late.offset(1.0) - steepness * late.gained[now])
    return at_least(
        m * (late.gained[now + 1] - late.gained[now]) / bound, 1.0, "gain of one step over its bound", error=1e-6
    )


@claim(
    "kou2023.eq_d6.rho_lower",
    "Eq. (D.6)",
    mutants=[moved("a tenth more", factor=1.1), moved("1 in place of 1 + gamma^2", squared=0.0)],
    **_APPENDIX,
)
def own_coefficients_gain_at_least_a_logarithm(
    data: Dataset, net: TwoLayer, rate: float, *, factor: float = 1.0, squared: float = 1.0
) -> Margin:
    r"""$\sum_r(\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i})\ge\frac m{(1+\gamma^2)(1+\kappa)}
    \log(1+\frac{\eta\|x_i\|^2e^{-C_i}(1+\gamma^2)(1+\kappa)}{2nm}(t-T_1))$ for $t\ge T_1$.
    """
    late = after_first_stage(data, net, rate)
    bound = factor * late.growth / ((1 + squared * late.gamma**2) * (1 + late.kappa))
    return at_least(late.gained, bound, "mean gain of the own coefficients", error=1e-7)


@claim(
    "kou2023.lemma_d2.margin_lower",
    "proof of Lemma D.2, lower bound of the margin",
    mutants=[moved("a tenth more than the logarithm", factor=1.1), moved("1 + gamma^2 in front", squared=1.0)],
    **_APPENDIX,
)
def margins_grow_at_least_logarithmically(
    data: Dataset, net: TwoLayer, rate: float, *, factor: float = 1.0, squared: float = 0.0
) -> Margin:
    r"""$y_if\ge\frac{1-\kappa}{1+\kappa}\log(1+\frac{\eta\|x_i\|^2e^{-C_i}(1+\gamma^2)(1+\kappa)}{2nm}(t-T_1))+C_i'$
    for $t\ge T_1$, where
    $C_i'=\frac{1-\kappa}m\sum_r\bar\rho^{(T_1)}_{y_i,r,i}+\frac{\gamma(1-\kappa)}m\sum_r|\underline\rho^{(T_1)}_{-y_i,r,i}|-(\gamma+1)\beta$.
    """
    late = after_first_stage(data, net, rate)
    front = factor * (1 + squared * late.gamma**2) * (1 - late.kappa) / (1 + late.kappa)
    return at_least(late.course.margins, front * late.growth + late.offset(-1.0), "y f", error=1e-6)
