"""Images with the digit or garment they show: scikit-learn's 8 x 8 digits, or the IDX files of MNIST and its relatives.

Pixels lie in [0, 1] times 28/side, so that an image of any size has about the norm it would have with 28 x 28 pixels.
"""

import gzip
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from refute.errors import BadInput

Floats = NDArray[np.float64]
SIDE = 28
PARTS = {"train": "train", "test": "t10k"}  # how MNIST, Fashion-MNIST, KMNIST and EMNIST name their files


@dataclass(frozen=True, slots=True, eq=False)
class Images:
    """Rows of pixels, and the class of each row, for training and for testing."""

    inputs: Floats
    targets: NDArray[np.int64]
    test_inputs: Floats
    test_targets: NDArray[np.int64]


def load_images(name: str) -> Images:
    """ "digits" for scikit-learn's 1797 digits, of which the last fifth is for testing; otherwise a folder of IDX
    files.
    """
    if name != "digits":
        return _from_idx(Path(name).expanduser())
    from sklearn.datasets import load_digits

    bunch = load_digits()
    inputs, targets, cut = _scaled(bunch.data, 16), bunch.target.astype(np.int64), 4 * len(bunch.target) // 5
    return Images(inputs[:cut], targets[:cut], inputs[cut:], targets[cut:])


def read_idx(path: Path) -> NDArray[np.uint8]:
    """An array of bytes from a file in the IDX format: 0, 0, type 8, number of axes, the length of each as four bytes,
    the entries.
    """
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if content[:3] != b"\0\0\x08":
        raise BadInput(f"{path} is not an IDX file of bytes: it begins with {content[:4]!r}")
    begin = 4 + 4 * content[3]
    shape = np.frombuffer(content[4:begin], dtype=">u4").astype(int).tolist()
    if len(content) != begin + math.prod(shape):
        raise BadInput(f"{path} has {len(content) - begin} entries, its header says {shape}", "is the file complete?")
    return np.frombuffer(content, dtype=np.uint8, offset=begin).reshape(shape)


def _from_idx(folder: Path) -> Images:
    inputs, targets = {}, {}
    for part, stem in PARTS.items():
        images = read_idx(_only(folder, f"{stem}-images*idx3-ubyte*"))
        inputs[part] = _scaled(images.reshape(len(images), -1), 255)
        targets[part] = read_idx(_only(folder, f"{stem}-labels*idx1-ubyte*")).astype(np.int64)
    return Images(inputs["train"], targets["train"], inputs["test"], targets["test"])


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if not found:
        raise BadInput(
            f"no file {pattern} in {folder}", 'give the folder of the four IDX files, packed or not, or "digits"'
        )
    return found[0]


def _scaled(pixels: NDArray[np.generic], top: int) -> Floats:
    return np.asarray(pixels, dtype=float) / top * (SIDE / math.isqrt(pixels.shape[1]))
