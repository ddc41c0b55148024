"""Lemma 5: any two points of the cone $K$ are coherent. Cosines are compared through their signed squares."""

from itertools import combinations, combinations_with_replacement

from refute import Margin, at_least, bent, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import separated
from refute.claims.min2024.quantities import mu_squared, rows
from refute.decide.proof import by_smt, in_words, steps
from refute.models.min2024.conic import signed_square
from refute.strategies import sized
from refute.strategies.min2024.conic import coefficients, enough
from refute.strategies.min2024.separated import separated_dataset


def member(a: Array, rows: Array) -> Array:
    """The point of K with these coefficients."""
    point: Array = a[: len(rows)] @ rows
    return point


def coherent_sums() -> str | None:
    r"""With $g_{ij}=\langle y_ix_i,y_jx_j\rangle\ge\mu\|x_i\|\|x_j\|$ each term of
    $\langle z_1,z_2\rangle=\sum a_ib_jg_{ij}$ is at least $\mu a_i\|x_i\|b_j\|x_j\|$; the sums $A=\sum a_i\|x_i\|$ and
    $B$ are at least $\|z_1\|$ and $\|z_2\|$.
    """
    import z3

    mu, a, b, p, q, g, inner, A, B, u, v = z3.Reals("mu a b p q g inner A B u v")
    longer = z3.And(mu > 0, inner >= mu * A * B, u <= A, v <= B, u > 0, v > 0)
    return steps(
        by_smt(
            lambda: z3.Implies(z3.And(a >= 0, b >= 0, g >= mu * p * q), a * b * g >= mu * (a * p) * (b * q)),
            "each term of <z_1, z_2> = sum a_i b_j <y_i x_i, y_j x_j> is at least mu a_i |x_i| b_j |x_j|",
        ),
        in_words("so <z_1, z_2> >= mu A B with A = sum a_i |x_i| >= |z_1|, B likewise, by the triangle inequality"),
        by_smt(lambda: z3.Implies(longer, inner >= mu * u * v), "hence <z_1, z_2> >= mu |z_1| |z_2|"),
    )


IN_THE_CONE = sized(data=separated_dataset, a=coefficients, b=coefficients).within(enough("a", "b"))
lemma = section("min2024", "lemma_5", "Lemma 5", given=IN_THE_CONE, assumes=[separated], derived=[rows, mu_squared])


@lemma.claim("coherence", proof=coherent_sums, recorded="proved")
@mutants(scaled("1001/1000"), bent("cos >= sqrt(mu)", left=lambda cosine: cosine * cosine), without(separated))
def any_two_points_of_the_cone_are_coherent(a: Array, b: Array, rows: Array, mu_squared: Number) -> Margin:
    r"""Under Assumption 1, $\cos(z_1,z_2)\ge\mu$ for all nonzero $z_1,z_2\in K$."""
    sums = (x + y for x, y in combinations(rows, 2))
    points = [z for z in (member(a, rows), member(b, rows), *rows, *sums) if any(z)]
    pairs = combinations_with_replacement(points, 2)
    return at_least([signed_square(z, w) for z, w in pairs], mu_squared, "cos |cos| against mu |mu|")
