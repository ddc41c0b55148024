"""The way of a datum: through which modules of `refute` a check of one claim goes, from the call of `run_claim` to the
record of its result.

    python -m benchmarks way zhang2024.lemma_10.half_mass

Counted are the calls of Python functions from one module of the engine into another one (a profile function sees each
call and its caller; calls through a library, Hypothesis say, count from the module that called it). Imports are over
before, and so is a first check, which fills caches; `--replay` takes up the pinned case, otherwise the search is fresh.
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from refute import Run
from refute.kernel import certificate
from refute.language.registry import find_claim
from refute.run.loading import load_all
from refute.run.runner import run_claim
from refute.search import stream

AT_MOST = 20  # modules on the way
ELSEWHERE = ("refute.claims.", "refute.models.", "refute.strategies.")


@dataclass
class Way:
    """Which module called which, and which files were opened."""

    arrows: Counter[tuple[str, str]] = field(default_factory=Counter)
    opened: Counter[str] = field(default_factory=Counter)

    def see(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        here, there = _room(frame), _caller(frame)
        if here and there and here != there:
            self.arrows[there, here] += 1

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and str(arguments[0]).endswith(".json"):
            self.opened[os.path.basename(str(arguments[0]))] += 1

    @property
    def modules(self) -> list[str]:
        return sorted({name for arrow in self.arrows for name in arrow})


def _room(frame: FrameType) -> str:
    name = str(frame.f_globals.get("__name__", ""))
    return name if name.startswith("refute.") and not name.startswith(ELSEWHERE) else ""


def _caller(frame: FrameType) -> str:
    """The nearest module of the engine that is at work above."""
    above = frame.f_back
    while above is not None and not _room(above):
        above = above.f_back
    return "" if above is None else _room(above)


def traced(id: str, replay: bool) -> Way:
    load_all()
    claim, way = find_claim(id), Way()
    if claim is None:
        raise SystemExit(f"there is no claim {id!r}")
    run_claim(claim, Run(pinned=replay))
    stream.forget()
    certificate.forget()
    listening = True
    sys.addaudithook(lambda event, arguments: way.hear(event, arguments) if listening else None)
    sys.setprofile(way.see)
    try:
        run_claim(claim, Run(pinned=replay)).record()
    finally:
        sys.setprofile(None)
        listening = False
    return way


def main(arguments: list[str]) -> int:
    """Exit code 0 when no more modules are on the way than wanted, 1 when there are."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks way", description=__doc__)
    parser.add_argument("id")
    parser.add_argument("--replay", action="store_true", help="take up the pinned case")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        way = traced(options.id, options.replay)
    for (one, other), calls in way.arrows.most_common():
        sys.stdout.write(f"{calls:7d}  {one} -> {other}\n")
    calls, modules = sum(way.arrows.values()), way.modules
    sys.stdout.write(f"{len(modules)} modules, {len(way.arrows)} arrows, {calls} calls: {', '.join(modules)}\n")
    sys.stdout.write(f"files of JSON opened: {dict(way.opened)}\n")
    return int(len(modules) > AT_MOST)
