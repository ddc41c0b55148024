"""Refutations and witnesses of chistikov2023 once more, from the paper's definitions and by hand.

Nothing of the project is imported. The paper has three sentences that fail as printed; its own refutation, readings and
witnesses follow.
"""

from fractions import Fraction as Q

import numpy as np
import sympy

REFUTES = {
    "test_a_yardstick_has_no_derivative_where_it_crosses_a_point": "chistikov2023.definition.yardstick",
    "test_the_normalised_point_is_nearer_than_root_rho": "chistikov2023.experiment.uncentred_expected_distance",
    "test_neurons_on_both_sides_of_a_line": "chistikov2023.theta_vstar.is_balanced_rank_one_interpolators",
    "test_the_flow_ends_at_a_norm_that_is_not_least": "chistikov2023.conjecture.norm_minimisation_refuted.r1",
    "test_without_noise_the_linear_bound_repels": "chistikov2023.set_S.psi_up_nonlinearity_needed.r1",
    "test_a_long_step_raises_the_loss": "conjectures.every_step_size_lowers_the_loss",
}
AGAINST = {"test_n_to_the_n_is_more_than_e_to_a_multiple_of_n": "chistikov2023.assumption_2.growth_of_bound.r1"}
WITNESSES = {
    "test_the_ellipsoid_is_left_at_a_point": "chistikov2023.set_S.xi_face_not_everywhere_repelling",
    "test_two_neurons_of_rank_two_cost_less": "chistikov2023.theorem_8.rank_two_counterexamples.minimum",
    "test_m_is_positive_within_narrow_angles": "chistikov2023.theorem_8.not_minimal_when_M_positive.at_any_angle",
    "test_two_teachers_agree_on_one_point": "chistikov2023.remark.fewer_points_than_dimension",
}


def _dot(u, v):
    return sum((a * b for a, b in zip(u, v, strict=True)), Q(0))


def _relu(u):
    return max(u, Q(0))


def _assert_correlated(v, points, labels):
    """A unit teacher, angles below 45 degrees, labels of the teacher."""
    assert _dot(v, v) == 1
    for x, y in zip(points, labels, strict=True):
        assert 0 < _dot(v, x) == y
        assert 2 * _dot(v, x) ** 2 > _dot(x, x)


def _assert_generic(v, points):
    """The points span the space, and v, Hv, ... do: eigenvalues differ and v has a part along every eigenvector."""
    x, axis = sympy.Matrix([[sympy.Rational(str(e)) for e in row] for row in points]), sympy.Matrix([str(e) for e in v])
    second = x.T * x
    assert x.rank() == len(v)
    assert sympy.Matrix.hstack(*(second**k * axis for k in range(len(v)))).det() != 0


def test_a_yardstick_has_no_derivative_where_it_crosses_a_point():
    """An auxiliary path obeys its equation at every time. From z = (1, 2) it crosses (-1, 0): the derivatives before
    and after are (-9/2, 3) and (-5, 3), times its length.
    """
    v, (x1, x2), z = (Q(-1), Q(0)), ((Q(-1), Q(0)), (Q(-3), Q(2))), (Q(1), Q(2))
    _assert_correlated(v, (x1, x2), (1, 3))
    _assert_generic(v, (x1, x2))
    assert _dot(z, x1) < 0 < _dot(z, x2)  # active on the second alone, on no boundary; the sign is +1
    before = [Q(3, 2) * e for e in x2]  # (1/2) y_2 x_2
    c = -_dot(z, x1) / _dot(before, x1)
    crossing = [a + c * g for a, g in zip(z, before, strict=True)]
    assert c > 0
    assert _dot(crossing, x1) == 0 < _dot(crossing, x2)  # it meets one boundary
    after = [g + Q(1, 2) * e for g, e in zip(before, x1, strict=True)]
    assert _dot(after, x1) > 0  # and goes across, so that from then on both points push
    assert (before, after) == ([Q(-9, 2), Q(3)], [Q(-5), Q(3)])


def test_the_normalised_point_is_nearer_than_root_rho():
    """The expected distance of v* from the mean is said to be root rho. By quadrature for d = 64: x_0 has one normal
    coordinate along mu, and the length of the others is that of a chi variable.
    """
    d, rho = 64, np.sqrt(2) - 1
    g, r = np.linspace(-9, 9, 1001)[:, None], np.linspace(0.01, 20, 2001)[None]
    log_density = -g * g / 2 - r * r / 2 + (d - 2) * np.log(r)
    weight = np.exp(log_density - log_density.max())
    along, across = 1 + np.sqrt(rho / d) * g, np.sqrt(rho / d) * r
    size = np.hypot(along, across)
    normalised, plain = np.sqrt(2 - 2 * along / size), np.hypot(along - 1, across)
    mean = [float((weight * each).sum() / weight.sum()) for each in (normalised, plain)]
    assert mean[0] < 0.57 < 0.64 < np.sqrt(rho)
    assert abs(mean[1] - np.sqrt(rho)) < 0.003  # before normalisation it is right


def test_neurons_on_both_sides_of_a_line():
    """The networks of Theta are said to be all balanced ones of rank 1 and loss 0: w and -3w with outer weights 1 and
    3 are another one.
    """
    v, points, labels = (Q(1), Q(0)), ((Q(2), Q(1)), (Q(9), Q(-8))), (2, 9)
    _assert_correlated(v, points, labels)
    _assert_generic(v, points)
    neurons = [(Q(1), (Q(3, 5), Q(4, 5))), (Q(3), (Q(-9, 5), Q(-12, 5)))]
    assert all(a * a == _dot(w, w) for a, w in neurons)  # balanced
    assert neurons[0][1][0] * neurons[1][1][1] == neurons[0][1][1] * neurons[1][1][0]  # rank 1
    assert all(sum(a * _relu(_dot(w, x)) for a, w in neurons) == y for x, y in zip(points, labels, strict=True))
    assert neurons[0][1][1] != 0  # not along v*
    assert sum(_dot(w, w) for _, w in neurons) == 10  # and not 1


def test_the_flow_ends_at_a_norm_that_is_not_least():
    """The conjecture is that the flow from zero picks an interpolator of least norm. Here it ends at 2 from every small
    scale, and two neurons, in fractions, cost 1.9673.
    """
    v, points, labels = (Q(1), Q(0), Q(0)), [(Q(4), Q(1), Q(-3)), (Q(3), Q(1), Q(2)), (Q(3), Q(1), Q(-1))], (4, 3, 3)
    _assert_correlated(v, points, labels)
    _assert_generic(v, points)
    pair = [(Q(1615, 1731), Q(290, 1731), Q(-58, 1731)), (Q(2749, 273498), Q(917, 273498), Q(58, 1731))]
    assert all(sum(_relu(_dot(u, x)) for u in pair) == y for x, y in zip(points, labels, strict=True))
    assert sum(2 * float(_dot(u, u)) ** 0.5 for u in pair) < 1.9674  # |theta|^2 of the balanced network

    x, y = np.array(points, dtype=float), np.array(labels, dtype=float)
    w = _trained(np.array([(1e-3, 0.0, 0.0), (0.0, 1e-3, 1e-3), (-1e-5, 1e-5, -3e-5)]), x, y)
    assert (w @ x.T > 0).all()  # then a w = v* where the labels are fitted, since the points span
    assert np.abs(np.linalg.norm(w, axis=1)[:, None] * (w @ x.T) - y).max() < 1e-4
    assert np.abs(2 * (w * w).sum(axis=1) - 2).max() < 1e-3


def _trained(w, x, y, step=0.1, count=12000):
    """The flow of one balanced neuron of positive sign, a = |w|, from several starts, by Runge and Kutta."""

    def speed(w):
        a = np.sqrt((w * w).sum(axis=1))[:, None]
        along = w @ x.T
        return a * (((y - a * np.maximum(along, 0)) * (along > 0)) @ x) / len(y)

    for _ in range(count):
        k1 = speed(w)
        k2 = speed(w + step / 2 * k1)
        k3 = speed(w + step / 2 * k2)
        w = w + step / 6 * (k1 + 2 * k2 + 2 * k3 + speed(w + step * k3))
    return w


def test_without_noise_the_linear_bound_repels():
    """No linear bound is said to do in place of the curved one. On the face p_2 = p_1 of the linear one the flow of an
    exactly aligned bundle goes inwards at every point with p_1 < 1.
    """
    eta, nu = (Q(3, 2), Q(1), Q(1, 2)), (Q(2, 3), Q(2, 3), Q(1, 3))
    p1, p3, size, along = sympy.symbols("p1 p3 A B", positive=True)
    p = (p1, p1, p3)
    assert eta[0] > eta[1] > eta[2] > 0
    assert sum(c * c for c in nu) == 1
    speed = [size * sympy.Rational(str(e)) * (1 - share) + along * share for e, share in zip(eta, p, strict=True)]
    assert sympy.expand(speed[0] - speed[1] - size * (1 - p1) / 2) == 0  # d(p_1 - p_2)/dt = A q_1/2 > 0


def test_a_long_step_raises_the_loss():
    """A step of gradient descent never raises the loss: one neuron w = 1, a = 0 with x = 2, y = 1 and step 1."""
    w, a, x, y = Q(1), Q(0), Q(2), Q(1)
    residual = y - a * _relu(w * x)
    w, a = w + residual * a * x, a + residual * _relu(w * x)
    assert (y - a * _relu(w * x)) ** 2 == 9 > residual**2 == 1


def test_n_to_the_n_is_more_than_e_to_a_multiple_of_n():
    """The bound of Assumption 2 is said to be exponential in n: with m, delta, Delta = 1 its logarithm is a multiple of
    n ln n, more than any multiple of n.
    """
    n = sympy.Symbol("n", positive=True)
    epsilon = sympy.Rational(1, 4)
    size = sympy.expand_log(sympy.log((n ** (9 * n)) ** (3 / epsilon)), force=True)
    assert sympy.limit(size / n, n, sympy.oo) == sympy.oo


def test_the_ellipsoid_is_left_at_a_point():
    """The boundary of the ellipsoid need not repel: at v = (15, 3)/14 it is left."""
    points, v = ((Q(1), Q(1, 4)), (Q(5, 4), Q(-1))), (Q(15, 14), Q(3, 14))
    _assert_correlated((Q(1), Q(0)), points, (Q(1), Q(5, 4)))

    def second_moment(u):
        return [sum(_dot(x, u) * x[k] for x in points) / 2 for k in (0, 1)]

    g = second_moment((1 - v[0], -v[1]))
    assert _dot(v, g) == 0
    assert _dot(g, g) - _dot(v, second_moment(g)) < 0  # d<v, g>/dt over |v|, since dv/dt = |v| g here


def test_two_neurons_of_rank_two_cost_less():
    """There are interpolators of rank 2 that cost less than every copy of the teacher: 26 root(35)/77 < 2."""
    v, points, labels = (Q(1), Q(0), Q(0)), ((Q(2), Q(-1), Q(0)), (Q(2), Q(1), Q(1)), (Q(3), Q(0), Q(1))), (2, 2, 3)
    _assert_correlated(v, points, labels)
    _assert_generic(v, points)
    pair = [[Q(e, 66) for e in (65, -1, 3)], [Q(e, 462) for e in (1, -5, -3)]]
    assert all(sum(_relu(_dot(u, x)) for u in pair) == y for x, y in zip(points, labels, strict=True))
    assert [_dot(u, u) for u in pair] == [Q(35, 36), Q(35, 462**2)]  # lengths 1/6 and 1/462, times root(35)
    assert (2 * (Q(1, 6) + Q(1, 462))) ** 2 * 35 == Q(26, 77) ** 2 * 35 < 4


def test_m_is_positive_within_narrow_angles():
    """However small the angles, two neurons may cost less than one: v* - xi chi_3 and xi (0, 1, 0) for points within
    sqrt(2)/n of the teacher.
    """
    for n in (2, 10, 1000):
        v, points = (Q(1), Q(0), Q(0)), ((2 * n, -2, 2), (2 * n * n, 0, 2 * n + 1), (n, 1, 1))
        points = [tuple(Q(e) for e in x) for x in points]
        labels = [x[0] for x in points]
        _assert_correlated(v, points, labels)
        _assert_generic(v, points)
        assert all(n * n * (x[1] ** 2 + x[2] ** 2) <= 2 * x[0] ** 2 for x in points)
        chi = [Q(str(e)) for e in sympy.Matrix([[int(e) for e in x] for x in points]).inv()[:, 2]]
        assert [_dot(chi, x) for x in points] == [0, 0, 1]
        xi = Q(1, 100 * n**4)
        pair = [[a - xi * c for a, c in zip(v, chi, strict=True)], [Q(0), xi, Q(0)]]
        assert all(sum(_relu(_dot(u, x)) for u in pair) == y for x, y in zip(points, labels, strict=True))
        assert _dot(pair[0], pair[0]) < (1 - xi) ** 2  # |u_1| + |u_2| < 1


def test_two_teachers_agree_on_one_point():
    """With fewer points than dimensions the teacher is not determined: (1, 0) and (3, 4)/5 agree on (2, 1)."""
    for v in ((Q(1), Q(0)), (Q(3, 5), Q(4, 5))):
        _assert_correlated(v, [(Q(2), Q(1))], [2])
