"""Who does the chunks: watched processes on this machine, a dask cluster, Slurm, or this process. All through one small
interface.

A chunk that a worker takes down with it is given out again; one that fails every time, or takes too long, is lost, and
only that one. The workers of a cluster watch over a process of their own.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as TooLong
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from refute.decide.effort import Run
from refute.errors import BadInput, RefuteError
from refute.language.claim import Claim
from refute.language.place import file_of
from refute.run.guard import Crew, Died, Limits, Stopped
from refute.run.loading import reload
from refute.search.chunk import Chunk, Findings, work

ATTEMPTS = 3
PATIENCE = 600.0  # seconds for one chunk
POLL = 0.2  # seconds between two looks at a job
ANY = Limits()


class Workers(Protocol):
    """Gives out calls and hands back futures; `renew` replaces workers that broke."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]": ...
    def renew(self) -> None: ...
    def close(self) -> None: ...


class Here:
    """One chunk after the other in this process."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future

    def renew(self) -> None:
        pass

    def close(self) -> None:
        pass


class Dask:
    """A running dask.distributed cluster, by the address of its scheduler; it moves the work of
    dead workers by itself.
    """

    def __init__(self, address: str, limits: Limits = ANY) -> None:
        from distributed import Client

        self.limits = limits
        try:
            self.client: Any = Client(address, timeout="10s")  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise BadInput(
                f"no dask scheduler answers at {address!r}: {error}", "start one with `dask scheduler`"
            ) from error

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        call = (guarded, self.limits, function, *arguments)
        future: Future[Any] = self.client.get_executor(pure=False).submit(*call)
        return future

    def renew(self) -> None:
        pass

    def close(self) -> None:
        self.client.close()


class Slurm:
    """Jobs through submitit: on Slurm where there is one, in local processes with `cluster="local"`."""

    def __init__(self, folder: Path, cluster: str | None = None, limits: Limits = ANY) -> None:
        import submitit

        self.limits = limits
        try:
            self.executor = submitit.AutoExecutor(folder=str(folder), cluster=cluster)
        except RuntimeError as error:
            raise BadInput(
                f"submitit: {error}", "run on a machine with sbatch, or use --jobs or --scheduler"
            ) from error
        self.executor.update_parameters(timeout_min=int(PATIENCE // 60) + 1, name="refute")

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        future: Future[Any] = _Job(self.executor.submit(guarded, self.limits, function, *arguments))
        return future

    def renew(self) -> None:
        pass

    def close(self) -> None:
        pass


class _Job(Future[Any]):
    """A submitit job as a future."""

    def __init__(self, job: Any) -> None:
        super().__init__()
        self.job = job

    def result(self, timeout: float | None = None) -> Any:
        end = time.monotonic() + (float("inf") if timeout is None else timeout)
        while not self.job.done():
            if time.monotonic() > end:
                raise TooLong
            time.sleep(POLL)
        return self.job.result()

    def cancel(self) -> bool:
        self.job.cancel()
        return True


_own: list[Crew] = []


def guarded(limits: Limits, function: Callable[..., Any], *arguments: Any) -> Any:
    """In a worker of a cluster: the call in a watched process, which is kept for the next one."""
    if not _own:
        _own.append(Crew(1, limits))
    try:
        return _own[0].submit(function, *arguments).result(timeout=PATIENCE)
    except TooLong:
        _own[0].renew()
        raise


@contextmanager
def workers(
    jobs: int = 1,
    scheduler: str | None = None,
    slurm: bool = False,
    folder: Path = Path(".refute") / "slurm",
    limits: Limits = ANY,
) -> Iterator[Workers]:
    """The workers that the options ask for, dismissed at the end."""
    if scheduler and slurm:
        raise BadInput("--scheduler and --slurm exclude each other")
    chosen = _chosen(jobs, scheduler, folder if slurm else None, limits)
    try:
        yield chosen
    finally:
        chosen.close()


def do(
    staff: Workers,
    claim: Claim,
    chunks: Sequence[Chunk],
    run: Run,
    patience: float = PATIENCE,
    until: float = float("inf"),
) -> list[Findings | None]:
    """The findings of the chunks, in their order; None for a chunk that could not be done, or not until then.

    The first chunk, in order, that finds a violation ends the generation: those after it are not waited for.
    """
    if isinstance(staff, Here):
        return _one_by_one(claim, chunks, run)
    found: dict[int, Findings | None] = {}
    task = (claim.id, str(file_of(claim.place)))
    for attempt in range(ATTEMPTS):
        end = min(time.monotonic() + patience, until)
        waiting = [(k, staff.submit(remote, *task, chunk, run)) for k, chunk in enumerate(chunks) if k not in found]
        broken = False
        for k, future in waiting:
            try:
                found[k] = future.result(timeout=max(0.0, end - time.monotonic()))
            except (TooLong, CancelledError):
                found[k], broken = None, True
            except Died as error:
                broken = True
                if attempt + 1 == ATTEMPTS:
                    found[k] = Findings.stopped(chunks[k], error)
            except Stopped as error:
                found[k] = Findings.stopped(chunks[k], error)
            except (RefuteError, KeyboardInterrupt):
                _cancel(future for _, future in waiting)
                raise
            except Exception:  # the worker died, or brought down the pool
                broken = True
            result = found.get(k)
            if result is not None and result.violation is not None and all(j in found for j in range(k)):
                _cancel(future for _, future in waiting)
                return [found.get(j) for j in range(k + 1)]
        if broken:
            _cancel(future for _, future in waiting)
            staff.renew()
        if len(found) == len(chunks):
            break
    return [found.get(k) for k in range(len(chunks))]


def _one_by_one(claim: Claim, chunks: Sequence[Chunk], run: Run) -> list[Findings | None]:
    found: list[Findings | None] = []
    for chunk in chunks:
        result = work(claim, chunk, run)
        found.append(result)
        if result.violation is not None:
            break
    return found


def _cancel(futures: Iterator["Future[Any]"]) -> None:
    for future in futures:
        future.cancel()


def remote(id: str, file: str, chunk: Chunk, run: Run) -> Findings:
    """In a worker: load the claim by its file and id, and do the chunk."""
    return work(reload(id, file), chunk, run)


def _chosen(jobs: int, scheduler: str | None, slurm: Path | None, limits: Limits) -> Workers:
    if scheduler:
        return Dask(scheduler, limits)
    return Slurm(slurm, None, limits) if slurm else Crew(jobs, limits)
