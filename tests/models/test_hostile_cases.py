"""Every integrator on a slice of the hostile cases of `python -m benchmarks attacks integrators`, against
references of fifty digits.
"""

from collections import Counter

import pytest

from benchmarks.attacks.integrators import ATTACKS, BAD, HELD, attack

CASES = {"deep_gradient_flow": 12, "gradient_flow": 40, "validated_flow": 30}
SHARP = {"fixed_slope_flow": 15, "log_polar_flow": 15}  # cases held to 10^-3, at least


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_the_stated_error_holds_and_nothing_raises(name: str) -> None:
    """No error is understated, nothing raises, hangs or returns NaN; and many of the cases are decided sharply."""
    cases = CASES.get(name, 50)
    outcomes = [attack(name, 7, case) for case in range(cases)]
    assert [(k, each.kind, each.detail) for k, each in enumerate(outcomes) if each.kind in BAD] == []
    sharp = sum(each.kind == HELD and each.bound < 1e-3 for each in outcomes)
    assert sharp >= SHARP.get(name, cases // 2), Counter(each.kind for each in outcomes)
