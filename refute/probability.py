"""Statements that hold with probability at least p: a sequential test with a stated error level.

The number of successes is watched by a beta-binomial mixture martingale, so the test may look after every batch: the chance
that it ever rejects a true probability is at most `LEVEL`, however long it runs.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from refute.errors import BadClaim
from refute.margin import Margin
from refute.numbers import Number

LEVEL = 1e-6
FIRST_BATCH = 250

Trial = Callable[[np.random.Generator, int], NDArray[np.bool_]]


def log_evidence(successes: int, trials: int, chance: float) -> float:
    """Log of the mixture likelihood ratio against `chance`; above log(1/LEVEL) it rejects."""
    if chance <= 0 or chance >= 1:
        impossible = successes > 0 if chance <= 0 else successes < trials
        return math.inf if impossible else 0.0
    null = successes * math.log(chance) + (trials - successes) * math.log1p(-chance)
    return float(betaln(successes + 1, trials - successes + 1)) - null


def confidence_interval(successes: int, trials: int, level: float = LEVEL) -> tuple[float, float]:
    """The chances that the mixture does not reject: valid at every number of trials at once."""
    threshold = math.log(1 / level)
    estimate = successes / trials

    def edge(outside: float) -> float:
        inside = estimate
        if log_evidence(successes, trials, outside) < threshold:
            return outside
        for _ in range(60):
            middle = (inside + outside) / 2
            if log_evidence(successes, trials, middle) < threshold:
                inside = middle
            else:
                outside = middle
        return outside

    return edge(0.0), edge(1.0)


def with_probability(at_least: Number, trial: Trial, rng: np.random.Generator, trials: int, line: str = "") -> Margin:
    """P[event] >= at_least. `trial(rng, count)` draws `count` independent worlds and says in which the event happened."""
    wanted = float(at_least)
    successes = done = 0
    batch = FIRST_BATCH
    low, high = 0.0, 1.0
    while done < trials:
        outcome = np.asarray(trial(rng, batch))
        if outcome.shape != (batch,) or outcome.dtype != bool:
            raise BadClaim(f"a trial returned {outcome.dtype} of shape {outcome.shape}, asked for bool of shape ({batch},)")
        successes, done = successes + int(outcome.sum()), done + batch
        low, high = confidence_interval(successes, done)
        if high < wanted or low >= wanted:
            break
        batch = min(2 * batch, trials - done) or 1
    estimate = successes / done
    error = max(estimate - low, high - estimate)
    text = f"{line or 'event'}: {successes} of {done} trials, wanted probability {wanted:.6g}, interval [{low:.4f}, {high:.4f}]"
    decided = (high - wanted) if high < wanted else (low - wanted) if low >= wanted else None
    if decided is not None:  # the interval lies on one side: its near end is the margin that is certain
        return Margin(Fraction(decided), line=text)
    return Margin(Fraction(estimate - wanted), Fraction(error), line=text)
