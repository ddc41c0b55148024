"""The promises of the pack: its assumptions do what they say, its wrong statements are refuted."""

from refute.language.registry import claims

MUTANTS = [(claim, mutant) for claim in claims() if claim.paper == "du2018" for mutant in claim.mutants]
