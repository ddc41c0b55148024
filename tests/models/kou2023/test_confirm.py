"""Second opinions on gradient descent: they agree with the first, notice what is false, and are silent unless asked."""

import numpy as np
import pytest

from refute.arithmetic.numbers import FLOAT
from refute.decide.confirmation import confirming
from refute.errors import BadInput
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.descent.exact import ball_descent
from refute.models.kou2023 import confirm, confirm_long, decomposition
from refute.models.kou2023.confirm import ball_grade, extended, relative_gap
from refute.models.kou2023.confirm_long import long_gap
from refute.models.kou2023.decomposition import batch_courses, unroll, unroll_long, unroll_weights
from refute.models.loss import LOGISTIC
from refute.models.network import signed_halves
from refute.models.training import Stop

TIMES = np.geomspace(1, 1e20, 20)


def small(seed: int) -> tuple[TwoLayer, Dataset]:
    """Nearly orthogonal inputs and a small start, ReLU or leaky."""
    rng = np.random.default_rng(seed)
    n, m = (int(k) for k in rng.integers(1, 4, 2))
    inputs = np.eye(n, 4) + 0.03 * rng.standard_normal((n, 4))
    starts = 0.01 * rng.standard_normal((2, m, 4))
    net = signed_halves(starts[0], starts[1], (0.0, 0.3)[seed % 2])
    return lift(net, FLOAT), lift(Dataset(inputs, rng.choice([-1.0, 1.0], n)), FLOAT)


def late_joiner() -> tuple[TwoLayer, Dataset]:
    """A neuron that starts inactive on the second sample and that the first one pushes there, long after the direct
    steps.
    """
    net = signed_halves(np.array([[0.1, 0.1], [0.1, -0.3]]), np.array([[-0.1, -0.1], [-0.1, -0.2]]), 0.0)
    return lift(net, FLOAT), lift(Dataset(np.array([[1.0, 0.0], [0.015625, 1.0]]), np.array([1.0, 1.0])), FLOAT)


@pytest.mark.parametrize("seed", range(8))
def test_steps_agree_with_balls_and_with_extended_precision(seed: int) -> None:
    """Coefficients, weights and a batch of one start are all confirmed."""
    net, data = small(seed)
    with confirming() as opinions:
        unroll(net, data, rate=0.25, steps=60)
        list(unroll_weights(net, data, rate=0.25, steps=20))
        list(batch_courses(data, net.inner[None], slope=float(net.slope), rate=0.25, steps=60))
    assert opinions.grades == ["confirmed"] * 3


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5, 6, 7, 8])
def test_long_descent_agrees_with_the_second_method(seed: int) -> None:
    """To 10^20 within 1e-9, and the error is widened by the distance."""
    net, data = small(seed)
    alone = unroll_long(net, data, rate=0.25, times=TIMES)
    with confirming() as opinions:
        course = unroll_long(net, data, rate=0.25, times=TIMES)
    assert opinions.grades == ["confirmed"]
    assert 0 < course.error - alone.error < 1e-9
    assert (course.signals == alone.signals).all()


def test_the_second_method_steps_like_balls() -> None:
    """Frozen gates from step 40 on against 400 steps in balls."""
    net, data = small(3)
    run = ball_descent(net, data, LOGISTIC, rate=0.25, steps=400, slope_at_zero=1.0, train_outer=False)
    exact = np.array([float(w.mid()) for w in run.inner[-1].reshape(-1)]).reshape(net.inner.shape)
    ((u, _),) = confirm_long._second(net, data, 0.25, np.array([400.0]), 40, 1e-11)
    assert np.abs(u - exact @ data.inputs.T).max() < 1e-8


def test_a_neuron_that_joins_late_is_followed() -> None:
    """The pattern changes after the direct steps of both methods, and they agree on what follows."""
    net, data = late_joiner()
    with confirming() as opinions:
        course = unroll_long(net, data, rate=0.1, times=TIMES)
    signs = course.signals[:, 0, 1, 1] > 0
    assert not signs[course.steps < 1e4].any()
    assert signs[-1]
    assert opinions.grades == ["confirmed"]


def test_a_false_long_run_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coefficients off by a millionth are contradicted, and widen the error by as much."""
    net, data = small(1)
    true = decomposition.long_descent

    def false(*args: object, **settings: object) -> object:
        run = true(*args, **settings)  # type: ignore[arg-type]
        run.coefficients[-1] *= 1 + 1e-6
        return run

    monkeypatch.setattr(decomposition, "long_descent", false)
    with confirming() as opinions:
        course = unroll_long(net, data, rate=0.25, times=TIMES)
    assert opinions.grades == ["contradicted"]
    assert "forward differences differ by 1e-06, and their errors allow" in opinions.disputes[0]
    assert 0.9e-6 < course.error < 1.1e-6


def test_false_steps_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A logit that is off by a ten-millionth is no longer that of descent."""
    net, data = small(1)
    monkeypatch.setattr(decomposition, "expit", lambda z: confirm.expit(z) * (1 + 1e-7))
    with confirming() as opinions:
        unroll(net, data, rate=0.25, steps=60)
        list(batch_courses(data, net.inner[None], slope=float(net.slope), rate=0.25, steps=60))
    assert opinions.grades == ["contradicted", "contradicted"]
    assert "in balls differ by" in opinions.disputes[0]
    assert "in extended precision differ by" in opinions.disputes[1]


def test_a_wrong_sign_in_a_batch_is_noticed() -> None:
    """Also where it moves nothing else."""
    net, data = small(1)
    courses = list(batch_courses(data, net.inner[None], slope=0.3, rate=0.25, steps=3))
    assert confirm.batch_grade(data, net.inner[None], courses, slope=0.3, rate=0.25, at_zero=1.0)[0] == "confirmed"
    courses[2][0][0, 0, 0] = 0.0
    assert confirm.batch_grade(data, net.inner[None], courses, slope=0.3, rate=0.25, at_zero=1.0)[0] == "contradicted"


def test_a_sign_that_round_off_decides_is_only_repeated() -> None:
    """A signal of size 10^-14 that float64 takes for zero: the sign differs, and the two are as near as they can be."""
    net, data = small(1)
    inner = net.inner.copy()
    inner[0] -= (inner[0] @ data.inputs[0] - 1e-14) * data.inputs[0] / (data.inputs[0] @ data.inputs[0])
    courses = list(batch_courses(data, inner[None], slope=0.3, rate=0.25, steps=0))
    courses[0][0][0, 0, 0] = 0.0
    assert confirm.batch_grade(data, inner[None], courses, slope=0.3, rate=0.25, at_zero=1.0)[0] == "repeated"


def test_nothing_is_computed_twice_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No second method runs, and steps are still taken one at a time."""
    for module, name in ((confirm, "ball_grade"), (confirm, "batch_grade"), (confirm_long, "long_gap")):
        monkeypatch.setattr(module, name, None)
    net, data = small(2)
    unroll(net, data, rate=0.25, steps=5)
    unroll_long(net, data, rate=0.25, times=[1e6])
    assert next(unroll_weights(net, data, rate=0.25, steps=10**9)) is net
    assert next(batch_courses(data, net.inner[None], slope=0.0, rate=0.25, steps=10**9))[0].shape == (
        1,
        net.width,
        len(data.labels),
    )


def test_signs_that_keep_changing_stay_repeated() -> None:
    """A neuron that slides along a boundary: the first method ends early, the second gives up, and the error is what it
    was.
    """
    net, data = small(4)
    alone = unroll_long(net, data, rate=0.25, times=TIMES)
    with confirming() as opinions:
        course = unroll_long(net, data, rate=0.25, times=TIMES)
    assert alone.stop is Stop.CHATTERS
    assert opinions.grades == ["repeated"]
    assert course.error == alone.error


def test_what_it_cannot_follow_stays_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three labels at one input: the amounts grow with t, and only the first method keeps what is bounded apart."""
    monkeypatch.setattr(confirm_long, "MOST_RATES", 2000)
    net = lift(signed_halves(np.array([[0.3]]), np.array([[0.1]]), 0.5), FLOAT)
    data = lift(Dataset(np.ones((3, 1)), np.array([1.0, 1.0, -1.0])), FLOAT)
    with confirming() as opinions:
        unroll_long(net, data, rate=0.25, times=TIMES)
    assert opinions.grades == ["repeated"]


def test_too_many_steps_are_refused() -> None:
    """A certificate is to be checked in seconds."""
    net, data = small(2)
    with pytest.raises(BadInput, match="too many"):
        next(extended(data, net.inner, slope=0.0, rate=0.25, steps=10**6, at_zero=1.0))
    with pytest.raises(BadInput, match="no time"):
        long_gap(net, data, rate=0.25, times=np.array([]), signals=np.array([]), rho=np.array([]), direct=10)
    weights = np.zeros((10**6, 1, 1))
    assert ball_grade(net, data, rate=0.25, at_zero=1.0, weights=weights)[0] == "repeated"


def test_gaps_are_relative_at_each_time_and_infinite_where_undefined() -> None:
    """Relative to the largest entry at that time."""
    assert relative_gap(np.array([[1.0, 0.0], [100.0, 1.0]]), np.array([[1.0, 0.0], [100.0, 2.0]])) == 0.01
    assert relative_gap(np.array([[np.nan]]), np.array([[1.0]])) == np.inf
    assert relative_gap(np.array([]), np.array([])) == 0.0
