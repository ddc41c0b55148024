"""What draws cases that several statements share, with the values that they may take."""

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from refute.strategies import Size
from refute import values


@values(lambda rate: isinstance(rate, Fraction) and 0 < rate <= 1)
def short_step(size: Size) -> SearchStrategy[Fraction]:
    """A step of at most one."""
    return st.fractions(Fraction(1, 100), 1, max_denominator=100)
