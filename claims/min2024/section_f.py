r"""Appendix F: the same for the differential inclusion, with any $\sigma'(0)\in[0,1]$; regular Filippov solutions.

Of Theorem 1 only what its proof takes from (5): the drift at the hyperplanes keeps its sign for every $\sigma'(0)$, and
a neuron that is dead may stay so.
"""

from refute import Margin, all_of, at_least, changed, derived, equal, less, mutants, section, without
from refute.arithmetic.numbers import Array
from refute.claims.min2024.assumptions import dead, not_dead, on_hyperplane, separated
from refute.claims.min2024.equations_7_8 import positive_sum
from refute.decide.proof import by_smt, in_words, steps
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


def _selection_proof() -> str | None:
    """What a selection adds has nonnegative inner products with all y_i x_i, hence with x_a for sigma'(0) = 0."""
    import z3

    total, gate, product, square, cross, rest = z3.Reals("total gate product square cross rest")
    return steps(
        positive_sum(),
        by_smt(
            lambda: z3.Implies(z3.And(total > 0, gate >= 0, product > 0), total + gate * product > 0),
            "a selected datum adds sigma'(0) <y_i x_i, y_k x_k> >= 0",
        ),
        in_words("so the selected part has a nonnegative inner product with x_a for sigma'(0) = 0"),
        by_smt(
            lambda: z3.Implies(z3.And(cross >= 0, rest >= 0), square + 2 * cross + rest >= square),
            "|x_a + rest|^2 = |x_a|^2 + 2 <x_a, rest> + |rest|^2",
        ),
    )


@inclusion.claim(assumes=[separated, on_hyperplane, not_dead], proof=_selection_proof, recorded="proved")
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


def _nothing_active() -> str | None:
    import z3

    pre = z3.Real("pre")
    return steps(
        by_smt(lambda: z3.Implies(pre <= 0, z3.If(pre > 0, 1, 0) + 0 == 0), "active or selected: no datum is"),
        in_words("so x_a is the empty sum"),
    )


@inclusion.claim(
    "dead_boundary",
    "on S_dead",
    proof=_nothing_active,
    recorded="proved",
    assumes=[separated, dead],
    derived=[active, selected, least],
    printed=False,
)
@mutants(changed("sigma'(0) = 1 everywhere", least=lambda chosen: chosen + 1), without(dead))
def some_selection_leaves_dead_neurons_alone(data: Dataset, active: Array, least: Array) -> Margin:
    r"""On all of $S_{dead}$ the velocity 0 belongs to the inclusion, with $\sigma'(0)=0$: a regular solution may keep
    its dead neurons.

    Convention: what the restriction to regular solutions needs, not a sentence of the paper; on the boundary other
    values of sigma'(0) give other velocities, as in E.4.
    """
    return equal((data.labels * (active + least)) @ data.inputs, 0, "x_a(w) with the smallest sigma'(0)")
