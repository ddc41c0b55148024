r"""The time course of a two-layer network under Condition 3 and Assumption 4 with white inputs, zhang2024 Corollary 14,
Eq. (38).
"""

from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput
from refute.functions import exp, norm, sqrt


def time_course(
    direction: Array, scale_squared: Number, correlation: Array, slope: Number, tau: Number, time: Number
) -> Array:
    r"""w(t) with f(x; W(t)) = w(t)^T x, as printed: `direction` is the unit vector r, `scale_squared` is u_0^2 (their
    |W1(0)|^2).

    With s = |beta|, b = beta/s, T = (alpha+1) t / (2 tau), q1 = 1 - r^T b, q2 = 1 + r^T b, E = e^{-sT},
        w = (1 + q1/q2 E^2) [b (1 - q1/q2 E^2) + 2/q2 (I - b b^T) r E]
            / [4/q2^2 (u_0^{-2} + (1 - (r^T b)^2) T) E^2 + (1/s)(1 + q1^2/q2^2 E^2)(1 - E^2)].
    """
    size, direct = _strength(correlation)
    cosine = direction @ direct
    q1, q2 = 1 - cosine, 1 + cosine
    if not (q2 > 0 or q2 < 0):
        raise BadInput(
            "the weights point against the correlation: r = -beta/|beta|", "Eq. (38) divides by 1 + r^T beta/|beta|"
        )
    scaled = (slope + 1) * time / (2 * tau)
    decay = exp(-size * scaled)
    ratio = q1 / q2
    square = decay * decay
    numerator = direct * (1 - ratio * square) + (direction - direct * cosine) * (2 / q2 * decay)
    denominator = 4 / (q2 * q2) * (1 / scale_squared + (1 - cosine * cosine) * scaled) * square
    denominator = denominator + (1 + ratio * ratio * square) * (1 - square) / size
    result: Array = numerator * ((1 + ratio * square) / denominator)
    return result


def linear_time_course(direction: Array, scale_squared: Number, correlation: Array, tau: Number, time: Number) -> Array:
    r"""w(t) = W2 W1 of a linear network from W1 = W2^T r^T, |r| = 1, with white inputs; u_0^2 = |W1(0)|^2. Derived
    here, not printed.

    With a = |W2| and q = a r the flow is tau dq/dt = a (beta - a q), tau da/dt = q^T (beta - a q). Its solution is
    projective: (q, a) = (Q, P)/N with tau d(Q, P)/dt = (P beta, beta^T Q), the early phase, and N^2 = 1 + (2/tau)
    int_0^t P^2, so w = P Q / N^2.
    """
    size, direct = _strength(correlation)
    cosine = direction @ direct
    rate, start = size / tau, sqrt(scale_squared)
    up, down = exp(rate * time), exp(-rate * time)
    grows, decays = (1 + cosine) / 2, (1 - cosine) / 2
    level = start * (grows * up + decays * down)
    vector = direct * (start * (grows * up - decays * down)) + (direction - direct * cosine) * start
    area = (grows * grows * (up * up - 1) + decays * decays * (1 - down * down)) / (
        2 * rate
    ) + 2 * grows * decays * time
    result: Array = vector * (level / (1 + 2 * scale_squared * area / tau))
    return result


def _strength(correlation: Array) -> tuple[Number, Array]:
    if not any(correlation):
        raise BadInput("inputs and labels are uncorrelated: s = |beta| = 0", "the time course divides by s")
    size = norm(correlation)
    return size, correlation / size
