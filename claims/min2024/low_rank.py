r"""Theorem 1, item 2, and Appendix D.3: rates, $t_2$, the refined alignment, norms and the stable rank, from the scale
(28) on.

Asymptotic statements are followed along one family: positive data $(1,0)$ and $\frac32(\cos\frac a2,-\sin\frac a2)$, a
negative datum $-(\cos a,\sin a)$, one neuron of either sign; in time up to $10^{10}$, in the number of data by
repeating $(1,0)$ and $(-1,0)$.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from refute import Kind, Margin, all_of, at_least, at_most, claim, equal, less, moved
from refute.claims.min2024.fitting import FITS, FITTING, PLANE_FITS, Fit, fit_run
from refute.claims.min2024.training import ALL_LOSSES
from refute.decide.rate import exponent_equals, fit, vanishes_at_least_like
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.strategies import choice, sized

Floats = NDArray[np.float64]
_COARSE = 1e3
_ANGLES = sized(angle=choice("1/4", "1/2", "3/4"), loss=ALL_LOSSES)
_START = Balanced(
    np.array([[1.0, 0.5], [-1.0, 0.25]]), np.array([1.0, -1.0]), Fraction(0), Fraction(0)
)  # one neuron of either sign
FAR = 1e10


@lru_cache(maxsize=16)
def long_run(angle: float, loss: str) -> Fit:
    """The family, followed to t = 10^10."""
    inputs = [[1.0, 0.0], [-np.cos(angle), -np.sin(angle)], [1.5 * np.cos(angle / 2), -1.5 * np.sin(angle / 2)]]
    return fit_run(
        Dataset(np.array(inputs), np.array([1.0, -1.0, 1.0])), _START, loss, 0.99, 1e-7, level=1e-13, horizon=FAR
    )


def _late(run: Fit, least: float) -> tuple[Floats, NDArray[np.bool_]]:
    """The time since t_2, and which recorded times are later than `least` after it."""
    since = run.time - run.time[run.second]
    return since, since > least


@claim(
    "min2024.theorem_1.loss_rate",
    "abstract; Theorem 1, item 2",
    kind=Kind.ASYMPTOTIC,
    given=_ANGLES,
    recorded="supported",
    mutants=[moved("O(t^-1.2)", power=1.2), moved("O(t^-2)", power=2.0)],
    convention="time since t_2, from 10^4 to 10^10; all three losses",
    cost=2.0,
)
def the_loss_vanishes_like_one_over_t(angle: float, loss: str, *, power: float = 1.0) -> Margin:
    r"""$\mathcal L(t)=O(1/t)$."""
    run = long_run(angle, loss)
    since, late = _late(run, 1e4)
    return vanishes_at_least_like(fit((1 / since[late]).tolist(), run.total[late].tolist()), power, "loss against 1/t")


@claim(
    "min2024.remark.known_rate",
    "Final convergence and low-rank bias",
    kind=Kind.ASYMPTOTIC,
    given=_ANGLES,
    recorded="supported",
    mutants=[moved("O(1 / (t log^2 t))", power=2.0), moved("O(1 / (t log^(3/2) t))", power=1.5)],
    convention="the exponent of the logarithm is read as 1; log t + c differs from log t for long, so what must not "
    "fall is the growth of "
    "(1/(t L))^{1/power} per decade: that of [10^6, 10^8] against [10^8, 10^10], within 1/20",
    cost=2.0,
)
def the_loss_vanishes_like_one_over_t_log_t(angle: float, loss: str, *, power: float = 1.0) -> Margin:
    r"""$\mathcal L(t)=O(\frac1{t\log t})$: $\frac1{t\mathcal L(t)}$ grows at least linearly in $\log t$."""
    run = long_run(angle, loss)
    since, _ = _late(run, 1e4)
    after = since > 1
    height = np.interp(np.log([1e6, 1e8, 9.9e9]), np.log(since[after]), (1 / (since * run.total)[after]) ** (1 / power))
    first, second = height[1] - height[0], (height[2] - height[1]) * np.log(1e2) / np.log(99)
    return all_of(
        less(0.0, first, "growth of 1/(t L) over [10^6, 10^8]"),
        at_least(second / first, 0.95, "that over [10^8, 10^10] relative to it"),
    )


@claim(
    "min2024.theorem_1.norm_divergence",
    "Theorem 1, item 2; end of D.3",
    kind=Kind.ASYMPTOTIC,
    given=_ANGLES,
    recorded="supported",
    mutants=[moved("like (log t)^(3/2)", power=1.5), moved("like log^2 t", power=2.0)],
    convention="divergence is read as growth like a positive power of log t, from 10^4 to 10^10; at least (log "
    "t)^(1/2) is asked, log "
    "t expected",
    cost=2.0,
)
def both_norms_of_the_weights_diverge(angle: float, loss: str, *, power: float = 0.5) -> Margin:
    r"""$\|W(t)\|_F^2\to\infty$ and $\|W(t)\|_2^2\to\infty$ as $t\to\infty$."""
    run = long_run(angle, loss)
    since, late = _late(run, 1e4)
    sizes = [
        np.linalg.norm(np.exp(rho)[:, None] * u, k) ** 2
        for k in ("fro", 2)
        for rho, u in zip(run.log_norm[late], run.direction[late], strict=True)
    ]
    clock = (1 / np.log(since[late])).tolist()
    frobenius, spectral = np.split(np.array(sizes), 2)
    return all_of(
        vanishes_at_least_like(fit(clock, (1 / frobenius).tolist()), power, "1/|W|_F^2 against 1/log t"),
        vanishes_at_least_like(fit(clock, (1 / spectral).tolist()), power, "1/|W|_2^2 against 1/log t"),
    )


@claim(
    "min2024.sec_D3.output_divergence.limit",
    "D.3, last paragraph",
    kind=Kind.ASYMPTOTIC,
    given=_ANGLES,
    recorded="supported",
    mutants=[moved("f(x_i) in place of y_i f(x_i)", labelled=0), moved("like (log t)^(3/2)", power=1.5)],
    convention="divergence is read as growth of the least y_i f(x_i) at least like (log t)^(1/2), from 10^4 to 10^10; "
    "all three losses",
    cost=2.0,
)
def signed_outputs_diverge(angle: float, loss: str, *, power: float = 0.5, labelled: int = 1) -> Margin:
    r"""$y_if(x_i;W(t),v(t))\to\infty$ as $t\to\infty$ for every i. Amended: the label, without which it fails for
    $y_i=-1$.
    """
    run = long_run(angle, loss)
    since, late = _late(run, 1e4)
    least = (run.output[late] * (run.data.labels if labelled else 1)).min(axis=1)
    if not (least > 0).all():
        return less(0.0, least, "0 against the least output")
    return vanishes_at_least_like(
        fit((1 / np.log(since[late])).tolist(), (1 / least).tolist()), power, "1/min y_i f(x_i) against 1/log t"
    )


def _rows(run: Fit, k: int, chosen: NDArray[np.intp]) -> tuple[Floats, float]:
    """The chosen neurons at one time, divided by the norm of the largest, and ln of its square."""
    rho = run.log_norm[k, chosen]
    largest = float(rho.max()) if rho.size else 0.0
    return np.exp(rho - largest)[:, None] * run.direction[k, chosen], 2 * largest


def _spectral(run: Fit, k: int, chosen: NDArray[np.intp]) -> tuple[float, float]:
    """ln |W|_F^2 and ln |W|_2^2 of the chosen neurons at one time; -inf when there is none."""
    rows, log_square = _rows(run, k, chosen)
    if not rows.size:
        return -np.inf, -np.inf
    return log_square + float(np.log((rows**2).sum())), log_square + 2 * float(np.log(np.linalg.norm(rows, 2)))


def _log_extra(run: Fit, count: int) -> float:
    """ln of 4 eps W_max^2 count / sqrt(h)."""
    c = run.constants
    return float(np.log(4 * c.most**2 * count / np.sqrt(c.h)) + run.log_epsilon) if count else -np.inf


@claim(
    "min2024.theorem_1.frobenius_vs_spectral",
    "Theorem 1, item 2; D.3",
    kind=Kind.DYNAMICS,
    given=PLANE_FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("1 in place of 2", two=1.0), moved("3/2 in place of 2", two=1.5)],
    convention="explicit constants of the appendix, in logarithms, at all recorded times after t_1; dropping an "
    "assumption is not "
    "shown to matter",
    cost=1.0,
)
def the_frobenius_norm_is_at_most_twice_the_spectral_norm(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, two: float = 2.0
) -> Margin:
    r"""$\|W\|_F^2\le\|W_+\|_2^2+\|W_-\|_2^2+4\sqrt h\epsilon W_{\max}^2\le2\|W\|_2^2+4\sqrt h\epsilon W_{\max}^2$ for
    $t\ge t_1$.
    """
    run = fit_run(data, start, loss, part, _COARSE * tolerance)
    everyone = np.arange(len(run.signs))
    extra = _log_extra(run, len(everyone))
    whole, blocks, doubled = [], [], []
    for k in range(len(run.time)):
        frobenius, spectral = _spectral(run, k, everyone)
        parts = [_spectral(run, k, run.members(label))[1] for label in (1, -1)]
        whole.append(frobenius)
        blocks.append(float(logsumexp([*parts, extra])))
        doubled.append(float(np.logaddexp(np.log(two) + spectral, extra)))
    return all_of(
        at_most(
            np.array(whole), np.array(blocks), "ln |W|_F^2 against ln of the sum over the blocks", error=4 * run.error
        ),
        at_most(
            np.array(blocks),
            np.array(doubled),
            "ln of the sum over the blocks against ln(2 |W|_2^2 + ...)",
            error=4 * run.error,
        ),
    )


@claim(
    "min2024.eq_41.block_low_rank",
    "Eqs. (41), (42), (43) and the display before",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("eps^2 in place of eps", squared=1.0), moved("|W_+|_F^2 <= |W_+|_2^2 / 2", half=0.5)],
    convention="in logarithms; the invariant is evaluated at t_1 (it is constant by sec_D3.layer_invariance), the "
    "norms at all "
    "recorded times",
    cost=1.0,
)
def each_block_is_almost_of_rank_one(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, squared: float = 0.0, half: float = 1.0
) -> Margin:
    r"""$\|W_\pm^\top W_\pm-v_\pm v_\pm^\top\|_2\le2\sum_{\tilde{\mathcal V}_\pm}\|w_j(t_1)\|^2\le\frac{4\epsilon
    W_{\max}^2}{\sqrt h}|\tilde{\mathcal V}_\pm|$,
    $\|W_\pm\|_F^2\le\|W_\pm\|_2^2+\frac{4\epsilon W_{\max}^2}{\sqrt h}|\tilde{\mathcal V}_\pm|$ and
    $\|W_{dead}\|_F^2\le\frac{4\epsilon W_{\max}^2}{\sqrt h}|\mathcal V_{dead}|$ for $t\ge t_1$.
    """
    run = fit_run(data, start, loss, part, _COARSE * tolerance)
    at_t1 = run.aligned.log_norm[-1]
    parts = []
    for label in (1, -1):
        members = run.members(label)
        u = run.aligned.direction[-1, members]
        shift = at_t1[members].max()
        mass = np.exp(at_t1[members] - shift)
        gram = (
            (u @ u.T - 1) * mass[:, None] * mass[None]
        )  # <w_j, w_k> - v_j v_k, v_j v_k = |w_j| |w_k| as the signs agree
        doubled = np.log(2) + float(logsumexp(2 * at_t1[members]))
        extra = _log_extra(run, len(members)) + squared * run.log_epsilon
        norms = np.array([_spectral(run, k, members) for k in range(len(run.time))])
        parts += [
            at_most(
                float(np.linalg.norm(gram, 2)),
                np.exp(doubled - 2 * shift),
                "|W^T W - v v^T|_2 against 2 sum |w_j(t_1)|^2, scaled",
            ),
            at_most(doubled, extra, "ln of 2 sum |w_j(t_1)|^2 against ln of its bound", error=4 * run.aligned.error),
            at_most(
                norms[:, 0],
                np.logaddexp(np.log(half) + norms[:, 1], extra),
                "ln |W_+|_F^2 against its bound",
                error=4 * run.error,
            ),
        ]
    if run.dead.size:
        dead = float(logsumexp(2 * at_t1[run.dead]))
        parts.append(
            at_most(
                dead, _log_extra(run, run.dead.size), "ln |W_dead|_F^2 against its bound", error=4 * run.aligned.error
            )
        )
    return all_of(*parts)


def _final_stable_rank(run: Fit) -> float:
    frobenius, spectral = _spectral(run, len(run.time) - 1, np.arange(len(run.signs)))
    return float(np.exp(frobenius - spectral))


@claim(
    "min2024.theorem_1.stable_rank",
    "Theorem 1, item 2",
    kind=Kind.DYNAMICS,
    given=PLANE_FITS,
    assumes=FITTING,
    recorded="supported",
    mutants=[moved("at most 1", two=1.0), moved("at most 3/2", two=1.5), moved("at least 2", turned=-1.0)],
    convention="reading B of the last display of D.3 as well; evaluated where the slopes of the loss are 1/1000 of "
    "their first values",
    cost=1.0,
)
def the_stable_rank_is_at_most_two_in_the_limit(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float, *, two: float = 2.0, turned: float = 1.0
) -> Margin:
    r"""$\limsup_{t\to\infty}\|W\|_F^2/\|W\|_2^2\le2$."""
    run = fit_run(data, start, loss, part, _COARSE * tolerance)
    return at_most(turned * _final_stable_rank(run), turned * two, "stable rank at the end", error=4 * run.error)


@claim(
    "min2024.theorem_1.stable_rank.r1",
    "D.3, last display",
    kind=Kind.DYNAMICS,
    given=FITS,
    assumes=FITTING,
    recorded="refuted",
    convention="reading A, an equality; evaluated where the slopes of the loss are 1/1000 of their first values",
)
def the_stable_rank_is_two_in_the_limit(
    data: Dataset, start: Balanced, loss: str, part: float, tolerance: float
) -> Margin:
    r"""$\limsup_{t\to\infty}\|W\|_F^2/\|W\|_2^2=2$. Fails in one dimension already, where every W has rank one and
    stable rank 1.
    """
    run = fit_run(data, start, loss, part, _COARSE * tolerance)
    return equal(_final_stable_rank(run), 2.0, "stable rank at the end", error=4 * run.error)


_HALVES = [2, 4, 8, 16]
_FEW, _MANY = [1, 2, 4, 8], 16


def _fitting_time(
    positive: int, negative: int, loss: str, deeper: float = 0.0, tolerance: float = 1e-7
) -> tuple[float, Fit]:
    """t_2 for data (1, 0) and (-1, 0), repeated, in units of log(1/(sqrt(h) eps))."""
    inputs = np.array([[1.0, 0.0]] * positive + [[-1.0, 0.0]] * negative)
    data = Dataset(inputs, np.array([1.0] * positive + [-1.0] * negative))
    run = fit_run(data, _START, loss, 0.99, tolerance, level=0.5, deeper=deeper)
    return float(run.time[run.second]) / (-run.log_epsilon - np.log(2) / 2), run


def _unknown(run: Fit) -> float:
    """How far ln t_2 may be off."""
    early = float(run.time[run.second]) - run.time_error
    return run.time_error / early if early > 0 else np.inf


@claim(
    "min2024.theorem_1.t2_order",
    "Theorem 1, item 2; end of D.2",
    kind=Kind.ASYMPTOTIC,
    given=sized(loss=choice("exponential", "twice logistic")),
    recorded="refuted",
    convention="one positive datum (1, 0) and n - 1 copies of the negative datum (-1, 0), n up to 16, from the scale "
    "(28)",
    cost=6.0,
)
def t2_is_of_order_log_epsilon_over_n(loss: str, tolerance: float) -> Margin:
    r"""$t_2=O(\frac1n\log\frac1{\sqrt h\epsilon})$ with a constant that does not depend on n.

    Fails for unbalanced classes: the smaller class grows at the rate $2\|x_+\|$ and $\|x_+\|=1$ for one positive datum,
    so that $t_2^+\approx\log\frac1\epsilon$ whatever n is. The proof has $n_+$ where the theorem has n.
    """
    found = [_fitting_time(1, n - 1, loss, tolerance=_COARSE * tolerance) for n in _HALVES]
    law = fit([1 / n for n in _HALVES], [time for time, _ in found])
    margin = vanishes_at_least_like(law, 1.0, "t_2 / log(1/(sqrt(h) eps)) against 1/n")
    unknown = max(
        _unknown(run) for _, run in found
    )  # the exponent is a sum of ln t_2 with weights that add up to 1.16 in modulus
    return replace(margin, error=margin.error + Fraction(min(2 * unknown, 1e9)))


@claim(
    "min2024.theorem_1.t2_order.amended",
    "Theorem 1, item 2; end of D.2",
    kind=Kind.ASYMPTOTIC,
    given=sized(loss=choice("exponential", "twice logistic")),
    recorded="supported",
    mutants=[
        moved("order 1 / min{n_+, n_-}^(3/2)", power=1.5),
        moved("the larger class", counted=max),
        moved("before t_1", before=True),
    ],
    convention="copies of (1, 0) and (-1, 0), one class of 16 and the other of 1 to 8; t_2 in units of log(1/(sqrt(h) "
    "eps)) is also "
    "compared at eps and eps^4",
    cost=6.0,
)
def t2_is_of_order_log_epsilon_over_the_smaller_class(
    loss: str, *, power: float = 1.0, counted: Callable[..., int] = min, before: bool = False
) -> Margin:
    r"""Amended: $t_1\le t_2=\Theta(\frac1{\min\{n_+,n_-\}}\log\frac1{\sqrt h\epsilon})$; here $n_-=16$ and $n_+$
    varies.
    """
    found = [_fitting_time(few, _MANY, loss) for few in _FEW]
    times = [time for time, _ in found]
    deeper, deep = _fitting_time(_FEW[1], _MANY, loss, deeper=-3 * found[1][1].log_epsilon)
    slack = np.array([run.time[run.second] - run.t1 for _, run in found])
    sizes = [1 / counted(few, _MANY) for few in _FEW]
    scaled = [time / size**power for time, size in zip(times, sizes, strict=True)]
    return all_of(
        exponent_equals(
            fit([1 / few for few in _FEW], scaled),
            0.0,
            "t_2 / log(1/(sqrt(h) eps)) times min{n_+, n_-}, against 1 / n_+",
        ),
        at_least(-slack if before else slack, 0.0, "t_2 - t_1", error=max(run.time_error for _, run in found)),
        at_most(
            np.abs(np.log(deeper / times[1])),
            0.05,
            "t_2 / log(1/(sqrt(h) eps)) at eps^4 against that at eps, ln of the quotient",
            error=_unknown(found[1][1]) + _unknown(deep),
        ),
    )
