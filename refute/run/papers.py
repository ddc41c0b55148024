"""What is known of a paper itself: the table [paper] of its `proofs.toml`, by which a page leads back to it."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from refute.run.citations import proofs_file

_ARXIV = re.compile(r"\d{4}\.\d{4,5}(v\d+)?")
_DOI = re.compile(r"10\.\d{4,9}/[\w.()/:;-]+")


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as it is cited."""

    name: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    arxiv: str = ""
    doi: str = ""

    @property
    def link(self) -> str:
        """Where it can be read: nothing but an address that is made of a plain arXiv number or DOI."""
        if _DOI.fullmatch(self.doi):
            return f"https://doi.org/{self.doi}"
        return f"https://arxiv.org/abs/{self.arxiv}" if _ARXIV.fullmatch(self.arxiv) else ""

    @property
    def bibtex(self) -> str:
        fields = {
            "title": f"{{{self.title}}}",
            "author": " and ".join(self.authors),
            "year": str(self.year or ""),
            "booktitle": self.venue,
            "eprint": self.arxiv,
            "archiveprefix": "arXiv" if self.arxiv else "",
            "doi": self.doi,
        }
        lines = ",\n".join(f"  {key} = {{{value}}}" for key, value in fields.items() if value)
        return f"@{'inproceedings' if self.venue else 'article'}{{{self.name},\n{lines}\n}}"


def paper(name: str) -> Paper | None:
    """None where its file says nothing of it."""
    text = proofs_file(name)
    try:
        table = tomllib.loads(text).get("paper") if text is not None else None
    except tomllib.TOMLDecodeError:
        return None
    return _paper(name, table) if isinstance(table, dict) else None


def _paper(name: str, table: Mapping[str, Any]) -> Paper:
    words = {key: str(table.get(key, "")) for key in ("title", "venue", "arxiv", "doi")}
    authors = table.get("authors")
    year = table.get("year")
    return Paper(
        name,
        authors=tuple(map(str, authors)) if isinstance(authors, list) else (),
        year=year if type(year) is int else None,
        **words,
    )
