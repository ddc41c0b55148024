"""The decision on a boundary, against the smallest subgradient and against the definition."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from refute.models.flow.filippov import ENUMERATED, Contact, decide, dual, span

NOISE = 1e-12


def contact(seed: int, lines: int, *, attract: bool) -> Contact:
    rng = np.random.default_rng(seed)
    units = rng.standard_normal((lines, 4))
    units /= np.linalg.norm(units, axis=1)[:, None]
    strengths = rng.standard_normal(lines)
    return Contact(
        units,
        -np.abs(strengths) if attract else strengths,
        rng.standard_normal(4),
        float(rng.choice([0.0, 0.3])),
        NOISE,
    )


@pytest.mark.parametrize("lines", [1, 2, 3, ENUMERATED, ENUMERATED + 2, 8])
@pytest.mark.parametrize("seed", range(8))
def test_attracting_lines_give_the_smallest_subgradient(lines: int, seed: int) -> None:
    """When all lines attract, the velocity is the shortest vector base + sum g_l B_l u_l with gates
    between slope and 1.
    """
    given = contact(seed, lines, attract=True)
    found = decide(given)
    gates = lsq_linear((given.strengths[:, None] * given.units).T, -given.base, bounds=(given.slope, 1.0), tol=1e-15).x
    assert np.abs(found.velocity - given.base - (gates * given.strengths) @ given.units).max() <= 1e-6


@pytest.mark.parametrize("lines", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(10))
def test_the_velocity_agrees_with_its_gates(lines: int, seed: int) -> None:
    """A line is on the side to which the neuron moves, with the gate of that side; a held line has
    a gate in between.
    """
    given = contact(100 + seed, lines, attract=False)
    found = decide(given)
    assert np.abs(given.base + found.multipliers @ given.units - found.velocity).max() <= 1e-12
    for pick, unit, strength, multiplier in zip(
        found.picks, given.units, given.strengths, found.multipliers, strict=True
    ):
        normal = unit @ found.velocity
        if pick == 0:
            assert abs(normal) <= 1e-12
            assert (
                min(strength, given.slope * strength) - NOISE
                <= multiplier
                <= max(strength, given.slope * strength) + NOISE
            )
        else:
            assert pick * normal >= -NOISE
            assert multiplier == pytest.approx(strength if pick > 0 else given.slope * strength)


def one(normal: float, strength: float, slope: float = 0.0) -> int:
    return decide(Contact(np.array([[1.0, 0.0]]), np.array([strength]), np.array([normal, 1.0]), slope, NOISE)).picks[0]


def test_one_line_by_hand() -> None:
    """Cross where both sides agree, slide where both push back, leave by the faster side where both push away."""
    assert one(2.0, -1.0) == 1
    assert one(-1.0, -1.0) == -1
    assert one(0.5, -1.0) == 0
    assert one(-0.2, 1.0) == 1
    assert one(-0.8, 1.0) == -1
    assert one(0.0, -1.0) == -1  # tangent to the negative side: a dying neuron
    assert one(1.0, -1.0) == 1  # tangent to the positive side
    assert one(0.0, 0.0) == 0


def test_two_lines_can_hold_together_what_neither_holds_alone() -> None:
    """Two lines that attract at an obtuse angle hold a neuron at their intersection."""
    units = np.array([[1.0, 0.0], [-0.6, 0.8]])
    found = decide(Contact(units, np.array([-4.0, -4.0]), np.array([1.0, 1.0]), 0.0, NOISE))
    assert found.picks == (0, 0)
    assert np.abs(found.velocity).max() <= 1e-12


def test_a_fixed_value_must_hold_exactly() -> None:
    """With sigma'(0) fixed, sliding needs just that gate; otherwise the contradiction is reported."""
    line = Contact(np.array([[1.0]]), np.array([-1.0]), np.array([0.5]), 0.0, NOISE)
    assert decide(line, 0.5).wrong <= NOISE
    assert decide(line, 0.5).picks == (0,)
    assert decide(line, 0.25).wrong > NOISE


@pytest.mark.parametrize("lines", [1, 2, 3, 6])
def test_dual_reads_multipliers_off(lines: int) -> None:
    """sum (D_l . p) u_l is the part of p in the span of the lines, also of dependent ones."""
    rng = np.random.default_rng(lines)
    units, p = rng.standard_normal((lines, 4)), rng.standard_normal(4)
    units /= np.linalg.norm(units, axis=1)[:, None]
    basis = span(units)
    assert len(basis) == min(lines, 4)
    assert np.abs((dual(units) @ p) @ units - basis.T @ (basis @ p)).max() <= 1e-12
