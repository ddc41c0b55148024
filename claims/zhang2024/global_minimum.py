r"""Appendix E.4: under Condition 3 no two-layer network fits better than ordinary least squares (the second sentence of
Corollary 6).
"""

from fractions import Fraction

from refute import Margin, all_of, at_least, claim, equal, moved, without
from refute.arithmetic.numbers import Number
from refute.claims.zhang2024.conditions import CONDITION_3, even_inputs, odd_target
from refute.claims.zhang2024.pairs import least_squares_is_least, loss_splits, outputs_add_up
from refute.decide.proof import steps
from refute.functions import mean
from refute.models import Dataset, TwoLayer
from refute.models.geometry.elimination import solve
from refute.models.loss import SQUARE
from refute.models.reference.least_squares import least_squares
from refute.strategies import dataset, drawn, sized, two_layer


def _best_outer(net: TwoLayer, data: Dataset) -> TwoLayer:
    """The outer weights that fit best with these inner weights: a solution of the normal equations
    of the hidden layer.
    """
    hidden = net.hidden(data.inputs)
    return net.with_weights(net.inner, solve(hidden.T @ hidden, hidden.T @ data.labels))


@claim(
    "zhang2024.corollary_6.global_minimum",
    "Corollary 6, second sentence; E.4",
    given=sized(net=two_layer, data=dataset, samples=drawn(1, 3), width=(1, 3), dimension=(1, 2)),
    assumes=CONDITION_3,
    proof=lambda: steps(loss_splits(), least_squares_is_least(), outputs_add_up()),
    recorded="proved",
    mutants=[
        without(even_inputs),
        without(odd_target),
        moved("a hundredth more than the least-squares loss", share=Fraction(101, 100)),
    ],
    convention="global minimum over networks of every width; two neurons attain it, one ReLU neuron need not",
    cost=3.0,
)
def no_network_beats_least_squares(net: TwoLayer, data: Dataset, *, share: Number = Fraction(1)) -> Margin:
    r"""Under Condition 3 the least-squares map $w^*=\Sigma^{-1}\beta$ attains the global minimum of the network's
    square loss.

    For every $W_1$ the best $W_2$ (an exact least-squares fit on the hidden layer) leaves at least the loss of
    $x^\top w^*$, and the two neurons $\pm w^*$ with outer weights $\pm\frac1{1+\alpha}$ attain it. For singular
    $\Sigma$, $w^*$ is the solution of least norm. Both parts of Condition 3 are needed.
    """
    w = least_squares(data)
    least = SQUARE.value(data.labels, data.inputs @ w)
    best = SQUARE.value(data.labels, _best_outer(net, data)(data.inputs))
    outer = net.outer[:1] * 0 + 1 / (1 + net.slope)
    pair = (net.with_weights(sign * w[None, :], sign * outer) for sign in (1, -1))
    attained = sum(half(data.inputs) for half in pair)
    return all_of(
        at_least(best, share * least, "loss of the best outer weights against that of least squares"),
        equal(SQUARE.value(data.labels, attained), least, "loss of two neurons that implement the least-squares map"),
    )


@claim(
    "zhang2024.e4.loss_decomposition",
    "E.4, three-line display",
    given=sized(net=two_layer, data=dataset, samples=drawn(1, 3)),
    assumes=CONDITION_3,
    proof=loss_splits,
    recorded="proved",
    mutants=[
        without(even_inputs),
        without(odd_target),
        moved("even part not halved", even=Fraction(1)),
        moved("cross term once", cross=Fraction(1)),
    ],
    convention="the symbol A of the second line is not defined in print: A x = x^T w; f_e is the even part of any "
    "two-layer network",
    cost=2.0,
)
def the_loss_splits_into_linear_and_even_part(
    net: TwoLayer, data: Dataset, *, cross: Number = Fraction(2), even: Number = Fraction(1, 2)
) -> Margin:
    r"""For $f=x^\top w+f_e$ with even $f_e$, $\mathcal L=\tfrac12\langle(y-x^\top w)^2-2(y-x^\top w)f_e+f_e^2\rangle
    =\tfrac12\langle(y-x^\top w)^2\rangle+\tfrac12\langle f_e^2\rangle$.

    The first equality is algebra. In the second the cross term is odd, so its average over an even law vanishes.
    """
    linear = (net.slope + 1) / 2 * (data.inputs @ net.linear_map())
    f_e = net(data.inputs) - linear
    gap = data.labels - linear
    expanded = (gap**2 - cross * gap * f_e + f_e**2) / 2
    return all_of(
        equal(SQUARE.each(data.labels, net(data.inputs)), expanded, "first equality, sample by sample"),
        equal(mean(expanded), mean(gap**2) / 2 + even * mean(f_e**2), "second equality"),
    )
