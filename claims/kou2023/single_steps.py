r"""What one step of descent does to the coefficients, on any data: repeated, dependent and zero inputs included.

Courses are computed in balls, so that no step is rounded.
"""

from collections.abc import Callable
from typing import Any

from refute import derived, section
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import signed_halves
from refute.claims.kou2023.leaky_courses import gamma
from refute.decide.proof import by_smt
from refute.decide.proof import steps as all_steps
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, unroll
from refute.strategies.kou2023.nearly_orthogonal import any_training

COUNT = 6
UPDATE = "(5.4) and (5.5) add sigma' |l_i'| eta |x_i|^2/(nm) to |rho|, with sigma' in [gamma, 1] and |l_i'| < 1"


@derived
def steps(data: Dataset, net: TwoLayer, rate: Number) -> Decomposition:
    """The first steps."""
    return unroll(net, data, rate=rate, steps=COUNT)


stepwise = section(
    "kou2023",
    given=any_training(),
    assumes=[signed_halves],
    derived=[steps, gamma],
    recorded="proved",
    convention=f"any data, ReLU and leaky ReLU; the cases take {COUNT} steps",
    cost=2.0,
)


def between_sums() -> str | None:
    r"""$\gamma S\le a\le S$ passes from S to S + u when a gains between $\gamma u$ and u; a is one $|\rho_{j,r,i}|$ and
    $S=\frac{\eta\|x_i\|^2}{nm}\sum_{s<t}|\ell_i'^{(s)}|$.
    """

    def step() -> Any:
        import z3

        gamma, S, a, slope, u = z3.Reals("gamma S a slope u")
        given = z3.And(gamma >= 0, gamma <= slope, slope <= 1, u >= 0, gamma * S <= a, a <= S)
        gained = slope * u
        gains = z3.And(gamma * u <= gained, gained <= u)
        return z3.Implies(given, z3.And(gains, gamma * (S + u) <= a + gained, a + gained <= S + u))

    return all_steps(UPDATE, by_smt(step))


def by_induction(conclusion: Callable[[Any, Any, Any, Any, Any], Any]) -> str | None:
    r"""The conclusion about two coefficients a and b, and a sum s of m of them, from $\gamma S\le a,b\le S$ and
    $m\gamma S\le s\le mS$.
    """

    def end() -> Any:
        import z3

        gamma, S, a, b, m, s = z3.Reals("gamma S a b m s")
        sizes = [z3.And(gamma * S <= size, size <= S) for size in (a, b)]
        given = z3.And(gamma >= 0, gamma <= 1, S >= 0, m >= 1, *sizes, m * gamma * S <= s, s <= m * S)
        return z3.Implies(given, conclusion(gamma, a, b, m, s))

    return all_steps(between_sums(), by_smt(end))
