"""Images from scikit-learn and from IDX files."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from refute.errors import BadInput
from refute.models.kou2023.images import load_images, read_idx


def idx(values: np.ndarray) -> bytes:
    """The bytes of an IDX file, written by hand from the definition of the format."""
    return (
        bytes([0, 0, 8, values.ndim])
        + b"".join(n.to_bytes(4, "big") for n in values.shape)
        + values.astype(np.uint8).tobytes()
    )


def test_digits_are_cut_into_training_and_test():
    """The last fifth is for testing, and an image has the norm it would have with every pixel repeated."""
    images = load_images("digits")
    assert images.inputs.shape == (1437, 64)
    assert images.test_inputs.shape == (360, 64)
    assert images.inputs.max() == 28 / 8
    assert set(images.targets) == set(images.test_targets) == set(range(10))


def test_a_folder_of_idx_files_is_read(tmp_path: Path):
    """Packed or not; pixels are divided by 255, and a 28 x 28 image keeps its norm."""
    rng = np.random.default_rng(0)
    train, test = rng.integers(0, 256, (3, 28, 28)), rng.integers(0, 256, (2, 28, 28))
    (tmp_path / "train-images-idx3-ubyte.gz").write_bytes(gzip.compress(idx(train)))
    (tmp_path / "train-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(np.array([7, 0, 9]))))
    (tmp_path / "t10k-images-idx3-ubyte").write_bytes(idx(test))
    (tmp_path / "t10k-labels-idx1-ubyte").write_bytes(idx(np.array([1, 2])))
    images = load_images(str(tmp_path))
    assert np.array_equal(images.inputs, train.reshape(3, 784) / 255)
    assert np.array_equal(images.test_inputs, test.reshape(2, 784) / 255)
    assert images.targets.tolist() == [7, 0, 9]
    assert images.test_targets.tolist() == [1, 2]


@pytest.mark.parametrize(
    "content", [b"", b"\x89PNG", idx(np.zeros((2, 2)))[:-1]], ids=["empty", "a picture", "cut short"]
)
def test_other_files_are_refused(tmp_path: Path, content: bytes):
    """With the path and what was found."""
    path = tmp_path / "train-images-idx3-ubyte"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="train-images"):
        read_idx(path)


def test_a_folder_without_files_is_refused(tmp_path: Path):
    """The message names the missing file."""
    with pytest.raises(BadInput, match="train-images"):
        load_images(str(tmp_path))
