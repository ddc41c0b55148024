"""The picture of a hunt: the same hunt gives the same file, its data are bounded, and old states are read."""

import json
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from refute.errors import BadInput
from refute.language.case import Case
from refute.run.hunt import save as save_state
from refute.run.hunt import take_up
from refute.search.campaign import STEPS, Campaign
from refute.search.chunk import Findings
from refute.search.sighting import FROM_A_CHUNK, IN_A_HUNT, MOST_NUMBERS, Sighting, coordinate_names, evenly
from refute.show.hunt_plot import ENDINGS, _by_layout, _ranks, _steps, checked_target, drawn, save, telling
from tests.refute.conftest import FALSE, TRUE, Refute, WriteClaims

PAIR = (("x", (2,)),)


def sightings(count: int, arm: str = "draw") -> list[Sighting]:
    chance = random.Random(0)
    return [Sighting(arm, k, chance.random(), False, PAIR, (chance.random(), chance.random())) for k in range(count)]


def campaign_with(claim, seen, tried: int = 1000) -> Campaign:
    campaign = Campaign(claim)
    campaign.absorb([Findings(0, "draw", tried, tried, seen=tuple(seen))])
    return campaign


def test_few_sightings_are_kept_however_long_the_hunt():
    """The nearest miss always, and of the others about as many early as late ones."""
    seen = sightings(20_000)
    kept = evenly(seen, IN_A_HUNT)
    assert len(kept) == IN_A_HUNT
    assert min(seen, key=lambda one: one.height) in kept
    early = sum(one.after < 10_000 for one in kept)
    assert 0.4 < early / len(kept) < 0.6
    assert [one.after for one in kept] == sorted(one.after for one in kept)


def test_which_sightings_are_kept_does_not_depend_on_how_they_came():
    """In one piece or in many, and in any order."""
    seen = sightings(3000)
    shuffled = random.Random(1).sample(seen, len(seen))
    assert evenly(shuffled, 100) == evenly(seen, 100)


def test_a_violation_is_kept_before_everything_else():
    """Even when its margin is only touched, as where an inequality is strict."""
    touching = Sighting("evolve", 5, 0.9, True, PAIR, (0.0, 0.0))
    assert touching in evenly([*sightings(1000), touching], 20)


def test_progress_that_is_remembered_is_bounded(needle):
    """The last step stays, whatever is forgotten."""
    campaign = Campaign(needle("true"))
    case = Case.of(x=Fraction(1), y=Fraction(1)).to_json()
    for k in range(3 * STEPS):
        campaign.absorb([Findings(k, "evolve", 1, 1, best=((1 / (k + 2), case),))])
    assert len(campaign.history) <= STEPS
    assert campaign.history[-1] == (3 * STEPS, campaign.best)


def test_coordinates_are_the_numbers_that_may_move(needle):
    """With their names; those of a large case are thinned, and a number no float holds is drawn at the edge."""
    small = Sighting("draw", 1, 0.5, False).located(needle("hidden_point"), Case.of(x=[1, Fraction(1, 3), -2]))
    assert coordinate_names(small.layout) == ["x[0]", "x[1]", "x[2]"]
    assert small.point == (1.0, 0.333333, -2.0)
    large = Sighting("draw", 1, 0.5, False).located(needle("hidden_point"), Case.of(x=np.arange(1000.0)))
    assert len(large.point) == len(coordinate_names(large.layout)) == MOST_NUMBERS
    assert coordinate_names(large.layout)[-1] == "x[999]"
    huge = Sighting("draw", 1, 0.5, False).located(needle("hidden_point"), Case.of(x=[Fraction(-(10**400)), 1, 2]))
    assert huge.point[0] == -1e300


def test_a_state_keeps_its_sightings_in_bounded_size(needle, tmp_path: Path):
    """Saved and taken up again they are the same, and half a megabyte holds the largest state."""
    claim = needle("true")
    layout = (("x", (MOST_NUMBERS,)),)
    point = tuple(round(-k / 7, 6) for k in range(MOST_NUMBERS))
    seen = [Sighting("descend", k, k / 1e5, False, layout, point) for k in range(5000)]
    hunt = take_up(claim, 0, tmp_path)
    for k in range(0, 5000, FROM_A_CHUNK):
        hunt.campaign.absorb([Findings(k, "draw", FROM_A_CHUNK, FROM_A_CHUNK, seen=tuple(seen[k : k + FROM_A_CHUNK]))])
    save_state(hunt)
    assert hunt.path.stat().st_size < 500_000
    again = take_up(claim, 0, tmp_path)
    assert again.resumed
    assert again.campaign.seen == hunt.campaign.seen


def test_a_state_of_the_first_version_is_taken_up(needle, tmp_path: Path):
    """It has no sightings; the effort and the pool are there, and it can be drawn."""
    claim = needle("true")
    hunt = take_up(claim, 0, tmp_path)
    hunt.campaign.absorb([Findings(0, "draw", 7, 7, best=((0.5, Case.of(x=Fraction(1), y=Fraction(1)).to_json()),))])
    old = hunt.campaign.to_json() | {"refute_hunt": 1}
    del old["seen"]
    hunt.path.write_text(json.dumps(old))
    again = take_up(claim, 0, tmp_path)
    assert again.resumed
    assert again.campaign.tried == 7
    assert _steps(again.campaign) == [(7, 0.5)]
    save(again.campaign, tmp_path / "old.svg")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"refute_hunt": 3}, "a state of version 3"),
        ({"seen": [["draw", 1, 0.5, False, [["x", [2]]], [1.0]]]}, "wrong number of coordinates"),
        ({"seen": [["draw", 1]]}, "damaged state"),
        ({"statement": "other"}, "another statement"),
    ],
)
def test_a_state_that_is_refused_says_why_and_where_it_is(needle, tmp_path: Path, change, reason: str):
    """A newer version, damaged sightings, another wording."""
    hunt = take_up(needle("true"), 0, tmp_path)
    hunt.path.write_text(json.dumps(hunt.campaign.to_json() | change))
    again = take_up(needle("true"), 0, tmp_path)
    assert not again.resumed
    assert reason in again.refused
    assert str(hunt.path.with_suffix(".old")) in again.refused


def test_coordinates_tell_by_what_they_explain():
    """A margin that is small in the middle of one coordinate, and depends a little on another, is told by these two."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(400, 5))
    margins = np.abs(points[:, 3]) + 0.3 * points[:, 1]
    assert telling(points, _ranks(margins)) == [3, 1]


def test_a_coordinate_that_never_moved_tells_nothing():
    """Constant columns are chosen last, even when every margin is equal."""
    points = np.array([[1.0, 2.0, 0.0], [1.0, 3.0, 0.0], [1.0, 5.0, 0.0]])
    assert telling(points, np.zeros(3)) == [1]
    assert len(telling(np.ones((3, 1)), np.zeros(3))) == 1


def test_ranks_are_between_0_and_1_and_equal_for_equal_margins():
    """So that colours tell margins of every order of magnitude."""
    assert _ranks(np.array([1e-9, 1.0, 1e-3])).tolist() == [0.0, 1.0, 0.5]
    assert _ranks(np.array([2.0, 2.0, 1.0])).tolist() == [0.75, 0.75, 0.0]
    assert _ranks(np.array([2.0, 2.0])).tolist() == [0.0, 0.0]


def test_the_size_of_the_nearest_miss_comes_first():
    """Then the sizes that were tried most."""
    rare = Sighting("draw", 1, 0.001, False, (("x", ()),), (1.0,))
    often = [Sighting("draw", k, 0.5, False, PAIR, (1.0, 2.0)) for k in range(9)]
    some = [Sighting("draw", k, 0.4, False, (("x", (3,)),), (1.0, 2.0, 3.0)) for k in range(4)]
    assert [len(group) for group in _by_layout([*often, *some, rare])] == [1, 9, 4]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_hunt_gives_the_same_file(needle, tmp_path: Path, ending: str):
    """Byte for byte, in every format."""
    campaign = campaign_with(needle("true"), [*sightings(60), Sighting("adapt", 99, -0.5, True, PAIR, (0.1, 0.2))])
    first, second = tmp_path / f"one{ending}", tmp_path / f"two{ending}"
    save(campaign, first)
    save(campaign, second)
    assert first.read_bytes() == second.read_bytes()
    assert first.stat().st_size > 5000


@pytest.mark.parametrize(
    "seen",
    [[], sightings(1), [Sighting("draw", 1, 1.0, False)], [Sighting("draw", 1, 0.0, False, (("x", ()),), (1e300,))]],
)
def test_a_hunt_that_saw_hardly_anything_is_drawn(needle, tmp_path: Path, seen):
    """Nothing met the assumptions, a single case, a claim without numbers, a number at the edge."""
    save(campaign_with(needle("true"), seen, tried=len(seen)), tmp_path / "few.png")


def test_each_method_and_the_violation_are_told_apart(needle):
    """By a legend; and margins of many orders of magnitude get a logarithmic scale."""
    seen = [
        Sighting(arm, k, 10.0**-k, False, PAIR, (k, k)) for k, arm in enumerate(["draw", "corners", "evolve", "adapt"])
    ]
    figure = drawn(campaign_with(needle("true"), [*seen, Sighting("descend", 9, -0.1, True, PAIR, (1, 2))]))
    effort = figure.subfigs[0].axes[0]
    labels = [text.get_text() for text in effort.get_legend().get_texts()]
    assert labels == ["draw", "corners", "evolve", "adapt", "descend", "best so far", "violates the claim"]
    assert effort.get_yscale() == "symlog"


def test_a_file_that_is_no_picture_is_refused_before_the_hunt(claim_file: WriteClaims, refute: Refute, tmp_path: Path):
    """The command ends at once, with the endings it knows."""
    with pytest.raises(BadInput, match="cannot draw into"):
        checked_target(Path("hunt.txt"))
    done = refute("find", claim_file(TRUE), "--plot", str(tmp_path / "hunt.doc"))
    assert done.exit_code == 2
    assert ".svg" in done.stderr


def test_find_draws_one_picture_per_target(claim_file: WriteClaims, refute: Refute, tmp_path: Path):
    """Named after the claims when there are several; the rows tell where."""
    file = claim_file(TRUE + FALSE)
    done = refute("find", file, "--budget", "60 cases", "--json", "--plot", str(tmp_path / "out" / "hunt.svg"))
    names = {row["id"]: Path(row["plot"]).name for row in json.loads(done.stdout)}
    assert names == {"notes.true": "hunt-notes.true.svg", "notes.false": "hunt-notes.false.svg"}
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(names.values())
    alone = refute("find", f"{file}::notes.true", "--budget", "1 cases", "--plot", str(tmp_path / "alone.png"))
    assert "picture       " in alone.stdout
    assert (tmp_path / "alone.png").is_file()


def test_a_refused_state_is_told(claim_file: WriteClaims, refute: Refute):
    """By the command, with the reason, before the hunt begins anew."""
    file = claim_file(TRUE)
    refute("find", file, "--budget", "1 cases")
    (state,) = Path(".refute/hunts").glob("*.json")
    state.write_text(state.read_text().replace('"refute_hunt": 2', '"refute_hunt": 99'))
    done = refute("find", file, "--budget", "1 cases")
    assert "begins anew: a state of version 99" in done.stderr
    assert state.with_suffix(".old").is_file()
