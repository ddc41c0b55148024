"""`python -m benchmarks training [--json FILE]`: how fast networks are trained, as ratios to what
one would use instead.
"""

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PARTS = ("descent", "flow", "logpolar", "scaling")  # modules of this package with a function `rows`


def collect(parts: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of the parts, in order. A part whose peer is not installed is left out, and said so."""
    found: list[dict[str, Any]] = []
    for part in parts:
        try:
            module = importlib.import_module(f"benchmarks.{part}")
        except ImportError as error:
            sys.stderr.write(f"left out: benchmarks.{part} ({error})\n")
            continue
        found.extend(module.rows())
    return found


def show(row: dict[str, Any]) -> str:
    """One line: a ratio with its bound and whether it is met, or a plain value."""
    if "ratio" in row:
        met = "  " if row["ratio"] >= row["at_least"] else "<<"
        return f"{row['ratio']:>10.1f}x {met} at least {row['at_least']:g}x   {row['work']}   against {row['peer']}"
    return f"{row.get('value', float('nan')):>10.3g} {row.get('unit', ''):<18}{row['work']}"


def main(arguments: list[str], parts: Sequence[str] = PARTS) -> int:
    """Print the table; 1 when a ratio falls short of its bound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks training", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows to FILE as well")
    options = parser.parse_args(arguments)
    found = collect(parts)
    sys.stdout.write("\n".join(show(row) for row in found) + "\n")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    return int(any(row["ratio"] < row["at_least"] for row in found if "ratio" in row))
