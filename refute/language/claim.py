"""A claim: assumptions => conclusion, with its reference, its recorded verdict and its mutants.

The conclusion is a plain function. Its positional parameters are fields of the case; keyword-only parameters with a
default are the constants of the statement, which mutants move; the names in INJECTED are supplied by the engine.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis.strategies import SearchStrategy

from refute.errors import BadClaim
from refute.language.assumption import Assumption, repaired
from refute.language.case import Case
from refute.language.cases import Cases, Fields
from refute.language.kind import RECORDABLE, Kind

INJECTED = {
    "rng": "a numpy Generator seeded by the case",
    "tolerance": "the relative tolerance asked of an integrator",
    "trials": "how many trials a sequential test may use",
    "device": "where tensors live",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong statement that the same predicate must be able to tell from the right one.

    `constants` replaces constants of the conclusion; `without` drops (and violates) an assumption; `conclusion`
    replaces it all.
    """

    name: str
    constants: Mapping[str, Any] = field(default_factory=dict)
    without: Assumption | None = None
    conclusion: Callable[..., Any] | None = None


def moved(name: str, /, **constants: Any) -> Mutant:
    """The mutant whose constants are moved."""
    return Mutant(name, constants=constants)


def without(assumption: Assumption) -> Mutant:
    """The mutant that drops one assumption."""
    return Mutant(f'without "{assumption.text}"', without=assumption)


@dataclass(frozen=True, eq=False)
class Claim:
    """One statement of a paper, or a conjecture (`recorded` is None)."""

    id: str
    conclusion: Callable[..., Any]
    kind: Kind
    reference: str = ""
    given: Cases | None = None
    instances: tuple[Case, ...] = ()
    assumes: tuple[Assumption, ...] = ()
    broken: tuple[Assumption, ...] = ()
    constants: Mapping[str, Any] = field(default_factory=dict)
    mutants: tuple[Mutant, ...] = ()
    recorded: str | None = None
    convention: str = ""
    proof: Callable[[], str | None] | None = None
    cost: float = 1.0
    in_balls: bool = False
    place: str = ""

    def __post_init__(self) -> None:
        if self.given is not None:  # a strategy of Hypothesis is taken as well
            object.__setattr__(self, "given", Cases.of(self.given))

    @property
    def paper(self) -> str:
        return self.id.split(".")[0]

    @property
    def statement(self) -> str:
        return inspect.getdoc(self.conclusion) or ""

    @property
    def name(self) -> str:
        return self.conclusion.__name__

    def strategy(self) -> SearchStrategy[Fields] | None:
        """Cases that satisfy every assumption (and violate the dropped ones)."""
        if self.given is None:
            return None
        return repaired(self.given, satisfied=list(self.assumes), violated=list(self.broken))

    def mutated(self, mutant: Mutant) -> "Claim":
        """The wrong statement, as a claim of its own: nothing recorded, nothing proved."""
        kept = tuple(a for a in self.assumes if a is not mutant.without)
        return replace(
            self,
            id=f"{self.id}[{mutant.name}]",
            conclusion=mutant.conclusion or self.conclusion,
            constants={**self.constants, **mutant.constants},
            assumes=kept,
            broken=(mutant.without,) if mutant.without else (),
            mutants=(),
            recorded=None,
            proof=None,
        )


def _check_signature(function: Callable[..., Any], constants: Mapping[str, Any], where: str) -> None:
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise BadClaim(f"{where} takes *{parameter.name}", "name every field of the case that the conclusion uses")
        if (
            parameter.kind is parameter.KEYWORD_ONLY
            and parameter.name not in INJECTED
            and parameter.default is parameter.empty
        ):
            raise BadClaim(
                f"{where}: the constant {parameter.name!r} has no default value", f"write `*, {parameter.name}=...`"
            )
    unknown = set(constants) - {
        p.name for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY
    }
    if unknown:
        raise BadClaim(
            f"{where} has no constant called {sorted(unknown)}", "constants are keyword-only parameters with a default"
        )


def _check_arguments(id: object, kind: object) -> None:
    if inspect.isfunction(id):
        raise BadClaim(
            f"{place_of(id)}: the decorator of {id.__name__}() has no parentheses",
            'write `@claim("paper.statement", ...)`',
        )
    if id is not None and not isinstance(id, str):
        raise BadClaim(f"the id of a claim is a string, got {id!r}", 'write `@claim("paper.statement", ...)`')
    if not isinstance(kind, Kind):
        raise BadClaim(f"kind={kind!r} is not a kind of claim", f"use one of {', '.join(str(k) for k in Kind)}")


def place_of(function: Callable[..., Any]) -> str:
    code = function.__code__
    return f"{Path(code.co_filename).resolve()}:{code.co_firstlineno}"


def default_id(function: Callable[..., Any]) -> str:
    return f"{function.__module__.rsplit('.', 1)[-1]}.{function.__name__}"


def claim(
    id: str | None = None,
    reference: str = "",
    *,
    kind: Kind = Kind.ALGEBRAIC,
    given: Cases | SearchStrategy[Fields] | None = None,
    instances: Sequence[Mapping[str, Any]] = (),
    assumes: Sequence[Assumption] = (),
    recorded: str | None = None,
    mutants: Sequence[Mutant] = (),
    convention: str = "",
    proof: Callable[[], str | None] | None = None,
    cost: float = 1.0,
    in_balls: bool = False,
) -> Callable[[Callable[..., Any]], Claim]:
    """Turn a function that returns a margin into a claim and register it.

    id            stable name such as "zhang2024.theorem_1.decomposition"; the module and function name by default
    reference     where it is printed
    kind          how it is decided (`Kind`)
    given         the cases, usually `sized(net=..., data=...)`; a Hypothesis strategy of a dict of fields is taken
                  too, but does not say which values the claim speaks of: its domain is not stated
    instances     explicit cases instead: the witnesses of an existence claim, the runs of an experiment
    assumes       assumptions; cases are made to satisfy them and each one is checked exactly
    recorded      "proved", "supported", "refuted", "undecided"; None for a conjecture
    mutants       wrong statements that must be refuted
    convention    what the source leaves open, and how it is read here
    proof         returns the method when the statement is proved for its whole domain, None when the proof fails
    cost          divides the number of cases of the profile, for expensive conclusions
    in_balls      a conclusion that computes in float64 can be evaluated in balls too: then a violation is certified
    """
    from refute.language.registry import register

    _check_arguments(id, kind)

    def decorate(function: Callable[..., Any]) -> Claim:
        where = place_of(function)
        if recorded is not None and recorded not in RECORDABLE:
            raise BadClaim(f"{where}: recorded={recorded!r} is not a verdict", f"use one of {', '.join(RECORDABLE)}")
        if given is not None and not isinstance(given, Cases | SearchStrategy):
            raise BadClaim(
                f"{where}: given={given!r} is not a strategy",
                "use sized(...) or a Hypothesis strategy of a dict of fields",
            )
        for mutant in mutants:
            _check_signature(mutant.conclusion or function, mutant.constants, where)
        _check_signature(function, {}, where)
        made = Claim(
            id=id or default_id(function),
            conclusion=function,
            kind=kind,
            reference=reference,
            given=None if given is None else Cases.of(given),
            instances=tuple(Case.of(**values) for values in instances),
            assumes=tuple(assumes),
            mutants=tuple(mutants),
            recorded=recorded,
            convention=convention,
            proof=proof,
            cost=cost,
            in_balls=in_balls,
            place=where,
        )
        return register(made)

    return decorate


def liftable(value: Any) -> bool:
    """Constants that the engine lifts into its arithmetic."""
    return isinstance(value, Fraction)
