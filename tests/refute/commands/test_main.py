import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import get_type_hints

import pytest

from refute.run import device
from refute.run.result import Listed
from tests.refute.conftest import FALSE, TRUE, Refute, WriteClaims, written


def predicate(body: str, **options: str) -> str:
    given = ", ".join(["'notes.it'", "given=numbers", *(f"{key}={value}" for key, value in options.items())])
    return f"@claim({given})\ndef it(x):\n    {body}\n"


def script(*arguments: object, folder: Path, **environment: str) -> subprocess.Popen[str]:
    """The command in a process of its own, with Ctrl-C enabled however the tests were started."""
    return subprocess.Popen(
        [sys.executable, "-m", "refute", *map(str, arguments)],
        cwd=folder,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_claims_that_earn_their_record_exit_0(claim_file: WriteClaims, refute: Refute):
    """The table shows the claim, the summary counts it, and nothing is explained."""
    done = refute("check", claim_file(TRUE))
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].split() == ["claim", "verdict", "recorded", "cases", "margin", "seconds"]
    assert done.stdout.splitlines()[1].split()[:4] == ["notes.true", "supported", "supported", "120"]
    assert done.stdout.splitlines()[1].endswith(" ok")
    assert done.stdout.endswith("\n\nclaims: 1 supported\n")
    assert done.stderr == ""


def test_a_refuted_conjecture_exits_1_and_is_told_in_full(claim_file: WriteClaims, refute: Refute):
    """Counterexample, assumption, violated line with its numbers, replay command."""
    done = refute("check", claim_file(TRUE + FALSE))
    assert done.exit_code == 1
    assert "refuted (a conjecture): notes.false   Conjecture 2" in done.stdout
    assert "counterexample  x = 1/2" in done.stdout
    assert "assumed       x is positive   (slack 1/2)" in done.stdout
    assert "violated      x^2 >= x: left 1/4, right 1/2   (slack -1/4, exact: rationals)" in done.stdout
    assert "claims: 1 supported, 1 refuted; 1 not as recorded" in done.stdout
    replay = done.stdout.partition("replay          refute ")[2].splitlines()[0].split()
    assert refute(*replay).exit_code == 0


def test_a_claim_that_is_better_than_its_record_exits_1(claim_file: WriteClaims, refute: Refute):
    """A record is not a lower bound."""
    assert (
        refute(
            "check", claim_file(TRUE.replace("'supported'", "'refuted'").replace('"supported"', '"refuted"'))
        ).exit_code
        == 1
    )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise ValueError('no')", "it() raised ValueError: no (at "),
        ("return float('nan')", "it() returned nan"),
        ("return x > 0", "it() returned the bool "),
        ("return None", "it() returned nothing"),
        ("return 'yes'", "it() returned 'yes' of type str"),
        ("return {}", "it() returned {} of type dict"),
        ("raise SystemExit(1)", "it() could not be checked: SystemExit: 1"),
    ],
)
def test_a_predicate_that_cannot_be_used_exits_2(claim_file: WriteClaims, refute: Refute, body: str, said: str):
    """It is told by its value, and the verdicts of the others are printed."""
    done = refute("check", claim_file(predicate(body) + TRUE))
    assert done.exit_code == 2
    assert f"broken (a conjecture): notes.it\n{said}" in done.stdout
    assert "claims: 1 supported, 1 broken" in done.stdout


def test_a_predicate_with_the_wrong_parameters_exits_2(claim_file: WriteClaims, refute: Refute):
    """The message names the parameter and what there is."""
    done = refute("check", claim_file("@claim(given=numbers)\ndef it(y):\n    return y"))
    assert done.exit_code == 2
    assert "it() needs 'y', but the case has ['x']" in done.stdout
    assert "hint: name the parameters like the fields of `given`" in done.stdout


def test_a_vacuous_claim_names_the_assumption_and_the_nearest_miss(claim_file: WriteClaims, refute: Refute):
    """Nothing was tested: that is a mistake in the input, with a hint."""
    impossible = "far = Assumption('far', 'x is above ten', lambda x: less(0 * x + 10, x, '10 < x'), numbers)\n"
    done = refute("check", claim_file(impossible + predicate("return x", assumes="[far]")))
    assert done.exit_code == 2
    assert 'cases met "x is above ten" (closest: slack -' in done.stdout
    assert "hint: give the assumption a `satisfy` repair" in done.stdout


def test_json_is_an_array_of_rows_and_nothing_else(claim_file: WriteClaims, refute: Refute):
    """Even when claims print."""
    done = refute(
        "check", claim_file("print('loud')" + TRUE + FALSE + predicate("print('louder'); return x * x")), "--json"
    )
    assert done.exit_code == 1
    true, false, loud = json.loads(done.stdout)
    assert {"id", "verdict", "recorded", "margin", "error", "cases", "seconds", "certificate"} <= set(true)
    assert (true["id"], true["verdict"], true["recorded"], true["cases"], true["certificate"]) == (
        "notes.true",
        "supported",
        "supported",
        120,
        None,
    )
    assert (false["verdict"], false["recorded"], false["margin"], false["error"], false["earned"]) == (
        "refuted",
        None,
        -0.25,
        0,
        False,
    )
    assert Path(false["certificate"]).is_file()
    assert loud["verdict"] == "supported"


def test_processes_keep_stdout_clean_and_give_the_same_rows(claim_file: WriteClaims, tmp_path: Path):
    """Same seed, same verdicts and counterexamples with one process and with two."""
    rows = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)  # one of its own: what one run found the next would try first
        written(folder, TRUE + FALSE + predicate("print('loud'); return x * x"), "mine.py")
        process = script("check", "mine.py", "--json", "--seed", 5, "--jobs", jobs, "--device", "cpu", folder=folder)
        rows.append([row | {"seconds": 0} for row in json.loads(process.communicate()[0])])
        assert process.returncode == 1
    assert rows[0] == rows[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mine.py::square_is_lager"], "hint: did you mean square_is_larger"),
        (["notes.flase"], "hint: did you mean notes.false"),
        (["nowhere/"], "error: there is no file or folder nowhere/"),
        (["broken.py"], "SyntaxError"),
        (["signature.py"], "takes *x"),
        (["mine.py", "--seed", "-1"], "--seed"),
        (["mine.py", "--seed", "one"], "--seed"),
        (["mine.py", "--jobs", "0"], "--jobs"),
        (["mine.py", "--profile", "lazy"], "'quick', 'thorough', 'exhaustive'"),
        (["mine.py", "--device", "tpu"], "'auto', 'cpu', 'cuda'"),
    ],
)
def test_wrong_use_exits_2_with_a_message(
    package: WriteClaims, claim_file: WriteClaims, refute: Refute, arguments: list[str], said: str
):
    """On stderr, without a traceback; stdout stays empty."""
    package(FALSE, "lemma.py")
    claim_file(FALSE.replace("notes.false", "mine.false"))
    claim_file("def f(:", "broken.py")
    claim_file("@claim()\ndef f(*x):\n    return x", "signature.py")
    done = refute("check", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_missing_gpu_exits_2(claim_file: WriteClaims, refute: Refute, monkeypatch: pytest.MonkeyPatch):
    """Nothing is run on another device instead."""
    monkeypatch.setattr(device, "available", lambda: ["cpu"])
    done = refute("check", claim_file(TRUE), "--device", "cuda")
    assert done.exit_code == 2
    assert "error: device 'cuda' was asked for, but none is available\n\nhint: use --device cpu" in done.stderr


def test_everything_is_checked_without_a_pattern(package: WriteClaims, refute: Refute):
    """The installed claims, and a broken module among them is an error that names it."""
    package(TRUE, "lemma.py")
    assert refute("check").exit_code == 0
    package("1 / 0", "theorem.py")
    done = refute("check")
    assert done.exit_code == 2
    assert "cannot load installed_claims.theorem: ZeroDivisionError" in done.stderr


def test_long_ids_are_never_cut(claim_file: WriteClaims, refute: Refute):
    """In a pipe the table is as wide as it must be."""
    long = "notes." + "very_" * 40 + "long"
    assert f"\n{long} supported" in refute("check", claim_file(TRUE.replace("notes.true", long))).stdout


def test_a_pipe_gets_no_colour_and_no_progress_bar(tmp_path: Path):
    """Even when the environment asks for colour."""
    written(tmp_path, TRUE, "mine.py")
    out, err = script("check", "mine.py", "--device", "cpu", folder=tmp_path, FORCE_COLOR="1").communicate()
    assert "\x1b" not in out
    assert err == ""


def test_claims_are_listed(claim_file: WriteClaims, refute: Refute):
    """For people and for scripts."""
    path = claim_file(TRUE + FALSE)
    listed = refute("list", path)
    assert listed.exit_code == 0
    assert "notes.false algebraic -         Conjecture 2 x is positive" in listed.stdout
    rows = json.loads(refute("list", path, "--json").stdout)
    assert [row["id"] for row in rows] == ["notes.true", "notes.false"]
    assert set(get_type_hints(Listed)) == set(rows[0])


def certificate(refute: Refute, path: Path) -> Path:
    [row] = json.loads(refute("check", path, "--json").stdout)
    return Path(row["certificate"])


def test_a_certificate_is_valid_for_its_claim_only(package: WriteClaims, claim_file: WriteClaims, refute: Refute):
    """Exit 0 valid, 1 invalid or of an unknown claim."""
    known = certificate(refute, package(FALSE, "lemma.py"))
    done = refute("verify", known)
    assert (done.exit_code, done.stdout) == (0, f"valid       {known}: notes.false is refuted by x = 1/2\n")

    data = json.loads(known.read_text())
    forged = Path("forged.json")
    forged.write_text(json.dumps(data | {"case": {"x": "2"}}))
    done = refute("verify", known, forged)
    assert done.exit_code == 1
    assert "invalid     forged.json: the content was changed" in done.stdout

    forged.write_text(known.read_text().replace("notes.false", "notes.unknown"))
    assert refute("verify", forged).exit_code == 1


def test_a_certificate_of_an_unknown_claim_says_so(
    package: WriteClaims, claim_file: WriteClaims, refute: Refute, monkeypatch: pytest.MonkeyPatch
):
    """And how to name the file of the claim."""
    path = claim_file(FALSE)
    mine = certificate(refute, path)
    monkeypatch.setattr("refute.language.registry._claims", {})
    done = refute("verify", mine)
    assert done.exit_code == 1
    assert (
        "no claim is called 'notes.false'; if its file is not among the installed claims, name it with --from FILE"
        in done.stdout
    )


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"refute_certificate": 99}', "\x00"])
def test_what_is_no_certificate_is_unreadable(package: WriteClaims, refute: Refute, text: str):
    """Exit 2, and the others are still verified."""
    known = certificate(refute, package(FALSE, "lemma.py"))
    Path("odd.json").write_text(text)
    done = refute("verify", "odd.json", "missing.json", known)
    assert done.exit_code == 2
    assert "unreadable  odd.json" in done.stderr
    assert "unreadable  missing.json" in done.stderr
    assert f"valid       {known}" in done.stdout


FIGURES = """
from refute import figure
@figure("notes", 1)
def loss_curve():
    from matplotlib.figure import Figure
    return Figure()

@figure("notes", 2)
def no_figure():
    return 3

@figure("notes", "3b")
def failing():
    raise ValueError("no data")
"""


def test_a_figure_is_drawn(package: WriteClaims, refute: Refute):
    """Where it is asked for, or in the folder of figures."""
    package(FIGURES, "figures.py")
    done = refute("figure", "notes", "1")
    assert (done.exit_code, done.stdout) == (0, "figures/notes-1.png\n")
    assert Path("figures/notes-1.png").stat().st_size > 0
    assert refute("figure", "notes", "1", "--out", "new/one.svg").exit_code == 0
    assert "<svg" in Path("new/one.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["notes", "9"], "known figures: notes 1, notes 2, notes 3b"),
        (["nobody", "1"], "known figures: notes 1, notes 2, notes 3b"),
        (["notes", "2"], "no_figure() returned int"),
        (["notes", "3b"], "failing() raised ValueError: no data (at "),
        (["notes", "1", "--out", "one.nonsense"], "cannot write one.nonsense"),
    ],
)
def test_a_figure_that_cannot_be_drawn_exits_2(package: WriteClaims, refute: Refute, arguments: list[str], said: str):
    """Unknown figures are answered with the known ones."""
    package(FIGURES, "figures.py")
    done = refute("figure", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize("command", ["list", "check", "verify", "figure"])
def test_every_command_explains_itself(refute: Refute, command: str):
    """With an example."""
    done = refute(command, "--help") if command != "check" else refute("check", "--help", "--device", "cpu")
    assert done.exit_code == 0
    assert f"Example: refute {command}" in done.stdout


def test_the_version_is_shown(refute: Refute):
    """As the package states it."""
    assert refute("--version").stdout.startswith("refute, version ")


@pytest.mark.parametrize(("jobs", "style"), [(1, "table"), (2, "json")])
def test_ctrl_c_prints_what_was_decided_and_exits_130(tmp_path: Path, jobs: int, style: str):
    """The claims decided so far are shown, and how many they are."""
    waiting = predicate("open('it', 'w').close(); time.sleep(600)")
    written(tmp_path, TRUE + waiting + waiting.replace("it", "it_too"), "mine.py")
    process = script(
        "check", "mine.py", "--jobs", jobs, "--device", "cpu", *["--json"] * (style == "json"), folder=tmp_path
    )
    begun = tmp_path / ("it" if jobs == 1 else "it_too")  # a process begins the last claim when the first is decided
    while process.poll() is None and not begun.exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted: 1 of 3 claims decided" in (err if style == "json" else out)
    if style == "json":
        assert [row["id"] for row in json.loads(out)] == ["notes.true"]
    else:
        assert "notes.true supported" in " ".join(out.split())
    assert "Traceback" not in err


RAW = '''
from hypothesis import strategies as st
from refute import at_most, claim, stated
from refute.strategies import sized


@claim("raw.silent", given=sized(x=st.integers()))
def silent(x):
    """x^2 <= 100."""
    return at_most(x * x, 100, "x^2")


@claim("raw.said", given=sized(x=stated(st.integers(), lambda x: isinstance(x, int))))
def said(x):
    """x^2 <= 100."""
    return at_most(x * x, 100, "x^2")
'''


def test_a_replay_is_offered_where_it_would_succeed(claim_file: WriteClaims, refute: Refute):
    """Of a claim that states no domain the output says why not, and how to state one; `verify` agrees."""
    path = claim_file(RAW)
    out = refute("check", path).stdout
    assert "no replay       no domain is stated for x" in out
    assert "given=sized(x=stated(yours, lambda value: ...))" in out
    assert out.count("replay          refute verify") == 1
    places = re.findall(r"\.refute/certificates/raw\.(\w+)\.\w+\.json", out)
    assert places == ["silent", "said"]
    for name, code in (("silent", 1), ("said", 0)):
        place = re.search(rf"\.refute/certificates/raw\.{name}\.\w+\.json", out)
        assert place is not None
        assert refute("verify", "--from", path, place[0]).exit_code == code
