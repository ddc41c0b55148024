"""False statements whose counterexamples fill a small part of the space: to be found by climbing, not by drawing."""

from fractions import Fraction

from refute import Assumption, all_of, at_least, claim, equal, less
from refute.functions import squared_norm
from refute.strategies import number, point, points, positive, sized


@claim("needles.hidden_point", given=sized(x=point, dimension=(3, 3)))
def no_point_is_near_the_hidden_one(
    x, *, a=Fraction(731, 1000), b=Fraction(-1213, 1000), c=Fraction(217, 100), radius=Fraction(1, 100)
):
    """Every point of space keeps its distance from a hidden one."""
    square = (x[0] - a) * (x[0] - a) + (x[1] - b) * (x[1] - b) + (x[2] - c) * (x[2] - c)
    return at_least(square, radius * radius, "squared distance")


@claim("needles.masked", given=sized(x=number(), y=positive()))
def a_part_that_always_touches_does_not_hide_another(x, y, *, least=Fraction(1, 1000)):
    """0 <= 0, and (x, y) is not near (7, 7)."""
    return all_of(
        at_least(x * 0, x * 0, "0 >= 0"), at_least((x - 7) * (x - 7) + (y - 7) * (y - 7), least, "distance from (7, 7)")
    )


def _mirrored(draw, rows):
    """Within the sizes of the cases."""
    return {"rows": [row for one in rows[: len(rows) // 2] for row in (one, -one)]}


even = Assumption(
    "rows.even", "the rows sum to zero", lambda rows: equal(sum(rows), 0, "sum"), sized(rows=points), satisfy=_mirrored
)


@claim("needles.under_an_assumption", given=sized(rows=points, samples=(2, 4), dimension=(2, 2)), assumes=[even])
def mirrored_points_stay_outside_a_small_ball(rows, *, radius=Fraction(1, 200), a=Fraction(13, 10)):
    """No row of an even set is near (13/10, 13/10)."""
    return at_least([squared_norm(row - a) for row in rows], radius * radius, "squared distance")


@claim("needles.true", given=sized(x=number(), y=positive()))
def squares_are_not_negative(x, y):
    """x^2 + y > 0."""
    return less(0, x * x + y, "x^2 + y")
