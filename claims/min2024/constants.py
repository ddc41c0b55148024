r"""Appendix C.2, the arithmetic: (26), (28), (29), the scale of Theorem 1, and the travel time of a dying neuron.

$r=\min\{\zeta,\xi\}\sqrt\mu X_{\min}$; a pattern with k active data lasts at most $4/(rk)$, $t_1=16\log n/r$,
$T=\frac1{4nX_{\max}} \log\frac1{\sqrt h\epsilon}$. Scales are compared by their logarithms.
"""

from fractions import Fraction

import numpy as np

from refute import Cases, Kind, Margin, all_of, at_least, at_most, claim, equal, less, moved, without
from refute.arithmetic.numbers import Number
from refute.claims.min2024.assumptions import SETTING, not_aligned, separated
from refute.claims.min2024.scale import SEPARATIONS, positive_neuron, two_positive_data
from refute.claims.min2024.training import PARTS
from refute.decide.proof import by_smt, by_subdivision, steps
from refute.decide.rate import exponent_equals, fit
from refute.decide.symbolic import by_identity
from refute.functions import log, maximum, minimum, sign, sqrt, squared_norm
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.alignment import gaps, scales
from refute.models.min2024.cones import centre, zeta_1
from refute.strategies import choice, count, number, positive, sized
from refute.strategies.min2024.separated import neurons, placed, separated_dataset

_START = placed(data=separated_dataset, start=neurons, part=PARTS)
_ROOMY = placed(data=separated_dataset, start=neurons, part=PARTS, samples=(2, 4))


def _nearest(data: Dataset, start: Balanced) -> list[Number]:
    """cos^2 of each neuron with the centre of the other class, zero where the cosine is negative or
    the class absent.
    """
    found = []
    for w, s in zip(start.shape, start.signs, strict=True):
        c = centre(data, -sign(s))
        if sign(c).any():
            inner = maximum(w @ c, 0 * (w @ c))
            found.append(inner * inner / (squared_norm(w) * squared_norm(c)))
    return found


def _used(data: Dataset, start: Balanced, zeta: Number) -> Margin:
    """What the proof uses: the closed cone of zeta around each centre lies in its S, and no neuron of the other sign
    starts in it.
    """
    inclusion = less(zeta, zeta_1(data), "zeta against min cos^2(x_i, centre): S^zeta of each centre lies in its cone")
    outside = [
        less(square, 1 - zeta, "cos^2(w_j(0), wrong centre) against 1 - zeta: w_j(0) is not in S^zeta")
        for square in _nearest(data, start)
    ]
    return all_of(inclusion, *outside)


@claim(
    "min2024.eq_26.zeta",
    "Eq. (26) and the line after it",
    given=_START,
    assumes=SETTING,
    recorded="refuted",
    convention="zeta_1, zeta_2 are `part` of their largest values; the two properties are those that C.2 uses. Both "
    "numbers are only said "
    "to exist, and each is chosen by itself: who takes zeta_1 = zeta_2 small enough has no use for a maximum",
)
def the_larger_zeta_serves_both_purposes(data: Dataset, start: Balanced, part: Number) -> Margin:
    r"""With $\zeta=\max\{\zeta_1,\zeta_2\}$, $\zeta_1$ from Lemma 8 and $\zeta_2$ from (26):
    $S^\zeta_{x_\mp}\subset S_\mp$, and no $w_j(0)$ with
    $v_j\gtrless0$ lies in $S^\zeta_{x_\mp}$.

    Fails: a larger $\zeta$ makes the cone $\{\cos\ge\sqrt{1-\zeta}\}$ larger, so both properties pass to smaller
    $\zeta$ only. With $\zeta_2>\zeta_1$ the cone may leave $S_\mp$, with $\zeta_1>\zeta_2$ a neuron may start in it:
    for the datum $(1,1)$, y = -1, and a positive neuron along $(1,0)$ one may take $\zeta_1=0.99$ and $\zeta_2=0.495$,
    and $\cos^2=\frac12\ge1-\zeta$.
    """
    first, second = gaps(data, start)
    return _used(data, start, maximum(part * first, part * second))


@claim(
    "min2024.eq_26.zeta.amended",
    "Eq. (26) and the line after it",
    given=_START,
    assumes=SETTING,
    recorded="supported",
    mutants=[
        moved("half of the smaller plus half of the larger", mixed=Fraction(1, 2)),
        without(not_aligned),
        without(separated),
    ],
    convention="zeta_1, zeta_2 are `part` of their largest values",
    cost=3.0,
)
def the_smaller_zeta_serves_both_purposes(
    data: Dataset, start: Balanced, part: Number, *, mixed: Number = Fraction(0)
) -> Margin:
    r"""Amended: $\zeta=\min\{\zeta_1,\zeta_2\}>0$, and (26) strict (with $\le$ a neuron may sit on the edge of the
    closed cone $S^{\zeta_2}$).
    """
    first, second = (part * value for value in gaps(data, start))
    zeta = (1 - mixed) * minimum(first, second) + mixed * maximum(first, second)
    return all_of(less(0, zeta, "0 against zeta"), _used(data, start, zeta))


def _implications_proof() -> str | None:
    """With m = min{mu, zeta, xi} <= 1 and s = sqrt(mu) <= 1 the first term is the third times m s X_min / (n X_max) <=
    1.
    """
    import sympy
    import z3

    m, s, x, X, n = z3.Reals("m s x X n")
    domain = z3.And(m > 0, m <= 1, s > 0, s <= 1, x > 0, x <= X, n >= 1)
    first = by_smt(lambda: z3.Implies(domain, m * s * x <= n * X))
    N, L, r, h = sympy.symbols("N L r h", positive=True)
    scale = sympy.exp(-64 * N * L / r * sympy.log(N)) / sympy.sqrt(h)
    phase = sympy.expand_log(sympy.log(1 / (sympy.sqrt(h) * scale)), force=True) / (4 * N * L)
    return steps(
        first,
        by_identity(
            lambda: [sympy.simplify(phase - 16 * sympy.log(N) / r)],
            "T = t_1 at the second term of (28), and T decreases in eps",
        ),
    )


@claim(
    "min2024.eq_28.epsilon_implies",
    "Eq. (28)",
    given=_START,
    assumes=SETTING,
    proof=_implications_proof,
    recorded="proved",
    mutants=[moved("the last bound with 1/5", last=Fraction(5)), moved("T >= 2 t_1", times=Fraction(2))],
    convention="whether zeta is the smaller or the larger of zeta_1, zeta_2 does not matter here; the smaller one is "
    "taken",
    cost=6.0,
)
def the_scale_is_small_enough_for_lemma_3_and_for_t1(
    data: Dataset, start: Balanced, part: Number, *, last: Number = Fraction(4), times: Number = Fraction(1)
) -> Margin:
    r"""The minimum in (28) is at most $\frac1{4\sqrt hX_{\max}W_{\max}^2}$, and for $\epsilon$ at that minimum
    $T\ge t_1$.
    """
    c = scales(data, start, part, printed=False)
    third = -log(last * c.longest * c.most * c.most) - log(c.mu * 0 + c.h) / 2
    return all_of(
        at_most(c.log_epsilon, third, "ln of the minimum against ln of 1 / (4 sqrt(h) X_max W_max^2)"),
        at_least(c.phase(c.log_epsilon), times * c.alignment_time, "T against t_1"),
    )


def _lemma_3_bound(data: Dataset, start: Balanced, part: Number, share: Number) -> Margin:
    c = scales(data, start, part, printed=False)
    bound = c.log_epsilon + log(2 * c.longest * c.most * c.most) + log(c.mu * 0 + c.h) / 2
    wanted = share * minimum(c.mu, c.narrow) * sqrt(c.mu) * c.shortest / (c.n * c.longest)
    return at_most(bound, log(wanted), "ln of the bound (10) against ln of the right-hand side of (29)")


@claim(
    "min2024.eq_29.output_small.r1",
    "Eq. (29), as a consequence of (10) and (28)",
    given=_START,
    assumes=SETTING,
    recorded="refuted",
    convention="the bound (10) of Lemma 3 at the largest scale of (28); the outputs themselves are looked at in "
    "eq_29.output_small",
)
def lemma_3_gives_the_printed_bound(
    data: Dataset, start: Balanced, part: Number, *, share: Number = Fraction(1, 4)
) -> Margin:
    r"""$2\epsilon\sqrt hX_{\max}W_{\max}^2\le\frac{\min\{\mu,\zeta,\xi\}\sqrt\mu X_{\min}}{4nX_{\max}}$ for every
    $\epsilon$ of (28).

    Fails where the first term of (28) is the smaller one: it makes the left side $\frac{\min\{\mu,\zeta,\xi\}\sqrt\mu
    X_{\min}}{2nX_{\max}}$, twice the right. For $x=y=w=v=1$ and $\zeta=\xi=0.99$: $\epsilon=0.2475$, and 0.495 against
    0.2475.
    """
    return _lemma_3_bound(data, start, part, share)


@claim(
    "min2024.eq_29.output_small.r1.amended",
    "Eq. (29), as a consequence of (10) and (28)",
    given=_START,
    assumes=SETTING,
    recorded="supported",
    mutants=[moved("9/20 in place of 1/2", share=Fraction(9, 20)), moved("1/4, as printed", share=Fraction(1, 4))],
    cost=3.0,
)
def lemma_3_gives_twice_the_printed_bound(
    data: Dataset, start: Balanced, part: Number, *, share: Number = Fraction(1, 2)
) -> Margin:
    r"""Amended: 2 in place of 4 in the denominator of (29) (or 8 in place of 4 in the first term of (28)).

    With the 2 the slack of $\xi\sqrt\mu n_aX_{\min}-2nX_{\max}\max|f|$ in the proof shrinks to zero; with the 8 the
    proof goes through as printed.
    """
    return _lemma_3_bound(data, start, part, share)


def _phase_proof() -> str | None:
    import sympy

    n, X, t, h = sympy.symbols("n X t h", positive=True)
    shift = sympy.Symbol("shift", real=True)
    epsilon = sympy.exp(-4 * n * X * t - shift) / sympy.sqrt(h)
    phase = sympy.expand_log(sympy.log(1 / (sympy.sqrt(h) * epsilon)), force=True) / (4 * n * X)
    return by_identity(
        lambda: [4 * n * X * (phase - t) - shift], "T - t_1 has the sign of ln(e^{-4 n X_max t_1} / (sqrt(h) eps))"
    )


_CLOCKS = sized(n=count(1, 50), h=count(1, 50), longest=positive(), time=positive(), shift=number())


@claim(
    "min2024.remark.T_and_epsilon",
    "Importance of a quantitative bound on t_1",
    given=_CLOCKS,
    proof=_phase_proof,
    recorded="proved",
    mutants=[moved("2 in place of 4", four=Fraction(2)), moved("without sqrt(h)", root=Fraction(0))],
    convention="T = log(1/(sqrt(h) eps)) / (4 n X_max) as in Appendix B; ln eps is the stated bound minus a shift of "
    "either sign",
    cost=2.0,
)
def the_phase_reaches_t1_exactly_below_the_scale(
    n: int,
    h: int,
    longest: Number,
    time: Number,
    shift: Number,
    *,
    four: Number = Fraction(4),
    root: Number = Fraction(1),
) -> Margin:
    r"""$t_1\le T$ if and only if $\epsilon\le\frac1{\sqrt h}e^{-4nX_{\max}t_1}$."""
    half = log(longest * 0 + h) / 2
    epsilon = -root * half - four * n * longest * time - shift
    phase = (-half - epsilon) / (4 * n * longest)
    return equal(4 * n * longest * (phase - time), shift, "4 n X_max (T - t_1) against ln(bound / eps)")


@claim(
    "min2024.remark.T_and_epsilon.r1",
    "Importance of a quantitative bound on t_1, as printed",
    given=_CLOCKS,
    recorded="refuted",
    convention="T of Appendix B; a factor in front is not enough, since 4 X_max stands in the exponent",
)
def the_scale_of_the_remark_is_small_enough(n: int, h: int, longest: Number, time: Number) -> Margin:
    r"""$\epsilon=\frac1{\sqrt h}e^{-nt_1}$ gives $t_1\le T$. Fails as soon as $4X_{\max}>1$: there
    $T=\frac{t_1}{4X_{\max}}$.
    """
    return at_least(n * time / (4 * n * longest), time, "T against t_1")


@claim(
    "min2024.sec_3_3.required_error",
    "Section 3.3, Choice of epsilon",
    kind=Kind.ASYMPTOTIC,
    given=sized(angle=choice("1/4", "1/2", "1")),
    recorded="against",
    convention="the error that Appendix C allows, along the data of A.2 with their largest admissible constants",
)
def an_error_of_order_sqrt_mu_is_enough(angle: float) -> Margin:
    r"""The error that the analysis allows, $\min\{\mu,\zeta,\xi\}\sqrt\mu X_{\min}/2$, is of order $\sqrt\mu$: an error
    of that order is enough.

    Fails: the minimum is at most $\mu$, and $\xi=\mu^2$ for these data, so what is allowed is of order $\mu^{5/2}$.
    """
    return _allowed(angle, 0.5)


@claim(
    "min2024.sec_3_3.required_error.amended",
    "Section 3.3, Choice of epsilon",
    kind=Kind.ASYMPTOTIC,
    given=sized(angle=choice("1/4", "1/2", "1")),
    recorded="supported",
    mutants=[moved("order mu^2", power=2.0), moved("order mu^(3/2)", power=1.5)],
)
def an_error_of_order_mu_to_five_halves_is_enough(angle: float, *, power: float = 2.5) -> Margin:
    r"""Amended: along the data of A.2 the error that the analysis allows is of order $\mu^{5/2}$."""
    return _allowed(angle, power)


def _allowed(angle: float, power: float) -> Margin:
    row = np.array([np.cos(angle), -np.sin(angle)])
    found = [scales(two_positive_data(mu), positive_neuron(row), 1.0, printed=False) for mu in SEPARATIONS]
    errors = [float(min(c.mu, c.zeta, c.xi) * np.sqrt(c.mu) * c.shortest / 2) for c in found]
    return exponent_equals(fit(SEPARATIONS, errors), power, "allowed error against mu")


def _harmonic(count: int) -> Fraction:
    return sum((Fraction(1, k) for k in range(1, count + 1)), Fraction(0))


def _travels(least: int) -> Cases:
    """n data, some of which are active."""
    counts = sized(n=count(least, 200), active=count(1, 200))
    some = counts.map(lambda fields: fields | {"active": min(fields["active"], fields["n"])})
    return some.within(lambda fields: fields["active"] <= fields["n"])


def _travel(n: int, active: int, four: Number) -> Margin:
    """In units of 4 / r: the sum over the patterns of a neuron that starts with min(active, n) active data, against 4
    log n.
    """
    one = four / four
    own, whole = (one * total.numerator / total.denominator for total in (_harmonic(min(active, n)), _harmonic(n)))
    return all_of(
        at_most(own, whole, "sum over the patterns against the whole harmonic sum"),
        at_most(whole, four * log(one * n), "harmonic sum against 4 log n"),
    )


@claim("min2024.sec_C.dead_travel_time", "C.2, a neuron that reaches S_dead", given=_travels(1), recorded="refuted")
def a_dying_neuron_travels_at_most_t1(n: int, active: int, *, four: Number = Fraction(4)) -> Margin:
    r"""$\sum_{k=1}^{n_a}\frac4{rk}\le\frac4r(\sum_{k=2}^n\frac1k+1)\le\frac{16\log n}r=t_1$ for all $1\le n_a\le n$.

    Fails for $n=1$: the sum is 1 and $\log1=0$.
    """
    return _travel(n, active, four)


def harmonic_proof() -> str | None:
    """1 + 1/2 + ... + 1/m <= 1 + log m by induction: 1/(m+1) <= log(1 + 1/m), which is log(1+x) >=
    x/(1+x) at x = 1/m.
    """
    import sympy
    import z3

    x = sympy.Symbol("x", positive=True)
    gap = sympy.log(1 + x) - x / (1 + x)
    s = z3.Real("s")
    return steps(
        by_identity(
            lambda: [gap.subs(x, 0), sympy.diff(gap, x) - x / (1 + x) ** 2],
            "log(1+x) - x/(1+x) has the derivative x/(1+x)^2",
        ),
        by_smt(lambda: z3.Implies(s >= 0, s / ((1 + s) * (1 + s)) >= 0)),
    )


def _travel_proof() -> str | None:
    """1 + log n <= 4 log n as soon as 3 log n >= 3 log 2 > 1."""
    return steps(harmonic_proof(), by_subdivision(lambda n: 3 * n.log() - 1, Fraction(2), Fraction(2)))


@claim(
    "min2024.sec_C.dead_travel_time.amended",
    "C.2, a neuron that reaches S_dead",
    given=_travels(2),
    proof=_travel_proof,
    recorded="proved",
    mutants=[moved("8 log n in place of 16 log n", four=Fraction(2)), moved("n = 1 again", one=1)],
)
def a_dying_neuron_travels_at_most_t1_for_two_data(
    n: int, active: int, *, four: Number = Fraction(4), one: int = 0
) -> Margin:
    r"""Amended: the same for $n\ge2$, where $1+\frac12+\dots+\frac1n\le1+\log n\le4\log n$."""
    return _travel(1 if one else n, active, four)
