"""E.2: a solution exists from every start, and crosses each hyperplane at most once."""

from collections import Counter
from typing import Any

import numpy as np

from refute import (
    Fault,
    Margin,
    all_of,
    assumption,
    at_most,
    changed,
    claim,
    derived,
    equal,
    less,
    mutants,
    section,
    shifted,
    suppose,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import not_dead, separated
from refute.claims.min2024.equations_7_8 import drift_proof
from refute.claims.min2024.solutions import EDGE, TRAP, TRAPPED, point, solutions, stays_dead
from refute.claims.min2024.states import any_scale
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.decide.proof import in_words, steps
from refute.functions import absolute, largest, sign, smallest, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.flow import REGULAR, Change, Stop, Trajectory, gradient_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.balanced_state import balanced_state
from refute.models.min2024.conic import squared_distance
from refute.models.min2024.residual import caratheodory_residual
from refute.strategies import sized
from refute.strategies.min2024.data_repairs import keep_one_class, surround_origin
from refute.strategies.min2024.outputs import moderate
from refute.strategies.min2024.separated import labelled_dataset, neurons, placed, separated_dataset, vector
from refute.strategies.orthogonal import append_zero_input, drop_zero_inputs


@derived
def solution(net: TwoLayer, data: Dataset, loss: str, horizon: float, tolerance: float) -> Trajectory:
    """With sigma'(0) = 0, wherever that leads."""
    return gradient_flow(net, data, LOSSES[loss], np.linspace(0, horizon, 9), concept=0.0, tolerance=tolerance)


@solutions.claim("sec_E2.global_existence", "Section 2.1, E.2 and E.5", derived=[solution], cost=2.0)
@mutants(
    changed(
        "data that are not separated",
        solution=lambda _: gradient_flow(TRAPPED, TRAP, EXPONENTIAL_SUM, np.array([0.0, 1.0]), concept=0.0),
    ),
    changed(
        "sigma'(0) = 1, from the edge of S_dead",
        solution=lambda _: gradient_flow(EDGE, point(-1), EXPONENTIAL_SUM, np.array([0.0, 1.0]), concept=1.0),
    ),
)
def a_solution_exists_from_every_start(data: Dataset, solution: Trajectory) -> Margin:
    r"""Under Assumption 1 the flow with $\sigma'(0)=0$ has a solution for all times from every balanced start; its
    dead neurons stay dead.

    Convention: no hyperplane stops the solution with sigma'(0) = 0 before time 1 or 3; (3) is not shown necessary.
    """
    goes_on = equal(int(solution.stop is Stop.HORIZON), 1, f"the solution goes on ({solution.stop.name.lower()})")
    return all_of(goes_on, stays_dead(solution, data.inputs)) if solution.stop is Stop.HORIZON else goes_on


@derived
def crossings(path: Trajectory) -> list[tuple[int, int]]:
    """Neuron and datum, each time a neuron crosses the hyperplane of a datum."""
    suppose(path.stop is Stop.HORIZON, "the run comes to its end")
    return [(event.neuron, event.sample) for event in path.events if event.kind is not Change.SLIDES]


@solutions.claim(
    "sec_E2.finite_crossings",
    "E.2: every hyperplane is crossed at most once",
    derived=[*solutions.common["derived"], crossings],
    cost=0.5,
)
@mutants(
    shifted(-1),
    changed("by all neurons together", crossings=lambda found: [datum for _, datum in found]),
    changed("all hyperplanes together", crossings=lambda found: [neuron for neuron, _ in found]),
)
def each_hyperplane_is_crossed_at_most_once(crossings: list[tuple[int, int]]) -> Margin:
    r"""Along the flow each neuron meets the hyperplane of each datum at most once.

    Convention: any scale; up to time 1 or 3; neither assumption is shown necessary by so few crossings.
    """
    suppose(bool(crossings), "a hyperplane is crossed")
    return at_most(max(Counter(crossings).values()), 1, "crossings of one hyperplane by one neuron")


@solutions.claim("sec_E2.freeze_dead_neuron", "E.2, existence of solutions when S_dead is not empty", cost=0.5)
@mutants(changed("sigma'(0) = 1", at_zero=lambda _: 1.0), shifted("1/10000", "largest residual"))
def freezing_dead_neurons_gives_a_regular_solution(
    net: TwoLayer, data: Dataset, loss: str, horizon: float, tolerance: float, at_zero: float
) -> Margin:
    r"""Keeping $(w_j,v_j)$ fixed from the time at which $w_j$ lands on the boundary of $S_{dead}$ solves (45), and dead
    neurons stay dead.

    Convention: the data y_i x_i all with the label -1 and positive neurons, which die; neither assumption is shown
    necessary.
    """
    repelling = Dataset(data.labels[:, None] * data.inputs, -abs(data.labels))
    dying = net.with_weights(net.inner, abs(net.outer))
    found = caratheodory_residual(
        dying, repelling, LOSSES[loss], horizon, concept=REGULAR, at_zero=at_zero, tolerance=tolerance
    )
    return all_of(equal(found.largest, 0, "largest residual of (45)"), stays_dead(found.run, repelling.inputs))


@assumption(
    "data.no_zero_input", base=sized(data=labelled_dataset), satisfy=drop_zero_inputs, violate=append_zero_input
)
def nonzero_inputs(data: Dataset) -> Margin:
    """no input is zero"""
    return less(0, [squared_norm(x) for x in data.inputs], "0 against |x_i|^2")


@derived
def curve(data: Dataset) -> list[Array]:
    """w(s) = (s, s^2, ..., s^D) at s = 1, ..., nD + 1."""
    count, dimension = data.inputs.shape
    return [np.array([s ** (k + 1) for k in range(dimension)], dtype=object) for s in range(1, count * dimension + 2)]


@claim(
    "min2024.sec_E2.discontinuity_null_set",
    "E.2: the set of discontinuities",
    given=sized(data=labelled_dataset),
    assumes=[nonzero_inputs],
    derived=[curve],
    recorded="supported",
)
@mutants(changed("it misses the diagonal", curve=lambda curve: curve[:1]), without(nonzero_inputs))
def some_neuron_avoids_every_hyperplane(data: Dataset, curve: list[Array]) -> Margin:
    r"""$\{w:\langle x_i,w\rangle=0\text{ for some }i\}$ is not the whole space, hence a union of $n$ hyperplanes, of
    measure zero; so is $\mathcal A$.

    The curve $w(s)=(s,s^2,\dots,s^D)$ meets each hyperplane at most $D$ times, so one of $s=1,\dots,nD+1$ avoids all of
    them.

    Convention: a finite union of hyperplanes unless some input is zero; then no vector avoids it, and it is
    everything.
    """
    least = np.array([smallest(absolute(data.inputs @ w)) for w in curve], dtype=object)
    return less(0, largest(least), "0 against the best of the least |<x_i, w>|")


State = tuple[Array, Number]  # w_j near a hyperplane, and the sign of v_j


@derived
def alive(z: Array, w: Array, data: Dataset) -> Array:
    """z, or w where z is dead."""
    return z if (sign(data.inputs @ z) > 0).any() else w


@derived
def signs() -> list[tuple[int, int]]:
    """Of v_j in the one state and in the other."""
    return [(1, 1), (-1, -1)]


def _same_side(data: Dataset, start: Balanced, scale: Number, loss: str, first: State, other: State) -> Margin:
    """The product for two states near each hyperplane: drawn vectors have |<x_i, w>| < 2^30 and are divided by 2^40."""
    flows = []
    for w, own in (first, other):
        rows, signs = scale * np.vstack([w / 2**40, start.shape]), np.concatenate([[0 * scale + own], start.signs])
        state = balanced_state(rows, signs, 0 * scale, data, LOSSES[loss])
        flows.append(sign(data.inputs @ state.pulls[0] * state.outer[0]))
    off = [bool(sign(x @ first[0]) and sign(x @ other[0])) for x in data.inputs]
    return less(0, (flows[0] * flows[1])[off], "0 against the sign of <N, F(theta_k)> <N, F(theta_l)>")


_TWO_STATES: dict[str, Any] = {
    "data": separated_dataset,
    "w": vector,
    "start": neurons,
    "z": vector,
    "scale": any_scale("1"),
    "loss": ALL_LOSSES,
    "samples": (2, 4),
    "width": (1, 2),
}
_PLANE = moderate(placed(**_TWO_STATES, dimension=(2, 2)))


@assumption("data.surround_origin", base=_PLANE, satisfy=surround_origin, violate=keep_one_class)
def surrounding(data: Dataset) -> Margin:
    """S_dead holds nothing but the origin"""
    axes = [s * row for row in np.eye(data.inputs.shape[1], dtype=int) for s in (1, -1)]
    distances = [squared_distance(axis + 0 * data.inputs[0], data.inputs) for axis in axes]
    return equal(distances, 0, "squared distance from +-e_k to the conic hull of the data")


no_zeno = section("min2024", "sec_E2.no_zeno_condition", "E.2, sufficient condition against Zeno behaviour", cost=2.0)


@no_zeno.claim(given=_PLANE, assumes=[separated, surrounding], recorded="refuted", fault=Fault.MISSING_HYPOTHESIS)
def the_flow_points_to_one_side_near_a_hyperplane(
    data: Dataset, w: Array, z: Array, start: Balanced, scale: Number, loss: str
) -> Margin:
    r"""Near each hyperplane $\langle x_i,w_j\rangle=0$ all pairs of parameters have
    $\langle N,F(\theta_k)\rangle\langle N,F(\theta_l)\rangle>0$.

    Fails for every $\delta$: two parameters whose $v_j$ have different signs flow to opposite sides. So (46) is not
    stronger than the condition; the next sentence has what is missing, that $v_j$ does not change sign.

    Convention: S_dead = {0}, as the paragraph supposes, in the plane. delta = 1/1024; a smaller delta changes nothing,
    since neurons may be scaled down.
    """
    return all_of(*(_same_side(data, start, scale, loss, (w, 1), (z, own)) for own in (1, -1)))


def _one_side_proof() -> str | None:
    return steps(
        drift_proof(), in_words("in both states <x_i, dw/dt> has the sign of y_i sign(v), which is one and the same")
    )


living = no_zeno.but(
    given=moderate(placed(**_TWO_STATES, dimension=(2, 3))), assumes=[separated, not_dead], derived=[alive, signs]
)


@living.claim("amended", "for neurons that are alive and have one sign", proof=_one_side_proof, recorded="proved")
@mutants(
    changed("different signs of v_j", signs=lambda pairs: [(own, -other) for own, other in pairs]),
    without(separated),
    without(not_dead),
)
def the_flow_of_living_neurons_points_to_one_side(
    data: Dataset, w: Array, alive: Array, start: Balanced, scale: Number, loss: str, signs: list[tuple[int, int]]
) -> Margin:
    r"""For parameters with $w_j\notin S_{dead}$ and one and the same sign of $v_j$, $\langle x_i,\dot w_j\rangle$ has
    one sign, near the hyperplane and everywhere else. Amended: one sign of $v_j$, which it keeps along the flow; any
    $S_{dead}$, since E.2 treats dead neurons apart.
    """
    return all_of(*(_same_side(data, start, scale, loss, (w, own), (alive, other)) for own, other in signs))
