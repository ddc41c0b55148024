"""The flow while no neuron changes sides: a smooth field, one vector per group of neurons with the same activation pattern.

With unit directions u_l of the lines (models.flow.lines) and gates g_hl in [slope, 1], each neuron obeys
    w_h' = P_h v_h s_h,   v_h' = w_h . s_h,   s_h = c sum_i gate_hi residual_i x_i,
where P_h projects on the hyperplanes along which the neuron slides. All neurons with the same gates share s_h, and the
outputs depend only on sum v_h w_h over each group, so that a stage costs O(m d + groups * lines * d), not O(m n d).
A state is one array: the inner weights row by row, then the outer weights. The loops are plain on purpose: array expressions
take long to compile.
"""

from typing import Any, NamedTuple

import numpy as np

from models.compiled import call_address, compiled
from models.descent.kernels import residual

CALLBACK = -1  # the "shape" of a loss that is given as a Python function


class Problem(NamedTuple):
    """What stays the same along a trajectory. `outputs` and `residuals` are where a Python residual reads and writes."""

    directions: Any  # (lines, dim), unit vectors
    across: Any  # the same, transposed and contiguous
    index: Any  # (samples,) line of each sample, -1 at the origin
    factors: Any  # (samples,) x_i = factors_i * directions[index_i]
    labels: Any
    outputs: Any
    residuals: Any
    positive: Any  # (lines,): the pull of the samples with positive factor, where it was last evaluated, and that of the others
    negative: Any
    slope: float
    rate: float  # 1/(n tau) for a mean, 1/tau for a sum
    outer: float  # 1 when the outer weights are trained, 0 when they are fixed
    shape: int
    factor: float
    sign: float
    address: int


class Pattern(NamedTuple):
    """Which side of each line a neuron is on. Arrays, changed in place at events."""

    side: Any  # (neurons, lines): 1, -1, or 0 while sliding
    gates: Any  # (neurons, lines): 1 on the positive side, slope on the negative, between the two on the line
    alive: Any  # (neurons,): 0 for a neuron that is held fixed
    group: Any  # (neurons,): neurons with equal gates share a group
    first: Any  # (groups,): a neuron of each group
    count: Any  # (1,): how many groups there are
    rank: Any  # (neurons,): how many independent lines the neuron slides along
    basis: Any  # (neurons, dim, dim): an orthonormal basis of their span, in the first `rank` rows
    dual: Any  # (neurons, lines, dim): what reads the multiplier of a sliding line off the velocity without it
    shift: Any  # (neurons, lines): a constant part of that multiplier, zero unless the lines depend on each other


@compiled
def regroup(pattern: Any) -> None:
    """Collect the neurons with equal gates."""
    groups = 0
    for h in range(pattern.gates.shape[0]):
        found = -1
        for g in range(groups):
            other, same = pattern.first[g], True
            for line in range(pattern.gates.shape[1]):
                if pattern.gates[h, line] != pattern.gates[other, line]:
                    same = False
                    break
            if same:
                found = g
                break
        if found < 0:
            found = groups
            pattern.first[groups] = h
            groups += 1
        pattern.group[h] = found
    pattern.count[0] = groups


@compiled
def outputs_on_lines(problem: Any, pattern: Any, state: Any, forward: Any, backward: Any) -> None:
    """The network at u_l and minus the network at -u_l, in the fixed pattern."""
    (width, lines), dim = pattern.gates.shape, problem.directions.shape[1]
    total, along = np.zeros((pattern.count[0], dim)), np.empty(lines)
    for h in range(width):
        weight = pattern.alive[h] * state[width * dim + h]
        for e in range(dim):
            total[pattern.group[h], e] += weight * state[h * dim + e]
    for line in range(lines):
        forward[line] = backward[line] = 0.0
    for g in range(pattern.count[0]):
        for line in range(lines):
            along[line] = 0.0
        for e in range(dim):
            weight = total[g, e]
            for line in range(lines):
                along[line] += weight * problem.across[e, line]
        first = pattern.first[g]
        for line in range(lines):
            gate = pattern.gates[first, line]
            forward[line] += gate * along[line]
            backward[line] += (1.0 + problem.slope - gate) * along[line]


@compiled
def pulls(problem: Any, pattern: Any, state: Any) -> None:
    """Per line, c sum residual_i factor_i over its samples with positive and with negative factor."""
    positive, negative, samples = problem.positive, problem.negative, problem.labels.shape[0]
    outputs_on_lines(problem, pattern, state, positive, negative)
    for i in range(samples):
        line, size = problem.index[i], problem.factors[i]
        problem.outputs[i] = 0.0 if line < 0 else size * (positive[line] if size > 0 else negative[line])
    if problem.shape == CALLBACK:
        call_address(problem.address)
    else:
        for i in range(samples):
            problem.residuals[i] = residual(problem.shape, problem.factor, problem.sign, problem.labels[i], problem.outputs[i])
    for line in range(positive.shape[0]):
        positive[line] = negative[line] = 0.0
    for i in range(samples):
        line, size = problem.index[i], problem.factors[i]
        if size > 0:
            positive[line] += problem.rate * size * problem.residuals[i]
        elif size < 0:
            negative[line] += problem.rate * size * problem.residuals[i]


@compiled
def drift(problem: Any, gates: Any, into: Any) -> None:
    """s = c sum_i gate_i residual_i x_i for one row of gates."""
    for e in range(into.shape[0]):
        total = 0.0
        for line in range(gates.shape[0]):
            weight = gates[line] * problem.positive[line] + (1.0 + problem.slope - gates[line]) * problem.negative[line]
            total += weight * problem.across[e, line]
        into[e] = total


@compiled
def velocity(problem: Any, pattern: Any, state: Any, into: Any) -> None:
    """The time derivative of the state, given the pulls there."""
    (width, _), dim = pattern.gates.shape, problem.directions.shape[1]
    shared = np.empty((pattern.count[0], dim))
    for g in range(pattern.count[0]):
        drift(problem, pattern.gates[pattern.first[g]], shared[g])
    for h in range(width):
        g, weight, turn = pattern.group[h], pattern.alive[h] * state[width * dim + h], 0.0
        for e in range(dim):
            turn += state[h * dim + e] * shared[g, e]
            into[h * dim + e] = weight * shared[g, e]
        into[width * dim + h] = problem.outer * pattern.alive[h] * turn
        for k in range(pattern.rank[h]):
            overlap = 0.0
            for e in range(dim):
                overlap += into[h * dim + e] * pattern.basis[h, k, e]
            for e in range(dim):
                into[h * dim + e] -= overlap * pattern.basis[h, k, e]


@compiled
def field(problem: Any, pattern: Any, state: Any, into: Any) -> None:
    """The time derivative of the state in a fixed pattern."""
    pulls(problem, pattern, state)
    velocity(problem, pattern, state, into)
