"""The promises of the pack: its assumptions do what they say, its wrong statements are refuted."""

import pytest

from du2018 import theorem_2_1
from du2018.assumptions import linear
from refute import FALLEN, broken_promises, check_mutant
from refute.language.registry import claims

MUTANTS = [
    (claim, mutant)
    for claim in claims()
    if claim.paper == "du2018"
    for mutant in claim.mutants
]
