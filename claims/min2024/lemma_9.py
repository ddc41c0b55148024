r"""Lemma 9: what lies outside of $S_\pm$ is at an angle from $K$."""

from operator import neg

from refute import Margin, all_of, at_least, at_most, bent, changed, derived, less, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import separated
from refute.claims.min2024.lemma_5 import coherent_sums, member
from refute.claims.min2024.lemma_8 import wrong_side_is_far
from refute.claims.min2024.quantities import mu_squared, rows
from refute.decide.proof import in_words, steps
from refute.functions import absolute
from refute.models import Dataset
from refute.models.min2024.cones import in_minus, in_plus
from refute.models.min2024.conic import foot, signed_square
from refute.strategies.min2024.conic import coefficients, enough
from refute.strategies.min2024.separated import placed, separated_dataset, vector


@derived
def core(a: Array, rows: Array) -> list[Array]:
    """Points of K: one that is drawn, and the generators."""
    return [z for z in (member(a, rows), *rows) if any(z)]


@derived
def doubtful(w: Array, rows: Array) -> list[Array]:
    """Vectors that touch or cross a hyperplane x_i^perp: w, and the foot there of every y_j x_j, as it is, a little
    over, and reversed.
    """
    feet = [(foot(z, x), x) for z in rows for x in rows]
    beyond = [z - x / 2**40 for z, x in feet]
    return [z for z in (w, -w, *(z for z, _ in feet), *beyond, *(-z for z, _ in feet)) if any(z)]


def _gap_proof() -> str | None:
    return steps(
        coherent_sums(),
        in_words("x_1 in K has cosine >= mu with every y_i x_i; what is outside of S_+ is on the wrong side of some"),
        wrong_side_is_far(),
        in_words("the same for -x_2, which is outside of S_+ where x_2 is outside of S_-"),
    )


lemma = section(
    "min2024",
    "lemma_9",
    given=placed(data=separated_dataset, a=coefficients, w=vector).within(enough("a")),
    assumes=[separated],
    derived=[rows, mu_squared, core, doubtful],
    proof=_gap_proof,
    recorded="proved",
    cost=2.0,
)


@lemma.claim("angular_gap", "Lemma 9, Eqs. (20) and (27)")
@mutants(scaled("1001/1000", "1 - cos^2"), bent("xi = mu", "1 - cos^2", left=lambda gap: gap * gap), without(separated))
def what_is_in_neither_cone_is_far_from_the_data(
    data: Dataset, core: list[Array], doubtful: list[Array], mu_squared: Number
) -> Margin:
    r"""There is $\xi>0$ with $|\cos(x_1,x_2)|\le\sqrt{1-\xi}$ for all $x_1\in K$ and all $x_2$ outside of $S_+$ and of
    $S_-$.

    Witness $\xi=\mu^2$: some $y_ix_i$ makes an angle of at least $\pi/2$ with $x_2$ and of at most $\arccos\mu$ with
    $x_1$; likewise for $-x_2$.

    Convention: xi = mu^2, which is the best constant if mu < 1; the supremum over no vectors at all (dimension 1)
    bounds nothing.
    """
    apart = [z for z in doubtful if not in_plus(z, data) and not in_minus(z, data)]
    gaps = [1 - absolute(signed_square(x, z)) for x in core for z in apart]
    return all_of(less(0, mu_squared, "0 against xi"), at_least(gaps, mu_squared, "1 - cos^2 against xi"))


@lemma.claim("one_sided", "Eqs. (21) and (22)")
@mutants(
    bent("below sqrt(1 - 101/100 mu^2)", "cos |cos|", right=lambda bound: 1 - (1 - bound) * 101 / 100),
    changed("K against the complement of S_-", core=lambda core: [neg(z) for z in core]),
    without(separated),
)
def what_is_outside_a_cone_is_not_in_its_core(
    data: Dataset, core: list[Array], doubtful: list[Array], mu_squared: Number
) -> Margin:
    r"""$\sup\langle x_1,x_2\rangle<1$ over unit $x_1\in K$, $x_2\notin S_+$, and over unit $x_1\in-K$, $x_2\notin S_-$.

    Convention: the suprema are below 1 because they are at most sqrt(1 - mu^2).
    """
    bound, others = 1 - mu_squared, [*doubtful, *core]
    cosines = [signed_square(x, z) for x in core for z in others if not in_plus(z, data)]
    cosines += [signed_square(-x, z) for x in core for z in others if not in_minus(z, data)]
    return all_of(less(bound, 1, "1 - mu^2 against 1"), at_most(cosines, bound, "cos |cos| against 1 - mu^2"))
