r"""A run of the flow from the scale (28) to small loss, as Appendix D looks at it: who reached which cone, $t_2^\pm$,
and the growth.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from numpy.typing import NDArray
from scipy.special import logsumexp

from refute import Assumption, Enclosed, Margin, all_of, derived, less
from refute.arithmetic.numbers import exact_array
from refute.claims.min2024.assumptions import SETTING
from refute.claims.min2024.training import ALL_LOSSES, LOSSES, PARTS
from refute.functions import exp, largest, sign
from refute.language.limits import HORIZONS
from refute.models import Dataset
from refute.models.geometry.stable_rank import enclosed_spectral_norms
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.alignment import Scales, at_scale, scales
from refute.models.min2024.cones import centre
from refute.strategies import drawn
from refute.strategies.min2024.separated import neurons, placed, separated_dataset
from refute.strategies.min2024.theory_scale import (
    blind_to_a_class,
    followable,
    see_both_classes,
    see_both_classes_in_time,
)

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
QUARTER = 0.25
FOLLOWED = 2e4  # the take-off time must be known to a small part of the time in which the loss falls


def _seen(data: Dataset, start: Balanced) -> Margin:
    """Some neuron of either sign sees a datum of its class."""
    pre = data.inputs @ start.shape.T
    parts = []
    for s in (1, -1):
        own = [
            pre[i, j] for i, y in enumerate(data.labels) for j, v in enumerate(start.signs) if sign(y) == s == sign(v)
        ]
        parts.append(
            less(
                0, largest(np.array(own)) if own else 0, f"0 against the largest <x_i, w_j(0)> of class and sign {s:+d}"
            )
        )
    return all_of(*parts)


_BASE = placed(
    data=separated_dataset, start=neurons, loss=ALL_LOSSES, part=PARTS, samples=(2, 3), width=(2, 3), dimension=(1, 2)
)
FITS = followable(_BASE, FOLLOWED, repair=see_both_classes_in_time)
_PLANE = placed(
    data=separated_dataset,
    start=neurons,
    loss=ALL_LOSSES,
    part=PARTS,
    samples=drawn(3, 3),
    width=(2, 3),
    dimension=(2, 2),
)
_ALMOST_ORTHOGONAL = [(Fraction(a, c), Fraction(b, c)) for a, b, c in ((9, 40, 41), (11, 60, 61), (41, 840, 841))]


def _often_spread(draw: DrawFn, data: Dataset, start: Balanced, **rest: Any) -> dict[str, Any]:
    """Every other time two unit data, one of either class, that are almost orthogonal: there the stable rank comes near
    two.
    """
    if not draw(st.booleans()):
        return see_both_classes_in_time(draw, data, start, **rest)
    a, b = draw(st.sampled_from(_ALMOST_ORTHOGONAL))
    pair = Dataset(exact_array([[1, 0], [-a, b]]), exact_array([1, -1]))
    return see_both_classes(draw, pair, start)


PLANE_FITS = followable(_PLANE, 20 * FOLLOWED, repair=_often_spread)
both_seen = Assumption(
    "start.sees_both_classes",
    "a positive neuron sees a positive datum and a negative neuron a negative one, so that both cones are reached",
    _seen,
    base=FITS,
    satisfy=lambda draw, data, start: see_both_classes(draw, data, start),
    violate=blind_to_a_class,
)
FITTING = [*SETTING, both_seen]


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Times from t_1 on with log-norms (times, width), directions and outputs; `aligned` is the run up to t_1."""

    data: Dataset
    loss: str
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
    loud: Floats  # when each output first exceeds 1/4 in modulus
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
    def total_loss(self) -> Enclosed:
        """The loss with its error."""
        each: Any = LOSSES[self.loss].each(self.data.labels, cast(Any, self.outputs))
        return cast(Enclosed, each.sum(axis=1))

    @property
    def clock(self) -> Floats:
        """The loss of the zero network, and then at every time."""
        zero = LOSSES[self.loss].value(self.data.labels, 0 * self.output[0])
        return np.array([zero, *self.total])

    @property
    def depth(self) -> float:
        """ln(1/(sqrt(h) eps))."""
        return -self.log_epsilon - float(np.log(len(self.signs))) / 2

    @property
    def t2(self) -> Enclosed:
        """max{t_2^+, t_2^-}, where there is one."""
        return Enclosed(self.time[self.second], self.time_error)

    def extra(self, count: int) -> Floats:
        """4 eps W_max^2 count / sqrt(h) over the square of the largest neuron, at every time; at most the count, since
        no more is left to bound.
        """
        c = self.constants
        log = np.log(4 * c.most**2 / np.sqrt(c.h)) + self.log_epsilon - 2 * self.log_norm.max(axis=1)
        found: Floats = count * np.exp(np.minimum(log, 0.0))
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
        k = np.searchsorted(self.time, times)
        rows = {name: getattr(self, name)[k] for name in ("time", "log_norm", "direction", "output")}
        return replace(self, **rows)

    def of_class(self, label: int) -> Indices:
        return np.flatnonzero(self.data.labels == label)

    def members(self, label: int) -> Indices:
        """The neurons that are in S_+ or S_- at t_1 and have its sign."""
        own = (self.active == (self.data.labels == label)).all(axis=1)
        return np.flatnonzero(own & (self.signs == label))

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

    def log_mass(self, label: int) -> Floats:
        """ln of the sum of |w_j|^2 over the neurons of a class, at every time."""
        found: Floats = logsumexp(2 * self.log_norm[:, self.members(label)], axis=1)
        return found

    @property
    def pulls(self) -> Floats:
        """-dl/df of every datum at every time."""
        found: Floats = LOSSES[self.loss].residual(self.data.labels, self.output)
        return found

    def losses(self, label: int) -> Floats:
        """The part of the loss that belongs to one class, at every time."""
        own = self.of_class(label)
        each: Floats = LOSSES[self.loss].each(self.data.labels[own], self.output[:, own])
        total: Floats = each.sum(axis=1)
        return total

    @property
    def total(self) -> Floats:
        return self.losses(1) + self.losses(-1)

    def push(self, label: int) -> Floats:
        """sum_{i in the class} -dl/df_i x_i at every time: what moves the neurons of the class."""
        own = self.of_class(label)
        found: Floats = self.pulls[:, own] @ self.data.inputs[own]
        return found

    @property
    def loss_speed(self) -> Floats:
        """dL/dt = - sum_j |w_j|^2 (|g_j|^2 + <g_j, u_j>^2) over the living neurons, g_j the push of their class."""
        speed = np.zeros(len(self.time))
        for label in (1, -1):
            members, g = self.members(label), self.push(label)
            along = np.einsum("td,tjd->tj", g, self.direction[:, members])
            speed -= (np.exp(2 * self.log_norm[:, members]) * ((g * g).sum(axis=1)[:, None] + along**2)).sum(axis=1)
        return speed

    def cosines(self, label: int) -> Floats:
        """cos(w_j, x_+) (or x_-) of the members of a class, at every time."""
        c = np.asarray(centre(self.data, label), dtype=float)
        found: Floats = self.direction[:, self.members(label)] @ (c / np.linalg.norm(c))
        return found

    def cosine_speeds(self, label: int) -> Floats:
        """d/dt cos(w_j, x_+) = <x_+, P g>/|x_+| for the members, with v_j of the sign of the class."""
        c = np.asarray(centre(self.data, label), dtype=float)
        u, g = self.direction[:, self.members(label)], label * self.push(label)[:, None, :]
        across = g - (u * g).sum(axis=-1, keepdims=True) * u
        found: Floats = across @ (c / np.linalg.norm(c))
        return found


def aligned_run(data: Dataset, start: Balanced, loss: str, part: float, tolerance: float) -> LogPolarTrajectory:
    """From the scale (28) to t_1."""
    constants = scales(data, start, part, printed=False)
    begin = at_scale(start, float(constants.log_epsilon))
    return log_polar_flow(begin, data, LOSSES[loss], times=[0.0, float(constants.alignment_time)], tolerance=tolerance)


def fit_run(
    data: Dataset,
    start: Balanced,
    loss: str,
    part: float,
    tolerance: float,
    *,
    level: float = 1e-3,
    deeper: float = 0.0,
    **options: Any,
) -> Fit:
    """Train from the scale (28) (or e^{-deeper} of it) until every slope of the loss has fallen to `level`."""
    constants = scales(data, start, part, printed=False)
    log_epsilon = float(constants.log_epsilon) - deeper
    t1, begin = float(constants.alignment_time), at_scale(start, log_epsilon)
    aligned = log_polar_flow(begin, data, LOSSES[loss], times=[0.0, t1], tolerance=tolerance)
    run = log_polar_flow(begin, data, LOSSES[loss], level=level, tolerance=tolerance, loud=QUARTER, **options)
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


@derived
def fit(data: Dataset, start: Balanced, loss: str, part: float, tolerance: float) -> Fit:
    """The run until the slopes of the loss are 1/1000: what is compared leaves room for a thousand times the error."""
    return fit_run(data, start, loss, part, 1e3 * tolerance)


@derived
def deeper(data: Dataset, start: Balanced, loss: str, part: float, tolerance: float) -> list[Fit]:
    """The runs from the scale of (28) and from its powers 2, 4, 8 and 16, until the slopes have halved."""
    first = float(scales(data, start, part, printed=False).log_epsilon)
    return [fit_run(data, start, loss, part, 1e3 * tolerance, level=0.5, deeper=(1 - 2**k) * first) for k in range(5)]


@derived
def late(data: Dataset, start: Balanced, loss: str, part: float, tolerance: float) -> Fit:
    """The run at the horizons up to 10^80."""
    times = HORIZONS[:5]
    run = fit_run(data, start, loss, part, 1e3 * tolerance, level=1e-100, horizon=times[-1], times=times)
    return run.at(times)
