"""The set S of chistikov2023: hand values on calibration instance A, and the exact witness on the ellipsoid."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from refute.arithmetic.numbers import EXACT, FLOAT, balls
from refute.errors import Inexact
from refute.language.case import lift
from refute.models.chistikov2023.predictor_set import (
    Spectrum,
    cosine_parts,
    largest_padding,
    loss_and_gradient,
    place,
    slacks,
    spectrum_of,
    velocity,
)
from refute.models.dataset import Dataset

A = Dataset([[1, Fraction(1, 4)], [Fraction(5, 4), -1]], [1, Fraction(5, 4)])
TEACHER = np.array([Fraction(1), Fraction(0)], dtype=object)
ETA, NU = np.array([49 / 32, 9 / 32]), np.array([2, 1]) / np.sqrt(5)


def test_the_spectrum_of_instance_a_in_floats_and_balls():
    """Eigenvalues 49/32 and 9/32, teacher (2, 1)/sqrt 5; in rationals there is none."""
    spectrum, rows = spectrum_of(lift(A, FLOAT), TEACHER.astype(float))
    assert np.allclose(spectrum.eta, ETA)
    assert np.allclose(spectrum.teacher, NU)
    assert np.allclose(rows[0], np.array([2, -1]) / np.sqrt(5))
    with ctx.workprec(128):
        enclosed, _ = spectrum_of(lift(A, balls(128)), np.array([arb(1), arb(0)], dtype=object))
        assert enclosed.eta[0].contains(fmpq(49, 32))
        assert (enclosed.teacher[1] * enclosed.teacher[1]).contains(fmpq(1, 5))
    with pytest.raises(Inexact):
        spectrum_of(lift(A, EXACT), TEACHER)


def test_a_point_of_the_ellipsoid():
    """p = (27/28, 3/2) is v = (15, 3)/14, where <v, g> = 0."""
    spectrum, rows = spectrum_of(lift(A, FLOAT), TEACHER.astype(float))
    p = np.array([27 / 28, 1.5])
    assert np.allclose((p * spectrum.teacher) @ rows, [15 / 14, 3 / 14])
    assert cosine_parts(spectrum, p)[0] == pytest.approx(0, abs=1e-15)


def test_places_meet_the_constraints_they_are_drawn_by():
    """Shares inside give positive slacks; share 0 or 1 of the second coordinate makes one of them zero; reach 1 is on
    the ellipsoid.
    """
    spectrum = Spectrum(np.array([2.0, 1.0, 0.5]), np.array([0.8, 0.48, 0.36]))
    inside = place(spectrum, 0, np.array([0.5, 0.3, 0.7]), 0.5)
    assert min(slacks(spectrum, 1 - inside, 1e-9)) > 0
    for share in (0.0, 1.0):
        edge = place(spectrum, 0, np.array([0.5, share, 0.5]), 0.5)
        assert min(np.abs(slacks(spectrum, 1 - edge, 1e-9))) == pytest.approx(0, abs=1e-15)
    beyond = place(spectrum, 1, np.array([1.0, 0.5, 0.5]), 1.0)
    assert beyond[0] > 1
    assert cosine_parts(spectrum, beyond)[0] == pytest.approx(0, abs=1e-15)


def test_velocity_loss_and_gradient_agree_with_the_matrix_formulas():
    """dv/dt = |v| (g + v v^T g/|v|^2), L = (v* - v)^T H (v* - v)/2, dL/dt = -|grad L|^2."""
    spectrum, rows = spectrum_of(lift(A, FLOAT), TEACHER.astype(float))
    p = np.array([0.7, 0.2])
    v, second_moment = (p * spectrum.teacher) @ rows, A.inputs.astype(float).T @ A.inputs.astype(float) / 2
    g = second_moment @ (np.array([1.0, 0.0]) - v)
    size = np.linalg.norm(v)
    moved = size * (g + v * (v @ g) / size**2)
    assert np.allclose((velocity(spectrum, p) * spectrum.teacher) @ rows, moved)
    loss, squared = loss_and_gradient(spectrum, p)
    assert loss == pytest.approx((np.array([1.0, 0.0]) - v) @ g / 2)
    assert squared == pytest.approx(g @ moved)


def test_the_padding_is_the_one_of_assumption_2_at_its_largest():
    """n = 2, Delta^2 = 49/32 at least, delta = the smallest of 1, the gap and the shares: sqrt(9/32) here."""
    spectrum, _ = spectrum_of(lift(A, FLOAT), TEACHER.astype(float))
    assert np.log(largest_padding(spectrum)) == pytest.approx(-18 * (49 / 32) / (9 / 32) ** 1.5 * np.log(2))
