"""Lemma 5.5: the coefficients of a ReLU network stay balanced; Lemma E.1 says it again."""

from fractions import Fraction

from refute import Kind, Margin, at_least, bent, mutants, scaled, section, without
from refute.claims.kou2023.assumptions import RELU_APPENDIX, near_orthogonal
from refute.claims.kou2023.relu_runs import EVERY, RUN, VARIED
from refute.models import Dataset
from refute.models.kou2023.active import Active
from refute.models.kou2023.orthogonality import squared_radii

BALANCE = [
    scaled("5/2"),
    bent("1/3 whatever R", right=lambda bound: 0 * bound + 1 / 3),
    EVERY,
    without(near_orthogonal),
]

main = section(
    "kou2023",
    "lemma_5_5",
    "Lemma 5.5",
    kind=Kind.DYNAMICS,
    given=VARIED,
    assumes=RELU_APPENDIX,
    derived=RUN,
    recorded="supported",
)


@main.claim("relu_balance")
@mutants(*BALANCE)
def coefficients_of_active_neurons_dominate(active: Active, data: Dataset) -> Margin:
    r"""$|\rho^{(t)}_{y_i,r,i}|\ge c|\rho^{(t)}_{j,r',i'}|$ for all $t\ge0$, $r\in S_i^{(0)}$, and all $j,r',i,i'$.

    Convention: c is taken as $\frac2{5R^2}$, since $R^{-2}$ is lost in the first step and the paper counts R as a
    constant.
    """
    low, high = squared_radii(data.inputs)
    return at_least(active.balance, Fraction(2, 5) * low / high, "smallest active own coefficient over the largest")
