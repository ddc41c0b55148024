"""Lemma 6: $S_+$ and $S_-$ are convex cones."""

from operator import neg

from refute import Margin, changed, claim, derived, equal, mutants, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import SEPARATED, both_classes, in_plus_cone, separated
from refute.decide.proof import by_smt, in_words, steps
from refute.models import Dataset
from refute.models.min2024.cones import in_dead, in_minus, in_plus
from refute.strategies.min2024.conic import shared_pattern


def halfspaces_are_convex() -> str | None:
    import z3

    s, t, a, b = z3.Reals("s t a b")
    positive = z3.And(a > 0, b > 0)
    inside = by_smt(
        lambda: z3.Implies(z3.And(positive, s > 0, t > 0), a * s + b * t > 0), "where <x_i, .> > 0 is asked"
    )
    outside = by_smt(
        lambda: z3.Implies(z3.And(positive, s <= 0, t <= 0), a * s + b * t <= 0), "where <x_i, .> <= 0 is asked"
    )
    return steps(in_words("with s = <x_i, z> and t = <x_i, w>, datum by datum"), inside, outside)


@claim(
    "min2024.lemma_6.convex_cones", "Lemma 6", given=shared_pattern(), proof=halfspaces_are_convex, recorded="proved"
)
@mutants(changed("any linear combination", b=neg), changed("a cone with another vertex", z=lambda z: z + 1))
def cones_are_closed_under_positive_combinations(data: Dataset, z: Array, w: Array, a: Number, b: Number) -> Margin:
    r"""$z,w\in S_+$ and $a,b>0$ imply $az+bw\in S_+$; the same for $S_-$. No assumption on the data.

    Convention: closed under combinations with positive coefficients; S_- is S_+ of the opposite labels; the origin
    stands in .origin.
    """
    return in_plus_cone(a * z + b * w, data)


@derived
def homes(data: Dataset) -> list[bool]:
    """Whether the origin is in S_+, in S_-, in S_dead."""
    return [inside(0 * data.inputs[0], data) for inside in (in_plus, in_minus, in_dead)]


def _origin_is_outside() -> str | None:
    import z3

    x = z3.Real("x")
    return steps(
        in_words("S_+ asks <x_i, z> > 0 of each positive datum and S_- of each negative one; each class has a datum"),
        by_smt(lambda: z3.Not(x * 0 > 0), "which the origin does not satisfy, coordinate by coordinate"),
    )


probe = section("min2024", "lemma_6", "Lemma 6, in parentheses", given=SEPARATED, assumes=[separated, both_classes])


@probe.claim("convex_cones.origin", derived=[homes], proof=_origin_is_outside, recorded="proved", printed=False)
@mutants(without(both_classes), changed("S_dead in place of S_+", homes=lambda homes: homes[1:]))
def cones_do_not_contain_the_origin(homes: list[bool]) -> Margin:
    r"""$0\notin S_+$ and $0\notin S_-$, if each class has a datum.

    Convention: a probe of ours. "Excluding the origin" takes the origin out of the cones of the lemma; here it is asked
    when the definitions do so by themselves. Without positive data $S_+=\{z:\langle x_i,z\rangle\le0\ \forall i\}$
    contains it.
    """
    return equal(sum(homes[:2]), 0, "cones that contain the origin")
