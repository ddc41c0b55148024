"""A sample of bounded size that is spread over the whole stream."""

import pytest

from refute.search.sample import MOST, Sample


def sample(numbers) -> Sample:
    kept = Sample()
    for number in numbers:
        kept.add(number)
    return kept


def test_few_numbers_are_all_kept():
    """In their order."""
    assert sample(range(MOST)).kept == list(range(MOST))


@pytest.mark.parametrize("length", [MOST + 1, 2 * MOST, 999, 12_345])
def test_many_numbers_are_thinned_evenly(length: int):
    """At most so many, at least half of that, equally far apart, from the first to one stride before the end."""
    thinned = sample(range(length))
    gaps = {b - a for a, b in zip(thinned.kept, thinned.kept[1:], strict=False)}
    assert MOST / 2 <= len(thinned.kept) <= MOST
    assert gaps == {thinned.stride}
    assert thinned.kept[0] == 0
    assert thinned.kept[-1] >= length - thinned.stride


def test_what_is_not_finite_is_passed_over():
    """JSON has no word for it."""
    assert sample([1.0, float("inf"), float("nan"), -float("inf"), 2.0]).kept == [1.0, 2.0]
