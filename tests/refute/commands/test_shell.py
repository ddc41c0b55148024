"""Manners in a shell: help with an example, completion without imports, colour only where wanted,
pipes that may close.
"""

import os
import pty
import subprocess
import sys
from pathlib import Path

import click
import pytest

import refute.commands
from refute.commands.completion import claim_ids, figure_numbers, paper_names
from refute.commands.main import OFFERED, cli
from tests.refute.conftest import FALSE, TRUE, Refute, WriteClaims

COMMANDS = sorted(OFFERED)


def start(*words: str | Path, **options) -> subprocess.CompletedProcess[str]:
    """`refute` in a process of its own."""
    extra = options.pop("env", {})
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")} | extra
    keywords = {"capture_output": True, "text": True, "timeout": 120, "env": environment} | options
    return subprocess.run([sys.executable, "-m", "refute", *map(str, words)], **keywords)


def on_a_terminal(*words: str | Path, **environment: str) -> str:
    """What `refute` writes to a terminal."""
    ours, theirs = pty.openpty()
    start(
        *words,
        capture_output=False,
        stdout=theirs,
        stderr=theirs,
        stdin=theirs,
        env={"TERM": "xterm-256color", **environment},
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # the other side is closed and everything was read
        pass
    os.close(ours)
    return shown.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(refute: Refute, command: str):
    """In its help, which is no wider than a terminal."""
    done = refute(command, "--help")
    assert done.exit_code == 0
    assert f"refute {command}" in done.stdout.partition("Example:")[2]


def test_every_module_of_a_command_is_offered():
    """None is forgotten in the table, and each has the command of its name."""
    folder = Path(refute.commands.__path__[0])
    helpers = {"__init__", "main", "common", "storing"}
    assert {path.stem for path in folder.glob("*.py")} - helpers == set(OFFERED)
    for name in OFFERED:
        assert cli.get_command(click.Context(cli), name).name == name


def test_help_imports_no_engine():
    """Whoever asks what there is does not wait for it."""
    probe = "import atexit, sys; atexit.register(lambda: print(sorted({'hypothesis', 'numpy', 'rich', 'torch'} & " + (
        "set(sys.modules)))); sys.argv = ['refute', '--help']; import refute.commands.main as c; c.main()"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_typing_mistake_is_wrong_use(refute: Refute):
    """With the command that was meant."""
    done = refute("chek")
    assert done.exit_code == 2
    assert "there is no command 'chek'" in done.stderr
    assert "did you mean check?" in done.stderr


def test_help_and_version(refute: Refute):
    """Of the program itself."""
    assert "Example: refute " in refute("--help").stdout
    assert refute("--version").stdout.startswith("refute, version ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(refute: Refute, shell: str):
    """They ask the program itself what could come next."""
    script = refute("completion", shell).stdout
    assert f"_REFUTE_COMPLETE={shell}_complete" in script


def test_completion_of_an_unknown_shell_is_wrong_use(refute: Refute):
    """With the shells that are known."""
    done = refute("completion", "tcsh")
    assert done.exit_code == 2
    assert "'bash', 'zsh', 'fish'" in done.stderr


def test_ids_papers_and_figures_are_completed():
    """From the text of the claims; a path is left to the shell."""
    context = click.Context(cli)
    context.params["paper"] = "zhang2024"
    argument = click.Argument(["x"])
    ids = [item.value for item in claim_ids(context, argument, "zhang2024.theorem_1")]
    assert "zhang2024.theorem_1.decomposition" in ids
    assert all(id.startswith("zhang2024.theorem_1") for id in ids)
    assert [item.type for item in claim_ids(context, argument, "claims/conj")] == ["file"]
    assert [item.type for item in claim_ids(context, argument, "no_such_paper")] == ["file"]
    assert {"chistikov2023", "kou2023", "min2024", "zhang2024"} <= {
        item.value for item in paper_names(context, argument, "")
    }
    assert [item.value for item in figure_numbers(context, argument, "")][:3] == ["1", "2", "3"]


def test_completion_imports_neither_claims_nor_tensors():
    """A person who presses Tab does not wait for them."""
    code = "import sys, refute.commands.main as c; c.main()"
    environment = {
        "COMP_WORDS": "refute check zhang2024.lemma_8",
        "COMP_CWORD": "2",
        "_REFUTE_COMPLETE": "bash_complete",
    }
    probe = (
        f"import atexit, sys; atexit.register(lambda: print(sorted({{'torch', 'sympy', 'refute.claims'}} & "
        f"set(sys.modules)))); {code}"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, env=os.environ | environment, timeout=120
    )
    assert done.stdout.splitlines() == ["plain,zhang2024.lemma_8.second_moment_bound", "[]"]


def test_colour_is_for_terminals_that_want_it(claim_file: WriteClaims):
    """By default on a terminal only; NO_COLOR and --color never turn it off, --color always turns it on."""
    file = claim_file(TRUE)
    assert "\x1b[36m" in on_a_terminal("list", file)
    assert "\x1b[" not in on_a_terminal("list", file, NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal("--color", "never", "list", file)
    assert "\x1b[36m" in on_a_terminal("--color", "always", "list", file, NO_COLOR="1")


def test_pipes_get_neither_colour_nor_progress(claim_file: WriteClaims, tmp_path: Path):
    """Unless colour is asked for."""
    words = ["check", claim_file(TRUE), "--no-store"]
    plain = start(*words, cwd=tmp_path, env={"FORCE_COLOR": "1"})
    assert "\x1b" not in plain.stdout + plain.stderr
    coloured = start("--color", "always", *words, cwd=tmp_path, env={"TERM": "dumb"})
    assert "\x1b[32m" in coloured.stdout
    assert "\x1b" not in coloured.stderr


def test_a_closed_pipe_ends_quietly(claim_file: WriteClaims):
    """As in `refute list | head -1`: no traceback; and nothing is lost when there is no output at all."""
    read, write = os.pipe()
    os.close(read)
    gone = start("list", claim_file(TRUE), capture_output=False, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert "Traceback" not in gone.stderr
    assert "BrokenPipe" not in gone.stderr
    closed = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m refute list '{claim_file(TRUE)}' >&-"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert closed.returncode == 0
    assert closed.stderr == ""


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii"}]
)
def test_any_encoding_will_do(claim_file: WriteClaims, locale: dict[str, str]):
    """What it cannot hold is escaped."""
    done = start("list", claim_file(TRUE.replace("Lemma 1", "Lemme é 😀")), env=locale)
    assert done.returncode == 0
    assert "notes.true" in done.stdout
    assert done.stderr == ""


def test_errors_go_to_stderr(package: WriteClaims, refute: Refute):
    """And nothing to stdout, so that a pipe gets data only; hostile words in them are shown, not obeyed."""
    package(TRUE, "notes.py")
    done = refute("list", "no.such\x1b[2J.claim*")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "\x1b" not in done.stderr
    assert "no.such\\x1b[2J" in done.stderr


HOSTILE = FALSE.replace("notes.false", "notes.\\x1b[2J\\u202e").replace("x^2 >= x", "x^2 \\x1b[31m>= x\\x07")


def test_a_hunt_shows_hostile_words_and_does_not_obey_them(claim_file: WriteClaims, refute: Refute):
    """In what it found, on both streams, and with a picture whose title holds no order."""
    done = refute("find", claim_file(HOSTILE), "--budget", "100 cases", "--plot", "hunt.svg")
    assert done.exit_code == 0
    assert not set(done.stdout + done.stderr) & set("\x1b\x07\u202e")
    assert "x^2 \\x1b[31m>= x\\x07" in done.stdout
    assert not set(Path("hunt.svg").read_text()) & set("\x1b\x07\u202e")


def test_pytest_shows_hostile_words_and_does_not_obey_them(claim_file: WriteClaims, tmp_path: Path):
    """In the names of items and in the report of a failure; a file that cannot be collected too."""
    bad = claim_file(
        HOSTILE + "\n\n@claim('notes.other', given=numbers)\ndef other(x):\n    raise ValueError('\\x1b[2J')\n"
    )
    unreadable = claim_file("raise ValueError('\\x1b[2J')\n" + TRUE, name="unreadable.py")
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        "-p",
        "no:cacheprovider",
        "--color=no",
        "--continue-on-collection-errors",
        bad,
        unreadable,
    ]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert "notes.\\x1b[2J\\u202e" in done.stdout
    assert "x^2 \\x1b[31m>= x\\x07" in done.stdout
    assert not set(done.stdout + done.stderr) & set("\x1b\x07\u202e")
