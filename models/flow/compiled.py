"""Machine code from Python functions, kept on disk; a change in any compiled module makes it anew.

Importing this module imports numba: do it inside the function that needs it.
"""

import hashlib
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
def _stamp() -> str:
    """A digest of all sources that are compiled: numba looks only at the file of the outermost function, not at what it calls."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        text = source.read_bytes()
        if b"@compiled" in text:
            digest.update(text)
    return digest.hexdigest()


def compiled(function: Function) -> Function:
    """`function` compiled at its first call; sums may be reassociated, NaN and infinities stay what they are."""
    made = numba.njit(cache=True, fastmath={"reassoc", "contract"}, error_model="numpy")(function)
    kept = getattr(getattr(made, "_cache", None), "_cache_file", None)
    if kept is not None:
        kept._source_stamp = _stamp()
    return cast(Function, made)


def _call_address(_: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = ir.FunctionType(ir.VoidType(), []).as_pointer()
        builder.call(builder.inttoptr(arguments[0], pointer), [])
        return context.get_dummy_value()

    return types.void(types.intp), generate


call_address = cast(Callable[[int], None], intrinsic(_call_address))  # call the C function without arguments at an address
