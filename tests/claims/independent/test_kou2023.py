"""Counterexamples to sentences of kou2023, derived again by hand: nothing of `refute` is used, data are typed in."""

from fractions import Fraction
from itertools import combinations
from math import exp, log, log1p, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

REFUTES = {
    "test_equal_inputs_share_their_coefficients": "kou2023.def_5_1.uniqueness",
    "test_a_sequence_starts_above_its_bound": "kou2023.lemma_5_3.upper",
    "test_neurons_with_a_small_slope_arrive_late": "kou2023.lemma_5_6.activation_pattern",
    "test_neurons_that_arrive_late_gain_less": "kou2023.lemma_5_7.bar_equal",
    "test_the_first_stage_ends_before_the_printed_ratio": "kou2023.lemma_e1.ratio_chain",
    "test_orthogonal_samples_leave_a_trace": "kou2023.lemma_e2.opposite_small",
    "test_the_same_trace_in_the_corollary": "kou2023.cor_e3.opposite_small",
    "test_without_overlaps_the_threshold_is_infinite": "kou2023.lemma_e2.threshold_time",
    "test_with_one_label_the_other_sum_is_negative": "kou2023.lemma_f1.signed_sum_lower.r1",
    "test_one_sample_against_a_thousand": "kou2023.lemma_f1.signed_sum_lower.r2",
    "test_with_one_label_row_sums_stand_still": "kou2023.eq_f2.A1_lower",
    "test_with_one_label_the_change_stands_still": "kou2023.lemma_f1.spectral_lower",
    "test_with_one_label_the_norm_stands_still": "kou2023.sec5.relu_spectral_omega",
    "test_the_first_step_lacks_the_share_of_active_neurons": "kou2023.lemma_f2.recursion_lower",
    "test_the_mean_of_a_column_is_one": "kou2023.lemma_f3.expected_matrix.r1",
    "test_a_has_half_as_many_entries": "kou2023.lemma_f3.a_norm_bounds",
    "test_coins_and_weights_of_a_column_depend_on_each_other": "kou2023.lemma_f3.frobenius_hoeffding",
    "test_the_two_logarithms_differ": "kou2023.cond_b5.beta_small",
}

Floats = NDArray[np.float64]
DELTA = 0.1


class Course(NamedTuple):
    """Inner weights (time, neuron, coordinate) and coefficients of (5.1) (time, neuron, sample); j = 1 comes first."""

    weights: Floats
    rho: Floats


def descent(x: Floats, y: Floats, start: Floats, rate: float, steps: int) -> Course:
    """Gradient descent (3.2) on the logistic loss, outer weights 1/m and -1/m, for ReLU with sigma'(0) = 1."""
    m, n = len(start) // 2, len(y)
    lean = np.repeat([1.0, -1.0], m)[:, None] * y
    weights, rho = [start], [np.zeros((2 * m, n))]
    for _ in range(steps):
        signals = weights[-1] @ x.T
        hidden = np.maximum(signals, 0)
        margins = y * (hidden[:m].mean(axis=0) - hidden[m:].mean(axis=0))
        push = rate / (n * m) * lean * (signals >= 0) / (1 + np.exp(margins))
        weights.append(weights[-1] + push @ x)
        rho.append(rho[-1] + push * (x * x).sum(axis=1))
    return Course(np.array(weights), np.array(rho))


def admitted(x: Floats, y: Floats, start: Floats, rate: float, scale: float, C: int) -> bool:
    """(E.2) to (E.4) for orthogonal inputs of norm one, and the events of Lemmas A.1 (signals) and A.2."""
    m, n = len(start) // 2, len(y)
    signals = start @ x.T
    own = np.where(y > 0, signals[:m] > 0, signals[m:] > 0).sum(axis=0)
    return bool(
        np.array_equal(x @ x.T, np.eye(n))
        and scale <= 1 / (C * sqrt(log(m * n / DELTA)))
        and rate <= n * m / C
        and np.abs(signals).max() <= sqrt(2 * log(8 * m * n / DELTA)) * scale
        and (np.abs(own - m / 2) <= m / 10).all()
    )


def test_equal_inputs_share_their_coefficients():
    """Coefficients of (5.1) are unique: with x_1 = x_2 = (1, 0) there are two lists for the same weights."""
    x, one, other = [(1, 0), (1, 0)], (1, 0), (0, 1)
    moved = [[sum(rho * each[k] for rho, each in zip(rhos, x, strict=True)) for k in (0, 1)] for rhos in (one, other)]
    assert one != other
    assert moved[0] == moved[1] == [1, 0]


def test_a_sequence_starts_above_its_bound():
    """The right half of (5.7), for x_0 = 1, C_1 = C_2 = 1 and steps e^{-x}: false at t = 0, and at t = 1 as well."""
    x = [1.0, 1 + exp(-1)]
    assert min(x) >= 0
    assert x[1] - x[0] == exp(-x[0])
    assert x[0] > log(exp(-1) + 0) + 1.9
    assert x[1] > log(exp(-1) + exp(1) * 1) + 0.2


def late_arrivals(steps: int) -> tuple[Floats, Floats]:
    """Signals and coefficients of the ten own neurons on x = e_1, label 1, for 400 Gaussian starts.

    C = 30, gamma = 1/1024, sigma_0 and eta at the bounds of Theorem 4.1. One input: no overlap, R = 1.
    """
    C, m, gamma = 30, 10, 1 / 1024
    scale, rate = 1 / (C * sqrt(log(m / DELTA))), m / C
    signals = scale * np.random.default_rng(20231).standard_normal((400, 2 * m))
    rho, lean = np.zeros_like(signals), np.repeat([1.0, -1.0], m)
    for _ in range(steps):
        gates = np.where(signals >= 0, 1, gamma)
        hidden = gates * signals
        margin = hidden[:, :m].mean(axis=1) - hidden[:, m:].mean(axis=1)
        push = rate / m * lean * gates / (1 + np.exp(margin))[:, None]
        signals, rho = signals + push, rho + push
    return signals[:, :m], rho[:, :m]


STAGE = 30 * 30  # T = C nm/(eta R_max^2) with eta = nm/(C R_max^2)


def test_neurons_with_a_small_slope_arrive_late():
    """Lemma 5.6 promises sign <w, x_i> = j y_i at T, with probability 9/10: it is right for no more than 1 in 100."""
    signals, _ = late_arrivals(STAGE)
    assert (signals > 0).all(axis=1).mean() < 0.01


def test_neurons_that_arrive_late_gain_less():
    """Lemma 5.7 promises equal gains of all own neurons after T; those on the wrong side gain a thousandth."""
    (_, before), (_, after) = late_arrivals(STAGE), late_arrivals(STAGE + 10)
    gains = after - before
    assert (gains.min(axis=1) > 0.99 * gains.max(axis=1)).mean() < 0.01


def test_the_first_stage_ends_before_the_printed_ratio():
    """(E.22) over (E.23) at T_1 = C nm/(eta R_max^2) is below the printed value when all inputs have norm 2."""
    n, m, C, beta, low, high = 1, 2, 100, 0.01, 4.0, 4.0
    rate = n * m / (C * high)
    t = C * n * m / (rate * high)
    lower = log(1 + rate * low * exp(-beta) / (5 * n * m) * t)
    upper = log(1 + 6 * rate * high * exp(2 * beta) / (5 * n * m) * t)
    assert lower / upper < log(1 + 0.2 * C * exp(-beta) * low) / log(1 + 1.2 * C * exp(2 * beta) * high) - 0.05


def crossing() -> tuple[Floats, Course]:
    """Two orthogonal samples of both labels, two neurons of either sign, one of them active on each sample."""
    x, y, unit = np.eye(2), np.array([1.0, -1.0]), 5 / 4096
    start = unit * np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]])
    assert admitted(x, y, start, rate=1 / 25, scale=5 / 1024, C=100)
    return x, descent(x, y, start, 1 / 25, 2000)


def trace_against_overlap() -> tuple[float, float]:
    """The least |rho-underbar| of the neuron (1, 1) on x_2 from the first step on, and R_min^-2 p n times rho-bar."""
    x, course = crossing()
    p = abs(float(x[0] @ x[1]))
    underbar = np.abs(course.rho[1:, 0, 1])
    assert (np.diff(underbar) >= 0).all()  # it never falls, so that no later time helps
    return float(underbar.min()), len(x) * p * float(course.rho[-1, 0, 0])


def test_orthogonal_samples_leave_a_trace():
    """Lemma E.2: |rho-underbar| is at most c R_min^-2 p n rho-bar in the end; the right side is 0, the left is not."""
    left, right = trace_against_overlap()
    assert left > 0.004
    assert right == 0


def test_the_same_trace_in_the_corollary():
    """Corollary E.3 says the same for all neurons that start active."""
    left, right = trace_against_overlap()
    assert left > 10**6 * right


def test_without_overlaps_the_threshold_is_infinite():
    """The proof of Lemma E.2 waits until rho-bar >= c_1 (beta + 1) R_min^2/(pn); times pn that is 0 >= beta + 1."""
    x, course = crossing()
    p, beta = abs(float(x[0] @ x[1])), float(np.abs(course.weights[0] @ x.T).max())
    assert course.rho[-1, 0, 0] > 0
    assert p * len(x) * course.rho[-1, 0, 0] < 1e-9 * (beta + 1)


def one_label() -> Course:
    """One sample of label 1, two neurons of either sign; those of sign -1 come to rest within a hundred steps."""
    x, y = np.array([[1.0]]), np.array([1.0])
    start = np.array([[1.0], [-1.0], [1.0], [1.0]]) / 256
    assert admitted(x, y, start, rate=1 / 50, scale=5 / 1024, C=100)
    course = descent(x, y, start, 1 / 50, 200)
    assert (course.weights[100, 2:] @ x.T < 0).all()  # ReLU: the gradient of W_{-1} is zero for ever
    assert np.array_equal(course.weights[100, 2:], course.weights[200, 2:])
    return course


def test_with_one_label_the_other_sum_is_negative():
    """For j = -1 the sum of A_t should be at least half of an empty sum, that is 0."""
    assert one_label().rho[-1, 2:].sum() < -0.007


def outgrown(constant: float, law: float = 1.0) -> bool:
    """Whether `law` times log t, at some finite t, exceeds a quantity that stands still."""
    log_t = (constant + 1) / law
    return law * log_t > constant


def test_with_one_label_row_sums_stand_still():
    """(F.2): |A_t 1| >= C sqrt(m) n log t for j = -1; the left side is a constant from step 100 on, for every C."""
    row_sums = float(np.linalg.norm(one_label().rho[-1, 2:].sum(axis=1)))
    assert all(outgrown(row_sums, C * sqrt(2)) for C in (1.0, 1e-3, 1e-9))


def test_with_one_label_the_change_stands_still():
    """The spectral norm of W_{-1} - W_{-1}(0) should grow like sqrt(mn) log t."""
    course = one_label()
    change = np.linalg.norm(course.weights[-1, 2:] - course.weights[0, 2:], ord=2)
    assert all(outgrown(float(change), C * sqrt(2)) for C in (1.0, 1e-3, 1e-9))


def test_with_one_label_the_norm_stands_still():
    """The spectral norm of W_{-1} itself should."""
    norm = np.linalg.norm(one_label().weights[-1, 2:], ord=2)
    assert all(outgrown(float(norm), C * sqrt(2)) for C in (1.0, 1e-3, 1e-9))


def test_one_sample_against_a_thousand():
    """m |S_-j| c R_min^-4 R_max^2 p n/(|S_j| min |S_i|) <= 1/2 under near-orthogonality with C = 100."""
    C, m, ours, theirs, active = 100, 10, 1, 1000, 5
    n = ours + theirs
    p = Fraction(1, C * n)  # inputs of norm 1: R_min^2 >= C R^2 n p with equality
    assert C * n * p <= 1
    assert 4 * m <= 10 * active <= 6 * m
    assert Fraction(m * theirs, ours * active) * p * n == 20 > Fraction(1, 2)


def test_the_first_step_lacks_the_share_of_active_neurons():
    """The mean of the active coefficients should gain eta e^-beta/(2nm) in the first step; it gains half of that."""
    course = one_label()
    eta, m, beta = 1 / 50, 2, 1 / 256
    gain = course.rho[1, :m][course.weights[0, :m, 0] > 0].sum() / m
    assert gain < 0.51 * eta * exp(-beta) / (2 * m)


def test_the_mean_of_a_column_is_one():
    """E[A] = G diag(a) with entries 1/2 of G, given that 2 of 5 neurons are active: a = 5/2, and the mean is 1."""
    m, s = 5, 2
    assert 4 * m <= 10 * s <= 6 * m
    draws = list(combinations(range(m), s))
    mean = sum(Fraction(m, s) for active in draws if 0 in active) / len(draws)
    assert mean == 1 != Fraction(1, 2) * Fraction(m, s)


def test_a_has_half_as_many_entries():
    """5/3 sqrt(n) <= |a|: a lists m/|S_i| for the n/2 samples of class 1, and |S_i| = m/2 for n = 2 gives |a| = 2."""
    n, m, active = 2, 10, [5]
    assert len(active) == n // 2
    assert all(4 * m <= 10 * s <= 6 * m for s in active)
    squared = sum(Fraction(m, s) ** 2 for s in active)
    assert squared == 4 < Fraction(25, 9) * n


def test_coins_and_weights_of_a_column_depend_on_each_other():
    """||A|_F^2 - m/2 sum a_i^2| <= sqrt(m log(2/delta)/2 sum a_i^4) with probability 1 - 2 delta: in none of 20 draws.

    Column i of A has |S_i| entries a_i = m/|S_i|.
    """
    m, n = 600, 8000
    assert m >= 50 * log(2 * n / DELTA)
    active = np.random.default_rng(20232).binomial(m, 0.5, size=(20, n // 2))
    a = m / active
    left = np.abs((active * a**2).sum(axis=1) - m / 2 * (a**2).sum(axis=1))
    right = np.sqrt(m * log(2 / DELTA) / 2 * (a**4).sum(axis=1))
    assert (left > right).all()


def test_the_two_logarithms_differ():
    """(B.2) with C = 10^6 should give beta <= gamma/20: with mn = 1 and delta = 1 - 10^-20 it allows 20000 gamma."""
    C, small, gamma = 10**6, 1e-20, 0.5
    logarithm = -log1p(-small)  # of mn/delta
    scale = gamma / (C * sqrt(logarithm))  # (B.2) with R_max = 1
    beta = sqrt(2 * (log(8) + logarithm)) * scale  # as large as Lemma A.1 admits
    assert beta > 20_000 * gamma
