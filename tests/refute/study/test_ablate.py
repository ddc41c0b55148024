"""Dropping assumptions and moving constants."""

import json
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import strategies as st

from refute import Assumption, Claim, Kind, Run, at_least, at_most, eventually, grows_like, moved, without
from refute.arithmetic.numbers import Number
from refute.commands.main import cli
from refute.language.limits import HORIZONS
from refute.language.relations import Margin
from refute.study.ablate import ablate, kill

NUMBERS = st.fixed_dictionaries({"x": st.integers(-6, 6).map(Fraction)})

at_least_one = Assumption(
    "number.at_least_one",
    "x >= 1",
    lambda x: at_least(x, 1, "x"),
    base=NUMBERS,
    satisfy=lambda draw, x: {"x": abs(x) + 1},
    violate=lambda draw, x: {"x": -abs(x)},
)
below_hundred = Assumption("number.below_hundred", "x <= 100", lambda x: at_most(x, 100, "x"), base=NUMBERS)


def growing(x: Number, *, factor: int = 1) -> Margin:
    """x^2 >= factor x."""
    return at_least(x * x, factor * x, "x^2 against x")


def claim_with(*assumptions: Assumption) -> Claim:
    return Claim("test.growing", growing, Kind.ALGEBRAIC, given=NUMBERS, assumes=assumptions)


def cubes(x: Number) -> Margin:
    """x^3 >= x^2."""
    return at_least(x**3, x**2, "x^3 against x^2")


def test_a_needed_assumption_is_shown_necessary():
    """Without x >= 1 the claim x^3 >= x^2 falls, and the counterexample is the smallest one."""
    found = ablate(
        Claim("test.cubes", cubes, Kind.ALGEBRAIC, given=NUMBERS, assumes=(at_least_one,)), at_least_one, Run()
    )
    assert found.finding == "necessary"
    assert found.outcome.counterexample.case["x"] == -1


def test_a_superfluous_assumption_is_not_shown_necessary():
    """x^2 >= x holds for the integers below zero too: nothing is shown, and the effort is told."""
    found = ablate(claim_with(at_least_one), at_least_one, Run())
    assert found.finding == "not shown necessary"
    assert found.row()["cases"] > 5


def test_a_conclusion_that_needs_an_assumption_to_be_computed_says_so():
    """1/x^2 without x >= 1 is not evidence for anything."""
    claim = Claim("test.inverse", lambda x: 1 / (x * x), Kind.ALGEBRAIC, given=NUMBERS, assumes=(at_least_one,))
    found = ablate(claim, at_least_one, Run())
    assert found.finding == "no conclusion without it"
    assert "ZeroDivisionError" in found.row()["detail"]


def growing_like_log(x: Number) -> Margin:
    """x + log t = Theta(log t), if 0 <= x."""
    quantity = float(x) + np.log(HORIZONS) * (1 if x >= 0 else np.log(HORIZONS))
    return grows_like(quantity, np.log, "q")


def late(x: Number) -> Margin:
    """t >= 10^30 eventually, at once if 0 <= x."""
    return eventually(lambda t: at_least(t, 1.0 if x >= 0 else 1e30), "t")


@pytest.mark.parametrize(("conclusion", "finding"), [(growing_like_log, "evidence"), (late, "delays")])
def test_of_a_limit_an_assumption_is_not_shown_necessary(conclusion, finding):
    """A trend is evidence for it; a statement that holds later without it is told with the horizon."""
    found = ablate(
        Claim("test.limit", conclusion, Kind.ASYMPTOTIC, given=NUMBERS, assumes=(at_least_one,)), at_least_one, Run()
    )
    assert found.finding == finding
    assert finding != "delays" or found.row()["detail"].startswith("fails up to 10^20, holds later; ")


def test_an_assumption_is_not_tested_where_no_case_meets_the_rest():
    """Nothing drawn with x < 1 meets x >= 10."""
    large = Assumption("number.at_least_ten", "x >= 10", lambda x: at_least(x, 10, "x"), base=NUMBERS)
    claim = Claim("test.both", growing, Kind.ALGEBRAIC, given=NUMBERS, assumes=(at_least_one, large))
    assert ablate(claim, at_least_one, Run()).finding == "not tested"


def test_an_assumption_without_a_violating_strategy_says_so():
    """The absence of a violating strategy is not mistaken for evidence."""
    assert ablate(claim_with(below_hundred), below_hundred, Run()).finding == "no violating strategy"


def test_wrong_versions_are_killed_and_right_ones_survive():
    """A larger factor is refuted; the same statement under another name survives."""
    claim = claim_with(at_least_one)
    assert kill(claim, moved("x^2 >= 2 x", factor=2), Run()).killed
    assert not kill(claim, moved("the same", factor=1), Run()).killed
    assert not kill(claim, without(at_least_one), Run()).killed


def test_commands_print_json_and_exit_by_the_survivors():
    """`mutate` exits with 0 when every wrong version falls; both commands give one row per assumption or mutant."""
    runner = CliRunner()
    kills = runner.invoke(cli, ["mutate", "kou2023.lemma_h2.log_lower_bound", "--json", "--no-store"])
    assert kills.exit_code == 0
    assert all(row["killed"] for row in json.loads(kills.stdout))
    drops = runner.invoke(cli, ["ablate", "kou2023.lemma_h4.log_ratio_monotone", "--json", "--no-store"])
    assert drops.exit_code == 0
    assert [row["finding"] for row in json.loads(drops.stdout)] == ["necessary"] * 3
