"""What is no certificate is told so, without waiting and without reading for ever."""

import os
from pathlib import Path

import pytest

from refute.errors import Unreadable
from refute.kernel.reading import MOST_BYTES, read

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
    """With what the system says."""
    with pytest.raises(Unreadable, match="cannot read"):
        read(tmp_path / "gone.json")


@pytest.mark.parametrize(
    "text",
    [
        '{"refute_certificate": true}',
        '{"refute_certificate": 1.0}',
        '{"refute_certificate": 1, "slack": NaN}',
        '{"refute_certificate": 1, "slack": -Infinity}',
        '{"refute_certificate": 1, "claim": "a", "claim": "b"}',
        '{"refute_certificate": 1, "case": {"x": "1", "x": "2"}}',
    ],
)
def test_what_json_leaves_open_is_refused(tmp_path: Path, text: str):
    """Versions that only equal 1, numbers that are none, and keys that stand twice."""
    path = tmp_path / "some.json"
    path.write_text(text)
    with pytest.raises(Unreadable):
        read(path)


def test_pipes_devices_and_folders_are_not_read(tmp_path: Path):
    """Nor waited for, under whatever name."""
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    for path in (tmp_path / "pipe.json", tmp_path / "zero.json", tmp_path / "loop.json", tmp_path, Path("/dev/null")):
        with pytest.raises(Unreadable):
            read(path)


def test_a_link_to_a_certificate_is_one(tmp_path: Path):
    """What is opened decides."""
    (tmp_path / "real.json").write_text('{"refute_certificate": 1}')
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    assert read(tmp_path / "link.json") == {"refute_certificate": 1}
