"""What a strategy says of its domain is true of what it draws."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from refute.language.case import Case
from refute.language.cases import admitted
from refute.language.claim import Claim
from tests.registered import label, registered_claims

STATED = [claim for claim in registered_claims() if getattr(claim.given, "domain", None) is not None]


@pytest.mark.parametrize("claim", STATED, ids=label)
@settings(max_examples=4, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_cases_of_a_claim_lie_in_its_domain(claim: Claim, data: st.DataObject):
    """Else a counterexample among them could neither be climbed to, shrunk nor certified."""
    strategy = claim.strategy()
    assert strategy is not None
    assert False not in admitted(claim, Case.of(**data.draw(strategy))).values()
