"""A false claim, its counterexample and the certificate of it."""

import json
from typing import Any

import pytest

from refute.kernel.certificate import document
from tests.refute.kernel.square import CLAIM, found


@pytest.fixture(scope="module")
def honest() -> dict[str, Any]:
    return json.loads(json.dumps(document(CLAIM, found())))
