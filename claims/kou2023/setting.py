r"""Sections 1 and 3: the gradient step (3.2), the convention at the kink, what nearly orthogonal means, and the logits
of Eq. (5.8).
"""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Assumption, Kind, Margin, all_of, at_least, at_most, claim, identity, moved, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import near_orthogonal
from refute.decide.probability import with_probability
from refute.decide.proof import by_smt
from refute.decide.symbolic import by_identity
from refute.functions import absolute, exp, largest
from refute.models import Dataset
from refute.models.kou2023.decomposition import batch_courses
from refute.models.kou2023.orthogonality import largest_overlap, squared_norms, squared_radii
from refute.strategies import choice, count, number, sized
from refute.strategies.kou2023 import nearly_orthogonal as repair
from refute.strategies.kou2023.nearly_orthogonal import training


@identity(
    "kou2023.eq_3_2.gradient_formula",
    "Eq. (3.2)",
    recorded="proved",
    mutants=[
        moved("1/n in place of 1/(nm)", shares=0),
        moved("without the sign j", signed=0),
        moved("without sigma'", gated=0),
    ],
    convention="away from the kinks, where sigma is linear with some slope near each signal; two samples, two neurons "
    "of each sign",
)
def gradient_of_the_loss_is_the_printed_sum(*, shares: int = 1, signed: int = 1, gated: int = 1) -> Any:
    r"""$\nabla_{w_{j,r}}L_S(W)=\frac1{nm}\sum_i\ell_i'\sigma'(\langle w_{j,r},x_i\rangle)jy_ix_i$ with
    $\ell_i'=-1/(1+e^{y_if(x_i)})$.
    """
    import sympy

    n = m = 2
    x, y, e = (
        sympy.symbols(f"x0:{n}"),
        sympy.symbols(f"y0:{n}"),
        sympy.symbols(f"e0:{n}", positive=True),
    )  # e_i = e^{y_i f_i}
    neurons = [(j, r) for j in (1, -1) for r in range(m)]
    w = {
        h: sympy.Symbol(f"w{'pn'[h[0] < 0]}{h[1]}") for h in neurons
    }  # one coordinate of each neuron; the others stand still
    slopes = {h: sympy.symbols(f"z{'pn'[h[0] < 0]}{h[1]}_0:{n}") for h in neurons}
    f = [sum(sympy.Rational(h[0], m) * slopes[h][i] * w[h] * x[i] for h in neurons) for i in range(n)]
    q = sympy.Symbol("q")
    residuals = {"l'": sympy.diff(sympy.log(1 + sympy.exp(-q)), q) + 1 / (1 + sympy.exp(q))}
    for j, r in ((1, 0), (-1, 1)):
        chained = sum(-1 / (1 + e[i]) * y[i] * sympy.diff(f[i], w[j, r]) for i in range(n)) / n
        weights = [-1 / (1 + e[i]) * (slopes[j, r][i] if gated else 1) * (j if signed else 1) * y[i] for i in range(n)]
        residuals[f"j = {j}"] = chained - sum(weights[i] * x[i] for i in range(n)) / (n * m**shares)
    return residuals


@claim(
    "kou2023.sec3.sigma_prime_zero_wlog",
    "Section 3, after Eq. (3.2)",
    kind=Kind.PROBABILISTIC,
    given=sized(
        data=repair.signed_points, m=count(1, 3), gamma=choice("0", "1/2", "1/100"), rate=choice(1, "1/10", 10)
    ),
    recorded="supported",
    mutants=[moved("from weights zero", spread=0.0), moved("from weights rounded to integers", rounded=1)],
    convention="the statement is read as: almost surely no step depends on sigma'(0); ten steps, compared bit by bit; "
    "tested at 0.99",
)
def the_slope_at_zero_does_not_matter(
    data: Dataset,
    m: int,
    gamma: float,
    rate: float,
    *,
    rng: np.random.Generator,
    trials: int,
    spread: float = 1.0,
    rounded: int = 0,
) -> Margin:
    r"""From Gaussian weights gradient descent takes, with probability one, the same steps whether $\sigma'(0)$ is 0,
    $\gamma$ or 1.
    """

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        inner = spread * rng.standard_normal((count, 2 * m, data.inputs.shape[1]))
        inner = np.round(inner) if rounded else inner
        ends = [
            list(batch_courses(data, inner, slope=gamma, rate=rate, steps=10, slope_at_zero=s))[-1][0]
            for s in (0.0, gamma, 1.0)
        ]
        return np.asarray(((ends[0] == ends[2]) & (ends[1] == ends[2])).all(axis=(1, 2)))

    return with_probability(0.99, trial, rng, trials, "all conventions give the same signals")


per_sample = Assumption(
    "kou2023.intro.near_orthogonality_form",
    "|x_i|^2 >= C n max_{k != i} |<x_i, x_k>| for every i",
    lambda data, C: _per_sample(data, C),
    base=training(),
    satisfy=repair.shrink_overlaps_per_sample,
    violate=repair.repeat_an_input,
)


def _per_sample(data: Dataset, C: Number) -> Margin:
    gram, n = data.inputs @ data.inputs.T, len(data.labels)
    others = [largest(absolute(np.delete(row, i))) if n > 1 else row[i] * 0 for i, row in enumerate(gram)]
    return at_least(squared_norms(data.inputs), C * n * np.array(others), "|x_i|^2 against C n max |<x_i, x_k>|")


def _norms_dominate() -> str | None:
    def statement() -> Any:
        import z3

        low, high, square, p, n, C = z3.Reals("low high square p n C")
        given = z3.And(low > 0, high >= low, square >= low, p >= 0, n >= 1, C > 0, low * low >= C * high * n * p)
        return z3.Implies(given, square >= C * n * p)

    return by_smt(statement)


@claim(
    "kou2023.intro.near_orthogonality_form.r1",
    "Section 1 against Theorems 4.1 and 4.3",
    given=training(),
    assumes=[near_orthogonal],
    proof=_norms_dominate,
    recorded="proved",
    mutants=[moved("with 3C/2", factor=Fraction(3, 2)), without(near_orthogonal)],
    convention="the same constant C in both forms",
    cost=4.0,
)
def the_condition_of_the_theorems_is_the_stronger_one(data: Dataset, C: int, *, factor: Number = Fraction(1)) -> Margin:
    r"""$R_{\min}^2\ge CR^2np$ implies $\|x_i\|^2\ge Cn\max_{k\ne i}|\langle x_i,x_k\rangle|$ for every i."""
    return _per_sample(data, factor * C)


@claim(
    "kou2023.intro.near_orthogonality_form.r2",
    "Section 1 against Theorems 4.1 and 4.3",
    given=training(samples=(2, 3)),
    assumes=[per_sample],
    recorded="refuted",
    mutants=[moved("up to a factor 2", factor=Fraction(1, 2))],
    convention="the mutant is weaker and falls too: the two forms differ by R^4, which the paper treats as a constant",
    cost=4.0,
)
def the_condition_of_the_introduction_is_not_enough(data: Dataset, C: int, *, factor: Number = Fraction(1)) -> Margin:
    r"""The converse, with the same C.

    Fails for unequal norms, since $R^2$ (and the larger norm in p) stand on one side only: two inputs of norms 1 and 2
    with inner product $\frac1{2C}$ meet the form of the introduction, and $R_{\min}^4=1<4=CR_{\max}^2np$.
    """
    low, high = squared_radii(data.inputs)
    bound = factor * C * high * len(data.labels) * largest_overlap(data.inputs)
    return at_least(low * low, bound, "R_min^4 against C R_max^2 n p")


bounded_below = Assumption(
    "margin.bounded_below",
    "y f >= -B",
    lambda q, B: at_least(q, -B, "y f against -B"),
    base=sized(q=number(30), B=choice(0, 1, "1/2", 3)),
    satisfy=repair.raise_margin,
    violate=repair.lower_margin,
)


def _logit_proof() -> str | None:
    import sympy

    q = sympy.Symbol("q", real=True)
    ratio = 1 / (1 + sympy.exp(q)) / sympy.exp(-q)
    return by_identity(
        lambda: [ratio - 1 / (1 + sympy.exp(-q))], "|l'| e^q = 1/(1 + e^-q), which lies in [1/(1 + e^B), 1) for q >= -B"
    )


@claim(
    "kou2023.eq_5_8.logit_theta",
    "Eq. (5.8)",
    given=sized(q=number(30), B=choice(0, 1, "1/2", 3)),
    assumes=[bounded_below],
    proof=_logit_proof,
    recorded="proved",
    mutants=[moved("with e^{B/2} in the lower constant", spread=Fraction(1, 2)), moved("upper constant 9/10",
             top=Fraction(9, 10)),
             without(bounded_below)],
    convention="margins are bounded below by -B, as they are along the trajectories; the constants are 1/(1+e^B) and 1",
)  # fmt: skip
def logits_are_of_the_order_of_the_exponential(
    q: Number, B: Number, *, spread: Number = Fraction(1), top: Number = Fraction(1)
) -> Margin:
    r"""$|\ell'|=\Theta(e^{-yf})$: for $yf\ge-B$, $\frac{1}{1+e^B}e^{-yf}\le\frac1{1+e^{yf}}\le e^{-yf}$; here
    $yf=F_{y}-F_{-y}$.
    """
    logit = 1 / (1 + exp(q))
    return all_of(
        at_least(logit * (1 + exp(spread * B)), exp(-q), "(1 + e^B)|l'| against e^-q"),
        at_most(logit, top * exp(-q), "|l'| against e^-q"),
    )
