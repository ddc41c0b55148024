"""Sizes are drawn first, and everything agrees on them."""

from random import Random

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from refute.errors import BadClaim
from refute.strategies import Size, dataset, deep, point, points, sized, two_layer

few = settings(database=None, max_examples=100)
reach = settings(database=None, max_examples=2000, phases=[Phase.generate])
CASES = sized(net=two_layer, data=dataset, x=point, rows=points, deep=deep, size=lambda size: st.just(size)).strategy
SIZES = sized(size=lambda size: st.just(size)).strategy


@given(CASES)
def test_every_field_has_the_drawn_size(case):
    """Networks, datasets and points share dimension, width, samples and depth."""
    size = case["size"]
    assert case["net"].inner.shape == (size.width, size.dimension)
    assert case["data"].inputs.shape == case["rows"].shape == (size.samples, size.dimension)
    assert case["x"].shape == (size.dimension,)
    assert len(case["deep"].weights) == size.depth
    assert case["deep"].weights[0].shape[1] == size.dimension
    assert case["deep"].weights[-1].shape[0] == 1


@given(sized(dimension=(2, 2), samples=(3, 5), width=(1, 1), depth=(6, 7), size=lambda size: st.just(size)).strategy)
def test_limits_are_kept(case):
    """Each size lies between its bounds."""
    size = case["size"]
    assert size.dimension == 2
    assert 3 <= size.samples <= 5
    assert size.width == 1
    assert 6 <= size.depth <= 7


def test_sizes_shrink_to_the_least():
    """The simplest case has the smallest sizes and zeros."""
    case = find(
        sized(data=dataset, size=lambda size: st.just(size)).strategy, lambda case: True, settings=few, random=Random(0)
    )
    assert case["size"] == Size(1, 1, 1, 2)
    assert not case["data"].inputs.any()


@pytest.mark.parametrize("size", [Size(3, 4, 4, 4), Size(1, 4, 1, 2), Size(3, 1, 4, 3)], ids=str)
def test_every_corner_is_reached(size: Size):
    """Large in one respect, small in another."""
    assert find(SIZES, lambda case: case["size"] == size, settings=reach, random=Random(0))["size"] == size


@given(sized(a=st.just(3), b=lambda size: st.just(size.width)).strategy)
def test_a_part_is_a_strategy_or_a_function_of_the_size(case):
    """Strategies are drawn as they are."""
    assert case["a"] == 3
    assert case["b"] in range(1, 5)


@pytest.mark.parametrize("name", ["dimension", "samples", "width", "depth"])
def test_a_field_cannot_have_the_name_of_a_size(name: str):
    """It would vanish from the cases without a word."""
    with pytest.raises(BadClaim, match=rf"sized\({name}=\.\.\.\) got .* no pair"):
        sized(**{name: st.just(3)})
