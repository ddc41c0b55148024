r"""Eq. (23): the solution of the linear system of the early phase, and which of its terms grows."""

from typing import Any

from refute import Kind, Margin, all_of, at_least, at_most, changed, mutants, scaled, section
from refute.arithmetic.numbers import Number
from refute.claims.zhang2024.assumptions import correlated_target
from refute.claims.zhang2024.norms import exponentials
from refute.functions import exp, norm, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.zhang2024.fields import mean_slope
from refute.models.zhang2024.symbols import arrow, solution
from refute.strategies import positive, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.zhang2024.inequalities import NONNEGATIVE

equation = section("zhang2024", "eq_23", "Eq. (23)")


@equation.claim("solution", kind=Kind.SYMBOLIC, recorded="proved")
@mutants(scaled("99/100", "value"), scaled("99/100", "derivative"), scaled(-1, "derivative"))
def the_three_terms_solve_the_linear_system() -> Any:
    r"""$\tilde W(t)=\tfrac12e^{\frac{\alpha+1}{2\tau}st}\begin{bmatrix}\bar\beta\\1\end{bmatrix}(\bar\beta^\top
    W_1^\top(0)+W_2(0)) +\tfrac12e^{-\frac{\alpha+1}{2\tau}st}\begin{bmatrix}\bar\beta\\-1\end{bmatrix}(\bar\beta^\top
    W_1^\top(0)-W_2(0)) +\begin{bmatrix}(I-\bar\beta\bar\beta^\top)W_1^\top(0)\\0\end{bmatrix}$ has the right value and
    derivative.

    Convention: the plane of bbar and one direction across it, and one neuron: neurons and further directions do not
    interact. Both sides of the system are divided by k = (alpha + 1) s / (2 tau).
    """
    parts = solution()
    whole, E = parts["growing"] + parts["decaying"] + parts["resting"], parts["E"]
    return {
        "value at 0": (whole.subs(E, 1), parts["start"]),
        "derivative": (E * whole.diff(E), arrow(parts["unit"]) * whole),
    }


@equation.claim(
    "only_first_term_grows",
    "sentence after it",
    given=sized(net=two_layer, data=unscaled_dataset, t=NONNEGATIVE, later=positive(2)),
    assumes=[correlated_target],
    proof=exponentials,
    recorded="proved",
    cost=5.0,
)
@mutants(scaled("99/100", "the second"), changed("the other way in time", later=lambda later: -later))
def only_the_first_term_grows(net: TwoLayer, data: Dataset, t: Number, later: Number) -> Margin:
    r"""Of the three terms of (23) only the first grows: from t to a later time the norm of the second does not
    increase, and the third does not depend on t. Squared norms are compared.

    Convention: tau = 1; the first term grows strictly unless it is zero: by at least the factor 1 + x where it is e^x.
    """
    s = norm(data.correlation)
    along, rate = net.inner @ data.correlation / s, 2 * mean_slope(net) * s
    up, down = squared_norm(along + net.outer) / 2, squared_norm(along - net.outer) / 2
    return all_of(
        at_least(exp(rate * (t + later)) * up, (1 + rate * later) * exp(rate * t) * up, "the first term grows"),
        at_most(exp(-rate * (t + later)) * down, exp(-rate * t) * down, "the second term does not"),
    )
