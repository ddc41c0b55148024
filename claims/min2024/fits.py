r"""Runs from the scale (28) to small loss: the cases of Theorem 1, item 2, and of Appendix D."""

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute import Enclosed, Kind, Margin, at_least, changed, derived, section
from refute.arithmetic.numbers import exact_array
from refute.claims.min2024.assumptions import SETTING
from refute.claims.min2024.training import ALL_LOSSES, LOSSES, PARTS
from refute.language.limits import HORIZONS
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.alignment import scales
from refute.models.min2024.fitting import Fit, Indices, fit_run
from refute.strategies import drawn
from refute.strategies.min2024.separated import neurons, placed, separated_dataset
from refute.strategies.min2024.theory_scale import (
    blind_to_a_class,
    followable,
    head_for_dead_cone,
    mixed,
    see_both_classes,
    see_both_classes_in_time,
    spacious,
)

FOLLOWED = 2e5  # the take-off time must be known to a small part of the time in which the loss falls
COARSE = 1e3  # what is compared leaves room for a thousand times the error
_ALMOST_ORTHOGONAL = [(Fraction(2 * k), Fraction(k * k - 1), Fraction(k * k + 1)) for k in (100, 100, 40)]
_PARTS: dict[str, Any] = {"data": separated_dataset, "start": neurons, "loss": ALL_LOSSES, "part": PARTS}


def _mostly_seen(draw: DrawFn, data: Dataset, start: Balanced, **rest: Any) -> dict[str, Any]:
    """Both classes and, three times in four, a neuron of either sign that sees its class, so that both cones are
    reached; else neurons of one sign only.
    """
    seen = see_both_classes_in_time(draw, data, start, **rest)
    return seen if draw(st.integers(0, 3)) < 3 else seen | blind_to_a_class(draw, seen["start"])


def _often_spread(draw: DrawFn, data: Dataset, start: Balanced, **rest: Any) -> dict[str, Any]:
    """Two times in three two unit data, one of either class, with mu = 1/50 or 1/20: the stable rank comes near two."""
    if draw(st.integers(0, 2)) == 2:
        return see_both_classes_in_time(draw, data, start, **rest)
    a, b, c = draw(st.sampled_from(_ALMOST_ORTHOGONAL))
    pair = Dataset(exact_array([[1, 0], [-a / c, b / c]]), exact_array([1, -1]))
    return {**see_both_classes(draw, pair, start), "part": Fraction(99, 100)}


FITS = followable(
    placed(samples=drawn(2, 4), width=drawn(1, 5), dimension=drawn(1, 3), **_PARTS), FOLLOWED, repair=_mostly_seen
)
WIDE_FITS = mixed(
    followable(
        placed(samples=drawn(4, 20), width=drawn(4, 30), dimension=drawn(2, 10), **_PARTS),
        10 * FOLLOWED,
        repair=spacious,
    ),
    followable(
        placed(samples=drawn(1, 3), width=drawn(1, 3), dimension=drawn(2, 3), **_PARTS),
        FOLLOWED,
        repair=head_for_dead_cone,
    ),
    FITS,
)
SEEN_FITS = followable(
    placed(samples=drawn(2, 4), width=drawn(2, 4), dimension=drawn(1, 3), **_PARTS),
    2 * FOLLOWED,
    repair=see_both_classes_in_time,
)
SPREAD_FITS = followable(
    placed(samples=drawn(3, 3), width=drawn(2, 3), dimension=drawn(2, 2), **_PARTS), 10 * FOLLOWED, repair=_often_spread
)

REACHED = "S_+ and S_- contain a neuron at t_1, and both classes a datum"
ALSO_EMPTY = changed("also if a cone contains no neuron", reached=lambda _: True)


def never(fit: Fit) -> Margin:
    """The run ended without a t_2; one that was cut short decides nothing."""
    return at_least(Enclosed(-1, fit.output_error), 0, "t_2 is infinite: the outputs of one class never exceed 1/4")


@derived
def fit(data: Dataset, start: Balanced, loss: str, part: float, tolerance: float) -> Fit:
    """The run until the slopes of the loss are 1/1000."""
    return fit_run(data, start, LOSSES[loss], part, COARSE * tolerance)


@derived
def reached(fit: Fit) -> bool:
    """Whether S_+ and S_- contain a neuron at t_1, and both classes a datum."""
    return fit.reached


@derived
def blocks(fit: Fit) -> dict[int, Indices]:
    """The neurons that are in the cone of each class."""
    return {label: fit.members(label) for label in (1, -1)}


@derived
def deeper(data: Dataset, start: Balanced, loss: str, part: float, tolerance: float) -> list[Fit]:
    """The runs from the scale of (28) and from its powers 2, 4, 8 and 16, until the slopes have halved."""
    first = float(scales(data, start, part, printed=False).log_epsilon)
    return [
        fit_run(data, start, LOSSES[loss], part, COARSE * tolerance, level=0.5, deeper=(1 - 2**k) * first)
        for k in range(5)
    ]


@derived
def late(data: Dataset, start: Balanced, loss: str, part: float, tolerance: float) -> Fit:
    """The run at the horizons up to 10^80."""
    times = HORIZONS[:5]
    run = fit_run(data, start, LOSSES[loss], part, COARSE * tolerance, level=1e-100, horizon=times[-1], times=times)
    return run.at(times)


fitting = section("min2024", kind=Kind.DYNAMICS, given=FITS, assumes=SETTING, derived=[fit], recorded="supported")
