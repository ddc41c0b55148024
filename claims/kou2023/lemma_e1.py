r"""Lemma E.1: coefficients and activation of a ReLU network.

$c_1$ is measured over the run, and $c'=\max_im/|S_i^{(0)}|$.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    changed,
    derived,
    exponent,
    less,
    moved,
    mutants,
    scaled,
    section,
)
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX, RELU_ORTHOGONAL
from refute.claims.kou2023.lemma_5_5 import BALANCE, coefficients_of_active_neurons_dominate
from refute.claims.kou2023.lemma_5_8 import first, neurons_active_at_the_start_stay_active
from refute.claims.kou2023.lemma_h4 import ratio_of_logarithms_does_not_decrease
from refute.claims.kou2023.relu_runs import EVERY, GIVEN, OTHERS, RUN, STAGE, VARIED, WITHOUT_BETA, beta, signals, stage
from refute.decide.proof import by_smt, steps
from refute.decide.symbolic import by_identity
from refute.functions import exp, log, log1p
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.active import Active
from refute.models.kou2023.decomposition import first_step_after, stage_length, unroll_long
from refute.models.kou2023.orthogonality import relative_overlap, squared_norms, squared_radii
from refute.strategies import choice, sized
from refute.strategies.kou2023.nearly_orthogonal import relu_training

main = section(
    "kou2023",
    "lemma_e1",
    "Lemma E.1",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=RELU_APPENDIX,
    derived=[*RUN, first, stage],
    recorded="supported",
)
proof = main.but("proof of Lemma E.1")
algebra = section("kou2023", "lemma_e1", "proof of Lemma E.1")

main.claim("balance", "first item", given=VARIED, mutants=BALANCE)(coefficients_of_active_neurons_dominate.conclusion)
main.claim("activation", mutants=neurons_active_at_the_start_stay_active.mutants)(
    neurons_active_at_the_start_stay_active.conclusion
)


@main.claim("rho_lower", "second item")
@mutants(scaled("9/2"), EVERY)
def active_coefficients_grow_at_least_logarithmically(active: Active, beta: Number) -> Margin:
    r"""$\bar\rho^{(t)}_{y_i,r,i}\ge c_2\log(1+\frac{\eta|S_i^{(0)}|\|x_i\|^2e^{-\beta}}{2nm^2}t)$
    for $r\in S_i^{(0)}$.

    Convention: $c_2=1/(c'(1+c_1^{-1}R_{\min}^{-2}pn))$.
    """
    bound = log1p(active.pace * exp(-beta) / 2 * active.time) / active.upper
    return at_least(active.rho, active.each(bound), "rho-bar")


@main.claim("rho_upper", "third item")
@mutants(scaled("97/100"), exponent("9/10"))
def active_coefficients_grow_at_most_logarithmically(active: Active, beta: Number) -> Margin:
    r"""$\bar\rho^{(t)}_{y_i,r,i}\le c_3\log(1+\frac{2\eta|S_i^{(0)}|\|x_i\|^2e^{2\beta}}{nm^2}t)$
    for $r\in S_i^{(0)}$.

    Convention: $c_3=c'/(1-2c'c_1^{-1}R_{\min}^{-2}pn)$.
    """
    bound = active.c_prime / active.lower * log1p(2 * active.pace * exp(2 * beta) * active.time)
    return at_most(active.rho, active.each(bound), "rho-bar")


@proof.claim("early_activation", "before the second induction")
@mutants(scaled("1001/1000", "<w, x_i>"), changed("for every neuron", stage=Active.of_every_neuron))
def active_signals_are_almost_the_coefficients_early(stage: Active, data: Dataset) -> Margin:
    r"""For $t\le T_1$, $r\in S_i^{(0)}$:
    $\langle w_{y_i,r},x_i\rangle\ge(1-\frac{R_{\max}^2}{\hat cR_{\min}^2}R_{\min}^{-2}np)\bar\rho_{y_i,r,i}\ge0$.

    Convention: $\hat c=1/10$.
    """
    low, high = squared_radii(data.inputs)
    bound = (1 - 10 * high / low * relative_overlap(data.inputs)) * stage.rho
    return all_of(at_least(stage.signals, bound, "<w, x_i>"), at_least(bound, 0, "the bound"))


@proof.claim("late_joiners", "after (E.14)")
@mutants(EVERY, OTHERS)
def neurons_that_join_later_stay_behind(active: Active) -> Margin:
    r"""$\bar\rho_{y_i,r,i}$ is the same for all $r\in S_i^{(0)}$ and at least $\bar\rho_{y_i,r',i}$
    for all other $r'$.
    """
    return at_most(active.each(active.highest), active.rho, "rho-bar of any neuron of the class")


@proof.claim("margin_lower", "after (E.15)")
@mutants(scaled("1001/1000", "F_y"), WITHOUT_BETA)
def margins_are_bounded_by_active_coefficients(active: Active, beta: Number) -> Margin:
    r"""$F_{y_i}-F_{-y_i}\ge\frac{1-2c'\hat\epsilon/c_1}m\sum_{S_i^{(0)}}\bar\rho_{y_i,r,i}-2\beta$, and $|\ell_i'|$ is
    at most the exponential of minus that.
    """
    bound = active.lower * active.mean - 2 * beta
    return all_of(at_least(active.margins, bound, "F_y - F_-y"), at_most(active.course.log_logits, -bound, "log |l'|"))


@proof.claim("final_activation", "last display")
@mutants(scaled("1001/1000", "<w, x_i>"), EVERY)
def active_signals_are_almost_the_coefficients(active: Active) -> Margin:
    r"""$\langle w_{y_i,r},x_i\rangle\ge(1-\hat\epsilon/c_1)\bar\rho_{y_i,r,i}>0$ for $r\in S_i^{(0)}$ and $t\ge1$."""
    bound = (1 - active.epsilon / active.constant) * active.rho
    return all_of(at_least(active.signals, bound, "<w, x_i>"), less(0, bound, "0 against the bound"))


CHAIN = sized(
    low=choice("1", "100", "1/100", "1000000"),
    ratio=choice("1", "4", "16"),
    beta=choice("0", "1/100", "1/10"),
    stage=choice("1", "2", "10"),
    later=choice("1", "10", "1000000"),
    rate=choice("1", "1/1000"),
    nm=choice(1, 20),
)


@derived
def high(low: Number, ratio: Number) -> Number:
    """R_max^2, from R_min^2."""
    return low * ratio


@derived
def unit(rate: Number, nm: int) -> Number:
    """eta/(5nm)."""
    return rate / (5 * nm)


@derived
def time(later: Number, stage: Number, unit: Number, high: Number) -> Number:
    """T_1 = C nm/(eta R_max^2) with C = `stage`, or `later` times as late."""
    return later * stage / (5 * unit * high)


chain = algebra.but("proof of Lemma E.1, display after (E.23)", given=CHAIN, derived=[high, unit, time])


def ratio_of_bounds(low: Number, high: Number, beta: Number, paced: Number) -> Number:
    """The logarithm in (E.22) over that in (E.23)."""
    return log(1 + low * exp(-beta) * paced) / log(1 + 6 * high * exp(2 * beta) * paced)


@chain.claim("ratio_chain", recorded="refuted", fault=Fault.WRONG)
def the_loosened_bounds_have_the_printed_ratio(
    low: Number, high: Number, beta: Number, stage: Number, time: Number, unit: Number
) -> Margin:
    r"""For $t\ge T_1=C\eta^{-1}nmR_{\max}^{-2}$ the lower bound (E.22) over the upper bound (E.23) is at least
    $\frac{c_2}{c_3}\frac{\log(1+0.2Ce^{-\beta}R_{\min}^2)}{\log(1+1.2Ce^{2\beta}R_{\max}^2)}$.

    Fails at $t=T_1$ whenever $R_{\max}>1$: putting $T_1$ in gives $0.2Ce^{-\beta}R_{\min}^2/R_{\max}^2$ and
    $1.2Ce^{2\beta}$. The printed value is that of $t=R_{\max}^2T_1$, and by Lemma H.4 the ratio grows with t.

    Convention: the common factor $c_2/c_3$ is left out; low is $R_{\min}^2$, ratio is $R^2$, t is `later` times $T_1$.
    """
    return at_least(ratio_of_bounds(low, high, beta, unit * time), ratio_of_bounds(low, high, beta, stage / 5), "ratio")


def _chain_proof() -> str | None:
    import sympy

    rate, nm, low, high, C, later, e = sympy.symbols("rate nm low high C later e", positive=True)  # e = e^beta
    reached = later * C * nm / (rate * high)
    below = rate * low / e * reached / (5 * nm) - C * low / (5 * e * high) * later
    above = 6 * rate * high * e**2 * reached / (5 * nm) - sympy.Rational(6, 5) * C * e**2 * later
    put_in = by_identity(
        lambda: [below, above], "at t = later T_1 the arguments are those of the bound times later >= 1"
    )
    monotone = ratio_of_logarithms_does_not_decrease.proof
    return steps(put_in, monotone and monotone(), "Lemma H.4, as e^-beta R^-2/5 < 6 e^{2 beta}/5")


@chain.claim("ratio_chain.amended", "with T_1 put in", proof=_chain_proof, recorded="proved")
@mutants(
    changed("without R_max in the numerator", ratio=lambda ratio: 0 * ratio + 1),
    changed("at 99/100 of T_1", time=lambda time: 99 * time / 100),
)
def the_loosened_bounds_have_a_ratio_free_of_units(
    low: Number, high: Number, ratio: Number, beta: Number, stage: Number, time: Number, unit: Number
) -> Margin:
    r"""Amended: for $t\ge T_1$ the ratio is at least
    $\frac{c_2}{c_3}\frac{\log(1+0.2Ce^{-\beta}R_{\min}^2/R_{\max}^2)}{\log(1+1.2Ce^{2\beta})}$, by Lemma H.4.
    """
    one = ratio / ratio
    return at_least(
        ratio_of_bounds(low, high, beta, unit * time), ratio_of_bounds(one / ratio, one, beta, stage / 5), "ratio"
    )


@algebra.statement("constant_choice", "choice of the constants", given=sized(x=choice("1/2", "0", "1/4", "1/100")))
def the_constants_are_as_chosen(x: Number, *, floor: Number = Fraction(9, 25)) -> Margin:
    r"""With $c'=2.5$ and $x=2c'c_1^{-1}R_{\min}^{-2}pn\le0.5$:
    $c_2=\frac1{c'(1+c_1^{-1}R_{\min}^{-2}pn)}\ge0.3\ldots$, $c_3=\frac{c'}{1-2c'c_1^{-1}R_{\min}^{-2}pn}\le5$ and
    $c_2/c_3\ge\frac1{14}$.

    Convention: the quotient is taken of the constants themselves.
    """
    c2, c3 = 2 / (5 + x), 5 / (2 - 2 * x)
    return all_of(at_least(c2, floor, "c_2"), at_most(c3, 5, "c_3"), at_least(14 * c2, c3, "14 c_2 against c_3"))


def _choice_proof(floor: str) -> str | None:
    def statement() -> Any:
        import z3

        x = z3.Real("x")
        c2, c3 = 2 / (5 + x), 5 / (2 - 2 * x)
        parts = z3.And(c2 >= z3.RealVal(floor), c3 <= 5, 14 * c2 >= c3)
        return z3.Implies(z3.And(x >= 0, x <= z3.RealVal("1/2")), parts)

    return by_smt(statement)


SHARP = [moved("c_2 >= 37/100", floor=Fraction(37, 100)), scaled("9/10", "c_3"), scaled("51/50", "14 c_2")]
the_constants_are_as_chosen.reading(
    "r1",
    "Read as $c_2\\ge0.37$. Fails at equality: $c_1^{-1}R_{\\min}^{-2}pn=0.1$ gives $c_2=1/2.75=0.3636\\ldots$",
    floor=Fraction(37, 100),
    recorded="refuted",
    fault=Fault.CONSTANT,
)
the_constants_are_as_chosen.reading(
    "r2", "Read as $c_2\\ge0.36$.", recorded="proved", mutants=SHARP, proof=lambda: _choice_proof("9/25")
)
the_constants_are_as_chosen.reading(
    "r3",
    "Read as $c_2\\ge0.3$, from which alone 1/14 would not follow.",
    floor=Fraction(3, 10),
    recorded="proved",
    mutants=SHARP,
    proof=lambda: _choice_proof("3/10"),
)


def stretched(fields: dict[str, Any]) -> dict[str, Any]:
    """All inputs 1024 times as long, and the first one another 8 times."""
    data = fields["data"]
    factors = np.array([8192] + [1024] * (len(data.labels) - 1), dtype=object)
    return fields | {"data": Dataset(data.inputs * factors[:, None], data.labels)}


@derived
def after(data: Dataset, net: TwoLayer, rate: Number) -> Active:
    """Orthogonal data: the training from the end of the first stage to 10^20."""
    times = np.geomspace(first_step_after(stage_length(net, data, rate, STAGE)), 1e20, 30)
    return Active(unroll_long(net, data, rate=rate, times=times))


choice_of_c1 = section(
    "kou2023",
    "lemma_e1",
    "proof of Lemma E.1, choice of c_1",
    kind=Kind.DYNAMICS,
    given=relu_training(samples=(2, 3), constants=(100,), spread=512).map(stretched),
    assumes=RELU_ORTHOGONAL,
    derived=[signals, beta, after],
)


printed_constant = choice_of_c1.but(
    recorded="refuted", in_balls=True, fault=Fault.WRONG, root="kou2023.lemma_e1.ratio_chain", printed=False
)


@printed_constant.claim("constant_choice.balance")
def the_printed_constant_serves_the_first_item(after: Active, data: Dataset, beta: Number) -> Margin:
    r"""The first item of Lemma E.1 holds for $t\ge T_1$ with
    $c_1=\frac{\log(1+0.2Ce^{-\beta}R_{\min}^2)}{14\log(1+1.2Ce^{2\beta}R_{\max}^2)}$.

    Fails where R is large: this $c_1$ tends to $\frac1{14}$ when the unit of length shrinks, whatever
    $R=R_{\max}/R_{\min}$. At $T_1$ the coefficients of two samples have a ratio of order $R^{-2}$, in any unit: for
    $R=8$, lengths 1024 and 8192 and small $\beta$, $c_1\approx0.049$ against about $0.02$. The paper counts R as a
    constant; with a C that is large against $R^2$ nothing falls.

    Convention: C = 2 in $T_1$, t from $T_1$ to $10^{20}$; orthogonal inputs of which one is 4 to 16 times as long as
    the others.
    """
    low, high = squared_radii(data.inputs)
    c1 = log1p(STAGE * exp(-beta) * low / 5) / (14 * log1p(6 * STAGE * exp(2 * beta) * high / 5))
    return at_least(after.balance, c1, "smallest active own coefficient over the largest")


def longest(data: Dataset) -> Dataset:
    """The longest input alone."""
    k = [int(np.argmax([float(square) for square in squared_norms(data.inputs)]))]
    return Dataset(data.inputs[k], data.labels[k])


@choice_of_c1.claim("constant_choice.balance.amended", "with T_1 put in", recorded="supported")
@mutants(changed("without R^-2", data=longest), scaled(50))
def the_constant_free_of_units_serves_the_first_item(after: Active, data: Dataset, beta: Number) -> Margin:
    r"""Amended: $c_1=\frac{\log(1+0.2Ce^{-\beta}R^{-2})}{14\log(1+1.2Ce^{2\beta})}$ serves for $t\ge T_1$.

    Convention: as for the printed constant.
    """
    low, high = squared_radii(data.inputs)
    c1 = log1p(STAGE * exp(-beta) * low / high / 5) / (14 * log1p(6 * STAGE * exp(2 * beta) / 5))
    return at_least(after.balance, c1, "smallest active own coefficient over the largest")
