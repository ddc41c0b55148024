"""Lemma 7: $K$ lies inside $S_+$, and $-K$ inside $S_-$, with a margin."""

from operator import neg

from refute import Margin, all_of, at_least, changed, derived, less, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import in_minus_cone, in_plus_cone, separated
from refute.claims.min2024.lemma_5 import IN_THE_CONE, coherent_sums, member
from refute.claims.min2024.quantities import mu_squared, rows, squares
from refute.decide.proof import by_smt, in_words, steps
from refute.functions import absolute, largest, smallest, squared_norm
from refute.models import Dataset


def _inner_margin() -> str | None:
    """Lemma 5 with a unit z_1 and z_2 = y_i x_i, whose length is at least X_min; strict inequalities define an open
    set.
    """
    import z3

    mu, inner, A, size, least = z3.Reals("mu inner A size least")
    unit = z3.And(mu > 0, inner >= mu * A * size, A >= 1, size >= least, least > 0)
    return steps(
        coherent_sums(),
        in_words("with z_1 = x_c of length one and z_2 = y_i x_i, whose length is at least X_min"),
        by_smt(lambda: z3.Implies(unit, z3.And(inner >= mu * least, mu * least > 0)), "y_i <x_c, x_i> >= mu X_min > 0"),
        in_words("strict inequalities define an open set"),
    )


@derived
def z(a: Array, rows: Array) -> Array:
    """A point of K."""
    return member(a, rows)


lemma = section("min2024", "lemma_7", "Lemma 7 and its proof", given=IN_THE_CONE, assumes=[separated])


@lemma.claim("interior", derived=[rows, mu_squared, squares, z], proof=_inner_margin, recorded="proved")
@mutants(
    scaled("101/100", "signed square"),
    changed("margin mu X_max", squares=largest),
    changed("K inside S_-", z=neg),
    without(separated),
)
def the_cone_lies_inside_with_a_margin(
    data: Dataset, z: Array, rows: Array, mu_squared: Number, squares: Array
) -> Margin:
    r"""For unit $x_c\in K$: $y_i\langle x_c,x_i\rangle\ge\mu X_{\min}>0$ for all $i$, so
    $K\cap\mathbb S\subset\mathrm{Int}(S_+)$, $-K\cap\mathbb S\subset\mathrm{Int}(S_-)$.

    Convention: all inequalities that define S_+ or S_- hold strictly, which is the interior; for -K they are the same
    numbers.
    """
    inner, bound = rows @ z, mu_squared * smallest(squares)
    return all_of(
        less(0, inner, "0 against y_i <z, x_i>"),
        at_least(inner * absolute(inner) / squared_norm(z), bound, "signed square of y_i <z, x_i>/|z| and mu X_min"),
        in_plus_cone(z, data),
        in_minus_cone(-z, data),
    )
