r"""Lemma E.2 and its Corollary E.3: coefficients of the other class stay small.

$\underline\rho_{y_i,r,i'}$ with $y_{i'}=-y_i$ is compared with the smallest $\bar\rho_{y_i,r',i}$, $r'\in S_i^{(0)}$.
"""

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
    less,
    mutants,
    scaled,
    section,
    suppose,
)
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX, with_no_signal_at_zero
from refute.claims.kou2023.relu_runs import GENERIC, HALF_BETA, MIXED, RUN, WITHOUT_BETA, beta, signals, stage
from refute.functions import absolute, exp, largest, log, smallest
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.active import Active
from refute.models.kou2023.decomposition import unroll, unroll_long
from refute.models.kou2023.orthogonality import largest_overlap, relative_overlap, squared_radii
from refute.strategies.kou2023.nearly_orthogonal import relu_training


@derived
def first(data: Dataset, net: TwoLayer, rate: Number) -> Active:
    """The first five steps, one by one."""
    return Active(unroll(net, data, rate=rate, steps=5))


main = section(
    "kou2023",
    "lemma_e2",
    "Lemma E.2",
    kind=Kind.DYNAMICS,
    given=MIXED,
    assumes=RELU_APPENDIX,
    derived=[*RUN, first, stage],
)
corollary = section("kou2023", "cor_e3", "Corollary E.3", **main.common)
at_first = main.but(kind=Kind.ALGEBRAIC, assumes=GENERIC, recorded="refuted", fault=Fault.BOUNDARY, cost=4.0)


BOTH = "both labels occur"


@at_first.claim("opposite_small")
def opposite_coefficients_are_small(first: Active) -> Margin:
    r"""There are $T_2$ and c with
    $|\underline\rho^{(t)}_{y_i,r,i'}|\le cR_{\min}^{-2}pn|\bar\rho^{(t)}_{y_i,r',i}|$ for all $t\ge T_2$, r,
    $r'\in S_i^{(0)}$ and $y_{i'}=-y_i$.

    Fails for $p=0$, whatever the time and the constant: a neuron of class $y_i$ that starts active on $x_{i'}$ gets
    $\underline\rho_{y_i,r,i'}<0$ in the first step and never loses it, while the right-hand side is zero.

    Convention: $p=0$, which the conditions allow, and c = 1000; seen in the first steps, after which
    $|\underline\rho|$ does not fall.
    """
    suppose(first.both_labels, BOTH)
    bound = 1000 * first.epsilon * first.of_other_samples
    return at_most(first.opposite[1:], bound[1:], "|rho-underbar| against c R_min^-2 p n rho-bar")


corollary_at_first = corollary.but(**at_first.common, root="kou2023.lemma_e2.opposite_small")
corollary_at_first.claim("opposite_small")(opposite_coefficients_are_small.conclusion)


@derived
def room(beta: Number, active: Active) -> Number:
    """beta and what one step may add."""
    return beta + largest(active.unit)


AFFINE = [
    changed("without beta and one step", room=lambda room: 0 * room),
    changed("nine tenths of them", room=lambda room: 9 * room / 10),
]
stands = main.but(recorded="supported", derived=[*main.common["derived"], room])


@stands.claim("opposite_small.amended", "with the initial signal")
@mutants(*AFFINE)
def opposite_coefficients_are_small_up_to_the_start(active: Active, room: Number) -> Margin:
    r"""Amended: at all times
    $|\underline\rho_{y_i,r,i'}|\le\beta+\frac{\eta R_{\max}^2}{nm}+c_1^{-1}R_{\min}^{-2}pn\bar\rho_{y_i,r',i}$.

    The added terms do not vanish with p. Beyond $\beta$ and the overlaps the signal is negative and the coefficient
    rests; one step may overshoot.

    Convention: $c_1$ as measured over the run.
    """
    suppose(active.both_labels, BOTH)
    bound = room + active.epsilon / active.constant * active.of_other_samples
    return at_most(active.opposite, bound, "|rho-underbar|")


corollary.but(**stands.common).claim("opposite_small.amended", "with the initial signal", mutants=AFFINE)(
    opposite_coefficients_are_small_up_to_the_start.conclusion
)


@derived
def c1(data: Dataset) -> Number:
    """2/(5R^2)."""
    low, high = squared_radii(data.inputs)
    return 2 * low / (5 * high)


@derived
def threshold(c1: Number, beta: Number, data: Dataset) -> Number:
    """c_1(beta + 1)R_min^2/(pn)."""
    spread = relative_overlap(data.inputs)
    suppose(spread > 0, "p > 0")
    return c1 * (beta + 1) / spread


LATER = [changed("from the first step on", threshold=lambda threshold: 0 * threshold), scaled("1/20")]
overlapping = stands.but(
    given=relu_training(samples=(2, 4), constants=(10, 20), families=("class", "anti", "positive", "negative")),
    derived=[*RUN, c1, threshold],
    cost=0.25,
)


@overlapping.claim("opposite_small.amended_overlap", "for p > 0", printed=False)
@mutants(*LATER)
def opposite_coefficients_are_small_in_the_end(active: Active, c1: Number, threshold: Number) -> Margin:
    r"""Amended: the statement as printed for $p>0$, with $c=2/c_1$, $c_1=\frac2{5R^2}$ and the time of the proof.

    From then on $\bar\rho_{y_i,r',i}\ge c_1(\beta+1)R_{\min}^2/(pn)$ for all i and $r'\in S_i^{(0)}$; that time tends
    to infinity as p tends to 0.

    Convention: C = 10 or 20, so that overlaps are large enough for that time to come before $10^5$.
    """
    suppose(active.both_labels, BOTH)
    after = active.least.low >= threshold
    suppose(bool(after.any()), "T' is reached")
    bound = 2 / c1 * active.epsilon * active.of_other_samples[after]
    return at_most(active.opposite[after], bound, "|rho-underbar|")


corollary.but(**overlapping.common).claim("opposite_small.amended_overlap", "for p > 0", mutants=LATER, printed=False)(
    opposite_coefficients_are_small_in_the_end.conclusion
)


@stands.claim("case_inactive", "proof, first case", derived=[signals, beta, stage], cost=2.0)
@mutants(WITHOUT_BETA, HALF_BETA)
def large_opposite_coefficients_rest(stage: Active, beta: Number) -> Margin:
    r"""If $|\underline\rho_{y_i,r,i'}|>\beta+\sum_{k\ne i'}|\rho_{y_i,r,k}|\|x_k\|^{-2}p$, then
    $\langle w_{y_i,r},x_{i'}\rangle<0$ and the next step leaves $\underline\rho_{y_i,r,i'}$ as it is.

    Convention: every step up to $T_1$, with the constant 2.
    """
    course = stage.course
    large = stage.opposite.low > (beta + stage.push).high
    moves = np.diff(course.opposite(course.rho), axis=0)[large[:-1]]
    return all_of(
        less(course.known(course.opposite(course.signals))[large], 0, "<w, x_i'>"),
        at_most(absolute(moves), 0, "change of rho-underbar"),
    )


@at_first.claim(
    "threshold_time", "proof, choice of T'", derived=[signals, beta, first], root="kou2023.lemma_e2.opposite_small"
)
def coefficients_pass_the_threshold(first: Active, beta: Number, data: Dataset) -> Margin:
    r"""There is $T'$ with $\bar\rho_{y_i,r',i}\ge c_1(\beta+1)R_{\min}^2/(pn)$ for all $t\ge T'$ and $r'\in S_i^{(0)}$.

    Fails for $p=0$: the threshold is infinite, that is $pn\bar\rho=0<c_1(\beta+1)R_{\min}^2$ at all times.

    Convention: multiplied by pn, $c_1=1/20$; $p=0$, which the conditions allow.
    """
    reached = len(data.labels) * largest_overlap(data.inputs) * first.rho[-1]
    bound = (beta + 1) * squared_radii(data.inputs)[0] / 20
    return at_least(reached, bound, "p n rho-bar against c_1 (beta + 1) R_min^2")


@derived
def passed(beta: Number, data: Dataset) -> Number:
    """c_1(beta + 1)R_min^2/(pn) with c_1 = 1/50."""
    spread = relative_overlap(data.inputs)
    suppose(spread > 0, "p > 0")
    return (beta + 1) / (50 * spread)


@derived
def ending(passed: Number, beta: Number, data: Dataset, net: TwoLayer, rate: Number) -> float:
    """log T', where the lower bound of Lemma E.1 passes that threshold."""
    start = Active(unroll(net, data, rate=rate, steps=1))
    upper = start.c_prime * (1 + 50 * relative_overlap(data.inputs))
    return float(passed * upper - log(smallest(start.pace) * exp(-beta) / 2))


with_overlaps = stands.but(
    given=relu_training(samples=(2, 3), widths=(2,), constants=(100,), families=("class",)),
    assumes=with_no_signal_at_zero(RELU_APPENDIX),
    derived=[signals, beta, passed, ending],
)


@with_overlaps.claim("threshold_time.amended", "proof, choice of T', for p > 0")
@mutants(scaled(8), changed("at the tenth root of T'", ending=lambda ending: ending / 10))
def coefficients_pass_the_threshold_with_overlaps(
    data: Dataset, net: TwoLayer, rate: Number, ending: float, passed: Number
) -> Margin:
    r"""Amended: if $p>0$, then $\bar\rho_{y_i,r',i}\ge c_1(\beta+1)R_{\min}^2/(pn)$ from $T'$ on; $\bar\rho$ does not
    decrease.

    Convention: $c_1=\frac1{50}$; $T'$ is where the lower bound of Lemma E.1 passes the threshold, with $c_2$ as in
    the proof; $\langle x_i,x_k\rangle=py_iy_k$, where patterns freeze.
    """
    course = unroll_long(net, data, rate=rate, times=[np.exp(ending)], direct=1)
    return at_least(Active(course).rho, passed, "rho-bar at T'")
