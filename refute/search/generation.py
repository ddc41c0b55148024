"""Draws that depend on the seed alone.

Hypothesis now and then draws a number that it has read in the source of the modules loaded so far. Here that would make
the cases of a claim depend on which other claims were loaded before it, so it is switched off while a claim is
searched.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants


@contextmanager
def nothing_read_in_modules() -> Iterator[None]:
    """Within it, Hypothesis knows no constants of loaded modules."""
    read = providers._get_local_constants
    providers.CONSTANTS_CACHE.cache.clear()
    providers._get_local_constants = Constants
    try:
        yield
    finally:
        providers._get_local_constants = read
        providers.CONSTANTS_CACHE.cache.clear()
