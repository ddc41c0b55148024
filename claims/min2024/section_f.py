r"""Appendix F: the same for the differential inclusion, with any $\sigma'(0)\in[0,1]$; regular Filippov solutions.

Of Theorem 1 only what its proof takes from (5): the drift at the hyperplanes keeps its sign for every $\sigma'(0)$, and
a neuron that is dead may stay so.
"""

from refute import Margin, all_of, at_least, changed, derived, equal, less, mutants, section, without
from refute.arithmetic.numbers import Array
from refute.claims.min2024.assumptions import dead, not_dead, on_hyperplane, separated
from refute.functions import sign
from refute.models import Dataset
from refute.models.min2024.cones import attraction
from refute.models.min2024.conic import signed_data
from refute.strategies.min2024.conic import enough, gates
from refute.strategies.min2024.separated import placed, separated_dataset, vector


@derived
def active(data: Dataset, w: Array) -> Array:
    """1 where <x_i, w> > 0."""
    found: Array = (sign(data.inputs @ w) > 0).astype(int)
    return found


@derived
def selected(data: Dataset, w: Array, gates: Array) -> Array:
    """sigma'(0), chosen datum by datum, where <x_i, w> = 0; else 0."""
    touched = sign(data.inputs @ w) == 0
    found: Array = touched * gates[: len(touched)]
    return found


inclusion = section(
    "min2024",
    "sec_F.differential_inclusion",
    "Appendix F, Eq. (57)",
    given=placed(data=separated_dataset, w=vector, gates=gates, dimension=(2, 3), samples=(1, 4)).within(
        enough("gates")
    ),
    derived=[active, selected],
    recorded="supported",
)


@inclusion.claim(assumes=[separated, on_hyperplane, not_dead])
@mutants(
    changed("sigma'(0) between -1024 and 0", selected=lambda chosen: -1024 * chosen),
    without(separated),
    without(not_dead),
)
def every_selection_drifts_towards_the_signed_data(data: Dataset, w: Array, active: Array, selected: Array) -> Margin:
    r"""For $w\notin S_{dead}$ and any $\sigma'(0)\in[0,1]$, chosen datum by datum,
    $x_a(w)=\sum_i\sigma'(\langle x_i,w\rangle)y_ix_i$ has $\langle y_ix_i,x_a(w)\rangle>0$ for all $i$, and
    $\|x_a(w)\|$ is at least that of $\sigma'(0)=0$.
    """
    pull, least = (data.labels * (active + selected)) @ data.inputs, attraction(w, data)
    return all_of(
        less(0, signed_data(data) @ pull, "0 against <y_i x_i, x_a(w)>"),
        at_least(pull @ pull, least @ least, "|x_a|^2 against that with sigma'(0) = 0"),
    )


@derived
def least(selected: Array) -> Array:
    """The selection with sigma'(0) = 0 everywhere."""
    return 0 * selected


@inclusion.claim(
    "dead_boundary", "on S_dead", assumes=[separated, dead], derived=[active, selected, least], printed=False
)
@mutants(changed("sigma'(0) = 1 everywhere", least=lambda chosen: chosen + 1), without(dead))
def some_selection_leaves_dead_neurons_alone(data: Dataset, active: Array, least: Array) -> Margin:
    r"""On all of $S_{dead}$ the velocity 0 belongs to the inclusion, with $\sigma'(0)=0$: a regular solution may keep
    its dead neurons.

    Convention: what the restriction to regular solutions needs, not a sentence of the paper; on the boundary other
    values of sigma'(0) give other velocities, as in E.4.
    """
    return equal((data.labels * (active + least)) @ data.inputs, 0, "x_a(w) with the smallest sigma'(0)")
