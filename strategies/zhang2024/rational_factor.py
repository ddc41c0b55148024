"""Networks whose slope makes the factor sqrt(2/(1 + slope)) rational: 4/3, 5/4, 8/7, 7/5 and 1."""

from fractions import Fraction
from math import isqrt

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from refute.language.cases import values
from refute.models.network import TwoLayer
from refute.strategies.networks import two_layer
from refute.strategies.sizes import Size

_SLOPES = st.sampled_from([Fraction(s) for s in ("1/8", "7/25", "17/32", "1/49", "1")])


def _is_square(value: Fraction) -> bool:
    return all(isqrt(part) ** 2 == part for part in (value.numerator, value.denominator))


@values(lambda value: isinstance(value, TwoLayer) and _is_square(2 / (1 + Fraction(value.slope))))
def rational_factor_net(size: Size) -> SearchStrategy[TwoLayer]:
    """A two-layer network with such a slope."""
    return st.builds(lambda net, slope: TwoLayer(net.inner, net.outer, slope), two_layer(size), _SLOPES)
