"""Work in processes that are watched: what hangs, dies or takes too much memory costs its own task, and is named.

A process works on one task at a time and is told functions by name; claims hold functions of their own and do not
travel, so a task names a claim by its file and its id.
"""

import json
import mmap
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from pathlib import Path
from typing import Any, Self

import psutil

from refute.decide.effort import SECONDS
from refute.decide.pulse import PROVING
from refute.errors import BadInput, RefuteError
from refute.language.case import Case
from refute.run.worker import PULSE, ROOM

TICK = 0.2  # seconds between two looks at a process
SLEEPS = 5  # so many times the limit may pass on the clock, when the processor does something else
PATIENT = 10  # so many times the limit for what has no case: a proof
GROWN = 0.5  # a process that has grown to this part of the limit is replaced after its task
_UNITS = {"k": 2**10, "m": 2**20, "g": 2**30}


Task = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...]]


class Stopped(RefuteError):
    """A task that was not finished: its process hung, died, or took too much memory."""


class Died(Stopped):
    """The process died by itself, or somebody killed it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one case may take: seconds of the processor, and the bytes that its process may hold."""

    seconds: float = SECONDS
    memory: float = float("inf")

    @classmethod
    def parse(cls, seconds: float, memory: str | None, jobs: int = 1) -> "Limits":
        """`memory` as people write it, "2G"; by default the processes share nine tenths of what the machine has."""
        if memory is None:
            return cls(seconds, 0.9 * psutil.virtual_memory().total / max(jobs, 1))
        number, unit = memory.strip().lower().removesuffix("b"), 1
        if number[-1:] in _UNITS:
            number, unit = number[:-1], _UNITS[number[-1]]
        try:
            amount = float(number) * unit
        except ValueError:
            amount = 0.0
        if not 0 < amount < float("inf"):
            raise BadInput(f"the memory {memory!r} is not an amount", "write 500M or 4G")
        return cls(seconds, amount)


class Worker:
    """One watched process."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        with tempfile.TemporaryFile() as file:
            file.truncate(PULSE.size + ROOM)
            self.signs = mmap.mmap(file.fileno(), PULSE.size + ROOM)
            self.pipe, theirs = Pipe()
            ends = (theirs.fileno(), file.fileno())
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "refute.run.worker", *map(str, ends)],
                stdin=subprocess.DEVNULL,
                stdout=2,
                pass_fds=ends,
                start_new_session=True,
                env=_environment(),
            )
            theirs.close()
        self.pipe.send(sys.path)

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """The result, or what the function raised; `Stopped` when the process had to be stopped, or died."""
        seen, since, spent = -1, time.monotonic(), self._spent()
        try:
            self.pipe.send((function, arguments))
            while not self.pipe.poll(TICK):
                count, doing, _ = self._sign()
                now, used = time.monotonic(), self._spent()
                if count != seen:
                    seen, since, spent = count, now, used
                self._check(doing, now - since, used - spent)
            fine, result = self.pipe.recv()
        except (EOFError, OSError):
            raise self._stopped(f"the process that checked it {self._death()}", _WHY_IT_DIED, Died) from None
        if not fine:
            raise result
        return result

    def _check(self, doing: str, clock: float, processor: float) -> None:
        allowed = self.limits.seconds * (PATIENT if doing == PROVING else 1)
        if processor > allowed or clock > SLEEPS * allowed:
            said = f"{doing} took more than {allowed:g} s"
            raise self._stopped(said, "look for an endless loop; --timeout-per-case gives it longer")
        if self._memory() > self.limits.memory:
            said = f"{doing} took more than {self.limits.memory / 2**20:.0f} MB of memory"
            raise self._stopped(said, "make the case smaller; --memory gives it more")

    def _stopped(self, said: str, hint: str, sort: type[Stopped] = Stopped) -> Stopped:
        """The process is gone for good, and the case that it was at is named."""
        _, _, case = self._sign()
        self.kill()
        error = sort(said, hint)
        error.case = case
        return error

    def _sign(self) -> tuple[int, str, Case | None]:
        count, length = PULSE.unpack(self.signs[: PULSE.size])
        try:
            doing, case = json.loads(self.signs[PULSE.size : PULSE.size + length])
            return count, doing, None if case is None else Case.from_json(case)
        except (ValueError, RefuteError):  # caught while it was being written, or of a record that is not known here
            return count, "", None

    def _family(self) -> list[psutil.Process]:
        try:
            own = psutil.Process(self.process.pid)
            return [own, *own.children(recursive=True)]
        except psutil.Error:
            return []

    def _spent(self) -> float:
        """Seconds of the processor so far, of the process and its children."""
        return self._total(lambda process: sum(process.cpu_times()[:4]))

    def _memory(self) -> float:
        return self._total(lambda process: process.memory_info().rss)

    def _total(self, of: Callable[[psutil.Process], float]) -> float:
        total = 0.0
        for process in self._family():
            with suppress(psutil.Error):
                total += of(process)
        return total

    def _death(self) -> str:
        try:
            code = self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "no longer answers"
        return f"died of {signal.Signals(-code).name}" if code < 0 else f"ended itself with code {code}"

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    @property
    def grown(self) -> bool:
        """Whether a fresh process had better do the next task."""
        return self._memory() > GROWN * self.limits.memory

    def kill(self) -> None:
        """With everything that it has started."""
        family = self._family()
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for process in family:
            with suppress(psutil.Error):
                process.kill()
        self.process.wait()
        self.pipe.close()


_WHY_IT_DIED = "look for a crash in native code, an exit, or memory that ran out"


def _environment() -> dict[str, str]:
    """Where the package was found, it is found again. A worker has one thread of linear algebra, unless the user says
    otherwise: threads that wait for a busy core cost more than they save.
    """
    path = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"OPENBLAS_NUM_THREADS": "1", **os.environ, "PYTHONPATH": os.pathsep.join(path)}


class Crew:
    """Several watched processes, each with a thread that waits for it. Ctrl-C or an error ends them all.

    Tasks of one group share what they compute, so one process does them, and another helps only when nothing else is
    left.
    """

    def __init__(self, jobs: int, limits: Limits | None = None) -> None:
        self.limits = limits or Limits.parse(SECONDS, None, jobs)
        self._waiting: dict[str, deque[Task]] = {}
        self._at: dict[int, str] = {}
        self._change = threading.Condition()
        self._closing = False
        self._workers: dict[int, Worker] = {}
        self._threads = [threading.Thread(target=self._serve, args=(k,), daemon=True) for k in range(jobs)]
        for thread in self._threads:
            thread.start()

    def submit(self, function: Callable[..., Any], *arguments: Any, group: str = "") -> "Future[Any]":
        future: Future[Any] = Future()
        with self._change:
            self._waiting.setdefault(group, deque()).append((future, function, arguments))
            self._change.notify()
        return future

    def _next(self, place: int) -> "Task | None":
        """Of its own group first, then of one that nobody has, else of the longest; None at the end."""
        with self._change:
            while not self._closing:
                groups = [name for name, tasks in self._waiting.items() if tasks]
                others = {name for other, name in self._at.items() if other != place}
                mine = [name for name in groups if name == self._at.get(place)]
                free = mine or [name for name in groups if name not in others]
                free = free or sorted(groups, key=lambda name: -len(self._waiting[name]))
                if free:
                    self._at[place] = free[0]
                    return self._waiting[free[0]].popleft()
                self._at.pop(place, None)
                self._change.wait()
        return None

    def _serve(self, place: int) -> None:
        with suppress(OSError):  # said when there is something to do
            self._worker(place)
        while (task := self._next(place)) is not None:
            future, function, arguments = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(self._worker(place).call(function, arguments))
            except BaseException as error:  # travels to whoever waits for it
                future.set_exception(error)
        if place in self._workers:
            self._workers[place].kill()

    def _worker(self, place: int) -> Worker:
        """The process of this place, a fresh one if it is gone or has grown."""
        worker = self._workers.get(place)
        if worker is not None and worker.alive and not worker.grown:
            return worker
        if worker is not None:
            worker.kill()
        self._workers[place] = Worker(self.limits)
        return self._workers[place]

    def renew(self) -> None:
        """Whatever is at work now is given up."""
        for worker in list(self._workers.values()):
            with suppress(OSError):
                os.killpg(worker.process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Whatever is still at work is ended."""
        with self._change:
            self._closing = True
            self._change.notify_all()
        self.renew()
        for thread in self._threads:
            thread.join(timeout=10)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
