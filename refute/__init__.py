"""refute: property-based testing for theorems about how neural networks learn."""

from refute.decide.effort import Run
from refute.decide.symbolic import identity
from refute.decide.verdict import Broken, Counterexample, Proved, Refuted, Supported, Undecided, Vacuous
from refute.kernel.certificate import objections
from refute.language.assumption import Assumption
from refute.language.case import Case, record
from refute.language.claim import Claim, Mutant, claim, moved, without
from refute.language.kind import Kind
from refute.language.premise import suppose
from refute.language.registry import figure
from refute.language.relations import Margin, all_of, any_of, at_least, at_most, differs, equal, less, nothing
from refute.run.check import check, check_mutant

__all__ = [
    "Assumption", "Broken", "Case", "Claim", "Counterexample", "Kind", "Margin", "Mutant", "Proved", "Refuted", "Run", "Supported",
    "Undecided", "Vacuous", "all_of", "any_of", "at_least", "at_most", "check", "check_mutant", "claim", "differs", "equal", "figure",
    "identity", "less", "moved", "nothing", "objections", "record", "suppose", "without",
]  # fmt: skip
