"""Points and datasets without any symmetry; repairs in `strategies.symmetry` add it."""

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from refute.arithmetic.numbers import Array
from refute.language.cases import along, values
from refute.models.dataset import Dataset
from refute.strategies.numbers import array, is_array, labelled_rows
from refute.strategies.sizes import Size

SCALES = st.sampled_from([Fraction(1), Fraction(1), Fraction(1), Fraction(1, 100), Fraction(100)])


@values(lambda value: is_array(value, 1), sizes=along("dimension"))
def point(size: Size) -> SearchStrategy[Array]:
    """One point of the input space, often on an axis or at zero."""
    return array(size.dimension)


@values(lambda value: is_array(value, 2), sizes=along("samples", "dimension"))
def points(size: Size) -> SearchStrategy[Array]:
    """A few points, as rows."""
    return array(size.samples, size.dimension)


@values(lambda value: isinstance(value, Dataset))
def dataset(size: Size) -> SearchStrategy[Dataset]:
    """Inputs and labels from the grid, each now and then rescaled by 1/100 or 100."""
    samples = labelled_rows(size.samples, size.dimension)
    return st.builds(lambda drawn, a, b: Dataset(drawn[0] * a, drawn[1] * b), samples, SCALES, SCALES)


@values(lambda value: isinstance(value, Dataset))
def unscaled_dataset(size: Size) -> SearchStrategy[Dataset]:
    """Inputs and labels from the grid: sizes of order one, for training."""
    return st.builds(lambda drawn: Dataset(*drawn), labelled_rows(size.samples, size.dimension, limit=2))
