"""The site: every page rendered from the entries of the claims."""

import importlib.metadata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from refute.run.citations import statement
from refute.run.papers import Paper
from refute.run.papers import paper as paper_of
from refute.show.report import exhibit, front, matrix, words
from refute.show.report.badge import badge
from refute.show.report.changes import Change
from refute.show.report.entry import NOT_RUN, VERDICTS, Entry, by_verdict
from refute.show.report.graph import graph
from refute.show.report.histogram import finite, histogram, summary
from refute.show.report.latex import latex
from refute.show.report.names import page_name
from refute.show.report.prose import identifier, line, prose
from refute.show.report.quantity import counted, moment, short, shown_number
from refute.show.report.standing import Proofs, proofs

ASSETS = ("style.css", "report.js", "graph.js", "theme.js", "math.woff2", "MATH-FONT.txt")
BADGE = "badge.svg"

Uses = Mapping[str, Mapping[str, Sequence[str]] | str]  # per paper: its graph of proofs, or why there is none


@dataclass(frozen=True, eq=False)
class Site:
    """Everything that the pages are made from."""

    entries: Sequence[Entry]
    uses: Uses = field(default_factory=dict)
    changes: Sequence[Change] | None = None
    against: str = ""  # what the changes are relative to, if not the report before
    source: str = ""  # the address on the web below which the sources lie

    def pages(self) -> Iterator[tuple[str, bytes]]:
        """Every file of the site with its path."""
        make = _environment()
        papers = front.by_paper(self.entries)
        graphs = {paper: self._proofs(paper, listed) for paper, listed in papers.items()}
        yield "index.html", self._front(make, graphs)
        for paper, listed in papers.items():
            about = paper_of(paper)
            yield f"paper/{page_name(paper)}", _paper(make, paper, listed, graphs[paper], self.uses.get(paper), about)
            for entry in listed:
                yield f"claim/{entry.page}", _claim(make, entry, graphs[paper], about, self.source)
                if entry.certificate is not None:
                    yield f"certificates/{exhibit.file_name(entry)}", entry.certificate[0].read_bytes()
        unexpected = sum(not entry.expected for entry in self.entries)
        yield BADGE, badge(by_verdict(self.entries), unexpected).encode()
        for name in ASSETS:
            yield f"assets/{name}", (resources.files("refute.show.report") / "assets" / name).read_bytes()

    def _proofs(self, paper: str, listed: Sequence[Entry]) -> Proofs:
        known = self.uses.get(paper, {})
        return proofs(listed, {} if isinstance(known, str) else known)

    def _front(self, make: Environment, graphs: Mapping[str, Proofs]) -> bytes:
        return _rendered(
            make,
            "front.html",
            root="",
            entries=front.run_first(self.entries),
            aside=front.aside(self.entries),
            known={entry.id: entry for entry in self.entries},
            totals=by_verdict(self.entries),
            lines=front.lines(self.entries),
            all=front.Line("all papers", by_verdict(self.entries)),
            not_as_printed=front.not_as_printed(self.entries),
            graphs=graphs,
            idle=front.idle(self.entries),
            nearest=front.nearest(self.entries),
            touching=front.touching(self.entries),
            unexpected=[entry for entry in self.entries if not entry.expected],
            changes=self.changes,
            against=self.against,
            kinds=sorted({entry.kind for entry in self.entries}),
        )


def _environment() -> Environment:
    make = Environment(
        loader=PackageLoader("refute.show.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    make.filters |= {
        "line": line,
        "prose": prose,
        "identifier": identifier,
        "number": shown_number,
        "moment": moment,
        "short": short,
        "slug": words.slug,
        "page": page_name,
    }
    make.globals |= {
        "VERDICTS": VERDICTS,
        "NOT_RUN": NOT_RUN,
        "SYMBOLS": words.SYMBOLS,
        "MEANINGS": words.MEANINGS,
        "evidence": words.evidence,
        "margin": words.margin,
        "counted": counted,
        "statement_of": statement,
        "version": importlib.metadata.version("refute"),
    }
    return make


def _rendered(make: Environment, template: str, **values: Any) -> bytes:
    return make.get_template(template).render(**values).encode("utf-8", "replace")


def _paper(
    make: Environment, paper: str, listed: Sequence[Entry], found: Proofs, uses: Any, about: Paper | None
) -> bytes:
    return _rendered(
        make,
        "paper.html",
        root="../",
        paper=paper,
        entries=listed,
        line=front.Line(paper, by_verdict(listed)),
        graph=graph(found, paper),
        proofs=found,
        about=about,
        complaint=uses if isinstance(uses, str) else "",
    )


def _claim(make: Environment, entry: Entry, found: Proofs, about: Paper | None, source: str) -> bytes:
    node = found.nodes[statement(entry.id)]
    margins = finite(entry.margins)
    return _rendered(
        make,
        "claim.html",
        root="../",
        entry=entry,
        claim=entry.claim,
        counterexample=entry.counterexample,
        bindings=list(matrix.bindings((entry.counterexample or {}).get("case"))),
        comparison=exhibit.comparison(entry),
        drawings=exhibit.drawings(entry),
        training=exhibit.training(entry),
        histogram=histogram(margins, entry.fallen),
        summary=summary(margins, entry.fallen) if margins else "",
        latex=latex(entry),
        about=about,
        source=entry.origin.link(source),
        silent=entry.stored("silent"),
        certificate=exhibit.file_name(entry) if entry.certificate is not None else None,
        download=exhibit.download(entry),
        command=exhibit.replay(entry.claim, exhibit.file_name(entry)),
        node=node,
        siblings=[one for one in (*node.printed, *node.amended) if one is not entry],
        proofs=found,
        ablations={str(record.get("assumption")): record for record in entry.ablations},
    )
