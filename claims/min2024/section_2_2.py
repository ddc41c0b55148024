"""Section 2.2: how small neurons turn, and where to."""

import math

import numpy as np

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    bounded_by,
    changed,
    derived,
    equal,
    exponent,
    less,
    mutants,
    power,
    scaled,
    section,
    without,
)
from refute.arithmetic.enclosed import stacked
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import separated
from refute.claims.min2024.equations_7_8 import positive_sum
from refute.claims.min2024.lemma_2 import HALF_SLOPE
from refute.claims.min2024.training import APPENDIX_LOSSES, LOSSES, turning_errors
from refute.decide.proof import in_words, steps
from refute.decide.symbolic import by_identity
from refute.functions import sign, squared_norm
from refute.language.limits import SMALL
from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.balanced_state import off_direction
from refute.models.min2024.cones import attraction, centre, in_dead
from refute.models.min2024.extremes import Extremes, local_maximisers
from refute.strategies import choice, sized
from refute.strategies.min2024.separated import labelled_dataset, placed, separated_dataset, vector

# (1, 0) and (1/2, -1), labels 1 and -1, in float64; one neuron of each sign that sees both data.
SCALES = SMALL[:-1]  # at the last one float64 does not hold eps^2
TWO = Dataset(np.array([[1.0, 0.0], [0.5, -1.0]]), np.array([1.0, -1.0]))


approximation = section("min2024", "eq_4.direction_approximation", "Eq. (4)")
ANGLES = choice("1/4", "1/2", "1")


@approximation.claim(kind=Kind.ASYMPTOTIC, given=sized(angle=ANGLES, loss=APPENDIX_LOSSES), recorded="supported")
@mutants(exponent("21/10"), changed("the logistic loss of Section 2.1", loss=lambda _: "logistic"))
def small_neurons_turn_as_approximated(angle: float, loss: str, tolerance: float) -> Margin:
    r"""$\frac d{dt}\frac{w_j}{\|w_j\|}\approx\mathrm{sign}(v_j(0))P_{w_j}x_a(w_j)$, exactly in the limit
    $\epsilon\to0$.

    Convention: exponential loss, and logistic loss as in the appendix; data (1, 0) and (1/2, -1) with labels 1 and -1;
    at t = 0, at least of order eps.
    """
    shape, errors = np.array([[1.0, math.sin(angle) / 4], [2.0, 0.5]]), []
    for scale in SCALES:
        start = Balanced(shape, TWO.labels, math.log(scale), 0)
        run = log_polar_flow(start, TWO, LOSSES[loss], times=[0.0], tolerance=tolerance)
        errors.append(turning_errors(run, TWO, loss).max())
    return bounded_by(stacked(errors), power(1), "error of (4)", at=SCALES)


SIGNED = placed(data=labelled_dataset, w=vector, s=choice(1, -1))
limit = approximation.but("Eq. (4) with the logistic loss of Section 2.1", given=SIGNED)


def _turning(data: Dataset, w: Array, s: int) -> tuple[Array, Array]:
    """d/dt w/|w| in the limit of vanishing outputs, and the right side of (4)."""
    active = (sign(data.inputs @ w) > 0).astype(int)
    push = (active * LOSSES["logistic"].residual(data.labels, 0 * data.labels)) @ data.inputs
    return s * off_direction(w, push), s * off_direction(w, attraction(w, data))


@limit.claim("logistic", recorded="refuted", fault=Fault.CONSTANT, root=HALF_SLOPE)
def small_neurons_turn_as_approximated_with_the_logistic_loss(data: Dataset, w: Array, s: int) -> Margin:
    r"""The same for $\ell=\log(1+e^{-y\hat y})$. Fails: its slope at 0 is $y/2$, so neurons turn at half the speed.

    Convention: in the limit itself, where all outputs vanish.
    """
    return equal(*_turning(data, w, s), "d/dt w/|w| against s P x_a")


def _half_speed_proof() -> str | None:
    import sympy

    y, p = sympy.symbols("y p", real=True)
    loss = sympy.log(1 + sympy.exp(-y * p))
    return by_identity(
        lambda: [-sympy.diff(loss, p).subs(p, 0) - y / 2],
        "-dl is y/2 at output 0, so that the push is half of x_a, and both sides are s P_w x_a / 2",
    )


@limit.claim("logistic.amended", proof=_half_speed_proof, recorded="proved")
@mutants(scaled("101/100"), scaled(2))
def small_neurons_turn_at_half_speed_with_the_logistic_loss(data: Dataset, w: Array, s: int) -> Margin:
    r"""Amended: $\frac d{dt}\frac{w_j}{\|w_j\|}\approx\frac12\mathrm{sign}(v_j(0))P_{w_j}x_a(w_j)$.

    Convention: in the limit itself, where all outputs vanish.
    """
    turning, printed = _turning(data, w, s)
    return equal(turning, printed / 2, "d/dt w/|w| against s P x_a / 2")


def _attraction_proof() -> str | None:
    r"""In terms of $p=\|w\|^2$, $q=\|x_a\|^2$, $r=\langle w,x_a\rangle$: $\langle x_a,P_wx_a\rangle=q-r^2/p$, which is
    $\|x_a-\frac rpw\|^2\ge0$.
    """
    import sympy

    p, q = sympy.symbols("p q", positive=True)
    r = sympy.Symbol("r", real=True)
    turned, square = q - (r / p) * r, q - 2 * (r / p) * r + (r / p) ** 2 * p
    return by_identity(
        lambda: [turned - square, turned * p - (p * q - r**2)], "<x_a, P x_a> = |P x_a|^2 = |x_a|^2 (1 - cos^2)"
    )


@derived
def along(data: Dataset, w: Array) -> Number:
    """<w, x_a>/|w|^2, which the projection takes away."""
    return (w @ attraction(w, data)) / squared_norm(w)


@derived
def toward(s: int) -> int:
    """1 where a neuron turns towards x_a, -1 where it turns away."""
    return s


attracted = section("min2024", "sec_2_2", "Section 2.2, Figure 1", given=SIGNED, derived=[along, toward])


@attracted.claim("attraction_to_x_a", proof=_attraction_proof, recorded="proved")
@mutants(
    changed("without the projection", along=lambda part: 0 * part),
    changed("negative neurons are attracted too", toward=lambda _: 1),
    scaled("101/100", "s |x_a|^2"),
)
def neurons_turn_towards_or_away_from_the_attraction(
    data: Dataset, w: Array, s: int, along: Number, toward: int
) -> Margin:
    r"""Under (4) a neuron with $v_j>0$ turns towards $x_a(w_j)$ and one with $v_j<0$ away from it:
    $\pm\langle x_a,P_wx_a\rangle\ge0$, and more precisely $\frac d{dt}\cos(w,x_a)=\pm(1-\cos^2(w,x_a))\|x_a\|$.

    Convention: the derivative of |w| cos(w, x_a) |x_a|, along the flow (4) with the pattern fixed.
    """
    pull = attraction(w, data)
    turned = s * (pull - along * w) @ pull
    gap = squared_norm(w) * squared_norm(pull) - (w @ pull) * (w @ pull)
    return all_of(
        at_least(toward * turned, 0, "s <x_a, d/dt w/|w|>"),
        equal(turned * squared_norm(w), s * gap, "s |x_a|^2 |w|^2 (1 - cos^2)"),
    )


@derived
def extremes(data: Dataset) -> dict[int, Extremes]:
    """The local maximisers on the circle of sum_i y_i sigma(<x_i, w>), and of minus it."""
    return {label: local_maximisers(data.inputs, label * data.labels) for label in (1, -1)}


PLANE = sized(data=labelled_dataset, dimension=(2, 2))
vectors = section("min2024", "sec_2_2.extreme_vectors", "Section 2.2", given=PLANE, derived=[extremes])


@vectors.claim("", "quoting prior work: finitely many extreme vectors", recorded="refuted", fault=Fault.BOUNDARY)
def extreme_vectors_are_finitely_many(extremes: dict[int, Extremes]) -> Margin:
    r"""$\sum_iy_i\sigma(\langle x_i,w\rangle)$ has finitely many local maximisers on the unit circle.

    Fails where the function is constant on an arc: always on the plateau $S_{dead}$, as for the single datum (1, 0) on
    the half circle $w_1\le0$, and elsewhere where the signed active data cancel, as for (1, 0) with both labels. All
    inner points of such an arc are local maximisers in the weak sense. No neuron is drawn to them. Off these arcs there
    are finitely many: each pattern of active data has at most one.

    Convention: an extreme vector is a local maximiser on the circle, with a weak inequality; two dimensions.
    """
    return equal(len(extremes[1].flats), 0, "arcs on which the function is constant")


def _centres_proof() -> str | None:
    r"""In any dimension from two on, for w outside of $S_{dead}$, where $\langle y_ix_i,x_a\rangle>0$ for all i."""
    return steps(
        positive_sum(),
        in_words("so x_a does not vanish, and the function is constant on no arc"),
        _attraction_proof(),
        in_words(
            "along P x_a the function grows at least at the rate |P x_a|^2: positive data on the hyperplane are "
            "entered, negative ones are not; so x_a is parallel to w at a maximiser"
        ),
        in_words("w along -x_a is none: there it is -|x_a| cos of the angle, which grows"),
        in_words("w along x_a sees just the positive data, so x_a = x_+; and there it is <x_+, w>, largest along x_+"),
    )


@derived
def centres(data: Dataset) -> dict[int, Array]:
    """x_+ and x_-."""
    return {label: centre(data, label) for label in (1, -1)}


on_separated_data = vectors.but(
    "Section 2.2, and introduction: on separated data the class centres are the extreme vectors",
    given=sized(data=separated_dataset, dimension=(2, 2), samples=(1, 5)),
    assumes=[separated],
    derived=[extremes, centres],
)


@on_separated_data.claim("amended", proof=_centres_proof, recorded="proved")
@mutants(
    changed("the other centres", centres=lambda found: {1: found[-1], -1: found[1]}),
    changed("the sum of all data", centres=lambda found: dict.fromkeys((1, -1), found[1] + found[-1])),
    without(separated),
)
def centres_are_the_extreme_vectors(data: Dataset, extremes: dict[int, Extremes], centres: dict[int, Array]) -> Margin:
    r"""On separated data in the plane, outside of $S_{dead}$, $\sum_iy_i\sigma(\langle x_i,w\rangle)$ has one local
    maximiser, $x_+/\|x_+\|$, and one local minimiser, $x_-/\|x_-\|$ (none for a class without data), and is constant on
    no arc.

    Amended: Assumption 1, and the plateau $S_{dead}$ is left out. The proof holds in any dimension from two on.
    """
    parts = []
    for label, (peaks, flats) in extremes.items():
        alive, middle = [p for p in peaks if not in_dead(p, data)], centres[label]
        parts.append(equal(len(alive), int(any(middle)), "number of extreme vectors"))
        parts.append(equal(sum(not in_dead(m, data) for m in flats), 0, "arcs on which the function is constant"))
        parts.append(equal([p[0] * middle[1] - p[1] * middle[0] for p in alive], 0, "collinear with the centre"))
        parts.append(less(0, np.array([p @ middle for p in alive], dtype=object), "on the side of the centre"))
    return all_of(*parts)
