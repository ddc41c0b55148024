"""A false claim, and what a forger does to its certificate."""

import hashlib
import json
from typing import Any

from refute import Refuted, at_least, check
from tests.planted import POSITIVE, planted


def square_is_larger(x):
    """x^2 >= x for positive x."""
    return at_least(x * x, x, "x^2 >= x")


CLAIM = planted(square_is_larger, assumes=(POSITIVE,))


def found(claim=CLAIM):
    outcome = check(claim)
    assert isinstance(outcome, Refuted)
    return outcome.counterexample


def refitted(data: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """What a forger writes: changed content with a digest that fits."""
    body = {key: value for key, value in (data | changes).items() if key != "digest"}
    return body | {"digest": hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()}
