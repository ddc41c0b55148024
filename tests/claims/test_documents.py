"""The pages in docs/ are those that `refute document` writes now: every claim is there, with the verdict that is
recorded.
"""

from pathlib import Path

import pytest

from refute.show.documents import fallen_by_paper, filled, ids_and_verdicts, prose, wrong_versions
from tests.registered import registered_claims

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted((ROOT / "docs").glob("*20??.md"))


def test_what_fell_is_counted():
    """In docs/fallen.md by paper, in the README together: printed sentences and causes in three parts."""
    papers = {page.stem for page in PAGES}
    table = fallen_by_paper(claim for claim in registered_claims() if claim.paper in papers)
    assert "\n".join(table) in (ROOT / "docs" / "fallen.md").read_text(encoding="utf-8")
    assert table[-1].replace("together", "all four papers") in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_current(page: Path):
    """Ids, verdicts and the words of the statements."""
    text = page.read_text(encoding="utf-8")
    claims = [claim for claim in registered_claims() if claim.paper == page.stem]
    assert ids_and_verdicts(text) == {claim.id: claim.recorded for claim in claims}
    for claim in claims:
        said = "\n".join(filled(prose(claim.statement.split("\n\n")[0])))
        assert said in text, claim.id


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_can_be_read_in_an_editor(page: Path):
    """No line is longer than 200 characters."""
    assert [line for line in page.read_text(encoding="utf-8").splitlines() if len(line) > 200] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_mutant_survived_on_the_page(page: Path):
    """As many fell as there are."""
    found = list(wrong_versions(page.read_text(encoding="utf-8")))
    assert found
    assert all(killed == of for killed, of in found)
