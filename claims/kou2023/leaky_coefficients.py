r"""Lemma 5.4, Eq. (5.11) and Lemmas B.1 to B.4: the coefficients of a leaky ReLU network stay balanced and grow
logarithmically.

Constants that the proofs name are computed as they are there: $\hat c$ is the smallest $|\ell_i'|$ of the first stage
and $c_3=\frac16\min\{1,\frac{\log(1+R^{-2}e^{-(\gamma+1)\beta}C')}{\log(1+\gamma e^{2\beta}C')}\}$ with $C'=2$. Norms
differ by a factor 2 at most.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, claim, moved, without
from refute.arithmetic.numbers import Array, Number, arithmetic_of
from refute.claims.kou2023.assumptions import LEAKY_MAIN, near_orthogonal_leaky, off_boundaries
from refute.claims.kou2023.theorem_4_1 import ORTHOGONAL, late
from refute.decide.proof import by_smt, steps
from refute.decide.rate import exponent_equals, fit, geometric, vanishes_at_least_like
from refute.functions import absolute, exp, largest, leaky_relu_slope, log1p, mean, minimum, smallest
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, last_step_before, stage_length, unroll, unroll_long
from refute.models.kou2023.orthogonality import largest_overlap, squared_radii
from refute.strategies.kou2023.nearly_orthogonal import training

Floats = NDArray[np.float64]

STAGE = 2.0  # C'
GIVEN = training(constants=(100,))
PAIRS = training(widths=(2, 3), constants=(100,))
VARIED = training(samples=(1, 5), widths=(1, 2, 4), extra=3)
FLATTEST = Fraction(1, 256)  # the conditions at this slope imply those at larger ones
SWEPT = training(samples=(2, 3), leaks=(FLATTEST,), constants=(100,))
ALL_TIMES = np.geomspace(1, 1e12, 49)

_MAIN: dict[str, Any] = {"kind": Kind.DYNAMICS, "assumes": LEAKY_MAIN, "recorded": "supported"}


def overlap(data: Dataset) -> Number:
    """R_min^-2 p n."""
    return largest_overlap(data.inputs) * len(data.labels) / squared_radii(data.inputs)[0]


def proof_constant(course: Decomposition) -> Number:
    """c_3 of Lemma B.3, without the condition that makes it self-consistent."""
    low, high = squared_radii(course.data.inputs)
    gamma, beta = course.start.slope, course.beta
    ratio = log1p(low / high * exp(-(gamma + 1) * beta) * STAGE) / log1p(gamma * exp(2 * beta) * STAGE)
    return minimum(1.0, ratio) / 6


def sums(course: Decomposition) -> Array:
    """sum over r of |rho_{j,r,i}|: (time, j, i)."""
    return np.asarray(absolute(course.rho).sum(axis=2))


def _smallest_ratio(values: Array) -> Array:
    """Smallest over largest entry at every time."""
    flat = values.reshape(len(values), -1)
    return np.asarray(smallest(flat, axis=1) / largest(flat, axis=1))


def _imbalance(data: Dataset, net: TwoLayer, rate: Number, gamma: float, same_sign: int) -> Number:
    """The largest ratio of two sums over all times from 1 to 10^12, between samples for one j or for any two."""
    found = sums(unroll_long(net.with_slope(arithmetic_of(rate).scalar(gamma)), data, rate=rate, times=ALL_TIMES))
    groups = [found[:, 0], found[:, 1]] if same_sign else [found]
    return largest(np.array([largest(1 / _smallest_ratio(group)) for group in groups]))


@claim(
    "kou2023.lemma_5_4.leaky_balance.r1",
    "Lemma 5.4, Eq. (5.10)",
    kind=Kind.ASYMPTOTIC,
    given=SWEPT,
    assumes=[*LEAKY_MAIN, off_boundaries],
    recorded="refuted",
    mutants=[moved("c of the order of the root of gamma", power=0.5)],
    convention="c does not depend on gamma, one j on both sides: the largest ratio of two sums stays bounded as gamma "
    "tends to 0; "
    "the mutant is weaker and falls too",
    in_balls=True,
)
def sums_are_balanced_uniformly_in_the_slope(
    data: Dataset, net: TwoLayer, rate: Number, *, power: float = 0.0
) -> Margin:
    r"""$\sum_r|\rho^{(t)}_{j,r,i}|\ge c\sum_r|\rho^{(t)}_{j,r,i'}|$ for all $t\ge0$ with a constant c.

    Fails: where one signal is positive and another negative the ratio is $\gamma$ after one step; and if both labels
    occur, the coefficients with $y_i=-j$ grow $\gamma$ times as fast as those with $y_i=j$ for ever, since their
    signals are negative.
    """
    gammas = geometric(1 / 8, float(FLATTEST), 6)
    law = fit(gammas, [_imbalance(data, net, rate, gamma, 1) for gamma in gammas])
    return vanishes_at_least_like(law, -power, "largest ratio of two sums in gamma")


@claim(
    "kou2023.lemma_5_4.leaky_balance.r2",
    "Lemma 5.4 with the factor of (B.8)",
    kind=Kind.ASYMPTOTIC,
    given=SWEPT,
    assumes=LEAKY_MAIN,
    recorded="supported",
    mutants=[moved("c of the order of the root of gamma", power=0.5), moved("c does not depend on gamma", power=0.0)],
    convention="c gamma^2 in place of c, any j and j': gamma^2 times the largest ratio stays bounded as gamma tends "
    "to 0",
)
def sums_are_balanced_up_to_the_square_of_the_slope(
    data: Dataset, net: TwoLayer, rate: float, *, power: float = 2.0
) -> Margin:
    r"""$\sum_r|\rho^{(t)}_{j,r,i}|\ge c\gamma^2\sum_r|\rho^{(t)}_{j',r,i'}|$ for all $t\ge0$ with a constant c."""
    gammas = geometric(1 / 8, float(FLATTEST), 6)
    law = fit(gammas, [_imbalance(data, net, rate, gamma, 0) for gamma in gammas])
    return vanishes_at_least_like(law, -power, "largest ratio of two sums in gamma")


@claim(
    "kou2023.lemma_b1.balance_sum",
    "Lemma B.1, Eq. (B.8)",
    given=VARIED,
    mutants=[
        moved("c_1 = 4/(3R^2)", c=4 / 3),
        moved("c_1 = 1/3 whatever R", c=1 / 3, radii=0.0),
        moved("without gamma^2", power=0.0),
        without(near_orthogonal_leaky),
    ],
    convention="c_1 = 4/(5R^2), since R^-2 is lost in the first step and the paper counts R as a constant; up to five "
    "samples and four "
    "neurons of each sign; t from 1 to 10^12",
    **_MAIN,
)
def sums_of_coefficients_are_balanced(
    data: Dataset, net: TwoLayer, rate: float, *, c: float = 0.8, power: float = 2.0, radii: float = 1.0
) -> Margin:
    r"""$\sum_r|\rho^{(t)}_{j,r,i}|\ge c_1\gamma^2\sum_r|\rho^{(t)}_{j',r,i'}|$ for all $t\ge0$, all $j,j',i,i'$."""
    course = unroll_long(net, data, rate=rate, times=ALL_TIMES)
    low, high = squared_radii(data.inputs)
    constant = c * float(low / high) ** radii
    return at_least(
        _smallest_ratio(sums(course)), constant * float(net.slope) ** power, "smallest over largest sum", error=1e-6
    )


@claim(
    "kou2023.lemma_b2.balance_early",
    "Lemma B.2, Eq. (B.9)",
    given=GIVEN,
    mutants=[moved("9/2 of it", share=4.5), moved("without gamma", power=0.0)],
    convention="c_2 is the smallest |l'| of the stage times R^-2, as at the end of the proof; C' = 2",
    **_MAIN,
)
def coefficients_are_balanced_early(
    data: Dataset, net: TwoLayer, rate: float, *, share: float = 1.0, power: float = 1.0
) -> Margin:
    r"""For $0\le t\le T_1$: $|\rho^{(t)}_{j,r,i}|\ge c_2\gamma|\rho^{(t)}_{j',r',i'}|$ for all indices."""
    course = unroll(net, data, rate=rate, steps=last_step_before(stage_length(net, data, rate, STAGE)))
    low, high = squared_radii(data.inputs)
    constant = share * float(course.logits.min()) * low / high
    return at_least(
        _smallest_ratio(np.abs(course.rho[1:])),
        constant * float(net.slope) ** power,
        "smallest over largest",
        error=1e-9,
    )


def _pointwise_proof() -> str | None:
    def statement() -> Any:
        import z3

        gamma, c, m, a, b, s, s2 = z3.Reals(
            "gamma c m a b s s2"
        )  # |rho_{j,r,i}|, |rho_{j',r',i'}| and the sums over r for both
        signs = z3.And(gamma > 0, gamma < 1, c > 0, m > 0, s2 >= 0, b >= 0)
        given = z3.And(signs, m * a >= gamma * s, s >= c * gamma * gamma * s2, s2 >= m * gamma * b)
        return z3.Implies(given, a >= c * gamma * gamma * gamma * gamma * b)

    return steps(
        by_smt(statement), "from (B.8) and (B.41), which is proved of its own and needs no condition on the data"
    )


@claim(
    "kou2023.lemma_b4.balance_pointwise",
    "Lemma B.4",
    given=PAIRS,
    proof=_pointwise_proof,
    mutants=[
        moved("gamma^2 in place of gamma^4", power=2.0),
        moved("gamma^3 and twice the constant", power=3.0, gain=2.0),
    ],
    convention="c_1 is the largest constant with (B.8) at that time",
    **{**_MAIN, "recorded": "proved"},
)
def single_coefficients_are_balanced(
    data: Dataset, net: TwoLayer, rate: float, *, power: float = 4.0, gain: float = 1.0
) -> Margin:
    r"""If (B.8) holds at time t, then $|\rho^{(t)}_{j,r,i}|\ge c_1\gamma^4|\rho^{(t)}_{j',r',i'}|$ for all indices,
    with the same $c_1$.
    """
    course = unroll_long(net, data, rate=rate, times=ALL_TIMES)
    constant = _smallest_ratio(sums(course)) / float(net.slope) ** 2
    return at_least(
        _smallest_ratio(np.abs(course.rho)),
        gain * constant * float(net.slope) ** power,
        "smallest over largest",
        error=1e-9,
    )


def _output_gap(course: Decomposition, side: str, factor: float = 1.0) -> tuple[Array, Array]:
    """|F_j - factor mean of rho_j| and |mean of rho_j| for j = y_i or -y_i."""
    pick = getattr(course, side)
    coefficient = pick(mean(course.rho, axis=2))
    return absolute(pick(course.outputs) - factor * coefficient), absolute(coefficient)


@claim(
    "kou2023.eq_5_11.F_approx_leaky.r1",
    "Eq. (5.11)",
    given=GIVEN,
    mutants=[moved("without the slack beta", slack=0.0), moved("factor 11/10", factor=1.1)],
    convention="j = y_i; approximately equal: up to the printed factor, with c = 1/c_3, and beta; t from 1 to 10^12",
    **_MAIN,
)
def own_output_is_the_sum_of_coefficients(
    data: Dataset, net: TwoLayer, rate: float, *, slack: float = 1.0, factor: float = 1.0
) -> Margin:
    r"""$F_{y_i}(x_i)=\frac{1\pm c\gamma^{-2}R_{\min}^{-2}pn}m\sum_r\rho_{y_i,r,i}\pm\beta$."""
    course = unroll_long(net, data, rate=rate, times=ALL_TIMES)
    gap, size = _output_gap(course, "own", factor)
    relative = overlap(data) / float(net.slope) ** 2 / proof_constant(course)
    return at_most(gap, relative * size + slack * float(course.beta), "|F - mean of rho|", error=1e-6)


@claim(
    "kou2023.eq_5_11.F_approx_leaky.r2",
    "Eq. (5.11)",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=[*LEAKY_MAIN, off_boundaries],
    recorded="refuted",
    convention="j = -y_i; otherwise as the first reading",
    in_balls=True,
)
def opposite_output_is_the_sum_of_coefficients(data: Dataset, net: TwoLayer, rate: Number) -> Margin:
    r"""$F_{-y_i}(x_i)=\frac{1\pm c\gamma^{-2}R_{\min}^{-2}pn}m\sum_r\rho_{-y_i,r,i}\pm\beta$.

    Fails, with $p=0$ too: the signals are negative, so $F_{-y_i}=\frac\gamma m\sum_r\rho_{-y_i,r,i}+O(\beta)$: a factor
    $\gamma$ misses.
    """
    course = unroll_long(net, data, rate=rate, times=ALL_TIMES)
    gap, size = _output_gap(course, "opposite")
    relative = overlap(data) / net.slope**2 / proof_constant(course)
    return at_most(gap, relative * size + course.beta, "|F - mean of rho|", error=1e-6)


def _increment_laws(data: Dataset, net: TwoLayer, rate: Number, own: float, opposite: float) -> list[Margin]:
    """increment / (eta |x_i|^2/(nm) exp(-factor mean |rho|)) must be of order one: its exponent in t is zero."""
    course = late(data, net, rate)
    gates = mean(leaky_relu_slope(course.signals, net.slope, 0 * net.slope + 1), axis=2)
    means = sums(course) / course.width
    parts = []
    for side, factor in (("own", own), ("opposite", opposite)):
        pick = getattr(course, side)
        ratio = course.logits * pick(gates) * exp(factor * pick(means))
        parts += [
            exponent_equals(fit(course.steps.tolist(), column.tolist()), 0.0, f"{side} increment over the printed one")
            for column in ratio.T
        ]
    return parts


@claim(
    "kou2023.sec5.leaky_coeff_recursion",
    "Section 5.1, display after Eq. (5.11)",
    kind=Kind.ASYMPTOTIC,
    given=training(leaks=(Fraction(7, 8), Fraction(1, 2))),
    assumes=[*ORTHOGONAL, off_boundaries],
    recorded="refuted",
    convention="p = 0, where the printed factor is 1 whatever c; Theta as t tends to infinity, for j = y_i and j = "
    "-y_i",
    in_balls=True,
)
def average_coefficients_obey_the_printed_recursion(data: Dataset, net: TwoLayer, rate: Number) -> Margin:
    r"""$\frac1m\sum_r|\rho^{(t+1)}_{j,r,i}|-\frac1m\sum_r|\rho^{(t)}_{j,r,i}|
    =\Theta(\frac{\eta\|x_i\|^2}{nm})\exp(-\frac{1\pm c\gamma^{-2}R_{\min}^{-2}pn}m\sum_r|\rho^{(t)}_{j,r,i}|)$.

    Fails: $|\ell_i'|\approx e^{-q_i}$ with $q_i=F_{y_i}-F_{-y_i}\approx(1+\gamma^2)\frac1m\sum_r\bar\rho_{y_i,r,i}$, so
    the printed side is too large by $t^{\gamma^2/(1+\gamma^2)}$ for $j=y_i$, and by more for $j=-y_i$.
    """
    return all_of(*_increment_laws(data, net, rate, 1.0, 1.0))


@claim(
    "kou2023.sec5.leaky_coeff_recursion.amended",
    "Section 5.1, display after Eq. (5.11), with both outputs",
    kind=Kind.ASYMPTOTIC,
    given=training(leaks=(Fraction(7, 8), Fraction(1, 2))),
    assumes=ORTHOGONAL,
    recorded="supported",
    mutants=[moved("1 in place of 1 + gamma^2", own=0.0), moved("the same factor for both signs", opposite=0.0)],
    convention="p = 0",
)
def average_coefficients_obey_the_recursion_with_both_outputs(
    data: Dataset, net: TwoLayer, rate: float, *, own: float = 1.0, opposite: float = 1.0
) -> Margin:
    r"""Amended: the exponent has the factor $1+\gamma^2$ for $j=y_i$ and $\gamma+\gamma^{-1}$ for $j=-y_i$, since both
    outputs count.
    """
    gamma = float(net.slope)
    both = 1 + gamma**2
    return all_of(*_increment_laws(data, net, rate, 1 + own * gamma**2, both / gamma if opposite else both))
