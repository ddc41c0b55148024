r"""Section 5.1, its text: coefficients are close to signals, and the recursion of the averages for leaky ReLU."""

from fractions import Fraction

from refute import Fault, Kind, Margin, all_of, at_most, changed, derived, eventually, grows_like, scaled, section
from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, LEAKY_MAIN, off_boundaries, orthogonally
from refute.claims.kou2023.equation_5_9 import SMALL, WITHOUT_BETA
from refute.claims.kou2023.leaky_courses import beta, course, gamma
from refute.claims.kou2023.relu_runs import early
from refute.functions import absolute, largest, leaky_relu_slope, log, mean
from refute.language.limits import Logs
from refute.models import Dataset
from refute.models.kou2023.decomposition import Decomposition
from refute.models.kou2023.orthogonality import relative_overlap
from refute.strategies.kou2023.nearly_orthogonal import LEAKS, training


@derived
def overlap(data: Dataset) -> Number:
    """R_min^-2 pn."""
    return relative_overlap(data.inputs)


close = section("kou2023", "sec5.rho_close_to_inner_product", "Section 5.1, after Definition 5.1", recorded="supported")


@close.claim(
    "r1",
    kind=Kind.DYNAMICS,
    given=training(leaks=(Fraction(0), *LEAKS[:3])),
    assumes=SMALL,
    derived=[beta, early, overlap],
    mutants=[WITHOUT_BETA, changed("without the overlaps", overlap=lambda overlap: 0 * overlap)],
    cost=0.5,
)
def coefficients_are_signals_up_to_start_and_overlaps(early: Decomposition, beta: Number, overlap: Number) -> Margin:
    r"""$|\langle w^{(t)}_{j,r},x_i\rangle-\rho^{(t)}_{j,r,i}|\le\beta+R_{\min}^{-2}pn\max_k|\rho^{(t)}_{j,r,k}|$.

    Convention: close: up to the initial signal and the overlaps, for both activations; the first hundred steps.
    """
    signals, rho = early.known(early.signals), early.known(early.rho)
    bound = beta + overlap * largest(absolute(rho), axis=3)[..., None]
    return at_most(absolute(signals - rho), bound, "|<w, x_i> - rho_i|")


@close.claim(
    "r2",
    kind=Kind.ASYMPTOTIC,
    given=training(),
    assumes=LEAKY_APPENDIX,
    derived=[course],
    mutants=[scaled("1/1000")],
    cost=0.2,
)
def leaky_coefficients_are_signals_in_the_long_run(course: Decomposition) -> Margin:
    r"""For leaky ReLU $|\langle w^{(t)}_{j,r},x_i\rangle/\rho^{(t)}_{j,r,i}-1|\le\frac1{10}$ for all neurons and
    samples, if t is large.

    Convention: close: the ratio is near 1; the tenth is our choice.
    """
    ratio = course.known(course.signals) / course.known(course.rho)

    def holds(t: float) -> Margin:
        return at_most(absolute(ratio[course.steps == t] - 1), 0.1, "|<w, x_i>/rho_i - 1|")

    return eventually(holds, "close to 1", at=course.steps)


# Orthogonal data, where the printed factor is 1 whatever c. Only the order in t counts.
recursion = section(
    "kou2023",
    "sec5.leaky_coeff_recursion",
    "Section 5.1, display after Eq. (5.11)",
    kind=Kind.ASYMPTOTIC,
    given=training(leaks=(Fraction(7, 8), Fraction(1, 2))),
    assumes=[*orthogonally(LEAKY_MAIN), off_boundaries],
    derived=[gamma, course],
    convention="p = 0, where the printed factor is 1 whatever c; Theta as t tends to infinity, for j = y_i and -y_i",
)


def _against_the_law(course: Decomposition, own: Number, opposite: Number) -> Margin:
    """|l_i'| mean sigma' against exp(-factor mean |rho|), for both sides: the increments without eta |x_i|^2/(nm)."""
    gates = mean(leaky_relu_slope(course.signals, course.start.slope, course.start.slope * 0 + 1), axis=2)
    parts = []
    for side, factor, name in ((course.own, own, "own"), (course.opposite, opposite, "opposite")):
        found: Enclosed = course.log_logits + log(side(gates)) + factor * course.known(side(course.sums) / course.width)
        parts.append(grows_like(Logs(found.value, found.error), 1, name, at=course.steps, clock=course.loss))
    return all_of(*parts)


@recursion.claim(recorded="against", fault=Fault.WRONG)
def average_coefficients_obey_the_printed_recursion(course: Decomposition) -> Margin:
    r"""$\frac1m\sum_r|\rho^{(t+1)}_{j,r,i}|-\frac1m\sum_r|\rho^{(t)}_{j,r,i}|
    =\Theta(\frac{\eta\|x_i\|^2}{nm})\exp(-\frac{1\pm c\gamma^{-2}R_{\min}^{-2}pn}m\sum_r|\rho^{(t)}_{j,r,i}|)$.

    Fails: $|\ell_i'|\approx e^{-q_i}$ with $q_i=F_{y_i}-F_{-y_i}\approx(1+\gamma^2)\frac1m\sum_r\bar\rho_{y_i,r,i}$, so
    the printed side is too large by $t^{\gamma^2/(1+\gamma^2)}$ for $j=y_i$, and by more for $j=-y_i$.
    """
    return _against_the_law(course, 1, 1)


@recursion.claim(
    "amended",
    "with both outputs",
    recorded="supported",
    mutants=[
        changed("the root of gamma in place of gamma", gamma=lambda gamma: gamma**0.5),
        changed("1 in place of gamma", gamma=lambda gamma: 0 * gamma + 1),
    ],
)
def average_coefficients_obey_the_recursion_with_both_outputs(course: Decomposition, gamma: Number) -> Margin:
    r"""Amended: the exponent has the factor $1+\gamma^2$ for $j=y_i$ and $\gamma+\gamma^{-1}$ for $j=-y_i$, since both
    outputs count.
    """
    return _against_the_law(course, 1 + gamma**2, gamma + 1 / gamma)
