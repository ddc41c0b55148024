"""Run claims one after another, or each in one of several processes; what is decided is never lost.

A process works on one claim at a time, so when it dies it is known which claim killed it. Claims hold functions and do
not travel: a process is told the id and the file, and loads the claim itself.
"""

import multiprocessing
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from refute.decide.effort import Run
from refute.decide.verdict import Against, Broken, Counterexample, Outcome, Refuted
from refute.errors import BadClaim, RefuteError
from refute.kernel.certificate import pinned_case, pinned_fits, pinned_path, write
from refute.language.claim import Claim
from refute.language.place import file_of, shown, where_raised
from refute.language.registry import find_claim
from refute.run.check import check
from refute.run.loading import load_all, load_file
from refute.run.result import Result
from refute.search.observe import Observer, current, observing

Report = Callable[[Result], object]


def run_claim(claim: Claim, run: Run) -> Result:
    """The outcome of a claim; a counterexample that the repository does not hold yet gets its certificate written."""
    start = time.perf_counter()
    outcome, certificate = _checked(claim, run), None
    if isinstance(outcome, Refuted | Against):
        try:
            certificate = shown(_certificate(claim, outcome.counterexample))
        except OSError as error:
            said = f"{outcome.word}, but its certificate could not be written: {error}\n{outcome.counterexample}"
            outcome = Broken(said, "run in a folder that you may write to", evidence=outcome.evidence)
    return Result.of(claim, outcome, time.perf_counter() - start, certificate)


def _checked(claim: Claim, run: Run) -> Outcome:
    try:
        return check(claim, run)
    except (Exception, SystemExit) as error:
        return Broken(
            f"{claim.name}() could not be checked: {type(error).__name__}: "
            f"{error}{where_raised(error, file_of(claim.place))}"
        )


def _certificate(claim: Claim, found: Counterexample) -> Path:
    return pinned_path(claim) if pinned_case(claim) == found.case and pinned_fits(claim) else write(claim, found)


def run_claims(claims: Sequence[Claim], run: Run, jobs: int = 1, on_result: Report | None = None) -> list[Result]:
    """Results in the order of the claims, whatever finishes first. After Ctrl-C: those that were decided by then."""
    results: dict[str, Result] = {}

    def report(result: Result) -> None:
        results[result.id] = result
        if on_result is not None:
            on_result(result)

    try:
        if jobs > 1:
            _in_processes(claims, run, jobs, report)
        else:
            for claim in claims:
                report(run_claim(claim, run))
    except KeyboardInterrupt:
        pass
    return [results[claim.id] for claim in claims if claim.id in results]


def _in_processes(claims: Sequence[Claim], run: Run, jobs: int, report: Report) -> None:
    strangers = set(multiprocessing.active_children())
    waiting = deque(claims)
    busy: dict[Future[Result], tuple[Claim, ProcessPoolExecutor]] = {}
    hired: list[ProcessPoolExecutor] = []

    def hire() -> ProcessPoolExecutor:
        hired.append(ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=_prepare))
        return hired[-1]

    def give_work(worker: ProcessPoolExecutor) -> None:
        if not waiting:
            worker.shutdown()
            return
        claim = waiting.popleft()
        busy[worker.submit(_work, claim.id, str(file_of(claim.place)), run, current())] = claim, worker

    try:
        for _ in range(min(jobs, len(claims))):
            give_work(hire())
        while busy:
            for future in wait(busy, return_when=FIRST_COMPLETED).done:
                claim, worker = busy.pop(future)
                report(_received(claim, future))
                give_work(hire() if _died(future) else worker)
    except BaseException:
        for child in set(multiprocessing.active_children()) - strangers:
            child.kill()
        for worker in hired:  # Python's own farewell at exit may write to a pool that is just closing
            worker.shutdown()
        raise


def _prepare() -> None:
    """In a new process: Ctrl-C is for the parent to handle, and the output of the parent is not for predicates to print
    on.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr


def _work(id: str, file: str, run: Run, observer: Observer | None) -> Result:
    """In a worker process."""
    load_file(file)
    claim = find_claim(id)
    if claim is None:  # registered by another file than the one that holds its function
        load_all()
        claim = find_claim(id)
    if claim is None:
        raise BadClaim(
            f"a new process finds no claim {id!r} in {shown(file)}", "register claims at the top level of a file"
        )
    with observing(observer):
        return run_claim(claim, run)


def _died(future: Future[Result]) -> bool:
    return isinstance(future.exception(), BrokenProcessPool)


def _received(claim: Claim, future: Future[Result]) -> Result:
    error = future.exception()
    if error is None:
        return future.result()
    if _died(future):
        broken = Broken(
            "the process that checked it died", "look for a crash in native code, an exit, or memory that ran out"
        )
    elif isinstance(error, RefuteError):
        broken = Broken(error.message, error.hint)
    else:
        broken = Broken(f"the process that checked it failed: {type(error).__name__}: {error}")
    return Result.of(claim, broken, 0.0)
