"""What is different from the last time: verdicts that changed, records that are earned now or no longer, claims that
are new.
"""

from collections.abc import Iterable, Mapping

from refute.decide.verdict import FALLEN
from refute.run.results.record import Record

HEADINGS = ("newly refuted", "newly against", "no longer earned", "newly earned", "verdict changed", "new claim")
MOST_NAMED = 8  # per heading; the rest is counted


def heading(old: Record | None, new: Record) -> str | None:
    """The most important thing that is different about one claim; None if nothing is."""
    if old is None:
        return "new claim"
    if new["verdict"] in FALLEN and new["verdict"] != old["verdict"]:
        return f"newly {new['verdict']}"
    if new["earned"] != old["earned"]:
        return "newly earned" if new["earned"] else "no longer earned"
    return "verdict changed" if new["verdict"] != old["verdict"] else None


def changes(before: Mapping[str, Record], after: Iterable[Record]) -> list[str]:
    """One line per claim that is different, the most important first. The first time, when there is no `before`,
    nothing is.
    """
    found: dict[str, list[str]] = {name: [] for name in HEADINGS}
    for record in after if before else ():
        old = before.get(record["claim"])
        name = heading(old, record)
        if name is not None:
            found[name].append(
                record["claim"] + (f"   {_difference(old, record)}" if old else f"   {record['verdict']}")
            )
    return [line for name, texts in found.items() for line in _listed(name, texts)]


def _difference(old: Record, new: Record) -> str:
    verdicts = [old["verdict"], new["verdict"]] if old["verdict"] != new["verdict"] else [new["verdict"]]
    effort = (
        f"with {old['profile']}, seed {old['seed']}"
        if (old["profile"], old["seed"]) != (new["profile"], new["seed"])
        else ""
    )
    wording = "with another wording" if old["statement"] != new["statement"] else ""
    then = " and ".join(filter(None, (effort, wording)))
    return " -> ".join(verdicts) + (f"   (the last time {then})" if then else "")


def _listed(name: str, texts: list[str]) -> list[str]:
    lines = [f"{name:<16}  {text}" for text in texts[:MOST_NAMED]]
    return [*lines, f"{name:<16}  and {len(texts) - MOST_NAMED} more"] if len(texts) > MOST_NAMED else lines
