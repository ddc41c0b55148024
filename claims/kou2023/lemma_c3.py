r"""Lemma C.3: the stable ranks of a leaky ReLU network tend to 1, under the conditions of appendix B.

It is the second item of Theorem 4.1 from a start that is smaller by the factor $\gamma$. The steps of the proof are in
`lemma_c3_norms` (along trajectories) and `lemma_c3_algebra`.
"""

from refute import Kind, exponent, section, shifted
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, with_comparable_norms
from refute.claims.kou2023.leaky_courses import course
from refute.claims.kou2023.theorem_4_1 import (
    GIVEN,
    SEVERAL,
    excess,
    stable_ranks_converge_at_least_like_one_over_log,
    stable_ranks_tend_to_one,
)

main = section(
    "kou2023",
    "lemma_c3",
    "Lemma C.3",
    kind=Kind.ASYMPTOTIC,
    given=GIVEN,
    assumes=with_comparable_norms(LEAKY_APPENDIX),
    derived=[course, excess],
    recorded="supported",
    cost=0.1,
)
main.claim("limit", mutants=[shifted("1/100")])(stable_ranks_tend_to_one.conclusion)
main.claim(
    "rate",
    given=SEVERAL,
    mutants=[exponent(3)],
    convention="a decreasing rate of O(1/log t) is read as: the distance from 1 is O(1/log t)",
)(stable_ranks_converge_at_least_like_one_over_log.conclusion)
