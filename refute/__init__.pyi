# The public names, each imported the first time it is asked for. Type checkers read them here, and so does Python.
from .decide.effort import Run
from .decide.symbolic import identity
from .decide.verdict import Broken, Counterexample, Proved, Refuted, Supported, Undecided, Vacuous
from .kernel.certificate import objections
from .language.assumption import Assumption
from .language.case import Case, record
from .language.cases import Cases, Values, along, only, stated, values
from .language.claim import Claim, Mutant, claim, moved, without
from .language.kind import Kind
from .language.premise import suppose
from .language.registry import figure
from .language.relations import Margin, all_of, any_of, at_least, at_most, differs, equal, less, nothing
from .run.check import check, check_mutant

__all__ = [
    "Assumption",
    "Broken",
    "Case",
    "Cases",
    "Claim",
    "Counterexample",
    "Kind",
    "Margin",
    "Mutant",
    "Proved",
    "Refuted",
    "Run",
    "Supported",
    "Undecided",
    "Vacuous",
    "Values",
    "all_of",
    "along",
    "any_of",
    "at_least",
    "at_most",
    "check",
    "check_mutant",
    "claim",
    "differs",
    "equal",
    "figure",
    "identity",
    "less",
    "moved",
    "nothing",
    "objections",
    "only",
    "record",
    "stated",
    "suppose",
    "values",
    "without",
]
