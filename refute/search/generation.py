"""Draws that depend on the seed alone.

Hypothesis now and then draws a number that it has read in the source of the modules loaded so far. Here that would make
the cases of a claim depend on which other claims were loaded before it, so it is switched off while a claim is
searched. And it sorts the parts of a case, in the order in which they are made smaller, by hashes of functions, which
are their places in memory: here by what they are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from hypothesis.internal.conjecture import providers, utils
from hypothesis.internal.constants_ast import Constants
from hypothesis.strategies._internal import strategies


@contextmanager
def nothing_read_in_modules() -> Iterator[None]:
    """Within it, Hypothesis knows no constants of loaded modules, and no places in memory."""
    providers.CONSTANTS_CACHE.cache.clear()
    with (
        patch.object(providers, "_get_local_constants", Constants),
        patch.object(utils, "calc_label_from_hash", _label),
        patch.object(strategies, "calc_label_from_hash", _label),
    ):
        try:
            yield
        finally:
            providers.CONSTANTS_CACHE.cache.clear()


def _label(what: object) -> int:
    """The same in every process; parts of one type need not be told apart."""
    return utils.calc_label_from_name(type(what).__qualname__)
