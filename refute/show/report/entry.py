"""One claim beside what is stored about it. Records come from files: nothing in them is believed to have its right
type.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from refute.decide.verdict import FALLEN
from refute.errors import Unreadable
from refute.kernel.certificate import pinned_path, statement_digest
from refute.kernel.reading import read
from refute.language.claim import Claim
from refute.language.kind import RECORDABLE, Kind
from refute.show.report.names import page_name
from refute.show.report.origin import Origin, origin
from refute.show.report.prose import headline
from refute.show.report.quantity import as_float

Record = Mapping[str, Any]

NOT_RUN = "not run"
VERDICTS = (*RECORDABLE, "broken", NOT_RUN)
_AMENDED = re.compile(r"\.amended\w*(\.|$)")


@dataclass(frozen=True, eq=False)
class Entry:
    """`record` is the latest check, None for a claim that was never run; `folder` is where
    certificates are looked for.
    """

    claim: Claim
    record: Record | None = None
    ablations: Sequence[Record] = ()
    mutants: Sequence[Record] = ()
    tightness: Sequence[Record] = ()
    folder: Path = Path()

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def paper(self) -> str:
        return self.claim.paper

    @property
    def kind(self) -> str:
        return self.claim.kind.value

    @property
    def page(self) -> str:
        return page_name(self.id)

    @cached_property
    def origin(self) -> Origin:
        return origin(self.claim)

    @property
    def fallen(self) -> bool:
        """Refuted, or with evidence against it."""
        return self.verdict in FALLEN

    @property
    def headline(self) -> str:
        return headline(self.claim.statement)

    @property
    def verdict(self) -> str:
        word = str(self.record.get("verdict")) if self.record is not None else NOT_RUN
        return word if word in VERDICTS else "broken"

    @property
    def amended(self) -> bool:
        """An amended form of a statement that stands beside it."""
        return bool(_AMENDED.search(self.id))

    @property
    def stale(self) -> bool:
        """The statement was changed after it was last run."""
        return self.record is not None and self.record.get("statement") not in (None, self.digest)

    @cached_property
    def digest(self) -> str:
        return statement_digest(self.claim)

    @property
    def expected(self) -> bool:
        """The verdict is the recorded one, or that of a conjecture which survives."""
        return self.verdict in (NOT_RUN, self.claim.recorded) or (
            self.claim.recorded is None and self.verdict in ("proved", "supported")
        )

    def stored(self, name: str) -> Any:
        return self.record.get(name) if self.record is not None else None

    def count(self, name: str) -> int:
        number = as_float(self.stored(name))
        return int(number) if number is not None else 0

    @property
    def margins(self) -> list[Any]:
        listed = self.stored("margins")
        return listed if isinstance(listed, list) else []

    @cached_property
    def nearness(self) -> float | None:
        """The smallest slack on one scale: relative to the size of what is compared; for a law, the slack of its
        exponent.
        """
        known = [slack for slack in map(as_float, self.margins) if slack is not None]
        if known and self.claim.kind is not Kind.ASYMPTOTIC:
            return min(known)
        slack = as_float(self.stored("margin"))
        return slack / (1 + abs(slack)) if slack is not None else None

    @cached_property
    def certificate(self) -> tuple[Path, Mapping[str, Any]] | None:
        """The file of the counterexample with its content: the stored one, else the one that the repository keeps."""
        named = self.stored("certificate") if self.verdict in FALLEN else None
        pinned = pinned_path(self.claim) if self.claim.recorded in FALLEN else None
        paths = [
            self.folder / named if isinstance(named, str) else None,
            pinned if self.verdict in (*FALLEN, NOT_RUN) else None,
        ]
        for path in filter(None, paths):
            try:
                content = read(path)
            except (Unreadable, OSError, ValueError):
                continue
            if content.get("claim") == self.id:  # anything else is not copied into the site
                return path, content
        return None

    @property
    def counterexample(self) -> Mapping[str, Any] | None:
        """What is known of the refuting case: a certificate, or the record alone."""
        if self.certificate is not None:
            return self.certificate[1]
        return self.record if self.verdict in FALLEN and isinstance(self.stored("case"), dict) else None

    @property
    def killed(self) -> int:
        """How many wrong versions were refuted, or have evidence against them."""
        return sum(record.get("killed") is True for record in self.mutants)

    @property
    def words(self) -> str:
        """What a search looks at besides what its row shows."""
        texts = (self.claim.statement, *(one.text for one in self.claim.assumes))
        return " ".join(" ".join(texts).lower().split())


def by_verdict(entries: Sequence[Entry]) -> dict[str, int]:
    """How many have each verdict; every verdict is there."""
    return {word: sum(entry.verdict == word for entry in entries) for word in VERDICTS}
