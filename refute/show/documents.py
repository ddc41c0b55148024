"""A paper's claims as a page, in the paper's order: what each one says, how it is read, the verdict it earned, what it
stands on, and why it fails where it does.

Everything that comes from a claim is data: it is escaped before it goes into the page.
"""

import inspect
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Any

from refute.decide.effort import Run
from refute.decide.verdict import FALLEN, Against, Proved, Refuted, margin_of
from refute.kernel.certificate import pinned_path
from refute.language.claim import Claim, Fault
from refute.language.place import file_of
from refute.run.check import check
from refute.run.guard import Crew
from refute.run.loading import reload
from refute.run.source import DEFAULT_PACKAGE
from refute.show.visible import one_line
from refute.study.ablate import ablate, kill
from refute.study.sweep import Sweep, speaking, sweep

WIDTH, LONGEST = 110, 180
MATHEMATICS = re.compile(r"(\$[^$]+\$)")
COMMAND = re.compile(r"(?<!\\)(?=\\[A-Za-z])")  # before a command of TeX
MARKS = re.compile(r"[\\`*_\[\]|$<>&]")
AT_THE_START = re.compile(r"^([-+#=:~]|\d+(?=[.)]))")  # what would make a list, a heading or a block of a line
ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
SLIPS = (Fault.CONSTANT, Fault.SIGN, Fault.BOUNDARY, Fault.CONVENTION, Fault.SCAN)
VERDICTS = ("proved", "supported", "undecided", "vacuous", "against", "refuted", "broken")


@dataclass(frozen=True, slots=True)
class Entry:
    """What the page says of one claim."""

    id: str
    reference: str
    kind: str
    statement: tuple[str, ...]  # in paragraphs: what it says, then why it fails, or what was changed
    convention: str
    verdict: str
    evidence: str
    margin: str
    module: str
    title: str
    printed: bool = True
    fault: Fault | None = None
    root: str = ""
    assumptions: tuple[tuple[str, str], ...] = ()  # each with what happens without it
    kills: tuple[int, int] = (0, 0)
    counterexample: str = ""
    sweeps: tuple[tuple[str, ...], ...] = ()

    @property
    def fallen(self) -> bool:
        return self.verdict in FALLEN

    @property
    def cause(self) -> str:
        """The id of the statement by whose failure it falls."""
        return self.root or self.id


def entry(claim: Claim, run: Run, ablations: bool = True) -> Entry:
    """Check the claim, drop each of its assumptions (unless told not to), try its mutants."""
    outcome = check(claim, run)
    quick, margin = replace(run, shrink=False), margin_of(outcome)
    stands = ablations and claim.recorded in ("proved", "supported")
    killed = [kill(claim, mutant, run).killed for mutant in claim.mutants]
    return Entry(
        claim.id,
        claim.reference,
        claim.kind.value,
        tuple(" ".join(paragraph.split()) for paragraph in inspect.cleandoc(claim.statement).split("\n\n")),
        claim.convention,
        outcome.word,
        _evidence(claim, outcome),
        str(margin) if margin is not None else "",
        file_of(claim.place).stem,
        _title(claim),
        claim.printed,
        claim.fault,
        claim.root,
        tuple((one.text, ablate(claim, one, quick).finding if stands else "") for one in claim.assumes),
        (sum(killed), len(killed)),
        str(outcome.counterexample.case) if isinstance(outcome, Refuted | Against) else "",
        tuple(_sweep_row(one) for one in sweeps(claim, quick)) if ablations else (),
    )


def _title(claim: Claim) -> str:
    """The first sentence of the module that holds the claim."""
    said = inspect.getdoc(sys.modules.get(claim.conclusion.__module__)) or claim.paper
    return " ".join(said.split("\n\n")[0].split()).partition(". ")[0].rstrip(".")


def sweeps(claim: Claim, run: Run) -> Iterable[Sweep]:
    """How large the constants must be that the paper calls sufficiently large; where that is not at once, each
    assumption alone, too.
    """
    for field, values in _sufficiently_large(claim).items():
        about = speaking(claim, field)
        if not about or not values:
            continue
        together = sweep(claim, field, values, run)
        yield together
        if together.enough not in (None, together.values[0]):
            yield from (sweep(claim, field, values, run, alone) for alone in about)


def _package(paper: str) -> Any:
    return sys.modules.get(f"{DEFAULT_PACKAGE}.{paper}")


def _sufficiently_large(claim: Claim) -> Mapping[str, Sequence[Any]]:
    """What the package of the paper says to try: for each field, the values of the first glob that fits the id."""
    told: Mapping[str, Mapping[str, Sequence[Any]]] = getattr(_package(claim.paper), "SUFFICIENTLY_LARGE", {})
    return {field: next(v for glob, v in globs.items() if fnmatchcase(claim.id, glob)) for field, globs in told.items()}


def _evidence(claim: Claim, outcome: Any) -> str:
    if isinstance(outcome, Proved):
        return outcome.method
    if isinstance(outcome, Refuted | Against):
        name = pinned_path(claim).name if claim.recorded in FALLEN else ""
        kept = "certificate" if isinstance(outcome, Refuted) else "evidence"
        return f"{outcome.counterexample.level}; {kept} {name}" if name else outcome.counterexample.level
    return f"{outcome.evidence.cases} cases"


def _sweep_row(one: Sweep) -> tuple[str, ...]:
    tightened = one.alone.text if one.alone else "all together"
    numbers = ["-" if value is None else str(value) for value in (one.enough, one.refuted_at)]
    return one.claim, f"{one.field}: {tightened}", *numbers, ", ".join(map(str, one.values))


def in_the_papers_order(paper: str, found: Iterable[Entry]) -> list[Entry]:
    """By the `CONTENTS` of the package, which are names of files or globs; claims of one file stay together, in their
    order, and files that are not mentioned come last.
    """
    contents = getattr(_package(paper), "CONTENTS", "").split()
    known = list(found)
    places = {
        module: next((k for k, glob in enumerate(contents) if fnmatchcase(module, glob)), len(contents))
        for module in dict.fromkeys(one.module for one in known)
    }
    order = sorted(places, key=lambda module: places[module])
    return sorted(known, key=lambda one: order.index(one.module))


def entries(claims: Sequence[Claim], run: Run, jobs: int = 1, ablations: bool = True) -> Iterable[Entry]:
    """In the order of the claims, each in a watched process."""
    with Crew(jobs) as staff:
        place = [(claim.id, str(file_of(claim.place)), claim.stream) for claim in claims]
        futures = [staff.submit(_entry, id, file, run, ablations, group=group) for id, file, group in place]
        yield from (future.result() for future in futures)


def _entry(id: str, file: str, run: Run, ablations: bool) -> Entry:
    return entry(reload(id, file), run, ablations)


def prose(text: str) -> str:
    """Words of a claim as Markdown that says just these words: marks are escaped, formulas stay formulas."""

    def piece(text: str) -> str:
        if text.startswith("$") and text.endswith("$") and len(text) > 1:
            return one_line(text).replace("<", r"\lt ").replace(">", r"\gt ")
        return MARKS.sub(lambda found: ENTITIES.get(found[0], f"\\{found[0]}"), one_line(text))

    return "".join(piece(each) for each in MATHEMATICS.split(" ".join(text.split())))


def code(text: str) -> str:
    """A name between backquotes; anything that is no plain name is prose."""
    return f"`{text}`" if re.fullmatch(r"[\w.:/ -]+", text) else prose(text)


def block(text: str) -> list[str]:
    """A text of any length, as it is."""
    lines = textwrap.wrap(one_line(text), WIDTH, break_on_hyphens=False)
    fence = "`" * (3 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return [f"{fence}text", *lines, fence]


def filled(text: str, bullet: str = "") -> list[str]:
    """A paragraph, or a point of a list, in lines that are broken at spaces outside formulas, and in a formula that is
    longer than a line before a command.
    """
    words: list[str] = []
    for piece in MATHEMATICS.split(text):
        parts = _formula(piece) if MATHEMATICS.fullmatch(piece) else piece.split(" ")
        if words and parts:
            words[-1] += parts.pop(0)
        words += parts
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) < WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(AT_THE_START.sub(_marked, word))
    return [(" " * len(bullet) if k else bullet) + line for k, line in enumerate(lines)]


def _formula(text: str) -> list[str]:
    """The formula, or its parts of at most a line where it is too long; TeX takes the end of a line for a space."""
    if len(text) <= LONGEST:
        return [text]
    parts = [""]
    for piece in COMMAND.split(text):
        if parts[-1] and len(parts[-1]) + len(piece) > WIDTH:
            parts.append("")
        parts[-1] += piece
    return [part.strip() for part in parts]


def _marked(found: re.Match[str]) -> str:
    mark = found[0]
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"


def page(paper: str, found: Sequence[Entry]) -> str:
    """The page in Markdown."""
    ordered = in_the_papers_order(paper, found)
    command = code(f"refute document {paper}")
    lines = [f"# {prose(paper)}: {len(ordered)} claims", "", f"Written by {command}.", "", *_counts(ordered)]
    lines += _fallen(ordered) + _contents(ordered)
    for _, group in groupby(ordered, key=lambda one: one.module):
        section = list(group)
        lines += ["", f"## {prose(section[0].title)}"]
        for one in section:
            lines += _section(one)
    return "\n".join(lines + _large_enough([row for one in ordered for row in one.sweeps])) + "\n"


def _table(*rows: Sequence[str]) -> list[str]:
    first, *others = ["| " + " | ".join(row) + " |" for row in rows]
    return [first, "|" + " --- |" * len(rows[0]), *others, ""]


def _counts(found: Sequence[Entry]) -> list[str]:
    """Verdicts, of sentences that are printed and of the others; what fell in three parts, and by how many causes."""
    printed = Counter(one.verdict for one in found if one.printed)
    others = Counter(one.verdict for one in found if not one.printed)
    rows = [(word, str(printed[word]), str(others[word])) for word in VERDICTS if printed[word] or others[word]]
    lines = _table(("verdict", "printed sentences", "readings, amended forms, probes"), *rows)
    fell = [
        (name, ", ".join(_faults(those)), str(len(those)), str(len({one.cause for one in those})))
        for name, those in _parts(found).items()
        if those
    ]
    return lines + (_table(("what fell", "by", "statements", "causes"), *fell) if fell else [])


def _faults(found: Sequence[Entry]) -> list[str]:
    counted = Counter(one.fault.value if one.fault else "not said" for one in found)
    return [f"{name} ({count})" for name, count in counted.most_common()]


def _parts(found: Sequence[Entry]) -> dict[str, list[Entry]]:
    """What fell, by weight."""
    printed = [one for one in found if one.fallen and one.printed]
    return {
        "Errors that matter": [one for one in printed if one.fault not in SLIPS],
        "Slips and edge cases": [one for one in printed if one.fault in SLIPS],
        "Readings, probes and open questions that fall": [one for one in found if one.fallen and not one.printed],
    }


def _fallen(found: Sequence[Entry]) -> list[str]:
    """What fell, by weight; statements that fall by one cause stand together."""
    lines = []
    for heading, those in _parts(found).items():
        if those:
            lines += [f"## {heading}", ""]
            order = [one.cause for one in those]
            for one in sorted(those, key=lambda one: order.index(one.cause)):
                lines += _point(one)
            lines.append("")
    return lines


def fallen_by_paper(claims: Iterable[Claim]) -> list[str]:
    """What is recorded as fallen, in the three parts, as a table: statements, and how many causes they have."""
    rows, total = [], Counter[str]()
    for paper, group in groupby(sorted(claims, key=lambda one: one.paper), key=lambda one: one.paper):
        fell = [one for one in group if one.recorded in FALLEN]
        parts = {
            "matter": [one for one in fell if one.printed and one.fault not in SLIPS],
            "slips": [one for one in fell if one.printed and one.fault in SLIPS],
            "others": [one for one in fell if not one.printed],
        }
        sizes = {name: (len(those), len({one.root or one.id for one in those})) for name, those in parts.items()}
        total.update({f"{name} {k}": size for name, pair in sizes.items() for k, size in enumerate(pair)})
        rows.append((prose(paper), *(f"{count} ({causes})" for count, causes in sizes.values())))
    rows.append(
        ("together", *(f"{total[f'{name} 0']} ({total[f'{name} 1']})" for name in ("matter", "slips", "others")))
    )
    heading = ("paper", "errors that matter", "slips and edge cases", "readings, probes, open questions")
    return _table(heading, *rows)[:-1]


def _point(one: Entry) -> list[str]:
    against = "evidence against, " if one.verdict == Against.word else ""
    fault = f"{against}{one.fault.value if one.fault else 'see there'}"
    because = f"; falls with {code(one.root)}" if one.root else ""
    return filled(f"{code(one.id)} ({prose(one.reference)}): {prose(one.statement[0])} *{fault}*{because}", "- ")


def _contents(found: Sequence[Entry]) -> list[str]:
    """From the numbering of the paper to the files, in its order."""
    places: dict[str, Counter[str]] = {}
    for one in found:
        places.setdefault(_numbered(one.reference), Counter())[one.module] += 1
    rows = [
        (prose(number), ", ".join(code(f"{module}.py") for module in files), str(files.total()))
        for number, files in places.items()
    ]
    return ["## Where each statement is", "", *_table(("in the paper", "files", "claims"), *rows)]


def _numbered(reference: str) -> str:
    """What the paper calls the statement: "Lemma 3" of "Lemma 3 (i), proof"."""
    name = re.split(r"[,;:]| \(ours\)", reference)[0]
    return re.sub(r" \([ivx]+\)$", "", name).strip()


def _section(one: Entry) -> list[str]:
    said = "" if one.printed else ", not printed"
    fault = f" ({one.fault.value})" if one.fault and one.fallen else ""
    lines = ["", f"### {code(one.id)}", "", f"**{one.verdict}**{fault} · {prose(one.reference)}{said} · {one.kind}", ""]
    for paragraph in one.statement:
        lines += [*filled(prose(paragraph)), ""]
    facts = []
    if one.convention:
        facts.append(f"Read as: {prose(one.convention)}")
    for text, finding in one.assumptions:
        facts.append(f"Assumes {prose(text)}" + (f" ({finding})" if finding else ""))
    killed, of = one.kills
    margin = f", smallest margin {prose(one.margin)}" if one.margin and not one.fallen else ""
    wrong = f"; {killed} of {of} wrong versions fall" if of else ""
    facts.append(f"Evidence: {prose(one.evidence)}{margin}{wrong}")
    if one.root:
        facts.append(f"Falls with {code(one.root)}")
    for fact in facts:
        lines += filled(fact, "- ")
    if one.counterexample:
        lines += ["", "Counterexample:", "", *block(one.counterexample)]
    return lines


def _large_enough(rows: Sequence[Sequence[str]]) -> list[str]:
    """What "for a sufficiently large constant" takes, as a table of its own."""
    if not rows:
        return []
    words = (
        "Cases with the constant set to each value, and all assumptions that speak of it tightened together, or one of "
        "them alone."
    )
    heading = ("statement", "tightened", "no violation from", "violated at", "tried")
    cells = [(code(id), *(prose(cell) for cell in others)) for id, *others in rows]
    return ["", "## How large a constant must be", "", words, "", *_table(heading, *cells)]


def ids_and_verdicts(text: str) -> dict[str, str]:
    """What a page says: the verdict of each claim."""
    lines = text.splitlines()
    return {line[5:-1]: lines[k + 2].split("**")[1] for k, line in enumerate(lines) if line.startswith("### `")}


def wrong_versions(text: str) -> Iterator[tuple[int, int]]:
    """What a page says: how many of the wrong versions of each claim fall, and how many there are."""
    for killed, of in re.findall(r"(\d+) of (\d+) wrong versions fall", " ".join(text.split())):
        yield int(killed), int(of)
