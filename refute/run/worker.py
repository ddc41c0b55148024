"""A process that does what it is told by its guard, one task after another: `python -m refute.run.worker PIPE PULSE`.

It leaves a sign of life in a small shared file before every case, so that the guard knows where it hung or died. It
ends with the guard.
"""

import ctypes
import json
import mmap
import os
import signal
import struct
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

from refute.decide.pulse import LOADING, told_to
from refute.language.case import Case

PULSE = struct.Struct("<QI")  # how many signs so far, and the length of the last one
ROOM = 1 << 18  # bytes for the words of a sign; a case that is larger is not named
WATCH = 1.0  # seconds between two looks at the guard
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


def main() -> None:
    guard = os.getppid()
    _end_with(guard)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the guard to handle
    sys.stdout = sys.stderr  # what predicates print
    pipe, signs = Connection(int(sys.argv[1])), Signs(int(sys.argv[2]))
    sys.path[:] = pipe.recv()
    import refute.run.runner  # noqa: F401, while the guard finds out what there is to do

    with told_to(signs.leave):
        while True:
            signs.leave(LOADING, None)
            try:
                function, arguments = pipe.recv()
            except EOFError:
                return
            pipe.send(_done(function, arguments))


def _done(function: Any, arguments: Any) -> tuple[bool, Any]:
    """Whether it went well, and the result or the exception."""
    try:
        return True, function(*arguments)
    except (Exception, SystemExit) as error:
        return False, error


class Signs:
    """The shared file with the last sign of life."""

    def __init__(self, file: int) -> None:
        self.memory, self.count = mmap.mmap(file, PULSE.size + ROOM), 0

    def leave(self, doing: str, case: Case | None) -> None:
        words = json.dumps([doing, None if case is None else case.to_json()]).encode()
        if len(words) > ROOM:
            words = json.dumps([doing, None]).encode()
        self.count += 1
        self.memory[PULSE.size : PULSE.size + len(words)] = words
        self.memory[: PULSE.size] = PULSE.pack(self.count, len(words))


def _end_with(guard: int) -> None:
    """When the guard dies, so does this process: at once on Linux, within a second elsewhere."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == guard:
            time.sleep(WATCH)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main()
