r"""Lemma 5.2 and Lemma A.3: the update rule of the coefficients.

Coefficients are recovered from the weights: descent (3.2) runs on the weights, and (5.1) is solved for $\rho$ with the
Gram matrix, in balls.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from refute import Margin, all_of, changed, derived, equal, mutants, section
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import near_orthogonal, signed_halves
from refute.decide.proof import by_smt, steps
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.recovered import Recovered, recovered
from refute.strategies.kou2023.nearly_orthogonal import LEAKS, training

COUNT = 5


@derived
def found(data: Dataset, net: TwoLayer, rate: Number) -> Recovered:
    """The coefficients of the first steps."""
    return recovered(net, data, rate=rate, steps=COUNT)


def _update_proof() -> str | None:
    """One step of one coefficient: the push g = eta/(nm) |l'| sigma' |x|^2 >= 0 goes to the side s = j y, and rho stays
    on that side.
    """

    def statement() -> Any:
        import z3

        rho, g, s, zero = z3.Real("rho"), z3.Real("g"), z3.Real("s"), z3.RealVal(0)

        def above(value: Any) -> Any:
            return z3.If(value >= 0, value, zero)

        def below(value: Any) -> Any:
            return z3.If(value <= 0, value, zero)

        given = z3.And(z3.Or(s == 1, s == -1), g >= 0, s * rho >= 0)
        after = rho + s * g
        bar = above(after) == above(rho) + z3.If(s == 1, g, zero)
        under = below(after) == below(rho) - z3.If(s == -1, g, zero)
        return z3.Implies(given, z3.And(s * after >= 0, bar, under))

    meaning = (
        "(3.2) adds s_i g_i |x_i|^-2 x_i to a neuron, the coefficients are unique and zero at t = 0, and by "
        "induction s_i rho_i >= 0, which gives both updates and their sums"
    )
    return steps(by_smt(statement), meaning)


WITHOUT_M = changed("1/n in place of 1/(nm)", found=lambda found: replace(found, m=1))
UNGATED = changed("without sigma'", found=lambda found: replace(found, gates=0 * found.gates + 1))
BOTH_SIGNS = changed(
    "for both signs of j y_i", found=lambda found: replace(found, own=found.own**0, other=found.own**0)
)
UPDATE = [WITHOUT_M, UNGATED, BOTH_SIGNS]

main = section(
    "kou2023",
    "lemma_5_2",
    "Lemma 5.2",
    given=training(leaks=(Fraction(0), *LEAKS[:3])),
    assumes=[signed_halves, near_orthogonal],
    derived=[found],
    proof=_update_proof,
    recorded="proved",
    convention="nearly orthogonal data, so that the coefficients are unique; any step size (here 1, inputs of norm "
    "1/1024 to 2048), both activations",
    cost=4.0,
)


@main.claim("init", "Eq. (5.3)")
@mutants(
    changed("at step 1", found=lambda found: replace(found, rho=found.rho[1:])),
    changed("coefficients of w(t) itself", found=lambda found: replace(found, rho=found.raw)),
)
def coefficients_start_at_zero(found: Recovered) -> Margin:
    r"""$\bar\rho^{(0)}_{j,r,i}=\underline\rho^{(0)}_{j,r,i}=0$."""
    return equal(found.rho[0], 0, "rho(0)")


def _rises(found: Recovered) -> Margin:
    return equal(found.bar[1:], found.bar[:-1] + found.push * found.own, "rho-bar(t+1)")


def _falls(found: Recovered) -> Margin:
    return equal(found.under[1:], found.under[:-1] - found.push * found.other, "rho-underbar(t+1)")


@main.claim("rho_bar_update", "Eq. (5.4)")
@mutants(*UPDATE)
def positive_coefficients_grow_by_the_printed_rule(found: Recovered) -> Margin:
    r"""$\bar\rho^{(t+1)}=\bar\rho^{(t)}-\frac\eta{nm}\ell_i'^{(t)}\sigma'(\langle
    w^{(t)},x_i\rangle)\|x_i\|^21(y_i=j)$.
    """
    return _rises(found)


@main.claim("rho_under_update", "Eq. (5.5)")
@mutants(*UPDATE)
def negative_coefficients_fall_by_the_printed_rule(found: Recovered) -> Margin:
    r"""$\underline\rho^{(t+1)}=\underline\rho^{(t)}+\frac\eta{nm}\ell_i'^{(t)}\sigma'(\langle
    w^{(t)},x_i\rangle)\|x_i\|^21(y_i=-j)$.
    """
    return _falls(found)


of_appendix_a = section("kou2023", "lemma_a3", "Lemma A.3", **main.common)


@of_appendix_a.claim("update")
@mutants(*UPDATE)
def coefficients_follow_the_update_rule(found: Recovered) -> Margin:
    r"""The coefficients start at zero; $\bar\rho$ moves only where $y_i=j$ and $\underline\rho$ only where $y_i=-j$,
    each by $\frac\eta{nm}|\ell_i'|\sigma'(\langle w_{j,r},x_i\rangle)\|x_i\|^2$ per step, up and down.
    """
    return all_of(equal(found.rho[0], 0, "rho(0)"), _rises(found), _falls(found))


def _a_step_late(found: Recovered) -> Recovered:
    return replace(found, rho=found.rho[:-1], gates=found.gates[1:], logits=found.logits[1:])


@of_appendix_a.claim("proof_closed_form", "proof, Eqs. (A.1) and (A.2)")
@mutants(WITHOUT_M, UNGATED, changed("the sum runs over s = 1, ..., t", found=_a_step_late))
def coefficients_are_sums_over_the_past(found: Recovered) -> Margin:
    r"""$\bar\rho^{(t)}=-\frac\eta{nm}\sum_{s<t}\ell_i'^{(s)}\sigma'(\cdot)\|x_i\|^21(y_i=j)$, $\underline\rho^{(t)}$
    with $+$ and $1(y_i=-j)$, and $\rho^{(t)}=-\frac\eta{nm}\sum_{s<t}\ell_i'^{(s)}\sigma'(\cdot)\|x_i\|^2jy_i$.
    """
    own, other = (found.push * side for side in (found.own, found.other))
    return all_of(
        equal(found.bar[-1], own.sum(axis=0), "rho-bar(t)"),
        equal(found.under[-1], -other.sum(axis=0), "rho-underbar(t)"),
        equal(found.rho[-1], (own - other).sum(axis=0), "rho(t)"),
    )
