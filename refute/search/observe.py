"""Every case that is tried, as a line in the format of Hypothesis's observations, which viewers such as Tyche read.

The format: https://hypothesis.readthedocs.io/en/latest/reference/integrations.html#observability
"""

import json
import math
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from refute.decide.evaluate import Idle, Judged, Judgement, Unmet
from refute.errors import BadInput, RefuteError
from refute.language.case import Case, is_record
from refute.language.claim import Claim
from refute.language.relations import Decision, Margin, approximate

_IMPORTED_AT = time.time()
_DATA_STATUS = {"gave_up": 1, "passed": 2, "failed": 3}  # what Hypothesis calls invalid, valid, interesting


@dataclass(frozen=True, slots=True)
class Observer:
    """Appends to a file, in one piece per line, so that several processes may share it; `run_start`
    tells runs apart.
    """

    path: Path
    run_start: float

    @classmethod
    def into(cls, target: Path) -> "Observer":
        """Into the file, or into a file of today in the folder, under the name that Hypothesis would give it."""
        folder = target.is_dir() or not target.suffix
        path = target / f"{date.today().isoformat()}_testcases.jsonl" if folder else target
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("ab").close()
        except OSError as error:
            raise BadInput(f"cannot write {path}: {error}", "choose another --observe, such as cases.jsonl") from error
        return cls(path.resolve(), time.time())

    def write(self, line: dict[str, Any]) -> None:
        with open(self.path, "ab", buffering=0) as file:
            file.write(json.dumps(line, allow_nan=False).encode() + b"\n")


_observer: ContextVar[Observer | None] = ContextVar("observer", default=None)


def current() -> Observer | None:
    return _observer.get()


@contextmanager
def observing(observer: Observer | None) -> Iterator[None]:
    """Within it, every case that is tried is written down."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


def observe(claim: Claim, case: Case, said: Judgement | RefuteError, how: str, began: float) -> None:
    """Write down one case, if somebody wants to know. `began` is the reading of `time.perf_counter()` before it was
    judged.
    """
    observer = current()
    if observer is None:
        return
    seconds = time.perf_counter() - began
    try:
        observer.write(observation(claim, case, said, how, seconds) | {"run_start": observer.run_start})
    except OSError as error:
        sys.stderr.write(f"cannot write {observer.path}, cases are no longer observed: {error}\n")
        _observer.set(None)


def observation(claim: Claim, case: Case, said: Judgement | RefuteError, how: str, seconds: float) -> dict[str, Any]:
    """One case: a violation failed, an unmet assumption or premise and an undecided margin gave up."""
    status, reason = _status(said)
    return {
        "type": "test_case",
        "property": claim.id,
        "status": status,
        "status_reason": reason,
        "representation": str(case),
        "arguments": case.to_json(),
        "how_generated": how,
        "features": _sizes(case) | (_features(said) if isinstance(said, Judged) else {}),
        "coverage": None,
        "timing": {"execute:test": seconds},
        "metadata": _metadata(status, {} if isinstance(said, RefuteError) else _predicates(said), how),
    }


def _status(said: Judgement | RefuteError) -> tuple[str, str]:
    match said:
        case RefuteError():
            return "failed", said.message
        case Unmet(assumption=assumption):
            return "gave_up", f"not met: {assumption.text}"
        case Idle(premise=premise):
            return "gave_up", f"premise: {premise}"
        case Judged(margin=margin):
            return _decided(margin)


def _decided(margin: Margin) -> tuple[str, str]:
    match margin.decision:
        case Decision.VIOLATED:
            return "failed", f"violated: {margin.line} (slack {margin})"
        case Decision.AGAINST:
            return "failed", f"against: {margin.line} (slack {margin})"
        case Decision.UNDECIDED:
            return "gave_up", f"undecided: {margin.line} (slack {margin})"
    return "passed", ""


def _features(judgement: Judged) -> dict[str, Any]:
    margin = judgement.margin
    numbers = {"margin": _relative(margin, margin.value), "error": _relative(margin, margin.error)}
    words = {"decision": margin.decision.value, "arithmetic": judgement.arithmetic}
    return {name: number for name, number in numbers.items() if math.isfinite(number)} | words


def _relative(margin: Margin, number: Any) -> float:
    return approximate(number / margin.scale)


def _sizes(case: Case) -> dict[str, int]:
    """The lengths of the named axes: how many samples, neurons, dimensions."""
    sizes = {}
    for name, value in case.items():
        for array, axes in getattr(type(value), "AXES", {}).items() if is_record(value) else ():
            shape = getattr(getattr(value, array), "shape", ())
            sizes.update({f"{name}: {axis}": length for axis, length in zip(axes, shape, strict=False)})
    return sizes


def _predicates(judgement: Judgement) -> dict[str, dict[str, int]]:
    met = {assumption.text: {"satisfied": 1, "unsatisfied": 0} for assumption, _ in judgement.assumptions}
    missed = {judgement.assumption.text: {"satisfied": 0, "unsatisfied": 1}} if isinstance(judgement, Unmet) else {}
    return met | missed


def _metadata(status: str, predicates: dict[str, dict[str, int]], how: str) -> dict[str, Any]:
    """The fields that Hypothesis writes; those that speak of its insides are empty."""
    return {
        "traceback": None,
        "reproduction_decorator": None,
        "notes": [],
        "predicates": predicates,
        "backend": {},
        "sys.argv": sys.argv,
        "os.getpid()": os.getpid(),
        "imported_at": _IMPORTED_AT,
        "data_status": _DATA_STATUS[status],
        "phase": how,
        "interesting_origin": None,
        "status_reason_location": None,
        "choice_nodes": None,
        "choice_spans": None,
    }
