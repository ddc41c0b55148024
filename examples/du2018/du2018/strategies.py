"""What draws cases that several statements share, with the values that they may take."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from refute import values
from refute.strategies import Size, array, dataset, deep, drawn, number, positive, sized

from .models import SoftplusNetwork

SMALL = {"depth": drawn(2, 4), "width": drawn(1, 3)}
INSTANTS = sized(net=deep, data=dataset, at_zero=number(), **SMALL)
STEPS = sized(net=deep, data=dataset, at_zero=number(), step=positive(), **SMALL)


@values(lambda net: isinstance(net, SoftplusNetwork))
def softplus_network(size: Size) -> SearchStrategy[SoftplusNetwork]:
    """Two layers of softplus with weights from the grid."""
    return st.builds(SoftplusNetwork, array(size.width, size.dimension), array(size.width))
