r"""E.3: with $\sigma'(0)\neq0$ no solution starts on the edge of $S_{dead}$."""

from operator import neg

import numpy as np

from refute import Fault, Kind, Margin, all_of, changed, claim, derived, equal, less, mutants, section
from refute.arithmetic.numbers import Number
from refute.claims.min2024.solutions import EDGE, point
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.decide.proof import by_smt, in_words, steps
from refute.functions import exp, sign
from refute.models import Dataset
from refute.models.flow import gradient_flow
from refute.models.training import Stop
from refute.strategies import choice, sized


def descent(u: Number, v: Number, a: Number) -> Number:
    """The speed of u = <x, w> along the negative gradient, for x = (1, 0), y = -1, the exponential loss and
    sigma'(0) = a.
    """
    return -exp(v * u) * v if sign(u) > 0 else -a * v if sign(u) == 0 else 0 * v


def _blocked(u: Number, speed: Number) -> Margin:
    if sign(u) < 0:
        return equal(speed, 0, "speed inside S_dead")
    return less(speed, 0, "speed on the edge and outside of S_dead against 0")


edge = section(
    "min2024",
    "sec_E3.no_solution_other_subgradient",
    "E.3",
    given=sized(u=choice("0", "-1", "1", "1/1024", "-1/1024"), v=choice("1", "1/2", "2"), a=choice("1", "1/2", "1/10")),
)


@edge.claim(
    "r1",
    "with the flow as (2) is printed",
    recorded="refuted",
    fault=Fault.SIGN,
    root="min2024.eq_2.flow_direction",
    printed=False,
)
def the_edge_is_left_to_no_side_when_ascending(u: Number, v: Number, a: Number) -> Margin:
    r"""For $\sigma'(0)=a>0$ no solution starts at $w=(0,1)$: the speed of $\langle x,w\rangle$ is 0 where it is
    negative, and negative elsewhere.

    Fails for $\dot W\in\partial\mathcal L$ without a minus sign: the speed is positive on the edge and outside, so a
    solution leaves.

    Convention: x = (1, 0), y = -1, exponential loss, v near 1.
    """
    return _blocked(u, -descent(u, v, a))


def _edge_proof() -> str | None:
    """The loss has a positive slope -y dl/df = e^{-y f}, whatever the output; the gate is a on the
    edge and 1 outside.
    """
    import z3

    slope, gate, v = z3.Reals("slope gate v")
    return steps(
        in_words("minus the derivative of the loss is y times a positive slope; the gate is a on the edge, 1 outside"),
        by_smt(
            lambda: z3.Implies(z3.And(slope > 0, gate > 0, v > 0), -slope * gate * v < 0),
            "for y = -1 the speed of <x, w> is negative on the edge and outside",
        ),
    )


@edge.claim("r2", "with the flow of steepest descent", proof=_edge_proof, recorded="proved")
@mutants(changed("y = 1, which is v < 0", v=neg), changed("sigma'(0) = 0", a=lambda a: 0 * a))
def the_edge_is_left_to_no_side(u: Number, v: Number, a: Number) -> Margin:
    r"""For $\sigma'(0)=a>0$ the speed of $\langle x,w\rangle$ is 0 where it is negative, and negative elsewhere, on the
    edge as well.

    So no solution starts at $w=(0,1)$: $\langle x,w\rangle$ cannot stay at 0, cannot become positive against a negative
    speed, and cannot become negative where the speed is 0. For $\sigma'(0)=0$ the constant path is a solution.

    Convention: x = (1, 0), y = -1, exponential loss, v near 1.
    """
    return _blocked(u, descent(u, v, a))


@derived
def datum() -> Dataset:
    """x = (1, 0), y = -1."""
    return point(-1)


@claim(
    "min2024.sec_E3.no_solution_other_subgradient.integrated",
    "E.3, as the integrator finds it",
    kind=Kind.DYNAMICS,
    given=sized(a=choice("1", "1/2", "1/10"), loss=ALL_LOSSES),
    derived=[datum],
    recorded="supported",
)
@mutants(changed("sigma'(0) = 0", a=lambda _: 0.0), changed("y = 1", datum=lambda _: point(1)))
def the_integrator_finds_no_solution(a: float, loss: str, datum: Dataset, tolerance: float) -> Margin:
    r"""For $\sigma'(0)=a>0$ the integration stops at time 0, and for $\sigma'(0)=0$ the neuron stays where it is."""
    stuck, still = (
        gradient_flow(EDGE, datum, LOSSES[loss], np.array([0.0, 1.0]), concept=at_zero, tolerance=tolerance)
        for at_zero in (a, 0.0)
    )
    return all_of(
        equal(int(stuck.stop is Stop.NO_SOLUTION), 1, "no solution is found"),
        equal(min(stuck.reached, 1.0), 0.0, "time reached"),
        equal(still.inners[-1], still.inner[0], "the neuron with sigma'(0) = 0"),
    )
