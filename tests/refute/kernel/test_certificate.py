"""Certificates: written once, re-checked by anybody, and nothing in them believed."""

import hashlib
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sympy

from refute import Case, Kind, Refuted, at_least, check, less
from refute.errors import RefuteError, Unreadable
from refute.functions import exp
from refute.kernel.certificate import (
    MOST_BYTES,
    document,
    objections,
    pinned_case,
    pinned_path,
    read,
    statement_digest,
    write,
)
from tests.planted import IMPOSSIBLE, POSITIVE, planted


def square_is_larger(x):
    """x^2 >= x for positive x."""
    return at_least(x * x, x, "x^2 >= x")


CLAIM = planted(square_is_larger, assumes=(POSITIVE,))


def found(claim=CLAIM):
    outcome = check(claim)
    assert isinstance(outcome, Refuted)
    return outcome.counterexample


def refitted(data: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """What a forger writes: changed content with a digest that fits."""
    body = {key: value for key, value in (data | changes).items() if key != "digest"}
    return body | {"digest": hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()}


@pytest.fixture(scope="module")
def honest() -> dict[str, Any]:
    return json.loads(json.dumps(document(CLAIM, found())))


def test_a_certificate_is_written_and_read(tmp_path: Path):
    """Its name has the claim and the digest of the case, nothing else is left in the folder, and it is valid."""
    path = write(CLAIM, found(), tmp_path / "certificates")
    assert path.name == f"planted.square_is_larger.{Case.of(x=Fraction(1, 2)).digest()}.json"
    assert list(path.parent.iterdir()) == [path]
    assert objections(read(path), CLAIM) == []


def test_writing_twice_gives_one_file(tmp_path: Path):
    """The same counterexample has the same name and the same content."""
    first = write(CLAIM, found(), tmp_path).read_text()
    assert write(CLAIM, found(), tmp_path).read_text() == first
    assert len(list(tmp_path.iterdir())) == 1


def test_a_name_that_is_no_file_name_is_made_one(tmp_path: Path):
    """Ids of mutants have spaces, quotes and slashes."""
    odd = replace(CLAIM, id='a/b[without "x > 0"]')
    assert write(odd, found(), tmp_path).parent == tmp_path


def test_a_certificate_says_what_a_reader_needs(honest):
    """The exact case, how each assumption held, the violated line, the arithmetic and the versions."""
    assert honest["claim"] == "planted.square_is_larger"
    assert honest["case"] == {"x": "1/2"}
    assert honest["assumptions"] == [{"text": "x is positive", "slack": "1/2", "error": "0"}]
    assert honest["slack"] == "-1/4"
    assert (honest["level"], honest["arithmetic"]) == ("exact", "rationals")
    assert set(honest["versions"]) == {"refute", "numpy", "python-flint"}


def test_balls_certify_too():
    """An irrational counterexample is re-established in balls."""

    def exponential_is_linear(x):
        """exp(x) <= 1 + 2x for positive x."""
        return at_least(1 + 2 * x, exp(x))

    claim = planted(exponential_is_linear, assumes=(POSITIVE,))
    assert found(claim).level == "certified"
    assert objections(document(claim, found(claim)), claim) == []


def test_an_identity_is_decided_again():
    """A symbolic certificate is valid as long as the identity is refuted."""
    x = sympy.Symbol("x")
    wrong = planted(lambda: x, kind=Kind.SYMBOLIC, instances=())
    data = document(wrong, found(wrong))
    assert objections(data, wrong) == []
    mended = replace(wrong, conclusion=lambda: x - x)
    assert objections(data, mended) == ["the identity is proved, not refuted"]


@pytest.mark.parametrize("key", ["claim", "statement", "case", "slack", "violated", "level", "versions"])
def test_a_changed_certificate_is_noticed(honest, key):
    """Whatever was touched, the digest does not fit."""
    assert objections(honest | {key: "changed"}, CLAIM) == ["the content was changed: its digest does not fit"]


def test_a_missing_digest_is_noticed(honest):
    """As is a digest that is none."""
    for digest in (None, "", 7, honest["digest"][:16]):
        assert objections(honest | {"digest": digest}, CLAIM) == ["the content was changed: its digest does not fit"]


def test_an_unknown_claim(honest):
    """There is nothing to check it against."""
    assert objections(honest, None) == ["no claim is called 'planted.square_is_larger'"]


def test_a_certificate_speaks_about_one_claim(honest):
    """Another claim, another wording or another assumption is not what was certified."""

    def other(x):
        """x^2 > x for positive x."""
        return less(x, x * x)

    for claim in (
        planted(other, assumes=(POSITIVE,)),
        replace(CLAIM, assumes=()),
        replace(CLAIM, assumes=(POSITIVE, IMPOSSIBLE)),
        replace(CLAIM, id="b.c"),
    ):
        assert objections(honest, claim) == [
            "the statement or the assumptions of the claim differ from the certified ones"
        ]
        assert statement_digest(claim) != statement_digest(CLAIM)


@pytest.mark.parametrize(
    ("case", "objection"),
    [
        ({"x": "2"}, "the conclusion is not violated (slack 2)"),
        ({"x": "1"}, "the conclusion is not violated (slack 0)"),
        ({"x": "-1"}, 'the case does not meet "x is positive" (slack -1)'),
        ({"x": "0"}, 'the case does not meet "x is positive" (slack 0)'),
    ],
)
def test_a_changed_case_is_judged_anew(honest, case, objection):
    """With a digest that fits and the old margins beside it, the case alone decides."""
    assert objections(refitted(honest, case=case), CLAIM) == [objection]


def test_another_case_with_the_old_margins_is_a_misstatement(honest):
    """It violates the claim, but the file does not say by how much."""
    changed = refitted(honest, case={"x": "1/3"}, slack="1000", error="0")
    said = 'what the file states is not what the case gives: slack, the margin of "x is positive"'
    assert objections(changed, CLAIM) == [said]
    assert objections(refitted(honest, level="certified"), CLAIM) == [
        "what the file states is not what the case gives: level"
    ]


FORGED = {
    "no case": None,
    "a list": [1],
    "no field": {},
    "another field": {"y": "1/2"},
    "a word": {"x": {"word": "half"}},
    "an array": {"x": {"shape": [0], "entries": []}},
    "an exponent": {"x": "1e999999999"},
    "an exponent in an array": {"x": {"shape": [1], "entries": ["1e999999999"]}},
    "a negative exponent": {"x": "1e-999999999"},
    "a numeral without end": {"x": "1" * 100_000},
    "an enormous shape": {"x": {"shape": [10**6, 10**6], "entries": []}},
    "code": {"x": "__import__('os').getcwd()"},
    "an unknown record": {"x": {"record": "Popen", "args": {"word": "true"}}},
    "nan": {"x": float("nan")},
    "a bool": {"x": True},
}


@pytest.mark.parametrize("case", FORGED.values(), ids=list(FORGED))
def test_a_forged_case_is_an_error_or_an_objection(honest, case):
    """It never verifies, hangs or runs; what is raised is one of ours."""
    try:
        against = objections(refitted(honest, case=case), CLAIM)
    except RefuteError as error:
        against = [error.message]
    assert against != []


def test_a_forged_case_that_is_nested_deeply(honest):
    """Depth is an error too."""
    case: Any = "1"
    for _ in range(400):
        case = {"list": [case]}
    with pytest.raises(RefuteError):
        objections(refitted(honest, case={"x": case}), CLAIM)


UNREADABLE = {
    "nothing": "",
    "no JSON": "not json",
    "half of it": '{"refute_certificate": 1, "claim": "a',
    "a list": "[]",
    "a number": "1",
    "null": "null",
    "another object": "{}",
    "another version": '{"refute_certificate": 2}',
    "a version that is a word": '{"refute_certificate": "1"}',
    "too deep": "[" * 100_000,
    "an endless integer": '{"refute_certificate": 1, "case": ' + "9" * 10_000 + "}",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=list(UNREADABLE))
def test_other_files_are_unreadable(tmp_path: Path, text: str):
    """The error names the file."""
    path = tmp_path / "some.json"
    path.write_text(text)
    with pytest.raises(Unreadable, match=r"some\.json"):
        read(path)


def test_bytes_that_are_no_text_are_unreadable(tmp_path: Path):
    """A picture is not a certificate."""
    path = tmp_path / "some.json"
    path.write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(Unreadable, match="cannot read"):
        read(path)


def test_a_huge_file_is_not_read(tmp_path: Path):
    """Its size alone refuses it."""
    path = tmp_path / "some.json"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(Unreadable, match="bytes: not a certificate"):
        read(path)


def test_a_file_that_is_not_there_is_unreadable(tmp_path: Path):
    """So is a folder."""
    for path in (tmp_path / "gone.json", tmp_path):
        with pytest.raises(Unreadable, match="cannot read"):
            read(path)


def test_a_pinned_case_belongs_to_a_claim_that_is_recorded_as_refuted(tmp_path: Path):
    """It lies in the folder `refuted` beside the file of the claim; other claims have none."""
    claim = replace(CLAIM, place=f"{tmp_path / 'mine.py'}:3", recorded="refuted")
    assert pinned_path(claim) == tmp_path / "refuted" / "planted.square_is_larger.json"
    assert pinned_case(claim) is None
    pinned_path(claim).parent.mkdir()
    pinned_path(claim).write_text(json.dumps(document(CLAIM, found())))
    assert pinned_case(claim) == Case.of(x=Fraction(1, 2))
    assert pinned_case(replace(claim, recorded=None)) is None


def test_very_small_margins_are_certified():
    """A slack of 10^-5000, which Python does not print."""
    tiny = Fraction(1, 10**5000)
    claim = planted(square_is_larger, instances=(Case.of(x=tiny),))
    data = json.loads(json.dumps(document(claim, found(claim))))
    assert len(data["slack"]) > 5000
    assert objections(data, claim) == []


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every number and word in a file."""
    if isinstance(value, dict):
        return [place for key, entry in value.items() for place in _places(entry, (*path, key))]
    if isinstance(value, list):
        return [place for key, entry in enumerate(value) for place in _places(entry, (*path, key))]
    return [path]


def _tampered(data: dict[str, Any], place: tuple[Any, ...], rng: Random) -> dict[str, Any]:
    """One number or word changed a little: a digit, a sign, a letter, or made huge."""
    copy = json.loads(json.dumps(data))
    target = copy
    for key in place[:-1]:
        target = target[key]
    old = target[place[-1]]
    if isinstance(old, str):
        ways = [old + "1", "1/3" if old == "0" else "-" + old, old[:-1], "9" * 60_000, "../../etc/passwd", "nan"]
    else:
        ways = [old + 1, -old - 1, [old], "1", 1e300]
    target[place[-1]] = rng.choice([way for way in ways if way != old])
    return copy


def test_two_hundred_tampered_certificates_are_rejected(honest):
    """Any changed number or word: without a digest that fits, and with one wherever the content speaks about the
    refutation.
    """
    rng = Random(0)
    places = [place for place in _places(honest) if place != ("digest",)]
    free = {
        "versions",
        "replay",
        "violated",
    }  # words that help a reader: with the digest made to fit they certify nothing
    for k in range(200):
        place = places[k % len(places)]
        changed = _tampered(honest, place, rng)
        assert objections(changed, CLAIM), place
        if place[0] not in free:
            assert _rejected(refitted(changed)), (place, changed)


def _rejected(data: dict[str, Any]) -> bool:
    """By an objection, by the reader of the file, or because no claim has that name."""
    if data.get("refute_certificate") != 1:
        return True  # `read` refuses it
    try:
        return bool(objections(data, CLAIM if data["claim"] == CLAIM.id else None))
    except RefuteError:
        return True
