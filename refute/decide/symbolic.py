"""Symbolic identities: sympy shows that a residual is zero, or a point shows that it is not.

An identity is Proved only when sympy reduces every residual to zero; sampling can refute it, never prove it.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from refute.decide.verdict import Counterexample, Outcome, Proved, Refuted, Undecided
from refute.errors import BadClaim
from refute.language.bends import as_bent, bending
from refute.language.case import Case
from refute.language.claim import Claim, Statement, claim
from refute.language.kind import Kind
from refute.language.relations import Margin

if TYPE_CHECKING:
    import sympy

# Values tried for each symbol when an identity does not reduce to zero; those against its assumptions are passed over.
TRIAL_VALUES = (Fraction(1), Fraction(2), Fraction(-1), Fraction(1, 2), Fraction(-3), Fraction(5, 3), Fraction(0))
MOST_POINTS = 4000


def identity(
    id: str | None = None, reference: str = "", *, recorded: str | None = None
) -> Callable[[Statement], Claim]:
    """Register a function that returns sympy residuals (one, a list, or a dict by name), each of which must be zero.

    In a dict a pair stands for the difference of its two sides, a line that mutants bend, and a matrix for its entries.
    Keyword-only parameters are the constants of the statement.
    """
    return claim(id, reference, kind=Kind.SYMBOLIC, recorded=recorded)


def reduces_to_zero(residual: "sympy.Basic") -> bool:
    """Whether sympy reduces the residual to zero (False says only that it did not)."""
    import sympy

    def factor_inside(expression: Any) -> Any:
        return expression.replace(sympy.Abs, lambda argument: sympy.Abs(sympy.factor(argument)))

    steps: tuple[Callable[[Any], Any], ...] = (
        lambda e: e,
        sympy.expand,
        lambda e: sympy.expand(factor_inside(e.rewrite(sympy.Abs))),
        sympy.simplify,
        lambda e: sympy.simplify(factor_inside(e.rewrite(sympy.Abs))),
    )
    return any(step(residual) == 0 for step in steps)


def by_identity(residuals: Callable[[], Sequence["sympy.Basic"]], meaning: str) -> str | None:
    """A proof for `claim(proof=...)`: sympy reduces each residual to zero; `meaning` says how the statement follows."""
    return f"sympy: {meaning}" if all(reduces_to_zero(residual) for residual in residuals()) else None


def _allowed(symbol: Any, value: Any) -> bool:
    """Whether a value agrees with what the symbol is declared to be."""
    checks = {
        "positive": value > 0,
        "negative": value < 0,
        "nonnegative": value >= 0,
        "nonzero": value != 0,
        "integer": value.is_integer,
    }
    return all(fits for name, fits in checks.items() if getattr(symbol, f"is_{name}"))


def nonzero_point(residual: "sympy.Basic") -> tuple[Case, Margin] | None:
    """A point where the residual is certainly not zero; matrices (non-commuting symbols) become 1 x 1."""
    import sympy

    symbols = sorted(residual.free_symbols, key=str)
    values = [sympy.Rational(v.numerator, v.denominator) for v in TRIAL_VALUES]
    choices = [[v for v in values if _allowed(s, v)] for s in symbols]
    for point in itertools.islice(itertools.product(*choices), MOST_POINTS):
        number = residual.subs(dict(zip(symbols, point, strict=True)))
        size = sympy.N(sympy.Abs(sympy.simplify(number)), 40)
        if size.is_number and size.is_real and size > sympy.Float("1e-25"):
            case = Case.of(**{str(s): Fraction(int(v.p), int(v.q)) for s, v in zip(symbols, point, strict=True)})
            slack = -Fraction(str(size))
            return case, Margin(slack, abs(slack) / 10**20, line=f"residual {sympy.nsimplify(number)} is not zero")
    return None


def _difference(name: str, value: Any) -> Any:
    """A residual as it is; of a pair left - right, as the mutant at work has them."""
    if not isinstance(value, tuple):
        return value
    left, _, right = as_bent(value[0], "=", value[1], name)
    return left - right


def _entries(name: str, value: Any) -> list[tuple[str, Any]]:
    """A residual by its name; a matrix entry by entry, each reduced to lowest terms."""
    import sympy

    if not isinstance(value, sympy.MatrixBase):
        return [(name, value)]
    return [(f"{name} {k + 1}", sympy.cancel(entry)) for k, entry in enumerate(value)]


def _residuals(claim: Claim) -> Mapping[str, Any]:
    import sympy

    try:
        result = claim.conclusion(**claim.constants)
    except Exception as error:
        raise BadClaim(f"{claim.name}() raised {type(error).__name__}: {error}") from error
    if isinstance(result, Mapping):
        with bending(claim.bends) as now:
            named = dict(entry for name, value in result.items() for entry in _entries(name, _difference(name, value)))
        missed = [bend.line for bend in claim.bends if not any(line.startswith(bend.line) for line in now.met)]
        if missed:
            raise BadClaim(f"{claim.name}() has no line {missed[0]!r} to bend", f"it has {', '.join(result)}")
    elif isinstance(result, (list, tuple)):
        named = {str(k + 1): part for k, part in enumerate(result)}
    else:
        named = {"residual": result}
    for name, residual in named.items():
        if not isinstance(residual, (sympy.Basic, int)):
            raise BadClaim(
                f"{claim.name}() returned {residual!r} for {name}", "return sympy expressions that must be zero"
            )
    if not named:
        raise BadClaim(f"{claim.name}() returned nothing", "return sympy expressions that must be zero")
    return {name: sympy.sympify(residual) for name, residual in named.items()}


def decide_identity(claim: Claim) -> Outcome:
    """Proved when every residual reduces to zero, Refuted at a point where one does not vanish, Undecided otherwise."""
    residuals = _residuals(claim)
    stuck = [name for name, residual in residuals.items() if not reduces_to_zero(residual)]
    if not stuck:
        return Proved(f"sympy: {len(residuals)} residual{'s' * (len(residuals) > 1)} reduced to zero")
    for name in stuck:
        found = nonzero_point(residuals[name])
        if found is not None:
            case, margin = found
            return Refuted(Counterexample(claim.id, case, (), margin.labelled(name), "exact", "sympy, 40 digits"))
    return Undecided(f"sympy neither reduced {', '.join(stuck)} to zero nor found a point where it is not")
