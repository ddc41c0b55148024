"""Machine code from Python functions, kept on disk; a change in the module or in one that it imports makes it anew.

Importing this module imports numba: do it inside the function that needs it.
"""

import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def stamp(source: Path, root: Path = Path(__file__).parents[1]) -> str:
    """A digest of a file and of all that it imports from `models`: numba looks only at the file of the function, not at
    what it calls.
    """
    known, found = [source], {source}
    for each in known:
        for module in re.findall(r"^\s*from (models[\w.]*) import", each.read_text(), re.MULTILINE):
            path = root / f"{module.replace('.', '/')}.py"
            if path.exists() and path not in found:
                found.add(path)
                known.append(path)
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(found))).hexdigest()


def compiled(function: Function) -> Function:
    """`function` compiled at its first call; sums may be reassociated, NaN and infinities stay what they are."""
    return _made(function, False)


def inlined(function: Function) -> Function:
    """The same, copied into compiled callers: a call passes every array of a tuple by value, which takes longer than a
    short loop.
    """
    return _made(function, True)


def _made(function: Function, inline: bool) -> Function:
    made = numba.njit(cache=True, fastmath={"reassoc", "contract"}, error_model="numpy", forceinline=inline)(function)
    kept = getattr(getattr(made, "_cache", None), "_cache_file", None)
    if kept is not None:
        kept._source_stamp = stamp(Path(function.__code__.co_filename))
    return cast(Function, made)


def _call_address(_: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = ir.FunctionType(ir.VoidType(), []).as_pointer()
        builder.call(builder.inttoptr(arguments[0], pointer), [])
        return context.get_dummy_value()

    return types.void(types.intp), generate


call_address = cast(
    Callable[[int], None], intrinsic(_call_address)
)  # call the C function without arguments at an address
