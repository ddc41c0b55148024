# The public names, each imported the first time it is asked for. Type checkers read them here, and so does Python.
from .arithmetic.enclosed import Enclosed
from .decide.effort import Run
from .decide.symbolic import identity
from .decide.verdict import Against, Broken, Counterexample, Proved, Refuted, Supported, Undecided, Vacuous
from .kernel.verification import objections
from .language.assumption import Assumption, assumption
from .language.case import Case, record
from .language.cases import Cases, Values, along, only, stated, values
from .language.claim import Claim, Fault, claim
from .language.derived import Derived, derived
from .language.kind import Kind
from .language.limits import at_least_like, bounded_by, eventually, for_large, for_small, grows_like, power, tends_to
from .language.mutants import (
    Mutant,
    bent,
    changed,
    exponent,
    flipped,
    instead,
    moved,
    mutants,
    scaled,
    shifted,
    strict,
    without,
)
from .language.premise import suppose
from .language.registry import figure
from .language.relations import Margin, all_of, any_of, at_least, at_most, differs, equal, less, nothing
from .language.section import Section, section
from .run.check import check, check_mutant
from .study.promises import broken_promises

__all__ = [
    "Against",
    "Assumption",
    "Broken",
    "Case",
    "Cases",
    "Claim",
    "Counterexample",
    "Derived",
    "Enclosed",
    "Fault",
    "Kind",
    "Margin",
    "Mutant",
    "Proved",
    "Refuted",
    "Run",
    "Section",
    "Supported",
    "Undecided",
    "Vacuous",
    "Values",
    "all_of",
    "along",
    "any_of",
    "assumption",
    "at_least",
    "at_least_like",
    "at_most",
    "bent",
    "bounded_by",
    "broken_promises",
    "changed",
    "check",
    "check_mutant",
    "claim",
    "derived",
    "differs",
    "equal",
    "eventually",
    "exponent",
    "figure",
    "flipped",
    "for_large",
    "for_small",
    "grows_like",
    "identity",
    "instead",
    "less",
    "moved",
    "mutants",
    "nothing",
    "objections",
    "only",
    "power",
    "record",
    "scaled",
    "section",
    "shifted",
    "stated",
    "strict",
    "suppose",
    "tends_to",
    "values",
    "without",
]
