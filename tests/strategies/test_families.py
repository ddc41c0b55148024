"""Data and starts of a named shape: every draw has it, the domain says so of any value, and the draws reach far."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from refute import Kind, Supported, at_most, check
from refute.errors import BadInput
from refute.language.cases import Values
from refute.models import Dataset, DeepNetwork, TwoLayer
from refute.strategies import (
    balanced_start,
    collinear_data,
    correlated_data,
    dataset,
    gaussian_start,
    nearly_orthogonal_data,
    orthogonal_data,
    repeated_data,
    separable_data,
    signed,
    signed_data,
    sized,
    tiny_start,
    two_layer,
    whitened_data,
)
from tests.planted import planted

few = settings(max_examples=150, database=None)
reach = settings(max_examples=2000, database=None, phases=[Phase.generate])
WIDE = {"dimension": (1, 4), "samples": (1, 5), "width": (1, 5)}
TENTH = Fraction(1, 10)


def gram(data: Dataset) -> Any:
    return data.inputs @ data.inputs.T


def off(data: Dataset) -> list[Any]:
    return [gram(data)[i, k] for i, k in combinations(range(len(data.labels)), 2)]


def separates(data: Dataset) -> bool:
    """By its own means: the perceptron ends within so many turns on data of this size."""
    signed_rows = data.inputs * data.labels[:, None]
    w = signed_rows[0] * 0
    for _ in range(200_000):
        wrong = next((row for row in signed_rows if not row @ w > 0), None)
        if wrong is None:
            return True
        w = w + wrong
    return False


# What the name says, computed in another way than the domain does where there is one.
DATA: dict[str, tuple[Values, Callable[[Dataset], bool]]] = {
    "signed": (signed_data, lambda data: set(data.labels) <= {1, -1}),
    "separable": (separable_data, separates),
    "orthogonal": (orthogonal_data, lambda data: not any(off(data)) and all(np.diagonal(gram(data)) > 0)),
    "nearly orthogonal": (
        nearly_orthogonal_data(),
        lambda data: all(len(data.labels) * abs(p) <= TENTH * min(np.diagonal(gram(data))) for p in off(data)),
    ),
    "whitened": (whitened_data, lambda data: (data.covariance == np.eye(data.inputs.shape[1], dtype=int)).all()),
    "correlated": (correlated_data, lambda data: all(p > 0 for p in off(data))),
    "collinear": (collinear_data, lambda data: np.linalg.matrix_rank(data.inputs.astype(float)) <= 1),
    "repeated": (repeated_data, lambda data: len({tuple(row) for row in data.inputs}) < len(data.labels)),
    "signed and orthogonal": (signed(orthogonal_data), lambda data: set(data.labels) <= {1, -1} and not any(off(data))),
}
STARTS: dict[str, tuple[Values, Callable[[TwoLayer], bool]]] = {
    "balanced": (balanced_start, lambda net: ((net.inner**2).sum(axis=1) == net.outer**2).all()),
    "tiny": (tiny_start(two_layer), lambda net: max(abs(net.inner).max(), abs(net.outer).max()) <= Fraction(1, 1000)),
    "tiny and balanced": (
        tiny_start(balanced_start, "1/2"),
        lambda net: ((net.inner**2).sum(axis=1) == net.outer**2).all() and abs(net.inner).max() <= Fraction(1, 2),
    ),
    "gaussian": (gaussian_start, lambda net: net.inner.shape[0] == len(net.outer)),
}
PARTS = {**{name: ("data", *both) for name, both in DATA.items()}, **{n: ("net", *both) for n, both in STARTS.items()}}
every_part = pytest.mark.parametrize(("field", "part", "says"), PARTS.values(), ids=list(PARTS))


@every_part
@given(data=st.data())
@few
def test_every_draw_is_what_its_name_says_and_lies_in_the_domain(
    field: str, part: Values, says: Callable[[Any], bool], data: st.DataObject
):
    """Exactly, at every size that is drawn."""
    cases = sized(**{field: part}, other=signed_data if field == "net" else two_layer, **WIDE)
    fields = data.draw(cases.strategy)
    assert says(fields[field])
    assert set(cases.admitted(fields).values()) == {True}
    assert cases.stated


@pytest.mark.parametrize(("part", "says"), DATA.values(), ids=list(DATA))
@given(data=sized(data=dataset, **WIDE).strategy.map(lambda case: case["data"]))
@few
def test_the_domain_admits_what_the_name_says_and_nothing_else(
    part: Values, says: Callable[[Dataset], bool], data: Dataset
):
    """Of data drawn without a thought of the shape."""
    nonzero = all(any(row) for row in data.inputs)
    if not nonzero and part is not whitened_data:
        return
    if part is separable_data and not set(data.labels) <= {1, -1}:
        assert not part.admits(data)
        data = Dataset(data.inputs, np.array([1 if y > 0 else -1 for y in data.labels]))
        if not part.admits(data):
            return  # the perceptron would run for ever
    assert part.admits(data) == bool(says(data))


@every_part
@pytest.mark.parametrize(
    "value", [0, "word", None, DeepNetwork(([[1]],), 0), Dataset([[0, 0]], [0]), TwoLayer([[0]], [0], 1)], ids=repr
)
def test_the_domain_says_something_of_every_value(field: str, part: Values, says: Any, value: Any):
    """Also of those of another kind."""
    kind = Dataset if field == "data" else TwoLayer
    assert part.admits(value) in (True, False)
    assert isinstance(value, kind) or not part.admits(value)


REACHED: list[tuple[str, Values, Callable[[Any], bool]]] = [
    ("data", separable_data, lambda d: d.inputs.shape == (5, 4) and len(set(d.labels)) == 2),
    ("data", orthogonal_data, lambda d: d.inputs.shape == (4, 4) and all((d.inputs != 0).sum(axis=1) > 1)),
    ("data", nearly_orthogonal_data(), lambda d: len(d.labels) > 1 and any(off(d))),
    ("data", whitened_data, lambda d: d.inputs.shape == (4, 3) and any(entry not in (1, -1) for entry in d.inputs[0])),
    ("data", correlated_data, lambda d: d.inputs.shape[0] > 2 and min(d.inputs.reshape(-1)) < 0),
    ("data", collinear_data, lambda d: len(d.labels) > 1 and any(p < 0 for p in off(d))),
    ("data", repeated_data, lambda d: len(d.labels) == 2 and d.labels[0] != d.labels[1]),
    ("net", balanced_start, lambda n: n.inner.shape == (5, 4) and all(n.outer)),
    ("net", tiny_start(two_layer), lambda n: 0 < abs(n.inner).max() <= Fraction(1, 10**14)),
    ("net", gaussian_start, lambda n: abs(n.inner).max() > 2),
]


@pytest.mark.parametrize(("field", "part", "wanted"), REACHED, ids=[f"{k}" for k in range(len(REACHED))])
def test_the_draws_reach_far(field: str, part: Values, wanted: Callable[[Any], bool]):
    """Large sizes, dense rows, close calls."""
    strategy = sized(**{field: part}, **WIDE).strategy
    assert find(strategy, lambda case: wanted(case[field]), settings=reach, random=Random(0))


@pytest.mark.parametrize("part", [orthogonal_data, nearly_orthogonal_data()])
def test_what_does_not_fit_is_not_drawn(part: Values):
    """Three inputs in the plane are never orthogonal."""
    with pytest.raises(NoSuchExample):
        find(
            sized(data=part, dimension=(1, 3), samples=(1, 4)).strategy,
            lambda case: case["data"].inputs.shape[0] > case["data"].inputs.shape[1],
            settings=reach,
        )


def test_gaussian_starts_are_gaussian():
    """Mean, variance and fourth moment of many entries, each layer by the number of terms it sums up."""
    entries: list[TwoLayer] = []
    strategy = sized(net=gaussian_start, dimension=(4, 4), samples=(1, 1), width=(9, 9)).strategy

    @given(strategy)
    @settings(max_examples=300, database=None, phases=[Phase.generate])
    def collect(case: Any) -> None:
        entries.append(case["net"])

    collect()
    distinct = {str(net.inner): net for net in entries}.values()
    assert len(distinct) > 100
    for layer, terms in (("inner", 4), ("outer", 9)):
        drawn = np.concatenate([getattr(net, layer).reshape(-1).astype(float) for net in distinct]) * terms**0.5
        deviation = len(drawn) ** -0.5
        assert abs(drawn.mean()) < 5 * deviation
        assert abs((drawn**2).mean() - 1) < 5 * 2**0.5 * deviation
        assert abs((drawn**4).mean() - 3) < 5 * 96**0.5 * deviation


def test_a_start_that_grew_is_made_tiny_again():
    """The way back into the domain keeps balance and direction."""
    part = tiny_start(balanced_start)
    back = part.nearest(TwoLayer([[3, 4], [0, 5]], [5, -5], 0))
    assert part.admits(back)
    assert back.inner.tolist() == [[Fraction(3, 5000), Fraction(4, 5000)], [0, Fraction(1, 1000)]]
    labels = signed(orthogonal_data).nearest(Dataset([[1, 0], [0, 1]], ["1/2", "-3"])).labels
    assert labels.tolist() == [1, -1]


@pytest.mark.parametrize("make", [lambda: nearly_orthogonal_data(0), lambda: tiny_start(two_layer, "-1")])
def test_a_wrong_bound_is_named(make: Callable[[], Values]):
    """At once, where it is written."""
    with pytest.raises(BadInput, match="positive"):
        make()


def test_a_claim_over_a_named_shape_is_searched_and_shrunk_inside_it():
    """A true statement about orthogonal data is supported; what falls without them does not fall."""

    def pythagoras(data: Any) -> Any:
        total = data.inputs.sum(axis=0)
        return at_most(total @ total, (data.inputs**2).sum(), "|sum x|^2 <= sum |x|^2")

    assert isinstance(check(planted(pythagoras, given=sized(data=orthogonal_data), kind=Kind.ALGEBRAIC)), Supported)
    fallen = check(planted(pythagoras, given=sized(data=correlated_data), kind=Kind.ALGEBRAIC))
    assert fallen.word == "refuted"
    assert correlated_data.admits(fallen.counterexample.case["data"])
