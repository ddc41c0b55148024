"""How many of m neurons are active on a sample: counts s near m/2, and repairs for that."""

from hypothesis.strategies import DrawFn

from refute.language.cases import Cases
from refute.strategies.numbers import count
from refute.strategies.sizes import sized


def counts() -> Cases:
    """m neurons, s of them active."""
    return sized(m=count(2, 12), s=count(1, 12))


def near_half(draw: DrawFn, m: int, s: int) -> dict[str, int]:
    """0.4m <= s <= 0.6m; three neurons, which have no such number, become four."""
    m = 4 if m == 3 else m
    return {"m": m, "s": min(max(s, -(-2 * m // 5)), 3 * m // 5)}


def all_active(draw: DrawFn, m: int) -> dict[str, int]:
    """s = m."""
    return {"s": m}
