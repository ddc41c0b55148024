r"""Eqs. (C.1) to (C.3): the updates of a leaky ReLU network after the first stage do not depend on the neuron.

$T_1$ with $C'=2$, and 50 steps after it.
"""

from refute import Kind, Margin, all_of, at_most, changed, equal, scaled, section, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, small_start_leaky
from refute.claims.kou2023.leaky_courses import EARLY, PAIRS, STAGE, TOO_EARLY
from refute.claims.kou2023.lemma_c1 import spreads
from refute.functions import absolute, largest
from refute.models.kou2023.decomposition import Decomposition

main = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=PAIRS,
    assumes=LEAKY_APPENDIX,
    derived=EARLY,
    recorded="supported",
    mutants=[TOO_EARLY, without(small_start_leaky)],
)


@main.claim(
    "eq_c1_c2.late_updates",
    "Eqs. (C.1) and (C.2)",
    mutants=[changed("without gamma", gamma=lambda gamma: 0 * gamma + 1), scaled("101/100", "own")],
)
def late_updates_do_not_depend_on_the_neuron(run: Decomposition, end: int, gamma: Number) -> Margin:
    r"""For $t\ge T_1$: $\bar\rho_{y_i,r,i}$ grows by $\frac\eta{nm}|\ell_i'|\|x_i\|^2$ and $\underline\rho_{-y_i,r,i}$
    falls by $\gamma$ times that.
    """
    late = run.since(end)
    push = (late.unit * late.logits)[:-1, None, :]
    own, opposite = (late.known(side(late.rho)) for side in (late.own, late.opposite))
    return all_of(equal(own[1:] - own[:-1], push, "own"), equal(opposite[:-1] - opposite[1:], gamma * push, "opposite"))


@main.claim("eq_c3.increment", "Eq. (C.3) and the displays before it", mutants=[scaled("1/4", "coefficient")])
def differences_are_those_at_the_end_of_the_first_stage(run: Decomposition, end: int) -> Margin:
    r"""For $t\ge T_1$ the differences $\rho_{j,r,i}-\rho_{j,r',i}$ are those at $T_1$, which are at most the largest
    coefficient at $T_1$, which is at most $C'$.
    """
    late = run.since(end)
    rho = late.known(late.rho)
    apart, top = rho - rho[:, :, :1], largest(absolute(rho[0]), axis=1)
    return all_of(
        equal(apart, apart[0], "differences"),
        at_most(spreads(late)[0], top, "difference at T_1"),
        at_most(top, STAGE, "coefficient at T_1"),
    )
