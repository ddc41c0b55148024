r"""Appendix E, conditions and displays in the proofs of Lemmas E.1 and E.2: coefficients of a ReLU network.

With $\hat\epsilon=R_{\min}^{-2}pn$ and $c'=\max_im/|S_i^{(0)}|$. Where a display uses the constant $c_1$ of Lemma E.1 it is the one measured
over the run; $\hat c=1/10$ and $T_1=2nm/(\eta R_{\max}^2)$. On orthogonal data runs reach $t=10^{20}$, on others $10^5$.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from claims.kou2023.assumptions import (
    RELU_APPENDIX,
    half_active,
    near_orthogonal,
    small_start,
    small_step,
    tame_start,
)
from claims.kou2023.gaussian_start import OMEGA
from claims.kou2023.relu_coefficients import Floats
from models import Dataset, TwoLayer
from models.descent.decomposition import Decomposition, last_step_before, stage_length, unroll
from models.geometry.orthogonality import largest_overlap, squared_radii
from refute import Kind, Margin, all_of, at_least, at_most, claim, moved, without
from refute.functions import absolute, exp, leaky_relu, mean
from refute.numbers import Number
from refute.probability import with_probability
from refute.proof import by_smt
from strategies import choice, sized
from strategies.nearly_orthogonal import relu_training

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
}


@claim(
    "kou2023.cond_e2_e4.definition",
    "Eqs. (E.2) to (E.4)",
    recorded="supported",
    mutants=[
        moved("the step by the first power", step=1),
        moved("the initial weights not at all", start=0),
        moved("and three times C", gain=3),
    ],
    convention="a check of the definition: the conditions do not depend on the unit of length; the unit is changed by the factor 2",
    **_CONDITIONS,
)
def the_conditions_do_not_depend_on_the_unit(
    data: Dataset, net: TwoLayer, rate: Number, scale: Number, delta: Number, C: int, *, step: int = 2, start: int = 1, gain: int = 1
) -> Margin:
    r"""$\sigma_0\le(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$, $\eta\le nm/(CR_{\max}^2)$ and $R_{\min}^2\ge CR^2np$ stay true when inputs are
    multiplied by 2, $\sigma_0$ (with the weights) by $\frac12$ and $\eta$ by $\frac14$.
    """
    longer = Dataset(data.inputs * 2, data.labels)
    return all_of(
        small_start.condition(longer, net, scale / 2**start, delta, gain * C),
        small_step.condition(longer, net, rate / 2**step, gain * C),
        near_orthogonal.condition(longer, net, gain * C),
    )


@claim(
    "kou2023.cond_e.event_probability",
    "Appendix E, first paragraph",
    kind=Kind.PROBABILISTIC,
    given=sized(n=choice(1, 2, 4), excess=st.integers(0, 40), delta=choice("1/10", "1/4", "1/20")),
    recorded="supported",
    mutants=[
        moved("norms within a twentieth", half=0.05),
        moved("signals below half of the bound", share=0.5),
        moved("between 45% and 55% active", off=0.05),
    ],
    convention="inputs e_1, ..., e_n, labels 1; sigma_0 = 1; m = 50 log(2n/delta) and d = 50 log(mn/delta), both rounded up, and m "
    "larger by the excess; Theorem 4.3 promises 1 - delta, so delta has to be halved there",
)
def all_events_of_appendix_a_hold_together(
    n: int, excess: int, delta: float, *, rng: np.random.Generator, trials: int, half: float = 0.5, share: float = 1.0, off: float = 0.1
) -> Margin:
    r"""With probability at least $1-2\delta$ the bounds of Lemma A.1 on norms and signals and $0.4m\le|S_i^{(0)}|\le0.6m$ all hold."""
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

        square, unit, C, ratio, two = z3.Reals("square unit C ratio two")  # beta^2, (sigma_0 R_max)^2, C, log(mn/delta), log 2
        given = z3.And(unit > 0, C > 0, two > 0, ratio >= two, square <= 2 * (3 * two + ratio) * unit, unit * C * C * ratio <= 1)
        return z3.Implies(given, square * C * C <= 8)

    return by_smt(statement)


@claim(
    "kou2023.cond_e5.beta_small",
    "Eq. (E.5)",
    proof=_start_is_small,
    recorded="proved",
    mutants=[moved("c = 1/C", square=1), without(small_start), without(tame_start)],
    convention="c = sqrt(8)/C, small for large C; m >= 2, since 0.4m <= |S_i| <= 0.6m cannot hold for m = 1; for mn = 1 and delta near 1 "
    "no c would do. The text refers to (B.2) and (B.4) where it needs (E.2) and (E.4)",
    **_CONDITIONS,
)
def initial_signals_are_small(data: Dataset, net: TwoLayer, C: int, *, square: int = 8) -> Margin:
    r"""$\beta\le c$: since $\log(8mn/\delta)\le4\log(mn/\delta)$ for $mn\ge2$, Lemma A.1 and (E.2) give $C^2\beta^2\le8$."""
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
_OVERLAPS: dict[str, Any] = {**_CONDITIONS, "proof": _overlaps_are_small, "recorded": "proved", "mutants": _OVERLAP_MUTANTS}


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
def coefficients_grow_by_a_bounded_step(data: Dataset, net: TwoLayer, rate: float, *, share: float = 1.0, power: float = 1.0) -> Margin:
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
def active_coefficients_grow_linearly(data: Dataset, net: TwoLayer, rate: float, *, floor: float = FLOOR, every: int = 0) -> Margin:
    r"""For $t\le T_1$ and $r\in S_i^{(0)}$: $\bar\rho_{y_i,r,i}\ge\frac{\hat c\eta\|x_i\|^2}{nm}t\ge\frac{\hat c\eta R_{\min}^2}{nm}t$."""
    course, unit, steps = _first_stage(data, net, rate)
    bound = floor * unit * course.squares * steps
    low = float(squared_radii(data.inputs)[0])
    rho = _all_active(_chosen(course, course.rho, every), bound)
    return all_of(at_least(rho, bound, "rho-bar", error=1e-13), at_least(bound, floor * unit * low * steps, "the bound", error=1e-13))


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
    course, unit, steps = _first_stage(data, net, rate)
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
    mutants=[moved("11/10 of the coefficient", factor=1.1), moved("for every neuron of the class", every=1)],
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
    return all_of(at_least(signals, factor * share * rho, "<w, x_i>", error=1e-13), at_least(share * rho, 0, "the bound"))


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
    mutants=[moved("for slope 1/2", slope=Fraction(1, 2)), moved("a tenth more", gain=Fraction(11, 10)), moved("with F_-y", other=1)],
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
