import subprocess
import sys
from xml.etree import ElementTree

import pytest

from refute.run import device
from refute.run.results import latest, runs
from tests.refute.conftest import FALSE, HEADER, NOTHING, TRUE

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("fresh_registry")]

DYNAMIC = """
@claim("notes.dynamic", given=numbers, kind=Kind.DYNAMICS)
def flow_descends(x):
    "..."
    return x * x
"""

NAMES = ("square_is_nonnegative", "square_is_larger", "says_nothing", "flow_descends")


@pytest.fixture
def claims(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with strict settings and a file of four claims.

    The inner pytest shares the process of the outer one, so it meets modules that are already imported: that warning
    alone is let pass.
    """
    pytester.makepyprojecttoml(
        '[tool.pytest.ini_options]\naddopts = ["--strict-markers", "-ra"]\n'
        'filterwarnings = ["error", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]'
    )
    pytester.makepyfile(mine=HEADER + TRUE + FALSE + NOTHING + DYNAMIC)
    return pytester


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """`--claim-device cpu` spares the search for a GPU."""
    return pytester.runpytest_inprocess("--claim-device=cpu", "-p", "no:cacheprovider", *arguments)


def test_every_claim_is_an_item_named_by_its_function(claims: pytest.Pytester):
    """Whether the folder or the file is named."""
    for argument in (".", "mine.py"):
        done = run(claims, "--collect-only", "-q", argument)
        done.stdout.fnmatch_lines([f"mine.py::{name}" for name in NAMES])
        assert done.ret == 0


def test_green_is_a_claim_that_earns_its_record(claims: pytest.Pytester):
    """A refuted conjecture and a broken claim are red; the summary counts verdicts."""
    done = run(claims)
    done.assert_outcomes(passed=2, failed=2)
    done.stdout.fnmatch_lines(["*= claims: 2 supported, 1 refuted, 1 broken (on cpu) =*"])


def test_a_refutation_is_told_in_full_and_without_a_traceback(claims: pytest.Pytester):
    """Id, reference, record, counterexample, assumption, violated line, replay command."""
    done = run(claims, "mine.py::square_is_larger")
    done.stdout.fnmatch_lines(
        [
            "*_ square_is_larger _*",
            "refuted (a conjecture): notes.false   Conjecture 2",
            "counterexample  x = 1/2",
            "  assumed       x is positive   (slack 1/2)",
            "  violated      x^2 >= x: left 1/4, right 1/2   (slack -1/4, exact: rationals)",
            "replay          refute verify --from mine.py .refute/certificates/notes.false.*.json",
            "FAILED mine.py::square_is_larger - refuted (a conjecture)*",
        ]
    )
    done.stdout.no_fnmatch_line("*runner.py*")
    done.stdout.no_fnmatch_line("*plugin.py*")
    assert len(list(claims.path.glob(".refute/certificates/*.json"))) == 1


def test_a_broken_claim_is_told_with_its_hint(claims: pytest.Pytester):
    """Without a traceback of the engine."""
    done = run(claims, "-k", "nothing")
    done.assert_outcomes(failed=1, deselected=3)
    done.stdout.fnmatch_lines(
        ["broken (a conjecture): notes.nothing", "says_nothing() returned nothing", "hint: return a signed slack*"]
    )
    done.stdout.no_fnmatch_line("*evaluate.py*")


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        (["-k", "true"], 1),
        (["-k", "flow_descends"], 1),
        (["-k", "notes and not false and not nothing"], 2),
        (["-m", "dynamics"], 1),
    ],
)
def test_claims_are_chosen_by_id_name_and_kind(claims: pytest.Pytester, arguments: list[str], passed: int):
    """With the options that pytest has for it."""
    run(claims, *arguments).assert_outcomes(passed=passed, deselected=4 - passed)


def test_the_kinds_are_registered_markers(claims: pytest.Pytester):
    """`--strict-markers` is content."""
    run(claims, "--markers").stdout.fnmatch_lines(
        ["@pytest.mark.symbolic:*", "@pytest.mark.dynamics:*", "@pytest.mark.experiment:*"]
    )


def test_the_header_states_the_run(claims: pytest.Pytester):
    """Profile, seed, device and versions, so that a log suffices to repeat it."""
    done = run(claims, "--claim-profile=thorough", "--claim-seed=3", "-k", "true")
    done.stdout.fnmatch_lines(["refute *: profile thorough, seed 3, device cpu (hypothesis *, numpy *)"])


def test_the_profile_reaches_the_claim(claims: pytest.Pytester):
    """More cases than the quick profile has."""
    run(claims, "--claim-profile=thorough", "-k", "true", "--junitxml=report.xml").assert_outcomes(
        passed=1, deselected=3
    )
    assert int(properties(claims)["cases"] or 0) > 120


@pytest.mark.parametrize(
    "option", ["--claim-seed=-1", "--claim-seed=one", "--claim-profile=lazy", "--claim-device=tpu"]
)
def test_a_wrong_option_is_a_usage_error(claims: pytest.Pytester, option: str):
    """Nothing is run."""
    assert run(claims, option).ret == pytest.ExitCode.USAGE_ERROR


def test_a_missing_gpu_is_a_usage_error(claims: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Nothing is run on another device instead."""
    monkeypatch.setattr(device, "available", lambda: ["cpu"])
    done = run(claims, "--claim-device=cuda")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["ERROR: device 'cuda' was asked for, but none is available", "hint: use*"])


def test_results_are_stored_where_they_are_asked_for(claims: pytest.Pytester):
    """In the folder that is named, and nowhere without one."""
    run(claims, "-k", "true")
    assert not (claims.path / ".refute" / "results").exists()
    run(claims, "-k", "true or false", "--claim-results=kept")
    [stored] = runs(claims.path / "kept")
    assert [(record["claim"], record["verdict"]) for record in stored.records] == [
        ("notes.true", "supported"),
        ("notes.false", "refuted"),
    ]
    assert stored.finished


def test_xdist_runs_claims_in_its_workers(claims: pytest.Pytester):
    """The same verdicts, the summary counts them all, and each worker stores its own."""
    done = claims.runpytest_subprocess("-n2", "--claim-device=cpu", "-p", "no:cacheprovider", "--claim-results=kept")
    done.assert_outcomes(passed=2, failed=2)
    done.stdout.fnmatch_lines(["counterexample  x = 1/2", "*= claims: 2 supported, 1 refuted, 1 broken (on cpu) =*"])
    assert sorted(latest(claims.path / "kept", "check")) == [
        "notes.dynamic",
        "notes.false",
        "notes.nothing",
        "notes.true",
    ]


def properties(pytester: pytest.Pytester) -> dict[str | None, str | None]:
    tree = ElementTree.parse(pytester.path / "report.xml")
    return {node.get("name"): node.get("value") for node in tree.iter("property")}


def test_junit_reports_carry_the_verdict(claims: pytest.Pytester):
    """With its margin and the certificate."""
    run(claims, "-k", "false", "--junitxml=report.xml")
    found = properties(claims)
    assert (found["verdict"], found["margin"]) == ("refuted", "-0.25")
    assert str(found["certificate"]).startswith(".refute/certificates/notes.false.")
    [case] = ElementTree.parse(claims.path / "report.xml").iter("testcase")
    assert case.get("name") == "square_is_larger"
    [failure] = case.iter("failure")
    assert "counterexample  x = 1/2" in str(failure.text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("from refute import claim\n@claim()\ndef f(:", "cannot load bad.py: bad.py:3: SyntaxError*"),
        (
            "from refute import claim\n@claim\ndef f(x): ...",
            "cannot load bad.py: *bad.py:2: the decorator of f() has no parentheses",
        ),
        ("@claim()\ndef f(x): ...", "cannot load bad.py: NameError: name 'claim' is not defined (at bad.py:1)"),
        (HEADER + TRUE + TRUE, "cannot load bad.py: two claims are called 'notes.true': at *bad.py:* and at *bad.py:*"),
    ],
)
@pytest.mark.parametrize("argument", [".", "bad.py"])
def test_a_file_that_cannot_be_loaded_is_an_error_of_its_own(
    pytester: pytest.Pytester, text: str, said: str, argument: str
):
    """Said once, clearly, without the traceback of the engine."""
    pytester.makepyfile(bad=text)
    done = run(pytester, argument)
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*ERROR collecting bad.py*", said])
    done.stdout.no_fnmatch_line("*loading.py*")


def test_a_broken_file_does_not_hide_the_others(claims: pytest.Pytester):
    """They are collected, and run when pytest is told to go on."""
    claims.makepyfile(bad="from refute import claim\n@claim()\ndef f(:")
    run(claims, "--continue-on-collection-errors").assert_outcomes(passed=2, failed=2, errors=1)


@pytest.mark.parametrize(
    "body", ["os._exit(0)\n@claim()\ndef f(x): ...", "@claim(given=numbers)\ndef f(x): os._exit(0)"]
)
def test_a_claim_that_ends_its_process_is_no_green_run(pytester: pytest.Pytester, body: str):
    """At import or in its predicate; the items beside it are run."""
    pytester.makepyfile(bad=f"{HEADER}{body}", mine=HEADER + TRUE)
    done = run(pytester, "--continue-on-collection-errors")
    counts = done.parseoutcomes()
    assert counts.pop("passed") == 1
    assert counts in ({"failed": 1}, {"errors": 1})
    assert done.ret == pytest.ExitCode.TESTS_FAILED or counts == {"errors": 1}


ORDINARY = """
import pytest

@pytest.fixture
def half():
    return 0.5

@pytest.mark.parametrize("power", [1, 2])
def test_halves_are_small(half, power):
    assert half**power < 1

class TestSquares:
    def test_square(self):
        assert square_is_nonnegative.conclusion(2) == 4
"""


@pytest.mark.parametrize("name", ["test_mine.py", "mine.py"])
@pytest.mark.parametrize("argument", [".", "{name}"])
def test_claims_and_tests_stand_in_one_file(pytester: pytest.Pytester, name: str, argument: str):
    """Whatever it is called, and named or found: no claim is passed over, and no test."""
    (pytester.path / name).write_text(HEADER + TRUE + FALSE + ORDINARY)
    done = run(pytester, argument.format(name=name))
    done.assert_outcomes(passed=4, failed=1)
    done.stdout.fnmatch_lines([f"FAILED {name}::square_is_larger - refuted (a conjecture)*"])


def test_readings_stand_in_brackets_like_parameters(pytester: pytest.Pytester):
    """The name of the function alone means all of them."""
    readings = 'square_is_nonnegative.reading("r1", "read so")\nsquare_is_nonnegative.amended("read so")'
    pytester.makepyfile(mine=HEADER + TRUE + readings)
    run(pytester, "mine.py::square_is_nonnegative[amended]").assert_outcomes(passed=1)
    run(pytester, "mine.py::square_is_nonnegative").assert_outcomes(passed=3)


def test_claims_of_one_function_have_names_of_their_own(pytester: pytest.Pytester):
    """Made in a loop, they are told apart by their ids."""
    loop = """
def small(x):
    return x * x
for k in (1, 2):
    claim(f"notes.small_{k}", given=numbers)(small)
"""
    pytester.makepyfile(mine=HEADER + TRUE + loop)
    done = run(pytester, "--collect-only", "-q")
    done.stdout.fnmatch_lines(["mine.py::small", "mine.py::small[[]notes.small_2[]]"])


def test_other_files_are_left_alone(pytester: pytest.Pytester):
    """What holds no claim is not imported."""
    pytester.makepyfile(test_it="def test_passes(): pass", other="raise SystemExit('imported')")
    done = run(pytester, "-v")
    done.assert_outcomes(passed=1)
    done.stdout.no_fnmatch_line("refute *: profile*")


def test_the_debugger_stops_in_the_conclusion(pytester: pytest.Pytester):
    """With the values of the counterexample."""
    pytester.makepyfile(mine=HEADER + FALSE)
    child = pytester.spawn_pytest("--pdb --claim-device=cpu mine.py")
    child.expect("Pdb")
    child.sendline("p 'x is', x")
    child.expect(r"'x is', .*1/2")
    child.sendline("q")
    child.read()


def test_a_file_named_on_the_command_line_is_imported_once(pytester: pytest.Pytester):
    """In this process and in the one that judges; not a second time as a module of tests."""
    note = "\nimport os\nwith open('log', 'a') as log:\n    log.write(f'{os.getpid()} ')"
    pytester.makepyfile(mine=HEADER + TRUE + note)
    run(pytester, "mine.py").assert_outcomes(passed=1)
    processes = (pytester.path / "log").read_text().split()
    assert len(processes) == len(set(processes)) == 2


def test_a_file_outside_the_project_works_the_same(claims: pytest.Pytester, tmp_path_factory: pytest.TempPathFactory):
    """It needs no package and no settings around it."""
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "far.py"
    elsewhere.write_text(HEADER + TRUE.replace("notes.true", "far.true"))
    run(claims, str(elsewhere)).assert_outcomes(passed=1)


def test_importing_the_plugin_runs_no_search():
    """What only a check needs is imported when a claim is checked."""
    late = ("refute.run.runner", "rich", "click", "torch", "sympy", "scipy")
    code = f"import sys, refute.plugin; print([name for name in {late} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
