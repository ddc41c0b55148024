"""What a search looks for a violation of.

A universal statement falls by a case that violates it. No case violates "there is": what fails there is no witness,
and what holds is one. A search for a witness is a search for a violation of the denial, "no case is a witness".
"""

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.language.relations import Decision, Margin, as_margin

_OPPOSITE = {Decision.HOLDS: Decision.AGAINST, Decision.AGAINST: Decision.HOLDS}


def turned(margin: Margin) -> Margin:
    """The margin of the opposite: where the one is strict the other is not."""
    trend = None if margin.trend is None else _OPPOSITE.get(margin.trend, margin.trend)
    return replace(margin, value=-margin.value, strict=not margin.strict, parts=(), trend=trend)


def with_margin(conclusion: Callable[..., Any], change: Callable[[Margin], Margin]) -> Callable[..., Any]:
    """The conclusion, its margin changed."""

    @functools.wraps(conclusion)
    def changed(*args: Any, **kwargs: Any) -> Margin:
        return change(as_margin(conclusion(*args, **kwargs), conclusion.__name__))

    return changed


def sought(claim: Claim) -> Claim:
    """The claim itself; of an existence statement its denial, under the same id and on the same cases."""
    if claim.kind is not Kind.EXISTENCE:
        return claim
    return replace(claim, kind=Kind.ALGEBRAIC, conclusion=with_margin(claim.conclusion, turned), proof=None)
