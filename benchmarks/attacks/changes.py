"""What a forger does to JSON: one small or large change, at random, of a number, a word, a shape, a key."""

import copy
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from refute.arithmetic.numbers import rational, written
from refute.errors import RefuteError

NUMBERS = ("0", "1", "-1", "2", "1/2", "-1/3", "1/1000", "1000000", f"1/{10**40}", str(10**40))
COUNTS = (0, 1, 2, 3, 7, 100, -1)
WORDS = ("", "zero", "mean", "max", "nan", "../../etc/passwd", "x\nvalid       other.json: ...", "\x1b[2J", "9" * 5000)
ODD = (None, True, 1e308, -0.0, [], {}, {"word": "odd"}, {"record": "Popen"}, "1e999", "nan", float("inf"))

Path = tuple[Any, ...]


def places(value: Any, path: Path = ()) -> list[Path]:
    """The way to every number, word and list of a file."""
    found = [path] if path else []
    if isinstance(value, dict):
        return found + [place for key, entry in value.items() for place in places(entry, (*path, key))]
    if isinstance(value, list):
        return found + [place for key, entry in enumerate(value) for place in places(entry, (*path, key))]
    return found


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def put(value: Any, path: Path, new: Any) -> Any:
    """A copy with another value at one place."""
    made = copy.deepcopy(value)
    if not path:
        return new
    at(made, path[:-1])[path[-1]] = new
    return made


def number(text: Any, rng: Random) -> Any:
    """Another number of the same sort, near or far."""
    if isinstance(text, float):
        return rng.choice([0.0, -text, 2 * text, text / 3, text + 1.0, 1e-30, 1e30])
    if isinstance(text, int):
        return rng.choice([*COUNTS, text + 1, text - 1, 10 * text])
    try:
        value = rational(text)
    except RefuteError:
        return rng.choice(NUMBERS)
    near = value + Fraction(rng.choice((-1, 1)), 10 ** rng.randrange(1, 9))
    return rng.choice([*NUMBERS, written(-value), written(2 * value), written(value / 3), written(near), written(near)])


def shaped(array: dict[str, Any], rng: Random) -> dict[str, Any]:
    """An array with one row more or less, turned, or empty."""
    shape, entries = list(array["shape"]), list(array["entries"])
    row = len(entries) // shape[0] if shape and shape[0] else 1
    match rng.randrange(4):
        case 0 if shape and shape[0]:
            return {"shape": [shape[0] + 1, *shape[1:]], "entries": entries + entries[:row]}
        case 1 if shape and shape[0]:
            return {"shape": [shape[0] - 1, *shape[1:]], "entries": entries[row:]}
        case 2:
            return {"shape": shape[::-1], "entries": entries}
    return {"shape": [0, *shape[1:]], "entries": []}


def changed_case(case: dict[str, Any], others: Sequence[dict[str, Any]], rng: Random) -> dict[str, Any]:
    """One to three changes of a case; fields of other cases fit in now and then."""
    made = copy.deepcopy(case)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        known = [path for path in places(made) if path[-1] not in ("record", "shape")]
        move = rng.random()
        if move < 0.08 and others:
            other = rng.choice(others)
            shared = [name for name in other if name in made] or list(other)
            if shared:
                name = rng.choice(shared)
                made[name] = other[name]
        elif move < 0.1:
            made[rng.choice(("x", "another", *made))] = rng.choice(NUMBERS)
        elif known:
            path = rng.choice(known)
            made = put(made, path, _changed(at(made, path), rng))
    return made


def _changed(value: Any, rng: Random) -> Any:
    if rng.random() < 0.01:
        return rng.choice(ODD)
    if isinstance(value, dict) and isinstance(value.get("entries"), list) and isinstance(value.get("shape"), list):
        if rng.random() < 0.5:
            return shaped(value, rng)
        return value | {"entries": [number(entry, rng) for entry in value["entries"]]}
    if isinstance(value, dict) and "word" in value:
        return {"word": rng.choice(WORDS)}
    if isinstance(value, list):
        return value[:-1] if value and rng.random() < 0.5 else value + value[-1:]
    return value if isinstance(value, dict) else number(value, rng)


def tampered(data: dict[str, Any], rng: Random) -> tuple[Path, dict[str, Any]]:
    """One place of a file changed, gone, or there besides."""
    path = rng.choice([place for place in places(data) if place != ("digest",)])
    value, move = at(data, path), rng.random()
    if move < 0.05:
        extra = rng.choice(("note", "seed", "verdict", "$schema", "Level"))
        return (extra,), data | {extra: rng.choice((0, "against", "refuted", None))}
    if move < 0.12:
        made = copy.deepcopy(data)
        del at(made, path[:-1])[path[-1]]
        return path, made
    if move < 0.2:
        return path, put(data, path, rng.choice(ODD))
    if isinstance(value, str) and path[0] not in ("case", "slack", "error") and path[-1] not in ("slack", "error"):
        k = rng.randrange(len(value) + 1)
        words = [value[:k] + rng.choice("0123456789aZ -") + value[k + 1 :], value[:-1], value + "1", rng.choice(WORDS)]
        return path, put(data, path, rng.choice(words))
    if isinstance(value, (dict, list)):
        return path, put(data, path, _changed(value, rng) if path[0] == "case" else rng.choice(ODD))
    return path, put(data, path, number(value, rng))
