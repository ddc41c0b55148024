"""The data-correlated decomposition, in float64 and in balls."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from refute.arithmetic.numbers import EXACT, FLOAT, balls
from refute.errors import BadInput, Inexact
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.descent.single import descend
from refute.models.kou2023.decomposition import (
    batch_courses,
    first_step_after,
    last_step_before,
    stage_length,
    unroll,
    unroll_long,
    unroll_weights,
)
from refute.models.loss import LOGISTIC
from refute.models.network import TwoLayer, signed_halves


def _case(slope: Fraction = Fraction(1, 4)) -> tuple[TwoLayer, Dataset]:
    inner = np.array(
        [["1/8", "-1/16", "0"], ["-1/8", "1/4", "1/8"], ["1/16", "1/16", "-1/8"], ["-1/4", "-1/8", "1/2"]], dtype=object
    )
    net = signed_halves(inner[:2], inner[2:], slope)
    return net, Dataset(
        np.array([["1", "1/16", "0"], ["0", "-3/2", "1/8"]], dtype=object), np.array([1, -1], dtype=object)
    )


@pytest.mark.parametrize("slope", [Fraction(0), Fraction(1, 4)])
def test_the_coefficients_rebuild_the_weights(slope: Fraction) -> None:
    """w(0) + sum_i rho_i |x_i|^-2 x_i is what descent on the weights gives; margins, signals and loss belong to it."""
    net, data = (lift(part, FLOAT) for part in _case(slope))
    run = descend(net, data, LOGISTIC, rate=0.7, steps=50, every=1, slope_at_zero=1.0, train_outer=False)
    found = unroll(net, data, rate=0.7, steps=50)
    np.testing.assert_allclose(found.weights.reshape(run.inner.shape), run.inner, rtol=0, atol=1e-14)
    np.testing.assert_allclose(found.signals.reshape(51, 4, 2), run.inner @ data.inputs.T, rtol=0, atol=1e-14)
    np.testing.assert_allclose(found.loss, run.loss, rtol=1e-13)
    np.testing.assert_allclose(found.logits, 1 / (1 + np.exp(found.margins)), rtol=1e-13)


def test_own_and_opposite_follow_the_labels() -> None:
    """Sample 0 has label 1, so its own neurons come first; sample 1 has label -1. Own coefficients grow, opposite ones
    fall.
    """
    net, data = (lift(part, FLOAT) for part in _case())
    found = unroll(net, data, rate=0.7, steps=3)
    np.testing.assert_array_equal(found.own(found.rho)[..., 1], found.rho[:, 1, :, 1])
    np.testing.assert_array_equal(found.opposite(found.rho)[..., 0], found.rho[:, 1, :, 0])
    assert (found.own(found.rho)[1:] > 0).all()
    assert (found.opposite(found.rho)[1:] < 0).all()
    np.testing.assert_array_equal(found.starts_active, [[True, False], [False, True]])
    assert found.beta == np.abs(net.inner @ data.inputs.T).max()


def test_balls_enclose_the_float_run_and_rationals_refuse_the_logistic_loss() -> None:
    """The same recursion in balls; the logits are irrational unless an output is exactly zero."""
    net, data = _case()
    floats = unroll(lift(net, FLOAT), lift(data, FLOAT), rate=0.5, steps=40)
    with ctx.workprec(192):
        enclosed = unroll(lift(net, balls(192)), lift(data, balls(192)), rate=arb("0.5"), steps=40)
        middle = np.array([float(v.mid()) for v in enclosed.rho.reshape(-1)])
        assert max(float(v.rad()) for v in enclosed.rho.reshape(-1)) < 1e-50
    np.testing.assert_allclose(middle, floats.rho.reshape(-1), rtol=1e-13)
    with pytest.raises(Inexact):
        unroll(lift(net, EXACT), lift(data, EXACT), rate=EXACT.scalar(Fraction(1, 2)), steps=1)
    still = TwoLayer(net.inner * 0, net.outer, net.slope)
    first = unroll(lift(still, EXACT), lift(data, EXACT), rate=EXACT.scalar(Fraction(1, 2)), steps=0)
    assert [str(s) for s in first.logits[0]] == ["1/2", "1/2"]


def test_long_runs_agree_with_every_step() -> None:
    """Direct steps and the reduced system give the same coefficients at step 2000."""
    net, data = _case()
    every = unroll(lift(net, FLOAT), lift(data, FLOAT), rate=0.5, steps=2000)
    long = unroll_long(net, data, rate=0.5, times=[10, 2000])
    np.testing.assert_allclose(long.rho, every.rho[[10, 2000]], rtol=1e-7)
    np.testing.assert_allclose(long.margins, every.margins[[10, 2000]], rtol=1e-7)


def test_other_ways_to_step_agree() -> None:
    """Descent on the weights, and many starts at once."""
    net, data = (lift(part, FLOAT) for part in _case())
    found = unroll(net, data, rate=0.5, steps=30)
    last = list(unroll_weights(net, data, rate=0.5, steps=30))[-1]
    np.testing.assert_allclose(last.inner, found.weights[-1].reshape(4, 3), rtol=0, atol=1e-14)
    many = list(batch_courses(data, np.stack([net.inner, 2 * net.inner]), slope=0.25, rate=0.5, steps=30))
    np.testing.assert_allclose(many[-1][0][0], found.signals[-1].reshape(4, 2), rtol=0, atol=1e-14)
    np.testing.assert_allclose(many[-1][1][0], found.rho[-1].reshape(4, 2), rtol=0, atol=1e-14)


def test_another_slope_keeps_the_weights() -> None:
    """In any arithmetic, and the first network stays what it is."""
    net = lift(_case()[0], balls(64))
    other = net.with_slope(arb(0.75))
    assert other.inner is net.inner
    assert (other.slope, net.slope) == (0.75, 0.25)


def test_steps_around_a_real_time_are_on_its_side() -> None:
    """Also when the time is a whole number."""
    net, data = _case()
    length = stage_length(net, data, 0.5)
    assert length == pytest.approx(2 * 2 / (0.5 * (9 / 4 + 1 / 64)))
    assert last_step_before(100.0) < 100 < first_step_after(100.0) <= 101
    assert (last_step_before(0.5), first_step_after(0.5)) == (0, 1)


def test_other_second_layers_are_refused() -> None:
    """(3.1) fixes 1/m and -1/m."""
    net, data = _case()
    with pytest.raises(BadInput, match="outer weights"):
        unroll(TwoLayer(net.inner, net.outer * 2, net.slope), data, rate=Fraction(1), steps=1)
