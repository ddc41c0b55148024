"""refute: property-based testing for theorems about how neural networks learn."""

from refute.assumption import Assumption
from refute.case import Case, record
from refute.certificate import objections
from refute.check import check, check_mutant
from refute.claim import Claim, Mutant, claim, moved, without
from refute.kind import Kind
from refute.margin import Margin, all_of, any_of, at_least, at_most, differs, equal, less, nothing
from refute.premise import suppose
from refute.profile import Run
from refute.registry import figure
from refute.symbolic import identity
from refute.verdict import Broken, Counterexample, Proved, Refuted, Supported, Undecided, Vacuous

__all__ = [
    "Assumption", "Broken", "Case", "Claim", "Counterexample", "Kind", "Margin", "Mutant", "Proved", "Refuted", "Run", "Supported",
    "Undecided", "Vacuous", "all_of", "any_of", "at_least", "at_most", "check", "check_mutant", "claim", "differs", "equal", "figure",
    "identity", "less", "moved", "nothing", "objections", "record", "suppose", "without",
]  # fmt: skip
