r"""Importance of a quantitative bound on $t_1$, after Theorem 1: how small $\epsilon$ must be for $t_1\le T$."""

from refute import Fault, Margin, at_least, changed, derived, equal, mutants, section
from refute.arithmetic.numbers import Number
from refute.decide.symbolic import by_identity
from refute.functions import log
from refute.strategies import count, number, positive, sized


def _phase_proof() -> str | None:
    import sympy

    n, X, t, h = sympy.symbols("n X t h", positive=True)
    shift = sympy.Symbol("shift", real=True)
    epsilon = sympy.exp(-4 * n * X * t - shift) / sympy.sqrt(h)
    phase = sympy.expand_log(sympy.log(1 / (sympy.sqrt(h) * epsilon)), force=True) / (4 * n * X)
    return by_identity(
        lambda: [4 * n * X * (phase - t) - shift], "T - t_1 has the sign of ln(e^{-4 n X_max t_1} / (sqrt(h) eps))"
    )


@derived
def root(h: int, longest: Number) -> Number:
    """ln sqrt(h)."""
    return log(longest * 0 + h) / 2


@derived
def exponent(n: int, longest: Number) -> Number:
    """What stands before t_1 in the exponent of the scale: 4 n X_max."""
    return 4 * n * longest


remark = section(
    "min2024",
    "remark.T_and_epsilon",
    "Importance of a quantitative bound on t_1",
    given=sized(n=count(1, 50), h=count(1, 50), longest=positive(), time=positive(), shift=number()),
)


@remark.claim(derived=[root, exponent], proof=_phase_proof, recorded="proved", cost=2.0)
@mutants(
    changed("2 n X_max in the exponent", exponent=lambda found: found / 2),
    changed("without sqrt(h)", root=lambda found: 0 * found),
)
def the_phase_reaches_t1_exactly_below_the_scale(
    n: int, h: int, longest: Number, time: Number, shift: Number, root: Number, exponent: Number
) -> Margin:
    r"""$t_1\le T$ if and only if $\epsilon\le\frac1{\sqrt h}e^{-4nX_{\max}t_1}$.

    Convention: the remark has $T=\Theta(\frac1n\log\frac1{\sqrt h\epsilon})$ and
    $\epsilon=O(\frac1{\sqrt h}e^{-nt_1})$; the constant 4 X_max is that of T in Appendix B. ln eps is the
    stated bound minus a shift of either sign.
    """
    log_epsilon = -root - exponent * time - shift
    phase = -(log(longest * 0 + h) / 2 + log_epsilon) / (4 * n * longest)
    return equal(4 * n * longest * (phase - time), shift, "4 n X_max (T - t_1) against ln(bound / eps)")


@remark.claim("r1", recorded="refuted", fault=Fault.CONSTANT)
def the_scale_of_the_remark_is_small_enough(n: int, longest: Number, time: Number) -> Margin:
    r"""$\epsilon=\frac C{\sqrt h}e^{-nt_1}$ gives $t_1\le T$ for $C=1$. Fails as soon as $4X_{\max}>1$: there
    $T=\frac{t_1}{4X_{\max}}$.

    Convention: a reading, since the paper's O hides constants of the data; it takes them to stand in front, but
    4 X_max stands in the exponent, which no factor in front replaces. T of Appendix B.
    """
    return at_least(n * time / (4 * n * longest), time, "T against t_1")
