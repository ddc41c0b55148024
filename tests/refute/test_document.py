"""The page on a paper says what its claims are and what they earned."""

from refute import Run, at_most, less, moved
from refute.document import entry, ids_and_verdicts, page, statement
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
