"""The conditions of section 4, for the files that import them from here."""

from refute.claims.zhang2024.assumptions import (
    ASSUMPTION_4,
    CONDITION_3,
    equal_norms,
    even_inputs,
    odd_target,
    rank_one,
)

__all__ = ["ASSUMPTION_4", "CONDITION_3", "equal_norms", "even_inputs", "odd_target", "rank_one"]
