"""Where a claim is written: a path that leaks nothing of the machine, the text of the predicate, a link to the web."""

import inspect
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from refute.language.claim import Claim
from refute.language.place import file_of

MOST_LETTERS = 6000


@dataclass(frozen=True, slots=True)
class Origin:
    """`path` is relative to the repository for a claim of a package, else to the current folder, else a bare name."""

    path: str
    line: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}" if self.path else "typed in"

    def link(self, base: str) -> str:
        """On the web, below an address that is given; lines as GitHub and GitLab count them."""
        if not base.startswith(("https://", "http://")) or not self.path:
            return ""
        return f"{base.rstrip('/')}/{quote(self.path)}#L{self.line}"


def origin(claim: Claim) -> Origin:
    line = claim.place.rpartition(":")[2]
    return Origin(_relative(file_of(claim.place), claim.paper) if claim.place else "", line, _text(claim))


def _relative(file: Path, paper: str) -> str:
    if paper in file.parts:
        place = file.parts.index(paper)
        return "/".join(file.parts[max(place - 1, 0) if file.parts[place - 1] == "claims" else place :])
    here = Path.cwd()
    return str(file.relative_to(here)) if file.is_relative_to(here) else file.name


def _text(claim: Claim) -> str:
    try:
        text = inspect.getsource(claim.conclusion)
    except (OSError, TypeError):
        return ""
    return inspect.cleandoc(text) if len(text) <= MOST_LETTERS else ""
