"""E.4: a neuron on the edge of S_dead may stay or leave."""

from functools import partial
from typing import Any

import numpy as np

from refute import Kind, Margin, all_of, changed, derived, equal, identity, less, mutants, scaled, section, shifted
from refute.claims.min2024.solutions import EDGE, at_zero, point
from refute.models import Dataset
from refute.models.flow import FILIPPOV, REGULAR
from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.residual import caratheodory_residual
from refute.strategies import choice, sized


@identity("min2024.sec_E4.non_uniqueness.closed_form", "Eq. (47)", recorded="proved")
@mutants(scaled("101/100", "dw/dt"), scaled("101/100", "dv/dt"), shifted("1/100", "start"))
def the_leaving_path_has_a_closed_form() -> Any:
    r"""For $x=(1,0)$, $y=1$ the solution of (47) is $\tilde w=(\sinh s,1)$, $\tilde v=\cosh s$ with
    $\dot s=e^{-\sinh s\cosh s}$, $s(0)=0$.

    For $t>0$ it has $\langle x,\tilde w\rangle>0$, so it solves the flow as well, and $\tilde w(t)\ne w(0)$.
    """
    import sympy

    s = sympy.Symbol("s", nonnegative=True)
    w, v = sympy.sinh(s), sympy.cosh(s)
    speed, pull = sympy.exp(-w * v), sympy.exp(-v * w)  # ds/dt, and e^{-y f} of (47)
    return {
        "dw/dt": (sympy.diff(w, s) * speed, pull * v),
        "dv/dt": (sympy.diff(v, s) * speed, pull * w),
        "start": (w.subs(s, 0), sympy.Integer(0)),
    }


def _time_to(height: Any) -> Any:
    """When the leaving path has w_1 = sinh s: int_0^s e^{sinh(2u)/2} du by a Gauss-Legendre rule, exact to rounding for
    s up to 2.
    """
    points, weights = np.polynomial.legendre.leggauss(40)
    s = np.arcsinh(np.maximum(height, 0.0))
    return s / 2 * (weights @ np.exp(np.sinh(s * (points + 1)) / 2))


@derived
def datum() -> Dataset:
    """x = (1, 0), y = 1."""
    return point(1)


example = section("min2024", "sec_E4", "E.4", kind=Kind.DYNAMICS, derived=[datum, at_zero], recorded="supported")


@example.claim("non_uniqueness", given=sized(delay=choice("0", "1/2", "2")))
@mutants(
    changed("y = -1", datum=lambda _: point(-1)),
    changed("sigma'(0) = 1", at_zero=lambda _: 1.0),
    scaled("1001/1000", "time by the closed form"),
)
def the_flow_has_more_than_one_solution(delay: float, datum: Dataset, at_zero: float, tolerance: float) -> Margin:
    r"""For $x=(1,0)$, $y=1$, $w(0)=(0,1)$, $v(0)=1$ and $\sigma'(0)=0$ the constant path solves (45), and so does the
    path that stays until $t_0$ and then follows (47), for every $t_0\ge0$. They differ, and only the constant one is
    regular.

    Convention: exponential loss; time 1 after leaving; the residual of a delayed path is that of the two pieces.
    """
    solved = partial(caratheodory_residual, EDGE, datum, EXPONENTIAL_SUM, at_zero=at_zero, tolerance=tolerance)
    stays, leaves = solved(1.0 + delay, concept=REGULAR), solved(1.0, concept=FILIPPOV)
    end = leaves.run.inners[-1, 0, 0]
    return all_of(
        equal(stays.largest, 0, "residual of the constant path"),
        equal(stays.run.inners, stays.run.inner[:1], "the path that stays against its start"),
        equal(leaves.largest, 0, "residual of the path that leaves"),
        less(0, end, "0 against <x, w> at the end: the path has left S_dead"),
        equal(end.through(_time_to), 1, "time by the closed form"),
    )
