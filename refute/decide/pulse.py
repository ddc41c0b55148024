"""Signs of life: what this process is at, told to whoever guards it. Nobody listens unless it is guarded."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from refute.language.case import Case

DRAWING, JUDGING, PROVING, LOADING = "drawing a case", "judging", "proving", "loading the claims"

Listener = Callable[[str, Case | None], None]

_listener: Listener | None = None


def tell(doing: str, case: Case | None = None) -> None:
    """This process has come so far, and now does this."""
    if _listener is not None:
        _listener(doing, case)


@contextmanager
def told_to(listener: Listener) -> Iterator[None]:
    """Within it, somebody listens."""
    global _listener
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before
