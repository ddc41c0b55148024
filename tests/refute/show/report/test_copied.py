"""What is taken elsewhere: LaTeX, the badge, the place of a claim, the citation of its paper."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from refute.run.papers import Paper, paper
from refute.show.report.badge import badge
from refute.show.report.entry import Entry
from refute.show.report.latex import latex, plain, words
from refute.show.report.origin import Origin, origin
from tests.refute.show.report.conftest import CLAIMS

PAPERS = ["chistikov2023", "kou2023", "min2024", "zhang2024"]


def test_a_statement_in_latex(entries: list[Entry]):
    """Formulas as they are, words escaped; the counterexample as matrices."""
    made = latex(next(entry for entry in entries if entry.id == "planted.network"))
    assert "\\paragraph{Counterexample.}" in made
    assert "\\text{net.inner} &= \\begin{pmatrix} 1 & \\tfrac{1}{2} \\\\ -1 & 1 \\end{pmatrix}" in made
    assert "$x^2\\ge0$" in latex(entries[0])
    assert "\\texttt{square}" in latex(entries[0])


def test_words_are_escaped_and_formulas_are_not():
    """A percent sign would hide the rest of a line."""
    assert words("100 % of $a_1 % b$ and `x_1`") == "100 \\% of $a_1 % b$ and \\texttt{x\\_1}"
    assert plain("\\") == "\\textbackslash{}"


@pytest.mark.parametrize(
    ("counts", "unexpected", "said"),
    [
        ({"proved": 2, "supported": 3, "refuted": 4}, 0, "5 stand, 4 refuted"),
        ({"supported": 1, "not run": 8}, 1, "1 stand, 1 not as recorded"),
        ({"not run": 8}, 0, "nothing was run"),
        ({"broken": 1}, 1, "1 broken, 1 not as recorded"),
    ],
)
def test_the_badge_says_what_it_comes_to(counts: dict[str, int], unexpected: int, said: str):
    """As a picture that stands alone."""
    drawn = badge(counts, unexpected)
    assert ElementTree.fromstring(drawn).get("aria-label") == f"refute: {said}"


def test_no_path_of_the_machine_is_shown(pages: dict[str, str]):
    """Neither of the file of a claim nor of anything else."""
    for name, text in pages.items():
        assert str(Path.home()) not in text, name
        assert str(Path(__file__).parent) not in text, name
    assert origin(CLAIMS[0]).path.endswith("conftest.py")
    assert not origin(CLAIMS[0]).path.startswith("/")


def test_a_place_leads_to_the_web_where_there_is_an_address():
    """And nowhere else."""
    place = Origin("claims/a/b c.py", "12", "")
    assert place.link("https://example.org/blob/main/") == "https://example.org/blob/main/claims/a/b%20c.py#L12"
    assert place.link("") == place.link("javascript:alert(1)") == ""


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_is_cited(name: str):
    """With a link that leads to it."""
    found = paper(name)
    assert found is not None
    assert found.link == f"https://arxiv.org/abs/{found.arxiv}"
    assert f"{name}," in found.bibtex
    assert found.title in found.bibtex


def test_an_address_is_made_of_plain_numbers_only():
    """A file may hold anything."""
    assert Paper("x", arxiv='1" onclick="').link == ""
    assert Paper("x", doi="10.1000/182").link == "https://doi.org/10.1000/182"
    assert paper("no_such_paper") is None
