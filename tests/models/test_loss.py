"""Losses: values, residuals, normalisations, and no overflow."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb, fmpq
from numpy.typing import NDArray

from refute.errors import BadInput, Inexact
from refute.models.loss import (
    EXPONENTIAL_SUM,
    LOGISTIC,
    LOGISTIC_PRINTED,
    LOGISTIC_SUM,
    SQUARE,
    TWICE_LOGISTIC_SUM,
    Loss,
    Shape,
)

ALL = [SQUARE, LOGISTIC, LOGISTIC_PRINTED, EXPONENTIAL_SUM, LOGISTIC_SUM, TWICE_LOGISTIC_SUM]
PRINTED = {
    SQUARE: lambda y, f: ((y - f) ** 2).mean() / 2,
    LOGISTIC: lambda y, f: torch.log(1 + torch.exp(-y * f)).mean(),
    LOGISTIC_PRINTED: lambda y, f: torch.log(1 + torch.exp(y * f)).mean(),
    EXPONENTIAL_SUM: lambda y, f: torch.exp(-y * f).sum(),
    LOGISTIC_SUM: lambda y, f: torch.log(1 + torch.exp(-y * f)).sum(),
    TWICE_LOGISTIC_SUM: lambda y, f: 2 * torch.log(1 + torch.exp(-y * f)).sum(),
}


@pytest.mark.parametrize("loss", ALL, ids=str)
def test_value_and_residual_are_those_of_the_printed_formula(loss: Loss) -> None:
    """Each named loss equals the formula in its paper, and its weighted residual is minus the derivative."""
    rng = np.random.default_rng(1)
    y, f = rng.choice([-1.0, 1.0], 7), rng.standard_normal(7)
    outputs = torch.tensor(f, requires_grad=True)
    value = PRINTED[loss](torch.tensor(y), outputs)
    value.backward()  # type: ignore[no-untyped-call]
    assert loss.value(y, f) == pytest.approx(value.item(), rel=1e-14)
    assert outputs.grad is not None
    np.testing.assert_allclose(float(loss.weight(7)) * loss.residual(y, f), -outputs.grad.numpy(), rtol=1e-13)


@pytest.mark.parametrize("loss", ALL, ids=str)
def test_balls_enclose_the_float_value(loss: Loss) -> None:
    """Value and residual in balls contain what float64 computes, up to its round-off."""
    y, f = np.array([1.0, -1.0, 1.0]), np.array([0.5, 2.0, -3.0])
    ball_y, ball_f = (np.array([arb(float(v)) for v in values], dtype=object) for values in (y, f))
    assert float(abs(loss.value(ball_y, ball_f) - arb(float(loss.value(y, f)))).upper()) < 1e-13
    for ball, number in zip(loss.residual(ball_y, ball_f), loss.residual(y, f), strict=True):
        assert float(abs(ball - arb(float(number))).upper()) < 1e-13


def test_square_loss_is_exact_in_rationals() -> None:
    """Rational labels and outputs give a rational square loss; a logistic loss is irrational."""
    y, f = np.array([fmpq(1), fmpq(2)], dtype=object), np.array([fmpq(1, 3), fmpq(0)], dtype=object)
    assert SQUARE.value(y, f) == fmpq(10, 9)
    assert list(SQUARE.residual(y, f)) == [fmpq(2, 3), fmpq(2)]
    with pytest.raises(Inexact):
        LOGISTIC.value(y, f)


def test_the_logistic_loss_does_not_overflow() -> None:
    """At |yf| = 1e4 the logistic loss is yf or 0 and its residual y or 0, without a warning."""
    y: NDArray[np.float64] = np.ones(2)
    f = np.array([-1e4, 1e4])
    np.testing.assert_array_equal(LOGISTIC.each(y, f), [1e4, 0.0])
    np.testing.assert_array_equal(LOGISTIC.residual(y, f), [1.0, 0.0])
    assert EXPONENTIAL_SUM.each(y, f)[0] == np.inf


def test_the_appendix_of_min2024_doubles_the_main_text() -> None:
    """The two logistic losses of min2024 differ by the factor 2, in value and residual."""
    y, f = np.array([1.0, -1.0]), np.array([0.3, 0.7])
    assert TWICE_LOGISTIC_SUM.value(y, f) == 2 * LOGISTIC_SUM.value(y, f)
    np.testing.assert_array_equal(TWICE_LOGISTIC_SUM.residual(y, f), 2 * LOGISTIC_SUM.residual(y, f))


@pytest.mark.parametrize("wrong", [{"sign": 0}, {"factor": Fraction(0)}])
def test_nonsense_is_refused_by_name(wrong: dict[str, int]) -> None:
    """A sign other than +-1 and a factor that is not positive are errors that name the argument."""
    with pytest.raises(BadInput, match=next(iter(wrong))):
        Loss(Shape.LOGISTIC, **wrong)  # type: ignore[arg-type]
