r"""Appendix C.2, how long a neuron may travel: to $S_{dead}$ by a harmonic sum, to $S_+$ along its path.

With $r=\min\{\zeta,\xi\}\sqrt\mu X_{\min}$ a pattern with k active data lasts at most $4/(rk)$, and $t_1=16\log n/r$.
"""

from fractions import Fraction

import numpy as np

from refute import Cases, Fault, Kind, Margin, all_of, at_most, changed, derived, mutants, scaled, section, suppose
from refute.arithmetic.numbers import Number, lifted_like
from refute.claims.min2024.equations_26_28 import ZETA
from refute.claims.min2024.harmonic import harmonic, harmonic_proof
from refute.claims.min2024.section_c2_paths import trained
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.decide.proof import by_subdivision, in_words, steps
from refute.functions import log
from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024 import activation_paths
from refute.models.min2024.activation_paths import Arrivals, travel_time
from refute.models.min2024.alignment import Scales, at_scale, scales
from refute.strategies import choice, count, sized

travel = section("min2024", "sec_C")


def _counts(least: int) -> Cases:
    """n data, some of which are active."""
    counts = sized(n=count(least, 200), active=count(1, 200))
    some = counts.map(lambda fields: fields | {"active": min(fields["active"], fields["n"])})
    return some.within(lambda fields: fields["active"] <= fields["n"])


@travel.claim(
    "dead_travel_time", "C.2, a neuron that reaches S_dead", given=_counts(1), recorded="refuted", fault=Fault.BOUNDARY
)
def a_dying_neuron_travels_at_most_t1(n: int, active: int, *, sixteen: Number = Fraction(16)) -> Margin:
    r"""$\sum_{k=1}^{n_a}\frac4{rk}\le\frac4r(\sum_{k=2}^n\frac1k+1)\le\frac{16\log n}r=t_1$ for all $1\le n_a\le n$.

    Fails for $n=1$: the sum is 1 and $\log1=0$.

    Convention: in units of 1/r.
    """
    own, whole = (lifted_like(sixteen, 4 * harmonic(k)) for k in (active, n))
    return all_of(
        at_most(own, whole, "sum over the patterns against the whole harmonic sum"),
        at_most(whole, sixteen * log(0 * sixteen + n), "harmonic sum against 16 log n"),
    )


def _travel_proof() -> str | None:
    return steps(
        harmonic_proof(),
        by_subdivision(lambda n: 3 * n.log() - 1, Fraction(2), Fraction(2), "3 log n > 1 at n = 2"),
        in_words("so 1 + log n <= 4 log n for n >= 2, since the logarithm increases"),
    )


a_dying_neuron_travels_at_most_t1.amended(
    r"Amended: for $n\ge2$, where $1+\frac12+\dots+\frac1n\le1+\log n\le4\log n$.",
    given=_counts(2),
    proof=_travel_proof,
    recorded="proved",
    mutants=[scaled("541/1000", "harmonic sum"), changed("n = 1 again", n=lambda _: 1, active=lambda _: 1)],
)


@derived
def plane() -> Dataset:
    """(1, 0) with label 1 and (-1, 1/4) with label -1."""
    return Dataset(np.array([[1.0, 0.0], [-1.0, 0.25]]), np.array([1.0, -1.0]))


@derived
def beside(tilt: float) -> Balanced:
    """One positive neuron next to the negative datum."""
    return Balanced(np.array([[-1 + tilt / 4, 0.25 + tilt]]), np.array([1.0]), Fraction(0), Fraction(0))


@derived
def generous(plane: Dataset, beside: Balanced) -> Scales:
    """The constants with the larger of zeta_1, zeta_2."""
    return scales(plane, beside, 0.99, printed=True)


@derived
def journey(plane: Dataset, beside: Balanced, generous: Scales, loss: str, tolerance: float) -> Arrivals:
    """The way of this neuron, from a scale below (28)."""
    depth = min(float(generous.log_epsilon), -10_000.0)
    times = [float(generous.phase(depth))]
    run = log_polar_flow(at_scale(beside, depth), plane, LOSSES[loss], times=times, tolerance=tolerance)
    return activation_paths.arrivals(plane, beside, run)


def _in_time(found: Arrivals, constants: Scales) -> Margin:
    bounds = [4 / float(constants.rate) * float(travel_time(path)) for path in found.paths]
    return at_most(found.times, bounds, "time of arrival in the own cone against T(P)")


arrival = travel.but(kind=Kind.DYNAMICS)


@arrival.claim(
    "path_travel_time",
    "C.2: time of arrival in S_+ against the travel time of the path",
    given=sized(tilt=choice("1/8", "1/1024", "1/134217728", "1/1099511627776"), loss=ALL_LOSSES),
    derived=[plane, beside, generous, journey],
    recorded="refuted",
    fault=Fault.WRONG,
    root=ZETA,
)
def a_neuron_arrives_within_the_printed_travel_time(journey: Arrivals, generous: Scales) -> Margin:
    r"""A neuron of $\mathcal V_+$ that reaches $S_+$ does so by
    $\mathcal T(P)=\sum_l\frac4{\min\{\zeta,\xi\}\sqrt\mu X_{\min}(k_+^{(l)}+k_-^{(l)})}$, with
    $\zeta=\max\{\zeta_1,\zeta_2\}$.

    Fails: the path is $(0,1),(1,1),(1,0)$ whatever the tilt, and $\zeta\ge\zeta_1$, so $\mathcal T(P)\approx6.5$ for
    $\zeta_1$ near its supremum; but the neuron needs about $\log(2/\mathrm{tilt})$ to leave the neighbourhood of $x_-$.

    Convention: data (1, 0), label 1, and (-1, 1/4), label -1; one positive neuron next to the negative datum; a scale
    below (28). As in (26), zeta_1 and zeta_2 are only said to exist, each by itself, and are 99/100 of their largest
    values here: who takes both small enough has no use for a maximum.
    """
    return _in_time(journey, generous)


def _shorter(found: Arrivals) -> Arrivals:
    return found._replace(paths=[path[1:] for path in found.paths])


@trained.claim(
    "path_travel_time.amended",
    "C.2: time of arrival in S_+ against the travel time of the path, with the smaller zeta",
    recorded="supported",
    cost=0.4,
)
@mutants(scaled("1/400"), changed("the path without its first point", arrivals=_shorter))
def a_neuron_arrives_within_its_travel_time(arrivals: Arrivals, constants: Scales) -> Margin:
    r"""A neuron of $\mathcal V_+$ that reaches $S_+$ does so by $\mathcal T(P)$ of its own path, with
    $\zeta=\min\{\zeta_1,\zeta_2\}$.

    Amended: the smaller $\zeta$, which is what keeps the neuron out of $S^\zeta_{x_-}$ and that cone inside $S_-$.

    Convention: T as long as (28) allows; neurons of V_- with the classes exchanged; neither assumption is shown
    necessary.
    """
    suppose(bool(arrivals.paths), "a neuron comes to the cone of its sign")
    return _in_time(arrivals, constants)
