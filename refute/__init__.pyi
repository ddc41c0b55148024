# The public names, each imported the first time it is asked for. Type checkers read them here, and so does Python.
from .decide.effort import Run
from .decide.symbolic import identity
from .decide.verdict import Against, Broken, Counterexample, Proved, Refuted, Supported, Undecided, Vacuous
from .kernel.certificate import objections
from .language.assumption import Assumption
from .language.case import Case, record
from .language.claim import Claim, Mutant, claim, moved, without
from .language.kind import Kind
from .language.limits import (
    at_least_like,
    bounded_by,
    eventually,
    for_large,
    for_small,
    grows_like,
    power,
    tends_to,
)
from .language.premise import suppose
from .language.registry import figure
from .language.relations import Margin, all_of, any_of, at_least, at_most, differs, equal, less, nothing
from .run.check import check, check_mutant

__all__ = [
    "Against",
    "Assumption",
    "Broken",
    "Case",
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
    "all_of",
    "any_of",
    "at_least",
    "at_least_like",
    "at_most",
    "bounded_by",
    "check",
    "check_mutant",
    "claim",
    "differs",
    "equal",
    "eventually",
    "figure",
    "for_large",
    "for_small",
    "grows_like",
    "identity",
    "less",
    "moved",
    "nothing",
    "objections",
    "power",
    "record",
    "suppose",
    "tends_to",
    "without",
]
