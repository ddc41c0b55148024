"""Counterexamples to sentences of min2024, derived again by hand: nothing of `refute` is used, data are typed in."""

from fractions import Fraction
from itertools import product
from math import cos, exp, log, sin, sqrt, tau

import numpy as np
import sympy

REFUTES = {
    "test_zeta_is_the_smaller_one": "min2024.eq_26.zeta",
    "test_a_neuron_starts_in_the_cone_of_the_larger_zeta": "min2024.sec_C.S_zeta_excluded",
    "test_a_pattern_outlasts_the_printed_time": "min2024.sec_3_3.pattern_duration",
    "test_a_neuron_arrives_after_its_travel_time": "min2024.sec_C.path_travel_time",
    "test_a_dead_neuron_may_wake": "min2024.lemma_12.dead",
    "test_centres_are_not_opposite": "min2024.lemma_8.centre_identity",
    "test_the_harmonic_sum_of_one_datum": "min2024.sec_C.dead_travel_time",
    "test_one_datum_has_no_alignment_time": "min2024.theorem_1.directional_convergence.explicit_t1",
    "test_the_slope_of_the_logistic_loss_is_half_the_label": "min2024.lemma_2.logistic.main",
    "test_the_window_of_slopes_misses_the_logistic_loss": "min2024.eq_40.gradient_window.logistic",
    "test_the_limit_of_the_directions_is_half_as_fast": "min2024.eq_4.direction_approximation.logistic",
    "test_in_one_dimension_half_of_the_neurons_are_aligned": "min2024.remark.assumption_2_almost_sure",
    "test_the_cosine_falls_faster_than_its_bound": "min2024.eq_37.refined_drift",
    "test_lemma_3_gives_twice_the_printed_bound": "min2024.eq_29.output_small.r1",
    "test_outputs_of_negative_data_tend_to_minus_infinity": "min2024.sec_D3.output_divergence",
    "test_equal_signs_are_no_closed_condition": "min2024.eq_49.closed_set",
    "test_flows_of_both_signs_point_to_both_sides": "min2024.sec_E2.no_zeno_condition",
    "test_a_dead_arc_consists_of_local_maximisers": "min2024.sec_2_2.extreme_vectors",
    "test_half_of_all_neurons_land_where_two_solutions_leave": "min2024.remark_7.irregular_rare",
    "test_the_origin_is_always_dead": "min2024.sec_3.cone_S_dead.possibly_empty",
    "test_the_printed_flow_is_an_ascent": "min2024.eq_2.flow_direction",
}

Point = tuple[float | Fraction, ...]


def inner(x: Point, z: Point) -> float | Fraction:
    return sum(a * b for a, b in zip(x, z, strict=True))


def squared_cosine(x: Point, z: Point) -> float | Fraction:
    return inner(x, z) ** 2 / (inner(x, x) * inner(z, z))


def separated(data: list[Point], labels: list[int]) -> bool:
    """Assumption 1: y_i y_j <x_i, x_j> > 0 for all pairs."""
    pairs = zip(data, labels, strict=True)
    return all(y * z * inner(x, u) > 0 for (x, y), (u, z) in product(list(pairs), repeat=2))


def test_zeta_is_the_smaller_one():
    """With zeta = max(zeta_1, zeta_2) of Lemma 8 and (26) a positive neuron starts in the cone of zeta round x_-."""
    x, z, w = (Fraction(1), Fraction(0)), (Fraction(-1), Fraction(1)), (Fraction(-1, 2), Fraction(1))
    assert separated([x, z], [1, -1])
    assert inner(w, z) > 0
    assert squared_cosine(w, z) == Fraction(9, 10)  # below one: Assumption 2, with x_- = z
    zeta_2 = Fraction(1, 10)
    assert squared_cosine(w, z) <= 1 - zeta_2  # (26), and no larger number is admissible
    zeta_1 = Fraction(49, 100)  # the hyperplane nearest to x_- has cos^2 = 1/2 with it: the cone of zeta_1 avoids it
    assert max(1 - squared_cosine(z, each) for each in (x, z)) == Fraction(1, 2) < 1 - zeta_1
    assert not squared_cosine(w, z) < 1 - max(zeta_1, zeta_2)


def test_a_neuron_starts_in_the_cone_of_the_larger_zeta():
    """No neuron of the other sign is in the cone of zeta round a centre during [0, T]: it is, at time zero."""
    x, w, label, sign = (Fraction(1), Fraction(2)), (Fraction(0), Fraction(1)), 1, -1
    assert separated([x], [label])
    assert sign != label  # so that x is the wrong centre, x_+
    assert squared_cosine(w, x) == Fraction(4, 5)
    zeta_1, zeta_2 = Fraction(99, 100), Fraction(1, 5)
    assert 0 < zeta_1 < squared_cosine(x, x)  # Lemma 8: all that cos^2 >= 1 - zeta_1 > 0 lets in is active on x
    assert squared_cosine(w, x) <= 1 - zeta_2  # (26)
    assert squared_cosine(w, x) > 1 - max(zeta_1, zeta_2)


ANTIPODAL, TILT = [(Fraction(1), Fraction(0)), (Fraction(-1), Fraction(0))], Fraction(1, 2**40)


def _time_beside_the_negative_datum() -> float:
    """A lower bound on the time that (-1, tilt), v > 0, stays active on (-1, 0) alone, for e^{-1000} = epsilon.

    There theta, the angle from (-1, 0), obeys theta' = e^f sin(theta) for the exponential loss, f = |v| <w, x> is at
    most its first value and sin(theta) at most theta: there is no right angle before log(1/theta_0) / e^f.
    """
    return log(1 / TILT) / exp(exp(-2000) * (1 + TILT**2))


def _rate() -> float:
    """min(zeta, xi) sqrt(mu) X_min with zeta = zeta_1 = xi = 99/100, mu = X_min = 1."""
    assert separated(ANTIPODAL, [1, -1])
    mu = min(y * z * inner(x, u) for (x, y), (u, z) in product(zip(ANTIPODAL, (1, -1), strict=True), repeat=2))
    w, zeta_1, xi = (Fraction(-1), TILT), 0.99, 0.99
    assert mu == 1
    assert inner(w, ANTIPODAL[1]) ** 2 < inner(w, w)  # Assumption 2: not along x_-
    # S_- is the open half plane w_1 < 0: every cone cos > 0 round x_- lies in it; what is in neither S_+ nor S_- is
    # orthogonal to all data
    assert 0 < zeta_1 < 1
    assert 0 < xi < 1
    return min(zeta_1, xi) * sqrt(mu)


def _reaches(time: float) -> bool:
    """That epsilon = e^{-1000} is small enough for (28), and T is at least this time."""
    n, longest = 2, 1.0
    terms = log(0.99 / (4 * n)), -64 * n * longest / _rate() * log(n)
    return min(terms) >= -1000 and time <= 1000 / (4 * n * longest)


def test_a_pattern_outlasts_the_printed_time():
    """A pattern of n_a data lasts at most 4 / (min(zeta, xi) sqrt(mu) X_min n_a): one of one datum lasts longer."""
    stays = _time_beside_the_negative_datum()
    assert _reaches(stays)
    assert stays > 27
    assert 4 / _rate() < 4.05


def test_a_neuron_arrives_after_its_travel_time():
    """A neuron is in S_+ by the travel time of its path: it is not, since its first pattern alone takes longer."""
    stays = _time_beside_the_negative_datum()
    assert _reaches(stays)
    longest_path = [(0, 1), (1, 1)]  # from (0, n_-) = (0, 1); a point (1, 0) is the end, and other paths are shorter
    assert stays > sum(4 / (_rate() * (plus + minus)) for plus, minus in longest_path)


def test_a_dead_neuron_may_wake():
    """Dead neurons stay dead along any solution: w = (1, sinh s), v = cosh s with s' = e^{-v w_2} leaves the edge."""
    s = sympy.Symbol("s", nonnegative=True)
    w, v, label = sympy.Matrix([1, sympy.sinh(s)]), sympy.cosh(s), 1
    x = sympy.Matrix([0, 1])
    assert sympy.simplify(v**2 - w.dot(w)) == 0  # balanced, and Assumption 2 is empty: there is no x_-
    pull = label * sympy.exp(-label * v * x.dot(w))  # minus the slope of the exponential loss, where <x, w> > 0
    speed = sympy.exp(-v * x.dot(w))  # of s; positive, so that s grows from 0
    assert sympy.simplify(sympy.diff(w, s) * speed - pull * v * x) == sympy.zeros(2, 1)
    assert sympy.simplify(sympy.diff(v, s) * speed - pull * x.dot(w)) == 0
    assert x.dot(w).subs(s, 0) == 0  # in S_dead at t = 0
    assert x.dot(w).subs(s, sympy.Rational(1, 2)) > 0  # and not any more


def test_centres_are_not_opposite():
    """x_+ = -x_-: not for two positive data and one negative."""
    data, labels = [(Fraction(1),), (Fraction(1),), (Fraction(-1),)], [1, 1, -1]
    assert separated(data, labels)
    plus, minus = (sum(x[0] for x, y in zip(data, labels, strict=True) if y == own) for own in (1, -1))
    assert (plus, minus) == (2, -1)
    assert plus != -minus


def test_the_harmonic_sum_of_one_datum():
    """4 (1 + 1/2 + ... + 1/n_a) is at most 16 log n for all n_a <= n: not for n = 1."""
    n = active = 1
    assert 4 * sum(Fraction(1, k) for k in range(1, active + 1)) > 16 * log(n)


def test_one_datum_has_no_alignment_time():
    """At t_1 = 16 log n / r every positive neuron is in S_+ or dead: for n = 1 this is the start, and it is neither."""
    x, label, w = (1, 1), -1, (1, 0)
    assert separated([x], [label])
    assert inner(w, x) ** 2 < inner(w, w) * inner(x, x)  # Assumption 2
    t_1 = 16 * log(1)
    assert t_1 == 0
    dead, in_s_plus = inner(w, x) <= 0, (inner(w, x) > 0) == (label > 0)
    assert not dead
    assert not in_s_plus


def _logistic_slope(y: float, output: float) -> float:
    """Minus the derivative of log(1 + e^{-y f}) with respect to f."""
    return y / (1 + exp(y * output))


def test_the_slope_of_the_logistic_loss_is_half_the_label():
    """|-dl - y| <= 2 |yhat|: for log(1 + e^{-y yhat}) the left side is 1/2 at yhat = 0."""
    for y in (1, -1):
        assert abs(_logistic_slope(y, 0) - y) == 1 / 2 > 2 * abs(0)


def test_the_window_of_slopes_misses_the_logistic_loss():
    """1/2 <= -dl <= 3/2 while the output of a positive datum is at most 1/4 in size."""
    output = 1 / 4
    assert _logistic_slope(1, output) < 0.44 < 1 / 2


def test_the_limit_of_the_directions_is_half_as_fast():
    """As epsilon vanishes d/dt w/|w| = sign(v) P_w x_a: not for the logistic loss."""
    x, w = np.array([1.0, 1.0]), np.array([1.0, 0.0])
    assert x @ w > 0
    across = np.eye(2) - np.outer(w, w)
    speed, printed = across @ (_logistic_slope(1, 0) * x), across @ x
    assert np.allclose(speed, printed / 2)
    assert np.linalg.norm(printed - speed) == 1 / 2


def test_in_one_dimension_half_of_the_neurons_are_aligned():
    """Gaussian starts satisfy Assumption 2 almost surely: on the line half of them point along the other centre."""
    x, label = 1.0, 1  # x_+ = 1, and a negative neuron must not point along it
    assert separated([(x,)], [label])
    for w in (0.3, 7.0):  # every positive w; the standard normal law gives them the probability 1/2
        assert w * x / (abs(w) * abs(x)) == 1


def test_the_cosine_falls_faster_than_its_bound():
    """d/dt cos(x_+, w) >= (1/3 - cos) sqrt(mu) n_+ X_min / 2 until an output exceeds 1/4.

    A positive neuron starts along x_+, hence in S_+ at once, and so small that its outputs are 1e-9; a negative neuron
    along x_- does not act on the positive data. Runge and Kutta's method in (log |w|, direction), which are coupled by
    the exponential loss.
    """
    ratio = 16384.0
    data = np.array([[ratio, 0.0], [ratio / 8, ratio / 2], [1.0, 1.0], [-1.0, -1.0]])
    labels = np.array([1, 1, 1, -1])
    rows = labels[:, None] * data
    sizes = np.linalg.norm(data, axis=1)
    mu = float((rows @ rows.T / np.outer(sizes, sizes)).min())
    assert mu > 0  # Assumption 1
    own = data[:3]
    centre = own.sum(axis=0)
    middle = centre / np.linalg.norm(centre)
    assert (own @ middle > 0).all()
    assert data[3] @ middle <= 0  # w is in S_+

    def field(state: np.ndarray) -> np.ndarray:
        """Of (log |w|, the direction u): v = |w|, f(x) = |w|^2 <u, x>, exponential loss."""
        u = state[1:]
        push = np.exp(-np.exp(2 * state[0]) * (own @ u)) @ own
        return np.array([u @ push, *(push - (u @ push) * u)])

    state, step = np.array([log(1e-9 / float(own[0] @ middle)) / 2, *middle]), 0.02 / float(np.linalg.norm(centre))
    while (largest := float((np.exp(2 * state[0]) * (own @ state[1:])).max())) < 0.2:
        k1 = field(state)
        k2 = field(state + step / 2 * k1)
        k3 = field(state + step / 2 * k2)
        state = state + step / 6 * (k1 + 2 * k2 + 2 * k3 + field(state + step * k3))
    assert largest < 1 / 4  # before t_2^+
    assert (own @ state[1:] > 0).all()
    cosine, speed = float(middle @ state[1:]), float(middle @ field(state)[1:])
    assert speed < -3 < (1 / 3 - cosine) * sqrt(mu) * 3 * float(sizes.min()) / 2


def test_lemma_3_gives_twice_the_printed_bound():
    """For every epsilon of (28) Lemma 3 gives (29): at x = y = w = v = 1 its bound is twice as large."""
    n = h = x = most = mu = Fraction(1)
    zeta = xi = Fraction(99, 100)
    least = min(mu, zeta, xi)
    epsilon = min(least * x / (4 * n * x**2 * most**2), 1)  # (28); log n = 0, and sqrt(h) = sqrt(mu) = 1
    assert epsilon == Fraction(99, 400)
    assert epsilon <= 1 / (4 * h * x * most**2)  # what Lemma 3 asks for
    assert 2 * epsilon * h * x * most**2 == 2 * (least * x / (4 * n * x))


def test_outputs_of_negative_data_tend_to_minus_infinity():
    """f = -(1/y) log l tends to plus infinity as the loss vanishes: for y = -1 it tends to minus infinity."""
    y = -1
    for loss in (1e-3, 1e-30, 1e-300):
        output = -1 / y * log(loss)
        assert np.isclose(exp(-y * output), loss)
        assert output < -6


def test_equal_signs_are_no_closed_condition():
    """{loss at most the first one, sign(v) = sign(v(0))} is closed: (w, 2^-k v) leaves it in the limit."""
    x, y, w, first = 1.0, -1, 1.0, 1.0
    losses = [exp(-y * v * max(w * x, 0)) for v in (first, *(first / 2**k for k in range(1, 60)), 0.0)]
    assert losses == sorted(losses, reverse=True)  # at most the first one, all the way to v = 0
    assert np.sign(first / 2**60) == np.sign(first) != np.sign(0.0)


def test_flows_of_both_signs_point_to_both_sides():
    """Near the hyperplane of a datum <N, F> has one sign: it has two, for v = |w| and v = -|w|."""
    data, labels = [(1.0, 1.0), (1.0, -0.5), (-1.0, 0.0)], [1, 1, -1]
    assert separated(data, labels)
    for angle in np.linspace(0, tau, 1000):  # S_dead = {0}: every direction sees a datum
        assert max(inner((cos(angle), sin(angle)), x) for x in data) > 0
    for delta in (1e-3, 1e-9):
        w, normal = (delta, 1.0), data[2]
        assert 0 < abs(inner(w, normal)) <= delta
        flows = []
        for v in (sqrt(inner(w, w)), -sqrt(inner(w, w))):
            outputs = [v * max(inner(w, x), 0) for x in data]
            pulls = [y * exp(-y * f) * v * (inner(w, x) > 0) for x, y, f in zip(data, labels, outputs, strict=True)]
            flows.append(sum(g * inner(normal, x) for g, x in zip(pulls, data, strict=True)))
        assert flows[0] * flows[1] < 0


def test_a_dead_arc_consists_of_local_maximisers():
    """sum_i y_i sigma(<x_i, w>) has finitely many local maximisers on the circle: it vanishes on half of it."""
    x, y = (1.0, 0.0), 1
    angles = np.linspace(tau / 4 + 1e-3, 3 * tau / 4 - 1e-3, 1001)
    values = [y * max(inner(x, (cos(a), sin(a))), 0) for a in angles]
    assert set(values) == {0.0}  # each inner point is a maximiser among its neighbours


def test_half_of_all_neurons_land_where_two_solutions_leave():
    """A random start avoids irregular solutions: with antipodal data all neurons of S_- land on the edge of S_dead.

    A positive neuron that sees only (-1, 0) moves along it and keeps its second coordinate; it stops being active at
    w_1 = 0, where both data are silent. There w = (0, c) may stay, or go on with w_1 > 0 as the datum (1, 0) pulls.
    """
    positive, negative, w = (1.0, 0.0), (-1.0, 0.0), (-0.7, 0.4)  # any w with w_1 < 0: half of the Gaussian law
    assert separated([positive, negative], [1, -1])
    assert inner(w, negative) > 0 >= inner(w, positive)
    landing = (0.0, w[1])
    assert inner(landing, positive) == inner(landing, negative) == 0  # dead
    s = sympy.Symbol("s", nonnegative=True)  # from there: w = (c sinh s, c), v = c cosh s, as for one datum
    c = sympy.Rational(2, 5)
    first, v = c * sympy.sinh(s), c * sympy.cosh(s)
    assert sympy.simplify(v**2 - first**2 - c**2) == 0
    assert sympy.diff(first, s) == v  # dw_1/ds = v, dv/ds = w_1: the flow on (1, 0) up to its positive slope
    assert sympy.diff(v, s) == first
    assert first.subs(s, 1) > 0


def test_the_origin_is_always_dead():
    """S_dead may be empty: the definition lets zero in, whatever the data."""
    for data in ([(6, 1), (6, -1), (-6, 1), (-6, -1)], [(1, 0)]):
        assert all(inner((0, 0), x) <= 0 for x in data)


def test_the_printed_flow_is_an_ascent():
    """W' in the subdifferential of L is the equation (12) of a neuron: their signs differ."""
    w, v, x, y = sympy.symbols("w v x y", real=True)
    loss = sympy.exp(-y * v * w * x)  # at a state with <x, w> > 0
    at = {w: 1, v: 1, x: 1, y: 1}
    printed = sympy.diff(loss, w).subs(at)
    f = sympy.Symbol("f", real=True)
    slope = sympy.diff(sympy.exp(-y * f), f).subs({f: v * w * x})
    neuron = (-slope * x * v).subs(at)  # (12)
    assert printed == -sympy.exp(-1)
    assert neuron == sympy.exp(-1)
