"""Matrices of balls: products, and enclosures of largest eigenvalues."""

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from refute.arithmetic.numbers import EXACT, balls, exact_array
from refute.errors import BadInput, Inexact
from refute.models.geometry.ball_matrix import ball_array, ball_matrix, largest_eigenvalue, product

BITS = 192
BALLS = balls(BITS)


@pytest.fixture(autouse=True)
def _precision():
    with ctx.workprec(BITS):
        yield


def lifted(rows) -> np.ndarray:
    return BALLS.array(exact_array(rows))


def test_products_agree_with_those_of_floats():
    """On dyadic entries both are exact."""
    left, right = np.arange(6.0).reshape(2, 3) / 4, np.arange(12.0).reshape(3, 4)
    assert (product(BALLS.array(left), BALLS.array(right)) == product(left, right)).all()
    assert ball_array(ball_matrix(left), (3, 2)).shape == (3, 2)


def test_rationals_are_sent_to_balls():
    """What computes in balls must not pass for exact."""
    with pytest.raises(Inexact):
        ball_matrix(EXACT.array(exact_array([[1, 2]])))


@pytest.mark.parametrize(
    ("rows", "eigenvalue"),
    [
        ([[3]], arb(3)),
        ([[2, 1], [1, 2]], arb(3)),
        ([[1, 0], [0, 1]], arb(1)),
        ([[0, 0], [0, 5]], arb(5)),
        ([["1/3", 0], [0, "1/7"]], arb(fmpq(1, 3))),
    ],
)
def test_known_eigenvalues_are_enclosed(rows, eigenvalue):
    """Simple, repeated and zero eigenvalues; the ball is thin."""
    found = largest_eigenvalue(ball_matrix(lifted(rows)))
    assert found.overlaps(eigenvalue)
    assert found.rad() < 1e-14 * found.mid()


def test_an_irrational_eigenvalue_is_enclosed():
    """[[1, 1], [1, 2]] has the eigenvalue (3 + sqrt 5)/2, to many more digits than float64 has."""
    assert largest_eigenvalue(ball_matrix(lifted([[1, 1], [1, 2]]))).contains((3 + arb(5).sqrt()) / 2)


@pytest.mark.parametrize("exponent", [-2000, 0, 2000])
def test_any_scale_will_do(exponent):
    """Also where float64 has neither the entries nor their squares."""
    unit = arb(2) ** exponent
    found = largest_eigenvalue(ball_matrix(lifted([[2, 1], [1, 2]])) * unit)
    assert found.overlaps(3 * unit)
    assert found.rad() < unit / 10**12


@given(st.integers(1, 6), st.integers(0, 2**32), st.sampled_from([0.0, 1e-3]))
def test_every_matrix_of_wide_balls_has_its_eigenvalue_in_the_ball(size, seed, radius):
    """A member of the ball, its gram matrix shifted by a positive multiple of 1, has an eigenvalue
    that the ball contains.
    """
    with ctx.workprec(BITS):
        rng = np.random.default_rng(seed)
        rows = rng.integers(-9, 10, (size, size)).astype(float)
        gram = rows @ rows.T + np.eye(size)
        inside = gram + radius * np.eye(size) * rng.random()
        wide = np.array([arb(value, radius) for value in gram.reshape(-1)], dtype=object).reshape(gram.shape)
        found = largest_eigenvalue(ball_matrix(wide))
        value = float(np.linalg.eigvalsh(inside)[-1])
        assert found.overlaps(arb(value, 1e-12 * value))
        assert found.rad() <= 1e-11 * value + 4 * size * radius


def test_a_poor_decomposition_widens_the_ball_and_does_not_deceive(monkeypatch):
    """With nonsense in place of eigenvectors the eigenvalue 3 of [[2, 1], [1, 2]] is still inside."""
    monkeypatch.setattr(np.linalg, "eigh", lambda a: (np.array([0.1, 0.2]), np.array([[1.0, 0.5], [0.0, 1.0]])))
    found = largest_eigenvalue(ball_matrix(lifted([[2, 1], [1, 2]])))
    assert found.contains(3)


def test_the_zero_matrix_has_none():
    with pytest.raises(BadInput, match="nonzero"):
        largest_eigenvalue(ball_matrix(lifted([[0, 0], [0, 0]])))
