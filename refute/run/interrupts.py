"""Ctrl-C that cannot get lost.

Python drops an exception that is raised where nobody can receive it: in a destructor, a callback of the garbage
collector (Hypothesis has one), a callback from C. A Ctrl-C that arrives there is sent again, a moment later.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer, main_thread

LATER = 0.05  # seconds, by when the callback is over


@contextmanager
def kept_interrupts() -> Iterator[None]:
    """Within it, a KeyboardInterrupt that Python would drop is raised again; other dropped exceptions are reported as
    before.
    """
    before = sys.unraisablehook

    def hook(dropped: "sys.UnraisableHookArgs") -> None:
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            Timer(LATER, signal.pthread_kill, (main_thread().ident, signal.SIGINT)).start()  # wakes it from a wait, too
        else:
            before(dropped)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before
