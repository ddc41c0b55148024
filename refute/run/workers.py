"""Who does the chunks: this process, processes on this machine, a dask cluster, or Slurm. All through one small
interface.

A chunk that a worker takes down with it is given out again; one that fails every time, or takes too long, is lost, and
only that one.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLong
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from refute.decide.effort import Run
from refute.errors import BadClaim, BadInput, RefuteError
from refute.language.claim import Claim
from refute.language.place import file_of
from refute.language.registry import find_claim
from refute.run.loading import load_all, load_file
from refute.search.chunk import Chunk, Findings, work

ATTEMPTS = 3
PATIENCE = 600.0  # seconds for one chunk


class Workers(Protocol):
    """Gives out calls and hands back futures; `renew` replaces workers that broke."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]": ...
    def renew(self) -> None: ...


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


class Processes:
    """Processes on this machine (loky)."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.renew()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        future: Future[Any] = self.pool.submit(function, *arguments)
        return future

    def renew(self) -> None:
        from loky import get_reusable_executor

        self.pool = get_reusable_executor(max_workers=self.jobs, timeout=60, kill_workers=True)

    def close(self) -> None:
        self.pool.shutdown(wait=False, kill_workers=True)


class Dask:
    """A running dask.distributed cluster, by the address of its scheduler; it moves the work of
    dead workers by itself.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise BadInput("dask.distributed is not installed", "pip install 'refute[cluster]'") from error
        try:
            self.client: Any = Client(address, timeout="10s")  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise BadInput(
                f"no dask scheduler answers at {address!r}: {error}", "start one with `dask scheduler`"
            ) from error

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        future: Future[Any] = self.client.get_executor(pure=False).submit(function, *arguments)
        return future

    def renew(self) -> None:
        pass

    def close(self) -> None:
        self.client.close()


class Slurm:
    """Jobs through submitit: on Slurm where there is one, in local processes with `cluster="local"`."""

    def __init__(self, folder: Path, cluster: str | None = None) -> None:
        try:
            import submitit
        except ImportError as error:
            raise BadInput("submitit is not installed", "pip install 'refute[cluster]'") from error
        try:
            self.executor = submitit.AutoExecutor(folder=str(folder), cluster=cluster)
        except RuntimeError as error:
            raise BadInput(
                f"submitit: {error}", "run on a machine with sbatch, or use --jobs or --scheduler"
            ) from error
        self.executor.update_parameters(timeout_min=int(PATIENCE // 60) + 1, name="refute")

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        future: Future[Any] = _Job(self.executor.submit(function, *arguments))
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
        return self.job.result()

    def cancel(self) -> bool:
        self.job.cancel()
        return True


@contextmanager
def workers(
    jobs: int = 1, scheduler: str | None = None, slurm: bool = False, folder: Path = Path(".refute") / "slurm"
) -> Iterator[Workers]:
    """The workers that the options ask for, dismissed at the end."""
    if scheduler and slurm:
        raise BadInput("--scheduler and --slurm exclude each other")
    chosen: Any = Dask(scheduler) if scheduler else Slurm(folder) if slurm else Processes(jobs) if jobs > 1 else Here()
    try:
        yield chosen
    finally:
        getattr(chosen, "close", lambda: None)()


def do(
    staff: Workers, claim: Claim, chunks: Sequence[Chunk], run: Run, patience: float = PATIENCE
) -> list[Findings | None]:
    """The findings of the chunks, in their order; None for a chunk that could not be done.

    The first chunk, in order, that finds a violation ends the generation: those after it are not waited for.
    """
    if isinstance(staff, Here):
        return _one_by_one(claim, chunks, run)
    found: dict[int, Findings | None] = {}
    file = str(file_of(claim.place))
    for attempt in range(ATTEMPTS):
        waiting = [
            (k, staff.submit(remote, claim.id, file, chunk, run)) for k, chunk in enumerate(chunks) if k not in found
        ]
        broken = False
        for k, future in waiting:
            try:
                found[k] = future.result(timeout=patience)
            except (RefuteError, KeyboardInterrupt):
                _cancel(future for _, future in waiting)
                raise
            except TooLong:
                found[k] = None
                broken = True
            except Exception:  # the worker died, or brought down the pool
                broken = True
            result = found.get(k)
            if result is not None and result.violation is not None and all(j in found for j in range(k)):
                _cancel(future for _, future in waiting)
                return [found.get(j) for j in range(k + 1)]
        if len(found) == len(chunks):
            break
        if broken and attempt + 1 < ATTEMPTS:
            staff.renew()
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
    claim = find_claim(id)
    if claim is None:
        load_file(file)
        claim = find_claim(id)
    if claim is None:
        load_all()
        claim = find_claim(id)
    if claim is None:
        raise BadClaim(f"a worker finds no claim {id!r} in {file}", "register claims at the top level of a file")
    return work(claim, chunk, run)
