"""A slice of `python -m benchmarks attacks`: forged and tampered certificates are not accepted."""

import pytest

from benchmarks.attacks.certificates import ACCEPTED, REASONS, forged, tamper
from refute.language.kind import Kind
from tests.registered import registered_claims

QUICK = [claim for claim in registered_claims() if claim.cost <= 4]
KINDS = [kind for kind in Kind if kind is not Kind.SYMBOLIC]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.marker)
def test_forged_refutations_of_claims_that_stand_are_refused(kind: Kind):
    """Of every kind, for many reasons."""
    claims = [claim for claim in QUICK if claim.kind is kind][:12]
    counts = forged(claims, 36, seed=0, seconds=3.0)
    assert counts[ACCEPTED] == 0
    assert set(counts) & set(REASONS.values())


def test_tampered_files_are_refused():
    """Unless nothing that they state was changed."""
    claims = [claim for claim in QUICK if claim.kind in (Kind.ALGEBRAIC, Kind.DYNAMICS)]
    counts = tamper(200, 0, [claim for claim in claims if claim.paper in ("conjectures", "kou2023")])
    assert counts.total() > 150
    assert counts[ACCEPTED] == 0
