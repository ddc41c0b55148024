r"""Appendix E.1 along trajectories: Lemma 12, and the chain of integrals in the proof of Theorem 13.

Notation: u is the larger norm of the two layers, u_0 its initial value, W~ the solution of the linear system (21), c =
3(s + Tr Sigma).
"""

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_most, claim, equal, less, moved, without
from refute.claims.zhang2024.bounds import cubic_term, small_weights
from refute.claims.zhang2024.conditions import CONDITION_3, odd_target
from refute.claims.zhang2024.early_phase import correlated_target
from refute.claims.zhang2024.early_phase_limits import nonzero_layers
from refute.functions import maximum, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.flow import Trajectory, gradient_flow
from refute.models.loss import SQUARE
from refute.models.zhang2024.early_phase import early_phase
from refute.strategies import choice, drawn, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.zhang2024.early_phase import any_target

Floats = NDArray[np.float64]


def _rates(data: Dataset) -> tuple[float, float]:
    """s and Tr Sigma."""
    return float(np.linalg.norm(data.correlation)), float(np.trace(data.covariance))


def _start(net: TwoLayer) -> float:
    """u_0."""
    return float(max(np.linalg.norm(net.inner), np.linalg.norm(net.outer)))


def _early_run(net: TwoLayer, data: Dataset, tau: float, tolerance: float, parts: Floats) -> Trajectory:
    """The flow at parts of the early phase, which ends at tau/(s + Tr Sigma) ln(1/u_0)."""
    end = tau / sum(_rates(data)) * np.log(1 / _start(net))
    return gradient_flow(net, data, SQUARE, parts * end, tau=tau, tolerance=tolerance)


@claim(
    "zhang2024.lemma_12.norm_bound",
    "Lemma 12, Eq. (17)",
    kind=Kind.DYNAMICS,
    given=sized(net=two_layer, data=any_target, tau=choice("1", "1/10", "10"), samples=drawn(1, 3)),
    assumes=[*CONDITION_3, correlated_target, nonzero_layers, small_weights],
    recorded="supported",
    mutants=[without(odd_target), moved("rate 3s/5", label=0.6, output=0.0), moved("rate Tr Sigma", label=0.0)],
    convention="small: u(0) < 1, for otherwise the interval is empty; Condition 3 is inherited from the section; s > 0",
    cost=0.5,
)
def the_larger_norm_grows_at_most_exponentially(
    net: TwoLayer, data: Dataset, tau: float, tolerance: float, *, label: float = 1.0, output: float = 1.0
) -> Margin:
    r"""$u(t)\le u(0)e^{(s+\mathrm{Tr}\,\Sigma)t/\tau}$ for $t<\frac\tau{s+\mathrm{Tr}\,\Sigma}\ln\frac1{u(0)}$, for all
    slopes.

    The rate is not sharp: the cubic term of $\frac d{dt}u^2$ is negative, so the rate $\tfrac{\alpha+1}2s$ suffices.
    Both halves of Condition 3 are needed (even inputs by the case of R1); equal norms of the layers are not assumed.
    """
    return _bounded_growth(net, data, tau, tolerance, label, output)


def _bounded_growth(
    net: TwoLayer, data: Dataset, tau: float, tolerance: float, label: float = 1.0, output: float = 1.0
) -> Margin:
    run = _early_run(net, data, tau, tolerance, np.linspace(0.0, 1.0, 9))
    size, trace = _rates(data)
    sizes = np.maximum(np.sqrt((run.inner**2).sum(axis=(1, 2))), np.sqrt((run.outer**2).sum(axis=1)))
    bound = sizes[0] * np.exp((label * size + output * trace) * run.time / tau)
    return at_most(
        sizes / bound, 1.0, "u(t) over its bound", error=np.sqrt(net.inner.size + net.width) * run.error / sizes[0]
    )


@claim(
    "zhang2024.lemma_12.norm_bound.r1",
    "Lemma 12, Eq. (17)",
    kind=Kind.DYNAMICS,
    given=sized(net=two_layer, data=any_target, tau=choice("1", "1/10", "10"), samples=drawn(1, 3)),
    assumes=[correlated_target, nonzero_layers, small_weights],
    recorded="refuted",
    convention="R1: the lemma by its own words, which do not name Condition 3; small: u(0) < 1; s > 0",
)
def the_larger_norm_grows_at_most_exponentially_on_any_data(
    net: TwoLayer, data: Dataset, tau: float, tolerance: float
) -> Margin:
    r"""R1: the bound (17) on any data, as the lemma is worded; its section is about symmetric data, and its proof uses
    Lemma 11.

    Fails: a neuron sees its own half space only, where labels and inputs can be more correlated than on the whole. Data
    (1, 8), (-2, 3) have $s=|8-6|/2=1$ and $\mathrm{Tr}\,\Sigma=5/2$, while one ReLU neuron w = a > 0 sees the first
    datum alone and grows at first at the rate 8/2 = 4, faster than $s+\mathrm{Tr}\,\Sigma=7/2$. The target is odd
    there, so even inputs are needed.
    """
    return _bounded_growth(net, data, tau, tolerance)


def _stacked(inner: Floats, outer: Floats) -> Floats:
    """The transpose of [W1^T; W2]: one row per neuron, the outer weight last."""
    stacked: Floats = np.concatenate([inner, outer[..., None]], axis=-1)
    return stacked


class _Quadrature:
    """Gauss rules of 20 and 32 points between the activation changes; `nodes` are those of both, and the end."""

    def __init__(self, breaks: Floats) -> None:
        self.rules = []
        for count in (20, 32):
            x, weights = np.polynomial.legendre.leggauss(count)
            half = np.diff(breaks)[:, None] / 2
            self.rules.append(((breaks[:-1, None] + half * (1 + x)).reshape(-1), (half * weights).reshape(-1)))
        self.nodes = np.unique(np.concatenate([*(nodes for nodes, _ in self.rules), [0.0, breaks[-1]]]))

    def __call__(self, values: Floats) -> tuple[Floats, float]:
        """The integral of values given at the nodes, and the distance between the two rules."""
        rough, fine = (
            np.tensordot(weights, values[np.searchsorted(self.nodes, nodes)], axes=1) for nodes, weights in self.rules
        )
        return fine, float(np.abs(fine - rough).max())


def _chain(
    net: TwoLayer, data: Dataset, tau: float, tolerance: float, sign: int, divided: float, share: float = 1.0
) -> Margin:
    """The links of the display at the end of the early phase, over its last bound; `divided` stands in front of the
    integrals.
    """
    scout = _early_run(net, data, tau, tolerance, np.array([1.0]))
    end = float(scout.time[-1])
    integral = _Quadrature(np.array([0.0, *sorted({e.time for e in scout.events if 0 < e.time < end}), end]) / end)
    run = _early_run(net, data, tau, tolerance / 100, integral.nodes)  # W - W~ is a small difference
    size, trace = _rates(data)
    tilde = [early_phase(net.inner, net.outer, data.correlation, net.slope, tau, float(t)) for t in run.time]
    gap = _stacked(run.inner, run.outer) - _stacked(np.array([w for w, _ in tilde]), np.array([v for _, v in tilde]))
    epsilon = np.array([_cubic(net.with_weights(w, v), data) for w, v in zip(run.inner, run.outer, strict=True)])
    b = data.correlation
    moved_by_M = np.concatenate([gap[..., -1:] * b, (gap[..., :-1] @ b)[..., None]], axis=-1)
    gaps, epsilons = np.sqrt((gap**2).sum(axis=(1, 2))), np.sqrt((epsilon**2).sum(axis=(1, 2)))
    growth = np.sqrt(2) * _start(net) ** 3 * trace * np.exp(3 * (size + trace) * run.time / tau)
    scale = divided * end  # the nodes are parts of the interval
    whole, missed = integral((1 + net.slope) / 2 * moved_by_M + sign * epsilon)
    first, second, third = (integral(np.sqrt(2) * size * gaps + part) for part in (epsilons, growth, 0.0))
    norm_of_integral, inside, bounded = (
        scale * np.sqrt((whole**2).sum()),
        scale * float(first[0]),
        scale * float(second[0]),
    )
    closed = share * (growth[-1] - growth[0]) / (3 * (size + trace)) + scale * float(third[0])
    error = scale * (missed * gap[0].size + first[1] + second[1] + third[1]) + 2 * np.sqrt(gap[0].size) * run.error
    links = [gaps[-1], norm_of_integral, inside, bounded, closed]
    names = [
        "|W - W~| and the norm of the integral",
        "norm inside the integral",
        "bound of epsilon",
        "integral of the exponential",
    ]
    unit = max(links)
    return all_of(
        equal(links[0] / unit, links[1] / unit, names[0], error=error / unit),
        *(at_most(links[k] / unit, links[k + 1] / unit, names[k], error=error / unit) for k in (1, 2, 3)),
    )


def _cubic(net: TwoLayer, data: Dataset) -> Floats:
    """epsilon of Eq. (25): the cubic terms of both layers."""
    hidden = net.hidden(data.inputs)
    return _stacked(cubic_term(net, data, (1 + net.slope) / 2), (hidden.T @ hidden @ net.outer) / len(hidden))


@claim(
    "zhang2024.eq_25.difference_system.r1",
    "the last bound after Eq. (25)",
    given=sized(net=two_layer, data=unscaled_dataset),
    assumes=[*CONDITION_3, small_weights],
    recorded="refuted",
    convention="R1: at t = 0, where u = u_0; epsilon read with R2 of (24a); sigma'(0) = (1 + alpha)/2",
)
def the_remainder_is_strictly_below_its_exponential(net: TwoLayer, data: Dataset) -> Margin:
    r"""R1:
    $\|\epsilon\|\le\sqrt2u^3\mathrm{Tr}\,\Sigma<\sqrt2u_0^3e^{3(s+\mathrm{Tr}\,\Sigma)t/\tau}\mathrm{Tr}\,\Sigma$ from
    t = 0 on.

    Fails in its strict sign only, at t = 0, where the two bounds are equal (for w = a = 1/2 and the inputs 1, -1 both
    are $\sqrt2/8$); Lemma 12, which it rests on, has the weak sign.
    """
    u = maximum(squared_norm(net.inner), squared_norm(net.outer))
    trace = data.covariance.trace()
    return all_of(
        at_most(
            squared_norm(_cubic(net, data)), 2 * u**3 * trace * trace, "squares: |epsilon| against sqrt(2) u^3 Tr Sigma"
        ),
        less(u**3 * trace * trace, u**3 * trace * trace, "squares: u^3 Tr Sigma against u_0^3 e^0 Tr Sigma"),
    )


@claim(
    "zhang2024.eq_25.difference_system.r1.amended",
    "the last bound after Eq. (25)",
    kind=Kind.DYNAMICS,
    given=sized(net=two_layer, data=any_target, tau=choice("1", "1/10", "10"), samples=drawn(1, 3)),
    assumes=[*CONDITION_3, correlated_target, nonzero_layers, small_weights],
    recorded="supported",
    mutants=[
        moved("two fifths of the bound", share=0.4),
        moved("u_0^3 without its exponential", rate=0.0),
        without(odd_target),
    ],
    convention="on the interval of Lemma 12; epsilon read with R2 of (24a); sigma'(0) = (1 + alpha)/2",
    cost=0.5,
)
def the_remainder_stays_below_its_exponential(
    net: TwoLayer, data: Dataset, tau: float, tolerance: float, *, share: float = 1.0, rate: float = 1.0
) -> Margin:
    r"""Amended: $\|\epsilon(t)\|\le\sqrt2u_0^3e^{3(s+\mathrm{Tr}\,\Sigma)t/\tau}\mathrm{Tr}\,\Sigma$ along the flow."""
    run = _early_run(net, data, tau, tolerance, np.linspace(0.0, 1.0, 9))
    size, trace = _rates(data)
    epsilon = np.array([_cubic(net.with_weights(w, v), data) for w, v in zip(run.inner, run.outer, strict=True)])
    bound = share * np.sqrt(2) * _start(net) ** 3 * trace * np.exp(3 * rate * (size + trace) * run.time / tau)
    return at_most(
        np.sqrt((epsilon**2).sum(axis=(1, 2))) / bound, 1.0, "|epsilon| over its bound", error=_slack(run, net)
    )


def _slack(run: Trajectory, net: TwoLayer) -> float:
    """The error of |epsilon| over its bound: epsilon is cubic in the weights, and u only grows above the bound's u_0 by
    its factor.
    """
    return 6 * float(np.sqrt(net.inner.size + net.width)) * run.error / _start(net)


_RUNS = sized(
    net=two_layer,
    data=unscaled_dataset,
    tau=choice("1", "1/10", "10"),
    samples=drawn(1, 2),
    width=(1, 2),
    dimension=(1, 2),
)
_ASSUMED = [*CONDITION_3, correlated_target, nonzero_layers, small_weights]
_DISPLAY = "Theorem 13, display starting |W - W~| ="


@claim(
    "zhang2024.theorem_13.proof_integral_inequality",
    _DISPLAY,
    kind=Kind.DYNAMICS,
    given=_RUNS,
    assumes=_ASSUMED,
    recorded="refuted",
    convention="R0: as printed, with + epsilon and without 1/tau; epsilon as in R2 of (24a); at the end of the "
    "interval",
)
def the_chain_of_integrals(net: TwoLayer, data: Dataset, tau: float, tolerance: float) -> Margin:
    r"""$\|W-\tilde W\|=\|\int_0^t\tfrac{\alpha+1}2M(W-\tilde W)+\epsilon\,dt\|\le\int_0^t\|M\|\|W-\tilde
    W\|+\|\epsilon\|dt \le\int_0^t(\sqrt2s\|W-\tilde
    W\|+\sqrt2u_0^3e^{3(s+\mathrm{Tr}\,\Sigma)t/\tau}\mathrm{Tr}\,\Sigma)dt
    \le\frac{\sqrt2u_0^3\mathrm{Tr}\,\Sigma}{3(s+\mathrm{Tr}\,\Sigma)}(e^{3(s+\mathrm{Tr}\,\Sigma)t/\tau}-1)
    +\sqrt2\int_0^ts\|W-\tilde W\|dt$.

    Fails in its first sign of equality: (25) is about $\tilde W-W$, so $\epsilon$ enters with a minus, and it divides
    by $\tau$. One ReLU neuron w = a = 1/3 on the data (1, 1), (-1, -1) with $\tau=1$ has 0.101 on the left and 0.078 on
    the right at the end.
    """
    return _chain(net, data, tau, tolerance, 1, 1.0)


@claim(
    "zhang2024.theorem_13.proof_integral_inequality.r1",
    _DISPLAY,
    kind=Kind.DYNAMICS,
    given=_RUNS,
    assumes=_ASSUMED,
    recorded="refuted",
    convention="R1: with - epsilon and without 1/tau",
)
def the_chain_of_integrals_with_the_sign_of_epsilon(
    net: TwoLayer, data: Dataset, tau: float, tolerance: float
) -> Margin:
    r"""R1: the same with $-\epsilon$.

    Fails for $\tau\ne1$: the integrals lack the factor $1/\tau$ of (25), so that the right side is $\tau$ times the
    left one.
    """
    return _chain(net, data, tau, tolerance, -1, 1.0)


@claim(
    "zhang2024.theorem_13.proof_integral_inequality.amended",
    _DISPLAY,
    kind=Kind.DYNAMICS,
    given=_RUNS,
    assumes=_ASSUMED,
    recorded="supported",
    mutants=[
        moved("with + epsilon", sign=1),
        moved("without 1/tau", power=0.0),
        moved("99/100 of the closed term", share=0.99),
        without(odd_target),
    ],
    convention="at the end of the interval; integrals by Gauss rules of 32 points between activation changes, "
    "compared with 20 points",
)
def the_chain_of_integrals_with_its_time_constant(
    net: TwoLayer,
    data: Dataset,
    tau: float,
    tolerance: float,
    *,
    sign: int = -1,
    power: float = 1.0,
    share: float = 1.0,
) -> Margin:
    r"""Amended: the chain with $-\epsilon$ and $1/\tau$ in front of every integral; the closed term is then right as
    printed.
    """
    return _chain(net, data, tau, tolerance, sign, tau**-power, share)
