"""What a notebook shows: cards with every string escaped, text without HTML, claims typed into cells."""

import re
import sys
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from IPython.lib.pretty import pretty

from refute import Broken, Case, Counterexample, Margin, Proved, Refuted, Supported, Undecided, Vacuous, check
from refute.decide.effort import Run
from refute.decide.verdict import Evidence
from refute.errors import BadClaim, BadInput
from refute.kernel.reading import read
from refute.language.registry import find_claim
from refute.models import Dataset, DeepNetwork, TwoLayer
from refute.models.flow import gradient_flow
from refute.models.flow.deep import deep_gradient_flow
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE
from refute.run.loading import load_file
from refute.run.runner import run_claim
from refute.show.cards import LONGEST, MOST_CURVES, curves, value
from refute.show.notebook import Certificate, certify, hunt, verify
from tests.refute.conftest import FALSE, TRUE, WriteClaims

HOSTILE = "<script>alert('&\"')</script>"
VOID = {"polyline"}  # an element that closes itself


class WellFormed(HTMLParser):
    """Reads HTML, complaining about tags that do not match, and keeps the tags and the text."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(markup)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        assert tag in VOID
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read_card(shown: object) -> WellFormed:
    return WellFormed(shown._repr_html_())


MARGIN = Margin(Fraction(-1, 3), line=f"{HOSTILE}: left 1, right 2")
CASE = Case.of(word=HOSTILE, x=Fraction(1, 3), points=[[1, 2], [3, "1/7"]])
FOUND = Counterexample(HOSTILE, CASE, ((HOSTILE, Margin(Fraction(1))),), MARGIN, HOSTILE, HOSTILE)
SHOWN = {
    "proved": Proved(HOSTILE),
    "supported": Supported(Evidence(3, 4, 2, worst=MARGIN)),
    "refuted": Refuted(FOUND),
    "undecided": Undecided(HOSTILE),
    "vacuous": Vacuous(HOSTILE, MARGIN, Evidence(0, 4)),
    "broken": Broken(HOSTILE, HOSTILE, CASE),
    "case": CASE,
    "counterexample": FOUND,
    "certificate": Certificate(
        Path(f"{HOSTILE}.json"), {"claim": HOSTILE, "case": CASE.to_json(), "violated": HOSTILE}
    ),
}


@pytest.mark.parametrize("title", SHOWN)
def test_a_hostile_string_is_shown_as_text(title: str):
    """Cards are well formed, carry their title, and show markup in a value as characters."""
    card = read_card(SHOWN[title])
    assert card.text.startswith(title)
    assert HOSTILE in card.text
    assert card.tags <= {"div", "table", "tr", "td", "code"}


@pytest.mark.parametrize("title", SHOWN)
def test_a_terminal_gets_text(title: str):
    """What IPython prints where there is no HTML is what `print` prints, never a heap of fields."""
    assert pretty(SHOWN[title]) == str(SHOWN[title])
    assert "Fraction(" not in str(SHOWN[title])


def test_a_verdict_says_its_word():
    """The text of a verdict begins with the verdict."""
    assert str(SHOWN["proved"]) == f"proved by {HOSTILE}"
    assert str(SHOWN["undecided"]) == f"undecided: {HOSTILE}"
    assert str(SHOWN["refuted"]).startswith("refuted: counterexample  word = ")


def test_numbers_are_exact_and_arrays_are_tables():
    """Fractions are written out, a matrix has its rows and columns, a network its parts by name."""
    card = read_card(Case.of(net=TwoLayer([[1, "1/3"], [0, "-2/7"]], [1, -1], 0), count=3, tiny=5e-324))
    for word in ("net", "inner", "outer", "slope", "1/3", "-2/7", "5e-324", "3"):
        assert word in card.text
    assert value(np.array([[1, 2], [3, 4]])).count("<tr>") == 2
    assert read_card(Dataset([[1, 2]], ["1/5"])).text.startswith("Datasetinputs12labels1/5")


def test_what_is_large_is_cut_short():
    """A number of ten thousand digits does not fill the page, nor does a large array."""
    assert len(value(Fraction(1, 10**10_000))) < LONGEST + 100
    assert value(np.zeros((100, 3))) == "an array of shape (100, 3)"
    assert value(np.zeros((2, 2, 2))) == "an array of shape (2, 2, 2)"
    assert "10002 characters" in value(Fraction(1, 10**9_999))


NET = TwoLayer([[1, 0], [0, "1/2"], [-1, 0]], ["1/10", 1, -1], 0)
DATA = Dataset([[1, 1], [1, -2]], [1, -1])


def flows() -> dict[str, object]:
    times = np.linspace(0, 1, 20)
    deep = DeepNetwork((np.array([[1, 0], [0, 1]]), np.array([[1, -1]])), 0)
    return {
        "flow": gradient_flow(NET, DATA, SQUARE, times),
        "deep flow": deep_gradient_flow(deep, DATA, SQUARE, times),
        "log-polar flow": log_polar_flow(Balanced([[1, 0], [0, "1/2"]], [1, -1], -2302, 0), DATA, SQUARE),
    }


def test_trajectories_are_drawn():
    """A trajectory shows how long it is, how well it is known and why it ended, with one curve per neuron or layer."""
    for name, run in flows().items():
        card = read_card(run)
        assert "known to" in card.text, name
        assert run.stop.value in card.text
        assert run._repr_html_().count("<polyline") == {"flow": 3, "deep flow": 2, "log-polar flow": 2}[name]
        assert pretty(run) == str(run)


def test_curves_take_what_training_gives():
    """Infinite and missing values leave gaps, many neurons are cut, and a single time has no curve."""
    time = np.linspace(0, 1, 5)
    many = curves(time, np.ones((5, 40)), "norms")
    assert many.count("<polyline") == MOST_CURVES
    assert f"the first {MOST_CURVES} of 40" in many
    holed = curves(time, np.array([[1.0], [np.inf], [np.nan], [2.0], [-np.inf]]), "norms")
    assert len(re.search(r'points="([^"]*)"', holed)[1].split()) == 2
    assert "from 1 to 2" in holed
    assert curves(np.array([0.0]), np.ones((1, 2)), "norms") == ""
    assert curves(time, np.full((5, 1), np.nan), "norms") == ""
    assert "nan" not in curves(time, np.zeros((5, 1)), "norms")


def test_a_result_is_a_card(claim_file: WriteClaims):
    """A row of `refute check` shows the claim, the counterexample and the command that replays it."""
    (claim,) = load_file(claim_file(FALSE))
    card = read_card(run_claim(claim, Run()))
    for words in (
        "refuted",
        "notes.false",
        "Conjecture 2",
        "a conjecture",
        "1/2",
        "x is positive",
        "refute verify --from mine.py",
    ):
        assert words in card.text


def test_hunt_certify_verify(claim_file: WriteClaims):
    """From Python as from the command line: found, certified, established again; another wording is not."""
    (claim,) = load_file(claim_file(FALSE))
    found = hunt(claim, "200 cases")
    assert found.counterexample is not None
    assert found.counterexample.margin.violated
    assert "refuted after" in str(found)
    certificate = certify(claim, found)
    assert read(certificate.path) == certificate.data
    assert verify(certificate).valid
    assert verify(certificate.path).valid
    assert "established again" in read_card(verify(certificate)).text
    forged = Certificate(certificate.path, {**certificate.data, "slack": "-5"})
    assert not verify(forged).valid
    assert str(verify(forged)) == "invalid: the content was changed: its digest does not fit"


def test_a_hunt_that_finds_nothing_says_so(claim_file: WriteClaims):
    """There is no counterexample, and none can be certified."""
    (claim,) = load_file(claim_file(TRUE))
    found = hunt(claim, "100 cases")
    assert found.counterexample is None
    assert found.cases >= 100
    assert str(found).startswith(f"no counterexample in {found.cases} cases")
    assert "no counterexample" in read_card(found).text
    for nothing in (found, check(claim)):
        with pytest.raises(BadInput, match="no counterexample to certify"):
            certify(claim, nothing)


CELL = """
from hypothesis import strategies as st
from refute import claim
@claim(given=st.fixed_dictionaries({"x": st.integers(-4, 4)}))
def squares(x):
    "A statement about x."
    return %s
"""


def test_a_cell_may_be_run_again(fresh_registry: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A claim that was typed in is replaced by the next version; claims of files with one id remain an error."""
    monkeypatch.chdir(tmp_path)
    main = ModuleType("__main__")  # a prompt: its module has no file
    monkeypatch.setitem(sys.modules, "__main__", main)
    exec(compile(CELL % "x * x - 1", "<cell 1>", "exec"), main.__dict__)
    outcome = check(main.squares)
    assert isinstance(outcome, Refuted)
    assert run_claim(main.squares, Run()).replay is None  # no file to load it from
    exec(compile(CELL % "x * x", "<cell 2>", "exec"), main.__dict__)
    assert isinstance(check(main.squares), Supported)
    assert find_claim("__main__.squares") is main.squares
    main.__file__ = "script.py"
    with pytest.raises(BadClaim, match="two claims are called"):
        exec(compile(CELL % "x", "<cell 3>", "exec"), main.__dict__)
