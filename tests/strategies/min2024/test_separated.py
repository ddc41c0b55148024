"""Separated data and neurons beside them: draws keep their domain and reach what the claims speak about."""

from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from refute.functions import sign
from refute.models.min2024.cones import in_dead, in_minus, in_plus, separation_margin
from refute.strategies import drawn, sized
from refute.strategies.min2024.data_repairs import surround_origin
from refute.strategies.min2024.paths import send_on_its_way
from refute.strategies.min2024.separated import borderline_dataset, neurons, placed, separated_dataset, tame_dataset

few = settings(max_examples=60, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
many = settings(max_examples=2000, derandomize=True, database=None, deadline=None)
BORDER = sized(data=borderline_dataset)
PLANE = sized(data=separated_dataset, dimension=(2, 2))
WALKERS = placed(data=separated_dataset, start=neurons, samples=drawn(2, 4), dimension=drawn(2, 3))


@given(sized(data=separated_dataset, tame=tame_dataset).strategy)
@few
def test_separated_data_are_separated(case):
    """Exactly, and the domain admits them."""
    assert separation_margin(case["data"]) > 0
    assert separation_margin(case["tame"]) > 0
    assert separated_dataset.admits(case["data"])


def test_borderline_data_lie_on_both_sides_and_on_the_border():
    """mu is positive, zero and negative."""
    for wanted in (1, 0, -1):
        find(
            BORDER.strategy, lambda case, wanted=wanted: sign(separation_margin(case["data"])) == wanted, settings=many
        )


@st.composite
def surrounding(draw):
    """Data in the plane, repaired."""
    return surround_origin(draw, draw(PLANE.strategy)["data"])["data"]


@st.composite
def walking(draw):
    """Data, and a start whose first neuron is on its way (None where it cannot be)."""
    case = draw(WALKERS.strategy)
    return case["data"], send_on_its_way(draw, **case).get("start")


@given(surrounding())
@few
def test_data_that_surround_the_origin_leave_nothing_dead(data):
    """They are separated, have both classes, and no datum or normal of a datum is dead."""
    assert separation_margin(data) > 0
    assert set(data.labels) == {1, -1}
    turned = [x[::-1] * [1, -1] for x in data.inputs]
    assert not any(in_dead(s * z, data) for z in (*data.inputs, *turned) for s in (1, -1))


@given(walking())
@few
def test_a_neuron_on_its_way_sees_its_class_and_is_not_at_home(case):
    """It is active on a datum of its class, and not in the cone of its sign."""
    data, start = case
    if start is None:
        return
    w, s = start.shape[0], start.signs[0]
    assert any(x @ w > 0 for x, y in zip(data.inputs, data.labels, strict=True) if y == s)
    assert not (in_plus if s > 0 else in_minus)(w, data)
