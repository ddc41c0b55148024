from pathlib import Path

import pytest

from refute.errors import BadClaim, RefuteError, UnknownPattern, Unreadable
from refute.run.loading import has_claims, load_all, load_file, select
from tests.refute.conftest import FALSE, TRUE, WriteClaims


def ids(claims):
    return [claim.id for claim in claims]


def test_a_file_gives_its_claims_in_their_order(claim_file: WriteClaims):
    """Claims come in the order in which they are written."""
    assert ids(load_file(claim_file(TRUE + FALSE))) == ["notes.true", "notes.false"]


def test_a_claim_without_an_id_is_named_by_its_file_and_function(claim_file: WriteClaims):
    """The default id does not show under which name the file was imported."""
    path = claim_file("@claim(given=numbers)\ndef holds(x):\n    return x * x")
    assert ids(load_file(path)) == ["mine.holds"]


def test_a_file_is_imported_once(claim_file: WriteClaims):
    """Loading a file again does not run it again."""
    path = claim_file("with open('log', 'a') as log:\n    log.write('imported ')\n" + TRUE)
    assert load_file(path) == load_file(str(path))
    assert Path("log").read_text() == "imported "


def test_a_file_of_a_package_is_imported_by_its_name(package: WriteClaims):
    """The rest of the package and the loader share one module."""
    [claim] = load_file(package(TRUE, "lemma.py"))
    assert claim.conclusion.__module__ == "installed_claims.lemma"


def test_a_package_that_cannot_be_imported_is_read_as_files(claim_file: WriteClaims):
    """A package outside the import path is no obstacle."""
    claim_file("", "far/__init__.py")
    assert ids(load_file(claim_file(TRUE, "far/lemma.py"))) == ["notes.true"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("def f(:\n    pass", r"cannot load mine.py: mine.py:\d+: SyntaxError"),
        ("import no_such_module", r"ModuleNotFoundError: No module named 'no_such_module' \(at mine.py:\d+\)"),
        ("1 / 0", r"ZeroDivisionError: division by zero \(at mine.py:\d+\)"),
        ("raise SystemExit(3)", r"SystemExit: 3 \(at mine.py:\d+\)"),
        ("x = 1", "mine.py has no claims"),
        ("@claim\ndef f(x):\n    return x", r"mine.py:\d+: the decorator of f\(\) has no parentheses"),
        ("@claim(3)\ndef f(x):\n    return x", "the id of a claim is a string, got 3"),
        ("@claim('notes.\\ud800')\ndef f(x):\n    return x", "has half a character"),
        ("@claim(kind='dynamics')\ndef f(x):\n    return x", "kind='dynamics' is not a kind of claim"),
        ("@claim(recorded='true')\ndef f(x):\n    return x", "recorded='true' is not a verdict"),
        ("@claim(given=3)\ndef f(x):\n    return x", "given=3 is not a strategy"),
        ("@claim()\ndef f(*x):\n    return x", r"takes \*x"),
        (
            TRUE + FALSE.replace("notes.false", "notes.true"),
            r"two claims are called 'notes.true': at .*mine.py:\d+ and at .*mine.py:\d+",
        ),
    ],
)
def test_a_file_that_cannot_be_used_says_why(claim_file: WriteClaims, body: str, said: str):
    """The message names the file, the line and the value; a remedy follows."""
    path = claim_file(body)
    with pytest.raises(RefuteError, match=said) as caught:
        load_file(path)
    assert isinstance(caught.value, Unreadable | BadClaim)
    assert caught.value.hint


def test_a_file_that_ends_the_process_while_it_is_imported_says_so(claim_file: WriteClaims):
    """With exit code 0 it would have been a green run that tested nothing."""
    with pytest.raises(Unreadable, match="it ends the process with code 0 while it is imported"):
        load_file(claim_file("os._exit(0)\n" + TRUE))


@pytest.mark.slow
@pytest.mark.parametrize("body", ["while True: pass", "time.sleep(600)"])
def test_an_import_that_does_not_come_back_is_given_up(
    claim_file: WriteClaims, monkeypatch: pytest.MonkeyPatch, body: str
):
    """Whether it works or sleeps."""
    monkeypatch.setattr("refute.run.loading.IMPORTING", 2)
    with pytest.raises(Unreadable, match="its import took more than 2 s"):
        load_file(claim_file(f"{body}\n{TRUE}"))


def test_ids_are_looked_up_in_one_reading(package: WriteClaims, monkeypatch: pytest.MonkeyPatch):
    """The package is searched once, however many are named."""
    package(TRUE + FALSE, "lemma.py")
    reads: list[None] = []
    monkeypatch.setattr("refute.run.loading.load_all", lambda: reads.append(None) or load_all())
    assert ids(select(["notes.false", "notes.true", "notes.*"])) == ["notes.false", "notes.true"]
    assert len(reads) == 1


def test_a_missing_file_and_a_file_of_another_language_are_unreadable(claim_file: WriteClaims):
    """Neither is imported."""
    with pytest.raises(Unreadable, match=r"there is no file nowhere\.py"):
        load_file("nowhere.py")
    with pytest.raises(Unreadable, match="is not a Python file"):
        load_file(claim_file(TRUE, "certificate.json"))


def test_all_claims_are_those_of_the_package(package: WriteClaims):
    """Modules, sub-packages and folders without an __init__.py are found."""
    package(TRUE, "lemma.py")
    package("", "paper/__init__.py")
    package(FALSE, "paper/theorem.py")
    package(TRUE.replace("notes.true", "loose.true"), "loose/theorem.py")
    assert set(ids(load_all())) == {"notes.true", "notes.false", "loose.true"}


def test_a_broken_module_is_named_and_hides_nothing_that_was_named_itself(package: WriteClaims):
    """Everything needs every module; a path needs only its file."""
    package("1 / 0", "broken.py")
    path = package(TRUE, "lemma.py")
    assert ids(select([str(path)])) == ["notes.true"]
    for patterns in ([], ["notes.*"]):
        with pytest.raises(Unreadable, match=r"cannot load installed_claims.broken: ZeroDivisionError.*broken.py:\d+"):
            select(patterns)


def test_a_missing_package_is_an_error(claim_file: WriteClaims, monkeypatch: pytest.MonkeyPatch):
    """The hint says what to install or to give."""
    monkeypatch.setattr("refute.run.loading.DEFAULT_PACKAGE", "no_such_package")
    with pytest.raises(Unreadable, match="cannot load the package no_such_package: no such package is installed"):
        load_all()


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        ([], ["notes.true", "notes.false"]),
        (["notes.false"], ["notes.false"]),
        (["notes.*"], ["notes.true", "notes.false"]),
        (["notes.f*", "notes.*"], ["notes.false", "notes.true"]),
        (["installed_claims"], ["notes.true", "notes.false"]),
        (["installed_claims/"], ["notes.true", "notes.false"]),
        (["installed_claims/lemma.py"], ["notes.true", "notes.false"]),
        (["installed_claims/lemma.py::square_is_larger"], ["notes.false"]),
        (["installed_claims/lemma.py::notes.true", "notes.true"], ["notes.true"]),
    ],
)
def test_patterns_select(package: WriteClaims, patterns: list[str], expected: list[str]):
    """An id, a glob, a folder, a file or file::name; each claim once, in the order of the patterns."""
    package(TRUE + FALSE, "lemma.py")
    package("@claim('tests.own', given=numbers)\ndef own(x):\n    return x * x", "test_lemma.py")
    assert [id for id in ids(select(patterns)) if id != "tests.own"] == expected


@pytest.mark.parametrize(
    ("pattern", "said", "hint"),
    [
        ("notes.flase", "no claim matches 'notes.flase'", "did you mean notes.false"),
        ("notes", "no claim is called 'notes'", "did you mean 'notes.*'?"),
        ("zzz.*", "no claim matches 'zzz.*'", "`refute list` shows every id"),
        (
            "installed_claims/lemna.py",
            "there is no file or folder installed_claims/lemna.py",
            "did you mean installed_claims/lemma.py",
        ),
        (
            "installed_claims/lemma.py::square_is_lager",
            "no claim in installed_claims/lemma.py is called",
            "did you mean square_is_larger",
        ),
        (
            "installed_claims/lemma.py::zzz",
            "no claim in installed_claims/lemma.py is called 'zzz'",
            "it has notes.true, notes.false",
        ),
        ("empty/", "no file below empty/ has claims", "decorate a function"),
    ],
)
def test_a_pattern_without_a_match_is_an_error_with_a_suggestion(
    package: WriteClaims, pattern: str, said: str, hint: str
):
    """Nothing is ever selected silently."""
    package(TRUE + FALSE, "lemma.py")
    Path("empty").mkdir()
    with pytest.raises(UnknownPattern) as caught:
        select([pattern])
    assert said in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from refute import claim\n@claim()\ndef f(x): ...", True),
        ("from refute import claim\n@claim\ndef f(x): ...", True),
        ("import refute\n@refute.claim('a.b')\ndef f(x): ...", True),
        ("from refute.decide.symbolic import identity\n@identity('a.b')\ndef f(): ...", True),
        ("@claim()\ndef f(x): ...", True),
        ("from refute import identity\n@identity()\ndef identity(): ...", True),
        ("from refute import claim\n@claim()\ndef f(:", True),
        ("from tokens import claim\n@claim()\ndef f(x): ...", False),
        ("import tokens\n@tokens.claim()\ndef f(x): ...", False),
        ("def claim(f): ...\n@claim\ndef g(x): ...", False),
        ("from refute import claim\nprint(claim)", False),
        ("from refute import claim\ndef f():\n    @claim()\n    def g(x): ...", False),
        ("@claim()\ndef f(:", False),
        ("", False),
    ],
)
def test_files_of_claims_are_told_from_their_text(tmp_path: Path, text: str, expected: bool):
    """A forgotten import or a syntax error is a mistake to report; the decorator of another library is not ours."""
    path = tmp_path / "mine.py"
    path.write_text(text)
    assert has_claims(path) is expected


def test_a_file_that_does_not_exist_has_no_claims(tmp_path: Path):
    """It is not an error either: the file may have gone since it was listed."""
    assert not has_claims(tmp_path / "gone.py")
