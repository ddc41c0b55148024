import json
import pickle
import re
from pathlib import Path

import pytest

from refute import Broken, Refuted, Run
from refute.kernel.certificate import pinned_path
from refute.kernel.reading import read
from refute.kernel.verification import objections
from refute.run.loading import load_file
from refute.run.runner import run_claim, run_claims
from tests.refute.conftest import FALSE, NOTHING, TRUE, WriteClaims


def comparable(results):
    """All of a row but the time it took."""
    return [{key: value for key, value in result.row().items() if key != "seconds"} for result in results]


def words(results):
    return [result.outcome.word for result in results]


def test_the_number_of_processes_changes_nothing(claim_file: WriteClaims):
    """Same verdicts, margins, counts and counterexamples with one process and with two, in the order of the claims."""
    claims = load_file(claim_file(FALSE + TRUE + NOTHING))
    seen: list[str] = []
    alone = run_claims(claims, Run(seed=7), 1)
    together = run_claims(claims, Run(seed=7), 2, lambda result: seen.append(result.id))
    assert comparable(alone) == comparable(together)
    assert words(alone) == ["refuted", "supported", "broken"]
    assert [result.id for result in together] == [claim.id for claim in claims]
    assert sorted(seen) == sorted(claim.id for claim in claims)


def test_what_was_remembered_gives_the_same_counterexample(claim_file: WriteClaims):
    """A second run starts from the example database and ends at the same case."""
    claims = load_file(claim_file(FALSE))
    first, second = (run_claims(claims, Run(remember=True))[0].outcome for _ in range(2))
    assert isinstance(first, Refuted)
    assert isinstance(second, Refuted)
    assert first.counterexample.case == second.counterexample.case
    assert first.evidence.tried > second.evidence.tried == 1


def test_a_process_that_dies_takes_one_claim_with_it(claim_file: WriteClaims):
    """The claim that killed it is broken; the others are decided."""
    dying = "@claim('notes.dies', given=numbers)\ndef dies(x):\n    os._exit(3)"
    results = run_claims(load_file(claim_file(f"{dying}\n{TRUE}{FALSE}{dying.replace('dies', 'dies_too')}")), Run(), 2)
    assert words(results) == ["broken", "supported", "refuted", "broken"]
    assert isinstance(results[0].outcome, Broken)
    assert results[0].outcome.message == "the process that checked it ended itself with code 3"
    assert results[0].outcome.case is not None


def test_a_claim_that_a_new_process_cannot_find_is_broken(claim_file: WriteClaims):
    """A file that changed since it was loaded is reported, and the others are decided."""
    gone = load_file(claim_file(TRUE, "gone.py"))
    kept = load_file(claim_file(FALSE))
    Path("gone.py").write_text("1 / 0")
    results = run_claims([*gone, *kept], Run(), 2)
    assert words(results) == ["broken", "refuted"]
    assert "ZeroDivisionError" in str(results[0])


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_is_decided(claim_file: WriteClaims, jobs: int):
    """An interrupt ends the run; what was decided before it is returned."""
    slow = "@claim('notes.slow', given=numbers)\ndef slow(x):\n    time.sleep(60)"

    def interrupt(result):
        raise KeyboardInterrupt

    results = run_claims(load_file(claim_file(TRUE + slow)), Run(), jobs, interrupt)
    assert [result.id for result in results] == ["notes.true"]


def test_a_found_counterexample_is_certified(claim_file: WriteClaims):
    """The certificate stands where the row says and holds without the search that found it."""
    [claim] = load_file(claim_file(FALSE))
    result = run_claim(claim, Run())
    assert result.certificate is not None
    assert objections(read(Path(result.certificate)), claim) == []
    assert result.replay == f"refute verify --from mine.py {result.certificate}"


def test_a_pinned_counterexample_is_its_own_certificate(claim_file: WriteClaims):
    """Nothing is written for a refutation that the repository holds already."""
    [claim] = load_file(claim_file(FALSE.replace("assumes", "recorded='refuted', assumes")))
    found = run_claim(claim, Run())
    assert found.certificate is not None
    pinned_path(claim).parent.mkdir()
    Path(found.certificate).rename(pinned_path(claim))
    replayed = run_claim(claim, Run())
    assert replayed.earned
    assert replayed.certificate == "refuted/notes.false.json"
    assert not Path(found.certificate).exists()


def test_a_pinned_case_that_no_longer_refutes_is_replaced(claim_file: WriteClaims):
    """The search goes on, and what it finds gets a certificate of its own."""
    [claim] = load_file(claim_file(FALSE.replace("assumes", "recorded='refuted', assumes")))
    found = run_claim(claim, Run())
    assert found.certificate is not None
    pinned_path(claim).parent.mkdir()
    pinned_path(claim).write_text(json.dumps(read(Path(found.certificate)) | {"case": {"x": "2"}}))
    assert run_claim(claim, Run()).certificate == found.certificate


def test_a_certificate_that_cannot_be_written_does_not_hide_the_counterexample(claim_file: WriteClaims):
    """A file stands where the folder should be."""
    Path(".refute").touch()
    result = run_claim(load_file(claim_file(FALSE))[0], Run())
    assert result.outcome.word == "broken"
    assert "could not be written" in str(result)
    assert "x = 1/2" in str(result)


def test_whatever_a_claim_raises_makes_it_broken(claim_file: WriteClaims):
    """A strategy that fails and a predicate that exits are reported with their line."""
    strategy = "@claim('notes.strategy', given=numbers.map(lambda case: case['y']))\ndef f(x):\n    return x"
    leaving = "@claim('notes.leaving', given=numbers)\ndef g(x):\n    raise SystemExit(4)"
    results = run_claims(load_file(claim_file(f"{strategy}\n{leaving}")), Run())
    assert words(results) == ["broken", "broken"]
    assert "KeyError: 'y' (at mine.py:" in str(results[0])
    assert "SystemExit: 4 (at mine.py:" in str(results[1])


def test_a_predicate_that_throws_dice_is_broken(claim_file: WriteClaims):
    """Its certificate would not be valid when it is judged again."""
    body = "@claim('notes.dice', given=numbers)\ndef dice(x):\n    'It changes.'\n    return 0 * x - next(count) - 1\n"
    [claim] = load_file(claim_file(f"count = iter(range(10**9))\n{body}"))
    outcome = run_claim(claim, Run()).outcome
    assert isinstance(outcome, Broken)
    assert re.fullmatch(r"asked twice about one case, dice\(\) says -\d+ and -\d+", outcome.message)
    assert outcome.case is not None


def test_results_travel_between_processes(claim_file: WriteClaims):
    """A result with its counterexample survives pickling."""
    result = run_claim(load_file(claim_file(FALSE))[0], Run())
    assert pickle.loads(pickle.dumps(result)).row() == result.row()
