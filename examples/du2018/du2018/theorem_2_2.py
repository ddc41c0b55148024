r"""Theorem 2.2: with a linear activation whole matrices are conserved."""

from itertools import pairwise

from refute import Margin, all_of, claim, equal, mutants, scaled, without

from .assumptions import linear
from .derived import moving
from .strategies import INSTANTS


@claim(
    "du2018.theorem_2_2",
    reference="Theorem 2.2",
    given=INSTANTS,
    assumes=[linear],
    derived=[moving],
    recorded="supported",
)
@mutants(scaled("101/100"), without(linear))
def matrices_are_conserved(moving) -> Margin:
    r"""$\frac{d}{dt}(W_hW_h^\top-W_{h+1}^\top W_{h+1})=0$ for a linear activation."""
    halves = [(w @ v.T, u.T @ z) for (w, v), (u, z) in pairwise(moving)]
    return all_of(*(equal(a + a.T, b + b.T, "incoming against outgoing") for a, b in halves))
