r"""Appendix E.4: under Condition 3 the loss of a two-layer network is that of its linear part and one of its even
part.
"""

from refute import Margin, all_of, equal, mutants, scaled, section, without
from refute.claims.zhang2024.assumptions import CONDITION_3, even_inputs, odd_target
from refute.claims.zhang2024.pairs import loss_splits
from refute.functions import mean
from refute.models import Dataset, TwoLayer
from refute.models.loss import SQUARE
from refute.models.zhang2024.fields import mean_slope
from refute.strategies import dataset, drawn, sized, two_layer

main = section(
    "zhang2024",
    "e4",
    "E.4",
    given=sized(net=two_layer, data=dataset, samples=drawn(1, 3)),
    assumes=CONDITION_3,
    proof=loss_splits,
    recorded="proved",
    cost=2.0,
)


@main.claim("loss_decomposition", "three-line display")
@mutants(
    without(even_inputs), without(odd_target), scaled("101/100", "first equality"), scaled("101/100", "second equality")
)
def the_loss_splits_into_linear_and_even_part(net: TwoLayer, data: Dataset) -> Margin:
    r"""For $f=x^\top w+f_e$ with even $f_e$, $\mathcal L=\tfrac12\langle(y-x^\top w)^2-2(y-x^\top w)f_e+f_e^2\rangle
    =\tfrac12\langle(y-x^\top w)^2\rangle+\tfrac12\langle f_e^2\rangle$.

    The first equality is algebra. In the second the cross term is odd, so its average over an even law vanishes.

    Convention: the symbol A of the second line is not defined in print: A x = x^T w; f_e is the even part of any
    two-layer network.
    """
    f, linear = net(data.inputs), mean_slope(net) * (data.inputs @ net.linear_map())
    gap, even = data.labels - linear, f - linear
    expanded = (gap**2 - 2 * gap * even + even**2) / 2
    return all_of(
        equal(SQUARE.each(data.labels, f), expanded, "first equality, sample by sample"),
        equal(mean(expanded), mean(gap**2) / 2 + mean(even**2) / 2, "second equality"),
    )
