r"""Appendix C.2, total travel time: paths of activation counts $(k_+,k_-)$ and the slowest of them.

Condition (2) of a path is read in two ways. r1: as printed, for $l_1<l_2$ either $k_-^{(l_1)}>k_-^{(l_2)}$ or
$k_+^{(l_1)}<k_+^{(l_2)}$, which lets a count go back. r2: as the text says, positive data are only gained and negative
ones only lost.
"""

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    assumption,
    at_most,
    changed,
    derived,
    equal,
    mutants,
    scaled,
    section,
    shifted,
    suppose,
)
from refute.arithmetic.numbers import Array, Number, lifted_like
from refute.claims.min2024.assumptions import SETTING
from refute.claims.min2024.harmonic import harmonic, harmonic_proof
from refute.claims.min2024.runs import constants, phase
from refute.claims.min2024.training import ALL_LOSSES, DEEPEST, PARTS
from refute.decide.proof import by_smt, by_subdivision, in_words
from refute.decide.proof import steps as all_steps
from refute.functions import log
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024 import activation_paths
from refute.models.min2024.activation_paths import (
    Arrivals,
    Point,
    best_path,
    follows,
    is_path,
    maximal_path,
    succeeds,
    travel_time,
)
from refute.strategies import count, drawn, sized
from refute.strategies.min2024 import paths as repair
from refute.strategies.min2024.separated import neurons, placed, separated_dataset
from refute.strategies.min2024.theory_scale import followable

PRINTED = repair.printed_path()
COUNTS = sized(positive=count(1, 7), negative=count(1, 7))
ON_THE_WAY = followable(
    placed(
        data=separated_dataset,
        start=neurons,
        loss=ALL_LOSSES,
        part=PARTS,
        dimension=drawn(2, 3),
        samples=drawn(2, 4),
        width=drawn(1, 3),
    ),
    DEEPEST,
    repair=repair.send_on_its_way,
)


def _points(path: Array) -> list[Point]:
    return [(int(str(p)), int(str(q))) for p, q in path]


@assumption("path.printed_conditions", base=PRINTED, satisfy=repair.order_path, violate=repair.break_path)
def printed_conditions(positive: int, negative: int, path: Array) -> Margin:
    """conditions (1) to (4) of a path, (2) as printed"""
    return equal(int(is_path(_points(path), positive, negative, follows)), 1, "is a path")


@derived
def arrivals(data: Dataset, start: Balanced, phase: LogPolarTrajectory) -> Arrivals:
    """When neurons reach the cone of their sign, and the counts of active data on the way."""
    return activation_paths.arrivals(data, start, phase)


@derived
def longest(positive: int, negative: int) -> list[Point]:
    """The printed P_max."""
    return maximal_path(positive, negative)


paths = section("min2024", "sec_C")
printed = paths.but(
    given=PRINTED,
    assumes=[printed_conditions],
    derived=[longest],
    recorded="refuted",
    fault=Fault.CONVENTION,
    root="min2024.sec_C.path_definition.r1",
)
monotone = paths.but(given=COUNTS, derived=[longest], recorded="supported")


def _turned(found: Arrivals) -> Arrivals:
    return found._replace(paths=[path[::-1] for path in found.paths])


trained = paths.but(kind=Kind.DYNAMICS, given=ON_THE_WAY, assumes=SETTING, derived=[constants, phase, arrivals])


@trained.claim(
    "path_definition", "C.2: every neuron that reaches S_+ has an associated path", recorded="supported", cost=0.5
)
@mutants(
    changed("from S_+ back to the start", arrivals=_turned),
    changed("the classes exchanged", arrivals=lambda found: found._replace(sizes=[k[::-1] for k in found.sizes])),
)
def the_record_of_a_neuron_is_a_path(arrivals: Arrivals) -> Margin:
    r"""The counts of active data of a neuron of $\mathcal V_+$, until it is in $S_+$, stay in the grid, never go back,
    avoid $(0,0)$ and end at $(n_+,0)$. Neither assumption is shown necessary.

    Convention: reading r2 of (2), which implies r1; simultaneous changes are one step; the neurons of V_- with the
    classes exchanged; a neuron that starts in its cone has no path to speak of.
    """
    suppose(bool(arrivals.paths), "a neuron comes to the cone of its sign")
    records = zip(arrivals.paths, arrivals.sizes, strict=True)
    wrong = [path for path, size in records if not is_path(path, *size, succeeds)]
    return equal(len(wrong), 0, f"records that are no paths, of {len(arrivals.paths)}")


@printed.claim("path_definition.r1", "C.2: condition (2) of a path", root="")
def the_printed_condition_is_monotone(positive: int, negative: int, path: Array) -> Margin:
    r"""Conditions (1) to (4) as printed say that along a path positive data are only gained and negative ones only
    lost.

    Fails: of the two inequalities of (2) only one has to hold, so for $n_+=1$, $n_-=3$ the path $(0,1),(1,2),(1,0)$
    regains a negative datum.

    Convention: a reading of "either ... or"; the text around the definition says in words that no count goes back,
    which is r2.
    """
    return equal(int(is_path(_points(path), positive, negative, succeeds)), 1, "no count goes back")


@printed.claim("path_max.r1", "C.2: P_max has the maximum length n; condition (2) as printed")
def printed_paths_have_at_most_n_steps(positive: int, negative: int, path: Array) -> Margin:
    r"""No path has more than $n=n_++n_-$ steps.

    Fails for $n_+=1$, $n_-=2$: $(0,2),(0,1),(1,2),(1,1),(1,0)$ meets (1) to (4) as printed and has four. Indeed all
    points but the origin, ordered by $k_+-k_-$, are a path.
    """
    return at_most(len(path) - 1, positive + negative, "length against n")


def _length_proof() -> str | None:
    """The potential (n_+ - k_+) + k_- of a point falls by one at least with each step."""
    import z3

    p, q, r, s, n, m = z3.Ints("p q r s n m")
    step = z3.And(r >= p, s <= q, z3.Or(r > p, s < q))
    grid = z3.And(p >= 0, p <= n, q >= 0, q <= m)
    return all_steps(
        by_smt(lambda: z3.Implies(step, (n - r) + s <= (n - p) + q - 1), "it falls by one or more along a step"),
        by_smt(lambda: z3.Implies(grid, z3.And((n - p) + q >= 0, (n - p) + q <= n + m)), "it lies between 0 and n"),
        in_words("so a path has at most n steps; P_max, from (0, n_-) to (n_+, 0), changes one count by one at a time"),
    )


@monotone.claim(
    "path_max.r2", "C.2: P_max has the maximum length n; no count goes back", proof=_length_proof, recorded="proved"
)
@mutants(shifted(-1, "most"), shifted(1, "most"), shifted(-1, "steps of P_max"), shifted(1, "steps of P_max"))
def monotone_paths_have_at_most_n_steps(positive: int, negative: int, longest: list[Point]) -> Margin:
    r"""The printed $P_{\max}$ is a path, has $n=n_++n_-$ steps, and no path has more (all of them, by dynamic
    programming).
    """
    most, n = best_path(positive, negative, lambda k: Fraction(1))[0], positive + negative
    return all_of(
        equal(int(is_path(longest, positive, negative, succeeds)), 1, "P_max is a path"),
        equal(len(longest) - 1, n, "steps of P_max against n"),
        equal(most, n, "most steps of a path against n"),
    )


@monotone.claim(
    "path_max.r3", "C.2: the path of maximum length is uniquely determined", recorded="refuted", fault=Fault.CONVENTION
)
def the_longest_path_is_unique(positive: int, negative: int) -> Margin:
    r"""Only one path has $n$ steps.

    Fails for $n_+=1$, $n_-=2$: besides $P_{\max}=(0,2),(0,1),(1,1),(1,0)$ also $(0,2),(1,2),(1,1),(1,0)$ has three.

    Convention: a reading in which length n determines P_max; the sentence may as well say that the printed trajectory
    does, which is no statement. No count goes back (r2).
    """
    return equal(best_path(positive, negative, lambda k: Fraction(1))[1], 1, "number of longest paths")


@derived
def duration() -> Callable[[Point], Fraction]:
    """Of the step from a point: the inverse of its number of active data."""
    return lambda k: Fraction(1, sum(k))


@monotone.claim("path_max.r3.amended", "C.2: the slowest path is uniquely determined", derived=[longest, duration])
@mutants(
    changed("the longest path is unique", duration=lambda _: lambda k: Fraction(1)),
    changed("the path with the largest sum of counts", duration=lambda _: lambda k: Fraction(sum(k))),
    scaled("99/100", "largest travel time"),
)
def the_slowest_path_is_unique(
    positive: int, negative: int, longest: list[Point], duration: Callable[[Point], Fraction]
) -> Margin:
    r"""Among the monotone paths only one has the largest travel time, and it is $P_{\max}$. Amended: time in place of
    length.
    """
    value, number = best_path(positive, negative, duration)
    return all_of(
        equal(number, 1, "number of slowest paths"),
        equal(value, travel_time(longest), "largest travel time against that of P_max"),
    )


@printed.claim("path_dominance.r1", "C.2: P_max is the slowest path; condition (2) as printed")
def printed_paths_are_faster_than_the_maximal_one(path: Array, longest: list[Point]) -> Margin:
    r"""$\mathcal T(P)\le\mathcal T(P_{\max})$ for every path.

    Fails for $n_+=1$, $n_-=2$: $(0,2),(0,1),(1,2),(1,1),(1,0)$ takes $\frac12+1+\frac13+\frac12=\frac73$, and
    $P_{\max}$ only 2.
    """
    return at_most(travel_time(_points(path)), travel_time(longest), "T(P) against T(P_max)")


@monotone.claim("path_dominance.r2", "C.2: P_max is the slowest path; no count goes back")
@mutants(scaled("99/100"), changed("P_max without its start", longest=lambda path: path[1:]))
def monotone_paths_are_faster_than_the_maximal_one(positive: int, negative: int, longest: list[Point]) -> Margin:
    r"""$\mathcal T(P)\le\mathcal T(P_{\max})$ for every path along which no count goes back (all of them, by dynamic
    programming).
    """
    slowest = best_path(positive, negative, lambda k: Fraction(1, sum(k)))[0]
    return at_most(slowest, travel_time(longest), "largest T(P) against T(P_max)")


def _slowest_proof() -> str | None:
    """The points (0, k), (1, 1), (k, 0) of P_max give the two sums and 1/2."""
    import z3

    p, q = z3.Reals("p q")
    product = z3.Implies(z3.And(p >= 1, q >= 1), 4 * (p - 1) * q <= (p + q) * (p + q))
    return all_steps(
        in_words("the points (0, k), (1, 1) and (k, 0) of P_max give the two sums and 1/2"),
        harmonic_proof(),
        in_words("for n_+ = 1 the time is at most 3/2 + log n_- <= 3/2 + log n"),
        by_subdivision(lambda two: 3 * two.log() - arb(3) / 2, Fraction(2), Fraction(2), "3 log n > 3/2 at n = 2"),
        in_words("else it is at most 5/2 + log((n_+ - 1) n_-)"),
        by_smt(lambda: product, "(n_+ - 1) n_- <= n^2/4"),
        by_subdivision(
            lambda three: 2 * three.log() + 2 * arb(2).log() - arb(5) / 2,
            Fraction(3),
            Fraction(3),
            "4 log n > 5/2 + 2 log(n/2) at n = 3",
        ),
        in_words("both hold for larger n, since the logarithm increases"),
    )


@paths.claim(
    "path_max_time",
    "C.2, travel time of P_max",
    given=sized(positive=count(1, 50), negative=count(1, 50)),
    derived=[longest],
    proof=_slowest_proof,
    recorded="proved",
)
@mutants(scaled("541/1000", "T(P_max) against 4"), shifted("-1/2", "T(P_max) against the"), shifted("1/50"))
def the_maximal_path_takes_less_than_t1(
    positive: int, negative: int, longest: list[Point], *, factor: Number = Fraction(4)
) -> Margin:
    r"""$\mathcal T(P_{\max})=\sum_{k=1}^{n_+-1}\frac1k+\frac12+\sum_{k=1}^{n_-}\frac1k\le4\log n$, $n=n_++n_-$,
    $n_\pm\ge1$.

    Convention: both classes have data; in units of 4 / (min{zeta, xi} sqrt(mu) X_min), in which t_1 is 4 log n.
    """
    time = travel_time(longest)
    return all_of(
        equal(time, harmonic(positive - 1) + Fraction(1, 2) + harmonic(negative), "T(P_max) against the sums"),
        at_most(lifted_like(factor, time), factor * log(0 * factor + positive + negative), "T(P_max) against 4 log n"),
    )
