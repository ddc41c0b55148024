"""What a refutation in float64 states is true on other processors: other kernels of the linear algebra, other numbers
of threads.

Kernels add up their sums in other orders. Where an integrator steps or a level is met then differs in the last digits,
or in the first ones if the steps of an integrator reach a number; the stated errors must cover it, without the leeway
that `refute verify` grants.
"""

import json
import os
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from refute import Against
from refute.decide.evaluate import IN_FLOATS
from refute.kernel.reading import read
from refute.kernel.verification import EVIDENCE_ONLY

ROOT = Path(__file__).parent.parent.parent
SLOW = {  # more than four seconds each; the first on account of its enclosure in balls, the others train for long
    "min2024.lemma_12.dead",
    "zhang2024.figure_1.error_source",
    "zhang2024.figure_1.weight_error_below_one_percent",
    "zhang2024.figure_2.loss_to_zero.r1",
    "zhang2024.figure_2.plateau.r1",
}
KERNELS = {
    "Prescott": set(),
    "Haswell": {"avx2", "fma"},
    "SkylakeX": {"avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"},
}
CALLED = {"Prescott": "Katmai"}  # by the library itself, where it has another name
THREADS = {"Prescott": 1, "Haswell": 2, "SkylakeX": 1}


def in_floats() -> list[str]:
    """The pinned certificates whose numbers are floats, but for the slow ones, from the root."""
    every = [(path, read(path)) for path in sorted(ROOT.glob("claims/*/refuted/*.json"))]
    chosen = [path for path, data in every if data["arithmetic"].startswith(IN_FLOATS) and data["claim"] not in SLOW]
    return [str(path.relative_to(ROOT)) for path in chosen]


@cache
def runnable() -> tuple[str, ...]:
    """The kernels whose instructions this processor knows, as far as it says."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ()
    known = set(next((line.partition(":")[2] for line in lines if line.startswith("flags")), "").split())
    return tuple(kernel for kernel, needs in KERNELS.items() if known and needs <= known)


@cache
def outcomes() -> dict[str, dict[str, Any]]:
    """What every certificate gives with each kernel, all at once: a process picks its kernel when
    it loads the library.
    """
    running = {}
    for kernel in runnable():
        threads = str(THREADS[kernel])
        chosen = {
            "OPENBLAS_CORETYPE": kernel,
            "OPENBLAS_NUM_THREADS": threads,
            "OMP_NUM_THREADS": threads,
            "PYTHONPATH": str(ROOT),
        }
        command = [sys.executable, "-m", "tests.claims.stated", *in_floats()]
        running[kernel] = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | chosen, stdout=subprocess.PIPE, text=True
        )
    said = {kernel: process.communicate()[0] for kernel, process in running.items()}
    assert [process.returncode for process in running.values()] == [0] * len(running)
    return {kernel: json.loads(text.splitlines()[-1]) for kernel, text in said.items()}


def enclosure(kernel: str, path: str) -> tuple[Fraction, Fraction]:
    one = outcomes()[kernel]["found"][path]
    slack, error = Fraction(one["slack"]), Fraction(one["error"])
    return slack - error, slack + error


several = pytest.mark.skipif(len(runnable()) < 2, reason="this processor does not say that it runs two of the kernels")
together = pytest.mark.xdist_group("processors")  # so that every process of the tests need not do all


@several
@together
def test_the_processes_have_the_kernels_and_threads_that_were_asked_for():
    """In both copies of the library, numpy's and scipy's: else nothing is compared below."""
    for kernel, outcome in outcomes().items():
        assert len(outcome["libraries"]) >= 2
        assert all(architecture in (kernel, CALLED.get(kernel)) for architecture, _ in outcome["libraries"])
        assert all(threads == min(THREADS[kernel], len(os.sched_getaffinity(0))) for _, threads in outcome["libraries"])


@several
@together
@pytest.mark.parametrize("path", in_floats(), ids=lambda path: Path(path).stem)
def test_a_refutation_states_the_same_on_every_processor(path: str):
    """It is what it says with each kernel, and no two of the enclosures of its slack are apart."""
    expected = [EVIDENCE_ONLY] if read(ROOT / path).get("verdict") == Against.word else []
    assert {kernel: outcome["found"][path]["against"] for kernel, outcome in outcomes().items()} == {
        kernel: expected for kernel in runnable()
    }
    for one, other in combinations(runnable(), 2):
        (low, high), (low_too, high_too) = enclosure(one, path), enclosure(other, path)
        assert max(low, low_too) <= min(high, high_too), (
            one,
            float(low),
            float(high),
            other,
            float(low_too),
            float(high_too),
        )


def test_slow_refutations_are_pinned():
    """What is left out exists."""
    assert {path.stem for path in ROOT.glob("claims/*/refuted/*.json")} >= SLOW
