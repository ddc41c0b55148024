"""What the front page says: counts, what does not hold as printed, what is nearest to failure, which assumptions may be
idle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from refute.show.report import svg
from refute.show.report.entry import NOT_RUN, VERDICTS, Entry, by_verdict
from refute.show.report.quantity import as_float
from refute.show.report.words import slug

NEAREST = 25
BAR_WIDTH, BAR_HEIGHT = 600.0, 14.0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table of papers."""

    paper: str
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def run(self) -> int:
        """How many claims were run."""
        return self.total - self.counts[NOT_RUN]

    @property
    def bar(self) -> Markup:
        """The counts as one divided bar; the table has the numbers."""
        pieces, left = [], 0.0
        for word in VERDICTS:
            width = BAR_WIDTH * self.counts[word] / max(self.total, 1)
            if width:
                pieces.append(
                    svg.element("rect", x=left, y=0.0, width=width, height=BAR_HEIGHT, class_=f"share {slug(word)}")
                )
            left += width
        size = f"0 0 {BAR_WIDTH:g} {BAR_HEIGHT:g}"
        return svg.element(
            "svg", *pieces, class_="shares", viewBox=size, preserveaspectratio="none", aria_hidden="true"
        )


def lines(entries: Sequence[Entry]) -> list[Line]:
    """Papers of which something was run come first; the others stand aside."""
    known = [Line(paper, by_verdict(listed)) for paper, listed in by_paper(entries).items()]
    return sorted(known, key=lambda line: (not line.run, line.paper))


def aside(entries: Sequence[Entry]) -> list[Line]:
    """The papers of which nothing was run, where something of another one was."""
    known = lines(entries)
    return [line for line in known if not line.run] if any(line.run for line in known) else []


def run_first(entries: Sequence[Entry]) -> list[Entry]:
    """In their order, those of papers that stand aside behind the others."""
    papers = {line.paper for line in aside(entries)}
    return sorted(entries, key=lambda entry: entry.paper in papers)


def by_paper(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: entry.paper):
        found.setdefault(entry.paper, []).append(entry)
    return found


def not_as_printed(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """The refuted statements of each paper."""
    return by_paper([entry for entry in entries if entry.verdict == "refuted"])


def nearest(entries: Sequence[Entry]) -> list[Entry]:
    """Supported claims by their smallest margin, among those that keep a distance from failure."""
    found = [entry for entry in entries if entry.verdict == "supported" and (entry.nearness or 0) > 0]
    return sorted(found, key=lambda entry: (entry.nearness or 0, entry.id))[:NEAREST]


def touching(entries: Sequence[Entry]) -> int:
    """Supported claims whose margin is zero or within its error: identities, and bounds that are attained."""
    return sum(entry.verdict == "supported" and entry.nearness is not None and entry.nearness <= 0 for entry in entries)


@dataclass(frozen=True, slots=True)
class Idle:
    """An assumption that some claims may not need."""

    text: str
    entries: tuple[Entry, ...]
    cases: int


def idle(entries: Sequence[Entry]) -> list[Idle]:
    """Assumptions without which no counterexample was found, the most frequent first."""
    found: dict[str, list[tuple[Entry, int]]] = {}
    for entry in entries:
        for record in entry.ablations:
            if record.get("finding") == "not shown necessary" and entry.verdict in ("proved", "supported"):
                found.setdefault(str(record.get("assumption")), []).append(
                    (entry, int(as_float(record.get("cases")) or 0))
                )
    made = [
        Idle(text, tuple(entry for entry, _ in listed), sum(cases for _, cases in listed))
        for text, listed in found.items()
    ]
    return sorted(made, key=lambda one: (-len(one.entries), one.text))
