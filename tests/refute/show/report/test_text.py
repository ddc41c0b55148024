"""Statements become HTML that says what they say and does nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute.show.report.formula import formula
from refute.show.report.names import page_name
from refute.show.report.prose import headline, identifier, line, prose
from refute.show.report.quantity import as_float, counted, shown_number


def test_formulas_become_mathml():
    """Between dollars, \\( \\), \\[ \\] and double dollars; code stands in backquotes."""
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in line("all $x^2$")
    assert 'display="inline"' in line(r"all \(y\)")
    assert 'display="block"' in line(r"all \[y\]")
    assert 'display="block"' in line("all $$y$$")
    assert line("call `f<g`") == "call <code>f&lt;g</code>"


@pytest.mark.parametrize(
    "latex", [r"\foo x", r"\text{<script>alert(1)</script>}", r"\frac{1", "x^2^3", "\\", "&amp;<", "x" * 5000]
)
def test_what_cannot_be_typeset_is_shown_as_code(latex: str):
    """An unknown command, a broken formula, markup inside a formula."""
    assert formula(latex).startswith('<code class="formula">')
    assert "<script" not in formula(latex)


def test_links_do_not_pass_through_formulas():
    """The converter knows \\href; only elements and attributes of mathematics remain."""
    assert "javascript" not in formula(r"\href{javascript:alert(1)}{x}")


def test_alphabets_are_characters_and_primes_stand_beside_their_letter():
    """Browsers know no script variant and raise a prime twice."""
    assert "\N{SCRIPT CAPITAL L}" in formula(r"\mathcal L")
    assert "\N{MATHEMATICAL SCRIPT CAPITAL N}" in formula(r"\mathcal N")
    assert "\N{DOUBLE-STRUCK CAPITAL R}" in formula(r"\mathbb R")
    assert "<msup>" not in formula(r"\sigma'(0)")
    assert "<msup>" in formula("C''^2")


def test_a_statement_is_paragraphs():
    """The first one is the headline; an indented one is kept as written."""
    text = "One $x$.\n\n    two\n      three\n\nfour $5 and `six"
    assert headline(text) == "One $x$."
    assert prose(text).count("<p>") == 2
    assert "<pre>two\n  three</pre>" in prose(text)
    assert "four $5 and `six" in prose(text)


@given(st.text())
def test_no_text_becomes_markup(text: str):
    """Only the elements of prose and of mathematics appear, whatever is written."""
    made = prose(text.replace("$", "").replace("`", "").replace("\\", ""))
    assert made.replace("<p>", "").replace("</p>", "").replace("<pre>", "").replace("</pre>", "").count("<") == 0


@given(st.text(min_size=1, max_size=300), st.text(min_size=1, max_size=300))
def test_names_of_pages_are_safe_and_different(first: str, second: str):
    """Lower case, no separators, of bounded length; different ids never share a page."""
    name = page_name(first)
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-")
    assert len(name) <= 101
    assert not name.startswith(".")
    assert (page_name(second) == name) == (first == second)


def test_ids_may_be_broken_and_stay_text():
    """After dots and underscores."""
    assert identifier("a.b_c<i>") == "a.<wbr>b_<wbr>c&lt;i&gt;"


def test_a_plain_id_is_its_own_name():
    """And one in capitals gets a digest, since file systems may not tell them apart."""
    assert page_name("zhang2024.lemma_10.correlation") == "zhang2024.lemma_10.correlation.html"
    assert page_name("a.Theta") != page_name("a.theta")
    assert page_name("a.Theta").startswith("a.theta.")


@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), "1e5", "abc", [1], True, "1/0"])
def test_what_is_no_finite_number_is_none(value: object):
    """Files may hold anything."""
    assert as_float(value) is None


def test_numbers_are_shown_shortly():
    """Fractions as text are read; what has no float near it is cut; a minus is a minus."""
    assert shown_number("-1/4") == "\N{MINUS SIGN}0.25"
    assert shown_number(123456.0) == "1.235e+05"
    assert shown_number("9" * 1000) == "1e1000"
    assert shown_number("-1/" + "9" * 1000) == "\N{MINUS SIGN}1e\N{MINUS SIGN}1000"
    assert shown_number("0") == "0"
    assert len(shown_number("x" * 1000)) == 60
    assert shown_number(float("nan")) == "nan"
    assert shown_number(None) == "—"
    assert counted(1, "case") == "1 case"
    assert counted(1200, "case") == "1 200 cases"
