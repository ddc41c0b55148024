r"""The rule for limits: how often it is wrong on statements whose truth is known, and how often it says nothing.

A false "against" and a false "for" are the two errors. The thresholds of `refute.language.limits` were chosen on one
half of the statements and are reported on the other. Of statements that bend too slowly for any horizon the honest
answer is "undecided".
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
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
        yield Statement(f"(log t)^{c}/t = O(1/t)", c < 0, lambda c=c: bounded_by("q", Logs(c * ROOT - LOGS), power(-1)))
    for c in (0.003, 0.01, 0.05, 0.3):
        yield Statement(f"t^-(1-{c}) = O(1/t)", False, lambda c=c: bounded_by("q", Logs(-(1 - c) * LOGS), power(-1)))
        yield Statement(f"t^-(1+{c}) = O(1/t)", True, lambda c=c: bounded_by("q", Logs(-(1 + c) * LOGS), power(-1)))
    for d in (-8.0, 0.01, 1.0, 10.0, 50.0, 300.0, 1000.0, 3000.0, 1e4):
        yield Statement(
            f"1/(log t + {d:g}) = O(1/log t)", True, lambda d=d: bounded_by("q", 1 / (LOGS + d), power(0, -1))
        )
        yield Statement(f"log t + {d:g} = Theta(log t)", True, lambda d=d: grows_like("q", LOGS + d, np.log))
    for d in (0.0, 5.0, 50.0, -8.0):
        yield Statement(
            f"1/sqrt(log t + {d:g}) = O(1/log t)",
            False,
            lambda d=d: bounded_by("q", (LOGS + d) ** -0.5, power(0, -1)),
        )
        yield Statement(
            f"(log t + {d:g})^0.9 = Theta(log t)", False, lambda d=d: grows_like("q", (LOGS + d) ** 0.9, np.log)
        )
    for c in (1.05, 1.2, 2.0):
        yield Statement(f"(log t)^{c} = O(log t)", False, lambda c=c: bounded_by("q", LOGS**c, np.log))
        yield Statement(f"(log t)^{c} = Omega(log t)", True, lambda c=c: at_least_like("q", LOGS**c, np.log))
    for s in (-0.8, 0.5, 3.0, 20.0):
        yield Statement(
            f"log t + {s:g} sqrt(log t) = Theta(log t)",
            True,
            lambda s=s: grows_like("q", LOGS + s * np.sqrt(LOGS), np.log),
        )
        yield Statement(
            f"log t + {s:g} loglog t = Theta(log t)", True, lambda s=s: grows_like("q", LOGS + s * ROOT, np.log)
        )
        yield Statement(
            f"(log t + {s:g} sqrt(log t)) loglog t = Theta(log t)",
            False,
            lambda s=s: grows_like("q", (LOGS + s * np.sqrt(LOGS)) * ROOT, np.log),
            bends=True,
        )
    for late in (1e-12, 1e-30):
        yield Statement(
            f"1/t + {late} t^-1/2 = O(1/t)",
            False,
            lambda late=late: bounded_by("q", Logs(np.logaddexp(-LOGS, np.log(late) - LOGS / 2)), power(-1)),
        )
        yield Statement(
            f"1/t + {late}/(t log t) = O(1/t)",
            True,
            lambda late=late: bounded_by("q", Logs(np.logaddexp(-LOGS, np.log(late) - LOGS - ROOT)), power(-1)),
        )


def oscillations() -> Iterator[Statement]:
    """Bounded ones are harmless, growing ones are not."""
    for k, phase in enumerate(np.linspace(0, 6, 8)):
        wave = 2 + np.sin(LOGS + phase)
        slow = 2 + np.sin(3 * ROOT + phase)
        yield Statement(f"2 + sin(log t + {phase:.2g}) = Theta(1)", True, lambda q=wave: grows_like("q", q))
        yield Statement(f"2 + sin(3 loglog t + {phase:.2g}) = Theta(1)", True, lambda q=slow: grows_like("q", q))
        if k % 2:
            yield Statement(
                f"(2 + sin(log t + {phase:.2g})) (log t)^2 = O(log t)",
                False,
                lambda q=wave: bounded_by("q", q * LOGS**2, np.log),
            )
            yield Statement(f"(2 + sin(log t + {phase:.2g}))/log t -> 0", True, lambda q=wave: tends_to("q", q / LOGS))


def limits() -> Iterator[Statement]:
    """Limits approached slowly, and limits that are wrong by little."""
    for c in (0.05, 0.3, 1.0, 2.0):
        yield Statement(f"(log t)^-{c} -> 0", True, lambda c=c: tends_to("q", LOGS**-c))
        yield Statement(f"1 + t^-{c} -> 1", True, lambda c=c: tends_to("q", 1 + np.exp(-c * LOGS), 1))
    for gap in (0.001, 0.01, 0.1, 0.5):
        yield Statement(f"{gap} + 1/log t -> 0", False, lambda gap=gap: tends_to("q", gap + 1 / LOGS))
        yield Statement(f"1 + {gap} + 1/t -> 1", False, lambda gap=gap: tends_to("q", 1 + gap + np.exp(-LOGS), 1))
        yield Statement(f"{gap} + (log t)^-2 -> 0", False, lambda gap=gap: tends_to("q", gap + LOGS**-2.0))
    for d in (-8.0, 10.0, 300.0):
        yield Statement(f"1/(log t + {d:g}) -> 0", True, lambda d=d: tends_to("q", 1 / (LOGS + d)))
    yield Statement("loglog t/log t -> 0", True, lambda: tends_to("q", ROOT / LOGS))
    for c in (0.5, 1.0, 2.0):
        yield Statement(f"(logloglog t)^-{c} -> 0", True, lambda c=c: tends_to("q", np.log(ROOT) ** -c), bends=True)
        yield Statement(f"(logloglog t)^{c} = O(1)", False, lambda c=c: bounded_by("q", np.log(ROOT) ** c), bends=True)
        yield Statement(
            f"log t (loglog t)^{c} = O(log t)",
            False,
            lambda c=c: bounded_by("q", LOGS * ROOT**c, np.log),
            bends=True,
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


def training() -> Iterator[Statement]:
    """Gradient descent to 10^160: norms grow like log t, the loss falls like 1/t, the stable rank tends to 1."""
    for angle, slope, samples in (
        (0, Fraction(1, 2), 2),
        (5, Fraction(1, 5), 2),
        (10, Fraction(1, 2), 3),
        (2, Fraction(1, 10), 3),
    ):
        words = f"overlap {angle / 100}, slope {slope}, n = {samples}"

        def about(
            text: str,
            true: bool,
            judge: Callable[[Decomposition], Margin],
            key: Any = (angle, slope, samples),
            words: str = words,
        ) -> Statement:
            return Statement(f"{text} ({words})", true, lambda: judge(trained(*key)))

        yield about(
            "|w| = Theta(log t)", True, lambda run: grows_like("|w|", norms(run), np.log, at=run.steps, clock=run.loss)
        )
        yield about(
            "|w|^1.1 = O(log t)",
            False,
            lambda run: bounded_by("|w|^1.1", norms(run) ** 1.1, np.log, at=run.steps, clock=run.loss),
        )
        yield about(
            "|w|^0.9 = Theta(log t)",
            False,
            lambda run: grows_like("|w|^0.9", norms(run) ** 0.9, np.log, at=run.steps, clock=run.loss),
        )
        yield about(
            "loss = Theta(1/t)", True, lambda run: grows_like("loss", run.loss, power(-1), at=run.steps, clock=run.loss)
        )
        yield about(
            "loss = O(t^-1.02)",
            False,
            lambda run: bounded_by("loss", run.loss, power(-1.02), at=run.steps, clock=run.loss),
        )
        yield about(
            "loss = O(1/(t log t))",
            False,
            lambda run: bounded_by("loss", run.loss, power(-1, -1), at=run.steps, clock=run.loss),
        )
        yield about("loss -> 0", True, lambda run: tends_to("loss", run.loss, at=run.steps, clock=run.loss))
        yield about("stable rank -> 1", True, lambda run: tends_to("excess", excess(run), at=run.steps, clock=run.loss))
        yield about(
            "stable rank -> 1.01",
            False,
            lambda run: tends_to("excess", excess(run), 0.01, at=run.steps, clock=run.loss),
        )
        yield about(
            "stable rank - 1 = O(1/log t)",
            True,
            lambda run: bounded_by("excess", excess(run), power(0, -1), at=run.steps, clock=run.loss),
        )
        yield about(
            "stable rank - 1 = O(log^-3 t)",
            False,
            lambda run: bounded_by("excess", excess(run), power(0, -3), at=run.steps, clock=run.loss),
        )


def norms(run: Decomposition) -> Floats:
    return np.asarray(np.linalg.norm(run.weights, axis=-1))


def excess(run: Decomposition) -> Floats:
    return np.array([[float(stable_rank_excess(rows)) for rows in now] for now in run.weights])


@cache
def takeoffs(angle: float) -> Floats:
    """When two balanced neurons leave the origin, as the scale of the start tends to zero."""
    data = Dataset(np.array([[1.0, 0.5], [-0.25, 1.0]]), np.array([1.0, 0.5]))
    shape, signs = np.array([[np.cos(angle), np.sin(angle)], [-1.0, 0.5]]), np.array([1.0, -1.0])
    return np.array(
        [log_polar_flow(Balanced(shape, signs, float(np.log(scale)), 0), data, SQUARE).takeoff for scale in SMALL]
    )


def small_scales() -> Iterator[Statement]:
    """Families in the scale of the start: the plateau lasts like log(1/scale)."""
    for angle in (0.2, 1.0):
        for c in (1.0, 1.1, 0.5):
            yield Statement(
                f"take-off = Theta(log(1/eps)^{c}), start at angle {angle}",
                c == 1,
                lambda angle=angle, c=c: grows_like("take-off", takeoffs(angle), power(0, c), at=SMALL),
            )
        yield Statement(
            f"take-off = O(1), start at angle {angle}",
            False,
            lambda angle=angle: bounded_by("take-off", takeoffs(angle), at=SMALL),
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
    counts = [
        (sort, ", ".join(f"{number} {word}" for word, number in said.items()))
        for sort, said in row.items()
        if sort != "half"
    ]
    return "\n".join([f"{row['half']} half", *(f"  {sort:<15} {words}" for sort, words in sorted(counts))])


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
