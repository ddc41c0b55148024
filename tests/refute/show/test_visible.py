"""No character of a text is an order to the terminal that shows it."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from refute.show.visible import one_line, visible


@given(st.text(st.characters(codec=None)))
def test_nothing_that_is_left_is_an_order(text: str):
    """Whatever goes in, lone surrogates included; the result can be encoded."""
    shown = visible(text)
    assert all(c == "\n" or unicodedata.category(c)[0] != "C" for c in shown)
    shown.encode("utf-8")
    assert "\n" not in one_line(text)


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"])))
def test_what_is_only_shown_stays_as_it_is(text: str):
    """Letters of any script, mathematics, emoji and backslashes."""
    assert visible(text) == one_line(text) == text


def test_orders_are_written_as_escapes():
    """Colours, bells, carriage returns, right-to-left marks."""
    assert visible("a\x1b[31mb\x07\r\t\u202ec\x9b\u2028😀\nd") == "a\\x1b[31mb\\x07\\r\\t\\u202ec\\x9b\\u2028😀\nd"
    assert one_line("a\nb") == "a\\nb"
