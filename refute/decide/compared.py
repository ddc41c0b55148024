"""Both sides of the comparison that fell, entry by entry, as numbers to draw: a picture decides nothing."""

import math
from typing import Any

import numpy as np

from refute.arithmetic.numbers import Array, enclosure
from refute.decide.verdict import Counterexample
from refute.language.derived import kept
from refute.language.relations import approximate

MOST = 400  # entries that are kept


def compared(found: Counterexample) -> dict[str, Any] | None:
    """The two sides through the worst entry, along the time of a training or else the longest axis; None where they did
    not come along, or where some entry is no finite float.

    `at` is the place of the worst entry, `time` the clock of a training that is as long as the comparison.
    """
    parts = [part for part in found.margin.parts if part[0].size]
    if not parts:
        return None
    slack, left, right = min(parts, key=lambda part: abs(_smallest(part[0]) - approximate(found.margin.value)))
    worst = np.unravel_index(int(np.argmin(_floats(slack))), slack.shape) if slack.shape else ()
    timed = [k for k, length in enumerate(slack.shape) if _clock(found, length) is not None]
    axis = timed[0] if timed else int(np.argmax(slack.shape)) if slack.shape else 0
    line = tuple(slice(None) if k == axis else place for k, place in enumerate(worst))
    a, b = (np.atleast_1d(_floats(np.broadcast_to(side, slack.shape)[line])) for side in (left, right))
    at = int(worst[axis]) if worst else 0
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return None
    picked = sorted({at, *np.linspace(0, len(a) - 1, min(len(a), MOST)).astype(int).tolist()})
    clock = _clock(found, len(a))
    return {
        "left": [_rounded(a[k]) for k in picked],
        "right": [_rounded(b[k]) for k in picked],
        "x": [_rounded(clock[k]) if clock is not None else k for k in picked],
        "at": picked.index(at),
        "over": "time" if clock is not None else "entry",
        "line": found.margin.line.partition(":")[0] if ": left" in found.margin.line else "",
    }


def _smallest(values: Array) -> float:
    numbers = _floats(values)
    return float(np.nanmin(numbers)) if np.isfinite(numbers).any() else math.inf


def _floats(values: Array) -> Array:
    """Rationals and balls as floats."""
    array = np.asarray(values)
    if array.dtype.kind in "iuf":
        return array.astype(float)
    flat = [approximate(enclosure(value)[0]) for value in array.reshape(-1).tolist()]
    return np.array(flat, dtype=float).reshape(array.shape)


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


def _clock(found: Counterexample, length: int) -> Array | None:
    """The times of a training of this case that was recorded so often; a comparison of neighbours has one time less."""
    digest = found.case.digest()
    for key, value in reversed(kept.values.items()):
        time = getattr(value, "time", None)
        if isinstance(key, tuple) and digest in key and isinstance(time, np.ndarray) and time.ndim == 1 and length > 1:
            if len(time) == length:
                return time
            if len(time) == length + 1:
                return time[1:]
    return None
