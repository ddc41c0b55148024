"""Statements that hold with probability at least p: a sequential test with a stated error level.

The number of successes is watched by a beta-binomial mixture martingale, so the test may look after every batch: the
chance that it ever rejects a true probability is at most `LEVEL`, however long it runs.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from flint import arb
from numpy.typing import NDArray

from refute.arithmetic.numbers import EXACT, FLOAT, Arithmetic, Number, arithmetic_of, enclosure
from refute.decide.confirmation import CERTIFIED, TESTED, answered
from refute.errors import BadClaim, Inexact
from refute.functions import log, log1p
from refute.language.relations import Margin

LEVEL = 1e-6
FIRST_BATCH = 250

Trial = Callable[[np.random.Generator, int], NDArray[np.bool_]]


def log_evidence(successes: int, trials: int, chance: Number) -> Number:
    """Log of the mixture likelihood ratio against `chance`, a float or a ball; above log(1/LEVEL) it rejects."""
    if chance <= 0 or chance >= 1:
        impossible = successes > 0 if chance <= 0 else successes < trials
        return math.inf if impossible else 0.0
    null = successes * log(chance) + (trials - successes) * log1p(-chance)
    return _log_beta(successes, trials, isinstance(chance, arb)) - null


def _log_beta(successes: int, trials: int, in_balls: bool) -> Number:
    """log B(s + 1, n - s + 1) = -log((n + 1) binomial(n, s))."""
    if in_balls:
        return -log(arb((trials + 1) * math.comb(trials, successes)))
    return math.lgamma(successes + 1) + math.lgamma(trials - successes + 1) - math.lgamma(trials + 2)


def confidence_interval(
    successes: int, trials: int, level: float = LEVEL, arithmetic: Arithmetic = FLOAT
) -> tuple[float, float]:
    """The chances that the mixture does not reject: valid at every number of trials at once. In balls a rejection is
    certain.
    """
    threshold = log(arithmetic.scalar(1 / level))
    estimate = successes / trials

    def rejected(chance: float) -> bool:
        return bool(log_evidence(successes, trials, arithmetic.scalar(chance)) >= threshold)

    def edge(outside: float) -> float:
        inside = estimate
        if not rejected(outside):
            return outside
        for _ in range(60):
            middle = (inside + outside) / 2
            if rejected(middle):
                outside = middle
            else:
                inside = middle
        return outside

    return edge(0.0), edge(1.0)


def with_probability(at_least: Number, trial: Trial, rng: np.random.Generator, trials: int, line: str = "") -> Margin:
    """P[event] >= at_least. `trial(rng, count)` draws `count` independent worlds and says in which the event happened.

    Batches double, and the last is whole: with more effort the same worlds come first, so that what was decided stays.
    With a ball `at_least` the test is done in balls: if the trials decide their events, the count and what it rejects
    are certain.
    """
    arithmetic = arithmetic_of(at_least)
    if arithmetic is EXACT:
        raise Inexact("the evidence of a test is a logarithm")
    successes = done = 0
    batch = FIRST_BATCH
    low, high = 0.0, 1.0
    while done < trials:
        outcome = np.asarray(trial(rng, batch))
        if outcome.shape != (batch,) or outcome.dtype != bool:
            raise BadClaim(
                f"a trial returned {outcome.dtype} of shape {outcome.shape}, asked for bool of shape ({batch},)"
            )
        successes, done = successes + int(outcome.sum()), done + batch
        low, high = confidence_interval(successes, done, arithmetic=arithmetic)
        if high < at_least or low >= at_least:
            break
        batch *= 2
    estimate = successes / done
    error = max(estimate - low, high - estimate)
    wanted = float(enclosure(at_least)[0])
    text = (
        f"{line or 'event'}: {successes} of {done} trials, wanted probability {wanted:.6g}, interval [{low:.4f}, "
        f"{high:.4f}]"
    )
    decided = (high - at_least) if high < at_least else (low - at_least) if low >= at_least else None
    answered(TESTED if arithmetic is FLOAT else CERTIFIED)
    value, radius = enclosure(estimate - at_least if decided is None else decided)
    # where the interval lies on one side, its near end is the margin that is certain
    return Margin(value, radius if decided is not None else radius + Fraction(error), line=text)
