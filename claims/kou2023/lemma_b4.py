r"""Lemma B.4: single coefficients of a leaky ReLU network are balanced up to $\gamma^4$, with Eq. (B.41)."""

from collections.abc import Callable
from typing import Any

from refute import Fault, Kind, Margin, all_of, at_least, at_most, changed, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_MAIN
from refute.claims.kou2023.leaky_courses import LATE, PAIRS
from refute.claims.kou2023.single_steps import between_sums, by_induction, stepwise
from refute.decide.proof import by_smt
from refute.decide.proof import steps as all_steps
from refute.functions import absolute, largest, smallest, sqrt
from refute.models.kou2023.decomposition import Decomposition
from refute.strategies.kou2023.nearly_orthogonal import LEAKS, any_training

main = section("kou2023", "lemma_b4", "Lemma B.4", kind=Kind.DYNAMICS, given=PAIRS, assumes=LEAKY_MAIN, derived=LATE)


def _pointwise_proof() -> str | None:
    def statement() -> Any:
        import z3

        # |rho_{j,r,i}|, |rho_{j',r',i'}| and the sums over r for both
        gamma, c, m, a, b, s, s2 = z3.Reals("gamma c m a b s s2")
        signs = z3.And(gamma > 0, gamma < 1, c > 0, m > 0, s2 >= 0, b >= 0)
        given = z3.And(signs, m * a >= gamma * s, s >= c * gamma * gamma * s2, s2 >= m * gamma * b)
        return z3.Implies(given, a >= c * gamma * gamma * gamma * gamma * b)

    meaning = "from (B.8) and (B.41), which is proved of its own and needs no condition on the data"
    return all_steps(by_smt(statement), meaning)


@main.claim("balance_pointwise", recorded="proved", proof=_pointwise_proof)
@mutants(scaled("3"), changed("gamma^2 in place of gamma^4", gamma=lambda gamma: 1))
def single_coefficients_are_balanced(throughout: Decomposition, balance: Array, gamma: Number) -> Margin:
    r"""If (B.8) holds at time t, then $|\rho^{(t)}_{j,r,i}|\ge c_1\gamma^4|\rho^{(t)}_{j',r',i'}|$ for all indices,
    with the same $c_1$.

    Convention: $c_1\gamma^2$ is the smallest over the largest sum at that time.
    """
    sizes = throughout.known(absolute(throughout.rho).reshape(len(balance), -1))
    return at_least(smallest(sizes, axis=1) / largest(sizes, axis=1), balance * gamma**2, "smallest over largest |rho|")


def _bounds(steps: Decomposition, gamma: Number, last: int, shift: int) -> Margin:
    """Every |rho| at the steps up to `last` against the sum of |l'| at as many steps, from `shift` on."""
    parts = []
    for t in range(1, last + 1):
        total, rho = steps.logits[shift : t + shift].sum(axis=0) * steps.unit, absolute(steps.rho[t])
        parts += [at_least(rho, gamma * total, "below"), at_most(rho, total, "above")]
    return all_of(*parts)


@stepwise.claim(
    "lemma_b4.closed_bounds.r1",
    "proof of Lemma B.4",
    given=any_training(LEAKS),
    recorded="refuted",
    fault=Fault.BOUNDARY,
)
@mutants(scaled("11/10", "above"))
def coefficients_are_bounded_by_sums_from_one(steps: Decomposition, gamma: Number) -> Margin:
    r"""$\frac{\gamma\eta\|x_i\|^2}{nm}\sum_{s=1}^t|\ell_i'^{(s)}|\le|\rho^{(t)}_{j,r,i}|\le\frac{\eta\|x_i\|^2}{nm}\sum_{s=1}^t|\ell_i'^{(s)}|$.

    Fails at $t=1$: an active neuron has $|\rho^{(1)}|=\frac{\eta\|x_i\|^2}{nm}|\ell_i'^{(0)}|$, and $|\ell_i'|$ falls
    along the training.
    """
    return _bounds(steps, gamma, 2, 1)


@stepwise.claim("lemma_b4.closed_bounds.r2", "proof of Lemma B.4", proof=between_sums)
@mutants(scaled("999/1000", "above"), scaled("101/100", "below"))
def coefficients_are_bounded_by_sums_from_zero(steps: Decomposition, gamma: Number) -> Margin:
    r"""$\frac{\gamma\eta\|x_i\|^2}{nm}\sum_{s<t}|\ell_i'^{(s)}|\le|\rho^{(t)}_{j,r,i}|\le\frac{\eta\|x_i\|^2}{nm}\sum_{s<t}|\ell_i'^{(s)}|$."""
    return _bounds(steps, gamma, 4, 0)


Relation = Callable[[Any, Any, Any, Any, Any], Any]


def _sums_and_singles() -> str | None:
    relations: list[Relation] = [
        lambda gamma, a, b, m, s: m * a >= gamma * s,
        lambda gamma, a, b, m, s: s >= m * gamma * a,
    ]
    return all_steps(*(by_induction(relation) for relation in relations))


@stepwise.claim("eq_b41.sum_vs_single", "Eq. (B.41)", proof=_sums_and_singles)
@mutants(scaled("6/5", "m |rho|"), scaled("6/5", "sum"), changed("with the root of gamma", gamma=sqrt))
def sums_and_single_coefficients_are_comparable(steps: Decomposition, gamma: Number) -> Margin:
    r"""$m|\rho_{j,r,i}|\ge\gamma\sum_{r'}|\rho_{j,r',i}|$ and $\sum_r|\rho_{j,r,i}|\ge m\gamma|\rho_{j,r',i}|$."""
    sizes, m = absolute(steps.rho), steps.width
    return all_of(
        at_least(m * smallest(sizes, axis=2), gamma * steps.sums, "m |rho|"),
        at_least(steps.sums, m * gamma * largest(sizes, axis=2), "sum"),
    )
