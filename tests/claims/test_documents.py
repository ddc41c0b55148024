"""The pages in docs/ are those that `refute document` writes now: every claim is there, with the
verdict that is recorded.
"""

from pathlib import Path

import pytest

from refute.show.documents import ids_and_verdicts, statement
from tests.registered import registered_claims

PAGES = sorted((Path(__file__).parent.parent.parent / "docs").glob("*20??.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_current(page: Path):
    """Ids, verdicts and the words of the statements."""
    text = page.read_text(encoding="utf-8")
    claims = [claim for claim in registered_claims() if claim.paper == page.stem]
    assert ids_and_verdicts(text) == {claim.id: claim.recorded for claim in claims}
    for claim in claims:
        assert " ".join(statement(claim).split()).replace("|", "\\|").replace("<", "&lt;") in text, claim.id


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_mutant_survived_on_the_page(page: Path):
    """The last column counts refuted mutants: all of them."""
    for line in page.read_text(encoding="utf-8").splitlines():
        last = line.rstrip(" |").rpartition("|")[2].strip()
        if line.startswith("| `") and " of " in last:
            killed, total = last.split(" of ")
            assert killed == total, line[:80]
