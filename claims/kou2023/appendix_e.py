r"""Appendix E, conditions and displays in the proofs of Lemmas E.1 and E.2: coefficients of a ReLU network.

With $\hat\epsilon=R_{\min}^{-2}pn$ and $c'=\max_im/|S_i^{(0)}|$. Where a display uses the constant $c_1$ of Lemma E.1
it is measured over the run; $\hat c=1/10$ and $T_1=2nm/(\eta R_{\max}^2)$. On orthogonal data runs reach $t=10^{20}$,
on others $10^5$.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, claim, less, moved, suppose, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import (
    LEAKY_APPENDIX,
    RELU_APPENDIX,
    near_orthogonal,
    near_orthogonal_leaky,
    off_boundaries,
    small_start,
    small_start_leaky,
    small_step,
    tame_start,
)
from refute.claims.kou2023.gaussian_start import OMEGA
from refute.claims.kou2023.relu_coefficients import (
    DIRECT,
    GENERIC,
    MIXED,
    ORTHOGONAL,
    Floats,
    active_mean,
    balance,
    own_active,
    proof_constants,
    settled,
)
from refute.claims.kou2023.sequences import ratio_of_logarithms_does_not_decrease
from refute.decide.probability import with_probability
from refute.decide.proof import by_smt, steps
from refute.decide.symbolic import by_identity
from refute.functions import exp, leaky_relu, log, log1p, mean
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import (
    Decomposition,
    first_step_after,
    last_step_before,
    stage_length,
    unroll,
    unroll_long,
)
from refute.models.kou2023.orthogonality import largest_overlap, relative_overlap, squared_radii
from refute.strategies import choice, count, sized
from refute.strategies.kou2023.nearly_orthogonal import relu_training, training

STAGE = 2.0  # C in T_1 = C nm/(eta R_max^2)
FLOOR = 0.1  # c-hat: up to T_1 the outputs are at most 2.1, and 1/(1 + e^2.1) > 1/10
GIVEN = relu_training(constants=(100,))

_CONDITIONS: dict[str, Any] = {"given": relu_training(), "assumes": RELU_APPENDIX, "cost": 4.0}
_EARLY: dict[str, Any] = {
    "kind": Kind.DYNAMICS,
    "given": GIVEN,
    "assumes": RELU_APPENDIX,
    "recorded": "supported",
    "convention": "c-hat = 1/10; T_1 with the constant 2",
    "cost": 2.0,
}


def _weaker_conditions() -> str | None:
    def statement() -> Any:
        import z3

        gamma, start, square, overlaps = z3.Reals(
            "gamma start square overlaps"
        )  # (sigma_0 C R_max)^2 log(mn/delta), R_min^4, C R_max^2 np
        fourth = gamma * gamma * gamma * gamma
        given = z3.And(gamma > 0, gamma < 1, square > 0, start <= gamma * gamma, square * fourth >= overlaps)
        return z3.Implies(given, z3.And(start <= 1, square >= overlaps))

    return steps(by_smt(statement), "(E.3) is (B.3) word by word")


@claim(
    "kou2023.cond_e2_e4.definition",
    "Eqs. (E.2) to (E.4)",
    given=training(),
    assumes=LEAKY_APPENDIX,
    proof=_weaker_conditions,
    recorded="proved",
    mutants=[moved("with 2C", gain=2), without(small_start_leaky), without(small_step), without(near_orthogonal_leaky)],
    convention="a check of the definition: these are the conditions of appendix B with gamma = 1, so those for gamma "
    "< 1 imply them",
    cost=4.0,
)
def the_conditions_follow_from_those_for_leaky_networks(
    data: Dataset, net: TwoLayer, rate: Number, scale: Number, delta: Number, C: int, *, gain: int = 1
) -> Margin:
    r"""$\sigma_0\le(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$, $\eta\le nm/(CR_{\max}^2)$ and $R_{\min}^2\ge CR^2np$ hold
    wherever (B.2) to (B.4) hold for some $\gamma<1$.
    """
    return all_of(
        small_start.margin(data, net, scale, delta, gain * C),
        small_step.margin(data, net, rate, gain * C),
        near_orthogonal.margin(data, net, gain * C),
    )


@claim(
    "kou2023.cond_e.event_probability",
    "Appendix E, first paragraph",
    kind=Kind.PROBABILISTIC,
    given=sized(n=choice(1, 2, 4), excess=count(0, 40), delta=choice("1/10", "1/4", "1/20")),
    recorded="supported",
    mutants=[
        moved("norms within a twentieth", half=0.05),
        moved("signals below half of the bound", share=0.5),
        moved("between 48% and 52% active", off=0.02),
    ],
    convention="inputs e_1, ..., e_n, labels 1; sigma_0 = 1; m = 50 log(2n/delta) and d = 50 log(mn/delta), both "
    "rounded up, and m "
    "larger by the excess; Theorem 4.3 promises 1 - delta, so delta has to be halved there",
)
def all_events_of_appendix_a_hold_together(
    n: int,
    excess: int,
    delta: float,
    *,
    rng: np.random.Generator,
    trials: int,
    half: float = 0.5,
    share: float = 1.0,
    off: float = 0.1,
) -> Margin:
    r"""With probability at least $1-2\delta$ the bounds of Lemma A.1 on norms and signals and
    $0.4m\le|S_i^{(0)}|\le0.6m$ all hold.
    """
    m = int(np.ceil(OMEGA * np.log(2 * n / float(delta)))) + excess
    d = int(np.ceil(OMEGA * np.log(m * n / float(delta))))
    bound = share * np.sqrt(2 * np.log(8 * m * n / float(delta)))

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        signals = rng.standard_normal((count, 2 * m, n))
        squares = (signals**2).sum(axis=2) + rng.chisquare(d - n, (count, 2 * m))
        fair = (np.abs(squares - d) <= half * d).all(axis=1)
        tame = (np.abs(signals) <= bound).all(axis=(1, 2))
        active = (signals[:, :m] > 0).mean(axis=1)
        return np.asarray(fair & tame & (np.abs(active - 0.5) <= off + 1e-12).all(axis=1))

    return with_probability(1 - 2 * delta, trial, rng, trials, "norms, signals and active neurons are as in appendix A")


def _start_is_small() -> str | None:
    def statement() -> Any:
        import z3

        square, unit, C, ratio, two = z3.Reals(
            "square unit C ratio two"
        )  # beta^2, (sigma_0 R_max)^2, C, log(mn/delta), log 2
        given = z3.And(
            unit > 0, C > 0, two > 0, ratio >= two, square <= 2 * (3 * two + ratio) * unit, unit * C * C * ratio <= 1
        )
        return z3.Implies(given, square * C * C <= 8)

    return by_smt(statement)


@claim(
    "kou2023.cond_e5.beta_small",
    "Eq. (E.5)",
    proof=_start_is_small,
    recorded="proved",
    mutants=[moved("c = 1/C", square=1), without(small_start), without(tame_start)],
    convention="c = sqrt(8)/C, small for large C; m >= 2, since 0.4m <= |S_i| <= 0.6m cannot hold for m = 1; for mn = "
    "1 and delta near 1 "
    "no c would do. The text refers to (B.2) and (B.4) where it needs (E.2) and (E.4)",
    **_CONDITIONS,
)
def initial_signals_are_small(data: Dataset, net: TwoLayer, C: int, *, square: int = 8) -> Margin:
    r"""$\beta\le c$: since $\log(8mn/\delta)\le4\log(mn/\delta)$ for $mn\ge2$, Lemma A.1 and (E.2) give
    $C^2\beta^2\le8$.
    """
    signals = net.inner @ data.inputs.T
    return at_most(C * C * signals * signals, square, "(C <w(0), x_i>)^2")


def _overlaps_are_small() -> str | None:
    def statement() -> Any:
        import z3

        low, high, np_, C = z3.Reals("low high np C")
        given = z3.And(low > 0, high >= low, np_ >= 0, C > 0, low * low >= C * high * np_)
        return z3.Implies(given, z3.And(C * np_ <= low, C * high * np_ <= low * low))

    return by_smt(statement)


_OVERLAP_MUTANTS = [moved("c = 2/(3C)", factor=Fraction(3, 2)), without(near_orthogonal)]
_OVERLAPS: dict[str, Any] = {
    **_CONDITIONS,
    "proof": _overlaps_are_small,
    "recorded": "proved",
    "mutants": _OVERLAP_MUTANTS,
}


@claim("kou2023.cond_e6.np_small", "Eq. (E.6)", convention="c = 1/C", **_OVERLAPS)
def overlaps_are_small(data: Dataset, C: int, *, factor: Number = Fraction(1)) -> Margin:
    r"""$R_{\min}^{-2}np\le c$ with $c=1/C$, from (E.4)."""
    overlap = len(data.labels) * largest_overlap(data.inputs)
    return at_most(factor * C * overlap, squared_radii(data.inputs)[0], "C n p against R_min^2")


@claim("kou2023.cond_e7.np_small_R", "Eq. (E.7)", convention="c = 1/C", **_OVERLAPS)
def overlaps_are_small_for_unequal_norms(data: Dataset, C: int, *, factor: Number = Fraction(1)) -> Margin:
    r"""$R_{\min}^{-2}R^2np\le c$ with $c=1/C$: this is (E.4) itself."""
    low, high = squared_radii(data.inputs)
    overlap = len(data.labels) * largest_overlap(data.inputs)
    return at_most(factor * C * high * overlap, low * low, "C R_max^2 n p against R_min^4")


def _first_stage(data: Dataset, net: TwoLayer, rate: float) -> tuple[Decomposition, float, Floats]:
    """All steps up to T_1, eta/(nm), and the step numbers with the axes (time, r, i)."""
    course = unroll(net, data, rate=rate, steps=last_step_before(stage_length(net, data, rate, STAGE)))
    return course, rate / (len(data.labels) * course.width), course.steps[:, None, None]


def _chosen(course: Decomposition, values: Floats, every: int = 0) -> Floats:
    """Entries of own values where r is in S_i^(0), and nan elsewhere: (time, r, i)."""
    return np.asarray(course.own(values) if every else np.where(course.starts_active, course.own(values), np.nan))


def _all_active(values: Floats, otherwise: Any) -> Floats:
    return np.asarray(np.where(np.isnan(values), otherwise, values))


@claim(
    "kou2023.eq_e8_e9.step_upper",
    "Eqs. (E.8) and (E.9)",
    mutants=[moved("2/5 of it", share=0.4), moved("without |x_i|^2", power=0.0)],
    **_EARLY,
)
def coefficients_grow_by_a_bounded_step(
    data: Dataset, net: TwoLayer, rate: float, *, share: float = 1.0, power: float = 1.0
) -> Margin:
    r"""In one step $\bar\rho_{j,r,i}$ and $|\underline\rho_{j,r,i}|$ grow by at most
    $\frac\eta{nm}\|x_i\|^2\le\frac{\eta R_{\max}^2}{nm}$.
    """
    course, unit, _ = _first_stage(data, net, rate)
    grown = np.diff(np.abs(course.rho), axis=0)
    high = float(squared_radii(data.inputs)[1])
    return all_of(
        at_most(grown, share * unit * course.squares**power, "growth of |rho|", error=1e-14),
        at_most(unit * course.squares, unit * high, "eta |x_i|^2/(nm)", error=1e-14),
    )


@claim(
    "kou2023.eq_e10.lower_linear",
    "Eq. (E.10)",
    mutants=[moved("c-hat = 1/2", floor=0.5), moved("for every neuron of the class", every=1)],
    **_EARLY,
)
def active_coefficients_grow_linearly(
    data: Dataset, net: TwoLayer, rate: float, *, floor: float = FLOOR, every: int = 0
) -> Margin:
    r"""For $t\le T_1$ and $r\in S_i^{(0)}$: $\bar\rho_{y_i,r,i}\ge\frac{\hat c\eta\|x_i\|^2}{nm}t\ge\frac{\hat c\eta
    R_{\min}^2}{nm}t$.
    """
    course, unit, steps = _first_stage(data, net, rate)
    bound = floor * unit * course.squares * steps
    low = float(squared_radii(data.inputs)[0])
    rho = _all_active(_chosen(course, course.rho, every), bound)
    return all_of(
        at_least(rho, bound, "rho-bar", error=1e-13),
        at_least(bound, floor * unit * low * steps, "the bound", error=1e-13),
    )


@claim(
    "kou2023.eq_e11_e12.ratio_early",
    "Eqs. (E.11) and (E.12)",
    mutants=[
        moved("c-hat = 11/10", floor=1.1),
        moved("2/5 of the linear bound", share=0.4),
        moved("for every neuron of the class", every=1),
    ],
    **_EARLY,
)
def active_coefficients_are_comparable_to_all_early(
    data: Dataset, net: TwoLayer, rate: float, *, floor: float = FLOOR, share: float = 1.0, every: int = 0
) -> Margin:
    r"""For $t\le T_1$: $|\rho_{j,r',i'}|\le\frac{\eta R_{\max}^2}{nm}t$, and
    $\bar\rho_{y_i,r,i}\ge\hat c\frac{R_{\min}^2}{R_{\max}^2}|\rho_{j,r',i'}|$ for $r\in S_i^{(0)}$ and all $j,r',i'$.
    """
    course, unit, _ = _first_stage(data, net, rate)
    low, high = (float(v) for v in squared_radii(data.inputs))
    top = np.abs(course.rho).max(axis=(1, 2, 3))
    least = np.nanmin(_chosen(course, course.rho, every), axis=(1, 2))
    return all_of(
        at_most(top, share * unit * high * course.steps, "largest |rho|", error=1e-13),
        at_least(least, floor * low / high * top, "smallest active rho-bar", error=1e-13),
    )


@claim(
    "kou2023.lemma_e1.early_activation",
    "proof of Lemma E.1, before the second induction",
    mutants=[moved("1001/1000 of the coefficient", factor=1.001), moved("for every neuron of the class", every=1)],
    **_EARLY,
)
def active_signals_are_almost_the_coefficients_early(
    data: Dataset, net: TwoLayer, rate: float, *, factor: float = 1.0, every: int = 0
) -> Margin:
    r"""For $t\le T_1$, $r\in S_i^{(0)}$:
    $\langle w_{y_i,r},x_i\rangle\ge(1-\frac{R_{\max}^2}{\hat cR_{\min}^2}R_{\min}^{-2}np)\bar\rho_{y_i,r,i}\ge0$.
    """
    course, _, _ = _first_stage(data, net, rate)
    low, high = (float(v) for v in squared_radii(data.inputs))
    share = 1 - high / (FLOOR * low) * len(data.labels) * float(largest_overlap(data.inputs)) / low
    signals, rho = (_all_active(_chosen(course, values, every), 0.0) for values in (course.signals, course.rho))
    return all_of(
        at_least(signals, factor * share * rho, "<w, x_i>", error=1e-13), at_least(share * rho, 0, "the bound")
    )


def _logit_proof() -> str | None:
    def statement() -> Any:
        import z3

        own, other = z3.Reals("own other")  # e^{F_y} and e^{F_-y}, where F_-y >= 0
        return z3.Implies(z3.And(own > 0, other >= 1), 1 / (1 + own / other) >= 1 / (1 + own))

    return by_smt(statement)


@claim(
    "kou2023.eq_e13.logit_lower_F",
    "Eq. (E.13)",
    given=relu_training(),
    proof=_logit_proof,
    recorded="proved",
    mutants=[
        moved("for slope 1/2", slope=Fraction(1, 2)),
        moved("a tenth more", gain=Fraction(11, 10)),
        moved("with F_-y", other=1),
    ],
    convention="the proof needs of F_-y only that a mean of ReLUs is not negative",
    cost=4.0,
)
def logits_are_bounded_by_the_own_output(
    data: Dataset, net: TwoLayer, *, slope: Number = Fraction(0), gain: Number = Fraction(1), other: int = 0
) -> Margin:
    r"""$|\ell_i'|=\frac1{1+\exp(F_{y_i}-F_{-y_i})}\ge\frac1{1+\exp F_{y_i}}$ for ReLU."""
    m = net.width // 2
    hidden = leaky_relu(net.inner @ data.inputs.T, slope)
    halves = [mean(hidden[:m], axis=0), mean(hidden[m:], axis=0)]
    parts = []
    for i, y in enumerate(data.labels):
        own, opposite = (halves[int((y > 0) == flip)][i] for flip in (False, True))
        parts.append(at_least(1 / (1 + exp(own - opposite)), gain / (1 + exp(opposite if other else own)), "|l'|"))
    return all_of(*parts)


@dataclass(frozen=True)
class Grown:
    """A run and the constants of the proof of Lemma E.1."""

    course: Decomposition
    rate: float

    @cached_property
    def constants(self) -> tuple[float, float, float]:
        """c_1 as measured, c' and R_min^-2 p n."""
        return proof_constants(self.course)

    @property
    def upper(self) -> float:
        """c'(1 + R_min^-2 p n/c_1)."""
        c1, c_prime, spread = self.constants
        return c_prime * (1 + spread / c1)

    @property
    def lower(self) -> float:
        """1 - 2c' R_min^-2 p n/c_1."""
        c1, c_prime, spread = self.constants
        return 1 - 2 * c_prime * spread / c1

    @property
    def beta(self) -> float:
        return float(self.course.beta)

    @cached_property
    def mean(self) -> Floats:
        """1/m sum over S_i^(0) of rho-bar."""
        return active_mean(self.course)

    @property
    def unit(self) -> Floats:
        """eta |S_i| |x_i|^2/(nm^2)."""
        active = self.course.starts_active.sum(axis=0)
        return np.asarray(self.rate * active * self.course.squares / (len(active) * self.course.width**2))

    @property
    def time(self) -> Floats:
        return self.course.steps[:, None]


def _grown(data: Dataset, net: TwoLayer, rate: float) -> Grown:
    return Grown(settled(data, net, rate), rate)


_LONG: dict[str, Any] = {
    "kind": Kind.DYNAMICS,
    "given": GIVEN,
    "assumes": RELU_APPENDIX,
    "recorded": "supported",
    "convention": "c_1 as measured over the run, c' = max m/|S_i|",
}


@claim(
    "kou2023.eq_e14.active_sum_upper",
    "Eq. (E.14)",
    mutants=[moved("9/20 of c'", gain=0.45), moved("without beta", slack=0.0)],
    **_LONG,
)
def active_signals_are_bounded_by_active_coefficients(
    data: Dataset, net: TwoLayer, rate: float, *, gain: float = 1.0, slack: float = 1.0
) -> Margin:
    r"""$\sum_{S_i^{(t)}}\langle w_{y_i,r},x_i\rangle\le
    c'(1+\hat\epsilon/c_1)\sum_{S_i^{(0)}}\bar\rho_{y_i,r,i}+|S_i^{(t)}|\beta$.

    Divided by m: the left side becomes $F_{y_i}(x_i)$.
    """
    grown = _grown(data, net, rate)
    active = (grown.course.own(grown.course.signals) > 0).mean(axis=1)
    bound = gain * grown.upper * grown.mean + slack * active * grown.beta
    return at_most(grown.course.own(grown.course.outputs), bound, "mean active signal", error=1e-7)


@claim(
    "kou2023.lemma_e1.late_joiners",
    "proof of Lemma E.1, after (E.14)",
    mutants=[moved("equal for every neuron of the class", every=1), moved("of the other class", which="opposite")],
    **_LONG,
)
def neurons_that_join_later_stay_behind(
    data: Dataset, net: TwoLayer, rate: float, *, every: int = 0, which: str = "own"
) -> Margin:
    r"""$\bar\rho_{y_i,r,i}$ is the same for all $r\in S_i^{(0)}$ and at least $\bar\rho_{y_i,r',i}$
    for all other $r'$.
    """
    course = settled(data, net, rate)
    rho = getattr(course, which)(course.rho)
    chosen = rho if every else np.where(course.starts_active, rho, np.nan)
    most, least = np.nanmax(chosen, axis=1), np.nanmin(chosen, axis=1)
    return all_of(
        at_most(most - least, 0, "spread over S_i", error=1e-6),
        at_most(rho.max(axis=1) - least, 0, "largest rho-bar beyond S_i", error=1e-6),
    )


@claim(
    "kou2023.eq_e15.logit_lower",
    "Eq. (E.15)",
    mutants=[moved("3/5 in place of 1/2", front=0.6), moved("9/20 of c'", gain=0.45)],
    **_LONG,
)
def logits_are_bounded_below(
    data: Dataset, net: TwoLayer, rate: float, *, front: float = 0.5, gain: float = 1.0
) -> Margin:
    r"""$|\ell_i'|\ge\frac12\exp\{-\frac{c'(1+\hat\epsilon/c_1)}m\sum_{S_i^{(0)}}\bar\rho_{y_i,r,i}-\beta\}$; compared
    as logarithms.
    """
    grown = _grown(data, net, rate)
    bound = np.log(front) - gain * grown.upper * grown.mean - grown.beta
    return at_least(np.log(grown.course.logits), bound, "log |l'|", error=1e-6)


@claim(
    "kou2023.eq_e16.Fminus_upper",
    "Eq. (E.16)",
    mutants=[moved("without beta", slack=0.0), moved("for the own class", which="own")],
    **{**_LONG, "convention": ""},
)
def the_output_of_the_other_class_is_small(
    data: Dataset, net: TwoLayer, rate: float, *, slack: float = 1.0, which: str = "opposite"
) -> Margin:
    r"""$F_{-y_i}(x_i)\le\frac1m\sum_r(\beta+\sum_{i'\ne i}|\rho_{-y_i,r,i'}|R_{\min}^{-2}p)$."""
    course = settled(data, net, rate)
    sizes = np.abs(course.rho).mean(axis=2)
    share = float(largest_overlap(data.inputs) / squared_radii(data.inputs)[0])
    bound = slack * float(course.beta) + (sizes.sum(axis=2, keepdims=True) - sizes) * share
    pick = getattr(course, which)
    return at_most(pick(course.outputs), pick(bound), "F_-y", error=1e-7)


@claim(
    "kou2023.lemma_e1.margin_lower",
    "proof of Lemma E.1, after (E.15)",
    mutants=[moved("1001/1000 of the sum", factor=1.001), moved("without 2 beta", slack=0.0)],
    **_LONG,
)
def margins_are_bounded_by_active_coefficients(
    data: Dataset, net: TwoLayer, rate: float, *, factor: float = 1.0, slack: float = 2.0
) -> Margin:
    r"""$F_{y_i}-F_{-y_i}\ge\frac{1-2c'\hat\epsilon/c_1}m\sum_{S_i^{(0)}}\bar\rho_{y_i,r,i}-2\beta$, and $|\ell_i'|$ is
    at most the exponential of minus that.
    """
    grown = _grown(data, net, rate)
    bound = factor * grown.lower * grown.mean - slack * grown.beta
    return all_of(
        at_least(grown.course.margins, bound, "F_y - F_-y", error=1e-7),
        at_most(np.log(grown.course.logits), -bound, "log |l'|", error=1e-7),
    )


@claim(
    "kou2023.eq_e17_e18.recursions",
    "Eqs. (E.17) and (E.18)",
    mutants=[
        moved("6/5 in place of 1/2", front=1.2),
        moved("9/20 of c'", gain=0.45),
        moved("upper exponent 6/5", factor=1.2),
        moved("half of the upper bound", top=0.5),
    ],
    **{**_LONG, "convention": "pairs of steps up to 10^4; c_1 as measured over the run, c' = max m/|S_i|"},
)
def active_sums_grow_between_two_exponentials(
    data: Dataset,
    net: TwoLayer,
    rate: float,
    *,
    front: float = 0.5,
    gain: float = 1.0,
    factor: float = 1.0,
    top: float = 1.0,
) -> Margin:
    r"""In one step $\Sigma=\sum_{S_i^{(0)}}\bar\rho_{y_i,r,i}$ grows by at least
    $\frac{\eta|S_i^{(0)}|\|x_i\|^2e^{-\beta}}{2nm}\exp(-\frac{c'(1+\hat\epsilon/c_1)}m\Sigma)$ and at most
    $\frac{\eta|S_i^{(0)}|\|x_i\|^2e^{2\beta}}{nm}\exp(-\frac{1-2c'\hat\epsilon/c_1}m\Sigma)$.
    """
    times = np.round(np.geomspace(1, 1e4, 15))
    grown = Grown(unroll_long(net, data, rate=rate, times=np.union1d(times, times + 1), freeze=DIRECT), rate)
    now = np.flatnonzero(np.diff(grown.course.steps) == 1)
    speed = (grown.mean[now + 1] - grown.mean[now]) / grown.unit
    return all_of(
        at_least(
            speed / np.exp(-grown.beta - gain * grown.upper * grown.mean[now]), front, "growth over (E.17)", error=1e-6
        ),
        at_most(
            speed / np.exp(2 * grown.beta - factor * grown.lower * grown.mean[now]),
            top,
            "growth over (E.18)",
            error=1e-6,
        ),
    )


@claim(
    "kou2023.eq_e19.sum_lower",
    "Eq. (E.19)",
    mutants=[moved("twice as much and a half", gain=2.5), moved("9/20 of c'", share=0.45)],
    **_LONG,
)
def active_sums_grow_at_least_logarithmically(
    data: Dataset, net: TwoLayer, rate: float, *, gain: float = 1.0, share: float = 1.0
) -> Margin:
    r"""$\sum_{S_i^{(0)}}\bar\rho_{y_i,r,i}\ge\frac m{c'(1+\hat\epsilon/c_1)}
    \log(1+\frac{c'(1+\hat\epsilon/c_1)\eta|S_i^{(0)}|\|x_i\|^2e^{-\beta}}{2nm^2}t)$.
    """
    grown = _grown(data, net, rate)
    upper = share * grown.upper
    bound = gain / upper * np.log1p(upper * grown.unit * np.exp(-grown.beta) / 2 * grown.time)
    return at_least(grown.mean, bound, "mean of active rho-bar", error=1e-7)


@claim(
    "kou2023.eq_e20.sum_upper",
    "Eq. (E.20)",
    mutants=[moved("nine tenths of it", gain=0.9), moved("a fifth of 2 kappa in the logarithm", inside=0.4)],
    **_LONG,
)
def active_sums_grow_at_most_logarithmically(
    data: Dataset, net: TwoLayer, rate: float, *, gain: float = 1.0, inside: float = 2.0
) -> Margin:
    r"""With $\kappa=1-2c'\hat\epsilon/c_1$ and $a=\kappa\eta|S_i^{(0)}|\|x_i\|^2e^{2\beta}/(nm^2)$: $a\le\log2$ and
    $\sum_{S_i^{(0)}}\bar\rho_{y_i,r,i}\le\frac m\kappa\log(1+2at)$.
    """
    grown = _grown(data, net, rate)
    a = grown.lower * grown.unit * np.exp(2 * grown.beta)
    bound = gain / grown.lower * np.log1p(inside * a * grown.time)
    return all_of(at_most(a, np.log(2), "a"), at_most(grown.mean, bound, "mean of active rho-bar", error=1e-7))


@claim(
    "kou2023.eq_e22_e23.loosened",
    "Eqs. (E.22) and (E.23)",
    mutants=[moved("c_2 five times as large", low_gain=5.0), moved("c_3 half as large", high_gain=0.5)],
    **{**_LONG, "convention": "c_2 and c_3 as in the proof, with c_1 as measured and c' = max m/|S_i|"},
)
def active_coefficients_obey_the_loosened_bounds(
    data: Dataset, net: TwoLayer, rate: float, *, low_gain: float = 1.0, high_gain: float = 1.0
) -> Margin:
    r"""$c_2\log(1+\frac{\eta R_{\min}^2e^{-\beta}}{5nm}t)\le\bar\rho_{y_i,r,i}\le c_3\log(1+\frac{6\eta
    R_{\max}^2e^{2\beta}}{5nm}t)$ for $r\in S_i^{(0)}$.
    """
    grown = _grown(data, net, rate)
    low, high = (float(v) for v in squared_radii(data.inputs))
    pace = rate / (5 * len(data.labels) * grown.course.width) * grown.course.steps
    rho = own_active(grown.course)
    c3 = grown.constants[1] / grown.lower
    return all_of(
        at_least(
            np.nanmin(rho, axis=(1, 2)),
            low_gain / grown.upper * np.log1p(low * np.exp(-grown.beta) * pace),
            "rho-bar",
            error=1e-7,
        ),
        at_most(
            np.nanmax(rho, axis=(1, 2)),
            high_gain * c3 * np.log1p(6 * high * np.exp(2 * grown.beta) * pace),
            "rho-bar",
            error=1e-7,
        ),
    )


_CHAIN = sized(
    low=choice("1", "100", "1/100", "1000000"),
    ratio=choice("1", "4", "16"),
    beta=choice("0", "1/100", "1/10"),
    stage=choice("1", "2", "10"),
    later=choice("1", "10", "1000000"),
    rate=choice("1", "1/1000"),
    nm=choice(1, 20),
)


def _chain(low: Number, high: Number, beta: Number, t: Number, rate: Number, nm: int, least: Number) -> Margin:
    left = log(1 + rate * low * exp(-beta) * t / (5 * nm)) / log(1 + 6 * rate * high * exp(2 * beta) * t / (5 * nm))
    return at_least(left, least, "ratio of the logarithms of (E.22) and (E.23)")


@claim(
    "kou2023.lemma_e1.ratio_chain",
    "proof of Lemma E.1, display after (E.23)",
    given=_CHAIN,
    recorded="refuted",
    convention="the common factor c_2/c_3 is left out; low = R_min^2, high = R_max^2 = low times ratio, t = T_1 times "
    "later",
)
def the_loosened_bounds_have_the_printed_ratio(
    low: Number, ratio: Number, beta: Number, stage: Number, later: Number, rate: Number, nm: int
) -> Margin:
    r"""For $t\ge T_1=C\eta^{-1}nmR_{\max}^{-2}$ the lower bound (E.22) over the upper bound (E.23) is at least
    $\frac{c_2}{c_3}\frac{\log(1+0.2Ce^{-\beta}R_{\min}^2)}{\log(1+1.2Ce^{2\beta}R_{\max}^2)}$.

    Fails at $t=T_1$ whenever $R_{\max}>1$: putting $T_1$ in gives $0.2Ce^{-\beta}R_{\min}^2/R_{\max}^2$ and
    $1.2Ce^{2\beta}$. The printed value is that of $t=R_{\max}^2T_1$, and by Lemma H.4 the ratio grows with t.
    """
    high = low * ratio
    least = log(1 + stage * exp(-beta) * low / 5) / log(1 + 6 * stage * exp(2 * beta) * high / 5)
    return _chain(low, high, beta, later * stage * nm / (rate * high), rate, nm, least)


def _chain_proof() -> str | None:
    import sympy

    rate, nm, low, high, C, later, e = sympy.symbols("rate nm low high C later e", positive=True)  # e = e^beta
    stage = later * C * nm / (rate * high)
    below = rate * low / e * stage / (5 * nm) - C * low / (5 * e * high) * later
    above = 6 * rate * high * e**2 * stage / (5 * nm) - sympy.Rational(6, 5) * C * e**2 * later
    put_in = by_identity(
        lambda: [below, above], "at t = later T_1 the arguments are those of the bound times later >= 1"
    )
    monotone = ratio_of_logarithms_does_not_decrease.proof
    return steps(put_in, monotone and monotone(), "Lemma H.4, as e^-beta R^-2/5 < 6 e^{2 beta}/5")


@claim(
    "kou2023.lemma_e1.ratio_chain.amended",
    "proof of Lemma E.1, display after (E.23), with T_1 put in",
    given=_CHAIN,
    proof=_chain_proof,
    recorded="proved",
    mutants=[moved("without R_max in the numerator", power=0), moved("99/100 of T_1", early=Fraction(99, 100))],
    convention="as before",
)
def the_loosened_bounds_have_a_ratio_free_of_units(
    low: Number,
    ratio: Number,
    beta: Number,
    stage: Number,
    later: Number,
    rate: Number,
    nm: int,
    *,
    power: int = 1,
    early: Number = Fraction(1),
) -> Margin:
    r"""Amended: for $t\ge T_1$ the ratio is at least
    $\frac{c_2}{c_3}\frac{\log(1+0.2Ce^{-\beta}R_{\min}^2/R_{\max}^2)}{\log(1+1.2Ce^{2\beta})}$, by Lemma H.4.
    """
    high = low * ratio
    least = log(1 + stage * exp(-beta) / (5 * ratio**power)) / log(1 + 6 * stage * exp(2 * beta) / 5)
    return _chain(low, high, beta, early * later * stage * nm / (rate * high), rate, nm, least)


def _choice(x: Number, floor: Number, top: Number, c_prime: Number, whole: int) -> Margin:
    """c_2 >= floor, c_3 <= top and 14 c_2 >= c_3 for x = 2 c' R_min^-2 p n/c_1 in [0, 1/2]."""
    c2, c3 = 1 / (c_prime * (1 + x / (2 * c_prime))), c_prime / (1 - x)
    return all_of(at_least(c2, floor, "c_2"), at_most(c3, top, "c_3"), at_least(whole * c2, c3, "14 c_2 against c_3"))


def _choice_proof(floor: Fraction) -> str | None:
    def statement() -> Any:
        import z3

        x, c = z3.Real("x"), z3.RealVal("5/2")
        c2, c3 = 1 / (c * (1 + x / (2 * c))), c / (1 - x)
        parts = z3.And(c2 >= z3.RealVal(str(floor)), c3 <= 5, 14 * c2 >= c3)
        return z3.Implies(z3.And(x >= 0, x <= z3.RealVal("1/2")), parts)

    return by_smt(statement)


_SLACK = sized(x=choice("1/2", "0", "1/4", "1/100"))
_CHOICE_MUTANTS = [
    moved("c_2 >= 37/100", floor=Fraction(37, 100)),
    moved("c_3 <= 9/2", top=Fraction(9, 2)),
    moved("13 c_2 >= c_3", whole=13),
]


@claim(
    "kou2023.lemma_e1.constant_choice.r1",
    "proof of Lemma E.1, choice of the constants",
    given=_SLACK,
    recorded="refuted",
    convention="read as c_2 >= 0.37",
)
def the_constants_are_as_chosen_first_reading(
    x: Number,
    *,
    floor: Number = Fraction(37, 100),
    top: Number = Fraction(5),
    c_prime: Number = Fraction(5, 2),
    whole: int = 14,
) -> Margin:
    r"""With $c'=2.5$ and $2c'c_1^{-1}R_{\min}^{-2}pn\le0.5$: $c_2=\frac1{c'(1+c_1^{-1}R_{\min}^{-2}pn)}\ge0.37$ and
    $c_3=\frac{c'}{1-2c'c_1^{-1}R_{\min}^{-2}pn}\le5$.

    Fails at equality: $c_1^{-1}R_{\min}^{-2}pn=0.1$ gives $c_2=1/2.75=0.3636\ldots$
    """
    return _choice(x, floor, top, c_prime, whole)


@claim(
    "kou2023.lemma_e1.constant_choice.r2",
    "proof of Lemma E.1, choice of the constants",
    given=_SLACK,
    proof=lambda: _choice_proof(Fraction(36, 100)),
    recorded="proved",
    mutants=_CHOICE_MUTANTS,
    convention="read as c_2 >= 0.36",
)
def the_constants_are_as_chosen_second_reading(
    x: Number,
    *,
    floor: Number = Fraction(36, 100),
    top: Number = Fraction(5),
    c_prime: Number = Fraction(5, 2),
    whole: int = 14,
) -> Margin:
    r"""With $c'=2.5$ and $2c'c_1^{-1}R_{\min}^{-2}pn\le0.5$: $c_2\ge0.36$, $c_3\le5$, so that
    $c_2/c_3\ge\frac1{14}$.
    """
    return _choice(x, floor, top, c_prime, whole)


@claim(
    "kou2023.lemma_e1.constant_choice.r3",
    "proof of Lemma E.1, choice of the constants",
    given=_SLACK,
    proof=lambda: _choice_proof(Fraction(3, 10)),
    recorded="proved",
    mutants=_CHOICE_MUTANTS,
    convention="read as c_2 >= 0.3, from which alone 1/14 would not follow; the quotient is taken of the constants "
    "themselves",
)
def the_constants_are_as_chosen_third_reading(
    x: Number,
    *,
    floor: Number = Fraction(3, 10),
    top: Number = Fraction(5),
    c_prime: Number = Fraction(5, 2),
    whole: int = 14,
) -> Margin:
    r"""With $c'=2.5$ and $2c'c_1^{-1}R_{\min}^{-2}pn\le0.5$: $c_2\ge0.3$, $c_3\le5$ and $c_2/c_3\ge\frac1{14}$."""
    return _choice(x, floor, top, c_prime, whole)


@claim(
    "kou2023.lemma_e1.final_activation",
    "proof of Lemma E.1, last display",
    mutants=[moved("1001/1000 of the coefficient", factor=1.001), moved("for every neuron of the class", every=1)],
    **_LONG,
)
def active_signals_are_almost_the_coefficients(
    data: Dataset, net: TwoLayer, rate: float, *, factor: float = 1.0, every: int = 0
) -> Margin:
    r"""$\langle w_{y_i,r},x_i\rangle\ge(1-\hat\epsilon/c_1)\bar\rho_{y_i,r,i}>0$ for $r\in S_i^{(0)}$ and $t\ge1$."""
    course = settled(data, net, rate)
    c1, _, spread = proof_constants(course)
    signals, rho = (_all_active(_chosen(course, values, every), 1.0) for values in (course.signals, course.rho))
    return all_of(
        at_least(
            signals,
            np.where(np.isnan(_chosen(course, course.rho, every)), 0.0, factor * (1 - spread / c1) * rho),
            "<w, x_i>",
            error=1e-7,
        ),
        less(0, (1 - spread / c1) * rho, "0 against the bound"),
    )


_STRETCHED: dict[str, Any] = {
    "kind": Kind.DYNAMICS,
    "given": relu_training(samples=(2, 3), constants=(100,), spread=512).map(
        lambda drawn: drawn | {"data": _stretched(drawn["data"])}
    ),
    "assumes": ORTHOGONAL,
    "convention": "C = 2 in T_1, t from T_1 to 10^20; orthogonal inputs of which one is 4 to 16 times as long as the "
    "others",
}


def _stretched(data: Dataset) -> Dataset:
    """All inputs 1024 times as long, and the first one another 8 times."""
    return Dataset(data.inputs * np.array([8192] + [1024] * (len(data.labels) - 1), dtype=object)[:, None], data.labels)


def _late_balance(data: Dataset, net: TwoLayer, rate: Number) -> tuple[Decomposition, Array]:
    course = settled(data, net, rate, first=first_step_after(stage_length(net, data, rate, STAGE)))
    return course, balance(course)


@claim(
    "kou2023.lemma_e1.constant_choice.balance",
    "proof of Lemma E.1, choice of c_1",
    recorded="refuted",
    in_balls=True,
    **_STRETCHED,
)
def the_printed_constant_serves_the_first_item(data: Dataset, net: TwoLayer, rate: Number) -> Margin:
    r"""The first item of Lemma E.1 holds for $t\ge T_1$ with
    $c_1=\frac{\log(1+0.2Ce^{-\beta}R_{\min}^2)}{14\log(1+1.2Ce^{2\beta}R_{\max}^2)}$.

    Fails: this $c_1$ tends to $\frac1{14}$ when the unit of length shrinks, whatever $R=R_{\max}/R_{\min}$. At $T_1$
    the coefficients of two samples have a ratio of order $R^{-2}$, in any unit: for $R=8$, lengths 1024 and 8192 and
    small $\beta$, $c_1\approx0.049$ against about $0.02$. For every other C it fails in the same way once $R^2$ is
    large against C.
    """
    course, found = _late_balance(data, net, rate)
    (low, high), beta = squared_radii(data.inputs), course.beta
    c1 = log1p(STAGE * exp(-beta) * low / 5) / (14 * log1p(6 * STAGE * exp(2 * beta) * high / 5))
    return at_least(found, c1, "smallest active own coefficient over the largest", error=1e-6)


@claim(
    "kou2023.lemma_e1.constant_choice.balance.amended",
    "proof of Lemma E.1, choice of c_1, with T_1 put in",
    recorded="supported",
    mutants=[moved("without R^-2", power=0.0), moved("fifty times as large", gain=50.0)],
    **_STRETCHED,
)
def the_constant_free_of_units_serves_the_first_item(
    data: Dataset, net: TwoLayer, rate: float, *, power: float = 1.0, gain: float = 1.0
) -> Margin:
    r"""Amended: $c_1=\frac{\log(1+0.2Ce^{-\beta}R^{-2})}{14\log(1+1.2Ce^{2\beta})}$ serves for $t\ge T_1$."""
    course, found = _late_balance(data, net, rate)
    low, high = (float(v) for v in squared_radii(data.inputs))
    beta = float(course.beta)
    inside = 0.2 * STAGE * np.exp(-beta) * (low / high) ** power
    c1 = gain * np.log1p(inside) / (14 * np.log1p(1.2 * STAGE * np.exp(2 * beta)))
    return at_least(found, c1, "smallest active own coefficient over the largest", error=1e-6)


def _push(course: Decomposition) -> Floats:
    """sum over k != i' of |rho_{j,r,k}| |x_k|^-2 p for j = -y_i': (time, r, i')."""
    sizes = np.abs(course.rho) / course.squares
    return course.opposite((sizes.sum(axis=3, keepdims=True) - sizes) * float(largest_overlap(course.data.inputs)))


def _other_class(course: Decomposition) -> Floats:
    """The smallest rho-bar_{y_i,r',i} with r' in S_i^(0) over the samples i of the class that i' is not of: (time, 1,
    i').
    """
    labels, chosen = course.data.labels, own_active(course)
    suppose(bool((labels > 0).any() and (labels < 0).any()), "both labels occur")
    least = {y: np.nanmin(chosen[:, :, labels == y], axis=(1, 2)) for y in (1.0, -1.0)}
    return np.stack([least[-float(y)] for y in labels], axis=1)[:, None, :]


@claim(
    "kou2023.eq_e24.opposite_affine",
    "Eq. (E.24)",
    mutants=[moved("without beta + 1", slack=0.0, one=0.0), moved("beta/2 in place of beta + 1", slack=0.5, one=0.0)],
    **{**_LONG, "given": MIXED},
)
def opposite_coefficients_are_bounded_affinely(
    data: Dataset, net: TwoLayer, rate: float, *, slack: float = 1.0, one: float = 1.0
) -> Margin:
    r"""$|\underline\rho_{y_i,r,i'}|\le\beta+1+\hat\epsilon\bar\rho_{y_i,r',i}/c_1$ for all t, r, $r'\in S_i^{(0)}$ and
    $y_{i'}=-y_i$.
    """
    course = settled(data, net, rate)
    least = _other_class(course)
    c1, _, spread = proof_constants(course)
    bound = slack * float(course.beta) + one + spread / c1 * least
    return at_most(np.abs(course.opposite(course.rho)), bound, "|rho-underbar|", error=1e-7)


@claim(
    "kou2023.lemma_e2.case_inactive",
    "proof of Lemma E.2, first case",
    mutants=[moved("without beta", slack=0.0), moved("with beta/2", slack=0.5)],
    **{
        **_EARLY,
        "given": MIXED,
        "convention": "every step up to T_1, with the constant 2; other cases meet the premise in vain",
    },
)
def large_opposite_coefficients_rest(data: Dataset, net: TwoLayer, rate: float, *, slack: float = 1.0) -> Margin:
    r"""If $|\underline\rho_{y_i,r,i'}|>\beta+\sum_{k\ne i'}|\rho_{y_i,r,k}|\|x_k\|^{-2}p$, then
    $\langle w_{y_i,r},x_{i'}\rangle<0$ and the next step leaves $\underline\rho_{y_i,r,i'}$ as it is.
    """
    course, _, _ = _first_stage(data, net, rate)
    rho, signals = course.opposite(course.rho), course.opposite(course.signals)
    premise = np.abs(rho) > slack * float(course.beta) + _push(course) + 1e-13
    return all_of(
        less(np.where(premise, signals, -1.0), 0, "<w, x_i'>"),
        at_most(np.where(premise[:-1], np.abs(np.diff(rho, axis=0)), 0.0), 0, "change of rho-underbar"),
    )


@claim(
    "kou2023.eq_e25.case_active",
    "Eq. (E.25)",
    mutants=[moved("without beta", slack=0.0), moved("with beta/2", slack=0.5)],
    **{**_LONG, "given": MIXED},
)
def other_opposite_coefficients_are_small(data: Dataset, net: TwoLayer, rate: float, *, slack: float = 1.0) -> Margin:
    r"""If $|\underline\rho_{y_i,r,i'}|\le\beta+\sum_{k\ne i'}|\rho_{y_i,r,k}|\|x_k\|^{-2}p$, then
    $|\underline\rho_{y_i,r,i'}|\le\beta+\hat\epsilon\bar\rho_{y_i,r',i}/c_1$ for $r'\in S_i^{(0)}$, $y_{i'}=-y_i$.
    """
    course = settled(data, net, rate)
    least = _other_class(course)
    c1, _, spread = proof_constants(course)
    rho, beta = np.abs(course.opposite(course.rho)), float(course.beta)
    small = np.where(rho <= beta + _push(course), rho, 0.0)
    return at_most(small, slack * beta + spread / c1 * least, "|rho-underbar|", error=1e-7)


@claim(
    "kou2023.lemma_e2.threshold_time",
    "proof of Lemma E.2, choice of T'",
    given=MIXED,
    assumes=GENERIC,
    recorded="refuted",
    convention="multiplied by pn, c_1 = 1/20; p = 0, which the conditions allow; seen after five steps, after which "
    "nothing changes",
    cost=4.0,
)
def coefficients_pass_the_threshold(
    data: Dataset, net: TwoLayer, rate: Number, *, c1: Number = Fraction(1, 20)
) -> Margin:
    r"""There is $T'$ with $\bar\rho_{y_i,r',i}\ge c_1(\beta+1)R_{\min}^2/(pn)$ for all $t\ge T'$ and $r'\in S_i^{(0)}$.

    Fails for $p=0$: the threshold is infinite, that is $pn\bar\rho=0<c_1(\beta+1)R_{\min}^2$ at all times.
    """
    course = unroll(net, data, rate=rate, steps=5)
    reached = len(data.labels) * largest_overlap(data.inputs) * course.own(course.rho)[-1]
    return at_least(
        reached, c1 * (course.beta + 1) * squared_radii(data.inputs)[0], "p n rho-bar against c_1 (beta + 1) R_min^2"
    )


@claim(
    "kou2023.lemma_e2.threshold_time.amended",
    "proof of Lemma E.2, choice of T', for p > 0",
    kind=Kind.DYNAMICS,
    given=relu_training(samples=(2, 3), widths=(2,), constants=(100,), families=("class",)),
    assumes=[*RELU_APPENDIX[:-2], off_boundaries, *RELU_APPENDIX[-2:]],
    recorded="supported",
    mutants=[moved("eight times the threshold", gain=8.0), moved("at the tenth root of T'", power=0.1)],
    convention="c_1 = 1/50; T' is where the lower bound of Lemma E.1 passes the threshold, with c_2 as in the proof; "
    "<x_i, x_k> = p y_i y_k, where patterns freeze",
)
def coefficients_pass_the_threshold_with_overlaps(
    data: Dataset, net: TwoLayer, rate: float, *, c1: float = 0.02, gain: float = 1.0, power: float = 1.0
) -> Margin:
    r"""Amended: if $p>0$, then $\bar\rho_{y_i,r',i}\ge c_1(\beta+1)R_{\min}^2/(pn)$ from $T'$ on; $\bar\rho$ does not
    decrease.
    """
    early = Grown(unroll(net, data, rate=rate, steps=1), rate)
    spread, c_prime = (
        relative_overlap(data.inputs),
        float((early.course.width / early.course.starts_active.sum(axis=0)).max()),
    )
    threshold = c1 * (early.beta + 1) / spread
    slowest = float((early.unit * np.exp(-early.beta) / 2).min())
    end = power * (threshold * c_prime * (1 + spread / c1) - np.log(slowest))
    course = unroll_long(net, data, rate=rate, times=[np.exp(end)], direct=1)
    return at_least(np.nanmin(own_active(course)), gain * threshold, "rho-bar at T'", error=1e-6)
