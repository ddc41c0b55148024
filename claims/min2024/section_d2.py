r"""Appendix D.2: from $t_1$ over $t_2$ to a loss that vanishes like 1/t."""

from fractions import Fraction
from operator import neg

import numpy as np

from refute import (
    Margin,
    all_of,
    at_least,
    at_most,
    bent,
    changed,
    derived,
    equal,
    less,
    mutants,
    nothing,
    scaled,
    section,
    suppose,
    without,
)
from refute.arithmetic.enclosed import stacked
from refute.arithmetic.numbers import Array, Number, exact_array
from refute.claims.min2024.assumptions import positive_class, separated
from refute.claims.min2024.fits import REACHED, fit, fitting, never, reached
from refute.claims.min2024.quantities import mu_squared, rows, squares
from refute.decide.proof import by_smt, in_words, steps
from refute.functions import absolute, exp, sign, smallest, squared_norm
from refute.language.cases import Fields
from refute.models import Dataset
from refute.models.min2024.cones import centre, separation
from refute.models.min2024.fitting import Fit
from refute.strategies import drawn, sized
from refute.strategies.min2024.separable import extreme_weights
from refute.strategies.min2024.separated import separated_dataset

FIRST, SECOND, THIRD = "first link: -4 dL/dt", "second link", "third link"

after = fitting.but("D.2", derived=[fit, reached])


@after.claim("sec_D.t1_before_t2")
@mutants(scaled(100))
def no_output_exceeds_a_quarter_before_t1(fit: Fit, reached: bool) -> Margin:
    r"""$t_1\le\min\{t_2^+,t_2^-\}$: no output of either class exceeds 1/4 before $t_1$.

    Convention: t_2 is located along the whole run from the start.
    """
    suppose(reached, REACHED)
    if fit.second >= len(fit.time):
        return never(fit)
    return at_least(stacked([fit.first_loud(label) for label in (1, -1)]), fit.t1, "t_2^+ and t_2^- against t_1")


@after.claim("sec_D.loss_ode", "display after (35)")
@mutants(scaled(10, FIRST), scaled(2, SECOND), scaled(2, THIRD))
def the_loss_obeys_a_differential_inequality(fit: Fit, reached: bool) -> Margin:
    r"""$4\dot{\mathcal L}\le-\gamma^2(\sum_{\tilde{\mathcal V}_+}v_j^2\mathcal L_+^2+\sum_{\tilde{\mathcal
    V}_-}v_j^2\mathcal L_-^2) \le-\frac{\gamma^2}{4X_{\max}}(\mathcal L_+^2+\mathcal
    L_-^2)\le-\frac{\gamma^2}{8X_{\max}}\mathcal L^2$ for $t\ge t_2$, $\gamma=\mu X_{\min}$.

    Convention: all three losses; each link by itself, as a quotient, at all recorded times after t_2.
    """
    suppose(reached, REACHED)
    late, c = fit.after_t2, fit.constants
    if not len(late.time):
        return never(fit)
    plus, minus = late.losses(1), late.losses(-1)
    weighted = late.mass(1) * plus**2 + late.mass(-1) * minus**2
    both = plus**2 + minus**2
    return all_of(
        at_least(-4 * late.loss_speed / ((c.mu * c.shortest) ** 2 * weighted), 1, FIRST),
        at_least(c.longest * weighted / both, 0.25, SECOND),
        at_least(both / (plus + minus) ** 2, 0.5, THIRD),
    )


@after.claim("sec_D.norm_growth_late")
@mutants(scaled(4), bent("norms shrink", left=neg))
def norms_grow_exponentially_before_t2(fit: Fit, reached: bool) -> Margin:
    r"""$\frac d{dt}\sum_{\tilde{\mathcal V}_\pm}\|w_j\|^2\ge\frac{\sqrt\mu n_\pm X_{\min}}4\sum_{\tilde{\mathcal
    V}_\pm}\|w_j\|^2$ for $t_1'\le t\le t_2^\pm$.

    Convention: all three losses, although (40) fails for that of the main text; at recorded times.
    """
    suppose(reached, REACHED)
    parts = []
    for label in (1, -1):
        part = fit.before_t2(label)
        shares = exp(2 * part.log_norms[:, part.members(label)] - part.log_mass(label)[:, None])
        speed = (2 * shares * part.growth(label)).sum(axis=1)
        parts.append(at_least(speed, fit.slow(label) / 4, "d/dt ln sum |w_j|^2 against sqrt(mu) n X_min / 4"))
    return all_of(*parts)


AVERAGE, CAP = "average output against 1/4", "sqrt(mu) X_min sum |w_j|^2 against 1"


@after.claim("sec_D.norm_cap_at_t2", "before (39)")
@mutants(scaled("1/20", CAP), scaled("1/2", AVERAGE))
def norms_are_capped_at_t2(fit: Fit, reached: bool) -> Margin:
    r"""At $t_2^\pm$:
    $\frac14\ge\frac1{n_\pm}\sum_if(x_i)=\frac1{n_\pm}\sum_j\|w_j\|^2\cos(w_j,x_\pm)\|x_\pm\|\ge\frac14\sqrt\mu
    X_{\min}\sum_j\|w_j\|^2$, so $\sum_{\tilde{\mathcal V}_\pm}\|w_j\|^2\le\frac1{\sqrt\mu X_{\min}}$.

    Convention: at the last recorded time before t_2^+ (t_2^-).
    """
    suppose(reached, REACHED)
    parts = [nothing("nothing recorded between t_1' and t_2")]
    for label in (1, -1):
        part = fit.before_t2(label).during(slice(-1, None))
        if len(part.time):
            own, members = fit.of_class(label), fit.members(label)
            average, slow = label * part.outputs[0, own].mean(), fit.slow(label) / len(own)
            size = float(np.linalg.norm(centre(fit.data, label))) / len(own)
            mass, cosines = exp(2 * part.log_norms[0, members]), part.cosines(label)[0]
            parts += [
                at_most(average, 0.25, AVERAGE),
                equal(average, size * (mass * cosines).sum(), "average output in terms of cosines"),
                at_least(cosines, 0.25, "cos(w_j, x_+) against 1/4"),
                at_least(average, slow / 4 * mass.sum(), "average output against sqrt(mu) X_min sum |w_j|^2 / 4"),
                at_most(slow * mass.sum(), 1, CAP),
            ]
    return all_of(*parts)


def _spread(fields: Fields) -> Fields:
    """In place of a single datum with slope 3/2: two almost orthogonal data with slopes 1/2 and 3/2 and squared lengths
    of about 3 to 1, where the cosine is smallest.
    """
    if len(fields["data"].labels) > 1 or fields["weights"][0] < 4:
        return fields
    pair = exact_array([[Fraction(7, 4), 0], [Fraction(1, 1024), 1]])
    return {"data": Dataset(pair, exact_array([1, 1])), "weights": exact_array([-4, 4])}


@derived
def tilde(data: Dataset, weights: Array) -> Array:
    """x_tilde with slopes between 1/2 and 3/2."""
    own = [i for i, y in enumerate(data.labels) if sign(y) > 0]
    slopes: Array = 1 + weights[own] / 8  # the entries of `weights` lie in [-4, 4]
    found: Array = slopes @ data.inputs[own]
    return found


def cosine_proof() -> str | None:
    r"""Term by term, as all $\langle x_i,x_j\rangle\ge0$: $\langle x_+,\tilde x\rangle\ge\frac12\|x_+\|^2$ and
    $\|\tilde x\|^2\le\frac94\|x_+\|^2$.
    """
    import z3

    g, h, product, inner, first, second = z3.Reals("g h product inner first second")
    window = z3.And(2 * g >= 1, 2 * g <= 3, 2 * h >= 1, 2 * h <= 3, product >= 0)
    whole = z3.And(first > 0, second >= 0, 2 * inner >= first, 4 * second <= 9 * first)
    return steps(
        by_smt(
            lambda: z3.Implies(window, z3.And(2 * g * product >= product, 4 * g * h * product <= 9 * product)),
            "term by term, with <x_i, x_j> >= 0",
        ),
        in_words("sums of the terms: <x_+, x_tilde> >= |x_+|^2/2 and |x_tilde|^2 <= 9 |x_+|^2/4"),
        by_smt(
            lambda: z3.Implies(whole, z3.And(inner > 0, 9 * inner * inner >= first * second)), "so the cosine is >= 1/3"
        ),
    )


def length_proof() -> str | None:
    r"""Term by term: $g_ig_j\langle x_i,x_j\rangle\ge\frac14\mu X_{\min}^2$, for $i=j$ as well since $\mu\le1$; there
    are $n_+^2$ terms.
    """
    import z3

    g, h, product, mu, p, q, least = z3.Reals("g h product mu p q least")
    window = z3.And(2 * g >= 1, 2 * h >= 1, mu > 0, least > 0, p >= least, q >= least, product >= mu * p * q)
    return steps(
        by_smt(
            lambda: z3.Implies(window, 4 * g * h * product >= mu * least * least),
            "each term g_i g_j <x_i, x_j> of |x_tilde|^2 is at least mu X_min^2/4",
        ),
        in_words("also for i = j, since mu <= 1; there are n_+^2 terms"),
    )


pieces = section(
    "min2024",
    "",
    "D.2, missing pieces",
    given=sized(data=separated_dataset, weights=extreme_weights, samples=drawn(1, 4), dimension=drawn(2, 3)).map(
        _spread
    ),
    assumes=[positive_class, separated],
    derived=[tilde],
    recorded="proved",
    convention="slopes anywhere in [1/2, 3/2]; Assumption 1 is not shown necessary for the cosine",
    cost=2.0,
)


@pieces.claim("sec_D.x_tilde_cosine", proof=cosine_proof)
@mutants(scaled("69/10", "<x_+, x_tilde>^2"), scaled("864/100", "<x_+, x_tilde>^2"))
def x_tilde_is_close_to_the_centre(data: Dataset, tilde: Array) -> Margin:
    r"""$\cos(x_+,\tilde x_a)\ge\frac13$ for $\tilde x_a=\sum_{i\in\mathcal I_+}g_ix_i$ with
    $\frac12\le g_i\le\frac32$.

    The smallest cosine is $\sqrt3/2$, as $\mu$ tends to 0.
    """
    c = centre(data, 1)
    bound = squared_norm(c) * squared_norm(tilde) / 9
    return all_of(less(0, c @ tilde, "0 against"), at_least((c @ tilde) ** 2, bound, "<x_+, x_tilde>^2"))


@pieces.claim("sec_D.x_tilde_norm", proof=length_proof)
@mutants(scaled("101/100"), bent("all data for those of the class", right=lambda bound: 4 * bound))
def x_tilde_is_long(data: Dataset, tilde: Array) -> Margin:
    r"""$\|\tilde x_a\|\ge\sqrt\mu\,n_+X_{\min}/2$."""
    count, shortest = int((data.labels > 0).sum()), smallest((data.inputs * data.inputs).sum(axis=1))
    return at_least(squared_norm(tilde), separation(data) * count**2 * shortest / 4, "|x_tilde|^2")


def _margin_proof() -> str | None:
    """mu is the least of the cosines c of z and y_j x_j, and <z, y_j x_j> = c |x_j|."""
    import z3

    c, mu, size, least = z3.Reals("c mu size least")
    given = z3.And(mu > 0, c >= mu, size >= least, least > 0)
    return steps(
        in_words("<z, y_j x_j> = c |x_j| with c the cosine, and mu is the least of these cosines"),
        by_smt(
            lambda: z3.Implies(given, z3.And(c * size >= mu * size, mu * size >= mu * least)), "so it is >= mu X_min"
        ),
    )


margin = pieces.but(
    "D.2", given=sized(data=separated_dataset), assumes=[separated], derived=[rows, mu_squared, squares], cost=3.0
)


@margin.claim("sec_D.separability_margin", proof=_margin_proof)
@mutants(
    scaled("101/100", "least"),
    changed("gamma = mu X_max", squares=lambda squares: squares * 0 + max(squares)),
    changed("one datum with the wrong label", rows=lambda rows: np.vstack([-rows[:1], rows[1:]])),
    without(separated),
)
def every_datum_separates_the_data(rows: Array, mu_squared: Number, squares: Array) -> Margin:
    r"""With $z=y_ix_i/\|x_i\|$ for any fixed i: $\langle z,y_jx_j\rangle\ge\mu\|x_j\|\ge\mu X_{\min}>0$ for all j.

    Convention: z = y_i x_i / |x_i| for any index i; it separates both classes, so in particular each.
    """
    inner = rows @ rows.T
    signed = inner * absolute(inner) / squares[:, None]  # the signed square of <z, y_j x_j>
    return all_of(
        less(0, inner, "0 against <z, y_j x_j>"),
        at_least(signed, mu_squared * squares, "each: <z, y_j x_j> |<z, y_j x_j>| against mu |mu| |x_j|^2"),
        at_least(signed, mu_squared * smallest(squares), "least: the same against mu |mu| X_min^2"),
    )
