"""The pages: complete, escaped, the same every time; a folder holds one report and nothing of another."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from refute.errors import BadInput
from refute.show.report.changes import Change
from refute.show.report.entry import Entry
from refute.show.report.folder import MANIFEST, write
from refute.show.report.site import Site
from tests.planted import planted
from tests.refute.show.report.conftest import CLAIMS, lemma_1, named

HOSTILE = '<script>alert("1")</script>'


class Links(HTMLParser):
    """Collects what a page refers to, and every element and attribute that could run code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.code: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.links += [str(found[name]) for name in ("href", "src") if found.get(name)]
        self.code += [name for name in found if name == "style" or name.startswith("on")]
        self.code += (
            [tag]
            if tag in ("style", "iframe", "object", "embed", "base") or (tag == "script" and not found.get("src"))
            else []
        )


def test_every_link_leads_somewhere(pages: dict[str, str]):
    """Within the site: no page asks the network for anything."""
    for name, text in pages.items():
        if name.endswith(".html"):
            for link in [link for link in Links(text).links if not link.startswith("data:application/json;base64,")]:
                place = link.partition("#")[0]
                assert "//" not in place
                target = str((Path("/") / name).parent.joinpath(place).resolve().relative_to("/")) if place else name
                assert target in pages, (name, link)


def test_nothing_on_a_page_is_code(pages: dict[str, str]):
    """A strict policy stands on every page, and no page needs it to be looser."""
    for name, text in pages.items():
        if name.endswith(".html"):
            assert Links(text).code == []
            assert "default-src 'none'" in text
            assert "unsafe" not in text


def test_the_front_page_tells_what_matters(pages: dict[str, str]):
    """Counts, what is not run and how to run it, what fails with its amended form, idle assumptions."""
    front = pages["index.html"]
    assert "1 claim was not run yet." in front
    assert "refute check --jobs 2" in front
    assert "This is the first report" in front
    assert "x is positive" in front
    for word, count in (("supported", 3), ("refuted", 2), ("not run", 1)):
        assert f'<span class="count">{count}</span> <span class="word">{word}</span>' in front
    refuted = front[front.index('id="refuted"') : front.index('id="nearest"')]
    assert 'href="claim/planted.lemma_2.html"' in refuted
    assert 'href="claim/planted.lemma_2.amended.html"' in refuted


def test_the_nearest_to_failure_come_first(entries: list[Entry]):
    """Supported claims with a positive margin, by the smallest; those that touch their bound are counted."""
    text = dict(Site(entries).pages())["index.html"].decode()
    section = text[text.index('id="nearest"') : text.index('id="idle"')]
    assert re.findall(r"claim/([\w.]+)\.html", section) == ["planted.theorem_1", "planted.lemma_2.amended"]
    assert "1 claim touches the bound" in section


def test_a_claim_page_tells_everything(pages: dict[str, str]):
    """Statement, verdict in words, margins, ablation, teeth, tightness, convention, what it stands on, where it is
    written.
    """
    page = pages["claim/planted.theorem_1.html"]
    for words in (
        "No counterexample among",
        "not shown necessary",
        "1 of 1 wrong version refuted",
        "refuted at 15",
        "is rational.",
        "conftest.py:",
    ):
        assert words in page
    assert 'class="picture histogram"' in page
    assert "Stands on a refuted statement" in page
    assert "its amended form holds" in page


def test_a_counterexample_can_be_downloaded_and_rechecked(pages: dict[str, str], records: dict[str, dict[str, Any]]):
    """The certificate is a copy, with the command beside it."""
    page = pages["claim/planted.lemma_2.html"]
    assert 'href="../certificates/planted.lemma_2.json"' in page
    assert "refute verify --from" in page
    assert pages["certificates/planted.lemma_2.json"] == Path(records["planted.lemma_2"]["certificate"]).read_text()


def test_a_certificate_of_another_wording_is_said(records: dict[str, dict[str, Any]]):
    """It would not be verified any more."""

    def lemma_2(x):
        """Reworded."""
        return x * x - x

    reworded = planted(lemma_2, recorded="refuted")
    for claim, said in ((CLAIMS[1], False), (reworded, True)):
        text = dict(Site([Entry(claim, records["planted.lemma_2"])]).pages())["claim/planted.lemma_2.html"].decode()
        assert ("speaks of an earlier wording" in text) == said


def test_a_network_is_drawn_and_its_values_are_typeset(pages: dict[str, str]):
    """From the record alone, where there is no certificate."""
    page = pages["claim/planted.network.html"]
    assert 'class="picture plane"' in page
    assert "net.inner" in page
    assert "No certificate is stored" in page


def test_a_law_that_holds_is_drawn_too(records: dict[str, dict[str, Any]]):
    """Where the record keeps the line that came nearest to failure."""
    record = records["planted.lemma_1"] | {
        "line": "error: exponent 0.5000 +- 0.0100, drift 0.0200, over [1.0e-08, 1.0e-02]"
    }
    text = dict(Site([Entry(CLAIMS[0], record)]).pages())["claim/planted.lemma_1.html"].decode()
    assert "Nearest to failure: error: exponent 0.5000" in text
    assert "Fitted law in log-log" in text


def test_a_claim_that_was_never_run_says_how_to_run_it(pages: dict[str, str]):
    """And what the repository records."""
    page = pages["claim/planted.corollary.html"]
    assert "refute check planted.corollary" in page
    assert "records it as supported" in page


def test_a_changed_statement_is_said(records: dict[str, dict[str, Any]]):
    """The verdict is that of another wording."""
    record = records["planted.lemma_1"] | {"statement": "0" * 16}
    text = dict(Site([Entry(CLAIMS[0], record)]).pages())["claim/planted.lemma_1.html"].decode()
    assert "The statement has changed since" in text
    assert (
        "The statement has changed since"
        not in dict(Site([Entry(CLAIMS[0], records["planted.lemma_1"])]).pages())["claim/planted.lemma_1.html"].decode()
    )


def test_changes_are_listed(entries: list[Entry]):
    """With both verdicts; a claim that is gone has no link."""
    text = dict(
        Site(entries, changes=[Change("planted.lemma_1", "refuted", "supported"), Change("gone", "odd", None)]).pages()
    )["index.html"].decode()
    section = text[text.index('id="changes"') :]
    assert 'href="claim/planted.lemma_1.html"' in section
    assert "odd" in section


def hostile_record(record: dict[str, Any]) -> dict[str, Any]:
    odd = {
        "verdict": HOSTILE,
        "margin": float("nan"),
        "error": "1/" + "9" * 500,
        "cases": 10**400,
        "tried": "many",
        "detail": HOSTILE,
        "at": HOSTILE,
    }
    return (
        record
        | odd
        | {"margins": [float("nan"), HOSTILE, 10**400, -1e308], "case": {"x": HOSTILE}, "certificate": "/etc/passwd"}
    )


def test_hostile_content_is_shown_as_text(records: dict[str, dict[str, Any]]):
    """Ids, statements, references, assumptions and records with markup in them, emoji, endless ids."""

    def bad(x):
        return x

    bad.__doc__ = (
        f"{HOSTILE} $\\text{{{HOSTILE}}}$ \N{PILE OF POO} $\\href{{javascript:alert(1)}}{{x}}$ {{{{ 7 * 7 }}}}"
    )
    odd = [
        named(planted(bad, reference=HOSTILE, convention=HOSTILE), id)
        for id in (HOSTILE, "../../up", "\N{PILE OF POO}" * 500, 'a".b onload="x')
    ]
    record = hostile_record(records["planted.lemma_1"])
    extra = [
        ({"assumption": HOSTILE, "finding": HOSTILE},),
        ({"mutant": HOSTILE, "killed": "yes"},),
        ({"constant": HOSTILE},),
    ]
    found = list(
        Site(
            [Entry(claim, record, *extra) for claim in odd] + [Entry(CLAIMS[1], record | {"verdict": "refuted"})],
            {},
            (),
        ).pages()
    )
    assert len({name for name, _ in found}) == len(found)
    for name, content in found:
        assert ".." not in name
        assert len(name) < 120
        assert b"root:x:" not in content
        if name.endswith(".html"):
            text = content.decode()
            assert "<script>" not in text
            assert 'href="javascript' not in text
            assert Links(text).code == []
            assert "{{ 7 * 7 }}" in text or "planted" in name


def test_a_broken_graph_is_said(entries: list[Entry]):
    """And the rest of the paper stands."""
    text = dict(Site(entries, {"planted": "proofs.toml has a circle <b>"}).pages())["paper/planted.html"].decode()
    assert "It cannot be drawn: proofs.toml has a circle &lt;b&gt;" in text


def test_the_same_results_give_the_same_bytes(site: Site):
    """Whatever the order in which hashes fall."""
    assert list(site.pages()) == list(site.pages())


def test_a_new_report_replaces_the_old_one(site: Site, tmp_path: Path):
    """Pages of claims that are gone are removed, foreign files stay."""
    out = tmp_path / "site"
    number, size = write(site, out)
    assert number == len(json.loads((out / MANIFEST).read_text())["files"])
    assert size == sum(path.stat().st_size for path in out.rglob("*") if path.is_file() and path.name != MANIFEST)
    (out / "mine.txt").write_text("kept")
    write(Site(site.entries[:1]), out)
    assert [path.name for path in (out / "claim").iterdir()] == ["planted.lemma_1.html"]
    assert (out / "mine.txt").exists()


def test_a_folder_with_something_else_is_left_alone(site: Site, tmp_path: Path):
    """Nothing is written into it, and a forged list of files deletes nothing outside."""
    (tmp_path / "precious").write_text("kept")
    with pytest.raises(BadInput, match="holds no report"):
        write(site, tmp_path)
    inside = tmp_path / "site"
    inside.mkdir()
    (inside / MANIFEST).write_text(json.dumps({"files": ["../precious", 3]}))
    write(Site([Entry(planted(lemma_1))]), inside)
    assert (tmp_path / "precious").exists()
