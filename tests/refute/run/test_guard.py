"""What hangs, dies or takes too much memory costs its own claim, and is named with its case."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from refute import Broken, Run
from refute.errors import BadInput
from refute.run.guard import Crew, Limits, Stopped
from refute.run.loading import load_file
from refute.run.runner import run_claims
from tests.refute.conftest import TRUE, WriteClaims, written

pytestmark = pytest.mark.slow

SHORT = Limits(seconds=1.0, memory=2 * 2**30)

BODIES = {
    "spins": "while True: pass",
    "sleeps": "time.sleep(600)",
    "counts in native code": "return 10 ** (10**9) - x",
    "exits at once": "os._exit(0)",
    "kills itself": "os.kill(os.getpid(), 9)",
    "crashes": "import ctypes; ctypes.string_at(0)",
    "aborts": "os.abort()",
    "takes memory": "return np.ones(2**29).sum() - x",
    "forks": "import subprocess; subprocess.Popen(['sleep', '600']); time.sleep(600)",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
}


@pytest.mark.parametrize("body", BODIES, ids=str)
def test_a_bad_predicate_is_broken_and_the_others_are_decided(body: str, claim_file: WriteClaims):
    """With its case; nothing that it started is left."""
    bad = (
        f"import os, signal\nimport numpy as np\n@claim('notes.bad', given=numbers)\ndef bad(x):\n    {BODIES[body]}\n"
    )
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    results = run_claims(load_file(claim_file(bad + TRUE)), Run(), 1, limits=SHORT)
    assert [result.outcome.word for result in results] == ["broken", "supported"]
    outcome = results[0].outcome
    assert isinstance(outcome, Broken)
    assert outcome.case is not None
    assert outcome.hint
    left = [process for process in psutil.Process().children(recursive=True) if process.pid not in before]
    assert [process for process in left if process.status() != psutil.STATUS_ZOMBIE] == []


@pytest.mark.parametrize(
    "cases", ["numbers.map(lambda case: time.sleep(600))", "numbers.map(lambda case: os._exit(0))"]
)
def test_a_bad_strategy_is_broken_and_the_others_are_decided(cases: str, claim_file: WriteClaims):
    """It has no case yet."""
    bad = f"import os\n@claim('notes.bad', given={cases})\ndef bad(x):\n    return x\n"
    results = run_claims(load_file(claim_file(bad + TRUE)), Run(), 1, limits=SHORT)
    assert [result.outcome.word for result in results] == ["broken", "supported"]


PARENT = """
import sys, time
from refute.run.guard import Crew
with Crew(2) as staff:
    futures = [staff.submit(time.sleep, 600) for _ in range(2)]
    time.sleep(1)
    print("begun", flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_processes_die_with_their_guard(how: int):
    """Whatever kills it."""
    process = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    children = psutil.Process(process.pid).children()
    assert len(children) == 2
    os.kill(process.pid, how)
    process.communicate()
    _, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []


def test_tasks_of_a_group_are_done_by_one_process():
    """As long as there is other work for the others."""
    with Crew(2) as staff:
        found = [[staff.submit(os.getpid, group=name) for _ in range(20)] for name in ("one", "other")]
        assert all(len({future.result() for future in futures}) <= 2 for futures in found)


def test_what_a_task_raises_travels():
    """As it is."""
    with Crew(1) as staff, pytest.raises(ZeroDivisionError):
        staff.submit(divmod, 1, 0).result()


def test_what_is_given_up_is_an_error():
    """The process is ended, another takes its place."""
    with Crew(1) as staff:
        waiting = staff.submit(time.sleep, 600)
        while not waiting.running():
            time.sleep(0.05)
        time.sleep(0.5)
        staff.renew()
        with pytest.raises(Stopped):
            waiting.result(timeout=20)
        assert staff.submit(abs, -1).result(timeout=60) == 1


@pytest.mark.parametrize(("text", "bytes"), [("4G", 4 * 2**30), ("500m", 500 * 2**20), ("2 GB", 2 * 2**30)])
def test_memory_is_written_as_people_write_it(text: str, bytes: int):
    """With or without B."""
    assert Limits.parse(1, text).memory == bytes


@pytest.mark.parametrize("text", ["", "lots", "-1G", "0", "nan", "inf"])
def test_an_amount_that_is_none_is_an_error(text: str):
    """With the value."""
    with pytest.raises(BadInput, match="is not an amount"):
        Limits.parse(1, text)


def test_a_command_tells_what_died(tmp_path: Path):
    """Exit code 2, where a predicate that ends its process with code 0 would have ended the run in silence."""
    written(tmp_path, TRUE + "import os\n@claim('notes.bad', given=numbers)\ndef bad(x):\n    os._exit(0)\n", "mine.py")
    done = subprocess.run(
        [sys.executable, "-m", "refute", "check", "mine.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 2
    assert "ended itself with code 0" in done.stdout
    assert "supported" in done.stdout
