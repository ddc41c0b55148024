r"""Lemma B.1: the sums of coefficients of a leaky ReLU network are balanced at all times."""

from refute import Kind, Margin, at_least, changed, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_MAIN, near_orthogonal_leaky
from refute.claims.kou2023.leaky_courses import LATE, SLOPES
from refute.models import Dataset
from refute.models.kou2023.orthogonality import squared_radii
from refute.strategies.kou2023.nearly_orthogonal import training

main = section(
    "kou2023",
    "lemma_b1",
    "Lemma B.1",
    kind=Kind.DYNAMICS,
    given=training(samples=(1, 5), widths=(1, 2, 4), extra=3, leaks=SLOPES),
    assumes=LEAKY_MAIN,
    derived=LATE,
    recorded="supported",
    cost=0.4,
)


@main.claim("balance_sum", "Eq. (B.8)")
@mutants(scaled("3/2"), changed("without gamma^2", gamma=lambda gamma: 1), without(near_orthogonal_leaky))
def sums_of_coefficients_are_balanced(data: Dataset, balance: Array, gamma: Number) -> Margin:
    r"""$\sum_r|\rho^{(t)}_{j,r,i}|\ge c_1\gamma^2\sum_r|\rho^{(t)}_{j',r,i'}|$ for all $t\ge0$, all $j,j',i,i'$.

    Convention: $c_1=\frac4{5R^2}$, since $R^{-2}$ is lost in the first step and the paper counts R as a constant; t
    from 1 to $10^{12}$.
    """
    low, high = squared_radii(data.inputs)
    return at_least(balance, 4 * low / (5 * high) * gamma**2, "smallest over largest sum")
