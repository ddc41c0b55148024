r"""Theorem 1, item 2, and Appendix D.3: rates, $t_2$, the refined alignment, norms and the stable rank, from the scale
(28) on.

Asymptotic statements are followed along one family: positive data $(1,0)$ and $\frac32(\cos\frac a2,-\sin\frac a2)$, a
negative datum $-(\cos a,\sin a)$, one neuron of either sign; in time up to $10^{10}$, in the number of data by
repeating $(1,0)$ and $(-1,0)$.
"""

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from refute import Kind, Margin, all_of, at_least, at_most, claim, less, moved
from refute.claims.min2024.fitting import FITS, FITTING, Fit, fit_run
from refute.claims.min2024.training import ALL_LOSSES
from refute.decide.rate import fit, vanishes_at_least_like
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
