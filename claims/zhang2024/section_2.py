r"""Section 2: the network with slope 1."""

from typing import Any

from refute import identity, mutants, scaled
from refute.claims.zhang2024.neurons import sigma


@identity("zhang2024.sec_2.alpha_one_is_linear", "section 2, below Eq. (1)", recorded="proved")
@mutants(scaled("100001/100000"), scaled("99999/100000"))
def slope_one_makes_the_network_linear() -> Any:
    r"""With $\alpha=1$ every neuron is linear: $w_2\,\sigma(w_1x)=w_2w_1x$, hence $W_2\sigma(W_1x)=W_2W_1x$."""
    import sympy

    pre, outer = sympy.symbols("z w", real=True)
    return {"neuron": (outer * sigma(pre, 1), outer * pre)}
