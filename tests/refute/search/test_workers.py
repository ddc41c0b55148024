"""Chunks are done by whoever is there, and a worker that dies costs its current chunk only."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from refute import Run
from refute.errors import BadInput
from refute.run.hunt import Budget, pursue, take_up
from refute.run.workers import Dask, Here, Slurm, do, workers

pytestmark = pytest.mark.slow

RUN = Run(pinned=False)
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


def counterexample_of(claim, folder, staff) -> dict:
    hunt = take_up(claim, 0, folder)
    pursue([hunt], Budget(cases=6000), RUN, staff)
    assert hunt.campaign.violation is not None
    return hunt.campaign.violation


@pytest.fixture
def scheduler(tmp_path):
    """A real scheduler with two workers on this machine: its address and the processes of the workers."""
    pytest.importorskip("distributed", reason="the cluster extra is not installed")
    address_file = tmp_path / "scheduler.json"
    command = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(address_file),
    ]
    processes = [subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.DEVNULL, cwd=tmp_path)]
    try:
        for _ in range(600):
            if address_file.exists():
                break
            time.sleep(0.1)
        serve = [
            sys.executable,
            "-m",
            "distributed.cli.dask_worker",
            "--scheduler-file",
            str(address_file),
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
        ]
        processes += [
            subprocess.Popen(serve, env=ENVIRONMENT, stderr=subprocess.DEVNULL, cwd=tmp_path) for _ in range(2)
        ]
        import json

        yield json.loads(address_file.read_text())["address"], processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_dask_cluster_finds_the_same_though_a_worker_is_killed(needle, tmp_path, scheduler):
    """Its work goes to the other worker."""
    address, serving = scheduler
    expected = counterexample_of(needle("hidden_point"), tmp_path / "here", Here())
    staff = Dask(address)
    staff.client.wait_for_workers(2, timeout=120)
    killed = []

    class Killing:
        """Kills a worker when the second generation is under way."""

        def submit(self, function, *arguments):
            future = staff.submit(function, *arguments)
            if arguments[2].number > 8 and not killed:
                killed.append(True)
                os.kill(serving[0].pid, signal.SIGKILL)
            return future

        def renew(self):
            staff.renew()

    try:
        assert counterexample_of(needle("hidden_point"), tmp_path / "dask", Killing()) == expected
        assert killed
    finally:
        staff.close()


def test_submitit_finds_the_same(needle, tmp_path):
    """Through its local executor, which runs jobs as Slurm would."""
    pytest.importorskip("submitit", reason="the cluster extra is not installed")
    claim = needle("masked")
    hunt = take_up(claim, 0, tmp_path / "here")
    chunks = hunt.campaign.chunks()[:2]
    staff = Slurm(tmp_path / "jobs", cluster="local")
    assert do(staff, claim, chunks, RUN) == do(Here(), claim, chunks, RUN)


def test_a_process_that_dies_costs_nothing_but_time(needle, tmp_path):
    """The chunk is done again by another process."""
    claim = needle("true")
    chunks = take_up(claim, 0, tmp_path).campaign.chunks()
    with workers(2) as staff:
        first = do(staff, claim, chunks, RUN)
        for child in psutil.Process().children():
            child.kill()
        assert do(staff, claim, chunks, RUN) == first


def test_a_chunk_that_hangs_is_lost_alone(needle, tmp_path):
    """The others are done."""
    claim = needle("true")
    chunks = take_up(claim, 0, tmp_path).campaign.chunks()
    with workers(2) as staff:

        class OneHangs:
            def submit(self, function, *arguments):
                return staff.submit(time.sleep, 120) if arguments[2].number == 1 else staff.submit(function, *arguments)

            def renew(self):
                staff.renew()

        found = do(OneHangs(), claim, chunks, RUN, patience=20.0)
    assert found[1] is None
    assert [k for k, one in enumerate(found) if one is None] == [1]


def test_a_job_that_hangs_is_given_up(tmp_path):
    """On Slurm too: waiting ends, and what was cancelled leaves no process."""
    pytest.importorskip("submitit", reason="the cluster extra is not installed")
    before = set(psutil.Process().children(recursive=True))
    job = Slurm(tmp_path / "jobs", cluster="local").submit(time.sleep, 600)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        job.result(timeout=5)
    assert time.monotonic() - began < 10
    job.cancel()
    job.job._process.wait(timeout=60)
    left = set(psutil.Process().children(recursive=True)) - before
    assert psutil.wait_procs(left, timeout=60)[1] == []


def test_a_scheduler_that_does_not_answer_is_an_error():
    """With its address."""
    pytest.importorskip("distributed")
    with pytest.raises(BadInput, match=r"127\.0\.0\.1:9"):
        Dask("tcp://127.0.0.1:9")


def test_two_kinds_of_workers_exclude_each_other():
    """A user must choose."""
    with pytest.raises(BadInput, match="exclude"), workers(scheduler="tcp://127.0.0.1:9", slurm=True):
        pass


KILLED = """
import sys
from pathlib import Path
from refute import Run
from refute.run.hunt import Budget, pursue, take_up
from refute.run.workers import Here
from refute.run.loading import load_file
from refute.language.registry import find_claim
load_file(sys.argv[1])
hunt = take_up(find_claim("needles.true"), 0, Path(sys.argv[2]))
pursue([hunt], Budget(seconds=60), Run(pinned=False), Here(), lambda hunt: print(hunt.campaign.generation, flush=True))
"""


def test_a_kill_at_any_moment_leaves_a_state_to_take_up(needle, tmp_path):
    """Twenty kills at moments spread over the work; every time the next process goes on from the
    last saved generation.
    """
    file = Path(__file__).parent / "needles.py"
    before = 0
    process = None
    for kill in range(20):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(file), str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()  # one generation is done
        time.sleep(0.013 * kill)
        process.kill()
        process.communicate()
        hunt = take_up(needle("true"), 0, tmp_path)
        assert hunt.resumed
        assert hunt.campaign.generation > before
        before = hunt.campaign.generation
