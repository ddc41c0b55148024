r"""Section 5 and Theorem 6 on the whole network (ours).

From $\lambda=10^{-1}$ on it approaches the one-neuron bundle on which the statements of these sections are tested at
the $\lambda$ of Assumption 2.

Here the distances between real neurons and yardsticks, of size $\lambda^2$, and the angles of the bundle, of size
$\lambda$, are seen, also those of neurons that do not take part.
"""

from refute import Kind, Margin, all_of, bent, changed, derived, mutants, section, shifted, suppose, tends_to
from refute.arithmetic.numbers import Array
from refute.claims.chistikov2023.assumptions import ASSUMPTION_1
from refute.models import Dataset
from refute.models.chistikov2023.ends import SCALES
from refute.models.chistikov2023.full_network import Beside
from refute.models.chistikov2023.full_network import beside as put_beside
from refute.models.logpolar.balanced import Balanced
from refute.strategies.chistikov2023.correlated import correlated, start
from refute.strategies.sizes import drawn

COARSER = 10  # than the tolerance asked for: limits are wanted to a millionth


@derived
def beside(start: Balanced, data: Dataset, teacher: Array, tolerance: float) -> Beside | None:
    """The whole network and the bundle at 1e-1, 1e-2, 1e-4, 1e-8, 1e-16."""
    return put_beside(start, data, teacher, SCALES, COARSER * tolerance)


whole = section(
    "chistikov2023",
    "bundle.linear_network",
    "section 5 and Theorem 6, on the whole network (ours)",
    kind=Kind.ASYMPTOTIC,
    given=correlated(start=start, dimension=drawn(2, 4), samples=drawn(2, 5), width=drawn(2, 12)),
    derived=[beside],
    recorded="supported",
    printed=False,
)


@whole.claim("full_network", assumes=ASSUMPTION_1, cost=2)
@mutants(
    changed("the bundle is behind", beside=lambda one: one and one.late()),
    shifted("1/100", "loss").called("a loss larger by 1/100"),
    bent("the others keep a hundredth", "norms", right=lambda limit: limit + 0.01),
)
def the_whole_network_moves_like_one_neuron(beside: Beside | None) -> Margin:
    r"""From take-off until $v$ is within a hundredth of the teacher the predictor $v^t$ of the whole network tends to
    that of the bundle as $\lambda\to0$, so do $L$ and $T_2$, and all neurons outside $J_+$ vanish.

    Convention: at twelve times, from $|v|=1/20$ to $\max_k|1-p_k|=1/100$, on the clock of the bundle.
    """
    suppose(beside is not None, "a neuron of positive sign lives")
    assert beside is not None
    return all_of(
        tends_to(beside.network, beside.single, "v", at=SCALES),
        tends_to(beside.losses, beside.single_losses, "loss", at=SCALES),
        tends_to(beside.others, 0.0, "norms of the other neurons", at=SCALES),
    )
