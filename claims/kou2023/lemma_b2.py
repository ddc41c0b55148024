r"""Lemma B.2: in the first stage the coefficients of a leaky ReLU network grow linearly, and are balanced up to
$\gamma$.

$\hat c$ is the smallest $|\ell_i'|$ of the stage, $C'=2$ in $T_1=C'\eta^{-1}nmR_{\max}^{-2}$ and
$c_2=\hat cR_{\min}^2R_{\max}^{-2}$.
"""

from typing import Any

from refute import Kind, Margin, all_of, at_least, at_most, changed, derived, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, LEAKY_MAIN, small_start_leaky
from refute.claims.kou2023.leaky_courses import EARLY, GIVEN, STAGE, early_share
from refute.claims.kou2023.single_steps import UPDATE, stepwise
from refute.decide.proof import by_smt
from refute.decide.proof import steps as all_steps
from refute.functions import absolute, exp, largest, smallest, sqrt
from refute.models import Dataset
from refute.models.kou2023.decomposition import Decomposition
from refute.models.kou2023.orthogonality import relative_overlap
from refute.strategies import choice, positive, sized


@derived
def sizes(stage: Decomposition) -> Array:
    """|rho_{j,r,i}| at the steps of the stage."""
    found: Array = stage.known(absolute(stage.rho))
    return found


@derived
def time(stage: Decomposition) -> Array:
    """The steps of the stage, along the first of four axes."""
    return stage.steps[:, None, None, None]


main = section(
    "kou2023",
    "lemma_b2",
    "Lemma B.2",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=LEAKY_APPENDIX,
    derived=[*EARLY, early_share, sizes, time],
    recorded="supported",
)


@main.claim("balance_early", "Eq. (B.9)", assumes=LEAKY_MAIN)
@mutants(scaled("3"), changed("with the root of gamma", early_share=sqrt))
def coefficients_are_balanced_early(sizes: Array, early_share: Number) -> Margin:
    r"""For $0\le t\le T_1$: $|\rho^{(t)}_{j,r,i}|\ge c_2\gamma|\rho^{(t)}_{j',r',i'}|$ for all indices."""
    found = sizes.reshape(len(sizes), -1)
    return at_least(smallest(found, axis=1), early_share * largest(found, axis=1), "smallest |rho|")


def _linear_proof() -> str | None:
    def statement() -> Any:
        import z3

        slope, logit, unit, top, t, a = z3.Reals("slope logit unit top t a")
        given = z3.And(slope >= 0, slope <= 1, logit > 0, logit < 1, unit >= 0, unit <= top, t >= 0, a <= top * t)
        return z3.Implies(given, z3.And(slope * logit * unit <= unit, a + slope * logit * unit <= top * (t + 1)))

    return all_steps(UPDATE, by_smt(statement))


@stepwise.claim("lemma_b2.step_upper", "Eqs. (B.11) and (B.12)", proof=_linear_proof)
@mutants(scaled("2/3", "growth of |rho|"), scaled("99/100", "eta |x_i|^2/(nm)"))
def coefficients_grow_by_at_most_one_unit(steps: Decomposition) -> Margin:
    r"""In one step $\bar\rho_{y_i,r,i}$ and $|\underline\rho_{-y_i,r,i}|$ grow by at most
    $\frac\eta{nm}\|x_i\|^2\le\frac{\eta R_{\max}^2}{nm}$.
    """
    sizes, unit = absolute(steps.rho), steps.unit
    return all_of(
        at_most(sizes[1:] - sizes[:-1], unit, "growth of |rho|"), at_most(unit, largest(unit), "eta |x_i|^2/(nm)")
    )


@stepwise.claim("lemma_b2.upper_linear", "Eq. (B.14)", proof=_linear_proof)
@mutants(scaled("2/3"))
def coefficients_grow_at_most_linearly(steps: Decomposition) -> Margin:
    r"""$|\rho^{(t)}_{j,r,i}|\le\frac{\eta R_{\max}^2}{nm}t$ for all indices."""
    bound = largest(steps.unit) * steps.steps.astype(int)[:, None, None, None]
    return at_most(absolute(steps.rho), bound, "|rho|")


@main.claim("order_one", "proof, after Eq. (B.12)")
@mutants(scaled("3/8", "|rho|"), scaled("14", "|l'|"), without(small_start_leaky))
def everything_is_of_order_one_early(data: Dataset, stage: Decomposition, sizes: Array, beta: Number) -> Margin:
    r"""For $t\le T_1$: $|\rho_{j,r,i}|\le C'$, $F_{\pm1}(x_i)\le C'(1+R_{\min}^{-2}pn)+\beta$ with $\beta\le1$, and
    $|\ell_i'|\ge(1+e^{2C'+2\beta})^{-1}$.

    Convention: O(1) is made explicit by these constants.
    """
    return all_of(
        at_most(beta, 1, "beta"),
        at_most(sizes, STAGE, "|rho|"),
        at_most(stage.known(stage.outputs), STAGE * (1 + relative_overlap(data.inputs)) + beta, "F_j"),
        at_least(stage.known(stage.logits), 1 / (1 + exp(2 * STAGE + 2 * beta)), "|l'|"),
    )


@main.claim("lower_linear", "Eq. (B.13)")
@mutants(scaled("3/2", "|rho|"), changed("with the root of gamma", gamma=sqrt), scaled("101/100", "R_min"))
def coefficients_grow_at_least_linearly_early(stage: Decomposition, sizes: Array, time: Array, gamma: Number) -> Margin:
    r"""For $0\le t\le T_1$: $|\rho_{j,r,i}|\ge\frac{\hat c\gamma\eta\|x_i\|^2}{nm}t\ge\frac{\hat c\gamma\eta
    R_{\min}^2}{nm}t$.
    """
    speed = smallest(stage.logits) * gamma * stage.unit
    return all_of(at_least(sizes, speed * time, "|rho|"), at_least(speed, smallest(speed), "R_min"))


def _choice_of_c2() -> str | None:
    def statement() -> Any:
        import z3

        a, b, c, c2, gamma, low, high, t = z3.Reals("a b c c2 gamma low high t")
        signs = z3.And(c > 0, gamma > 0, low > 0, high >= low, t >= 0, b >= 0, c2 > 0)
        given = z3.And(signs, a >= c * gamma * low * t, b <= high * t, c2 * high <= c * low)
        return z3.Implies(given, a >= c2 * gamma * b)

    return by_smt(statement)


end_of_proof = main.but(
    "end of the proof of Lemma B.2",
    kind=Kind.ALGEBRAIC,
    assumes=(),
    given=sized(
        c=choice("1/4", "1/2", "1/100"),
        gamma=choice("1/2", "1/64", "7/8"),
        low=positive(),
        ratio=choice("1", "2", "4"),
        t=positive(),
        more=choice("1", "2"),
        less=choice("1", "1/2", "0"),
        share=choice("1", "1/2"),
    ),
)


@end_of_proof.claim("constant_choice", recorded="proved", proof=_choice_of_c2)
@mutants(scaled("1001/1000"))
def the_constant_of_the_early_balance(
    c: Number, gamma: Number, low: Number, ratio: Number, t: Number, more: Number, less: Number, share: Number
) -> Margin:
    r"""If $a\ge\hat c\gamma R_{\min}^2t$, $b\le R_{\max}^2t$ and $c_2\le\hat cR_{\min}^2R_{\max}^{-2}$, then
    $a\ge c_2\gamma b$.

    Convention: t stands for $\eta t/(nm)$; a, b and $c_2$ are multiples of their bounds.
    """
    a, b, c2 = more * c * gamma * low * t, less * ratio * low * t, share * c / ratio
    return at_least(a, c2 * gamma * b, "a against c_2 gamma b")
