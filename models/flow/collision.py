"""Events of the flow: who touches which line, what the decision is, and the pattern after it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute.models.flow.events import NOISE, TOUCHES
from refute.models.flow.filippov import Contact, Decision, decide, dual, span
from refute.models.flow.pattern import Pattern, Problem, regroup, velocity

Floats = NDArray[np.float64]


def empty_pattern(problem: Problem, width: int) -> Pattern:
    lines, dim = problem.directions.shape
    group, first, count, rank = (np.zeros(size, dtype=np.int64) for size in (width, width, 1, width))
    return Pattern(
        side=np.zeros((width, lines), dtype=np.int64), gates=np.zeros((width, lines)), alive=np.ones(width), group=group, first=first,
        count=count, shares=np.zeros((2 * lines, width)), totals=np.zeros((dim, width)), pushes=np.zeros(2 * lines),
        drifts=np.zeros((dim, width)), rank=rank, basis=np.zeros((width, dim, dim)), dual=np.zeros((width, lines, dim)),
        shift=np.zeros((width, lines)),
    )  # fmt: skip


def starting_pattern(problem: Problem, inner: Floats) -> Pattern:
    """Sides by the signs of the pre-activations; neurons on a line are to be settled next."""
    pattern = empty_pattern(problem, len(inner))
    along = inner @ problem.directions.T
    pattern.side[:] = np.where(along > 0, 1, -1)
    pattern.gates[:] = np.where(along > 0, 1.0, problem.slope)
    regroup(pattern, problem.slope)
    return pattern


def touching(problem: Problem, pattern: Pattern, inner: Floats) -> NDArray[np.bool_]:
    """Pairs of a living neuron and a line on whose hyperplane it is, without those that slide along it already."""
    sizes = np.sqrt((inner * inner).sum(axis=1))
    near = np.abs(inner @ problem.directions.T) <= TOUCHES * sizes[:, None]
    on: NDArray[np.bool_] = near & (pattern.side != 0) & (pattern.alive[:, None] > 0)
    return on


def arriving(problem: Problem, pattern: Pattern, state: Floats, who: int, where: int) -> NDArray[np.bool_]:
    """The pair of the event, or all lines of a neuron that leaves (line -1); and others that reach a line now, given
    the pulls.
    """
    width, dim = len(pattern.side), problem.directions.shape[1]
    near = touching(problem, pattern, state[: width * dim].reshape(width, dim))
    if where >= 0:
        near[who, where] = False
    if near.any():
        change = np.empty_like(state)
        velocity(problem, pattern, state, change)
        speed = change[: width * dim].reshape(width, dim) @ problem.directions.T
        near &= pattern.side * speed < 0
    if where < 0:
        near[who] |= pattern.side[who] == 0
    else:
        near[who, where] = True
    return near


def is_dead(problem: Problem, row: Floats) -> bool:
    """No sample activates a neuron with these inner weights, in a network whose slope is zero."""
    along = problem.directions @ row
    active = along[problem.index] * np.sign(problem.factors) > TOUCHES * np.linalg.norm(row)
    return problem.slope == 0 and not (active & (problem.index >= 0)).any()


def bury(problem: Problem, pattern: Pattern, inner: Floats, rows: Any) -> None:
    """Hold the dead ones among these neurons fixed: the regular solution."""
    for h in rows:
        if is_dead(problem, inner[h]):
            pattern.alive[h] = 0.0


def place(row: Floats, basis: Floats) -> None:
    """Put a neuron exactly on the hyperplanes that it has reached up to round-off."""
    row -= basis.T @ (basis @ row)


def collide(
    problem: Problem, pattern: Pattern, state: Floats, near: NDArray[np.bool_], at_zero: float | None
) -> tuple[Any, bool]:
    """Settle every neuron with a mark in `near`, in place, given the pulls; the changes (neuron, line, side), and
    whether all can go on.
    """
    width, dim = len(pattern.side), problem.directions.shape[1]
    inner, outer = state[: width * dim].reshape(width, dim), state[width * dim :]
    terms = float(np.abs(problem.residuals * problem.factors).sum()) * problem.rate
    changes, possible = [], True
    for h in np.flatnonzero(near.any(axis=1)):
        chosen = np.flatnonzero(near[h] | (pattern.side[h] == 0))
        place(inner[h], span(problem.directions[chosen]))
        contact = _contact(problem, pattern, int(h), float(outer[h]), chosen, terms)
        decision = decide(contact, at_zero)
        possible = possible and (at_zero is None or decision.wrong <= contact.noise)
        changes += [
            (int(h), int(line), pick)
            for line, pick in zip(chosen, decision.picks, strict=True)
            if pattern.side[h, line] != pick
        ]
        _settle(problem, pattern, int(h), chosen, decision, contact)
    regroup(pattern, problem.slope)
    return changes, possible


def _contact(problem: Problem, pattern: Pattern, h: int, outer: float, chosen: Any, terms: float) -> Contact:
    gates = pattern.gates[h].copy()
    gates[chosen] = 0.0
    weights = gates * problem.positive + (1 + problem.slope - gates) * problem.negative
    base = outer * (weights @ problem.directions)
    strengths = outer * (problem.positive - problem.negative)[chosen]
    return Contact(problem.directions[chosen], strengths, base, problem.slope, NOISE / 4 * abs(outer) * terms)


def _settle(problem: Problem, pattern: Pattern, h: int, chosen: Any, decision: Decision, contact: Contact) -> None:
    """Write the decision into the pattern; the base of the multipliers is the velocity without the
    lines that are held.
    """
    picks = np.array(decision.picks)
    pattern.side[h, chosen] = picks
    pattern.gates[h, chosen] = np.where(picks > 0, 1.0, np.where(picks < 0, problem.slope, (1 + problem.slope) / 2))
    held = chosen[picks == 0]
    pattern.rank[h] = 0
    if len(held) == 0:
        return
    basis = span(problem.directions[held])
    pattern.rank[h] = len(basis)
    pattern.basis[h, : len(basis)] = basis
    free = contact.base + decision.multipliers[picks != 0] @ contact.units[picks != 0]
    reads = dual(problem.directions[held])
    pattern.dual[h, held] = reads
    pattern.shift[h, held] = decision.multipliers[picks == 0] + reads @ free if len(basis) < len(held) else 0.0
