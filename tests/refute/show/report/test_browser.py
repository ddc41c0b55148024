"""The site in a real browser, from the file system: search, sort, graph, download, colours, and what screen readers
meet.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from refute import objections
from refute.kernel.reading import read
from refute.show.report.folder import write
from refute.show.report.site import Site
from tests.refute.show.report.conftest import CLAIMS

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install refute[dev]")
axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed: pip install refute[dev]"
)

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PAGES = (
    "index.html",
    "claim/planted.lemma_2.html",
    "claim/planted.theorem_1.html",
    "claim/planted.network.html",
    "paper/planted.html",
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}: scripts/install-browser installs it"),
]


@pytest.fixture(scope="module")
def folder(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("browser") / "site"
    write(site, out)
    return out


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        yield started
        started.close()


@pytest.fixture
def page(browser, folder: Path) -> Iterator[object]:
    """The front page; whatever a page says on the console, or asks the network for, fails the test."""
    opened = browser.new_page(viewport={"width": 1200, "height": 900})
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    opened.goto((folder / "index.html").as_uri())
    yield opened
    opened.close()
    assert said == []


def shows(page, *ids: str) -> None:
    """The table comes to show these claims, in this order: a page answers a moment after it was asked."""
    playwright.expect(page.locator("#claims tbody tr:visible th")).to_have_text(list(ids))


def test_search_by_words_and_fields(page):
    """Id, text, paper, kind and verdict narrow the table; the count is announced; the address keeps the question."""
    page.fill("#q", "BOUNDED")
    shows(page, "planted.theorem_1", "planted.corollary")
    assert page.inner_text("#found") == "2 of 6 claims"
    page.select_option("#verdict", "not run")
    shows(page, "planted.corollary")
    assert page.url.endswith("#search?q=BOUNDED&verdict=not+run")
    page.click("text=Clear")
    playwright.expect(page.locator("#claims tbody tr:visible")).to_have_count(6)
    page.fill("#q", "lemma_2.amended algebraic")
    shows(page, "planted.lemma_2.amended")
    page.fill("#q", "no such claim")
    shows(page)


def test_counts_lead_to_their_claims(page):
    """A link of the summary asks for a selection."""
    page.click(".tally .refuted a")
    shows(page, "planted.lemma_2", "planted.network")
    page.reload()
    shows(page, "planted.lemma_2", "planted.network")


def test_tables_are_sorted_from_the_keyboard(page):
    """Enter on a heading sorts upwards, then downwards; aria-sort says which; what is no number stays last."""
    heading = page.locator("#claims thead th").nth(5)
    heading.locator("button").focus()
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    upwards = page.locator("#claims tbody td:nth-child(6)").all_inner_texts()
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    downwards = page.locator("#claims tbody td:nth-child(6)").all_inner_texts()
    numbers = [float(text.replace("\N{MINUS SIGN}", "-")) for text in upwards[:-1]]
    assert numbers == sorted(numbers)
    assert upwards[-1] == downwards[-1] == "—"
    assert sorted(upwards) == sorted(downwards)
    assert upwards != downwards


def test_from_the_graph_to_a_certificate_that_holds(page, tmp_path: Path):
    """Follow the graph to a refuted lemma, download its certificate, and verify it."""
    page.click("section:has(#papers) th >> text=planted")
    node = page.locator("svg.graph a.node.refuted")
    assert node.get_attribute("aria-label") == "planted.lemma_2: refuted"
    node.focus()
    assert page.locator(".edge.lit").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_url("**/claim/planted.lemma_2.html")
    with page.expect_download() as downloading:
        page.click("text=Download the certificate")
    downloading.value.save_as(tmp_path / "certificate.json")
    data = read(tmp_path / "certificate.json")
    assert objections(data, next(claim for claim in CLAIMS if claim.id == data["claim"])) == []


def test_the_graph_is_enlarged_and_narrowed(page):
    """Buttons change its size; around one statement stands what it uses and what uses it."""
    page.click("section:has(#papers) th >> text=planted")
    graph = page.locator("svg.graph")
    before = float(graph.get_attribute("width"))
    page.click("button[aria-label=Larger]")
    assert float(graph.get_attribute("width")) > before
    page.click("button[aria-label='Show all of it']")
    fits = "document.querySelector('.graph-frame').scrollWidth <= document.querySelector('.graph-frame').clientWidth"
    assert page.evaluate(fits)
    assert page.locator(".graph .node:visible").count() == 4
    page.select_option(".graph-bar select", "planted.lemma_1")
    assert page.locator(".graph .node:visible").count() == 3


def test_a_training_is_stepped_through(page):
    """The slider moves a mark in every picture of the run, and says the time."""
    page.goto(page.url.rpartition("/site/")[0] + "/site/claim/planted.network.html")
    slider = page.locator(".stepper input")
    assert page.inner_text(".stepper output") != "t = 0.00"
    last = page.locator(".now").first.get_attribute("cy")
    slider.focus()
    page.keyboard.press("Home")
    assert page.inner_text(".stepper output") == "t = 0.00"
    assert page.locator(".now").first.get_attribute("cy") != last


def test_the_font_of_formulas_is_there(page):
    """It is loaded from the site itself."""
    page.goto(page.url.rpartition("/site/")[0] + "/site/claim/planted.lemma_2.html")
    loaded = "document.fonts.ready.then((fonts) => [...fonts].filter((one) => one.status === 'loaded').length)"
    assert page.evaluate(loaded) == 1


def test_the_button_changes_the_colours_and_is_remembered(page):
    """From what the system prefers to the other, on every page."""
    background = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(background)
    page.click("#theme")
    light = page.evaluate(background)
    assert light != dark
    page.click("section:has(#papers) th >> text=planted")
    page.wait_for_url("**/paper/planted.html")
    assert page.evaluate(background) == light


def test_it_fits_a_phone(page):
    """No page is wider than the screen."""
    page.set_viewport_size({"width": 360, "height": 740})
    for name in PAGES:
        page.goto(page.url.rpartition("/site/")[0] + "/site/" + name)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_a_screen_reader(page, scheme: str):
    """axe-core finds no serious or critical violation."""
    page.emulate_media(color_scheme=scheme)
    for name in PAGES:
        page.goto(page.url.rpartition("/site/")[0] + "/site/" + name)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        found = axe.Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
        grave = [
            (name, one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")
        ]
        assert grave == []
