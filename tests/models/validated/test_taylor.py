"""Series of the flow inside one pattern: known coefficients, and a Jacobian that is the derivative of the velocity."""

from fractions import Fraction

import pytest
from flint import arb, ctx

from refute.models.loss import Loss, Shape
from refute.models.validated.taylor import AnalyticField, Pull, ball

POINTS = [["1", "-1/2"], ["1/3", "2"]]
LABELS = ["1", "-1/2"]
BUILT_IN = [shape for shape in Shape if shape is not Shape.OWN]


def field(shape: Shape, *, trained: bool = True, sign: int = -1) -> AnalyticField:
    """Two neurons, two samples, gates 1 and 1/4."""
    points = [[ball(Fraction(entry)) for entry in point] for point in POINTS]
    seen = [points, [[entry / 4 for entry in point] for point in points]]
    pulls = [Pull(Loss(shape, sign=sign), ball(Fraction(label)), ball(Fraction(1, 2))) for label in LABELS]
    return AnalyticField(seen, pulls, None if trained else [arb(1), arb(-2)])


def start(trained: bool) -> list[arb]:
    values = [Fraction(1, 2), Fraction(-1, 3), Fraction(1), Fraction(1, 5), Fraction(2, 3), Fraction(-3, 4)]
    return [ball(value) for value in values[: 6 if trained else 4]]


def test_a_decaying_exponential():
    """A fixed outer weight on one sample: w' = -2 w has the coefficients (-2)^k / k!."""
    flow = AnalyticField([[[arb(1)]]], [Pull(Loss(Shape.SQUARE), arb(0), arb(1))], [arb(1)])
    (coefficients,) = flow.expand([arb(1)], 10)
    factorial = 1
    for k, coefficient in enumerate(coefficients):
        factorial *= max(k, 1)
        assert coefficient.overlaps(arb((-2) ** k) / factorial)


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("trained", [True, False])
@pytest.mark.parametrize("shape", BUILT_IN)
def test_the_series_solves_the_equation(shape, trained, sign):
    """y(s) summed from the series has the velocity of the field at y(s), to the order of the truncation."""
    with ctx.workprec(256):
        flow = field(shape, trained=trained, sign=sign)
        series = flow.expand(start(trained), 30)
        s = arb(2) ** -12
        point = [sum((c * s**k for k, c in enumerate(row)), arb(0)) for row in series]
        slope = [sum((k * c * s ** (k - 1) for k, c in enumerate(row) if k), arb(0)) for row in series]
        assert all(abs(a - b) < 1e-60 for a, b in zip(slope, flow.velocity(point), strict=True))


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("trained", [True, False])
@pytest.mark.parametrize("shape", BUILT_IN)
def test_the_jacobian_is_the_derivative_of_the_velocity(shape, trained, sign):
    """Central differences agree to their order, and the matrix is symmetric."""
    with ctx.workprec(256):
        flow, here = field(shape, trained=trained, sign=sign), start(trained)
        matrix, step = flow.jacobian(here), arb(2) ** -60
        for j in range(len(here)):
            right, left = ([value + way * step * (k == j) for k, value in enumerate(here)] for way in (1, -1))
            change = [(a - b) / (2 * step) for a, b in zip(flow.velocity(right), flow.velocity(left), strict=True)]
            assert all(abs(change[i] - matrix[i, j]) < 1e-30 for i in range(len(here)))
            assert all(matrix[i, j].overlaps(matrix[j, i]) for i in range(len(here)))


@pytest.mark.parametrize("shape", BUILT_IN)
def test_coefficients_over_a_box_contain_those_at_its_points(shape):
    """Inclusion, which the remainder of a step rests on."""
    flow = field(shape)
    box = [value + arb(0, 0.01) for value in start(True)]
    corner = [value + 0.009 for value in start(True)]
    wide, thin = flow.expand(box, 8), flow.expand(corner, 8)
    assert all(a.contains(b) for row, other in zip(wide, thin, strict=True) for a, b in zip(row, other, strict=True))
