r"""What the network's own output does to the yardsticks of chistikov2023, to first order in lambda^2.

With w_j = lambda alpha_j the output is lambda^2 h, h_i = sum_k s_k |alpha_k| sigma(<alpha_k, x_i>), so alpha_j solves
an equation that depends on mu = lambda^2. With a = |alpha| and derivatives (beta, b) of (alpha, a) in mu at 0, while
the active set I is constant
    d beta/dt = s (b gamma_I - a r),   db/dt = s (<beta, gamma_I> - <alpha, r>),   r = (1/n) sum_{i in I} h_i x_i.
At a crossing of x the time moves by dtau/dmu = -<beta, x>/<d alpha/dt, x>, and (beta, b) jumps by minus that times the
jump of d(alpha, a)/dt.
In the last stage b/a = ln |alpha|' tends to B e^{2 |gamma| t} with B = -(sum_k c_k^2) <u, H u>/(2 |gamma|), u =
gamma/|gamma|.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.special import logsumexp

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import FLOAT
from refute.language.case import lift
from refute.models.chistikov2023.yardstick import Yardstick, gamma
from refute.models.dataset import Dataset

Floats = NDArray[np.float64]
SOLVED = 1e-6  # the relative tolerance of the linearised flow
LINEARISED = 1e-2  # of a logarithm: what is known of a derivative, and what the next order in lambda adds
LEAST = 1e-300


def crossing_delays(ways: list[Yardstick], data: Dataset, *, tolerance: float = 1e-9) -> list[Floats]:
    """d t_j^l / d lambda^2 at 0 of every crossing l, for the yardsticks of all active neurons j."""
    data = lift(data, FLOAT)
    points, labels, n = data.inputs, data.labels, len(data.labels)
    signs = np.array([way.path.stages[0].sign for way in ways])
    masks = [np.array([sides > 0 for sides in way.path.sides]) for way in ways]
    events = sorted((float(t), j, k) for j, way in enumerate(ways) for k, t in enumerate(way.times))
    beta = np.zeros((len(ways), points.shape[1] + 1))  # rows (beta, b)
    stage = [0] * len(ways)
    delays: list[list[float]] = [[] for _ in ways]
    now = 0.0

    def push(j: int) -> Floats:
        return np.asarray(gamma(Dataset(points, labels), masks[j][stage[j]]))

    def drift(t: float, flat: Floats) -> Floats:
        alpha = np.array([way.at(t) for way in ways])
        size = np.linalg.norm(alpha, axis=1)
        h = (signs * size) @ np.maximum(alpha @ points.T, 0.0)
        rows = flat.reshape(beta.shape)
        found = np.empty_like(rows)
        for j in range(len(ways)):
            g, r = pushes[j], (masks[j][stage[j]] * h) @ points / n
            found[j, :-1] = signs[j] * (rows[j, -1] * g - size[j] * r)
            found[j, -1] = signs[j] * (rows[j, :-1] @ g - alpha[j] @ r)
        return found.reshape(-1)

    for time, j, k in events:
        pushes = [push(i) for i in range(len(ways))]
        if time > now:
            run = solve_ivp(drift, (now, time), beta.reshape(-1), "DOP853", rtol=tolerance, atol=tolerance)
            beta, now = run.y[:, -1].reshape(beta.shape), time
        x, alpha = points[ways[j].points[k]], ways[j].at(time)
        size, before = float(np.linalg.norm(alpha)), pushes[j]
        delay = -float(beta[j, :-1] @ x) / (signs[j] * size * float(before @ x))
        delays[j].append(delay)
        stage[j] += 1
        jump = push(j) - before
        beta[j] -= delay * signs[j] * np.append(size * jump, alpha @ jump)
    return [np.array(each) for each in delays]


def log_crossing_gaps(ways: list[Yardstick], data: Dataset, log_scale: float) -> list[Enclosed]:
    """ln |t_j^l - tau_j^l| of all crossings, to leading order in lambda^2."""
    delays = crossing_delays(ways, data, tolerance=SOLVED)
    return [Enclosed(np.log(np.maximum(np.abs(each), LEAST)), LINEARISED) + 2 * log_scale for each in delays]


def log_gap_of_norms(ways: list[Yardstick], data: Dataset, time: float, log_scale: float) -> Enclosed:
    """ln |ln |alpha_j| - ln |w_j/lambda|| to leading order in lambda^2 e^{2 |gamma| t}."""
    return Enclosed(log_lag_of_norms(ways, data, time), LINEARISED) + 2 * log_scale


def log_lag_of_norms(ways: list[Yardstick], data: Dataset, time: float) -> float:
    """ln(-d ln|alpha_j| / d lambda^2) long after the last crossing, the same for all neurons of positive sign."""
    data = lift(data, FLOAT)
    push = gamma(data, np.ones(len(data.labels), dtype=int))
    strength = float(np.linalg.norm(push))
    along = float(((data.inputs @ push / strength) ** 2).mean())
    grown = float(logsumexp([2 * way.log_growth for way in ways if way.path.stages[0].sign > 0]))
    return grown + float(np.log(along / (2 * strength))) + 2 * strength * time
