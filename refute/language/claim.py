"""A claim: assumptions => conclusion, with its reference, its recorded verdict and its mutants.

The conclusion is a plain function. Its positional parameters are fields of the case or derived quantities; keyword-only
parameters with a default are the constants of the statement, which mutants and readings move; the names in INJECTED are
supplied by the engine.
"""

import difflib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, TypedDict, Unpack, cast

from hypothesis.strategies import SearchStrategy

from refute.errors import BadClaim
from refute.language.assumption import Assumption, repaired
from refute.language.bends import Bend, Side
from refute.language.case import Case
from refute.language.cases import Cases, Fields
from refute.language.derived import Derived
from refute.language.kind import RECORDABLE, Kind
from refute.language.mutants import Mutant, Tested
from refute.language.registry import register

CONVENTION = "Convention: "  # begins the last paragraph of a docstring
READING = re.compile(r"\.(r\d+|amended)\b")

Statement = Callable[..., Any] | Tested  # what a decorator of claims stands above

INJECTED = {
    "rng": "a numpy Generator seeded by the case",
    "tolerance": "the relative tolerance asked of an integrator",
    "trials": "how many trials a sequential test may use",
    "device": "where tensors live",
}


class Fault(Enum):
    """What is wrong with a sentence that does not hold as printed."""

    WRONG = "wrong"
    MISSING_HYPOTHESIS = "a missing hypothesis"
    CONSTANT = "a constant"
    SIGN = "a sign"
    BOUNDARY = "a boundary case or strictness"
    CONVENTION = "a convention"
    SCAN = "the scan"


class Particulars(TypedDict, total=False):
    """What may be said of a claim, or of all claims of a section.

    kind          how it is decided (`Kind`)
    given         the cases, usually `sized(net=..., data=...)`; a Hypothesis strategy of a dict of fields is taken as
                  well
    instances     explicit cases instead: the witnesses of an existence claim, the runs of an experiment
    assumes       assumptions; cases are made to satisfy them and each one is checked exactly
    derived       quantities that conclusions may name as parameters besides the fields
    recorded      "proved", "supported", "refuted", "against", "undecided"; none for a conjecture
    mutants       wrong statements that must be refuted, of a whole section or of a reading; those of one function stand
                  below its decorator, `@mutants(...)`
    convention    what the source leaves open, and how it is read here; of a function, the last paragraph
                  "Convention: ..." of its docstring counts
    proof         returns the method when the statement is proved for its whole domain, None when the proof fails
    cost          divides the number of cases of the profile, for expensive conclusions
    in_balls      a conclusion that computes in float64 can be evaluated in balls too: then a violation is certified
    fault         what is wrong with a sentence that is recorded as refuted
    root          the id of the statement by whose failure this one falls
    printed       whether the sentence stands in the paper; readings, amended forms and probes of ours do not
    """

    kind: Kind
    given: Cases | SearchStrategy[Fields] | None
    instances: Sequence[Mapping[str, Any]]
    assumes: Sequence[Assumption]
    derived: Sequence[Derived]
    recorded: str | None
    mutants: Sequence[Mutant]
    convention: str
    proof: Callable[[], str | None] | None
    cost: float
    in_balls: bool
    fault: Fault | None
    root: str
    printed: bool


@dataclass(frozen=True, eq=False)
class Claim:
    """One statement of a paper, or a conjecture (`recorded` is None). The fields are those of `Particulars`.

    `stream` names the sequence of cases: claims of one section are judged on the same ones. `bends` and `changes` are
    those of the mutant that the claim is, `broken` the assumptions that it drops.
    """

    id: str
    conclusion: Callable[..., Any]
    kind: Kind = Kind.ALGEBRAIC
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
    derived: tuple[Derived, ...] = ()
    bends: tuple[Bend, ...] = ()
    changes: Mapping[str, Side] = field(default_factory=dict)
    fault: Fault | None = None
    root: str = ""
    printed: bool = True
    stream: str = ""
    remark: str = ""

    def __post_init__(self) -> None:
        if self.given is not None:  # a strategy of Hypothesis is taken as well
            object.__setattr__(self, "given", Cases.of(self.given))

    @property
    def paper(self) -> str:
        return self.id.split(".")[0]

    @property
    def statement(self) -> str:
        """What is claimed, in words; a reading adds how it differs."""
        said = _wording(self.conclusion)[0]
        return f"{said}\n\n{self.remark}" if self.remark else said

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
            bends=(*self.bends, *mutant.bends),
            changes={**self.changes, **mutant.changes},
            assumes=kept,
            broken=(mutant.without,) if mutant.without else (),
            mutants=(),
            recorded=None,
            proof=None,
        )

    def reading(self, name: str, because: str = "", /, **said_here: Any) -> "Claim":
        """Another reading of the statement, registered beside it: `name` is added to the id, `because` to the
        statement.

        Constants of the statement are given by name, everything else as in `Particulars`; what is not given stays,
        except the verdict, the proof and the fault, which each reading has for itself.
        """
        constants = {key: value for key, value in said_here.items() if key not in Particulars.__annotations__}
        _check_signature(self.conclusion, constants, f"{self.id}.{name}")
        own: dict[str, Any] = {key: value for key, value in said_here.items() if key not in constants}
        said: dict[str, Any] = {
            "kind": self.kind,
            "given": self.given,
            "assumes": self.assumes,
            "derived": self.derived,
            "mutants": self.mutants,
            "cost": self.cost,
            "in_balls": self.in_balls,
            "printed": False,
        }
        particular = cast(Particulars, said | own)
        made = claim_of(self.conclusion, f"{self.id}.{name}", self.reference, particular, self.stream)
        return register(
            replace(
                made,
                constants={**self.constants, **constants},
                remark=because,
                convention=own.get("convention", self.convention),
                place=self.place,
                instances=made.instances if "instances" in own else self.instances,
            )
        )

    def amended(self, because: str = "", /, **particular: Any) -> "Claim":
        """The form of the statement that holds, registered beside it."""
        return self.reading("amended", because, **particular)


def _wording(function: Callable[..., Any]) -> tuple[str, str]:
    """The statement and the convention of a docstring."""
    said, _, convention = (inspect.getdoc(function) or "").partition(f"\n\n{CONVENTION}")
    return said.strip(), " ".join(convention.split())


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


def _check_arguments(id: object, particular: Mapping[str, Any]) -> None:
    if id is not None and not isinstance(id, str):
        raise BadClaim(f"the id of a claim is a string, got {id!r}", 'write `@claim("paper.statement", ...)`')
    if isinstance(id, str) and any("\ud800" <= character <= "\udfff" for character in id):
        raise BadClaim(f"the id {id!r} has half a character", "letters of any alphabet will do, whole ones")
    unknown = sorted(set(particular) - set(Particulars.__annotations__))
    if unknown:
        near = difflib.get_close_matches(unknown[0], Particulars.__annotations__, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it may say {', '.join(Particulars.__annotations__)}"
        raise BadClaim(f"a claim knows no {unknown[0]}=", hint)
    kind = particular.get("kind", Kind.ALGEBRAIC)
    if not isinstance(kind, Kind):
        raise BadClaim(f"kind={kind!r} is not a kind of claim", f"use one of {', '.join(str(k) for k in Kind)}")


def place_of(function: Callable[..., Any]) -> str:
    code = function.__code__
    return f"{Path(code.co_filename).resolve()}:{code.co_firstlineno}"


def default_id(function: Callable[..., Any]) -> str:
    return f"{function.__module__.rsplit('.', 1)[-1]}.{function.__name__}"


def claim(
    id: str | None = None, reference: str = "", **particular: Unpack[Particulars]
) -> Callable[[Statement], Claim]:
    """Turn a function that returns a margin into a claim and register it.

    `id` is a stable name such as "zhang2024.theorem_1.decomposition", by default the names of module and function;
    `reference` says where it is printed. What else can be said is listed in `Particulars`.
    """
    if inspect.isfunction(id):
        raise BadClaim(
            f"{place_of(id)}: the decorator of {id.__name__}() has no parentheses",
            'write `@claim("paper.statement", ...)`',
        )
    _check_arguments(id, particular)
    return lambda statement: register(
        claim_of(statement, id or default_id(_conclusion(statement)), reference, particular)
    )


def _conclusion(statement: Statement) -> Callable[..., Any]:
    return statement.conclusion if isinstance(statement, Tested) else statement


def claim_of(statement: Statement, id: str, reference: str, particular: Particulars, stream: str = "") -> Claim:
    """The claim of a function, not registered yet."""
    _check_arguments(id, particular)
    function = _conclusion(statement)
    where = place_of(function)
    recorded, given = particular.get("recorded"), particular.get("given")
    if recorded is not None and recorded not in RECORDABLE:
        raise BadClaim(f"{where}: recorded={recorded!r} is not a verdict", f"use one of {', '.join(RECORDABLE)}")
    if given is not None and not isinstance(given, Cases | SearchStrategy):
        raise BadClaim(
            f"{where}: given={given!r} is not a strategy", "use sized(...) or a Hypothesis strategy of a dict of fields"
        )
    own = statement.mutants if isinstance(statement, Tested) else ()
    mutants = (*particular.get("mutants", ()), *own)
    for mutant in mutants:
        _check_signature(mutant.conclusion or function, mutant.constants, where)
    _check_signature(function, {}, where)
    fields: dict[str, Any] = {
        **particular,
        "instances": tuple(Case.of(**values) for values in particular.get("instances", ())),
        "assumes": tuple(particular.get("assumes", ())),
        "derived": tuple(particular.get("derived", ())),
        "convention": _wording(function)[1] or particular.get("convention", ""),
        "mutants": mutants,
    }
    fields.setdefault("printed", not READING.search(id))
    return Claim(id=id, conclusion=function, reference=reference, place=where, stream=stream or id, **fields)


def liftable(value: Any) -> bool:
    """Constants that the engine lifts into its arithmetic."""
    return isinstance(value, Fraction)
