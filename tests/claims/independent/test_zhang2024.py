r"""zhang2024: counterexamples to printed sentences, derived again from the paper's definitions without the project.

Notation: sigma is the ReLU, alpha = 0; <.> is the average over the data; W1 has a row per neuron.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

import mpmath
import pytest
import sympy

F = Fraction
Vector = tuple[F, ...]
Sample = tuple[Vector, F]
Neuron = tuple[Vector, F]  # inner weights w_1h, outer weight w_2h

REFUTES = {
    "test_the_logistic_flow_has_the_label_where_the_output_is_printed": "zhang2024.eq_7a.logistic_first_layer",
    "test_the_logistic_flow_of_the_second_layer_likewise": "zhang2024.eq_7b.logistic_second_layer",
    "test_the_logistic_flow_of_linear_networks_likewise": "zhang2024.eq_10a.linear_logistic_first_layer",
    "test_lemma_9_compares_a_linear_with_a_quadratic_quantity": "zhang2024.lemma_9.derivative_bound",
    "test_the_cubic_term_lacks_the_input": "zhang2024.eq_24a.difference_first_layer",
    "test_a_middle_layer_does_not_follow_the_linear_flow": "zhang2024.eq_42.intermediate_layers",
    "test_no_constants_make_the_deep_flow_linear": "zhang2024.eq_42.same_as_linear_up_to_constants",
    "test_the_block_equation_is_not_the_full_one": "zhang2024.f2.rewrite_as_42",
    "test_the_closed_form_is_not_the_network_at_time_zero": "zhang2024.corollary_14.closed_form",
    "test_half_space_averages_are_twice_the_integrals": "zhang2024.lemma_10.proof_normalisation",
    "test_a_datum_on_the_hyperplane_breaks_the_half_masses": "zhang2024.lemma_10.half_mass",
    "test_a_datum_on_the_hyperplane_breaks_the_half_space_covariance": "zhang2024.lemma_10.covariance",
    "test_a_datum_on_the_hyperplane_does_not_move_the_first_layer": "zhang2024.eq_43.first_layer",
    "test_the_direction_rests_where_the_reduced_equations_turn_it": "zhang2024.f2.reduced_odes",
    "test_the_distance_is_not_the_integral_with_a_plus": "zhang2024.theorem_13.proof_integral_inequality",
    "test_the_middle_member_has_the_decaying_exponential": "zhang2024.theorem_13.proof_error_decomposition",
    "test_the_lines_of_the_gronwall_display_differ": "zhang2024.theorem_13.proof_gronwall_display",
    "test_a_linear_neuron_against_the_label_never_fits_it": "zhang2024.sec_4_1.linear_net_reaches_ols",
    "test_a_linear_neuron_against_the_label_never_separates": "zhang2024.sec_4_1.linear_net_reaches_max_margin",
    "test_relu_neurons_against_the_labels_never_fit_them": "zhang2024.corollary_6.ols_limit",
    "test_zero_weights_are_balanced_and_have_no_direction": "zhang2024.theorem_5.rank_argument",
    "test_the_gates_of_the_logistic_display_are_exchanged": "zhang2024.theorem_5.logistic_simplify_first",
}


def dot(a: Sequence[F], b: Sequence[F]) -> F:
    return sum((x * y for x, y in zip(a, b, strict=True)), F(0))


def relu(z: F) -> F:
    return max(z, F(0))


def output(net: Sequence[Neuron], x: Vector) -> F:
    return sum((a * relu(dot(w, x)) for w, a in net), F(0))


def correlation(data: Sequence[Sample]) -> Vector:
    """beta = <y x>."""
    return tuple(sum((y * x[k] for x, y in data), F(0)) / len(data) for k in range(len(data[0][0])))


def covariance(data: Sequence[Sample]) -> list[Vector]:
    """Sigma = <x x^T>."""
    count = range(len(data[0][0]))
    return [tuple(sum((x[j] * x[k] for x, _ in data), F(0)) / len(data) for k in count) for j in count]


def is_even_and_odd(data: Sequence[Sample]) -> bool:
    """Condition 3: with each x the inputs hold -x, and y(-x) = -y(x) for one function y."""
    labels = dict(data)
    return len(labels) == len(data) and all(labels[tuple(-v for v in x)] == -y for x, y in data)


def has_rank_one_with(net: Sequence[Neuron], r: Vector) -> bool:
    """Assumption 4: W1 = W2^T r^T with a unit vector r, and both signs of W2 have the same norm."""
    balanced = sum((a * abs(a) for _, a in net), F(0)) == 0
    return dot(r, r) == 1 and balanced and all(w == tuple(a * v for v in r) for w, a in net)


def square_flow(net: Sequence[Neuron], data: Sequence[Sample]) -> list[Neuron]:
    """Eq. (6) with sigma'(0) = 0, tau = 1."""
    velocity = []
    for w, a in net:
        gates = [F(int(dot(w, x) > 0)) for x, _ in data]
        residuals = [y - output(net, x) for x, y in data]
        moved = (g * a * e for g, e in zip(gates, residuals, strict=True))
        first = [tuple(g * v for v in x) for g, (x, _) in zip(moved, data, strict=True)]
        second = sum((e * relu(dot(w, x)) for e, (x, _) in zip(residuals, data, strict=True)), F(0))
        velocity.append(
            (tuple(sum(column, F(0)) / len(data) for column in zip(*first, strict=True)), second / len(data))
        )
    return velocity


def one(x: int | F, y: int | F) -> Sample:
    return ((F(x),), F(y))


def logistic(sign: int, w: object, a: object, x: int, y: int, act: Callable[[object], object]) -> mpmath.mpf:
    """ln(1 + e^{sign y f}) of one neuron on one datum."""
    return mpmath.log(1 + mpmath.exp(sign * y * mpmath.mpf(a) * act(mpmath.mpf(w) * x)))


def positive(z: mpmath.mpf) -> mpmath.mpf:
    return max(z, mpmath.mpf(0))


@pytest.mark.parametrize("sign", [1, -1], ids=["as printed", "with its usual sign"])
def test_the_logistic_flow_has_the_label_where_the_output_is_printed(sign: int):
    """The printed flow of the first layer is not minus the gradient of the logistic loss, with either sign of it."""
    w, a, x, y = 1.0, 0.1, 1, 1
    assert w * x > 0  # off the kink, where the loss is differentiable
    f = a * w * x
    printed = a * f * x / (mpmath.exp(y * f) + 1)
    gradient = -mpmath.diff(lambda v: logistic(sign, v, a, x, y, positive), w)
    assert abs(printed - gradient) > 0.04
    usual = a * y * x / (mpmath.exp(y * f) + 1)  # with y for f
    assert sign == 1 or abs(usual - gradient) < 1e-9


@pytest.mark.parametrize("sign", [1, -1], ids=["as printed", "with its usual sign"])
def test_the_logistic_flow_of_the_second_layer_likewise(sign: int):
    """The printed flow of the second layer is not minus the gradient either."""
    w, a, x, y = 1.0, 0.1, 1, 1
    hidden = w * x
    printed = a * hidden * hidden / (mpmath.exp(y * a * hidden) + 1)
    gradient = -mpmath.diff(lambda v: logistic(sign, w, v, x, y, positive), a)
    assert abs(printed - gradient) > 0.4


@pytest.mark.parametrize("sign", [1, -1], ids=["as printed", "with its usual sign"])
def test_the_logistic_flow_of_linear_networks_likewise(sign: int):
    """Nor is the printed flow of linear networks."""
    w, a, x, y = -1.0, 0.1, 1, 1
    printed = a * a * w * x * x / (mpmath.exp(y * a * w * x) + 1)
    gradient = -mpmath.diff(lambda v: logistic(sign, v, a, x, y, lambda z: z), w)
    assert abs(printed - gradient) > 0.04


def test_lemma_9_compares_a_linear_with_a_quadratic_quantity():
    """|<sigma sigma'>| is not below |W1| Tr Sigma: it is linear in the inputs, and the bound is quadratic."""
    data = [one(F(1, 4), 0), one(F(-1, 4), 0)]
    assert is_even_and_odd(data)
    w = F(1)
    left = sum(relu(w * x) * int(w * x > 0) for (x,), _ in data) / len(data)
    assert left == F(1, 8)
    assert abs(w) * covariance(data)[0][0] == F(1, 16)


def test_the_cubic_term_lacks_the_input():
    """The velocity of W~ - W in the first layer is not its linear part plus W2^T W2 <sigma sigma'>."""
    data = [one(2, 4), one(-2, -4)]
    assert is_even_and_odd(data)
    w, a, outer_tilde = F(1), F(1), F(1)
    (beta,) = correlation(data)
    ((exact,), _) = square_flow([((w,), a)], data)[0]
    left = F(1, 2) * outer_tilde * beta - exact  # (21) minus (6a)
    products = sum(relu(w * x) * int(w * x > 0) for (x,), _ in data) / len(data)
    printed = F(1, 2) * (outer_tilde - a) * beta + a * a * products
    assert (left, printed) == (2, 1)


# A three-layer network at the weights (40): r_1 = r_2 = (1, -1)/sqrt(2), r = 1, u = sqrt(2), on the data +-(1, 2).
THREE = {"W1": (F(1), F(-1)), "W2": ((F(1), F(0)), (F(0), F(1))), "W3": (F(1), F(-1))}
PAIR = [one(1, 2), one(-1, -2)]


def middle_velocity() -> list[list[F]]:
    """<sigma'(h_2) W3^T (y - f) sigma(h_1)^T> with sigma'(0) = 0, Eq. (11)."""
    found = [[F(0)] * 2 for _ in range(2)]
    for (x,), y in PAIR:
        below = [relu(w * x) for w in THREE["W1"]]
        signal = [dot(row, below) for row in THREE["W2"]]
        error = y - dot(THREE["W3"], [relu(z) for z in signal])
        for j in range(2):
            for k in range(2):
                found[j][k] += int(signal[j] > 0) * THREE["W3"][j] * error * below[k] / len(PAIR)
    return found


def linear_velocity(first: F, second: F) -> list[list[F]]:
    """W3^T (first beta - second W3 W2 W1 Sigma) W1^T."""
    (beta,), ((variance,),) = correlation(PAIR), covariance(PAIR)
    product = dot(THREE["W3"], [dot(row, THREE["W1"]) for row in THREE["W2"]])
    drive = first * beta - second * product * variance
    return [[a * drive * b for b in THREE["W1"]] for a in THREE["W3"]]


def test_a_middle_layer_does_not_follow_the_linear_flow():
    """At weights of the form (40) an intermediate layer does not move as Eq. (42) says."""
    assert is_even_and_odd(PAIR)
    half = F(1, 2)
    assert middle_velocity() == [[half, 0], [0, half]]
    assert linear_velocity(F(1, 2), F(1, 4)) == [[half, -half], [-half, half]]


def test_no_constants_make_the_deep_flow_linear():
    """Whatever the coefficients are, the linear flow fills the blocks that the ReLU flow leaves at zero."""
    moved = middle_velocity()
    assert moved[0][0] != 0
    assert moved[0][1] == 0
    for first in (F(1, 2), F(1), F(-2), F(0)):
        for second in (F(1, 4), F(1), F(-1, 3)):
            linear = linear_velocity(first, second)
            assert abs(linear[0][0]) == abs(linear[0][1])


def test_the_block_equation_is_not_the_full_one():
    """The last line of Eq. (44) at weights (40) is not Eq. (42)."""
    v = F(1)  # u/sqrt(2)
    plus, minus = F(1), F(-1)  # the entries of sqrt(2) r_1 and sqrt(2) r_2
    (beta,), ((variance,),) = correlation(PAIR), covariance(PAIR)
    drive = v**2 * (beta - v**3 * variance) / 2
    blocks = [[drive * plus * plus, F(0)], [F(0), drive * minus * minus]]
    assert blocks == middle_velocity()
    assert blocks != linear_velocity(F(1, 2), F(1, 4))


def test_the_closed_form_is_not_the_network_at_time_zero():
    """With u_0 = |W1(0)| the closed form (38) is not the map that the ReLU network has at t = 0."""
    net, r, data = [((F(1),), F(1)), ((F(-1),), F(-1))], (F(1),), [one(1, 2), one(-1, -2)]
    assert is_even_and_odd(data)
    assert has_rank_one_with(net, r)
    assert covariance(data) == [(F(1),)]
    s, square = abs(correlation(data)[0]), sum(dot(w, w) for w, _ in net)
    along = r[0] * correlation(data)[0] / s
    q1, q2 = 1 - along, 1 + along
    rest = (r[0] - along * correlation(data)[0] / s) * 2 / q2
    ratio = q1 / q2
    denominator = 4 / q2**2 * (1 / square) + (1 + ratio**2) * 0 / s  # 1 - e^{-2st} = 0
    printed = (1 + ratio) * (correlation(data)[0] / s * (1 - ratio) + rest) / denominator
    assert printed == 2
    assert output(net, (F(1),)) == 1


def test_half_space_averages_are_twice_the_integrals():
    """For the uniform law on [-1, 1] and r = 1 neither line of the proof of Lemma 10 holds, though the law is even."""
    x, density = sympy.symbols("x"), sympy.Rational(1, 2)
    mass = sympy.integrate(density, (x, 0, 1))
    over_plus = sympy.integrate(x**2 * density, (x, 0, 1))
    over_minus = sympy.integrate(x**2 * density, (x, -1, 0))
    whole = sympy.integrate(x**2 * density, (x, -1, 1))
    assert mass == sympy.Rational(1, 2)
    average = over_plus / mass
    assert average == whole  # Lemma 10 itself
    assert average != over_plus / 2
    assert whole != over_plus / 2 + over_minus / 2
    assert whole != over_plus


def test_a_datum_on_the_hyperplane_breaks_the_half_masses():
    """With inputs -1, 0, 1, an even law, an open half space has a third of the data and not half."""
    data = [one(-1, -1), one(0, 0), one(1, 1)]
    assert is_even_and_odd(data)
    assert F(sum(x > 0 for (x,), _ in data), len(data)) == F(1, 3)


def test_a_datum_on_the_hyperplane_breaks_the_half_space_covariance():
    """On the same data the average of x^2 over x > 0 is not its average over all data."""
    data = [one(-1, -1), one(0, 0), one(1, 1)]
    assert is_even_and_odd(data)
    inside = [x * x for (x,), _ in data if x > 0]
    assert sum(inside) / len(inside) == 1
    assert covariance(data)[0][0] == F(2, 3)


def test_a_datum_on_the_hyperplane_does_not_move_the_first_layer():
    """The first layer does not move as the last line of Eq. (43) says when the data lie on r.x = 0."""
    data = [((F(0), F(1)), F(1)), ((F(0), F(-1)), F(-1))]
    net, r = [((F(1), F(0)), F(1)), ((F(-1), F(0)), F(-1))], (F(1), F(0))  # (40): L = 2, u = sqrt(2)
    assert is_even_and_odd(data)
    assert all(y == x[1] for x, y in data)  # the target is linear
    assert has_rank_one_with(net, r)
    v, beta, sigma = F(1), correlation(data), covariance(data)
    row = [b - v**2 * dot(r, column) for b, column in zip(beta, zip(*sigma, strict=True), strict=True)]
    printed = [tuple(v * a * entry / 2 for entry in row) for _, a in net]  # u^{L-1}/sqrt(2)^L r_1 is v a/2
    assert [w for w, _ in square_flow(net, data)] == [(0, 0), (0, 0)]
    assert printed == [(0, F(1, 2)), (0, F(-1, 2))]


def test_the_direction_rests_where_the_reduced_equations_turn_it():
    """By the reduced equations u r turns at once; the network keeps its direction."""
    inputs = [(F(1), F(0)), (F(-1), F(0)), (F(0), F(1)), (F(0), F(-1))]
    data = [(x, x[0] + x[1]) for x in inputs]
    net, r = [((F(1), F(0)), F(1)), ((F(-1), F(0)), F(-1))], (F(1), F(0))
    assert is_even_and_odd(data)
    assert has_rank_one_with(net, r)
    v, beta, sigma = F(1), correlation(data), covariance(data)
    reduced = [v * (b - v**2 * dot(r, column)) / 2 for b, column in zip(beta, zip(*sigma, strict=True), strict=True)]
    assert reduced == [0, F(1, 4)]  # d(vr)/dt
    assert all(w[1] == 0 for w, _ in square_flow(net, data))


def test_the_distance_is_not_the_integral_with_a_plus():
    r"""|W - W~| is not |int (alpha+1)/2 M (W - W~) + epsilon dt|: epsilon enters with a minus.

    One neuron w = a = 1/3 on the data +-(1, 1): w' = w(1 - w^2)/2, solved in closed form, and w~' = w~/2.
    """
    data, start = [one(1, 1), one(-1, -1)], F(1, 3)
    assert is_even_and_odd(data)
    assert square_flow([((start,), start)], data)[0] == ((start * (1 - start**2) / 2,), start * (1 - start**2) / 2)
    low, end = mpmath.mpf(1) / 3, mpmath.log(3) / 2  # tau/(s + Tr Sigma) ln(1/u(0))

    def tilde(t: mpmath.mpf) -> mpmath.mpf:
        return low * mpmath.exp(t / 2)

    def exact(t: mpmath.mpf) -> mpmath.mpf:
        return tilde(t) / mpmath.sqrt(1 + low**2 * (mpmath.exp(t) - 1))

    def integral(sign: int) -> mpmath.mpf:
        """Of one component; both layers have the same, and epsilon = w^3/2 in each."""
        return mpmath.quad(lambda t: (exact(t) - tilde(t)) / 2 + sign * exact(t) ** 3 / 2, [0, end])

    assert abs(mpmath.diff(exact, 0.3) - exact(0.3) * (1 - exact(0.3) ** 2) / 2) < 1e-9
    distance = mpmath.sqrt(2) * (tilde(end) - exact(end))
    assert mpmath.nstr(distance, 3) == "0.0238"
    assert mpmath.nstr(mpmath.sqrt(2) * abs(integral(1)), 3) == "0.0182"
    assert abs(mpmath.sqrt(2) * abs(integral(-1)) - distance) < 1e-9


def test_the_middle_member_has_the_decaying_exponential():
    """Subtracting e^{-kt} r1 from W~ is not what was subtracted from W on the left, e^{kt} r1."""
    growth, inner, outer = F(2), F(1), F(1)  # e^{kt}; one neuron in one dimension, beta > 0
    r1 = (inner + outer) / 2
    tilde = (growth * (inner + outer) + (inner - outer) / growth) / 2  # first component of (23)
    left, middle = tilde - growth * r1, tilde - r1 / growth  # both without W - W~
    right = (inner - outer) / growth / 2
    assert left == right
    assert middle - left == F(3, 2)


@pytest.mark.parametrize("tau", [1, 2])
def test_the_lines_of_the_gronwall_display_differ(tau: int):
    """The bracket with t in the integrand is not the next line; with the variable of integration only for tau = 1."""
    c, b, t = mpmath.mpf(6), mpmath.sqrt(2), mpmath.mpf(1)  # s = Tr Sigma = 1
    growth = mpmath.exp(c * t / tau)
    second = growth + b * (mpmath.exp((c + b) * t / tau) - 1) / (c + b) - mpmath.exp(b * t)

    def bracket(inner: Callable[[mpmath.mpf], mpmath.mpf]) -> mpmath.mpf:
        return growth - 1 + mpmath.quad(lambda v: (inner(v) - 1) * b * mpmath.exp(b * v), [0, t])

    assert bracket(lambda v: growth) > 1.3 * second
    meant = bracket(lambda v: mpmath.exp(c * v / tau))
    assert (abs(meant - second) < 1e-9) == (tau == 1)


def linear_neuron_flow(w: F, a: F, pull: Callable[[F], F]) -> tuple[F, F]:
    """One linear neuron on one datum x = 1: (a g, w g) with g = -dLoss/df at f = a w."""
    return a * pull(a * w), w * pull(a * w)


@pytest.mark.parametrize("c", [F(1), F(1, 2), F(1, 100)])
def test_a_linear_neuron_against_the_label_never_fits_it(c: F):
    """w = a = c > 0 on the datum (1, -1) stays on the line w = a and only shrinks, so f > 0 while w* = -1."""
    velocity = linear_neuron_flow(c, c, lambda f: -1 - f)
    assert velocity[0] == velocity[1] == -c * (1 + c * c)
    assert -(1 + c * c) < 0  # c' = -c (1 + c^2): c falls, and is never zero in finite time
    assert c * c - (-1) > 1  # the distance of the map from Sigma^-1 beta = -1


@pytest.mark.parametrize("c", [F(1), F(1, 2), F(1, 100)])
def test_a_linear_neuron_against_the_label_never_separates(c: F):
    """w = c, a = -c on the datum (1, 1) stays on the line w = -a for any loss of y f, so f < 0 has the wrong sign."""
    for strength in (F(1, 2), F(1, 3), F(9, 10)):  # 1/(1 + e^f) is between 0 and 1
        first, second = linear_neuron_flow(c, -c, lambda f, g=strength: g)
        assert first == -second == -c * strength
    assert c * -c < 0


@pytest.mark.parametrize("c", [F(1), F(1, 2), F(1, 100)])
def test_relu_neurons_against_the_labels_never_fit_them(c: F):
    """The neurons -c, c with outer weights c, -c keep that form on the data +-(1, 1), so f(1) < 0 while w* = 1."""
    net, data = [((-c,), c), ((c,), -c)], [one(1, 1), one(-1, -1)]
    assert is_even_and_odd(data)
    assert has_rank_one_with(net, (F(-1),))
    assert correlation(data)[0] / covariance(data)[0][0] == 1
    speed = -c * (1 + c * c) / 2
    assert square_flow(net, data) == [((-speed,), speed), ((speed,), -speed)]
    assert output(net, (F(1),)) == -c * c


def test_zero_weights_are_balanced_and_have_no_direction():
    """W1 W1^T = W2^T W2 does not give W1 rank one: all weights may be zero."""
    inner, outer = sympy.zeros(2, 3), sympy.zeros(1, 2)
    assert inner * inner.T == outer.T * outer
    assert inner.rank() == 0


def test_the_gates_of_the_logistic_display_are_exchanged():
    r"""Not each sign of equality of the first display after (37) holds when a datum has r.x = 0.

    Inputs -1, 0, 1 with labels -1, 0, 1; neurons 1, -1 with outer weights 1, -1. First entry, S+ closed as in (26).
    """
    data, net = [one(-1, -1), one(0, 0), one(1, 1)], [((F(1),), F(1)), ((F(-1),), F(-1))]
    assert is_even_and_odd(data)
    assert has_rank_one_with(net, (F(1),))
    product = sum(w[0] * a for w, a in net)  # W2 W1

    def weight(x: F, y: F) -> mpmath.mpf:
        return 1 / (mpmath.exp(float(y * product * x) / 2) + 1)

    def mean(values: list[mpmath.mpf]) -> mpmath.mpf:
        return sum(values) / len(values)

    plus, minus = ([(x, y) for (x,), y in data if (x >= 0) == side] for side in (True, False))
    terms = [int(x > 0) * product * x * x * weight(x, y) for (x,), y in data]
    halves = mean([int(x > 0) * product * x * x * weight(x, y) for x, y in plus]) / 2  # nothing is active on S-
    following = mean([product * x * x * weight(x, y) for x, y in minus]) / 2  # printed: W2+ enters on S-
    assert [mpmath.nstr(value, 2) for value in (mean(terms), halves, following)] == ["0.18", "0.13", "0.27"]
