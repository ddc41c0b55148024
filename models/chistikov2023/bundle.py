r"""The bundle of aligned neurons of chistikov2023, followed from a scale of 10^-1000 and below to the teacher.

Balanced neurons of one sign under one push keep |w_j| |w_k| - <w_j, w_k> (`models.logpolar.angular_gap`), so neurons
whose angles are far below round-off move as one neuron: v = sum_j a_j w_j obeys dv/dt = |v| (g + v v^T g / |v|^2), g =
H (v* - v), and every |w_j|^2 keeps its share of |v|. In the eigenbasis of H, v = sum_k p_k nu*_k u_k, and l_k = ln p_k
is a good coordinate at both ends: q_k = 1 - p_k = -expm1(l_k) keeps its relative accuracy near v*. While |v| < START
the p_k are proportional to eta_k, to round-off, and |v| = sum_j c_j^2 lambda^2 e^{2 |gamma| t}.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import odeint
from scipy.special import logsumexp

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import FLOAT, Array
from refute.errors import Diverged
from refute.language.case import lift
from refute.models.chistikov2023.predictor_set import Spectrum, spectrum_of
from refute.models.chistikov2023.yardstick import Yardstick
from refute.models.dataset import Dataset

Floats = NDArray[np.float64]
START = 1e-14
COARSER = 100.0
FINEST = 3e-14
TIMES = 400
ROUNDING = 1e-14  # of a difference of weights of size one


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """`log_p` (times, dimension) at the times `offset + local`; `rows` are eigenvectors. `error` bounds 1 - p, relative
    to its largest.
    """

    spectrum: Spectrum
    rows: Floats
    offset: float
    local: Floats
    log_p: Floats
    error: float

    @property
    def q(self) -> Floats:
        """1 - p, to full relative accuracy."""
        return -np.expm1(self.log_p)

    @property
    def v(self) -> Floats:
        """The predictor (times, dimension) in the coordinates of the data."""
        return np.asarray((np.exp(self.log_p) * self.spectrum.teacher) @ self.rows)

    @property
    def size(self) -> Floats:
        """|v|."""
        return np.asarray(np.linalg.norm(self.v, axis=1))

    @property
    def push(self) -> Floats:
        """g = H (v* - v) in the eigenbasis."""
        return np.asarray(self.spectrum.eta * self.spectrum.teacher * self.q)

    @property
    def along(self) -> Floats:
        """<v, g> / |v|, the rate at which ln |w_j| grows."""
        return np.asarray(np.einsum("td,td->t", np.exp(self.log_p) * self.spectrum.teacher, self.push) / self.size)

    @property
    def heading(self) -> Floats:
        """The cosine between v and g."""
        return np.asarray(self.along / np.linalg.norm(self.push, axis=1))

    @property
    def log_loss(self) -> Floats:
        """ln L = ln (v* - v)^T H (v* - v) / 2."""
        weights = self.spectrum.eta * self.spectrum.teacher**2
        return np.asarray(np.log((weights * self.q**2).sum(axis=1) / 2))

    @property
    def enclosed_log_loss(self) -> Enclosed:
        """ln L; its error is about twice that of 1 - p."""
        return Enclosed(self.log_loss, 4 * self.error)

    @property
    def enclosed_heading(self) -> Enclosed:
        """The cosine between v and g."""
        return Enclosed(self.heading, 10 * self.error)

    @property
    def log_steepness(self) -> Enclosed:
        """ln of |grad L|^2/L."""
        return Enclosed(np.log(self.squared_gradient) - self.log_loss, 20 * self.error)

    @property
    def squared_gradient(self) -> Floats:
        """|grad L|^2 = |v| (|g|^2 + (<v, g>/|v|)^2)."""
        return np.asarray(self.size * ((self.push**2).sum(axis=1) + self.along**2))

    @property
    def path_left(self) -> Enclosed:
        """|theta - theta'| from every time to the last: sqrt|v| v/|v| moves, and so does sqrt|v|."""
        roots = np.sqrt(self.size)
        inner = self.v / roots[:, None]
        moved = np.sqrt(((inner - inner[-1]) ** 2).sum(axis=1) + (roots - roots[-1]) ** 2)
        return Enclosed(moved, ROUNDING + 4 * self.error * np.abs(self.q).max(axis=1) / roots)

    @property
    def slow_part(self) -> Enclosed:
        """What is left of 1 - p at the last time once all but the slowest mode have died out, over the largest |1 - p|.

        Near the teacher d(1 - p)/dt = -M (1 - p) with M = diag(eta) + 1 (eta nu*^2)^T.
        """
        eta, last = self.spectrum.eta, self.q[-1]
        values, modes = np.linalg.eig(np.diag(eta) + np.outer(np.ones(len(eta)), eta * self.spectrum.teacher**2))
        slow = int(np.argmin(values.real))
        mode, partner = modes[:, slow].real, np.linalg.inv(modes)[slow].real
        largest = np.abs(last).max()
        return Enclosed(partner @ last / largest, np.abs(partner).sum() * self.error) * mode

    def when(self, values: Floats, level: float) -> float:
        """The first local time when `values`, known at the times, reaches `level` (linear in between); infinite when
        never.
        """
        above = np.flatnonzero(values >= level)
        if not above.size:
            return np.inf
        k = int(above[0])
        if k == 0:
            return float(self.local[0])
        part = (level - values[k - 1]) / (values[k] - values[k - 1])
        return float(self.local[k - 1] + part * (self.local[k] - self.local[k - 1]))

    @property
    def half_way(self) -> float:
        """The local time of T_2: the first one with p_1 >= 1/2."""
        return self.when(self.log_p[:, 0], -float(np.log(2)))


def start_of(spectrum: Spectrum, yardsticks: list[Yardstick], log_scale: float) -> tuple[float, Floats]:
    """When |v| = START, and ln p there, from the closed form of the last stage of the yardsticks of positive sign."""
    gamma = float(np.linalg.norm(spectrum.eta * spectrum.teacher))
    growth = float(logsumexp([2 * one.log_growth for one in yardsticks]))
    return (np.log(START) - growth - 2 * log_scale) / (2 * gamma), np.log(spectrum.eta / gamma) + np.log(START)


def bundle(
    data: Dataset,
    teacher: Array,
    yardsticks: list[Yardstick],
    log_scale: float,
    *,
    level: float = 1e-12,
    tolerance: float = 1e-10,
) -> Bundle:
    """From |v| = START until every |q_k| is below `level` (or 60 slowest time scales after the bundle has grown).

    `yardsticks` are those of the neurons of positive sign that are active on some point; `log_scale` is ln lambda.
    """
    data = lift(data, FLOAT)
    spectrum, rows = spectrum_of(data, np.asarray(teacher, dtype=float))
    offset, first = start_of(spectrum, yardsticks, log_scale)
    gamma = float(np.linalg.norm(spectrum.eta * spectrum.teacher))
    grown = -np.log(START) / (2 * gamma)
    slow = float(spectrum.eta[-1])
    horizon = grown + (5 - np.log(level)) / slow
    times = np.unique(
        np.concatenate(
            [
                np.linspace(0, 1.5 * grown, TIMES // 2),
                grown * 0.7 + np.geomspace(grown / 50, horizon - 0.7 * grown, TIMES),
            ]
        )
    )
    fine, rough = (
        _solve(spectrum, first, times, max(t, FINEST), 1e-10 * level) for t in (tolerance / COARSER, 3 * tolerance)
    )
    count = min(len(fine), len(rough))
    relative = np.abs(np.expm1(fine[:count]) - np.expm1(rough[:count])).max(axis=1) / np.abs(
        np.expm1(fine[:count])
    ).max(axis=1)
    done = np.flatnonzero(np.abs(np.expm1(fine[:count])).max(axis=1) < level)
    last = int(done[0]) + 1 if done.size else count
    way, other = (
        Bundle(spectrum, np.asarray(rows), float(offset), times[:last], each[:last], 0.0) for each in (fine, rough)
    )
    turned = np.abs(
        way.heading - other.heading
    ).max()  # a sum that cancels can be far less accurate than the coordinates
    return replace(way, error=2 * float(max(relative[:last].max(), turned)) + 1e-13)


def _solve(s: Spectrum, first: Floats, times: Floats, tolerance: float, least: float) -> Floats:
    from refute.models.chistikov2023.bundle_drift import drift

    fields = np.ascontiguousarray(s.eta), np.ascontiguousarray(s.teacher**2)
    found, told = odeint(
        drift, first, times, fields, rtol=tolerance, atol=least, tfirst=True, mxstep=100_000, full_output=True
    )
    if not np.isfinite(found).all() and tolerance > FINEST:  # a trial step was so long that exp overflowed
        return _solve(s, first, times, max(tolerance / 10, FINEST), least)
    if told["message"] != "Integration successful.":
        raise Diverged(
            f"the bundle could not be followed to time {times[-1]:.4g}: {told['message']}",
            "take better conditioned data",
        )
    return np.asarray(found)
