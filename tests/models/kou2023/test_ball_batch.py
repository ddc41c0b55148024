"""Batches of starts in balls, and stochastic descent in balls."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from refute.arithmetic.numbers import EXACT, balls
from refute.errors import BadInput, Inexact, SignUnknown
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.ball_batch import ball_minibatches
from refute.models.kou2023.decomposition import batch_courses, unroll
from refute.models.kou2023.wide import descend_wide
from refute.models.network import signed_halves

BITS = 192
BALLS = balls(BITS)
DATA = Dataset(np.array([[1.0, 0.25, 0.0], [-0.5, 1.0, 0.5]]), np.array([1.0, -1.0]))
STARTS = np.random.default_rng(0).integers(-8, 9, (3, 4, 3)) / 64


@pytest.fixture(autouse=True)
def _precision():
    with ctx.workprec(BITS):
        yield


def courses(steps: int = 30, **options):
    """Of the starts above, in balls."""
    return batch_courses(
        lift(DATA, BALLS), BALLS.array(STARTS), slope=arb(1) / 3, rate=arb(1) / 5, steps=steps, **options
    )


def network(start: np.ndarray) -> TwoLayer:
    return signed_halves(start[:2], start[2:], Fraction(1, 3))


def test_every_start_is_that_of_descent_one_by_one():
    """Signals and coefficients overlap with those of `unroll`, which carries the signals along, and are as thin."""
    found = list(courses())
    assert len(found) == 31
    for k, start in enumerate(STARTS):
        alone = unroll(lift(network(start), BALLS), lift(DATA, BALLS), rate=arb(1) / 5, steps=30)
        for step, (signals, rho) in enumerate(found):
            for ours, theirs in ((signals[k], alone.signals[step]), (rho[k], alone.rho[step])):
                pairs = list(zip(ours.reshape(-1), theirs.reshape(-1), strict=True))
                assert all(a.overlaps(b) for a, b in pairs)
                assert all(a.rad() < 1e-50 for a, _ in pairs)


def test_floats_agree():
    """To round-off, at every step and start."""
    floats = batch_courses(DATA, STARTS, slope=1 / 3, rate=0.2, steps=30)
    for enclosed, rounded in zip(courses(), floats, strict=True):
        for ours, theirs in zip(enclosed, rounded, strict=True):
            assert np.abs(ours.astype(float) - theirs).max() < 1e-13


def test_recorded_steps_are_those_of_the_whole_course():
    """In both arithmetics."""
    whole, some = list(courses()), list(courses(record=(3, 30)))
    assert [[str(part) for part in pair] for pair in some] == [[str(part) for part in whole[step]] for step in (3, 30)]
    floats = [
        list(batch_courses(DATA, STARTS, slope=0.3, rate=0.2, steps=30, record=record)) for record in (None, (3, 30))
    ]
    assert all(
        (a == b).all()
        for step, pair in zip((3, 30), floats[1], strict=True)
        for a, b in zip(pair, floats[0][step], strict=True)
    )


def test_the_slope_at_zero_counts_at_a_structural_zero():
    """x = 1 and w = 0: with sigma'(0) = 0 nothing moves, with 1 both neurons do, by 1/4 each."""
    one = lift(Dataset(np.array([[1.0]]), np.array([1.0])), BALLS)
    for at_zero in (0, 1):
        *_, (signals, _) = batch_courses(
            one, BALLS.array(np.zeros((1, 2, 1))), slope=arb(0), rate=arb(1) / 2, steps=1, slope_at_zero=at_zero
        )
        assert signals.reshape(-1).tolist() == [at_zero * arb(1) / 4, -at_zero * arb(1) / 4]


def test_an_open_sign_is_not_guessed():
    """A ball around zero asks for more bits, rationals for balls."""
    start = BALLS.array(STARTS).copy()
    start[0, 0] = arb(0, 1)
    with pytest.raises(SignUnknown):
        list(batch_courses(lift(DATA, BALLS), start, slope=arb(0), rate=arb(1), steps=1))
    with pytest.raises(Inexact):
        list(batch_courses(lift(DATA, EXACT), EXACT.array(STARTS), slope=0, rate=1, steps=1))


def test_batches_of_all_samples_are_plain_descent():
    """Stochastic descent in balls with every sample in each step, against `batch_courses`."""
    start, picks = lift(network(STARTS[1]), BALLS), np.tile(np.arange(2), (6, 1))
    shots = list(ball_minibatches(start, lift(DATA, BALLS), rate=arb(1) / 5, picks=picks, every=4, slope_at_zero=1))
    assert len(shots) == 3
    assert (shots[0] == start.inner).all()
    signals = [signals[1] for signals, _ in courses(steps=6, record=(0, 4, 6))]
    for shot, expected in zip(shots, signals, strict=True):
        found = shot @ lift(DATA, BALLS).inputs.T
        assert all(a.overlaps(b) for a, b in zip(found.reshape(-1), expected.reshape(-1), strict=True))


def test_wide_descent_in_balls_holds_that_in_floats():
    """To the accuracy of float32; and what is too long is refused."""
    picks = np.random.default_rng(1).integers(0, 2, (40, 3))
    net = network(STARTS[2])
    rough = list(descend_wide(net, DATA, rate=0.2, picks=picks, every=10))
    fine = list(descend_wide(lift(net, BALLS), lift(DATA, BALLS), rate=arb(1) / 5, picks=picks, every=10))
    assert all(np.abs(a - b.astype(float)).max() < 1e-5 for a, b in zip(rough, fine, strict=True))
    with pytest.raises(BadInput, match="outer weights"):
        next(
            descend_wide(
                lift(TwoLayer(net.inner, 2 * net.outer, 0), BALLS), lift(DATA, BALLS), rate=arb(1), picks=picks, every=1
            )
        )
    with pytest.raises(BadInput, match="too long"):
        next(
            descend_wide(
                lift(net, BALLS), lift(DATA, BALLS), rate=arb(1), picks=np.zeros((10**6, 100), dtype=np.int64), every=1
            )
        )
