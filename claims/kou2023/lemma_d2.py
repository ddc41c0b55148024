"""Lemma D.2: the training loss of a leaky ReLU network is bounded by powers of the time.

Its rate and the displays of its proof are in `equations_d3_d6`, where the notation is explained.
"""

from refute import Margin, at_most, changed, derived, scaled
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.equations_d3_d6 import display
from refute.functions import exp, mean
from refute.models.kou2023.late_gains import LateGains


@derived
def power(kappa: Number) -> Number:
    """a = (1 - kappa)/(1 + kappa)."""
    return (1 - kappa) / (1 + kappa)


@display.claim(
    "lemma_d2.loss_bound",
    "Lemma D.2",
    derived=[*display.common["derived"], power],
    mutants=[scaled("1/2"), changed("exponent a tenth larger", power=lambda power: 1.1 * power)],
)
def the_loss_is_bounded_by_powers(late: LateGains, power: Number) -> Margin:
    r"""For $t\ge T_1$: $L_S\le\sum_i\frac{e^{-C_i'}}n
    (1+\frac{\eta\|x_i\|^2e^{-C_i}(1+\gamma^2)(1+\kappa)}{2nm}(t-T_1))^{-a}$ with $a=\frac{1-\kappa}{1+\kappa}$.
    """
    bound = mean(exp(-power * late.growth - late.offset(-1)), axis=1)
    return at_most(late.course.known_loss / bound, 1, "loss over its bound")
