"""Eq. (3): the start is balanced."""

from typing import Any

from refute import bent, identity, mutants


def _without_scale(square: Any) -> Any:
    return square.subs(dict.fromkeys((s for s in square.free_symbols if s.name == "epsilon"), 1))


@identity("min2024.eq_3.init_balanced", "Eq. (3) and the text after it", recorded="proved")
@mutants(
    bent("outer weights half as large", left=lambda square: square / 4),
    bent("outer weights of the size of a column of W_0", left=_without_scale),
)
def the_start_is_balanced() -> Any:
    r"""$W(0)=\epsilon W_0$ and $v_j(0)=\pm\|w_j(0)\|$ give $v_j(0)^2-\|w_j(0)\|^2=0$ for both signs.

    Convention: in any dimension: the norm of a column of W_0 is all that enters.
    """
    import sympy

    epsilon, norm = sympy.symbols("epsilon norm", positive=True)
    return {f"sign {s:+d}": ((s * epsilon * norm) ** 2, epsilon**2 * norm**2) for s in (1, -1)}
