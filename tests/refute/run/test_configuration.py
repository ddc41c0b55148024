"""What a folder sets in [tool.refute] holds for its commands, and a mistake in it is named."""

import json
from pathlib import Path

import pytest

from refute.commands.main import OFFERED
from refute.errors import BadInput, Unreadable
from refute.run.configuration import configuration
from tests.refute.conftest import TRUE, Refute, WriteClaims


def written(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(text)
    return folder


def test_the_nearest_table_counts(tmp_path: Path):
    """A file without one is passed over, and a table of a command counts more than the common one."""
    written(tmp_path, '[tool.refute]\nseed = 3\nprofile = "thorough"\n[tool.refute.find]\nseed = 4\n')
    inner = tmp_path / "inner"
    inner.mkdir()
    written(inner, "[project]\nname = 'x'\n")
    found = configuration(inner, OFFERED)
    options = {"seed": "seed", "profile": "profile"}
    assert found.of("check", options) == {"seed": 3, "profile": "thorough"}
    assert found.of("find", options) == {"seed": 4, "profile": "thorough"}
    assert found.of("verify", {}) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.refute]\nprofil = 'quick'\n", "knows no key 'profil'\n\nhint: did you mean profile?"),
        ("[tool.refute.chek]\nseed = 1\n", "knows no command 'chek'\n\nhint: did you mean check?"),
        ("[tool]\nrefute = 3\n", "tool.refute is 3"),
        ("[tool.refute\n", "cannot read"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, said: str):
    """With the file, and with what was meant."""
    with pytest.raises((BadInput, Unreadable)) as caught:
        configuration(written(tmp_path, text), OFFERED)
    assert said in str(caught.value)
    assert "pyproject.toml" in str(caught.value)


def test_an_option_that_the_command_does_not_have(tmp_path: Path):
    """In the table of that command."""
    found = configuration(written(tmp_path, "[tool.refute.list]\nbudget = '1m'\n"), OFFERED)
    with pytest.raises(BadInput, match="sets 'budget', which `refute list` does not know"):
        found.of("list", {"json": "as_json"})


def test_commands_obey_and_the_command_line_counts_more(claim_file: WriteClaims, refute: Refute):
    """Ten times as many cases in a folder that asks for it, unless another profile is typed."""
    file = claim_file(TRUE)
    written(Path.cwd(), '[tool.refute]\nprofile = "thorough"\n')
    [thorough] = json.loads(refute("check", file, "--json").stdout)
    [quick] = json.loads(refute("check", file, "--json", "--profile", "quick").stdout)
    assert thorough["cases"] > 2 * quick["cases"]
    assert "profile = 'thorough'" in refute("config").stdout
    written(Path.cwd(), '[tool.refute]\nprofile = "lazy"\n')
    done = refute("check", file)
    assert done.exit_code == 2
    assert "lazy" in done.stderr
