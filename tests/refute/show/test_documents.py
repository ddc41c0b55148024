"""The page on a paper says what its claims are and what they earned."""

import pickle
import sys
from dataclasses import replace
from fractions import Fraction
from types import ModuleType

import pytest
from hypothesis import strategies as st

from refute import Assumption, Fault, Run, at_least, at_most, less, moved
from refute.show.documents import entry, filled, ids_and_verdicts, page, prose, wrong_versions
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


def test_an_entry_tells_verdict_evidence_and_teeth():
    """And whether each assumption is necessary; the statement in paragraphs."""
    found = entry(TRUE, Run())
    assert (found.verdict, found.kills) == ("supported", (1, 1))
    assert [text for text, _ in found.assumptions] == ["x is positive"]
    assert found.statement == ("x is above zero | strictly.", "A second paragraph.")


def test_a_page_can_be_read_back():
    """Bars and angle brackets in statements break nothing."""
    found = [entry(TRUE, Run()), entry(FALSE, Run())]
    text = page("planted", found)
    assert ids_and_verdicts(text) == {"planted.above": "supported", "planted.below": "refuted"}
    assert list(wrong_versions(text)) == [(1, 1)]
    assert "Counterexample:\n\n```text\nx = " in text
    assert "<b>" not in text


def test_a_page_counts_printed_sentences_and_causes():
    """Two sentences that fall by one cause, a slip, and a reading that counts for nobody."""
    base = entry(FALSE, Run())
    wrong = replace(base, id="p.one", fault=Fault.WRONG)
    same = replace(base, id="p.two", fault=Fault.WRONG, root="p.one")
    slip = replace(base, id="p.slip", fault=Fault.SIGN)
    reading = replace(base, id="p.one.r1", printed=False)
    text = page("p", [wrong, slip, same, reading])
    assert "| refuted | 3 | 1 |" in text
    assert "| Errors that matter | wrong (2) | 2 | 1 |" in text
    assert "| Slips and edge cases | a sign (1) | 1 | 1 |" in text
    assert "| Readings, probes and open questions that fall | not said (1) | 1 | 1 |" in text
    matter, slips, others = (text.index(f"## {name}") for name in ("Errors that", "Slips and", "Readings, probes"))
    assert matter < text.index("`p.two` (") < slips < text.index("`p.slip` (") < others < text.index("`p.one.r1` (")


HOSTILE = "<script>top.PWNED=1</script> [x](javascript:alert(1)) `a` | b | <img src=x onerror=y> \x1b[2J \u202e ```"


def test_what_a_claim_says_is_data(tmp_path):
    """Built by sphinx as the pages of the project are, no field of a claim becomes a tag, a link or code."""
    pytest.importorskip("myst_parser")
    from sphinx.cmd.build import main

    base = entry(FALSE, Run())
    fields = ("id", "reference", "convention", "evidence", "margin", "title", "root", "counterexample", "module")
    hostile = replace(base, **dict.fromkeys(fields, HOSTILE))
    hostile = replace(
        hostile, statement=(HOSTILE, f"${HOSTILE}$"), assumptions=((HOSTILE, ""),), sweeps=((HOSTILE,) * 5,)
    )
    text = page(HOSTILE, [hostile])
    assert not set(text) & set("\x1b\u202e")
    (tmp_path / "index.md").write_text(text)
    (tmp_path / "conf.py").write_text('extensions = ["myst_parser"]\nmyst_enable_extensions = ["dollarmath"]\n')
    assert main(["-q", "-b", "html", str(tmp_path), str(tmp_path / "built")]) == 0
    built = (tmp_path / "built" / "index.html").read_text()
    article = built[built.index(": 1 claims") : built.index("sphinxsidebar")]
    assert "<script>top" not in article
    assert "<img" not in article
    assert 'href="javascript' not in article


@pytest.mark.parametrize(
    "text", ["a < b", "$a < b$ and $c|d|e$", "1. first", "- item", "# head", "    code", "$5 or $6"]
)
def test_prose_is_one_paragraph_of_words(text):
    """Marks at the beginning of a line do not make a list, a heading or code of it."""
    pytest.importorskip("markdown_it")
    from markdown_it import MarkdownIt

    tokens = MarkdownIt().parse("\n".join(filled(prose(text))))
    assert [token.type for token in tokens if token.nesting == 1 and token.type != "paragraph_open"] in ([], ["x"])


def test_a_formula_is_not_broken():
    """Lines are broken between words."""
    text = "word " * 30 + "$" + "x + " * 20 + "x$ " + "word " * 10
    assert all(line.count("$") % 2 == 0 for line in filled(prose(text)))
    assert max(map(len, filled(prose(text)))) <= 200


def test_a_long_formula_is_broken_before_a_command():
    """Never in front of a mark that would begin a list, and TeX reads the same."""
    formula = "$" + "=".join(rf"\alpha_{{{k}}}x" for k in range(40)) + "$"
    lines = filled(prose(f"word {formula} word"))
    assert max(map(len, lines)) <= 200
    assert all(line.startswith(("word", "$", "\\alpha")) for line in lines)
    assert "".join(lines).replace(" ", "") == f"word{formula}word"


@pytest.mark.usefixtures("ordered")
def test_a_page_is_in_the_papers_order_and_says_where_statements_are():
    """By names of files and globs; what is not named comes last."""
    base = entry(TRUE, Run())
    modules = ("alone", "lemma_1", "theorem_2_proof", "theorem_2")
    found = [
        replace(base, id=f"planted.{m}", module=m, reference=f"Theorem {k} (ii), x") for k, m in enumerate(modules)
    ]
    text = page("planted", found)
    places = [text.index(f"### `planted.{m}`") for m in ("theorem_2", "theorem_2_proof", "lemma_1", "alone")]
    assert places == sorted(places)
    assert "| Theorem 3 | `theorem_2.py` | 1 |" in text


@pytest.fixture
def ordered(monkeypatch):
    """A paper whose package says its order."""
    package = ModuleType("refute.claims.planted")
    package.CONTENTS = "theorem_2 theorem_* lemma_1"
    monkeypatch.setitem(sys.modules, "refute.claims.planted", package)


CASES = st.fixed_dictionaries({"x": st.integers(0, 40).map(Fraction), "C": st.just(10)})
FAR = Assumption("x.far", "x >= C", lambda x, C: at_least(x, C), base=CASES, satisfy=lambda draw, x, C: {"x": x + C})


def large(x):
    """x >= 10."""
    return at_least(x, 10)


@pytest.fixture
def told(monkeypatch):
    """A paper whose package says which constants it calls sufficiently large."""
    package = ModuleType("refute.claims.planted")
    package.SUFFICIENTLY_LARGE = {"C": {"planted.large": (3, 10, 30), "*": (3,)}}
    monkeypatch.setitem(sys.modules, "refute.claims.planted", package)


@pytest.mark.usefixtures("told")
def test_a_page_tells_how_large_a_constant_must_be():
    """All assumptions together, and each alone where the smallest value is not enough; claims that do not speak of it
    are left out.
    """
    found = [entry(planted(large, given=CASES, assumes=(FAR,), recorded="supported"), Run()), entry(TRUE, Run())]
    text = page("planted", pickle.loads(pickle.dumps(found)))
    assert "| `planted.large` | C: all together | 10 | 3 | 3, 10, 30 |" in text
    assert r"| `planted.large` | C: x &gt;= C | 10 | 3 | 3, 10, 30 |" in text
    assert text.count("| `planted.large` |") == 2
    assert ids_and_verdicts(text) == {"planted.large": "supported", "planted.above": "supported"}


def test_without_such_constants_there_is_no_such_table():
    assert "How large" not in page("planted", [entry(TRUE, Run())])
