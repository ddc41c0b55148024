from pathlib import Path

import pytest

from refute.language.registry import find_claim
from refute.run.loading import load_file

FILE = Path(__file__).parent / "needles.py"


@pytest.fixture
def needle():
    """A claim of the file of needles by the last part of its id."""
    load_file(str(FILE))

    def named(name):
        claim = find_claim(f"needles.{name}")
        assert claim is not None
        return claim

    return named
