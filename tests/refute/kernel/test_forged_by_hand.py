"""Forgeries by hand of one pinned certificate of each kind: what looks equal and is not, what JSON lets through, what
makes a file seem to say more. The digest fits every time.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.attacks.changes import at, places, put
from refute.errors import RefuteError
from refute.kernel.certificate import pinned_path
from refute.kernel.reading import read
from refute.kernel.verification import EVIDENCE_ONLY, objections
from refute.language.claim import Claim
from refute.language.kind import Kind
from tests.refute.kernel.square import refitted
from tests.registered import registered_claims

pytestmark = pytest.mark.slow

Data = dict[str, Any]
FALLEN = [claim for claim in registered_claims() if pinned_path(claim).is_file()]
KINDS = sorted({claim.kind for claim in FALLEN}, key=lambda kind: kind.value)


def cheapest(kind: Kind) -> Claim:
    """The pinned claim of the kind that is decided fastest, as far as it says; small cases first."""
    return min(
        (claim for claim in FALLEN if claim.kind is kind), key=lambda c: (c.cost, pinned_path(c).stat().st_size, c.id)
    )


def numbers(data: Data) -> list[tuple[Any, ...]]:
    """Where the case holds a rational."""
    rationals = [("case", *path) for path in places(data["case"])]
    return [path for path in rationals if isinstance(at(data, path), str) and at(data, path).lstrip("-")[:1].isdigit()]


def everywhere(change: Callable[[str], Any]) -> Callable[[Data], Iterator[Data]]:
    """The first and the last number of the case, the slack and the error, written in another way."""

    def ways(data: Data) -> Iterator[Data]:
        found = numbers(data)
        for path in [*found[:1], *found[-1:], ("slack",), ("error",)]:
            yield put(data, path, change(at(data, path)))

    return ways


def one(change: Callable[[Data], Data | None]) -> Callable[[Data], Iterator[Data]]:
    def ways(data: Data) -> Iterator[Data]:
        made = change(json.loads(json.dumps(data)))
        if made is not None:
            yield made

    return ways


def swapped(data: Data) -> Data | None:
    """Two fields of the case exchange their values."""
    names = list(data["case"])
    if len(names) < 2 or data["case"][names[0]] == data["case"][names[1]]:
        return None
    a, b = names[:2]
    return data | {"case": data["case"] | {a: data["case"][b], b: data["case"][a]}}


def shorter(data: Data) -> Data | None:
    """The case without its last field."""
    return data | {"case": dict(list(data["case"].items())[:-1])} if data["case"] else None


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def other_claim(data: Data) -> Data:
    return data | {"claim": next(claim.id for claim in FALLEN if claim.id != data["claim"])}


def without_verdict(data: Data) -> Data | None:
    """Evidence that wants to pass for a refutation."""
    return {key: value for key, value in data.items() if key != "verdict"} if "verdict" in data else None


WAYS: dict[str, Callable[[Data], Iterator[Data]]] = {
    "full-width digits": everywhere(lambda text: "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in text)),
    "a space": everywhere(lambda text: f" {text}"),
    "a plus": everywhere(lambda text: f"+{text}"),
    "an exponent": everywhere(lambda text: f"{text}e0"),
    "a huge exponent": everywhere(lambda text: "1e999999999"),
    "1e400 as a number": everywhere(lambda text: 1e999),
    "nan": everywhere(lambda text: float("nan")),
    "the word nan": everywhere(lambda text: "nan"),
    "a bool": everywhere(lambda text: True),
    "an int": everywhere(lambda text: 1),
    "a list": everywhere(lambda text: [text]),
    "a deep list": everywhere(lambda text: nested(300)),
    "a huge rational": everywhere(lambda text: "1" + "0" * 200_000 + "/7"),
    "an unreduced rational": everywhere(lambda text: "2/4"),
    "a zero denominator": everywhere(lambda text: "1/0"),
    "an end of text": everywhere(lambda text: f"{text}\0"),
    "true for the version": one(lambda data: data | {"refute_certificate": True}),
    "1.0 for the version": one(lambda data: data | {"refute_certificate": 1.0}),
    "another claim": one(other_claim),
    "no claim": one(lambda data: data | {"claim": ["a"]}),
    "half a character": one(lambda data: data | {"claim": data["claim"] + "\ud800"}),
    "another name of the line": one(lambda data: data | {"violated": f"the claim is false: {data['violated']}"}),
    "a look-alike in the line": one(lambda data: data | {"violated": data["violated"].replace("e", "\u0435", 1)}),
    "an unseen letter in the line": one(lambda data: data | {"violated": data["violated"] + "\u200b"}),
    "no line": one(lambda data: data | {"violated": ""}),
    "a level above": one(lambda data: data | {"level": "certified" if data["level"] == "exact" else "exact"}),
    "another arithmetic": one(lambda data: data | {"arithmetic": "balls, 4096 bits"}),
    "no verdict": one(without_verdict),
    "one verdict more": one(lambda data: None if "verdict" in data else data | {"verdict": "against"}),
    "another file to replay": one(lambda data: data | {"replay": "refute verify /tmp/other.json"}),
    "one assumption less": one(lambda data: data | {"assumptions": data["assumptions"][:-1] or [{}]}),
    "one assumption twice": one(lambda data: data | {"assumptions": [*data["assumptions"], *data["assumptions"], {}]}),
    "one field more": one(lambda data: data | {"case": data["case"] | {"another": "1"}}),
    "one field less": one(shorter),
    "fields exchanged": one(swapped),
    "the case in a list": one(lambda data: data | {"case": [data["case"]]}),
    "no case": one(lambda data: {key: value for key, value in data.items() if key != "case"}),
    "the statement of nobody": one(lambda data: data | {"statement": "0" * 16}),
    "versions that are none": one(lambda data: data | {"versions": {name: {} for name in data["versions"]}}),
}  # fmt: skip


def accepted(text: str, claim: Claim, folder: Path) -> bool:
    """As `refute verify` reads and decides it; what is raised must be one of ours."""
    path = folder / "forged.json"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        data = read(path)
        known = claim if data.get("claim") == claim.id else None
        against = objections(data, known)
    except RefuteError:
        return False
    return against in ([], [EVIDENCE_ONLY])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.marker)
def test_forgeries_by_hand_are_refused(kind: Kind, tmp_path: Path):
    """All of them; the honest file is accepted."""
    claim = cheapest(kind)
    honest = pinned_path(claim).read_text()
    data = json.loads(honest)
    assert accepted(honest, claim, tmp_path)
    passed, tried = [], 0
    for name, ways in WAYS.items():
        for made in ways(data):
            if json.dumps(made, sort_keys=True) == json.dumps(data, sort_keys=True):
                continue
            tried += 1
            if accepted(json.dumps(refitted(made)), claim, tmp_path):
                passed.append(name)
    assert passed == []
    assert tried >= 30


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.marker)
def test_a_file_is_read_in_one_way(kind: Kind, tmp_path: Path):
    """Two values of one key, at the top or inside, and what is not JSON."""
    claim = cheapest(kind)
    honest = pinned_path(claim).read_text()
    again = json.dumps(json.loads(honest)["slack"])
    for text in (
        honest.replace('"slack"', f'"slack": {again}, "slack"', 1),
        honest.replace('"slack"', f'"slac\\u006b": {again}, "slack"', 1),
        honest.replace('"versions": {', '"versions": {"numpy": "1", ', 1),
        honest.replace('"slack"', '"slack": NaN, "other"', 1),
        f"{honest} {honest}",
        f"[{honest}]",
        honest[:-3],
        "[" * 100_000,
        "\ufeff" + honest,
    ):
        assert not accepted(text, claim, tmp_path), text[:80]
