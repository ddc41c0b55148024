"""What `refute check` and `refute mutate` cost, this tree against another one: processor seconds per paper.

    git worktree add ../before v0.1.0
    python -m benchmarks speed --against ../before --part 0.1

Only statements that both trees know are run, all claims of a statement together, since they share what they compute;
`--part` takes a part of them, always the same. Both trees run turn by turn, in one process each and on one thread, and
what counts is the time of the processor in it and in all that it starts: other work on the machine matters little.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
WANTED = {"check": 2.0, "mutate": 3.0}  # times as fast


def environment(tree: Path) -> dict[str, str]:
    """That of a process which imports the packages of this tree."""
    return {**os.environ, "PYTHONPATH": str(tree / "src" if (tree / "src").is_dir() else tree)}


def refute(tree: Path, *arguments: str) -> str:
    """What `refute` of a tree prints, run in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "refute", *arguments, "--json"]
        return subprocess.run(
            command, cwd=folder, env=environment(tree), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ).stdout


def seconds(tree: Path, command: str, ids: Sequence[str]) -> float:
    """The time of the processor that one run takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    refute(tree, command, *ids, "--no-store")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def statements(tree: Path) -> dict[str, list[str]]:
    """The claims of each statement, `paper.statement`."""
    found = defaultdict(list)
    for row in json.loads(refute(tree, "list")):
        found[".".join(row["id"].split(".")[:2])].append(row["id"])
    return found


def chosen(trees: Sequence[Path], part: float) -> dict[str, list[list[str]]]:
    """For each paper and each tree the ids to run."""
    known = [statements(tree) for tree in trees]
    papers: dict[str, list[str]] = defaultdict(list)
    for statement in sorted(set.intersection(*map(set, known))):
        papers[statement.partition(".")[0]].append(statement)
    draw = random.Random(0)
    picked = {paper: draw.sample(names, max(1, round(part * len(names)))) for paper, names in papers.items()}
    return {paper: [[id for name in names for id in one[name]] for one in known] for paper, names in picked.items()}


def main(arguments: list[str]) -> int:
    """Exit code 0 when each command is as many times as fast as wanted, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks speed", description=__doc__)
    parser.add_argument("--against", type=Path, required=True, metavar="TREE", help="the root of another checkout")
    parser.add_argument("--part", type=float, default=1.0, help="of the statements of each paper (1)")
    parser.add_argument("--command", choices=list(WANTED), action="append", help="only this one")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows as JSON")
    options = parser.parse_args(arguments)
    trees = (options.against.resolve(), ROOT)
    rows, good = [], True
    for command in options.command or WANTED:
        total = [0.0, 0.0]
        for paper, ids in chosen(trees, options.part).items():
            spent = [seconds(tree, command, mine) for tree, mine in zip(trees, ids, strict=True)]
            total = [a + b for a, b in zip(total, spent, strict=True)]
            rows.append(
                {"command": command, "paper": paper, "claims": len(ids[1]), "before": spent[0], "now": spent[1]}
            )
            sys.stdout.write(said(command, paper, len(ids[1]), *spent))
            sys.stdout.flush()
        sys.stdout.write(said(command, "all", 0, *total))
        good = good and total[0] >= WANTED[command] * total[1]
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return int(not good)


def said(command: str, paper: str, claims: int, before: float, now: float) -> str:
    times = f"{before:8.1f} s  {now:8.1f} s  {before / now:5.2f} times as fast"
    return f"{command:<7} {paper:<15} {claims or '':>4}  {times}\n"
