"""Stored results: every run leaves a file of JSON lines, so that reports, resumed runs and "what changed?" need no
second search.

    records = results.read(results.folder())            # every record, in the order of the runs
    verdicts = results.latest(results.folder(), "check")  # by claim

`record` is what a line holds, `journal` writes the file of a run, `history` reads the files, `changes` compares two
runs.
"""

from refute.run.results.history import StoredRun, latest, latest_groups, previous, read, runs
from refute.run.results.journal import Journal, append
from refute.run.results.record import FOLDER, FORMAT, SORTS, Record, folder, stamped

__all__ = [
    "FOLDER",
    "FORMAT",
    "SORTS",
    "Journal",
    "Record",
    "StoredRun",
    "append",
    "folder",
    "latest",
    "latest_groups",
    "previous",
    "read",
    "runs",
    "stamped",
]
