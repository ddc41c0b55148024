"""Cases on which a standing claim once fell though it is true: it holds on them, or they do not meet it."""

from fractions import Fraction

import pytest

from refute import Case, Run
from refute.decide.evaluate import Idle, Judged, judge
from refute.language.cases import admitted
from refute.language.registry import find_claim
from refute.models import Dataset, TwoLayer
from refute.models.logpolar.balanced import Balanced
from tests.registered import registered_claims

pytestmark = pytest.mark.slow

ALARMS = {
    "zhang2024.sec_4_1.linear_net_reaches_max_margin.amended": Case.of(  # two data at the origin
        net=TwoLayer([[Fraction(1, 3), Fraction(1, 10)]], [Fraction(1, 2)], 1),
        data=Dataset([[0, 0], [0, 0], [1, 0]], [1, -1, 1]),
    ),
    "chistikov2023.theorem_7.limit_in_Theta_vstar": Case.of(  # a float cannot tell t from t + 10000 there
        teacher=[-1, 0],
        data=Dataset([[-1, 0], [-2, 1]], [1, 2]),
        start=Balanced([[-1, 0], [1, 0], [1, 0]], [1, 1, 1], -21 * 10**19, 0),
    ),
}


@pytest.mark.parametrize("id", ALARMS)
def test_a_false_alarm_is_none_any_more(id: str):
    """The case is in the domain, meets the assumptions, and does not speak against the claim."""
    assert registered_claims()
    claim = find_claim(id)
    assert claim is not None
    assert set(admitted(claim, ALARMS[id]).values()) == {True}
    found = judge(claim, ALARMS[id], Run(), certify=True)
    assert isinstance(found, Judged)
    assert not found.against
    assert not found.margin.empty


def test_a_neuron_at_zero_has_no_direction():
    """It lies in every closed cone and stays there: no division by its length."""
    assert registered_claims()
    claim = find_claim("min2024.lemma_12.plus")
    assert claim is not None
    start = Balanced([[-6]], [-1], 0, 0)
    found = judge(claim, Case.of(data=Dataset([[-6]], [-1]), w=[0], start=start, loss="logistic"), Run())
    assert isinstance(found, Idle)
