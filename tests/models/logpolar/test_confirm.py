"""The second method of the log-polar flow: it agrees with the first, it widens the error, it refuses what it cannot
follow.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from refute.decide.confirmation import CONFIRMED, CONTRADICTED, REPEATED, confirming
from refute.models.dataset import Dataset
from refute.models.logpolar import LogPolarTrajectory, confirm, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.stage import Stage
from refute.models.loss import EXPONENTIAL_SUM, SQUARE

pytestmark = pytest.mark.slow

A = Dataset([[1, Fraction(1, 4)], [Fraction(5, 4), -1]], [1, Fraction(5, 4)])
A_SHAPE = [[Fraction(1, 2), 1], [Fraction(1, 2), Fraction(3, 2)], [Fraction(3, 2), Fraction(1, 2)]]
SEPARATED = Dataset([[1.0, 0.2], [1.0, -0.1], [-0.3, 0.02]], [1.0, 1.0, -1.0])
PARALLEL = Dataset([[1.0, 0.0], [-1.0, 0.0]], [1.0, -1.0])
SLIDING = Dataset([[1.0, 0.0], [0.5, -1.0]], [1.0, -1.0])


def both(*args: Any, **options: Any) -> tuple[LogPolarTrajectory, LogPolarTrajectory, list[str]]:
    """The run, the run that was asked for a second opinion, and what was answered."""
    plain = log_polar_flow(*args, **options)
    with confirming() as opinions:
        asked = log_polar_flow(*args, **options)
    return plain, asked, opinions.grades


def same(one: LogPolarTrajectory, other: LogPolarTrajectory) -> bool:
    arrays = ("offset", "local", "log_norm", "direction", "output", "sides", "dead", "log_gap")
    return (
        all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)
        and one.switches == other.switches
    )


@pytest.mark.parametrize("slope", [0, Fraction(1, 4)])
@pytest.mark.parametrize("digits", [-3, -10, -1000])
def test_the_methods_agree_through_crossings_and_a_death(digits: int, slope: Fraction):
    """Neurons of both signs that cross four boundaries; the error at most doubles and the
    trajectory stays what it was.
    """
    plain, asked, grades = both(Balanced(A_SHAPE, [1, 1, -1], digits * np.log(10), slope), A, SQUARE, tolerance=1e-11)
    assert grades == [CONFIRMED]
    assert len(plain.switches) == 4
    assert same(plain, asked)
    assert plain.error <= asked.error < 2 * plain.error + 1e-9
    assert plain.output_error <= asked.output_error < 2 * plain.output_error + 1e-9


def test_the_methods_agree_at_several_take_offs():
    """Another loss, a weak class that takes off long after the strong one, a start at 10^-1000."""
    rng = np.random.default_rng(0)
    start = Balanced(rng.standard_normal((5, 2)), np.array([1, -1, 1, -1, 1]), -1000 * np.log(10), 0)
    plain, asked, grades = both(start, SEPARATED, EXPONENTIAL_SUM, level=1e-3)
    assert grades == [CONFIRMED]
    assert asked.error < 2 * plain.error + 1e-7


def test_parallel_inputs_of_both_senses_are_crossed_together():
    """x and -x change sides at once, after the time ln(2 / tilt) that the neuron needs to turn."""
    plain, asked, grades = both(
        Balanced([[-1.0, 1e-3]], [1], -50.0, 0), PARALLEL, EXPONENTIAL_SUM, times=[4.0, 12.0], tolerance=1e-12
    )
    assert grades == [CONFIRMED]
    assert [one.point for one in plain.switches] == [0, 1]
    assert plain.switches[0].time == pytest.approx(np.log(2000), abs=1e-6)
    assert asked.error < 1e-8


def test_zero_and_dead_neurons_rest():
    """A zero row and a neuron that no point activates stay where they are in both methods."""
    plain, asked, grades = both(Balanced([[0, 0], [-1, 0], [1, 1]], [1, 1, 1], -20.0, 0), A, SQUARE)
    assert grades == [CONFIRMED]
    assert asked.error < 2 * plain.error + 1e-9


def test_a_wrong_second_answer_contradicts_and_widens_the_error(monkeypatch: pytest.MonkeyPatch):
    """What the methods disagree about is reported as error: in the log-norms, and through them in the outputs."""
    honest = confirm.confirm_log_polar

    def wrong(*args: Any) -> confirm.Second:
        found = honest(*args)
        return replace(found, log_norm=found.log_norm + 0.125)

    monkeypatch.setattr(confirm, "confirm_log_polar", wrong)
    plain, asked, grades = both(Balanced(A_SHAPE, [1, 1, -1], -20.0, 0), A, SQUARE)
    assert grades == [CONTRADICTED]
    assert asked.error >= plain.error + 0.1249
    assert asked.output_error >= plain.output_error + 0.2 * float(np.abs(plain.output).max())


def test_a_mistake_in_the_closed_form_is_seen(monkeypatch: pytest.MonkeyPatch):
    """The second method does not use the formula of the plateau: a log-norm that grows by a thousandth too fast shows
    in the error.
    """
    honest = Stage.log_norm_at
    monkeypatch.setattr(Stage, "log_norm_at", lambda self, time: honest(self, time) + 1e-3 * time)
    plain, asked, grades = both(Balanced(A_SHAPE, [1, 1, -1], -1000.0, 0), A, SQUARE)
    assert grades == [CONTRADICTED]
    assert plain.error < 1e-6
    assert asked.error > 1e-3


@pytest.mark.parametrize(("shift", "grade"), [(0.5, CONFIRMED), (None, REPEATED)])
def test_other_switches_widen_the_error_or_confirm_nothing(
    monkeypatch: pytest.MonkeyPatch, shift: float | None, grade: str
):
    """A switch at another time is an error of that size; one that is missing leaves the run
    unconfirmed and as it was.
    """
    honest = confirm.confirm_log_polar

    def other(*args: Any) -> confirm.Second:
        found = honest(*args)
        changes = [] if shift is None else [(neuron, point, time + shift) for neuron, point, time in found.changes]
        return replace(found, changes=changes)

    monkeypatch.setattr(confirm, "confirm_log_polar", other)
    plain, asked, grades = both(Balanced(A_SHAPE, [1, 1, -1], -20.0, 0), A, SQUARE)
    assert grades == [grade]
    assert asked.error == pytest.approx(plain.error + (shift or 0.0), abs=1e-6)


def test_nobody_who_was_not_asked_answers(monkeypatch: pytest.MonkeyPatch):
    """Without a question the second method is not called."""

    def never(*_: Any) -> confirm.Second:
        raise AssertionError

    monkeypatch.setattr(confirm, "confirm_log_polar", never)
    assert log_polar_flow(Balanced(A_SHAPE, [1, 1, -1], -20.0, 0), A, SQUARE).error < 1e-6


def test_what_it_cannot_follow_is_only_repeated(monkeypatch: pytest.MonkeyPatch):
    """A neuron that slides, a run cut short by its steps, and a budget that is spent: the run is as it was."""
    start, calm = Balanced([[1.0, 0.0625]], [1], -20.0, 0), Balanced(A_SHAPE, [1, 1, -1], -20.0, 0)
    runs = [both(start, SLIDING, SQUARE, times=[3.0]), both(calm, A, SQUARE, steps=20)]
    monkeypatch.setattr(confirm, "BUDGET", 100)
    runs.append(both(calm, A, SQUARE))
    for plain, asked, grades in runs:
        assert grades == [REPEATED]
        assert same(plain, asked)
        assert (asked.error, asked.output_error) == (plain.error, plain.output_error)
