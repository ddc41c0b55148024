"""Conditions (E.2) to (E.7) of appendix E, and the event that it conditions on."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_most, changed, derived, mutants, scaled, section, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import (
    LEAKY_APPENDIX,
    RELU_APPENDIX,
    near_orthogonal,
    near_orthogonal_leaky,
    small_start,
    small_start_leaky,
    small_step,
    tame_start,
)
from refute.claims.kou2023.lemma_a1 import OMEGA
from refute.decide.probability import with_probability
from refute.decide.proof import by_smt, steps
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.orthogonality import largest_overlap, squared_radii
from refute.strategies import choice, count, sized
from refute.strategies.kou2023.nearly_orthogonal import relu_training, training

conditions = section("kou2023", given=relu_training(), assumes=RELU_APPENDIX, recorded="proved", cost=4.0)


def _weaker_conditions() -> str | None:
    def statement() -> Any:
        import z3

        gamma, start, square, overlaps = z3.Reals(
            "gamma start square overlaps"
        )  # (sigma_0 C R_max)^2 log(mn/delta), R_min^4, C R_max^2 np
        fourth = gamma * gamma * gamma * gamma
        given = z3.And(gamma > 0, gamma < 1, square > 0, start <= gamma * gamma, square * fourth >= overlaps)
        return z3.Implies(given, z3.And(start <= 1, square >= overlaps))

    return steps(by_smt(statement), "(E.3) is (B.3) word by word")


@conditions.claim(
    "cond_e2_e4.definition", "Eqs. (E.2) to (E.4)", given=training(), assumes=LEAKY_APPENDIX, proof=_weaker_conditions
)
@mutants(
    changed("with 2C", C=lambda C: 2 * C),
    without(small_start_leaky),
    without(small_step),
    without(near_orthogonal_leaky),
)
def the_conditions_follow_from_those_for_leaky_networks(
    data: Dataset, net: TwoLayer, rate: Number, scale: Number, delta: Number, C: int
) -> Margin:
    r"""$\sigma_0\le(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$, $\eta\le nm/(CR_{\max}^2)$ and $R_{\min}^2\ge CR^2np$ hold
    wherever (B.2) to (B.4) hold for some $\gamma<1$.

    Convention: a check of the definition: these are the conditions of appendix B with $\gamma=1$, so those for
    $\gamma<1$ imply them.
    """
    return all_of(
        small_start.margin(data, net, scale, delta, C),
        small_step.margin(data, net, rate, C),
        near_orthogonal.margin(data, C),
    )


@derived
def m(n: int, delta: float, excess: int) -> int:
    """50 log(2n/delta) neurons of each sign, rounded up, and the excess."""
    return int(np.ceil(OMEGA * np.log(2 * n / float(delta)))) + excess


@derived
def d(m: int, n: int, delta: float) -> int:
    """50 log(mn/delta), rounded up."""
    return int(np.ceil(OMEGA * np.log(m * n / float(delta))))


class Room(NamedTuple):
    """What |w|^2 may be off sigma_0^2 d, how large signals may be, and what |S_i^(0)| may be off m/2."""

    norm: float
    signal: float
    active: float

    def times(self, norm: float = 1, signal: float = 1, active: float = 1) -> "Room":
        """Other bounds."""
        return Room(norm * self.norm, signal * self.signal, active * self.active)


@derived
def room(n: int, m: int, d: int, delta: float) -> Room:
    """d/2, sqrt(2 log(8mn/delta)) and m/10."""
    return Room(d / 2, float(np.sqrt(2 * np.log(8 * m * n / float(delta)))), m / 10)


def _on_all_events(n: int, m: int, d: int, room: Room, rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
    """For `count` Gaussian starts, whether norms and signals are as in Lemma A.1 and active neurons as in Lemma A.2."""
    signals = rng.standard_normal((count, 2 * m, n))
    squares = (signals**2).sum(axis=2) + rng.chisquare(d - n, (count, 2 * m))
    fair = (np.abs(squares - d) <= room.norm).all(axis=1)
    tame = (np.abs(signals) <= room.signal).all(axis=(1, 2))
    off = np.abs((signals[:, :m] > 0).sum(axis=1) - m / 2)
    return np.asarray(fair & tame & (off <= room.active + 1e-9).all(axis=1))


events = section(
    "kou2023",
    kind=Kind.PROBABILISTIC,
    given=sized(n=choice(1, 2, 4), excess=count(0, 40), delta=choice("1/10", "1/4", "1/20")),
    derived=[m, d, room],
    recorded="supported",
)


@events.claim("cond_e.event_probability", "Appendix E, first paragraph")
@mutants(
    changed("norms within a twentieth", room=lambda room: room.times(norm=0.1)),
    changed("signals below half of the bound", room=lambda room: room.times(signal=0.5)),
    changed("between 48% and 52% active", room=lambda room: room.times(active=0.2)),
)
def all_events_of_appendix_a_hold_together(
    n: int, m: int, d: int, delta: float, room: Room, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""With probability at least $1-2\delta$ the bounds of Lemma A.1 on norms and signals and
    $0.4m\le|S_i^{(0)}|\le0.6m$ all hold.

    Convention: inputs $e_1,\ldots,e_n$, labels 1, $\sigma_0=1$; $m=50\log(2n/\delta)$ and $d=50\log(mn/\delta)$, both
    rounded up, and m larger by the excess; Theorem 4.3 promises $1-\delta$, so $\delta$ has to be halved there.
    """
    trial = partial(_on_all_events, n, m, d, room)
    return with_probability(1 - 2 * delta, trial, rng, trials, "norms, signals and active neurons are as in appendix A")


def _start_is_small() -> str | None:
    def statement() -> Any:
        import z3

        square, unit, C, ratio, two = z3.Reals(
            "square unit C ratio two"
        )  # beta^2, (sigma_0 R_max)^2, C, log(mn/delta), log 2
        given = z3.And(
            unit > 0, C > 0, two > 0, ratio >= two, square <= 2 * (3 * two + ratio) * unit, unit * C * C * ratio <= 1
        )
        return z3.Implies(given, square * C * C <= 8)

    return by_smt(statement)


@conditions.claim("cond_e5.beta_small", "Eq. (E.5)", proof=_start_is_small)
@mutants(scaled("1/8"), without(small_start), without(tame_start))
def initial_signals_are_small(data: Dataset, net: TwoLayer, C: int) -> Margin:
    r"""$\beta\le c$: since $\log(8mn/\delta)\le4\log(mn/\delta)$ for $mn\ge2$, Lemma A.1 and (E.2) give
    $C^2\beta^2\le8$.

    Convention: $c=\sqrt8/C$, small for large C; $m\ge2$, since $0.4m\le|S_i|\le0.6m$ cannot hold for $m=1$; for $mn=1$
    and $\delta$ near 1 no c would do. The text refers to (B.2) and (B.4) where it needs (E.2) and (E.4).
    """
    signals = net.inner @ data.inputs.T
    return at_most(C * C * signals * signals, 8, "(C <w(0), x_i>)^2")


def _overlaps_are_small() -> str | None:
    def statement() -> Any:
        import z3

        low, high, np_, C = z3.Reals("low high np C")
        given = z3.And(low > 0, high >= low, np_ >= 0, C > 0, low * low >= C * high * np_)
        return z3.Implies(given, z3.And(C * np_ <= low, C * high * np_ <= low * low))

    return by_smt(statement)


overlaps = conditions.but(proof=_overlaps_are_small, mutants=[without(near_orthogonal)])


@overlaps.claim("cond_e6.np_small", "Eq. (E.6)")
@mutants(scaled("1/3"))
def overlaps_are_small(data: Dataset, C: int) -> Margin:
    r"""$R_{\min}^{-2}np\le c$ with $c=1/C$, from (E.4)."""
    overlap = len(data.labels) * largest_overlap(data.inputs)
    return at_most(C * overlap, squared_radii(data.inputs)[0], "C n p against R_min^2")


@overlaps.claim("cond_e7.np_small_R", "Eq. (E.7)")
@mutants(scaled("2/3"))
def overlaps_are_small_for_unequal_norms(data: Dataset, C: int) -> Margin:
    r"""$R_{\min}^{-2}R^2np\le c$ with $c=1/C$: this is (E.4) itself."""
    low, high = squared_radii(data.inputs)
    overlap = len(data.labels) * largest_overlap(data.inputs)
    return at_most(C * high * overlap, low * low, "C R_max^2 n p against R_min^4")
