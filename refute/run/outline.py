"""The ids of the claims of a file, told from its text alone: nothing is imported.

`section("paper", "lemma_8")` makes a prefix, `.but(...)` keeps it, `.claim("name")` adds to it, `.reading("r1")` and
`.amended(...)` add to a claim. What is made in a loop is not seen.
"""

import ast
from pathlib import Path

PREFIXES, CLAIMS = ("section",), ("claim", "statement", "identity")


def ids_of(path: Path, root: Path) -> set[str]:
    """The ids that the file registers; sections that it imports are looked up below `root`, the package of claims."""
    return _outline(path, root, {})[1]


Names = dict[str, str]  # what a name stands for: the id of a section, or of a claim
Known = dict[Path, tuple[Names, set[str]]]


def _outline(path: Path, root: Path, known: Known) -> tuple[Names, set[str]]:
    if path in known:
        return known[path]
    names, ids = known[path] = ({}, set())
    try:
        body = ast.parse(path.read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return names, ids
    for node in body:
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith("refute.claims."):
                file = root.joinpath(*module.split(".")[2:]).with_suffix(".py")
                there = _outline(file, root, known)[0] if file.is_file() else {}
                names.update((a.asname or a.name, there[a.name]) for a in node.names if a.name in there)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                if id := _id(call, names):
                    names[name] = id
                    ids |= {id} if _added(call) else set()
            case ast.FunctionDef(name=name, decorator_list=[ast.Call() as call, *_]):  # what follows are its mutants
                if id := _id(call, names):
                    names[name] = id
                    ids |= {id} if _called(call) != "statement" else set()
            case ast.Expr(value=ast.Call() as call):
                if _added(call) and (id := _id(call, names)):
                    ids.add(id)
    return names, ids


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _added(call: ast.Call) -> bool:
    return _called(call) in ("reading", "amended") or isinstance(call.func, ast.Call)


def _id(call: ast.Call, names: Names) -> str:
    """The id that a call makes; empty if it makes none."""
    words = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if isinstance(call.func, ast.Name):
        if call.func.id in PREFIXES:
            return ".".join(word for word in words[:2] if word)
        return words[0] if call.func.id in CLAIMS and words else ""
    if isinstance(call.func, ast.Call):  # section.claim("name")(function)
        return _id(call.func, names)
    if not isinstance(call.func, ast.Attribute):
        return ""
    of, how = call.func.value, call.func.attr
    base = _id(of, names) if isinstance(of, ast.Call) else names.get(getattr(of, "id", ""), "")
    if not base or how == "but":
        return base
    added = "amended" if how == "amended" else words[0] if words else ""
    return ".".join(part for part in (base, added) if part) if how in (*CLAIMS, "reading", "amended") else ""
