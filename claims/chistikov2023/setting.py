r"""What the statements speak of: instances A of two points in the plane and B of four in space, networks of
$\Theta_{v^*}$, and the sign of $\mathcal M$.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Margin, all_of, at_least, derived, equal
from refute.arithmetic.numbers import EXACT, Array, exact_array
from refute.decide.proof import by_smt
from refute.functions import squared_norm
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.chistikov2023.measure_m import sign_of_m
from refute.models.logpolar.balanced import Balanced

A = Dataset(exact_array([[1, "1/4"], ["5/4", -1]]), exact_array([1, "5/4"]))
A_TEACHER = exact_array([1, 0])
A_NEURONS = [(1, "1/2", "1"), (1, "1/2", "3/2"), (-1, "3/2", "1/2")]

_B_INPUTS = exact_array([[1, "1/2", 0], [1, "-1/2", "1/4"], [1, "1/4", "-3/4"], [1, 0, "1/2"]])
B = Dataset(_B_INPUTS, _B_INPUTS[:, 0])
B_TEACHER = exact_array([1, 0, 0])
B_NEURONS = [(1, "-2/5", "1", "3/2"), (1, "-1/5", "-1", "-1/2"), (-1, "1", "1/4", "1/2")]


def _on(teacher: Array, data: Dataset, neurons: tuple[tuple[Any, ...], ...], log_scale: int) -> dict[str, Any]:
    shape, signs = exact_array([list(z) for _, *z in neurons]), np.array([sign for sign, *_ in neurons])
    start = Balanced(shape, signs, Fraction(log_scale), Fraction(0))
    return {"teacher": teacher, "data": data, "start": start, "epsilon": Fraction(1, 4)}


def on_a(*neurons: tuple[int, str, str], log_scale: int = -(10**5)) -> dict[str, Any]:
    """Neurons on instance A, given by their sign and z_j; the scale is that of Assumption 2 or less."""
    return _on(A_TEACHER, A, neurons, log_scale)


def on_b(*neurons: tuple[int, str, str, str], log_scale: int = -(10**5)) -> dict[str, Any]:
    """The same on instance B, four points in space; its scale need not be that of Assumption 2."""
    return _on(B_TEACHER, B, neurons, log_scale)


@derived
def member(teacher: Array, shares: Array) -> TwoLayer:
    """The point of Theta_{v*} with neurons c_j v* and outer weights c_j."""
    made: TwoLayer = lift(TwoLayer(np.zeros((1, 1)), np.zeros(1), Fraction(0)), EXACT)
    return made.with_weights(shares[:, None] * teacher[None, :], shares)


@derived
def sign_m(teacher: Array, data: Dataset) -> int:
    """The sign of M."""
    return sign_of_m(data.inputs, teacher)


def in_theta(net: TwoLayer, teacher: Array) -> Margin:
    """In Theta_{v*}, for a unit teacher: w_j = a_j v* with a_j >= 0, and the a_j^2 add up to one."""
    return all_of(
        equal(net.inner, net.outer[:, None] * teacher[None, :], "w_j against a_j v*"),
        at_least(net.outer, 0, "a_j"),
        equal(squared_norm(net.outer), 1, "sum of a_j^2"),
    )


def homogeneity_proof() -> str | None:
    """r sigma(r u) = r^2 sigma(u) for r >= 0; the squares add up to one, and sums are linear."""
    import z3

    def statement() -> Any:
        r, u = z3.Reals("r u")

        def sigma(value: Any) -> Any:
            return z3.If(value > 0, value, 0)

        return z3.Implies(r >= 0, r * sigma(r * u) == r * r * sigma(u))

    return by_smt(statement)
