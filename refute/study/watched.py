"""Studies in watched processes: which wrong version, which assumption, by its place in the claim."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from refute.decide.effort import Run
from refute.decide.verdict import Broken, Outcome
from refute.errors import RefuteError
from refute.language.assumption import Assumption
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.language.mutants import Mutant
from refute.language.place import file_of
from refute.run.check import check_mutant
from refute.run.guard import Crew
from refute.run.loading import reload
from refute.study.ablate import Ablation, Kill, Tightness, ablate, tightness
from refute.study.mutate import generated
from refute.study.sweep import Sweep, sweep


def wrong_versions(claim: Claim, also_generated: bool) -> list[Mutant]:
    return [*claim.mutants, *(generated(claim) if also_generated else ())]


def kills(claims: Sequence[Claim], run: Run, staff: Crew, also_generated: bool = False) -> Iterator[Kill]:
    """What happens to the wrong versions of the claims, in their order."""
    tasks = [(claim, k) for claim in claims for k in range(len(wrong_versions(claim, also_generated)))]
    for (claim, k), outcome in zip(tasks, _outcomes(staff, _kill, tasks, also_generated, run), strict=True):
        yield Kill(claim.id, wrong_versions(claim, also_generated)[k].name, outcome, claim.kind is Kind.EXISTENCE)


def _kill(id: str, file: str, k: int, also_generated: bool, run: Run) -> Outcome:
    claim = reload(id, file)
    return check_mutant(claim, wrong_versions(claim, also_generated)[k], run)


def ablations(pairs: Sequence[tuple[Claim, Assumption]], run: Run, staff: Crew) -> Iterator[Ablation]:
    """What happens without each of the assumptions, in their order."""
    tasks = [(claim, claim.assumes.index(assumption)) for claim, assumption in pairs]
    for (claim, assumption), outcome in zip(pairs, _outcomes(staff, _ablate, tasks, run), strict=True):
        yield Ablation(claim.id, assumption, outcome)


def _ablate(id: str, file: str, k: int, run: Run) -> Outcome:
    claim = reload(id, file)
    return ablate(claim, claim.assumes[k], run).outcome


def tightnesses(claims: Sequence[Claim], run: Run, staff: Crew) -> Iterator[tuple[Claim, list[Tightness]]]:
    """How far the constants of each claim can be moved."""
    futures = [(claim, staff.submit(_tighten, claim.id, str(file_of(claim.place)), run)) for claim in claims]
    for claim, future in futures:
        yield claim, future.result()


def _tighten(id: str, file: str, run: Run) -> list[Tightness]:
    return tightness(reload(id, file), run)


def sweeps(
    tasks: Sequence[tuple[Claim, Assumption | None]], field: str, values: Sequence[Any], run: Run, staff: Crew
) -> Iterator[Sweep]:
    """The claims at several values of a field, with all assumptions that speak of it or one of them tightened."""
    futures = []
    for claim, alone in tasks:
        which = None if alone is None else claim.assumes.index(alone)
        futures.append(staff.submit(_sweep, claim.id, str(file_of(claim.place)), which, field, values, run))
    for (claim, alone), future in zip(tasks, futures, strict=True):
        yield Sweep(claim.id, field, tuple(sorted(values)), future.result(), alone)


def _sweep(id: str, file: str, which: int | None, field: str, values: Sequence[Any], run: Run) -> tuple[Outcome, ...]:
    claim = reload(id, file)
    return sweep(claim, field, values, run, None if which is None else claim.assumes[which]).outcomes


def _outcomes(
    staff: Crew, task: Callable[..., Outcome], tasks: Sequence[tuple[Claim, int]], *arguments: Any
) -> Iterator[Outcome]:
    """A claim whose process had to be stopped is broken, with its case."""
    futures = [
        staff.submit(task, claim.id, str(file_of(claim.place)), k, *arguments, group=claim.stream) for claim, k in tasks
    ]
    for future in futures:
        try:
            yield future.result()
        except RefuteError as error:
            yield Broken(error.message, error.hint, error.case if isinstance(error.case, Case) else None)
