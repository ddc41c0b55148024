"""Symbolic identities are proved by algebra only: a wrong factor never reduces to zero, and sampling never proves."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy

from refute import Broken, Claim, Kind, Proved, Refuted, Undecided, bent, check, check_mutant, exponent, scaled, shifted
from refute.decide.symbolic import TRIAL_VALUES, by_identity, decide_identity, nonzero_point, reduces_to_zero
from tests.planted import planted

NEARLY = Fraction(1, 10**6)
x, y = sympy.symbols("x y", real=True)


def with_constants(claim: Claim, **constants) -> Claim:
    return replace(claim, constants=constants, recorded=None)


def statement(*residuals) -> Claim:
    return planted(lambda: list(residuals), kind=Kind.SYMBOLIC, instances=())


def activation_split(*, linear=(1, 2), absolute_value=(-1, 2)):
    r"""$\sigma(z)=\tfrac{1+\alpha}2z+\tfrac{1-\alpha}2|z|$ for $\alpha\le1$."""
    alpha = 1 - sympy.symbols("b", nonnegative=True)
    odd, even = (sum_of_one_and(alpha, *factors) for factors in (linear, absolute_value))
    return [sympy.Max(x, alpha * x) - odd * x - even * sympy.Abs(x)]


def sum_of_one_and(alpha, plus, by):
    """(1 + plus alpha)/by, exactly."""
    return (1 + sympy.Rational(plus) * alpha) / sympy.Rational(by)


def rescaled_dynamics(*, weight_power=Fraction(1, 2), time_power=1):
    r"""With $V_i=h^{1/2}W_i$ the flow $\dot W_1=hW_2^\top(b^\top-hW_2W_1S)$ is $\dot V_1=hV_2^\top(b^\top-V_2V_1S)$."""
    half = (sympy.Symbol("alpha", nonnegative=True) + 1) / 2
    W1, W2t, W2, S, bt = sympy.symbols("W1 W2t W2 S bt", commutative=False)
    scale = half ** sympy.Rational(weight_power)
    moved = scale * half * W2t * (bt - half * W2 * W1 * S)
    linear = half ** sympy.Rational(time_power) * scale * W2t * (bt - scale**2 * W2 * W1 * S)
    return [sympy.expand(sympy.expand(moved - linear))]


eq_2, eq_35 = (planted(way, kind=Kind.SYMBOLIC, instances=()) for way in (activation_split, rescaled_dynamics))

# (1 + plus alpha)/by for the linear part; right is plus = 1, by = 2. The absolute part has minus = -1, over = 2.
WRONG_EQ_2 = [
    {"linear": (1, 2 + NEARLY)},
    {"linear": (1, 2 - NEARLY)},
    {"linear": (1 + NEARLY, 2)},
    {"linear": (1, 1 / (Fraction(1, 2) + NEARLY))},
    {"linear": (-1, 2)},
    {"linear": (0, 2)},
    {"linear": (1, 1)},
    {"linear": (1, 3)},
    {"absolute_value": (-1, 2 + NEARLY)},
    {"absolute_value": (-1 + NEARLY, 2)},
    {"absolute_value": (1, 2)},
    {"absolute_value": (-1, -2)},
    {"linear": (-1, 2), "absolute_value": (1, 2)},
    {"linear": (1, 2 + NEARLY), "absolute_value": (-1, 2 + NEARLY)},
]
WRONG_EQ_35 = [
    {"weight_power": Fraction(1, 2) + NEARLY},
    {"weight_power": Fraction(-1, 2)},
    {"weight_power": 0},
    {"weight_power": 1},
    {"time_power": 0},
    {"time_power": 2},
    {"time_power": -1},
    {"time_power": 1 + NEARLY},
    {"weight_power": Fraction(1, 4), "time_power": 2},
]


def test_the_right_factors_are_proved():
    """Eqs. (2) and (35) as printed."""
    assert isinstance(decide_identity(eq_2), Proved)
    assert isinstance(decide_identity(eq_35), Proved)


@pytest.mark.parametrize(
    ("claim", "constants"),
    [(eq_2, wrong) for wrong in WRONG_EQ_2] + [(eq_35, wrong) for wrong in WRONG_EQ_35],
    ids=lambda v: v.name if isinstance(v, Claim) else ", ".join(f"{name} {value}" for name, value in v.items()),
)
def test_a_wrong_factor_is_refuted(claim, constants):
    """However near to the right one; the counterexample is a point where the residual is not zero."""
    outcome = decide_identity(with_constants(claim, **constants))
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.margin.violated
    assert len(outcome.counterexample.case) >= 2


def test_vanishing_at_every_trial_value_proves_nothing():
    """The product of x - v over all trial values is zero wherever it is tried, and not zero."""
    fake = sympy.prod([x - sympy.Rational(v.numerator, v.denominator) for v in TRIAL_VALUES])
    assert not reduces_to_zero(fake)
    assert nonzero_point(fake) is None
    outcome = decide_identity(statement(fake))
    assert isinstance(outcome, Undecided)
    assert "neither reduced" in outcome.reason
    assert isinstance(decide_identity(statement(fake * (y + 1), sympy.Integer(0))), Undecided)


@pytest.mark.parametrize(
    "residual",
    [
        sympy.sin(sympy.pi * x),  # vanishes at every integer
        sympy.Abs(x) - x,  # at every x >= 0
        sympy.Max(x, 0) - x,
        sympy.sqrt(x**2) - x,
        sympy.Rational(1, 10**20) * x,
        sympy.exp(x) - 1 - x - x**2 / 2,
        sympy.floor(x) - x,
        x**2 * y - y**2 * x,
    ],
    ids=str,
)
def test_what_is_zero_at_some_points_only_is_refuted(residual):
    """Zero on a large set is not zero."""
    assert not reduces_to_zero(residual)
    assert isinstance(decide_identity(statement(residual)), Refuted)


@pytest.mark.parametrize(
    "residual",
    [
        (x + y) ** 3 - x**3 - 3 * x**2 * y - 3 * x * y**2 - y**3,
        sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1,
        sympy.sqrt(x**2) - sympy.Abs(x),
        sympy.Max(x, -x) - sympy.Abs(x),
        (x**2 - 1) / (x - 1) - x - 1,
        sympy.diff(sympy.log(1 + sympy.exp(x)), x) - 1 / (1 + sympy.exp(-x)),
    ],
    ids=str,
)
def test_true_identities_are_proved(residual):
    """By reduction to zero."""
    assert isinstance(decide_identity(statement(residual)), Proved)


def test_one_wrong_residual_among_right_ones_refutes():
    """Every residual must vanish, and the wrong one is named."""
    claim = planted(lambda: {"right": x - x, "wrong": x - y}, kind=Kind.SYMBOLIC, instances=())
    outcome = decide_identity(claim)
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.margin.line.startswith("wrong: residual")


def test_non_commuting_symbols_are_kept_apart():
    """A B - B A is not reduced to zero, although it is zero for 1 x 1 matrices: that is undecided."""
    A, B = sympy.symbols("A B", commutative=False)
    assert isinstance(decide_identity(statement(A * B - B * A)), Undecided)
    assert isinstance(decide_identity(statement(A * B - 2 * A * B)), Refuted)


def test_declared_signs_are_respected():
    """sqrt(p^2) = p for p > 0: no negative point is tried."""
    p = sympy.Symbol("p", positive=True)
    q = sympy.Symbol("q", nonnegative=True)
    assert isinstance(decide_identity(statement(sympy.sqrt(p**2) - p, sympy.Abs(q) - q)), Proved)
    found = nonzero_point(p - 3 * q)
    assert found is not None
    assert found[0]["p"] > 0
    assert found[0]["q"] >= 0


@pytest.mark.parametrize(
    ("conclusion", "message"),
    [
        (lambda: None, "returned None for residual"),
        (lambda: [], "returned nothing"),
        (lambda: {"a": 0.5}, "returned 0.5 for a"),
        (lambda: "x - x", "returned 'x - x'"),
        (lambda: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_anything_but_expressions_is_broken(conclusion, message):
    """The message says what was returned or raised."""
    outcome = check(planted(conclusion, kind=Kind.SYMBOLIC, instances=()))
    assert isinstance(outcome, Broken)
    assert message in outcome.message


def test_a_proof_by_identity():
    """The meaning is the method when every residual vanishes; None when one does not."""
    assert (
        by_identity(lambda: [x - x, (x + 1) ** 2 - x**2 - 2 * x - 1], "completing the square")
        == "sympy: completing the square"
    )
    assert by_identity(lambda: [x - x, x], "nothing") is None


def test_lines_of_an_identity_are_bent_from_outside():
    """A pair is the difference of its sides, a matrix is taken entry by entry, and a factor of one side shows."""
    sides = {"square": ((x + 1) ** 2, x**2 + 2 * x + 1), "matrix": (sympy.eye(2) * x, x * sympy.eye(2))}
    claim = planted(lambda: sides, kind=Kind.SYMBOLIC, instances=())
    assert check(claim) == Proved("sympy: 5 residuals reduced to zero")
    for line in ("square", "matrix"):
        assert isinstance(check_mutant(claim, scaled(1 + NEARLY, line)), Refuted)
    assert isinstance(check_mutant(claim, scaled(2, "no such line")), Broken)


def test_mutants_bend_the_equations_of_an_identity():
    """Both sides are given, and the bound is changed from outside, in fractions."""
    square = planted(lambda: {"square": ((x + y) ** 2, x**2 + 2 * x * y + y**2)}, kind=Kind.SYMBOLIC, instances=())
    assert isinstance(decide_identity(square), Proved)
    for mutant in (scaled(1 + NEARLY, "square"), shifted(NEARLY), exponent(2), bent("once", left=lambda _: x + y)):
        assert isinstance(decide_identity(square.mutated(mutant)), Refuted)
    assert isinstance(check(square.mutated(scaled(2, "cube"))), Broken)
