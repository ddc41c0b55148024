"""Yardstick trajectories against an independent integration and the calibration values of instances A and B."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from refute.errors import BadInput
from refute.models.chistikov2023.yardstick import closest_approach, end_of_alignment, gamma, limit_shares, yardstick
from refute.models.dataset import Dataset

A = Dataset([[1, Fraction(1, 4)], [Fraction(5, 4), -1]], [1, Fraction(5, 4)])
A_STARTS = [((0.5, 1), 1), ((0.5, 1.5), 1), ((1.5, 0.5), -1)]
B = Dataset(
    [
        [1, Fraction(1, 2), 0],
        [1, -Fraction(1, 2), Fraction(1, 4)],
        [1, Fraction(1, 4), -Fraction(3, 4)],
        [1, 0, Fraction(1, 2)],
    ],
    [1, 1, 1, 1],
)
B_RUNS = [
    ((-0.4, 1, 1.5), 1, (1, 2), (0.5865, 1.172)),
    ((-0.2, -1, -0.5), 1, (2, 3, 0), (0.3806, 1.0018, 1.2838)),
    ((1, 0.25, 0.5), -1, (2, 1, 0, 3), (0.8029, 1.6154, 2.0171, 2.7855)),
    ((0.25, 1, -1), -1, (0, 2), (1.0051, 1.8451)),
]


def test_switching_times_of_instance_a():
    """tau and T_0 of the reference run, and the exact gamma."""
    runs = [yardstick(z, s, A) for z, s in A_STARTS]
    assert np.allclose(np.concatenate([one.times for one in runs]), [0.600284, 0.943549, 0.516236, 2.623481], atol=1e-6)
    assert runs[2].points == (1, 0)
    assert end_of_alignment(runs) == pytest.approx(3.62348, abs=1e-5)
    assert gamma(A, [True, True]).tolist() == [Fraction(41, 32), -Fraction(1, 2)]


@pytest.mark.parametrize(("z", "sign", "points", "times"), B_RUNS)
def test_events_of_instance_b(z, sign, points, times):
    """Crossing orders and times of instance B."""
    one = yardstick(z, sign, B)
    assert one.points == points
    assert np.allclose(one.times, times, atol=1e-4)


@pytest.mark.parametrize(("z", "sign", "points", "times"), B_RUNS)
def test_the_closed_form_solves_the_differential_equation(z, sign, points, times):
    """The path agrees with a numerical integration of d alpha/dt = s |alpha| gamma_{I_+(alpha)} stage by stage."""
    one = yardstick(z, sign, B)
    inputs, labels = B.inputs.astype(float), B.labels.astype(float)
    alpha, begin = np.array(z, dtype=float), 0.0
    for end in one.times:
        middle = one.at((begin + end) / 2)
        push = ((inputs @ middle > 0) * labels) @ inputs / len(labels)
        run = solve_ivp(
            lambda t, a, g=push: sign * np.linalg.norm(a) * g, (begin, end), alpha, "DOP853", rtol=1e-12, atol=1e-14
        )
        alpha, begin = run.y[:, -1], end
        assert np.allclose(one.at(end), alpha, rtol=1e-9, atol=1e-10)


def test_limit_shares_of_instance_a():
    """c_j^2 / sum c_k^2 is the limit of the squared norms."""
    shares = limit_shares([yardstick(z, s, A) for z, s in A_STARTS[:2]])
    assert np.allclose(shares, [0.5100619, 0.4899381], atol=1e-7)


def test_the_angle_is_known_when_it_underflows():
    """ln(1 - cos phi) falls linearly at rate 2 |gamma|, far below machine precision."""
    one = yardstick((0.5, 1), 1, A)
    strength = float(np.linalg.norm(gamma(A, [True, True]).astype(float)))
    late, later = one.log_one_minus_cosine_at(1000.0), one.log_one_minus_cosine_at(2000.0)
    assert late - later == pytest.approx(2000 * strength, rel=1e-12)
    direct = np.log(1 - one.direction_at(3.0) @ (gamma(A, [True, True]).astype(float) / strength))
    assert one.log_one_minus_cosine_at(3.0) == pytest.approx(direct, rel=1e-6)


def test_the_closest_approach_is_the_minimum_along_the_stages():
    """Component 9 of delta agrees with a fine grid."""
    one = yardstick(*B_RUNS[2][:2], B)
    inputs = B.inputs.astype(float)
    inputs = inputs / np.linalg.norm(inputs, axis=1, keepdims=True)
    grid, begin = np.inf, 0.0
    for k, end in enumerate(one.times):
        others = [i for i in range(4) if i != one.points[k] and (k == 0 or i != one.points[k - 1])]
        for t in np.linspace(begin, end, 400):
            grid = min(grid, np.abs(inputs[others] @ one.direction_at(t)).min(initial=np.inf))
        begin = end
    assert closest_approach(one, B) == pytest.approx(grid, abs=1e-4)
    assert closest_approach(one, B) <= grid + 1e-12


def test_points_met_together_are_approached_to_zero():
    """Two points on one ray are crossed at the same time."""
    data = Dataset([[1, 0], [1, 1], [2, 2], [0, 1]], [1, 1, 2, 1])
    one = yardstick((3, -4), 1, data)
    assert set(one.points[:2]) == {1, 2}
    assert one.times[0] == one.times[1]
    assert closest_approach(one, data) == 0


def test_a_zero_start_is_an_error():
    """z = 0 has no direction."""
    with pytest.raises(BadInput, match="nonzero"):
        yardstick((0, 0), 1, A)
