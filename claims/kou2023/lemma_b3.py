r"""Lemma B.3: after the first stage the sums of coefficients of a leaky ReLU network stay balanced and grow
logarithmically.

Its proof goes by induction on time; the displays of the induction are in `equations_b16_b25` to `equations_b35_b40`.
Write $\kappa=\gamma^{-2}c_3^{-1}R_{\min}^{-2}pn$, $c_4=1-\kappa$, $c_5=1-\kappa/\gamma$ and $c_6=1+\kappa$.
"""

from fractions import Fraction
from typing import Any

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    changed,
    derived,
    exponent,
    moved,
    mutants,
    scaled,
    section,
    shifted,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, LEAKY_MAIN, off_boundaries
from refute.claims.kou2023.leaky_courses import GIVEN, LATE, STAGE, whole
from refute.claims.kou2023.single_steps import by_induction, stepwise
from refute.decide.proof import by_smt, steps
from refute.decide.symbolic import by_identity
from refute.functions import absolute, exp, largest, leaky_relu, log1p, minimum, smallest, to_power
from refute.models import Dataset
from refute.models.kou2023.decomposition import Decomposition
from refute.models.kou2023.orthogonality import squared_radii
from refute.strategies import choice, number, positive, sized
from refute.strategies.kou2023.nearly_orthogonal import training


@derived
def log_quotient(data: Dataset, gamma: Number, beta: Number) -> Number:
    """min{1, log(1 + R^-2 e^{-(gamma+1) beta} C')/log(1 + gamma e^{2 beta} C')}, which is 6 c_3."""
    low, high = squared_radii(data.inputs)
    above = log1p(low / high * exp(-(gamma + 1) * beta) * STAGE)
    return minimum(above / log1p(gamma * exp(2 * beta) * STAGE), gamma * 0 + 1)


@derived
def after_stage(throughout: Decomposition, own: Array, opposite: Array, end: int) -> tuple[Array, Array, Array]:
    """The averages of both kinds from T_1 on, and eta |x_i|^2 t/(nm)."""
    late = throughout.steps >= end
    return own[late], opposite[late], throughout.unit * throughout.steps[late][:, None]


main = section(
    "kou2023",
    "lemma_b3",
    "Lemma B.3",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=LEAKY_MAIN,
    derived=[*LATE, log_quotient, after_stage],
    recorded="supported",
    cost=0.4,
)
proof = section("kou2023", "lemma_b3", "proof of Lemma B.3", recorded="proved")


@main.claim("balance_late", "Eq. (B.15)")
@mutants(scaled("8"), changed("without gamma", gamma=lambda gamma: 1))
def sums_of_coefficients_are_balanced_late(
    throughout: Decomposition, balance: Array, log_quotient: Number, gamma: Number, end: int
) -> Margin:
    r"""For $t\ge T_1$: $\sum_r|\rho^{(t)}_{j,r,i}|\ge c_3\gamma^2\sum_r|\rho^{(t)}_{j',r,i'}|$.

    Convention: $C'=2$ and $c_3=\frac16\min\{1,\frac{\log(1+R^{-2}e^{-(\gamma+1)\beta}C')}{\log(1+\gamma
    e^{2\beta}C')}\}$, as at the end of the proof; t up to $10^{12}$.
    """
    return at_least(balance[throughout.steps >= end], gamma**2 * log_quotient / 6, "smallest over largest sum")


@main.claim("rates.r1", "four items")
@mutants(moved("c_4 = 11/10", c4=Fraction(11, 10)), moved("c_6 = 9/5", c6=1.8))
def coefficients_grow_logarithmically(
    after_stage: tuple[Array, Array, Array], gamma: Number, beta: Number, *, c4: float = 0.5, c6: float = 3
) -> Margin:
    r"""For $t\ge T_1$ the averages $\frac1m\sum_r\bar\rho_{y_i,r,i}$ and $\frac1m\sum_r|\underline\rho_{-y_i,r,i}|$ lie
    between $c_6^{-1}\log(1+\gamma z_-t)$, $\gamma c_6^{-1}\log(1+z_-t)$ and $c_4^{-1}\log(1+z_+t)$,
    $(c_4\gamma)^{-1}\log(1+\gamma z_+t)$, where $z_-=\frac{\eta\|x_i\|^2c_6e^{-(\gamma+1)\beta}}{2nm}$ and
    $z_+=\frac{\eta\|x_i\|^2c_5e^{2\beta}}{nm}$.

    Convention: gamma in front of the fourth bound; $c_4=1/2$, $c_5=2$ and $c_6=3$, as the proof allows; t up to
    $10^{12}$.
    """
    own, opposite, time = after_stage
    up, down = 2 * exp(2 * beta) * time, c6 * exp(-(gamma + 1) * beta) / 2 * time
    return all_of(
        at_most(own, log1p(up) / c4, "own, above"),
        at_most(opposite, log1p(gamma * up) / (c4 * gamma), "opposite, above"),
        at_least(own, log1p(gamma * down) / c6, "own, below"),
        at_least(opposite, gamma * log1p(down) / c6, "opposite, below"),
    )


small_slopes = main.but(
    given=training(leaks=(Fraction(1, 1024),), constants=(100,)),
    assumes=[*LEAKY_APPENDIX, off_boundaries],
    derived=[*LATE, whole],
    recorded="refuted",
    fault=Fault.SCAN,
    in_balls=True,
)


@small_slopes.claim("rates.r2", "fourth item")
@mutants(moved("c_6 = 500", c6=500))
def opposite_coefficients_grow_uniformly_in_the_slope(
    whole: Decomposition, end: int, gamma: Number, beta: Number, *, c6: int = 100
) -> Margin:
    r"""$\frac1m\sum_r|\underline\rho_{-y_i,r,i}|\ge c_6^{-1}\log(1+z_-t)$ with a constant $c_6$ that does not depend on
    $\gamma$.

    Fails: the left side grows like $\frac{\gamma}{1+\gamma^2}\log t$, so no $c_6$ serves all $\gamma$.

    Convention: $c_6=100$ and no gamma in front of the fourth bound, where the scan is hardly legible; t up to
    $10^{20}$.
    """
    late = whole.since(end)
    time = late.unit * late.steps[:, None]
    bound = log1p(c6 * exp(-(gamma + 1) * beta) / 2 * time) / c6
    return at_least(late.known(late.opposite(late.sums / late.width)), bound, "opposite, below")


@stepwise.claim(
    "lemma_b3.own_vs_opposite",
    "proof of Lemma B.3, before Eq. (B.24)",
    proof=lambda: by_induction(lambda gamma, a, b, m, s: gamma * a <= b),
)
@mutants(scaled("99/100", "own"), scaled("99/100", "opposite"))
def own_and_opposite_coefficients_are_comparable(steps: Decomposition, gamma: Number) -> Margin:
    r"""$\gamma\bar\rho_{y_i,r',i}\le|\underline\rho_{-y_i,r,i}|\le\gamma^{-1}\bar\rho_{y_i,r',i}$ for all r and r'."""
    own, opposite = steps.own(steps.rho), absolute(steps.opposite(steps.rho))
    return all_of(
        at_most(gamma * largest(own, axis=1), smallest(opposite, axis=1), "own"),
        at_most(gamma * largest(opposite, axis=1), smallest(own, axis=1), "opposite"),
    )


def _sublinear() -> str | None:
    def statement() -> Any:
        import z3

        a, b, gamma = z3.Reals("a b gamma")

        def activation(z: Any) -> Any:
            return z3.If(gamma * z >= z, gamma * z, z)

        parts = [activation(a + b) <= activation(a) + activation(b), activation(a) >= a, activation(a) >= gamma * a]
        return z3.Implies(z3.And(gamma > 0, gamma < 1), z3.And(*parts))

    return by_smt(statement)


@proof.claim(
    "leaky_subadditive", given=sized(a=number(), b=number(), gamma=choice("1/2", "7/8", "1/64")), proof=_sublinear
)
@mutants(scaled("99/100", "sigma(a + b)"), scaled("101/100", "a"), scaled("99/100", "gamma a"))
def leaky_relu_is_subadditive(a: Number, b: Number, gamma: Number) -> Margin:
    r"""$\sigma(a+b)\le\sigma(a)+\sigma(b)$, $\sigma(z)\ge z$ and $\sigma(z)\ge\gamma z$ for leaky ReLU."""
    first, second, both = (leaky_relu(z, gamma) for z in (a, b, a + b))
    return all_of(
        at_most(both, first + second, "sigma(a + b)"), at_least(first, a, "a"), at_least(first, gamma * a, "gamma a")
    )


def half_bound() -> str | None:
    import sympy

    z = sympy.symbols("z", real=True)
    u = sympy.exp(-z)
    residual = 1 / (1 + sympy.exp(z)) - u / 2 - u * (1 - u) / (2 * (1 + u))
    return by_identity(lambda: [residual], "the difference is u (1 - u)/(2 (1 + u)) with u = e^-z in (0, 1]")


@derived
def size(z: Number) -> Number:
    """|z|."""
    return absolute(z)


@proof.claim("logistic_half_bound", "before Eq. (B.22)", given=sized(z=number(30)), derived=[size], proof=half_bound)
@mutants(scaled("101/100"), changed("for negative z", size=lambda size: -size))
def the_logistic_function_is_above_half_an_exponential(size: Number) -> Margin:
    r"""$\frac1{1+e^z}\ge\frac12e^{-z}$ for $z\ge0$."""
    return at_least(1 / (1 + exp(size)), exp(-size) / 2, "1/(1 + e^z)")


def bernoulli() -> str | None:
    """Bernoulli's inequality for all real exponents above 1, and the converse below."""
    import sympy

    s, r = sympy.symbols("s r", positive=True)  # s = 1 + x
    residual = sympy.diff(s**r - 1 - r * (s - 1), s) - r * (s ** (r - 1) - 1)
    meaning = (
        "(1+x)^r - 1 - rx vanishes at 0, and its derivative r((1+x)^(r-1) - 1) has the sign of (r - 1)x; at x "
        "= -1 by continuity"
    )
    return by_identity(lambda: [sympy.simplify(residual)], meaning)


POWERS = sized(base=positive(), step=choice(0, 1, 1, 1), gamma=choice("1/2", "7/8", "1/64", "99/100"))


@proof.claim("bernoulli", "after Eq. (B.38)", given=POWERS, proof=bernoulli)
@mutants(
    *(shifted("-1/100", "1 + x/gamma"), shifted("1/100", "1 + gamma x")),
    *(exponent("9/10", "1 + x/gamma"), exponent("11/10", "1 + gamma x")),
)
def bernoulli_inequalities(base: Number, step: int, gamma: Number) -> Margin:
    r"""$1+\gamma^{-1}x\le(1+x)^{1/\gamma}$ and $1+\gamma x\ge(1+x)^\gamma$ for $0<\gamma<1$ and $x\ge-1$.

    Convention: 1 + x = base step runs over zero and the positive numbers.
    """
    x = base * step - 1
    return all_of(
        at_most(1 + x / gamma, to_power(x + 1, 1 / gamma), "1 + x/gamma"),
        at_least(1 + gamma * x, to_power(x + 1, gamma), "1 + gamma x"),
    )


def _choice_of_c3() -> str | None:
    def statement() -> Any:
        import z3

        gamma, k = z3.Reals("gamma k")
        c4, c5, c6 = 1 - gamma * k, 1 - k, 1 + gamma * k
        bounds = z3.And(2 * c4 >= 1, 2 * c5 >= 1, 2 * c6 <= 3, c6 >= 1, c5 <= 1, 3 * c4 >= c6)
        return z3.Implies(z3.And(gamma > 0, gamma < 1, k >= 0, 2 * k <= 1), bounds)

    return steps(
        by_smt(statement), "so c_4/(2 c_6) >= 1/6, and c_6 >= 1 raises the upper logarithm, c_5 <= 1 lowers the other"
    )


@derived
def logarithms(gamma: Number, ratio: Number, beta: Number, stage: Number) -> tuple[Number, Number]:
    """R^-2 e^{-(gamma+1) beta} C' and gamma e^{2 beta} C'."""
    return exp(-(gamma + 1) * beta) * stage / ratio, gamma * exp(2 * beta) * stage


def _six_c3(low: Number, high: Number) -> Number:
    """min{1, log(1 + low)/log(1 + high)}."""
    return minimum(log1p(low) / log1p(high), low * 0 + 1)


end_of_proof = section(
    "kou2023",
    "lemma_b3",
    "end of the proof of Lemma B.3",
    given=sized(
        gamma=choice("99/100", "7/8", "1/2", "1/64"),
        share=choice("1", "1/2", "0"),
        ratio=choice("1", "4", "2", "100"),
        beta=choice("0", "1/100", "1/10"),
        stage=choice("2", "1", "1/100", "100"),
    ),
    derived=[logarithms],
    recorded="proved",
)


@end_of_proof.claim("constant_choice", proof=_choice_of_c3)
@mutants(
    *(scaled("51/50", "c_4"), scaled("1001/1000", "c_5"), scaled("99/100", "c_6"), scaled("49/50", "c_3")),
    changed("9/10 in place of 1/2", share=lambda share: 9 * share / 5),
)
def the_constant_of_the_late_balance(gamma: Number, share: Number, logarithms: tuple[Number, Number]) -> Margin:
    r"""If $\gamma^{-3}c_3^{-1}R_{\min}^{-2}pn\le\frac12$, then $c_4,c_5\ge\frac12$, $c_6\le\frac32$, and
    $c_3=\frac16\min\{1,\frac{\log(1+R^{-2}e^{-(\gamma+1)\beta}C')}{\log(1+\gamma e^{2\beta}C')}\}$ is at most
    $\frac{c_4}{2c_6}\min\{1,\frac{\log(1+R^{-2}c_6e^{-(\gamma+1)\beta}C')}{\log(1+\gamma c_5e^{2\beta}C')}\}$.

    Convention: ratio is $R^2$, and the overlap is a share of its bound.
    """
    (low, high), k, half = logarithms, share / 2, Fraction(1, 2)
    c4, c5, c6 = 1 - gamma * k, 1 - k, 1 + gamma * k
    c3, wanted = _six_c3(low, high) / 6, c4 / (2 * c6) * _six_c3(low * c6, high * c5)
    return all_of(
        at_least(c4, half, "c_4"), at_least(c5, half, "c_5"), at_most(c6, 3 * half, "c_6"), at_most(c3, wanted, "c_3")
    )


def _consistency_proof() -> str | None:
    def statement() -> Any:
        import z3

        # q = R^2 min{1, quotient of the logarithms} >= 1 or >= e^{-4 beta}/gamma, and e^{-2/5} >= 3/5
        gamma, q = z3.Reals("gamma q")
        given = z3.And(gamma > 0, gamma < 1, z3.Or(q >= 1, gamma * q >= z3.RealVal("3/5")))
        return z3.Implies(given, 12 * gamma <= 100 * q)

    meaning = (
        "R^2 log(1 + u/R^2) >= log(1 + u), and log(1 + as)/log(1 + bs) >= a/b = e^{-(gamma+3) beta}/gamma if a "
        "<= b: both by Bernoulli"
    )
    return steps(bernoulli(), meaning, by_smt(statement))


@end_of_proof.claim(
    "constant_choice.consistent", "whether the choice is possible", proof=_consistency_proof, printed=False
)
@mutants(moved("C = 11", C=11), scaled("1/9"))
def the_choice_of_the_late_balance_is_consistent(
    gamma: Number, share: Number, ratio: Number, logarithms: tuple[Number, Number], *, C: int = 100
) -> Margin:
    r"""(B.4) gives $\gamma^{-3}c_3^{-1}R_{\min}^{-2}pn\le\frac12$ for the chosen
    $c_3=\frac16\min\{1,\frac{\log(1+R^{-2}e^{-(\gamma+1)\beta}C')}{\log(1+\gamma e^{2\beta}C')}\}$, which depends on
    $R$ and $\gamma$.

    Convention: C = 100 in (B.4), of which $R_{\min}^{-2}pn$ is a share, and $\beta\le1/10$, as (B.5) gives; ratio is
    $R^2$, and any $C'>0$ will do.
    """
    return at_most(share * gamma**4 / (C * ratio), gamma**3 * _six_c3(*logarithms) / 12, "R_min^-2 pn")
