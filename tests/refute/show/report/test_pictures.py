"""Drawings are right about the numbers they show, and have a text alternative."""

import math
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest

from refute import Case
from refute.show.report import law
from refute.show.report.histogram import histogram, summary
from refute.show.report.matrix import bindings
from refute.show.report.motion import Motion, figures
from refute.show.report.plane import drawn
from refute.show.report.scene import Network, scene
from refute.show.report.sectors import sign_rays
from tests.refute.show.report.conftest import DATA, NET


def case(**fields: object) -> dict[str, object]:
    return Case.of(**fields).to_json()


def network(inner: list[list[float]], outer: list[float], slope: float = 0.0) -> Network:
    return Network(np.array(inner), np.array(outer), slope)


def well_formed(drawing: object) -> ElementTree.Element:
    root = ElementTree.fromstring(str(drawing))
    assert root.get("role") == "img"
    assert root.get("aria-label")
    return root


def test_a_scene_is_told_from_the_names_of_fields():
    """Networks, data, vectors of the same space; directions of balanced neurons; nothing where there is nothing."""
    found = scene(case(net=NET, data=DATA, r=[1, 0], s=[1, 2]))
    assert found is not None
    assert found.dimension == 2
    assert found.network is not None
    assert list(found.vectors) == ["r"]
    balanced = {
        "start": {
            "record": "B",
            "shape": {"shape": [1, 2], "entries": ["3", "4"]},
            "signs": {"shape": [1], "entries": ["-1"]},
            "slope": "0",
        }
    }
    start = scene(balanced)
    assert start is not None
    assert start.directions
    assert start.network is not None
    assert start.network.outer[0] == -5
    assert scene(case(x=1)) is None
    assert scene({"net": {"record": "N", "inner": {"shape": [9], "entries": []}, "outer": 3, "slope": "x"}}) is None
    assert scene("no case") is None


def test_the_boundary_of_a_linear_network_is_a_line():
    """f = x_1 - x_2 changes sign on the two rays of one line."""
    rays = sign_rays(network([[1, -1]], [1], slope=1.0))
    assert rays == pytest.approx([math.pi / 4, 5 * math.pi / 4])


def test_between_two_rays_the_network_has_one_sign():
    """For random networks, at many angles."""
    random = np.random.default_rng(0)
    for _ in range(50):
        net = network(random.normal(size=(4, 2)), random.normal(size=4), float(random.choice([0, 0.3])))
        rays = sign_rays(net)
        for start, end in zip(rays, [*rays[1:], rays[0] + 2 * math.pi], strict=True):
            inside = np.linspace(start, end, 9)[1:-1]
            values = net(np.stack([np.cos(inside), np.sin(inside)], axis=1))
            assert (values > -1e-9).all() or (values < 1e-9).all()


def test_opposite_neurons_share_their_line():
    """Angles that differ by round-off are one ray, so no sliver of another sign appears."""
    assert len(sign_rays(network([[-0.6, 0.8], [1.8, -2.4]], [1, 3]))) == 2


def test_a_plane_shows_points_neurons_and_boundary():
    """One mark per datum by the sign of its label, one arrow per neuron, dashed where its outer weight is negative."""
    seen = scene(case(net=NET, data=DATA))
    assert seen is not None
    figure = drawn(seen)
    assert figure is not None
    classes = [element.get("class") for element in well_formed(figure.drawing).iter()]
    assert [classes.count(f"point {sign}") for sign in ("positive", "negative", "zero")] == [1, 1, 1]
    assert [classes.count(f"neuron {sign}") for sign in ("positive", "negative")] == [1, 1]
    assert classes.count("switch") == 2
    assert "boundary" in classes
    assert "3 data points" in figure.caption


def test_lines_and_spaces_are_drawn_too():
    """One dimension: the network over the input; more than two: the first two coordinates, and no boundary."""
    line = scene(
        {
            "data": {
                "inputs": {"shape": [2, 1], "entries": ["1", "-1"]},
                "labels": {"shape": [2], "entries": ["1", "-1"]},
            }
        }
    )
    space = scene(
        {"data": {"inputs": {"shape": [1, 3], "entries": ["1", "2", "3"]}, "labels": {"shape": [1], "entries": ["1"]}}}
    )
    assert line is not None
    assert space is not None
    below, above = drawn(line), drawn(space)
    assert below is not None
    assert above is not None
    well_formed(below.drawing)
    assert "first two of 3 coordinates" in above.caption


@pytest.mark.parametrize("number", [1e308, 5e-324, 0, -1])
def test_extreme_numbers_do_no_harm(number: float):
    """They are drawn or left out, without overflow."""
    array = {"shape": [1, 2], "entries": [number, number]}
    net = {"inner": array, "outer": {"shape": [1], "entries": [number]}, "slope": "0"}
    seen = scene(
        {
            "net": net,
            "data": {"inputs": array, "labels": {"shape": [1], "entries": ["1"]}},
            "r": {"shape": [2], "entries": [0, 0]},
        }
    )
    figure = drawn(seen) if seen is not None else None
    if figure is not None:
        assert "nan" not in str(figure.drawing)
        assert "inf" not in str(figure.drawing)
    assert (figure is None) == (abs(number) in (1e308, 5e-324))


def test_a_motion_is_drawn_with_its_loss():
    """A path per neuron and the loss from start to end."""
    seen = scene(case(net=NET, data=DATA))
    assert seen is not None
    moving = Motion(
        np.array([0.0, 1.0]), np.array([NET.inner, NET.inner * 2], dtype=float), np.array([2.0, 0.5]), "Some flow."
    )
    paths, loss = figures(moving, seen)
    assert [e.get("class") for e in well_formed(paths.drawing).iter()].count("course positive") == 1
    assert "from 2 to 0.5" in loss.caption


def test_margins_are_counted_in_bars():
    """Every finite margin is in one bar; the rest is left out; the text alternative says the extremes."""
    margins = [0, 0, 0.02, 3, -0.5, 0.5, float("nan"), float("inf"), "1/3", None, "abc"]
    made = histogram(margins)
    assert made is not None
    root = well_formed(made)
    counts = [int(e.text or 0) for e in root.iter() if e.get("class") == "label small"]
    assert sum(counts) == 7
    classes = [e.get("class") for e in root.iter()]
    assert classes.count("bar touching") == 1
    assert classes.count("bar violated") == 1
    assert "2 exactly zero; 1 negative" in summary([0.0, 0.0, -0.5, 1.0])
    assert histogram([float("nan"), None]) is None
    well_formed(histogram([0.0]))
    well_formed(histogram([1e-300, 1e300, -1e300, 5e-324]))


def test_a_law_is_read_from_its_words():
    """Exponent, interval and drift, sweep; anything else is no law."""
    found = law.stated("rate: exponent -1.5000 +- 0.0100, drift 0.0200, over [1.0e-08, 1.0e-02]")
    assert found == law.Stated(-1.5, pytest.approx(0.03), 1e-8, 1e-2)
    well_formed(law.drawn(found).drawing)
    assert law.stated("exponent 1.0 +- 0.1, drift 0, over [0, 1]") is None
    assert law.stated("exponent 1..2 +- 0.1, drift 0, over [1, 2]") is None
    assert law.stated("exponent 1e999 +- 0.1, drift 0, over [1, 2]") is None
    assert law.stated("no law") is None


def test_values_are_typeset():
    """Records field by field, fractions as fractions; what is too large is told by its size."""
    shown = dict(bindings(case(net=NET, data=DATA, word="one", part=Fraction(-2, 3))))
    assert list(shown)[:3] == ["net.inner", "net.outer", "net.slope"]
    assert shown["net.inner"].count("<mtr>") == 2
    assert "<mfrac><mn>2</mn><mn>3</mn></mfrac>" in shown["part"]
    assert shown["word"] == "<code>one</code>"
    large = dict(
        bindings(
            {"w": {"shape": [100], "entries": ["1"] * 100}, "v": {"shape": [2, 0], "entries": []}, "u": {"shape": "x"}}
        )
    )
    assert "100" in large["w"]
    assert "array" in large["v"]
    assert "array" in large["u"]
