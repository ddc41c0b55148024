"""Long lines on a narrow terminal."""

import io
import shlex

import pytest

from refute.show.fold import folded, width_of
from refute.show.left import lasting, seconds_left

FOUND = (
    "counterexample  net = TwoLayer(inner=[[1, 2], [3, 4]], outer=[0, 1], slope=0), "
    "data = Dataset(inputs=[[2]], labels=[1]), step = 1"
)
REPLAY = "replay          refute verify --from mine.py .refute/certificates/mine.one.json"


def test_a_pipe_has_no_width():
    """What is printed there stays as it is."""
    assert width_of(io.StringIO()) is None
    assert folded(FOUND, None) == FOUND


@pytest.mark.parametrize("width", [30, 60, 80])
def test_no_word_is_broken(width: int):
    """The words are those of the long line, and only a word that is longer than a line sticks out."""
    lines = folded(FOUND, width).split("\n")
    assert " ".join(lines).split() == FOUND.split()
    assert all(len(line) <= width or " " not in line.strip() for line in lines)


def test_values_of_a_case_begin_lines():
    """Below the first one."""
    lines = folded(FOUND, 100).split("\n")
    assert [line.lstrip()[:6] for line in lines] == ["counte", "data =", "step ="]
    assert len({len(line) - len(line.lstrip()) for line in lines[1:]}) == 1


def test_a_command_can_be_copied():
    """A shell reads the same words from the lines as from the one."""
    lines = folded(REPLAY, 50).split("\n")
    assert len(lines) == 3
    assert lines[0] == "replay"
    assert shlex.split(" ".join(line.removesuffix("\\") for line in lines[1:])) == REPLAY.split()[1:]
    assert all(line.endswith(" \\") for line in lines[1:-1])
    quoted = "replay          refute verify 'a file with  spaces.json' and.json"
    assert folded(quoted, 40).split("\n")[1].strip() == "refute verify 'a file with  spaces.json' and.json"


def test_the_time_that_is_left():
    """Nothing is said before anything is known; then what was known before, then what is measured."""
    assert seconds_left(3.0, 0, 10) is None
    assert seconds_left(3.0, 0, 10, 20.0) == 17.0
    assert seconds_left(3.0, 5, 10) == 3.0
    assert seconds_left(3.0, 5, 10, 100.0) == 3.0
    assert seconds_left(1.0, 1, 8, 100.0) == pytest.approx((7 + 99) / 2)
    assert [lasting(each) for each in (8.2, 200, 7300)] == ["8 s", "3 min", "2 h"]
