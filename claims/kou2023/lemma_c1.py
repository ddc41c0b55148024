r"""Lemmas C.1 and C.2: coefficients of two neurons of one sign stay close, before and after $T_1$.

$C'=2$. The second is seen from $T_1$ to $10^{20}$.
"""

from typing import Any

from refute import Kind, Margin, at_most, changed, scaled, section
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, with_comparable_norms
from refute.claims.kou2023.leaky_courses import EARLY, PAIRS, STAGE, whole
from refute.functions import largest, smallest
from refute.models.kou2023.decomposition import Decomposition
from refute.models.kou2023.rows import mixed

main = section(
    "kou2023",
    "lemma_c1",
    "Lemma C.1",
    kind=Kind.DYNAMICS,
    given=PAIRS,
    assumes=with_comparable_norms(LEAKY_APPENDIX),
    derived=[*EARLY, whole],
    recorded="supported",
    mutants=[scaled("1/1000")],
)


def spreads(course: Decomposition) -> Any:
    """The largest difference of the coefficients of two neurons of one sign: (time, j, i)."""
    rho = course.known(course.rho)
    return largest(rho, axis=2) - smallest(rho, axis=2)


@main.claim("early_difference")
def coefficients_of_two_neurons_stay_close_early(stage: Decomposition) -> Margin:
    r"""$|\bar\rho_{y_i,r,i}-\bar\rho_{y_i,r',i}|\le C'$ and
    $|\underline\rho_{-y_i,r,i}-\underline\rho_{-y_i,r',i}|\le C'$ up to $T_1$.
    """
    return at_most(spreads(stage), STAGE, "difference of two coefficients")


second = section("kou2023", "lemma_c2", "Lemma C.2", **main.common)


@second.claim("late_difference", mutants=[changed("of neurons of different signs", whole=mixed)])
def coefficients_of_two_neurons_stay_close(whole: Decomposition, end: int) -> Margin:
    r"""For $t\ge T_1$ the same: two neurons of one sign have coefficients that differ by at most $C'$."""
    return at_most(spreads(whole.since(end)), STAGE, "difference of two coefficients")
