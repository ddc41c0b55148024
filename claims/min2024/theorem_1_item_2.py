r"""Theorem 1, item 2: cones trap neurons, the loss vanishes like 1/t, and the stable rank tends to at most two.

$t_2$ is where an output first exceeds 1/4, located to within the error of the run, which starts at the largest
$\epsilon$ of (28). The paper says that its $O$ hides constants that depend on the data and the initialisation: what
asks for constants that do not is a reading.
"""

from collections.abc import Iterable

import numpy as np
from flint import arb

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    bent,
    bounded_by,
    changed,
    derived,
    eventually,
    exponent,
    flipped,
    grows_like,
    mutants,
    power,
    scaled,
    section,
    shifted,
    suppose,
    tends_to,
)
from refute.arithmetic.enclosed import stacked
from refute.claims.min2024.assumptions import SETTING
from refute.claims.min2024.fits import (
    ALSO_EMPTY,
    COARSE,
    FITS,
    REACHED,
    SEEN_FITS,
    SPREAD_FITS,
    WIDE_FITS,
    deeper,
    fit,
    late,
    never,
    reached,
)
from refute.claims.min2024.runs import relabelled
from refute.claims.min2024.training import LOSSES, in_cone, in_dead
from refute.functions import exp
from refute.models import Dataset
from refute.models.geometry.stable_rank import enclosed_excess, enclosed_spectral_norms
from refute.models.min2024.families import PAIR, repeated
from refute.models.min2024.fitting import Fit, fit_run
from refute.strategies import choice, sized

COUNTS = np.array([2, 4, 13, 102])
convergence = section(
    "min2024",
    "theorem_1",
    "Theorem 1, item 2",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=SETTING,
    derived=[fit],
    recorded="supported",
)


@convergence.claim("trapping", given=WIDE_FITS, cost=0.5)
@mutants(
    changed("the cones exchanged", data=relabelled),
    shifted("-1/2", "<u, x_i>/|x_i| against 0"),
    shifted("-9/10", "0 against <u, x_i>/|x_i|"),
)
def settled_neurons_stay_where_they_are(fit: Fit, data: Dataset) -> Margin:
    r"""For all $t\ge t_1$ a neuron that is in $S_+$ ($S_-$, $S_{dead}$) at $t_1$ stays there.

    Convention: $t_1$ of the amended first part; followed until the slopes of the loss are 1/1000 of their first values.
    n to 20, D to 10 and h to 30 are drawn, with neurons in the wrong cone and dead ones, and whether or not a neuron
    reaches $S_\pm$.
    """
    inside = [in_cone(fit.directions[:, fit.members(label)], data, label) for label in (1, -1)]
    return all_of(in_dead(fit.directions[:, fit.dead], data), *inside)


@derived
def alpha(fit: Fit) -> float:
    """(mu X_min)^2 / (32 X_max)."""
    c = fit.constants
    return float((c.mu * c.shortest) ** 2 / (32 * c.longest))


@convergence.claim("loss_bound", "Appendix D.2", derived=[fit, alpha, reached])
@mutants(changed("alpha sixteen times as large", alpha=lambda alpha: 16 * alpha), ALSO_EMPTY)
def the_loss_falls_like_one_over_t(fit: Fit, alpha: float, reached: bool) -> Margin:
    r"""$\mathcal L(t)\le\frac{\mathcal L(t_2)}{\mathcal L(t_2)\alpha(t-t_2)+1}$ for $t\ge t_2$, if $S_+$ and $S_-$
    contain a neuron at $t_1$.

    Convention: $\alpha=(\mu X_{\min})^2/(32X_{\max})$ of the appendix, all three losses; both classes are there, else
    $t_2$ has no meaning.
    """
    suppose(reached, REACHED)
    k = fit.second
    if k >= len(fit.time):
        return never(fit)
    loss, since = fit.total_loss, fit.time[k + 1 :] - fit.time[k]
    return at_most(loss[k + 1 :], loss[k] / (alpha * since * loss[k] + 1), "loss against its bound")


limits = convergence.but(
    kind=Kind.ASYMPTOTIC,
    given=SEEN_FITS,
    derived=[late],
    convention="cases in which a neuron of either sign sees its class, so that S_+ and S_- contain one at t_1",
    cost=1.5,
)


@limits.claim("loss_rate", "abstract")
@mutants(exponent("11/10"), exponent("5/4"))
def the_loss_vanishes_like_one_over_t(late: Fit) -> Margin:
    r"""$\mathcal L(t)=O(1/t)$."""
    return bounded_by(late.total_loss, power(-1), "loss", clock=late.clock)


@limits.claim("norm_divergence", "end of D.3")
@mutants(shifted("1/2", "1/|W|_F^2"), shifted("1/2", "1/|W|_2^2"))
def both_norms_of_the_weights_diverge(late: Fit) -> Margin:
    r"""$\|W(t)\|_F^2\to\infty$ and $\|W(t)\|_2^2\to\infty$ as $t\to\infty$."""
    largest = exp(-2 * late.log_norms.max(axis=1))
    norms = zip(("1/|W|_F^2", "1/|W|_2^2"), late.squared_norms(), strict=True)
    return all_of(*(tends_to(largest / square, 0, line, clock=late.clock) for line, square in norms))


@limits.claim("stable_rank", given=SPREAD_FITS)
@mutants(scaled("49/50", "stable rank"), flipped("stable rank"))
def the_stable_rank_is_at_most_two_in_the_limit(late: Fit) -> Margin:
    r"""$\limsup_{t\to\infty}\|W\|_F^2/\|W\|_2^2\le2$.

    Convention: reading B of the last display of D.3 as well; the bound is asked for from some time on. It comes near
    for two almost orthogonal data, where the stable rank tends to 2/(1+mu); mu = 1/50 is drawn.
    """
    frobenius, spectral = late.squared_norms()
    place = {time: k for k, time in enumerate(late.time)}
    ranks = frobenius / spectral
    return eventually(lambda time: at_most(ranks[place[time]], 2, "stable rank"), "limsup", at=late.time)


@limits.claim("stable_rank.r1", "D.3, last display", given=FITS, recorded="refuted", fault=Fault.SCAN)
def the_stable_rank_is_two_in_the_limit(late: Fit) -> Margin:
    r"""$\limsup_{t\to\infty}\|W\|_F^2/\|W\|_2^2=2$. Fails in one dimension already, where every W has rank one and
    stable rank 1.

    Convention: reading A, an equality; a stable rank is at most the rank, and that at most the width and the dimension.
    """
    frobenius, spectral = late.squared_norms()
    return all_of(
        at_least(min(late.direction.shape[1:]), 2, "the largest rank of W against 2"),
        tends_to(frobenius / spectral, 2, "stable rank", clock=late.clock),
    )


@convergence.claim("frobenius_vs_spectral", "D.3", given=SPREAD_FITS)
@mutants(scaled("49/50", "the blocks"), flipped("the blocks"))
def the_frobenius_norm_is_at_most_twice_the_spectral_norm(fit: Fit) -> Margin:
    r"""$\|W\|_F^2\le\|W_+\|_2^2+\|W_-\|_2^2+4\sqrt h\epsilon W_{\max}^2\le2\|W\|_2^2+4\sqrt h\epsilon W_{\max}^2$ for
    $t\ge t_1$.

    Convention: explicit constants of the appendix, over the square of the largest neuron, at all recorded times after
    $t_1$; dropping an assumption is not shown to matter.
    """
    plus, minus = (fit.rows(fit.members(label)) for label in (1, -1))
    dead, blocks = fit.rows(fit.dead), enclosed_spectral_norms(plus) ** 2 + enclosed_spectral_norms(minus) ** 2
    rest = enclosed_excess(plus) + enclosed_excess(minus) + (dead * dead).sum(axis=(1, 2))
    return all_of(
        at_most(rest, fit.extra(len(fit.signs)), "|W|_F^2 - |W_+|_2^2 - |W_-|_2^2 against 4 sqrt(h) eps W_max^2"),
        at_most(blocks, 2 * enclosed_spectral_norms(fit.rows()) ** 2, "the blocks against 2 |W|_2^2"),
    )


@convergence.but(kind=Kind.ASYMPTOTIC, derived=[deeper], cost=1.5).claim("t2_order", "end of D.2")
@mutants(exponent("51/50", "t_2"), exponent("49/50", "t_2"), flipped("t_1 against t_2"))
def t2_is_of_order_log_epsilon(deeper: list[Fit]) -> Margin:
    r"""$t_1\le t_2=\Theta(\frac1n\log\frac1{\sqrt h\epsilon})$ as $\epsilon\to0$.

    Convention: the data and the initialisation are given, and so is n, since the $O$ of the paper hides constants that
    depend on them; from the scale of (28) down to its 16th power.
    """
    suppose(all(run.reached for run in deeper), REACHED)
    depths, times = np.array([run.depth for run in deeper]), stacked([run.t2 for run in deeper])
    return all_of(
        at_most([run.t1 for run in deeper], times, "t_1 against t_2"),
        grows_like(times, depths, "t_2", at=[arb(depth).exp() for depth in depths]),
    )


def _fitting_times(counts: Iterable[tuple[int, int]], loss: str, tolerance: float) -> Enclosed:
    """t_2 in units of log(1/(sqrt(h) eps)), for copies of two opposite data."""
    runs = [fit_run(repeated(*each), PAIR, LOSSES[loss], 0.99, COARSE * tolerance, level=0.5) for each in counts]
    return stacked([run.t2 / run.depth for run in runs])


@derived
def alone(loss: str, tolerance: float) -> Enclosed:
    """One positive datum among n."""
    return _fitting_times(((1, n - 1) for n in COUNTS), loss, tolerance)


uniform = section(
    "min2024",
    "theorem_1",
    "Theorem 1, item 2; end of D.2",
    kind=Kind.ASYMPTOTIC,
    given=sized(loss=choice("exponential", "twice logistic")),
    derived=[alone],
    recorded="supported",
    cost=3.0,
)


@uniform.claim("t2_order.r1", recorded="against", fault=Fault.CONSTANT)
def t2_is_of_order_log_epsilon_over_n(alone: Enclosed) -> Margin:
    r"""$t_2=O(\frac1n\log\frac1{\sqrt h\epsilon})$ with a constant that does not depend on n.

    Fails for unbalanced classes: the smaller class grows at the rate $2\|x_+\|$ and $\|x_+\|=1$ for one positive datum,
    so that $t_2^+\approx\log\frac1\epsilon$ whatever n is. The proof has $n_+$ where the theorem has n.

    Convention: one positive datum (1, 0) and n - 1 copies of the negative datum (-1, 0), from the scale (28).
    """
    return bounded_by(COUNTS * alone, 1, "n t_2 / log(1/(sqrt(h) eps))", at=COUNTS)


@derived
def balanced(loss: str, tolerance: float) -> Enclosed:
    """n data of each class."""
    return _fitting_times(((n, n) for n in COUNTS), loss, tolerance)


@uniform.claim("t2_order.r1.amended", derived=[alone, balanced])
@mutants(
    bent("order 1 for all n", "n of each class", right=lambda law: 1 + 0 * law),
    bent("order 1/n^2", "n of each class", left=lambda times: COUNTS**2 * times, right=lambda law: 1 + 0 * law),
    bent("n", "one alone", left=lambda times: COUNTS * times),
)
def t2_is_of_order_log_epsilon_over_the_smaller_class(alone: Enclosed, balanced: Enclosed) -> Margin:
    r"""Amended: $t_2=\Theta(\frac1{\min\{n_+,n_-\}}\log\frac1{\sqrt h\epsilon})$.

    Convention: copies of (1, 0) and (-1, 0), one datum of a class against many of the other, and as many of each,
    from the scale (28).
    """
    return all_of(
        grows_like(alone, 1, "one alone", at=COUNTS), grows_like(balanced, 1 / COUNTS, "n of each class", at=COUNTS)
    )
