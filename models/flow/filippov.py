"""What a neuron does on the hyperplane of an input: cross it, slide along it, or leave it.

Only the neuron's own velocity jumps there. With the lines l that it touches, their strengths B_l and gates g_l,
    p = base + sum_l g_l B_l u_l,   g_l = 1 where u_l . p > 0,   g_l = slope where u_l . p < 0,   g_l in [slope, 1]
    where u_l . p = 0.
If all B_l <= 0 this p exists and is unique: it is minus the smallest subgradient. A line with B_l > 0 can repel on both
sides; then several p are solutions, and the fastest descent (the longest p) is taken.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Picks = tuple[int, ...]
ENUMERATED = 4  # up to this many lines at once, all 3^k answers are tried
DEPENDENT = 1e-10  # a unit vector this close to the span of others counts as lying in it
SWEEPS = 2000
SAME = 1e-9  # two velocities whose squared lengths differ by less, relatively, are the same one


@dataclass(frozen=True, slots=True, eq=False)
class Contact:
    """The lines that a neuron touches (unit vectors in rows), their strengths, its velocity without them, and what
    counts as zero.
    """

    units: Floats
    strengths: Floats
    base: Floats
    slope: float
    noise: float  # a normal velocity this small is zero


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """Per line 1 (positive side), -1 (negative side) or 0 (slide); the multipliers g_l B_l; by how much it contradicts
    itself.
    """

    picks: Picks
    multipliers: Floats
    velocity: Floats
    wrong: float
    tangent: int  # slides that are tangent to one side only: leaving to that side is as good

    def slides(self) -> int:
        return self.picks.count(0)


def decide(contact: Contact, at_zero: float | None = None) -> Decision:
    """The way on; with sigma'(0) fixed at `at_zero` there may be none, which shows in `wrong` > noise."""
    k = len(contact.strengths)
    if k == 1 and at_zero is None:
        return _single(contact)
    if k > ENUMERATED and at_zero is None:
        return _relaxed(contact)
    attracts = at_zero is None and bool((contact.strengths <= 0).all())  # then the velocity is unique
    tried = [(0,) * k] if k > 2 * ENUMERATED else product((0, 1, -1), repeat=k)
    best: Decision | None = None
    for picks in tried:
        found = _follow(contact, picks) if at_zero is None else _follow_fixed(contact, picks, at_zero)
        if best is None or _better(found, best, contact.noise, at_zero is not None):
            best = found
            if attracts and best.wrong <= contact.noise and best.tangent == 0:
                break
    assert best is not None
    return best


def _single(contact: Contact) -> Decision:
    """One line: compare the normal velocities on its two sides."""
    unit, strength = contact.units[0], float(contact.strengths[0])
    plain = float(unit @ contact.base)
    above, below = plain + strength, plain + contact.slope * strength
    up, down = above > contact.noise, below < -contact.noise
    if up and down:  # it repels
        pick = 1 if above >= -below else -1
    elif up or down:
        pick = 1 if up else -1
    else:  # attracted by both, or tangent to one side: then it goes there
        level, lower = abs(above) <= contact.noise, abs(below) <= contact.noise
        pick = 0 if level == lower else 1 if level else -1
    multiplier = strength if pick > 0 else contact.slope * strength if pick < 0 else -plain
    return Decision((pick,), np.array([multiplier]), contact.base + multiplier * unit, 0.0, 0)


def _better(new: Decision, old: Decision, noise: float, fixed: bool) -> bool:
    """Consistent before inconsistent, then the fastest descent, then slides; with sigma'(0) fixed, standing on the
    lines first.
    """
    if new.wrong > noise or old.wrong > noise:
        return new.wrong < old.wrong
    if fixed:
        return new.slides() > old.slides()
    fast, best = float(new.velocity @ new.velocity), float(old.velocity @ old.velocity)
    if abs(fast - best) > SAME * best:
        return fast > best
    return (-new.tangent, new.slides()) > (-old.tangent, old.slides())


def span(units: Floats) -> Floats:
    """An orthonormal basis (rows) of the span of the rows."""
    basis = np.zeros((0, units.shape[1]))
    for unit in units:
        rest = unit - basis.T @ (basis @ unit)
        rest -= basis.T @ (basis @ rest)
        size = np.linalg.norm(rest)
        if size > DEPENDENT:
            basis = np.vstack([basis, rest / size])
    return basis


def dual(units: Floats) -> Floats:
    """D with sum_l (D_l . p) u_l = the part of p in the span of the unit vectors u_l."""
    if len(units) == 1:
        return units
    gram = units @ units.T
    if len(units) == 2 and abs(gram[0, 1]) < 0.9:
        pair: Floats = (units - gram[0, 1] * units[::-1]) / (1 - gram[0, 1] ** 2)
        return pair
    return np.linalg.pinv(units.T, rcond=DEPENDENT).astype(np.float64)


def _follow(contact: Contact, picks: Picks) -> Decision:
    """The velocity that these picks give, and whether it agrees with them."""
    signs = np.array(picks)
    multipliers = np.where(signs > 0, 1.0, np.where(signs < 0, contact.slope, 0.0)) * contact.strengths
    velocity = contact.base + multipliers @ contact.units
    held = signs == 0
    if held.any():
        multipliers[held] = -dual(contact.units[held]) @ velocity
        velocity = velocity + multipliers[held] @ contact.units[held]
    normals = contact.units @ velocity
    above, below = contact.strengths - multipliers, contact.slope * contact.strengths - multipliers
    wrong = np.where(held, np.maximum(np.maximum(above, -below), np.abs(normals)), -signs * normals).max(initial=0.0)
    tangent = held & ((np.abs(above) <= contact.noise) != (np.abs(below) <= contact.noise))
    return Decision(picks, multipliers, velocity, float(wrong), int(tangent.sum()))


def _follow_fixed(contact: Contact, picks: Picks, at_zero: float) -> Decision:
    """The same with sigma'(0) = at_zero: a line is left for good only at positive speed, and held
    only at speed zero.
    """
    signs = np.array(picks)
    multipliers = np.where(signs > 0, 1.0, np.where(signs < 0, contact.slope, at_zero)) * contact.strengths
    velocity = contact.base + multipliers @ contact.units
    normals = contact.units @ velocity
    wrong = np.where(signs == 0, np.abs(normals), 2 * contact.noise - signs * normals).max(initial=0.0)
    return Decision(picks, multipliers, velocity, float(wrong), 0)


def _relaxed(contact: Contact) -> Decision:
    """Many lines at once: coordinate descent on the gates, each set to what the others ask of it."""
    units, strengths, slope = contact.units, contact.strengths, contact.slope
    gates = np.full(len(strengths), (1 + slope) / 2)
    velocity = contact.base + (gates * strengths) @ units
    for _ in range(SWEEPS):
        moved = 0.0
        for k, strength in enumerate(strengths):
            rest = float(units[k] @ velocity) - gates[k] * strength
            gate = _gate(rest, float(strength), slope)
            velocity = velocity + (gate - gates[k]) * strength * units[k]
            moved = max(moved, abs((gate - gates[k]) * strength))
            gates[k] = gate
        if moved <= contact.noise / 100:
            break
    normals = units @ velocity
    picks = tuple(int(np.sign(normal)) if abs(normal) > contact.noise else 0 for normal in normals)
    return Decision(picks, gates * strengths, velocity, 0.0, 0)


def _gate(rest: float, strength: float, slope: float) -> float:
    """The gate of one line, given the normal velocity without it: by the sign of the result, or such that the result is
    zero.
    """
    above, below = rest + strength, rest + slope * strength
    if above > 0 and (below >= 0 or above >= -below):
        return 1.0
    if below < 0 and (above <= 0 or strength > 0):
        return slope
    return -rest / strength if strength else (1 + slope) / 2
