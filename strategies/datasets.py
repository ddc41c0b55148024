"""Points and datasets without any symmetry; repairs in `strategies.symmetry` add it."""

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from models.dataset import Dataset
from refute.numbers import Array
from strategies.numbers import array
from strategies.sizes import Size

SCALES = st.sampled_from([Fraction(1), Fraction(1), Fraction(1), Fraction(1, 100), Fraction(100)])


def point(size: Size) -> SearchStrategy[Array]:
    """One point of the input space, often on an axis or at zero."""
    return array(size.dimension)


def points(size: Size) -> SearchStrategy[Array]:
    """A few points, as rows."""
    return array(size.samples, size.dimension)


def dataset(size: Size) -> SearchStrategy[Dataset]:
    """Inputs and labels from the grid, each now and then rescaled by 1/100 or 100."""
    inputs, labels = array(size.samples, size.dimension), array(size.samples)
    return st.builds(lambda x, y, a, b: Dataset(x * a, y * b), inputs, labels, SCALES, SCALES)


def unscaled_dataset(size: Size) -> SearchStrategy[Dataset]:
    """Inputs and labels from the grid: sizes of order one, for training."""
    return st.builds(Dataset, array(size.samples, size.dimension, limit=2), array(size.samples, limit=2))
