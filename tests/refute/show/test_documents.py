"""The page on a paper says what its claims are and what they earned."""

import pickle
import sys
from fractions import Fraction
from types import ModuleType

import pytest
from hypothesis import strategies as st

from refute import Assumption, Run, at_least, at_most, less, moved
from refute.show.documents import entry, ids_and_verdicts, page, statement
from tests.planted import POSITIVE, planted


def above(x, *, least=0):
    """x is above zero | strictly.

    A second paragraph.
    """
    return less(least + 0 * x, x, "x")


def below(x):
    """x <= 1 <b>always</b>."""
    return at_most(x, 1, "x")


TRUE = planted(above, assumes=(POSITIVE,), mutants=(moved("above one", least=1),), recorded="supported")
FALSE = planted(below)


def test_a_row_tells_verdict_evidence_and_teeth():
    """And whether each assumption is necessary; the statement is its first paragraph."""
    found = entry(TRUE, Run())
    assert (found.verdict, found.mutants) == ("supported", "1 of 1")
    assert "x is positive" in found.necessary
    assert statement(TRUE) == "x is above zero | strictly."


def test_a_page_can_be_read_back():
    """Bars and angle brackets in statements break neither the table nor the page."""
    found = [entry(TRUE, Run()), entry(FALSE, Run())]
    text = page("planted", found)
    assert ids_and_verdicts(text) == {"planted.above": "supported", "planted.below": "refuted"}
    assert "Counterexample: `x = " in text
    assert "<b>" not in text


CASES = st.fixed_dictionaries({"x": st.integers(0, 40).map(Fraction), "C": st.just(10)})
FAR = Assumption("x.far", "x >= C", lambda x, C: at_least(x, C), base=CASES, satisfy=lambda draw, x, C: {"x": x + C})


def large(x):
    """x >= 10."""
    return at_least(x, 10)


@pytest.fixture
def told(monkeypatch):
    """A paper whose package says which constants it calls sufficiently large."""
    package = ModuleType("claims.planted")
    package.SUFFICIENTLY_LARGE = {"C": {"planted.large": (3, 10, 30), "*": (3,)}}
    monkeypatch.setitem(sys.modules, "claims.planted", package)


@pytest.mark.usefixtures("told")
def test_a_page_tells_how_large_a_constant_must_be():
    """All assumptions together, and each alone where the smallest value is not enough; claims that do not speak of it
    are left out.
    """
    found = [entry(planted(large, given=CASES, assumes=(FAR,), recorded="supported"), Run()), entry(TRUE, Run())]
    text = page("planted", pickle.loads(pickle.dumps(found)))
    assert (
        "| planted.large | C | all together | 10 | 3 | 3, 10, 30 |\n| planted.large | C | x >= C | 10 | 3 | 3, 10, 30 "
        "|\n" in text
    )
    assert text.count("| planted.") == 2
    assert ids_and_verdicts(text) == {"planted.large": "supported", "planted.above": "supported"}


def test_without_such_constants_there_is_no_such_table():
    assert "How large" not in page("planted", [entry(TRUE, Run())])
