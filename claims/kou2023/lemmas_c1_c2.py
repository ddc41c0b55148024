r"""Equations (C.1) to (C.3), Lemmas C.1 and C.2: what the coefficients of a leaky ReLU network do after $T_1$, and how
far those of two neurons of one sign are apart. $C'=2$.
"""

from typing import Any

from refute import Kind, Margin, all_of, at_most, changed, derived, equal, mutants, scaled, section, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, small_start_leaky, with_comparable_norms
from refute.claims.kou2023.leaky_courses import EARLY, PAIRS, STAGE, TOO_EARLY, whole
from refute.functions import absolute, largest, sqrt
from refute.models.kou2023.decomposition import Decomposition


@derived
def early_rho(stage: Decomposition) -> Any:
    """The coefficients up to T_1: (time, j, r, i)."""
    return stage.known(stage.rho)


@derived
def early_others(early_rho: Any) -> Any:
    """Those that they are compared with."""
    return early_rho


@derived
def late_rho(whole: Decomposition, end: int) -> Any:
    """The coefficients from T_1 to 10^20: (time, j, r, i)."""
    late = whole.since(end)
    return late.known(late.rho)


@derived
def late_others(late_rho: Any) -> Any:
    """Those that they are compared with."""
    return late_rho


def differences(rho: Any, others: Any) -> Any:
    """Of two neurons of one sign, on one sample: (time, j, r, r', i)."""
    return absolute(rho[:, :, :, None] - others[:, :, None])


pairs = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=PAIRS,
    assumes=with_comparable_norms(LEAKY_APPENDIX),
    derived=[*EARLY, whole, early_rho, early_others, late_rho, late_others],
    recorded="supported",
    mutants=[scaled("1/1000")],
)


@pairs.claim("lemma_c1.early_difference", "Lemma C.1")
def coefficients_of_two_neurons_stay_close_early(early_rho: Any, early_others: Any) -> Margin:
    r"""$|\bar\rho_{y_i,r,i}-\bar\rho_{y_i,r',i}|\le C'$ and $|\underline\rho_{-y_i,r,i}-\underline\rho_{-y_i,r',i}|\le
    C'$ up to $T_1$.
    """
    return at_most(differences(early_rho, early_others), STAGE, "difference of two coefficients")


@pairs.claim("lemma_c2.late_difference", "Lemma C.2")
@mutants(changed("of neurons of different signs", late_others=lambda others: others[:, ::-1]))
def coefficients_of_two_neurons_stay_close(late_rho: Any, late_others: Any) -> Margin:
    r"""For $t\ge T_1$ the same: two neurons of one sign have coefficients that differ by at most $C'$.

    Convention: t up to $10^{20}$.
    """
    return at_most(differences(late_rho, late_others), STAGE, "difference of two coefficients")


after = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=PAIRS,
    assumes=LEAKY_APPENDIX,
    derived=[*EARLY, whole],
    recorded="supported",
    mutants=[TOO_EARLY, without(small_start_leaky)],
    cost=0.7,
)


@after.claim("eq_c1_c2.late_updates", "Eqs. (C.1) and (C.2)")
@mutants(changed("with the root of gamma", gamma=sqrt))
def late_updates_do_not_depend_on_the_neuron(run: Decomposition, end: int, gamma: Number) -> Margin:
    r"""For $t\ge T_1$: $\bar\rho_{y_i,r,i}$ grows by $\frac\eta{nm}|\ell_i'|\|x_i\|^2$ and $\underline\rho_{-y_i,r,i}$
    falls by $\gamma$ times that.

    Convention: the 50 steps after $T_1$.
    """
    late = run.since(end)
    own, opposite, push = late.known(late.own(late.rho)), late.known(late.opposite(late.rho)), late.pushes[:, None, :]
    return all_of(
        equal(own[1:] - own[:-1], push, "own step"), equal(opposite[1:] - opposite[:-1], -gamma * push, "opposite step")
    )


@after.claim("eq_c3.increment", "Eq. (C.3) and the displays before it")
@mutants(scaled("1/4", "coefficient at T_1"))
def differences_are_those_at_the_end_of_the_first_stage(run: Decomposition, end: int) -> Margin:
    r"""For $t\ge T_1$ the differences $\rho_{j,r,i}-\rho_{j,r',i}$ are those at $T_1$, which are at most the largest
    coefficient at $T_1$, which is at most $C'$.

    Convention: the 50 steps after $T_1$.
    """
    late = run.since(end)
    rho = late.known(late.rho)
    gaps, top = rho - rho[:, :, :1], largest(absolute(rho[0]))
    return all_of(
        equal(gaps, gaps[:1], "differences"),
        at_most(differences(rho[:1], rho[:1]), top, "difference at T_1"),
        at_most(top, STAGE, "coefficient at T_1"),
    )
