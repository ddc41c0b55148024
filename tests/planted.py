"""Claims for tests: not registered, so that no test sees those of another."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from refute import Assumption, Claim, Kind, less, stated
from refute.language.claim import place_of
from refute.strategies.numbers import is_number
from refute.strategies.sizes import sized

RATIONALS = sized(x=stated(st.fractions(-4, 4, max_denominator=8), is_number))
POSITIVE = Assumption("positive", "x is positive", lambda x: less(0 * x, x, "0 < x"), RATIONALS)
IMPOSSIBLE = Assumption("impossible", "x is above ten", lambda x: less(10 + 0 * x, x, "10 < x"), RATIONALS)


def planted(conclusion: Callable[..., Any], **fields: Any) -> Claim:
    """The conclusion as a claim over one rational x in [-4, 4], unless `given` or `instances` says otherwise."""
    if "instances" not in fields:
        fields.setdefault("given", RATIONALS)
    kind = fields.pop("kind", Kind.ALGEBRAIC)
    place = fields.pop("place", place_of(conclusion))
    return Claim(id=f"planted.{conclusion.__name__}", conclusion=conclusion, kind=kind, place=place, **fields)
