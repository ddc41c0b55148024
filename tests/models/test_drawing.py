"""Captions, progress and cones of the figures."""

import numpy as np
import pytest

from refute.models.drawing import blank, captioned, compared, cone, listed, rays, watched


def test_a_caption_is_drawn_below_and_kept_as_the_label():
    """Long lines are wrapped in the picture, not in the label; dollars and underscores stay as they are."""
    lines = ["first, $5 and x_1 for $6", "second " * 60]
    picture = captioned(blank(5, 3), lines)
    assert picture.get_label() == "\n".join(lines)
    (text,) = picture.texts
    assert text.get_text().count("\n") > 3
    assert picture.get_size_inches()[1] > 3
    picture.canvas.draw()
    box = text.get_window_extent()
    assert box.y1 < picture.bbox.height / 2
    assert box.x1 < picture.bbox.width


@pytest.mark.parametrize(("shows", "words"), [(True, "same phenomenon"), (False, "does not show it")])
def test_a_comparison_ends_with_its_conclusion(shows: bool, words: str):
    """What was found, what the paper says, what follows."""
    assert compared("loss 0.01", "near zero", shows) == f"loss 0.01 (paper: near zero): {words}"


def test_progress_is_reported_after_each_item():
    """Done and total, when the next item is asked for."""
    seen: list[tuple[int, int]] = []
    assert list(watched("abc", lambda done, total: seen.append((done, total)))) == ["a", "b", "c"]
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_a_cone_across_the_first_axis_is_shaded_in_one_piece():
    """Directions within 30 degrees of (1, 0), which wrap around the angle 0."""
    axes = blank(3, 3).subplots()
    cone(axes, lambda w: bool(w[0] >= np.cos(np.radians(30)) - 1e-12), "k", 2.0)
    corners = axes.patches[0].get_xy()
    assert corners[:, 0].min() == 0
    assert np.degrees(np.abs(np.arctan2(corners[1:-1, 1], corners[1:-1, 0])).max()) == pytest.approx(30)
    cone(axes, lambda w: False, "k", 2.0)
    assert len(axes.patches) == 1


def test_rays_have_one_length_and_zero_has_none():
    """Directions are drawn, not sizes."""
    axes = blank(3, 3).subplots()
    rays(axes, np.array([[3.0, 4.0], [0.0, 0.0]]), "k", 2.0)
    assert [np.hypot(line.get_xdata()[1], line.get_ydata()[1]) for line in axes.lines] == pytest.approx([2.0, 0.0])


def test_numbers_are_listed():
    """With three digits unless asked otherwise."""
    assert listed([1.23456, 2]) == "1.23, 2"
    assert listed([1, 2], "d") == "1, 2"
