"""Draws that depend on the seed alone.

Hypothesis now and then draws a number that it has read in the source of the modules loaded so far. Here that would make
the cases of a claim depend on which other claims were loaded before it, so it is switched off while a claim is
searched. And it sorts the parts of a case, in the order in which they are made smaller, by hashes of functions, which
are their places in memory: here by what they are. A strategy keeps the hash that it has once been given; here it has
another one, kept apart, so that it does not matter whether somebody has drawn from it before.

Both lie in the insides of Hypothesis, which may move. A version in which they did still draws and shrinks; only what it
draws may then depend on what is loaded, and a warning says so.
"""

import importlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch
from weakref import WeakKeyDictionary

import hypothesis
from hypothesis.strategies import SearchStrategy

_PROVIDERS = "hypothesis.internal.conjecture.providers"
_UTILS = "hypothesis.internal.conjecture.utils"


def _no_constants() -> Any:
    return importlib.import_module("hypothesis.internal.constants_ast").Constants()


def _label(what: object) -> int:
    """The same in every process; parts of one type need not be told apart."""
    label: int = importlib.import_module(_UTILS).calc_label_from_name(type(what).__qualname__)
    return label


_own: WeakKeyDictionary[Any, int] = WeakKeyDictionary()


def _own_label(strategy: Any) -> int:
    """What the strategy computes from its parts, with our labels; a part that contains itself is 0."""
    if strategy not in _own:
        _own[strategy] = 0
        _own[strategy] = strategy.calc_label()
    return _own[strategy]


# Where a function of Hypothesis is replaced, and by what.
_STRATEGIES = "hypothesis.strategies._internal.strategies"
_REPLACED: tuple[tuple[str, str, Callable[..., Any]], ...] = (
    (_PROVIDERS, "_get_local_constants", _no_constants),
    (_UTILS, "calc_label_from_hash", _label),
    (_STRATEGIES, "calc_label_from_hash", _label),
)


@contextmanager
def nothing_read_in_modules() -> Iterator[None]:
    """Within it, Hypothesis knows no constants of loaded modules, and no places in memory."""
    missing = _moved()
    if missing:
        warnings.warn(
            f"Hypothesis {hypothesis.__version__} has no {', '.join(missing)}: what is drawn may depend on which "
            f"modules are loaded; install the version in constraints.txt for the same cases everywhere",
            RuntimeWarning,
            stacklevel=3,
        )
        yield
        return
    known = importlib.import_module(_PROVIDERS).CONSTANTS_CACHE.cache
    known.clear()
    with ExitStack() as stack:
        for module, name, mine in _REPLACED:
            stack.enter_context(patch.object(importlib.import_module(module), name, mine))
        stack.enter_context(patch.object(SearchStrategy, "label", property(_own_label)))
        try:
            yield
        finally:
            known.clear()


@cache
def _moved() -> tuple[str, ...]:
    """What this version of Hypothesis does not have where it is looked for."""
    wanted = [
        *((module, name) for module, name, _ in _REPLACED),
        (_PROVIDERS, "CONSTANTS_CACHE.cache.clear"),
        (_STRATEGIES, "SearchStrategy.calc_label"),
        (_UTILS, "calc_label_from_name"),
        ("hypothesis.internal.constants_ast", "Constants"),
    ]
    return tuple(f"{module}.{name}" for module, name in wanted if not _there(module, name))


def _there(module: str, name: str) -> bool:
    try:
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return False
    return callable(found)
