"""Which statements the proof of a statement uses: `claims/<paper>/proofs.toml`, one graph per paper.

A statement may be encoded by several claims, one for each reading and one for an amended form; they share one node.
"""

import re
import tomllib
from collections.abc import Collection, Mapping
from graphlib import CycleError, TopologicalSorter
from importlib import resources
from typing import Any

from refute.errors import Unreadable
from refute.run.loading import load_all
from refute.run.packs import packs
from refute.run.source import DEFAULT_PACKAGE

FILE = "proofs.toml"

_READING = re.compile(r"(\.(r\d+|amended\w*))+$")


def statement(id: str) -> str:
    """The statement that a claim is a reading, or an amended form, of."""
    return _READING.sub("", id)


def uses(paper: str, known: Collection[str] | None = None) -> dict[str, tuple[str, ...]]:
    """For each statement of the paper whose proof is recorded, the statements that the proof uses; empty for a paper
    without a file.

    `known` are the ids of the claims that exist: those of the installed package unless given.
    """
    text = proofs_file(paper)
    if text is None:
        return {}
    graph = parse(text, f"claims/{paper}/{FILE}")
    ids = [claim.id for claim in load_all()] if known is None else known
    _check_ids(graph, {statement(id) for id in ids if id.startswith(f"{paper}.")}, paper)
    return graph


def parse(text: str, name: str = FILE) -> dict[str, tuple[str, ...]]:
    """The graph in a file: a table [uses] of lists of ids, without repetitions and without cycles."""
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"cannot read {name}: {error}", "mend the TOML") from error
    if not {"uses"} <= set(read) <= {"uses", "paper"} or not isinstance(read["uses"], dict):
        raise Unreadable(
            f"{name} has {', '.join(read) or 'nothing'} at its top", "it should have the tables [uses] and [paper]"
        )
    graph = {id: _listed(id, listed, name) for id, listed in read["uses"].items()}
    _check_order(graph, name)
    return graph


def proofs_file(paper: str) -> str | None:
    """What the file of a paper says; None where there is none."""
    if not paper.isidentifier():
        return None
    places = [resources.files(DEFAULT_PACKAGE) / paper]
    places += [folder for pack in packs() if pack.name == paper for folder in pack.folders()]
    return next((file.read_text(encoding="utf-8") for place in places if (file := place / FILE).is_file()), None)


def _listed(id: str, listed: Any, name: str) -> tuple[str, ...]:
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise Unreadable(f"{name}: {id} uses {listed!r}", "give a list of ids")
    if len(set(listed)) < len(listed):
        raise Unreadable(f"{name}: {id} uses {max(listed, key=listed.count)} twice", "name each statement once")
    return tuple(listed)


def _check_order(graph: Mapping[str, tuple[str, ...]], name: str) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = " uses ".join(reversed(error.args[1]))
        raise Unreadable(
            f"{name}: a proof goes round in a circle: {circle}", "take out the use that the paper does not make"
        ) from error


def _check_ids(graph: Mapping[str, tuple[str, ...]], known: Collection[str], paper: str) -> None:
    named = {*graph, *(one for listed in graph.values() for one in listed)}
    unknown = sorted(named - set(known))
    if unknown:
        raise Unreadable(
            f"claims/{paper}/{FILE} names {', '.join(unknown)}, and there is no such claim",
            "write ids without the ending of a reading (.r1, .amended); `refute list` shows every id",
        )
