"""Names of pages: safe on every file system, different for different ids."""

import hashlib
import re

_PLAIN = re.compile(r"[a-z0-9_][a-z0-9._-]{0,95}")
_LONGEST = 72


def page_name(id: str) -> str:
    """The id itself where it is plain; else what is plain of it and a digest, since file systems may not tell capitals
    apart.
    """
    if _PLAIN.fullmatch(id):
        return f"{id}.html"
    plain = re.sub(r"[^a-z0-9._-]+", "_", id.lower()).lstrip("._-")[:_LONGEST]
    return f"{plain or 'claim'}.{hashlib.sha256(id.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.html"
