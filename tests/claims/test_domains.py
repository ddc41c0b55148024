"""What a claim says of its domain is complete, and true of what it draws and of what refuted it."""

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from refute.kernel.certificate import pinned_case
from refute.language.case import Case
from refute.language.cases import admitted
from refute.language.claim import Claim
from refute.language.kind import Kind
from tests.registered import drawing, label, registered_claims

DRAWN = drawing()
PINNED = [claim for claim in registered_claims() if claim.kind is not Kind.SYMBOLIC and pinned_case(claim) is not None]


@pytest.mark.parametrize("claim", DRAWN, ids=label)
@settings(max_examples=4, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_cases_of_a_claim_lie_in_its_domain(claim: Claim, data: st.DataObject):
    """Every field of them: what is not stated could neither be climbed to, shrunk nor certified."""
    strategy = claim.strategy()
    assert strategy is not None
    assert claim.given is not None
    assert claim.given.stated
    found = admitted(claim, Case.of(**data.draw(strategy)))
    assert set(found.values()) <= {True}, found


ODD = (0, -7, 10**30, Fraction(-1, 3), "word", [], [[1, 2], [3, 4]], [0.5, -0.0])


@pytest.mark.parametrize("claim", DRAWN, ids=label)
@settings(max_examples=1, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_domain_knows_every_value(claim: Claim, data: st.DataObject):
    """Whatever stands in a field, also nothing, it is inside or outside; a field that nobody knows is outside."""
    strategy = claim.strategy()
    assert strategy is not None
    case = Case.of(**data.draw(strategy))
    for name in case:
        others = {other: value for other, value in case.items() if other != name}
        assert False in admitted(claim, Case(others)).values()
        for value in [*ODD, *others.values()]:
            odd = Case.of(**{**others, name: value})
            assert set(admitted(claim, odd).values()) <= {True, False}
    assert admitted(claim, Case.of(**case, another=1))["another"] is False


@pytest.mark.parametrize("claim", PINNED, ids=label)
def test_a_pinned_counterexample_lies_in_the_domain(claim: Claim):
    """Else it would refute nothing."""
    case = pinned_case(claim)
    assert case is not None
    assert set(admitted(claim, case).values()) <= {True}, admitted(claim, case)


@pytest.mark.parametrize("claim", [claim for claim in registered_claims() if claim.instances], ids=label)
def test_listed_instances_are_the_whole_domain(claim: Claim):
    """Each of them is admitted, and a case with one field more or less is not."""
    for case in claim.instances:
        assert set(admitted(claim, case).values()) <= {True}
        assert set(admitted(claim, Case.of(**case, another=1)).values()) == {False}
