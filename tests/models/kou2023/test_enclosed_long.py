"""Long descent in balls: against every step, against float64 at late times, and where it refuses."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from refute.arithmetic.numbers import EXACT, Array, balls
from refute.errors import BadInput, Inexact, SignUnknown
from refute.models.dataset import Dataset
from refute.models.kou2023 import enclosed_long
from refute.models.kou2023.decomposition import Decomposition, unroll, unroll_long
from refute.models.kou2023.enclosed_long import march
from refute.models.network import TwoLayer, signed_halves

BITS = 192
RATE = Fraction(1, 8)
ORTHOGONAL = np.array([["1", "0", "0"], ["0", "3/2", "0"], ["0", "0", "1/2"]], dtype=object)
ALLIED = np.array(
    [["1", "1/64", "0"], ["1/64", "3/2", "0"], ["0", "1/32", "1/2"]], dtype=object
)  # all overlaps are >= 0


def _data(inputs: Array = ORTHOGONAL, labels: tuple[int, ...] = (1, -1, 1)) -> Dataset:
    return Dataset(inputs, np.array(labels, dtype=object))


def _net(slope: Fraction) -> TwoLayer:
    inner = np.array(
        [["1/8", "-1/16", "1/8"], ["-1/8", "1/16", "1/4"], ["1/16", "1/16", "-1/8"], ["-1/16", "-1/8", "1/8"]],
        dtype=object,
    )
    inner = np.array([[Fraction(v) / 16 for v in row] for row in inner], dtype=object)
    return signed_halves(inner[:2], inner[2:], slope)


@pytest.fixture(autouse=True)
def _precision():
    with ctx.workprec(BITS):
        yield


def _lifted(rate: Fraction = RATE) -> arb:
    value: arb = balls(BITS).scalar(rate)
    return value


def _inside(enclosed: Array, values: Array, slack: float = 0.0) -> bool:
    """Whether the balls, widened by `slack` times the largest value, contain the values."""
    room = slack * float(np.abs(values).max())
    return all(ball.overlaps(arb(float(value), room)) for ball, value in zip(enclosed.flat, values.flat, strict=True))


def _contains(wide: Decomposition, narrow: Decomposition, steps: list[int]) -> bool:
    pairs = [(getattr(wide, name), getattr(narrow, name)[steps]) for name in ("signals", "rho", "logits", "margins")]
    return all(one.overlaps(other) for left, right in pairs for one, other in zip(left.flat, right.flat, strict=True))


CASES = [
    pytest.param(Fraction(1, 4), ORTHOGONAL, (1, -1, 1), id="leaky, orthogonal"),
    pytest.param(Fraction(0), ORTHOGONAL, (1, -1, 1), id="ReLU, orthogonal"),
    pytest.param(Fraction(1, 4), ALLIED, (1, 1, 1), id="leaky, overlaps"),
    pytest.param(Fraction(0), ALLIED, (1, 1, 1), id="ReLU, overlaps"),
]


@pytest.mark.parametrize(("slope", "inputs", "labels"), CASES)
def test_it_contains_every_step(
    monkeypatch: pytest.MonkeyPatch, slope: Fraction, inputs: Array, labels: tuple[int, ...]
) -> None:
    """From the hundredth step on the enclosure holds what five thousand steps in balls give, and it is not wide."""
    monkeypatch.setattr(enclosed_long, "FIRST_STEPS", 100)
    times = [1, 100, 101, 150, 1000, 5000]
    wide = unroll_long(_net(slope), _data(inputs, labels), rate=_lifted(), times=times)
    narrow = unroll(wide.start, wide.data, rate=_lifted(), steps=times[-1])
    assert _contains(wide, narrow, times)
    assert max(float(ball.rad()) for ball in wide.margins.flat) < 0.05
    assert list(wide.steps) == times


@pytest.mark.parametrize(("slope", "inputs", "labels"), CASES)
def test_it_contains_what_float64_finds_late(slope: Fraction, inputs: Array, labels: tuple[int, ...]) -> None:
    """At 10^6, 10^12 and 10^20, up to the error of float64; a hundredth more of the rate is found out."""
    times = [1e6, 1e12, 1e20]
    net, data = _net(slope), _data(inputs, labels)
    floats = unroll_long(net, data, rate=float(RATE), times=times, tolerance=1e-11)
    wide = unroll_long(net, data, rate=_lifted(), times=times)
    other = unroll_long(net, data, rate=_lifted(RATE * Fraction(101, 100)), times=times)
    for name in ("signals", "rho", "margins"):
        assert _inside(getattr(wide, name), getattr(floats, name), 1e-9)
    assert not _inside(other.margins[-1], floats.margins[-1], 1e-9)


def test_orthogonal_enclosures_are_sharp() -> None:
    """The relative error of e^z is of the order of (log t)/t."""
    found = unroll_long(_net(Fraction(1, 4)), _data(), rate=_lifted(), times=[1e6, 1e12, 1e20])
    radii = [max(float(ball.rad()) for ball in row) for row in found.margins]
    assert radii[0] < 1e-4
    assert radii[1] < 1e-10
    assert radii[2] < 1e-18


def _stepped(z: arb, rate: arb, steps: int) -> arb:
    for _ in range(steps):
        z = z + rate / (1 + z.exp())
    return z


@pytest.mark.parametrize("rate", ["1/100", "1/2", "3/4"])
@pytest.mark.parametrize("start", ["-3", "0", "2"])
def test_a_single_margin_is_sandwiched(rate: str, start: str) -> None:
    """z <- z + k s(z), also from negative margins and with large steps; without the surplus of a step the upper side
    would be wrong.
    """
    k, z = _lifted(Fraction(rate)), arb(Fraction(start).numerator)
    (found,) = march(np.array([z], dtype=object), np.array([[k]], dtype=object), 0, [400])
    exact = _stepped(z, k, 400)
    assert found[0].overlaps(exact)
    flow = z + z.exp() + 400 * k
    assert exact + exact.exp() > flow


def test_a_step_beyond_the_bound_is_refused() -> None:
    """kappa e^{kappa s}/2 < 1 is what the sandwich needs."""
    with pytest.raises(BadInput, match="too fast"):
        list(march(np.array([arb(0)], dtype=object), np.array([[arb(3)]], dtype=object), 0, [10]))


def test_stretches_of_coupled_margins_contain_every_step() -> None:
    """Three margins that push each other, far from equal at first."""
    matrix = np.array([[arb(v) / 64 for v in row] for row in ([8, 1, 2], [1, 4, 0], [2, 0, 16])], dtype=object)
    z = np.array([arb(-1), arb(0), arb(2)], dtype=object)
    (found,) = march(z, matrix, 0, [3000])
    for _ in range(3000):
        z = z + matrix @ np.array([1 / (1 + v.exp()) for v in z], dtype=object)
    assert all(one.overlaps(other) for one, other in zip(found, z, strict=True))
    assert max(float(ball.rad()) for ball in found) < 0.1


def test_a_dead_sample_rests() -> None:
    """No ReLU neuron sees x_2, so its margin and its coefficients stay zero while those of x_1 grow."""
    net = signed_halves(np.array([[1, -1]], dtype=object), np.array([[-1, -1]], dtype=object), Fraction(0))
    data = Dataset(np.array([[1, 0], [0, 1]], dtype=object), np.array([1, 1], dtype=object))
    found = unroll_long(net, data, rate=_lifted(), times=[1e9])
    assert found.margins[0, 1] == 0
    assert all(value == 0 for value in found.rho[0, :, :, 1].flat)
    assert found.margins[0, 0] > 15
    dead = signed_halves(-net.inner[:1] * 0 - 1, net.inner[1:], Fraction(0))
    assert all(value == 0 for value in unroll_long(dead, data, rate=_lifted(), times=[1e9]).rho.flat)


def test_early_times_are_steps() -> None:
    """Nothing is asked of the gates where every step is taken, so any data will do."""
    data = _data(ALLIED, (1, -1, 1))
    found = unroll_long(_net(Fraction(0)), data, rate=_lifted(), times=[3, 7])
    every = unroll(found.start, found.data, rate=_lifted(), steps=7)
    assert all(one.overlaps(other) for one, other in zip(found.rho.flat, every.rho[[3, 7]].flat, strict=True))


def test_overlaps_against_the_labels_are_refused() -> None:
    """There a signal may turn back, and no gate is frozen for good."""
    with pytest.raises(BadInput, match="oppose the labels"):
        unroll_long(_net(Fraction(1, 4)), _data(ALLIED, (1, -1, 1)), rate=_lifted(), times=[1e6])


def test_gates_that_may_still_change_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a rate so small that no signal has crossed after the last step; a larger one is fine."""
    monkeypatch.setattr(enclosed_long, "MOST_STEPS", 700)
    with pytest.raises(BadInput, match="600 steps"):
        unroll_long(_net(Fraction(1, 4)), _data(), rate=_lifted(RATE / 10_000), times=[1e6])
    assert unroll_long(_net(Fraction(1, 4)), _data(), rate=_lifted(), times=[1e6]).margins[0, 0] > 5


def test_signals_that_balls_cannot_tell_from_zero_are_said_so() -> None:
    """1/3 - 1/3 is a ball around zero: neither gate is known."""
    net = signed_halves(np.array([["1/3", "1/3"]], dtype=object), np.array([["1", "1"]], dtype=object), Fraction(0))
    data = Dataset(np.array([[1, -1]], dtype=object), np.array([1], dtype=object))
    with pytest.raises(SignUnknown):
        unroll_long(net, data, rate=_lifted(), times=[1e6])


def test_rationals_are_asked_for_in_balls() -> None:
    """The logistic function is irrational, whatever the time."""
    with pytest.raises(Inexact):
        unroll_long(_net(Fraction(1, 4)), _data(), rate=EXACT.scalar(RATE), times=[1])
