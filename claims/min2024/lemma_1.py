"""Lemma 1: up to the time T small neurons turn as if the outputs were zero."""

import math
from typing import NamedTuple

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    at_most,
    bounded_by,
    changed,
    derived,
    exponent,
    mutants,
    power,
    scaled,
    section,
    suppose,
)
from refute.arithmetic.enclosed import stacked
from refute.claims.min2024.lemma_2 import HALF_SLOPE
from refute.claims.min2024.section_2_2 import SCALES, TWO
from refute.claims.min2024.training import APPENDIX_LOSSES, LOSSES, turning_errors
from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.strategies import choice, sized, slopes
from refute.strategies.min2024.separated import labelled_dataset, neurons, placed

ANGLES = choice("1/4", "1/2", "1")


def _errors(angle: float, loss: str, tolerance: float, target: float) -> Enclosed:
    """The largest |d/dt w_j/|w_j| - target s P x_a| at eighths of T = log(1/(sqrt(h) eps)) / (4 n X_max), for each
    eps.
    """
    shape, errors = np.array([[1.0, math.sin(angle) / 4], [0.5, 0.125]]), []
    for scale in SCALES:
        phase = -math.log(math.sqrt(2) * scale) / (4 * 2 * math.sqrt(1.25))
        start = Balanced(shape, TWO.labels, math.log(scale), 0)
        times = np.linspace(0, phase, 9)
        run = log_polar_flow(start, TWO, LOSSES[loss], times=times.tolist(), tolerance=tolerance)
        asked = np.abs(run.time[:, None] - times).argmin(axis=0)
        errors.append(turning_errors(run, TWO, loss, target=target)[asked].max(axis=1))
    return stacked(errors)


order = section("min2024", "lemma_1.main", "Lemma 1, Eq. (6)", kind=Kind.ASYMPTOTIC)


@order.claim(given=sized(angle=ANGLES, loss=APPENDIX_LOSSES), recorded="supported", cost=3.0)
@mutants(exponent("19/10"), changed("the logistic loss of Section 2.1", loss=lambda _: "logistic"))
def the_error_of_the_approximation_is_of_order_epsilon(angle: float, loss: str, tolerance: float) -> Margin:
    r"""Up to some $T=\Theta(\frac1n\log\frac1{\sqrt h\epsilon})$ the error of (4) is $O(\epsilon n\sqrt h)$.

    Convention: exponential loss, and logistic loss as in the appendix; T with its constants from Appendix B; the order
    in eps at fixed n = h = 2, the dependence on n and h is in lemma_1.directional_error.
    """
    return bounded_by(_errors(angle, loss, tolerance, 1.0), power(1), "largest error of (4) up to T", at=SCALES)


logistic = order.but("Lemma 1, Eq. (6), logistic loss of Section 2.1", given=sized(angle=ANGLES))


@logistic.claim("logistic", recorded="against", fault=Fault.CONSTANT, root=HALF_SLOPE)
def the_error_is_of_order_epsilon_with_the_logistic_loss(angle: float, tolerance: float) -> Margin:
    r"""The same for $\ell=\log(1+e^{-y\hat y})$. Fails: the error tends to $\frac12\|P_wx_a\|$, since the slope of the
    loss at 0 is $y/2$.
    """
    return bounded_by(_errors(angle, "logistic", tolerance, 1.0), power(1), "largest error of (4) up to T", at=SCALES)


@logistic.claim("logistic.amended", recorded="supported", cost=3.0)
@mutants(exponent(2))
def the_error_at_half_speed_is_of_order_epsilon(angle: float, tolerance: float) -> Margin:
    r"""Amended: with $\frac12x_a$ in place of $x_a$ the error is $O(\epsilon n\sqrt h)$ for this loss."""
    return bounded_by(_errors(angle, "logistic", tolerance, 0.5), power(1), "largest error of (4) up to T", at=SCALES)


class Beginning(NamedTuple):
    """The start at a scale eps, T, and 4 eps n sqrt(h) X_max^2 W_max^2."""

    start: Balanced
    phase: float
    bound: float


@derived
def beginning(data: Dataset, start: Balanced, slope: float, shrunk: float, reach: float) -> Beginning:
    """From eps = e^{-shrunk} / (4 sqrt(h) X_max W_max^2), W_0 scaled to X_max W_max^2 = reach (as drawn for 0)."""
    n, root = len(data.labels), math.sqrt(len(start.signs))
    longest, drawn = (float(np.linalg.norm(rows, axis=1).max()) for rows in (data.inputs, start.shape))
    most = math.sqrt(reach / longest) if reach else drawn
    log_epsilon = -math.log(4 * root * longest * most**2) - shrunk
    phase = -(log_epsilon + math.log(root)) / (4 * n * longest)
    bound = 4 * math.exp(log_epsilon) * n * root * longest**2 * most**2
    return Beginning(Balanced(most / drawn * start.shape, start.signs, log_epsilon, slope), phase, bound)


general = section(
    "min2024",
    "lemma_1",
    "Lemma 1 of Appendix B.1",
    kind=Kind.DYNAMICS,
    given=placed(
        data=labelled_dataset,
        start=neurons,
        loss=choice("exponential", "twice logistic", "square"),
        slope=slopes(),
        shrunk=choice("0", "1", "8", "200"),
        reach=choice("0", "1/4", "1/2", "2"),
    ),
    derived=[beginning],
)


@general.claim("directional_error", recorded="supported", cost=0.1)
@mutants(scaled("1/40"), changed("the logistic loss of Section 2.1", loss=lambda _: "logistic"))
def the_error_of_the_approximation_is_bounded(
    data: Dataset, loss: str, slope: float, beginning: Beginning, tolerance: float
) -> Margin:
    r"""For $\epsilon\le\frac1{4\sqrt hX_{\max}W_{\max}^2}$ and all
    $t\le T=\frac1{4nX_{\max}}\log\frac1{\sqrt h\epsilon}$, leaky ReLU of any slope:
    $\max_j\|\frac d{dt}\frac{w_j}{\|w_j\|}-\mathrm{sign}(v_j(0))P_{w_j}x_a(w_j)\|\le4\epsilon n\sqrt
    hX_{\max}^2W_{\max}^2$.

    Convention: (3) by construction; eps is its largest value times e^{-shrunk}, and W_0 is scaled to X_max W_max^2 =
    reach (as drawn for 0): the smaller it is, the larger sqrt(h) eps may be; where T < 0 there is nothing to show. The
    square loss is that of Remark 4.
    """
    suppose(beginning.phase >= 0, "T >= 0")
    times = np.linspace(0, beginning.phase, 5).tolist()
    run = log_polar_flow(beginning.start, data, LOSSES[loss], times=times, tolerance=tolerance)
    return at_most(turning_errors(run, data, loss, slope), beginning.bound, "error of (4) against its bound")
