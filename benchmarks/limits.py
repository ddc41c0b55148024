r"""The rule for limits: how often it is wrong on statements whose truth is known, and how often it says nothing.

A false "against" and a false "for" are the two errors. The thresholds of `refute.language.limits` were chosen on one
half of the statements; what was said of the other half had been seen too, so that it is a check and no independent
test. Of statements that bend too slowly for any horizon the honest answer is "undecided".
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute.language.limits import HORIZONS, SMALL, Logs, at_least_like, bounded_by, grows_like, power, tends_to
from refute.language.relations import Decision, Margin
from refute.models import Dataset
from refute.models.geometry.stable_rank import stable_rank_excess
from refute.models.kou2023.decomposition import Decomposition, unroll_long
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE
from refute.models.network import signed_halves

Floats = NDArray[np.float64]
LOGS = np.log(HORIZONS)
ROOT = np.log(LOGS)
HALVES = ("choosing", "reporting")
WORDS = {Decision.HOLDS: "for", Decision.AGAINST: "against", Decision.UNDECIDED: "undecided"}


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of known truth; where it bends too slowly for any horizon, the honest answer is "undecided"."""

    name: str
    true: bool
    judge: Callable[[], Margin]
    bends: bool = False


def orders() -> Iterator[Statement]:
    """Theta, O and Omega with slowly varying factors, offsets and late starts; exponents that are wrong by little."""
    for c in (0.02, 0.1, 0.5, 1.0, 3.0, -0.02, -0.1, -0.5, -1.0, -3.0):
        yield Statement(f"(log t)^{c}/t = O(1/t)", c < 0, partial(bounded_by, Logs(c * ROOT - LOGS), power(-1)))
    for c in (0.003, 0.01, 0.05, 0.3):
        yield Statement(f"t^-(1-{c}) = O(1/t)", False, partial(bounded_by, Logs(-(1 - c) * LOGS), power(-1)))
        yield Statement(f"t^-(1+{c}) = O(1/t)", True, partial(bounded_by, Logs(-(1 + c) * LOGS), power(-1)))
    for d in (-8.0, 0.01, 1.0, 10.0, 50.0, 300.0, 1000.0, 3000.0, 1e4):
        yield Statement(f"1/(log t + {d:g}) = O(1/log t)", True, partial(bounded_by, 1 / (LOGS + d), power(0, -1)))
        yield Statement(f"log t + {d:g} = Theta(log t)", True, partial(grows_like, LOGS + d, np.log))
    for d in (0.0, 5.0, 50.0, -8.0):
        yield Statement(
            f"1/sqrt(log t + {d:g}) = O(1/log t)", False, partial(bounded_by, (LOGS + d) ** -0.5, power(0, -1))
        )
        quantity = (LOGS + d) ** 0.9
        yield Statement(f"(log t + {d:g})^0.9 = Theta(log t)", False, partial(grows_like, quantity, np.log))
    for c in (1.05, 1.2, 2.0):
        yield Statement(f"(log t)^{c} = O(log t)", False, partial(bounded_by, LOGS**c, np.log))
        yield Statement(f"(log t)^{c} = Omega(log t)", True, partial(at_least_like, LOGS**c, np.log))
    for s in (-0.8, 0.5, 3.0, 20.0):
        yield Statement(
            f"log t + {s:g} sqrt(log t) = Theta(log t)", True, partial(grows_like, LOGS + s * np.sqrt(LOGS), np.log)
        )
        quantity = LOGS + s * ROOT
        yield Statement(f"log t + {s:g} loglog t = Theta(log t)", True, partial(grows_like, quantity, np.log))
        yield Statement(
            f"(log t + {s:g} sqrt(log t)) loglog t = Theta(log t)",
            False,
            partial(grows_like, (LOGS + s * np.sqrt(LOGS)) * ROOT, np.log),
            bends=True,
        )
    for late in (1e-12, 1e-30):
        yield Statement(
            f"1/t + {late} t^-1/2 = O(1/t)",
            False,
            partial(bounded_by, Logs(np.logaddexp(-LOGS, np.log(late) - LOGS / 2)), power(-1)),
        )
        yield Statement(
            f"1/t + {late}/(t log t) = O(1/t)",
            True,
            partial(bounded_by, Logs(np.logaddexp(-LOGS, np.log(late) - LOGS - ROOT)), power(-1)),
        )


def oscillations() -> Iterator[Statement]:
    """Bounded ones are harmless, growing ones are not."""
    for k, phase in enumerate(np.linspace(0, 6, 8)):
        wave = 2 + np.sin(LOGS + phase)
        slow = 2 + np.sin(3 * ROOT + phase)
        yield Statement(f"2 + sin(log t + {phase:.2g}) = Theta(1)", True, partial(grows_like, wave))
        yield Statement(f"2 + sin(3 loglog t + {phase:.2g}) = Theta(1)", True, partial(grows_like, slow))
        if k % 2:
            yield Statement(
                f"(2 + sin(log t + {phase:.2g})) (log t)^2 = O(log t)",
                False,
                partial(bounded_by, wave * LOGS**2, np.log),
            )
            yield Statement(f"(2 + sin(log t + {phase:.2g}))/log t -> 0", True, partial(tends_to, wave / LOGS))


def limits() -> Iterator[Statement]:
    """Limits approached slowly, and limits that are wrong by little."""
    for c in (0.05, 0.3, 1.0, 2.0):
        yield Statement(f"(log t)^-{c} -> 0", True, partial(tends_to, LOGS**-c))
        yield Statement(f"1 + t^-{c} -> 1", True, partial(tends_to, 1 + np.exp(-c * LOGS), 1))
    for gap in (0.001, 0.01, 0.1, 0.5):
        yield Statement(f"{gap} + 1/log t -> 0", False, partial(tends_to, gap + 1 / LOGS))
        yield Statement(f"1 + {gap} + 1/t -> 1", False, partial(tends_to, 1 + gap + np.exp(-LOGS), 1))
        yield Statement(f"{gap} + (log t)^-2 -> 0", False, partial(tends_to, gap + LOGS**-2.0))
    for d in (-8.0, 10.0, 300.0):
        yield Statement(f"1/(log t + {d:g}) -> 0", True, partial(tends_to, 1 / (LOGS + d)))
    yield Statement("loglog t/log t -> 0", True, partial(tends_to, ROOT / LOGS))
    for c in (0.5, 1.0, 2.0):
        yield Statement(f"(logloglog t)^-{c} -> 0", True, partial(tends_to, np.log(ROOT) ** -c), bends=True)
        yield Statement(f"(logloglog t)^{c} = O(1)", False, partial(bounded_by, np.log(ROOT) ** c), bends=True)
        yield Statement(
            f"log t (loglog t)^{c} = O(log t)", False, partial(bounded_by, LOGS * ROOT**c, np.log), bends=True
        )


@cache
def trained(angle: int, slope: Fraction, samples: int) -> Decomposition:
    """Two or three inputs, almost orthogonal, labels of both signs, two neurons of each sign, logistic loss, rate 1."""
    tilt = Fraction(angle, 100)
    inputs = np.array([[1, tilt, 0], [tilt, 1, 0], [0, tilt, 1]][:samples], dtype=object)
    labels = np.array([Fraction(1), Fraction(-1), Fraction(1)][:samples])
    start = np.array([[3, -1, 2], [-2, 4, 1]]) * Fraction(1, 1000)
    net = signed_halves(start, start[::-1] * Fraction(-3, 2), slope)
    return unroll_long(net, Dataset(inputs, labels), rate=1.0, times=HORIZONS)


Relation = Callable[..., Margin]
Quantity = Callable[[Decomposition], Any]


def along(text: str, true: bool, relation: Relation, quantity: Quantity, law: Any, key: Any) -> Statement:
    """A statement about one of the runs, with its loss as the clock."""

    def judge() -> Margin:
        run = trained(*key)
        return relation(quantity(run), law, text, at=run.steps, clock=run.loss)

    angle, slope, samples = key
    return Statement(f"{text} (overlap {angle / 100}, slope {slope}, n = {samples})", true, judge)


def training() -> Iterator[Statement]:
    """Gradient descent to 10^160: norms grow like log t, the loss falls like 1/t, the stable rank tends to 1."""
    table: list[tuple[str, bool, Relation, Quantity, Any]] = [
        ("|w| = Theta(log t)", True, grows_like, norms, np.log),
        ("|w|^1.1 = O(log t)", False, bounded_by, lambda run: norms(run) ** 1.1, np.log),
        ("|w|^0.9 = Theta(log t)", False, grows_like, lambda run: norms(run) ** 0.9, np.log),
        ("loss = Theta(1/t)", True, grows_like, lambda run: run.loss, power(-1)),
        ("loss = O(t^-1.02)", False, bounded_by, lambda run: run.loss, power(-1.02)),
        ("loss = O(1/(t log t))", False, bounded_by, lambda run: run.loss, power(-1, -1)),
        ("loss -> 0", True, tends_to, lambda run: run.loss, 0),
        ("stable rank -> 1", True, tends_to, excess, 0),
        ("stable rank -> 1.01", False, tends_to, excess, 0.01),
        ("stable rank - 1 = O(1/log t)", True, bounded_by, excess, power(0, -1)),
        ("stable rank - 1 = O(log^-3 t)", False, bounded_by, excess, power(0, -3)),
    ]
    for key in ((0, Fraction(1, 2), 2), (5, Fraction(1, 5), 2), (10, Fraction(1, 2), 3), (2, Fraction(1, 10), 3)):
        yield from (along(*row, key) for row in table)


def norms(run: Decomposition) -> Floats:
    return np.asarray(np.linalg.norm(run.weights, axis=-1))


def excess(run: Decomposition) -> Floats:
    return np.array([[float(stable_rank_excess(rows)) for rows in now] for now in run.weights])


@cache
def takeoffs(angle: float) -> Floats:
    """When two balanced neurons leave the origin, as the scale of the start tends to zero."""
    data = Dataset(np.array([[1.0, 0.5], [-0.25, 1.0]]), np.array([1.0, 0.5]))
    shape, signs = np.array([[np.cos(angle), np.sin(angle)], [-1.0, 0.5]]), np.array([1.0, -1.0])
    starts = [Balanced(shape, signs, float(np.log(scale)), 0) for scale in SMALL]
    return np.array([log_polar_flow(start, data, SQUARE).takeoff for start in starts])


def small_scales() -> Iterator[Statement]:
    """Families in the scale of the start: the plateau lasts like log(1/scale)."""
    for angle in (0.2, 1.0):
        for c in (1.0, 1.1, 0.5):
            yield Statement(
                f"take-off = Theta(log(1/eps)^{c}), start at angle {angle}",
                c == 1,
                partial(grows_like, takeoffs(angle), power(0, c), at=SMALL),
            )
        yield Statement(
            f"take-off = O(1), start at angle {angle}", False, partial(bounded_by, takeoffs(angle), at=SMALL)
        )


def statements() -> dict[str, list[Statement]]:
    """Every other statement of each sort belongs to the half on which the thresholds were chosen."""
    halves: dict[str, list[Statement]] = {half: [] for half in HALVES}
    turn: Counter[tuple[bool, bool]] = Counter()
    for family in (orders, oscillations, limits, training, small_scales):
        for one in family():
            halves[HALVES[turn[one.true, one.bends] % 2]].append(one)
            turn[one.true, one.bends] += 1
    return halves


def told(half: str, listed: list[Statement], each: bool) -> dict[str, Any]:
    """How often each thing was said of the true, the false and the bending statements of one half."""
    row: dict[str, Any] = {"half": half}
    for one in listed:
        margin = one.judge()
        sort = ("true" if one.true else "false") + (", bending" if one.bends else "")
        row.setdefault(sort, dict.fromkeys(("for", "against", "undecided"), 0))[WORDS[margin.decision]] += 1
        if each:
            sys.stdout.write(f"{sort:<15} {WORDS[margin.decision]:<10} {one.name}: {margin.line}\n")
    return row


def shown(row: dict[str, Any]) -> str:
    sorts = sorted(row.keys() - {"half"})
    lines = [f"  {sort:<15} " + ", ".join(f"{number} {word}" for word, number in row[sort].items()) for sort in sorts]
    return "\n".join([f"{row['half']} half", *lines])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks limits", description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--each", action="store_true", help="print what is said of each statement")
    options = parser.parse_args(arguments)
    rows = [told(half, listed, options.each and not options.json) for half, listed in statements().items()]
    if options.json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
    else:
        for row in rows:
            sys.stdout.write(shown(row) + "\n")
    return int(any(said["against"] for row in rows for sort, said in row.items() if sort.startswith("true")))
