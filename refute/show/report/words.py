"""Verdicts in words: what each says, and on what evidence."""

from refute.show.report.entry import Entry
from refute.show.report.quantity import as_float, counted, shown_number

SYMBOLS = {
    "proved": "∎",
    "supported": "✓",
    "refuted": "✗",
    "against": "≁",
    "undecided": "?",
    "vacuous": "∅",
    "broken": "!",
    "not run": "·",
}

MEANINGS = {
    "proved": "Holds for every instance of its stated domain, by the named method.",
    "supported": "No counterexample among the cases that met every assumption. Evidence, not proof.",
    "refuted": "A case meets every assumption and violates the conclusion by more than the numerical error.",
    "against": "Evidence against, no certificate: a trend persists, or one float method alone finds a violation.",
    "undecided": "The error swallows the margin, or no witness and no proof was found.",
    "vacuous": "The assumptions were hardly ever met: nothing was tested.",
    "broken": "The claim could not be run: this is no verdict.",
    "not run": "Nothing is stored about this claim.",
}

LEVELS = {
    "exact": "established in exact rational arithmetic",
    "certified": "established in ball arithmetic with a rigorous radius, or by a validated enclosure of the trajectory",
    "tested": "established by a sequential test whose chance of a wrong rejection is one in a million",
    "confirmed": "computed in float64 by two independent methods that agree",
    "repeated": "computed in float64 by one method, and repeated at a tighter tolerance",
}


def slug(verdict: str) -> str:
    """The verdict as a class of the style sheet."""
    return verdict.replace(" ", "-")


def evidence(entry: Entry) -> str:
    """One or two sentences."""
    detail = str(entry.stored("detail") or "")
    cases, tried = entry.count("cases"), entry.count("tried")
    match entry.verdict:
        case "proved":
            besides = f" Besides, {counted(cases, 'case')} met the assumptions and none violated it." if cases else ""
            return f"{detail[:1].upper()}{detail[1:]}.{besides}"
        case "supported":
            return (
                f"No counterexample among {counted(cases, 'case')} that met every assumption, out of "
                f"{tried} drawn. Evidence, not proof."
            )
        case "refuted":
            level = str((entry.counterexample or {}).get("level") or entry.stored("level"))
            replayed = "" if tried else " It is the one that the repository keeps, replayed: no case had to be drawn."
            return f"A case meets every assumption and violates the conclusion; {LEVELS.get(level, level)}.{replayed}"
        case "against":
            level = str((entry.counterexample or {}).get("level") or entry.stored("level"))
            said = "A case meets every assumption and speaks against the conclusion, which refutes nothing"
            return f"{said}; {LEVELS.get(level, level)}."
        case "not run":
            return "Nothing is stored about this claim."
    return f"{MEANINGS[entry.verdict]} {detail}"


def _within(value: object, error: object) -> bool:
    """Whether a margin cannot be told from zero."""
    size, bound = as_float(value), as_float(error)
    return size is not None and bound is not None and abs(size) <= bound


def margin(entry: Entry) -> str:
    """The margin with its error."""
    value, error = entry.stored("margin"), entry.stored("error")
    if value is None:
        return "—"
    if value == 0 or (error not in (None, 0) and _within(value, error)):
        return f"0 within {shown_number(error, 2)}" if error not in (None, 0) else "0"
    return shown_number(value) if error in (None, 0) else f"{shown_number(value)} ± {shown_number(error, 2)}"
