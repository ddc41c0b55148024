r"""A run of the flow from the scale (28) to small loss, as Appendix D looks at it: who reached which cone, $t_2^\pm$,
and the growth.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from refute.arithmetic.enclosed import Enclosed
from refute.functions import exp
from refute.models.dataset import Dataset
from refute.models.geometry.stable_rank import enclosed_spectral_norms
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import ON_BOUNDARY
from refute.models.loss import Loss
from refute.models.min2024.alignment import Scales, at_scale, scales
from refute.models.min2024.cones import centre

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
QUARTER = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Times from t_1 on with log-norms (times, width), directions and outputs; `aligned` is the run up to t_1."""

    data: Dataset
    loss: Loss
    constants: Scales
    log_epsilon: float
    t1: float
    time: Floats
    log_norm: Floats
    direction: Floats
    output: Floats
    signs: NDArray[np.int_]
    active: NDArray[np.bool_]  # (width, samples), at t_1
    aligned: LogPolarTrajectory
    loud: Floats  # when each output first exceeds 1/4 in modulus, before t_1 too
    error: float
    output_error: float
    time_error: float  # of `loud`

    @property
    def log_norms(self) -> Enclosed:
        """Log-norms with their error."""
        return Enclosed(self.log_norm, self.error)

    @property
    def directions(self) -> Enclosed:
        """Directions with their error."""
        return Enclosed(self.direction, self.error)

    @property
    def outputs(self) -> Enclosed:
        """Outputs with their error."""
        return Enclosed(self.output, self.output_error)

    @property
    def each(self) -> Enclosed:
        """The loss of every datum at every time."""
        return cast(Enclosed, self.loss.each(self.data.labels, cast(Any, self.outputs)))

    @property
    def total_loss(self) -> Enclosed:
        """The loss with its error."""
        return self.each.sum(axis=1)

    def losses(self, label: int) -> Enclosed:
        """The part of the loss that belongs to one class, at every time."""
        return self.each[:, self.of_class(label)].sum(axis=1)

    @property
    def clock(self) -> Floats:
        """The loss of the zero network, and then at every time."""
        return np.array([self.loss.value(self.data.labels, 0 * self.output[0]), *self.total_loss.value])

    @property
    def depth(self) -> float:
        """ln(1/(sqrt(h) eps))."""
        return -self.log_epsilon - float(np.log(len(self.signs))) / 2

    @property
    def t2(self) -> Enclosed:
        """max{t_2^+, t_2^-}, where there is one."""
        return Enclosed(self.time[self.second], self.time_error)

    def first_loud(self, label: int) -> Enclosed:
        """t_2^+ or t_2^-, before t_1 too; infinite if no output of the class ever exceeds 1/4."""
        return Enclosed(self.loud[self.of_class(label)].min(initial=np.inf), self.time_error)

    def log_extra(self, count: int) -> float:
        """ln of 4 eps W_max^2 count / sqrt(h)."""
        c = self.constants
        return float(np.log(4 * c.most**2 * count / np.sqrt(c.h))) + self.log_epsilon

    def extra(self, count: int) -> Floats:
        """The same over the square of the largest neuron, at every time; at most the count, since no more is left to
        bound.
        """
        found: Floats = count * np.exp(np.minimum(self.log_extra(1) - 2 * self.log_norm.max(axis=1), 0.0))
        return found

    def rows(self, chosen: Any = slice(None)) -> Enclosed:
        """The chosen neurons at every time, over the norm of the largest of all."""
        sizes: Enclosed = exp(self.log_norms - self.log_norm.max(axis=1)[:, None])
        return sizes[:, chosen, None] * self.directions[:, chosen]

    def squared_norms(self) -> tuple[Enclosed, Enclosed]:
        """|W|_F^2 and |W|_2^2 at every time, over the square of the largest neuron."""
        rows = self.rows()
        return (rows * rows).sum(axis=(1, 2)), enclosed_spectral_norms(rows) ** 2

    def at(self, times: Any) -> "Fit":
        """The same at some of the recorded times."""
        return self.during(np.searchsorted(self.time, times))

    def during(self, chosen: Any) -> "Fit":
        """The same at the recorded times with these indices."""
        rows = {name: getattr(self, name)[chosen] for name in ("time", "log_norm", "direction", "output")}
        return replace(self, **rows)

    @property
    def after_t2(self) -> "Fit":
        """The same at the recorded times after t_2."""
        return self.during(slice(self.second + 1, None))

    def of_class(self, label: int) -> Indices:
        return np.flatnonzero(self.data.labels == label)

    def members(self, label: int) -> Indices:
        """The neurons that are in S_+ or S_- at t_1 and have its sign."""
        return members(self.active, self.signs, self.data.labels, label)

    @property
    def reached(self) -> bool:
        """Whether both classes are there, and S_+ and S_- contain a neuron at t_1."""
        return all(self.of_class(label).size and self.members(label).size for label in (1, -1))

    @property
    def dead(self) -> Indices:
        return np.flatnonzero(~self.active.any(axis=1))

    def crossing(self, label: int) -> int:
        """The index of t_2^+ or t_2^-, the first time at which an output of the class exceeds 1/4; past the last one if
        there is none.
        """
        return int(np.searchsorted(self.time, self.loud[self.of_class(label)].min(initial=np.inf)))

    @property
    def second(self) -> int:
        """The index of t_2 = max{t_2^+, t_2^-}."""
        return max(self.crossing(1), self.crossing(-1))

    def slow(self, label: int) -> float:
        """sqrt(mu) n_+ X_min, or with n_-."""
        return float(np.sqrt(self.constants.mu) * len(self.of_class(label)) * self.constants.shortest)

    def before_t2(self, label: int) -> "Fit":
        """The same at the recorded times in [t_1', t_2^+], t_1' = t_1 + 6 / (sqrt(mu) n_+ X_min)."""
        begin = int(np.searchsorted(self.time, self.t1 + 6 / self.slow(label)))
        return self.during(slice(begin, self.crossing(label)))

    def log_mass(self, label: int) -> Enclosed:
        """ln of the sum of |w_j|^2 over the neurons of a class, at every time."""
        return Enclosed(logsumexp(2 * self.log_norm[:, self.members(label)], axis=1), 2 * self.error)

    def mass(self, label: int) -> Enclosed:
        """The sum of |w_j|^2 = v_j^2 over the neurons of a class, at every time."""
        return cast(Enclosed, exp(self.log_mass(label)))

    def linear(self, blocks: Mapping[int, Indices]) -> Enclosed:
        """sum_j v_j <w_j, x_i> over the neurons that belong to the class of x_i, at every time."""
        found = Enclosed(np.zeros_like(self.output))
        for label, chosen in blocks.items():
            sizes = cast(Enclosed, exp(2 * self.log_norms[:, chosen])) * self.signs[chosen]
            each = (sizes[:, :, None] * (self.directions[:, chosen] @ self.data.inputs.T)).sum(axis=1)
            found = found + (self.data.labels == label) * each
        return found

    @property
    def pulls(self) -> Enclosed:
        """-dl/df of every datum at every time."""
        return cast(Enclosed, self.loss.residual(self.data.labels, cast(Any, self.outputs)))

    def push(self, label: int) -> Enclosed:
        """sum_{i in the class} -dl/df_i x_i at every time, times the label: what moves the neurons of the class."""
        own = self.of_class(label)
        return label * (self.pulls[:, own] @ self.data.inputs[own])

    def growth(self, label: int) -> Enclosed:
        """d/dt ln |w_j| of the neurons of a class, at every time."""
        return (self.push(label)[:, None] * self.directions[:, self.members(label)]).sum(axis=2)

    @property
    def loss_speed(self) -> Enclosed:
        """dL/dt = - sum_j |w_j|^2 (|g_j|^2 + <g_j, u_j>^2) over the living neurons, g_j the push of their class."""
        speed = Enclosed(np.zeros(len(self.time)))
        for label in (1, -1):
            sizes = cast(Enclosed, exp(2 * self.log_norms[:, self.members(label)]))
            length = (self.push(label) ** 2).sum(axis=1)
            speed = speed - (sizes * (length[:, None] + self.growth(label) ** 2)).sum(axis=1)
        return speed

    def cosines(self, label: int) -> Enclosed:
        """cos(w_j, x_+) (or x_-) of the members of a class, at every time."""
        return self.directions[:, self.members(label)] @ self.axis(label)

    def axis(self, label: int) -> Floats:
        """x_+ or x_- over its length."""
        c = np.asarray(centre(self.data, label), dtype=float)
        found: Floats = c / np.linalg.norm(c)
        return found

    def cosine_speeds(self, label: int) -> Enclosed:
        """d/dt cos(w_j, x_+) = <x_+, P g>/|x_+| for the members, with v_j of the sign of the class."""
        return (self.push(label) @ self.axis(label))[:, None] - self.growth(label) * self.cosines(label)


def members(active: NDArray[np.bool_], signs: Floats | NDArray[np.int_], labels: Any, label: int) -> Indices:
    """The neurons with the sign of a class that are active on its data and on no other."""
    return np.flatnonzero((active == (labels == label)).all(axis=1) & (signs == label))


def signed_outputs(run: LogPolarTrajectory, data: Dataset) -> Enclosed:
    """y_i f(x_i) / |x_i| at the last time, over the square of the largest neuron that sees the datum; zero where none
    does. The outputs themselves would underflow.
    """
    units = data.inputs / np.linalg.norm(data.inputs, axis=1)[:, None]
    pre = run.directions[-1] @ units.T
    logs = np.where(pre.value > ON_BOUNDARY, 2 * run.log_norm[-1][:, None], -np.inf)
    most = logs.max(axis=0)
    sizes = cast(Enclosed, exp(Enclosed(logs - np.where(np.isfinite(most), most, 0.0), 4 * run.error)))
    found: Enclosed = (sizes * pre * (data.labels * run.signs[:, None])).sum(axis=0)
    return found


def aligned_run(
    data: Dataset, start: Balanced, loss: Loss, constants: Scales, tolerance: float, log_epsilon: float | None = None
) -> LogPolarTrajectory:
    """From the scale (28), or another one, to t_1."""
    begin = at_scale(start, float(constants.log_epsilon) if log_epsilon is None else log_epsilon)
    return log_polar_flow(begin, data, loss, times=[0.0, float(constants.alignment_time)], tolerance=tolerance)


def fit_run(
    data: Dataset,
    start: Balanced,
    loss: Loss,
    part: float,
    tolerance: float,
    *,
    level: float = 1e-3,
    deeper: float = 0.0,
    **options: Any,
) -> Fit:
    """Train from the scale (28) (or e^{-deeper} of it) until every slope of the loss has fallen to `level`."""
    constants = scales(data, start, part, printed=False)
    log_epsilon, t1 = float(constants.log_epsilon) - deeper, float(constants.alignment_time)
    aligned = aligned_run(data, start, loss, constants, tolerance, log_epsilon)
    begin = at_scale(start, log_epsilon)
    run = log_polar_flow(begin, data, loss, level=level, tolerance=tolerance, loud=QUARTER, **options)
    late = run.time >= t1
    return Fit(
        data=data,
        loss=loss,
        constants=constants,
        log_epsilon=log_epsilon,
        t1=t1,
        time=run.time[late],
        log_norm=run.log_norm[late],
        direction=run.direction[late],
        output=run.output[late],
        signs=run.signs,
        active=aligned.sides > 0,
        aligned=aligned,
        loud=run.loud,
        error=run.error,
        output_error=run.output_error,
        time_error=run.time_error,
    )
