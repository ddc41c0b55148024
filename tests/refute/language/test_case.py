"""Cases: exact, immutable, printable, and the same after a trip through JSON."""

import json
import pickle
import re
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from refute import Case, record
from refute.arithmetic.numbers import EXACT, FLOAT, Array, exact_array
from refute.errors import BadInput, RefuteError, Unreadable
from refute.language.case import exact, from_json, lift, show, to_json
from refute.models import Dataset, DeepNetwork, TwoLayer

HALF = Fraction(1, 2)
NET = TwoLayer([[1, 2], [0, HALF]], [1, -1], 0)
DATA = Dataset([[1, 0], [0, 1]], [1, -HALF])


def float_arrays() -> st.SearchStrategy[Array]:
    floats = st.floats(allow_nan=False, allow_infinity=False)
    return arrays.arrays(
        np.float64, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3), elements=floats
    )


def exact_arrays(*shape: int) -> st.SearchStrategy[Array]:
    shapes = st.just(shape) if shape else arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
    return arrays.arrays(object, shapes, elements=st.fractions())


networks = st.builds(TwoLayer, exact_arrays(2, 3), exact_arrays(2), st.fractions(0, 1))
datasets = st.builds(Dataset, exact_arrays(3, 2), exact_arrays(3))
deep_networks = st.builds(DeepNetwork, st.tuples(exact_arrays(2, 3), exact_arrays(1, 2)), st.fractions(0, 1))
VALUES = {
    "count": st.integers(),
    "rational": st.fractions(),
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "word": st.text(),
    "float array": float_arrays(),
    "exact array": exact_arrays(),
    "record": networks | datasets,
    "record of a list": deep_networks,
    "list of records": st.lists(networks, min_size=1, max_size=2),
}


@pytest.mark.parametrize("kind", VALUES)
@given(data=st.data())
def test_json_gives_the_value_back(kind: str, data: st.DataObject):
    """Every kind of value survives the trip through text, down to the type of its entries."""
    case = Case.of(value=data.draw(VALUES[kind]))
    back = Case.from_json(json.loads(json.dumps(case.to_json())))
    assert back == case
    assert hash(back) == hash(case)
    assert str(back) == str(case)
    assert type(back["value"]) is type(case["value"])
    if isinstance(case["value"], np.ndarray) and case["value"].size:
        assert back["value"].dtype == case["value"].dtype
        assert (back["value"] == case["value"]).all()


@given(
    st.dictionaries(
        st.text(st.characters(codec="ascii", categories=["Ll"]), min_size=1), st.one_of(*VALUES.values()), max_size=3
    )
)
def test_json_gives_the_case_back(fields: dict[str, Any]):
    """The same for several fields at once, and through pickle."""
    case = Case.of(**fields)
    assert Case.from_json(json.loads(json.dumps(case.to_json()))) == case
    assert pickle.loads(pickle.dumps(case)) == case


def test_very_long_numbers_travel():
    """Ten thousand digits, which Python does not print."""
    case = Case.of(x=Fraction(1, 10**10_000), w=[Fraction(10**5000)])
    assert Case.from_json(json.loads(json.dumps(case.to_json()))) == case
    assert len(str(case)) > 15_000


def test_equal_cases_have_equal_digests():
    """The digest depends on the values alone: not on the order of fields, nor on how a number was given."""
    assert Case.of(a=1, x=HALF) == Case.of(x=HALF, a=1)
    assert Case.of(x=[1, HALF]) == Case.of(x=np.array(["1", "1/2"], dtype=object))
    assert Case.of(x=HALF) != Case.of(x=Fraction(1, 3))
    assert Case.of(x=HALF) != Case.of(y=HALF)
    assert Case.of(x="1/2") != Case.of(x=HALF)
    assert Case.of(x=[1, 2]) != Case.of(x=[[1, 2]])
    assert Case.of() != {}


def test_a_digest_is_stable():
    """Files and databases are named by it, so it must not change between versions."""
    assert Case.of(x=HALF).digest() == "4f342075cc37f18b"


def test_cases_cannot_be_changed():
    """Neither the mapping, nor an array, nor a record in it."""
    case = Case.of(x=[1, 2], y=np.array([1.0]), net=NET)
    with pytest.raises(TypeError):
        case["x"] = 1  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        case.fields = {}  # type: ignore[misc]
    for array in (case["x"], case["y"], case["net"].inner):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(FrozenInstanceError):
        case["net"].slope = 1


def test_a_case_does_not_share_memory_with_its_source():
    """Changing the array that was given changes nothing."""
    source = np.array([1.0, 2.0])
    case = Case.of(x=source)
    source[0] = 7
    assert case["x"][0] == 1


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (float("nan"), "x must be a finite number"),
        (float("inf"), "x must be a finite number"),
        (np.array([1.0, np.nan]), "x must be finite, got nan at index"),
        (True, "got the bool True"),
        (np.bool_(False), "got the bool False"),
        ([True], r"x\[0\] must be a number"),
        (np.array([True]), r"x\[0\] must be a number"),
        (None, "x has type NoneType"),
        ({1: 2}, "x has type dict"),
        (lambda: 1, "x has type function"),
        ([[1], [2, 3]], "x is not an array"),
        ([1, "one"], r"x\[1\] must be a finite number"),
    ],
    ids=lambda value: repr(value).split(" at 0x")[0],
)
def test_what_a_case_cannot_hold_is_refused(value, message):
    """The error names the field and what was wrong with it."""
    with pytest.raises(BadInput, match=message):
        Case.of(x=value)


def test_records_check_their_shapes():
    """A network whose layers do not fit is refused when it is made."""
    with pytest.raises(BadInput, match="inner has shape"):
        TwoLayer([[1, 2]], [1, 2], 0)


def test_two_records_may_not_share_a_name():
    """The name is what a file says, so it must be unique."""
    with pytest.raises(BadInput, match=r"two record types are called TwoLayer: in models\.network and in tests"):

        @record
        class TwoLayer:
            inner: Array


GOOD_ARRAY = {"shape": [2], "entries": ["1", "2"]}
MALFORMED = {
    "a list": [1],
    "null": None,
    "a bool": {"x": True},
    "null inside": {"x": None},
    "an empty object": {"x": {}},
    "a nested list": {"x": [1, 2]},
    "not a number": {"x": "one"},
    "an exponent": {"x": "1e999999999"},
    "division by zero": {"x": "1/0"},
    "infinity": {"x": float("inf")},
    "nan": {"x": float("nan")},
    "a word that is none": {"x": {"word": 1}},
    "a list that is none": {"x": {"list": 1}},
    "an unknown record": {"x": {"record": "os.system", "command": "true"}},
    "a record without a field": {"x": {"record": "Dataset", "inputs": GOOD_ARRAY}},
    "a record with one field too many": {
        "x": {"record": "Dataset", "inputs": GOOD_ARRAY, "labels": GOOD_ARRAY, "more": "1"}
    },
    "a record of a wrong shape": {"x": {"record": "Dataset", "inputs": GOOD_ARRAY, "labels": GOOD_ARRAY}},
    "a word instead of an array": {"x": {"record": "Dataset", "inputs": {"word": "a"}, "labels": {"word": "b"}}},
    "too few entries": {"x": {"shape": [3], "entries": ["1", "2"]}},
    "a negative side": {"x": {"shape": [-1, -2], "entries": ["1", "2"]}},
    "a side that is a bool": {"x": {"shape": [True], "entries": ["1"]}},
    "a side that is a float": {"x": {"shape": [2.0], "entries": ["1", "2"]}},
    "a shape that is a number": {"x": {"shape": 2, "entries": ["1", "2"]}},
    "entries that are a word": {"x": {"shape": [2], "entries": "12"}},
    "too many axes": {"x": {"shape": [1] * 99, "entries": ["1"]}},
    "an enormous shape": {"x": {"shape": [10**6, 10**6, 10**6], "entries": []}},
    "an entry that is a list": {"x": {"shape": [2], "entries": [["1", "2"], ["3", "4"]]}},
    "an entry that is null": {"x": {"shape": [1], "entries": [None]}},
    "an entry that is a bool": {"x": {"shape": [1], "entries": [True]}},
    "an entry that is not finite": {"x": {"shape": [1], "entries": [float("inf")]}},
}


@pytest.mark.parametrize("data", MALFORMED.values(), ids=list(MALFORMED))
def test_malformed_json_is_an_error_that_says_so(data):
    """Nothing but what `to_json` writes is read, and the failure is one of ours."""
    with pytest.raises((Unreadable, BadInput)) as caught:
        Case.from_json(data)
    assert 0 < len(caught.value.message) < 400


def test_json_that_is_nested_too_deeply_is_an_error():
    """No recursion without end."""
    data: Any = "1"
    for _ in range(5000):
        data = {"list": [data]}
    with pytest.raises(Unreadable, match="nested"):
        Case.from_json({"x": data})


def test_an_unknown_record_names_the_known_ones():
    """The error lists what could have been meant."""
    with pytest.raises(Unreadable, match=r"unknown record type 'Net'; known: .*TwoLayer"):
        from_json({"record": "Net"}, "x")


@given(networks)
def test_a_record_prints_so_that_it_can_be_copied(net: TwoLayer):
    """Its text, with every numeral read as a fraction, is Python that makes the same record."""
    text = re.sub(r"-?\d+(/\d+)?", lambda numeral: f"Fraction('{numeral[0]}')", show(net))
    copied = eval(text, {"TwoLayer": TwoLayer, "Fraction": Fraction})
    assert Case.of(net=copied) == Case.of(net=net)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_prints_with_all_its_digits(value: float):
    """Reading what was printed gives the same float."""
    assert float(show(exact(value))) == value


def test_printing():
    """As on a blackboard; a case without fields says so."""
    case = Case.of(a=1, x=HALF, y=0.1, word="one", rows=[[1, HALF]], data=DATA)
    expected = (
        "a = 1, x = 1/2, y = 0.1, word = one, rows = [[1, 1/2]], data = Dataset(inputs=[[1, 0], [0, 1]], "
        "labels=[1, -1/2])"
    )
    assert str(case) == expected
    assert repr(Case.of(a=1)) == "Case(a = 1)"
    assert str(Case.of()) == "(nothing to choose)"
    assert show((exact_array([1]), exact_array([2]))) == "([1], [2])"


def test_counts_and_words_are_not_lifted():
    """Rationals and arrays become numbers of the arithmetic; counts, words and the type of records stay."""
    case = Case.of(n=3, word="one", x=HALF, net=NET)
    lifted = {name: case.lifted(name, FLOAT) for name in case}
    assert type(lifted["n"]) is int
    assert lifted["word"] == "one"
    assert type(lifted["x"]) is float
    assert isinstance(lifted["net"], TwoLayer)
    assert lifted["net"].inner.dtype == np.float64
    assert lift((exact_array([1]),), FLOAT)[0].dtype == np.float64


def test_rationals_are_lifted_once_and_cannot_be_changed():
    """Every assumption of a claim sees the same arrays."""
    case = Case.of(rows=[[1, HALF]])
    rows = case.lifted("rows", EXACT)
    assert case.lifted("rows", EXACT) is rows
    with pytest.raises(ValueError, match="read-only"):
        rows[0, 0] = 2


def test_a_field_annotated_as_a_count_stays_one():
    """Every other integer in a record is a rational."""

    @record
    class Grid:
        points: int
        width: Any

    grid = Grid(3, 2)  # type: ignore[call-arg]
    assert type(grid.points) is int
    assert type(grid.width) is Fraction


def test_a_case_is_a_mapping():
    """Fields are reached by name."""
    case = Case.of(a=1, b=2)
    assert dict(case) == {"a": 1, "b": 2}
    assert len(case) == 2
    assert "a" in case
    with pytest.raises(KeyError):
        case["c"]


def test_every_error_of_a_case_is_ours():
    """Callers catch one type."""
    assert issubclass(BadInput, RefuteError)
    assert issubclass(Unreadable, RefuteError)
    assert to_json(HALF) == "1/2"
