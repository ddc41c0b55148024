"""How large a shared constant must be: read off a sweep, all assumptions together or one alone."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import strategies as st

from refute import Assumption, Claim, Kind, Run, at_least, at_most
from refute.study.sweep import speaking, sweep

CASES = st.fixed_dictionaries(
    {"x": st.integers(0, 40).map(Fraction), "y": st.integers(0, 40).map(Fraction), "C": st.just(2)}
)

far = Assumption(
    "x.far",
    "x >= C",
    lambda x, C: at_least(x, C, "x"),
    base=CASES,
    satisfy=lambda draw, x, C: {"x": x + C},
    violate=lambda draw, C: {"x": C - 1},
)
high = Assumption(
    "y.high", "y >= C", lambda y, C: at_least(y, C, "y"), base=CASES, satisfy=lambda draw, y, C: {"y": y + C}
)
small = Assumption("x.small", "x <= 10^6", lambda x: at_most(x, 10**6, "x"), base=CASES)


def claim_that(conclusion):
    return Claim("test.swept", conclusion, Kind.ALGEBRAIC, given=CASES, assumes=(far, high, small))


def test_the_smallest_value_that_is_enough():
    """x >= 10 for large C: from 10 on, and 3 is violated."""
    found = sweep(claim_that(lambda x: at_least(x, 10)), "C", [30, 10, 3], Run())
    assert (found.values, found.enough, found.refuted_at) == ((3, 10, 30), 10, 3)
    assert str(found) == "no violation from C = 10 on, violated at C = 3 (tried 3, 10, 30)"
    assert [row["verdict"] for row in found.rows()] == ["refuted", "supported", "supported"]


def test_one_that_no_value_saves():
    """x <= 20 fails for every C, the more the larger it is; a gap in the middle does not count as enough."""
    found = sweep(claim_that(lambda x: at_most(x, 20)), "C", [3, 100], Run())
    assert (found.enough, found.refuted_at) == (None, 100)
    assert "not supported at the largest value, violated at C = 100" in str(found)
    gap = sweep(claim_that(lambda C, x: at_most(abs(C - 10), 5)), "C", [3, 10, 30], Run())
    assert gap.enough is None


@pytest.mark.parametrize(("alone", "enough"), [(far, 10), (high, None)])
def test_one_assumption_alone(alone, enough):
    """x >= 10 needs x >= C and not y >= C: the others stay at the smallest value."""
    found = sweep(claim_that(lambda x: at_least(x, 10)), "C", [3, 10, 30], Run(), alone)
    assert found.enough == enough
    assert str(found).startswith(f'"{alone.text}" alone: ')
    assert {row["alone"] for row in found.rows()} == {alone.text}


def test_a_loosened_assumption_is_still_made_to_hold():
    """Tightened alone, y >= C leaves x >= 3."""
    found = sweep(claim_that(lambda x: at_least(x, 3)), "C", [3, 30], Run(), high)
    assert found.enough == 3


def test_which_assumptions_speak_of_a_field():
    claim = claim_that(lambda x: x)
    assert speaking(claim, "C") == [far, high]
    assert speaking(claim, "z") == []
    assert speaking(replace(claim, given=None), "C") == []


SWEPT = """
far = Assumption("x.far", "x >= C", lambda x, C: at_least(x, C), base=cases, satisfy=lambda draw, x, C: {"x": x + C})

@claim("notes.swept", given=cases, assumes=[far])
def large(x):
    return at_least(x, 10)

@claim("notes.silent", given=cases)
def silent(x):
    return x
"""


def test_the_command_says_how_large_is_enough(claim_file, refute):
    """For the claims that have such an assumption; with --each for every one of them alone; rows as JSON."""
    given = "from fractions import Fraction\n"
    cases = "cases = st.fixed_dictionaries({'x': st.integers(0, 40).map(Fraction), 'C': st.just(2)})\n"
    file = claim_file(given + cases + SWEPT)
    done = refute("sweep", file, "--field", "C=3,10,30", "--each")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "notes.swept: no violation from C = 10 on, violated at C = 3 (tried 3, 10, 30)",
        'notes.swept: "x >= C" alone: no violation from C = 10 on, violated at C = 3 (tried 3, 10, 30)',
    ]
    rows = json.loads(refute("sweep", file, "--field", "C=3,30", "--json").stdout)
    assert [(row["value"], row["verdict"]) for row in rows] == [("3", "refuted"), ("30", "supported")]
    assert refute("sweep", file, "--field", "z=1").exit_code == 1


@pytest.mark.parametrize("wrong", ["C", "C=", "C=3,many", "=3"])
def test_a_field_without_numbers_is_wrong_use(claim_file, refute, wrong):
    done = refute("sweep", claim_file(SWEPT), "--field", wrong)
    assert done.exit_code == 2
    assert "--field" in done.stderr
