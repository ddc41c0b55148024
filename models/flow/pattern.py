"""The flow while no neuron changes sides: a smooth field, one vector per group of neurons with the same activation
pattern.

With unit directions u_l of the lines (models.flow.lines) and gates g_hl in [slope, 1], each neuron obeys
    w_h' = P_h v_h s_h,   v_h' = w_h . s_h,   s_h = c sum_i gate_hi residual_i x_i,
where P_h projects on the hyperplanes along which the neuron slides. All neurons with the same gates share s_h, and the
outputs depend only on sum v_h w_h over each group, so that a stage costs O(m d + groups * lines * d), not O(m n d).
A state is one array: the inner weights row by row, then the outer weights. The loops are plain on purpose: array
expressions take long to compile.
"""

from typing import Any, NamedTuple

from refute.models.compiled import call_address, compiled, inlined
from refute.models.descent.kernels import residual
from refute.models.loss import Shape

CALLBACK = int(Shape.OWN)  # a loss that is given as a Python function


class Problem(NamedTuple):
    """What stays the same along a trajectory. `outputs` and `residuals` are where a Python residual
    reads and writes.
    """

    directions: Any  # (lines, dim), unit vectors
    across: Any  # the same, transposed and contiguous
    index: Any  # (samples,) line of each sample, -1 at the origin
    factors: Any  # (samples,) x_i = factors_i * directions[index_i]
    labels: Any
    outputs: Any
    residuals: Any
    # (2 lines,): the pull of the samples with positive factor, where it was last evaluated, then that of the others
    pull: Any
    positive: Any  # its two halves
    negative: Any
    rays: Any  # where in `pull` there are samples: the ray of u_l is at l, that of -u_l at lines + l
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
    shares: Any  # (2 lines, groups): their gates, then those with which they see the other side of a line
    totals: Any  # (dim, groups): sum v_h w_h, where it was last evaluated
    pushes: Any  # (2 lines,): one coordinate of the pull on each ray
    drifts: Any  # (dim, groups): s_h, where it was last evaluated
    rank: Any  # (neurons,): how many independent lines the neuron slides along
    basis: Any  # (neurons, dim, dim): an orthonormal basis of their span, in the first `rank` rows
    dual: Any  # (neurons, lines, dim): what reads the multiplier of a sliding line off the velocity without it
    shift: Any  # (neurons, lines): a constant part of that multiplier, zero unless the lines depend on each other


@compiled
def matching(pattern: Any, h: int, groups: int) -> int:
    """The group, among the first so many, whose gates are those of neuron h; -1 if there is none."""
    for g in range(groups):
        other, same = pattern.first[g], True
        for line in range(pattern.gates.shape[1]):
            if pattern.gates[h, line] != pattern.gates[other, line]:
                same = False
                break
        if same:
            return g
    return -1


@compiled
def found(pattern: Any, slope: float, h: int, g: int) -> None:
    """Make neuron h the first of group g."""
    lines = pattern.gates.shape[1]
    pattern.first[g] = h
    for line in range(lines):
        pattern.shares[line, g] = pattern.gates[h, line]
        pattern.shares[lines + line, g] = 1.0 + slope - pattern.gates[h, line]


@compiled
def regroup(pattern: Any, slope: float) -> None:
    """Collect the neurons with equal gates."""
    groups = 0
    for h in range(pattern.gates.shape[0]):
        g = matching(pattern, h, groups)
        if g < 0:
            g = groups
            found(pattern, slope, h, g)
            groups += 1
        pattern.group[h] = g
    pattern.count[0] = groups


@compiled
def rejoin(pattern: Any, slope: float, h: int) -> None:
    """The same when only the gates of neuron h have changed: it leaves its group and joins another, or founds one."""
    left, groups, heir = pattern.group[h], pattern.count[0], -1
    pattern.group[h] = -1
    for other in range(pattern.group.shape[0]):
        if pattern.group[other] == left:
            heir = other
            break
    if heir >= 0:
        pattern.first[left] = heir
    else:  # nobody is left: the last group takes the place
        groups -= 1
        if left < groups:
            found(pattern, slope, pattern.first[groups], left)
            for other in range(pattern.group.shape[0]):
                if pattern.group[other] == groups:
                    pattern.group[other] = left
    g = matching(pattern, h, groups)
    if g < 0:
        g = groups
        found(pattern, slope, h, g)
        groups += 1
    pattern.group[h] = g
    pattern.count[0] = groups


@inlined
def outputs_on_rays(problem: Any, pattern: Any, state: Any) -> None:
    """The network at u_l and minus the network at -u_l, in the fixed pattern, where the pulls will stand."""
    (lines, dim), width, count = problem.directions.shape, pattern.gates.shape[0], pattern.count[0]
    for e in range(dim):
        for g in range(count):
            pattern.totals[e, g] = 0.0
    for h in range(width):
        g, weight = pattern.group[h], pattern.alive[h] * state[width * dim + h]
        for e in range(dim):
            pattern.totals[e, g] += weight * state[h * dim + e]
    for ray in problem.rays:
        share, axis, total = pattern.shares[ray], problem.directions[ray - lines if ray >= lines else ray], 0.0
        for e in range(dim):
            row, part = pattern.totals[e], 0.0
            for g in range(count):
                part += share[g] * row[g]
            total += part * axis[e]
        problem.pull[ray] = total


@inlined
def pulls(problem: Any, pattern: Any, state: Any) -> None:
    """Per line, c sum residual_i factor_i over its samples with positive and with negative factor."""
    positive, negative, samples = problem.positive, problem.negative, problem.labels.shape[0]
    outputs_on_rays(problem, pattern, state)
    for i in range(samples):
        line, size = problem.index[i], problem.factors[i]
        problem.outputs[i] = 0.0 if line < 0 else size * (positive[line] if size > 0 else negative[line])
    if problem.shape == CALLBACK:
        call_address(problem.address)
    else:
        for i in range(samples):
            problem.residuals[i] = residual(
                problem.shape, problem.factor, problem.sign, problem.labels[i], problem.outputs[i]
            )
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


@inlined
def shared_drifts(problem: Any, pattern: Any) -> None:
    """s of every group, four rays at a time: memory is slower than arithmetic."""
    (lines, dim), count, rays = problem.directions.shape, pattern.count[0], problem.rays
    whole = rays.shape[0] - rays.shape[0] % 4
    for e in range(dim):
        into, along = pattern.drifts[e], problem.across[e]
        for line in range(lines):
            pattern.pushes[line] = problem.positive[line] * along[line]
            pattern.pushes[lines + line] = problem.negative[line] * along[line]
        for g in range(count):
            into[g] = 0.0
        for k in range(0, whole, 4):
            a, b, c, d = rays[k], rays[k + 1], rays[k + 2], rays[k + 3]
            push_a, push_b, push_c, push_d = pattern.pushes[a], pattern.pushes[b], pattern.pushes[c], pattern.pushes[d]
            share_a, share_b, share_c, share_d = (
                pattern.shares[a],
                pattern.shares[b],
                pattern.shares[c],
                pattern.shares[d],
            )
            for g in range(count):
                into[g] += push_a * share_a[g] + push_b * share_b[g] + push_c * share_c[g] + push_d * share_d[g]
        for k in range(whole, rays.shape[0]):
            push, share = pattern.pushes[rays[k]], pattern.shares[rays[k]]
            for g in range(count):
                into[g] += push * share[g]


@inlined
def velocity(problem: Any, pattern: Any, state: Any, into: Any) -> None:
    """The time derivative of the state, given the pulls there."""
    (width, _), dim = pattern.gates.shape, problem.directions.shape[1]
    shared_drifts(problem, pattern)
    for h in range(width):
        g, weight, turn = pattern.group[h], pattern.alive[h] * state[width * dim + h], 0.0
        for e in range(dim):
            turn += state[h * dim + e] * pattern.drifts[e, g]
            into[h * dim + e] = weight * pattern.drifts[e, g]
        into[width * dim + h] = problem.outer * pattern.alive[h] * turn
        for k in range(pattern.rank[h]):
            overlap = 0.0
            for e in range(dim):
                overlap += into[h * dim + e] * pattern.basis[h, k, e]
            for e in range(dim):
                into[h * dim + e] -= overlap * pattern.basis[h, k, e]


@inlined
def field(problem: Any, pattern: Any, state: Any, into: Any) -> None:
    """The time derivative of the state in a fixed pattern."""
    pulls(problem, pattern, state)
    velocity(problem, pattern, state, into)
