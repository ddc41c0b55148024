"""refute: property-based testing for theorems about how neural networks learn."""

from refute.decide.effort import Run
from refute.decide.symbolic import identity
from refute.decide.verdict import (
    Against,
    Broken,
    Counterexample,
    Proved,
    Refuted,
    Supported,
    Undecided,
    Vacuous,
)
from refute.kernel.certificate import objections
from refute.language.assumption import Assumption
from refute.language.case import Case, record
from refute.language.claim import Claim, Mutant, claim, moved, without
from refute.language.kind import Kind
from refute.language.premise import suppose
from refute.language.registry import figure
from refute.language.relations import Margin, all_of, any_of, at_least, at_most, differs, equal, less, nothing
from refute.limits import (
    at_least_like,
    bounded_by,
    eventually,
    for_large,
    for_small,
    grows_like,
    power,
    tends_to,
)
from refute.run.check import check, check_mutant

__all__ = [
    "Against", "Assumption", "Broken", "Case", "Claim", "Counterexample", "Kind", "Margin", "Mutant", "Proved", "Refuted",
    "Run", "Supported", "Undecided", "Vacuous", "all_of", "any_of", "at_least", "at_least_like", "at_most", "bounded_by",
    "check", "check_mutant", "claim", "differs", "equal", "eventually", "figure", "for_large", "for_small", "grows_like",
    "identity", "less", "moved", "nothing", "objections", "power", "record", "suppose", "tends_to", "without",
]  # fmt: skip
