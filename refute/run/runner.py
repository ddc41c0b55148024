"""Run claims in one or several watched processes; what is decided is never lost."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, as_completed
from pathlib import Path

from refute.decide.effort import Run
from refute.decide.verdict import Against, Broken, Counterexample, Outcome, Refuted
from refute.errors import RefuteError
from refute.kernel.certificate import pinned_case, pinned_fits, pinned_path, write
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.place import file_of, shown, where_raised
from refute.language.registry import typed_in
from refute.run.check import check
from refute.run.guard import Crew, Limits
from refute.run.loading import reload
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


def run_claims(
    claims: Sequence[Claim], run: Run, jobs: int = 1, on_result: Report | None = None, limits: Limits | None = None
) -> list[Result]:
    """Results in the order of the claims, whatever finishes first. After Ctrl-C: those that were decided by then.

    A claim is judged in a watched process, which is ended when a case exceeds the limits.
    """
    results: dict[str, Result] = {}

    def report(result: Result) -> None:
        results[result.id] = result
        if on_result is not None:
            on_result(result)

    try:
        with Crew(max(1, min(jobs, len(claims))), limits) as staff:
            given = {submitted(claim, run, staff): claim for claim in claims if not typed_in(claim)}
            for claim in claims:
                if typed_in(claim):
                    report(run_claim(claim, run))
            for future in as_completed(given):
                report(received(given[future], future))
    except KeyboardInterrupt:
        pass
    return [results[claim.id] for claim in claims if claim.id in results]


def submitted(claim: Claim, run: Run, staff: Crew) -> "Future[Result]":
    """The result to come from a watched process."""
    return staff.submit(_work, claim.id, str(file_of(claim.place)), run, current(), group=claim.stream)


def _work(id: str, file: str, run: Run, observer: Observer | None) -> Result:
    with observing(observer):
        return run_claim(reload(id, file), run)


def received(claim: Claim, future: "Future[Result]") -> Result:
    """The result, once it is there; a claim whose process had to be stopped is broken, with its case."""
    try:
        return future.result()
    except RefuteError as error:
        case = error.case if isinstance(error.case, Case) else None
        return Result.of(claim, Broken(error.message, error.hint, case), 0.0)
    except Exception as error:
        said = f"the process that checked it failed: {type(error).__name__}: {error}"
        return Result.of(claim, Broken(said), 0.0)
