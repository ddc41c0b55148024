"""Find claims: import files and packages of them, and select by id, glob or path.

The engine knows no paper: what there is to check is found by importing the package `claims`, or the files that are
named.
"""

import difflib
import importlib
import importlib.util
import os
import pkgutil
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from refute.errors import BadClaim, Missing, RefuteError, UnknownPattern, Unreadable, missing
from refute.language.claim import Claim
from refute.language.place import file_of, shown, where_raised
from refute.language.registry import claims, find_claim
from refute.run.alone import import_alone
from refute.run.packs import Pack, pack_of, packs
from refute.run.source import DEFAULT_PACKAGE, claim_files, has_claims

__all__ = ["DEFAULT_PACKAGE", "has_claims", "load_all", "load_file", "load_paper", "module_of", "reload", "select"]

IMPORTING = 120  # seconds


def load_file(path: str | Path) -> list[Claim]:
    """Import a file once and return its claims."""
    file = Path(path).resolve()
    if not file.is_file():
        raise Unreadable(f"there is no file {path}", "give the path of a Python file of claims")
    if file.suffix != ".py":
        raise Unreadable(
            f"{shown(path)} is not a Python file",
            "a file of claims ends in .py; a certificate is checked by `refute verify`",
        )
    with _reading(shown(file), file):
        _import_file(file)
    found = [claim for claim in claims() if file_of(claim.place) == file]
    if not found:
        raise BadClaim(f"{shown(file)} has no claims", "decorate a function with `@claim(...)`")
    return found


def load_all() -> list[Claim]:
    """Import every module of the default package and of the packs; every claim that is registered then.

    Modules that need an extra which is not installed are passed over, which is said once.
    """
    package = _default_package()
    _load_package(package.__path__, f"{DEFAULT_PACKAGE}.")
    for pack in packs():
        _load_pack(pack)
    return claims()


def load_paper(paper: str) -> None:
    """Import what the default package holds under the name of a paper, once, or the pack of that name; nothing where
    there is no such paper. Claims that lie elsewhere are found by `load_all`.
    """
    _load_paper(DEFAULT_PACKAGE, paper)
    for pack in packs():
        if pack.name == paper:
            _load_pack(pack)


@cache
def _load_paper(package: str, paper: str) -> None:
    places = list(_default_package().__path__) if paper.isidentifier() else []
    if any((Path(place) / f"{paper}.py").is_file() for place in places):
        with _reading(f"{package}.{paper}"):
            importlib.import_module(f"{package}.{paper}")
    folders = [Path(place) / paper for place in places]
    _load_package([str(folder) for folder in folders if folder.is_dir()], f"{package}.{paper}.")


@cache
def _load_pack(pack: Pack) -> None:
    folders = pack.folders()
    with _reading(f"the pack {pack.name}"):
        importlib.import_module(pack.package)
    _load_package([str(folder) for folder in folders], f"{pack.package}.")


def _default_package() -> ModuleType:
    with _reading(f"the package {DEFAULT_PACKAGE}"):
        if importlib.util.find_spec(DEFAULT_PACKAGE) is None:
            raise Unreadable(
                "no such package is installed",
                "install the project from its clone, or give the path of a file of claims",
            )
        return importlib.import_module(DEFAULT_PACKAGE)


def _load_package(folders: Iterable[str], prefix: str) -> None:
    for module in pkgutil.walk_packages(folders, prefix):
        if module.name.rpartition(".")[2].startswith("_"):
            continue  # a draft, or a helper of its neighbours
        with _passing_over(module.name), _reading(module.name):
            importlib.import_module(module.name)
    for folder in folders:  # folders without an __init__.py are invisible to walk_packages
        for file in claim_files(Path(folder)):
            with _passing_over(str(file)):
                load_file(file)


_passed_over: dict[str, str] = {}  # modules that need an extra, with the way to install it


@contextmanager
def _passing_over(name: str) -> Iterator[None]:
    """What cannot be imported inside for want of an extra is passed over."""
    try:
        yield
    except Missing as lacking:
        if lacking.hint not in _passed_over.values():
            sys.stderr.write(f"passed over: what needs an extra: {lacking}\n\n")
        _passed_over[name] = lacking.hint


def reload(id: str, file: str | Path) -> Claim:
    """The claim in a process that was told no more than its id and its file."""
    if find_claim(id) is None:
        load_file(file)
    if find_claim(id) is None:  # registered by another file than the one that holds its function
        load_all()
    found = find_claim(id)
    if found is None:
        raise BadClaim(
            f"a new process finds no claim {id!r} in {shown(file)}", "register claims at the top level of a file"
        )
    return found


@contextmanager
def _reading(what: str, file: Path | None = None) -> Iterator[None]:
    """Whatever goes wrong inside is the user's to mend: say where."""
    try:
        with _returning():
            yield
    except RefuteError as error:
        raise type(error)(f"cannot load {what}: {error.message}", error.hint) from error
    except SyntaxError as error:
        place = f"{shown(error.filename)}:{error.lineno}" if error.filename else what
        line = f"\n    {error.text.strip()}" if error.text else ""
        raise Unreadable(
            f"cannot load {what}: {place}: {type(error).__name__}: {error.msg}{line}", "mend the syntax"
        ) from error
    except (Exception, SystemExit) as error:
        if lacking := missing(error):
            raise Missing(f"cannot load {what}: {lacking.message}", lacking.hint) from error
        said = f"{type(error).__name__}: {error}{where_raised(error, file)}"
        raise Unreadable(f"cannot load {what}: {said}", "the file must be importable by Python on its own") from error


@contextmanager
def _returning() -> Iterator[None]:
    """An import that does not come back, or ends the process, raises."""

    def refuse(status: int) -> NoReturn:
        raise RuntimeError(f"it ends the process with code {status} while it is imported")

    def late(*_: object) -> NoReturn:
        raise TimeoutError(f"its import took more than {IMPORTING} s")

    leave, os._exit = os._exit, refuse
    timed = threading.current_thread() is threading.main_thread() and hasattr(signal, "SIGALRM")
    before = signal.signal(signal.SIGALRM, late) if timed else None
    left = signal.alarm(IMPORTING) if timed else 0
    try:
        yield
    finally:
        os._exit = leave
        if timed:
            signal.signal(signal.SIGALRM, before)
            signal.alarm(left)


def built_in(claim: Claim) -> bool:
    """Whether the claim comes with the project."""
    return claim.conclusion.__module__.startswith(f"{DEFAULT_PACKAGE}.")


def installed(claim: Claim) -> bool:
    """Whether the claim is found by its id alone: it comes with the project or with a pack."""
    return built_in(claim) or pack_of(claim.conclusion.__module__) is not None


def module_of(path: str | Path) -> ModuleType:
    """The module that `load_file` made of a file."""
    return _import_file(Path(path).resolve())


def _import_file(file: Path) -> ModuleType:
    dotted = _dotted_name(file)
    return importlib.import_module(dotted) if dotted is not None else import_alone(file)


def _dotted_name(file: Path) -> str | None:
    """The name by which the rest of the world imports the file; None when it is in no importable package."""
    package = importlib.util.find_spec(DEFAULT_PACKAGE)
    for place in (package.submodule_search_locations or ()) if package else ():
        folder = Path(place).resolve()
        if file.is_relative_to(folder) and all((parent / "__init__.py").is_file() for parent in _between(file, folder)):
            inside = file.relative_to(folder).with_suffix("").parts
            return ".".join([DEFAULT_PACKAGE, *(part for part in inside if part != "__init__")])
    parts = [] if file.stem == "__init__" else [file.stem]
    folder = file.parent
    while (folder / "__init__.py").is_file() and folder.name.isidentifier():
        parts.insert(0, folder.name)
        folder = folder.parent
    if folder == file.parent:
        return None
    top = importlib.util.find_spec(parts[0])
    if top is None or top.origin is None or Path(top.origin).resolve() != folder / parts[0] / "__init__.py":
        return None
    return ".".join(parts)


def _between(file: Path, folder: Path) -> list[Path]:
    """The folders from that of the file up to `folder`."""
    return [parent for parent in file.parents if parent.is_relative_to(folder)]


def select(patterns: Sequence[str]) -> list[Claim]:
    """The claims that match any of the patterns, each once; all of the default package without a pattern."""
    if not patterns:
        return load_all() or _none(f"the package {DEFAULT_PACKAGE} has no claims", "give the path of a file of claims")
    everything = cache(load_all)  # once, however many are named
    found = [
        claim
        for pattern in patterns
        for claim in (_by_path(pattern) if _is_path(pattern) else _by_id(pattern, everything))
    ]
    return list({claim.id: claim for claim in found}.values())


def _none(message: str, hint: str) -> list[Claim]:
    raise UnknownPattern(message, hint)


def _is_path(pattern: str) -> bool:
    return "::" in pattern or "/" in pattern or pattern.endswith(".py") or Path(pattern).is_dir()


def _by_id(pattern: str, everything: Callable[[], object]) -> list[Claim]:
    load_paper(pattern.partition(".")[0])
    one = find_claim(pattern)
    if one is not None:  # an id is one claim's only: the other papers need not be loaded
        return [one]
    everything()
    known = claims()
    found = _named(known, pattern)
    if found:
        return found
    if any(claim.id.startswith(f"{pattern}.") for claim in known):
        return _none(f"no claim is called {pattern!r}", f"did you mean '{pattern}.*'?")
    return _none(f"no claim matches {pattern!r}", _did_you_mean(pattern, known) or "`refute list` shows every id")


def _by_path(pattern: str) -> list[Claim]:
    place, _, name = pattern.partition("::")
    path = Path(place)
    if path.is_dir():
        found = [claim for file in claim_files(path.resolve()) for claim in load_file(file)]
        found = found or _none(f"no file below {place} has claims", "decorate a function with `@claim(...)`")
    elif path.is_file():
        found = load_file(path)
    else:
        beside = [str(path.with_name(other.name)) for other in path.parent.glob("*")]
        return _none(f"there is no file or folder {place}", _closest(place, beside))
    if not name:
        return found
    hint = _did_you_mean(name, found) or f"it has {', '.join(claim.id for claim in found)}"
    return _named(found, name) or _none(f"no claim in {place} is called {name!r}", hint)


def _named(known: Iterable[Claim], name: str) -> list[Claim]:
    """By id, by function name or by a glob over ids."""
    known = list(known)
    exact = [claim for claim in known if claim.id == name]
    return (
        exact
        or [claim for claim in known if claim.name == name]
        or [claim for claim in known if fnmatchcase(claim.id, name)]
    )


def _did_you_mean(word: str, known: Iterable[Claim]) -> str:
    return _closest(word, [name for claim in known for name in (claim.id, claim.name)])


def _closest(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(known), n=3)
    return f"did you mean {' or '.join(near)}?" if near else ""
