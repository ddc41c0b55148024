r"""Lemma 3: up to T norms and outputs stay small, for leaky ReLU and the square loss of Remark 4 too."""

import numpy as np

from refute import Enclosed, Kind, Margin, all_of, at_most, bent, changed, derived, mutants, scaled, section
from refute.arithmetic.numbers import Number
from refute.claims.min2024.states import STATES, longest
from refute.claims.min2024.training import ALL_LOSSES, LOSSES, SQUARE_SUM
from refute.decide.proof import by_smt, in_words, steps
from refute.functions import absolute, largest, norm
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.balanced_state import moment
from refute.models.min2024.small_scale import SmallRun, small_run
from refute.strategies import choice, sized
from refute.strategies.min2024.separated import labelled_dataset, neurons

NORMS = "ln |w_j|^2 against ln(2 eps W_max^2 / sqrt(h))"


@derived
def part() -> float:
    """How long the bound holds, in units of T."""
    return 1.0


@derived
def power() -> int:
    """Of eps."""
    return 1


@derived
def small(
    data: Dataset, start: Balanced, below: float, reach: float, slope: float, loss: str, tolerance: float
) -> SmallRun:
    """The run up to 4 T."""
    return small_run(data, start, below, reach, slope, LOSSES[loss], tolerance)


lemma = section(
    "min2024",
    kind=Kind.DYNAMICS,
    given=sized(
        data=labelled_dataset,
        start=neurons,
        below=choice("0", "1", "10", "1000"),
        reach=choice("0", "1/4", "1"),
        slope=choice("0", "1/4", "1"),
        loss=ALL_LOSSES,
        width=(1, 3),
    ),
    derived=[small, part, power],
    recorded="supported",
    mutants=[
        changed("for four times as long", part=lambda _: 4.0),
        changed("eps^2 in place of eps", power=lambda _: 2),
    ],
    convention="eps at most 1/(4 sqrt(h) X_max W_max^2) and 1/sqrt(h), or else T is not positive; any data. That eps "
    "is so small is not shown necessary. W_0 is scaled to X_max W_max^2 = reach (as drawn for 0); the three losses in "
    "print, or the square loss for Remark 4",
    cost=0.25,
)


SMALLER = bent("9/10 in place of 2", NORMS, right=lambda log: log - np.log(20 / 9))


def _norms(small: SmallRun, part: float, power: int) -> Margin:
    bound = np.log(2) + power * small.log_epsilon + 2 * np.log(small.widest) - np.log(small.width) / 2
    return at_most(small.until(part).log_squares, bound, NORMS)


@lemma.claim("lemma_3.norm_bound", "Lemma 3, Eq. (10), left")
@mutants(SMALLER)
def norms_stay_small_until_t(small: SmallRun, part: float, power: int) -> Margin:
    r"""$\max_j\|w_j(t)\|^2\le\frac{2\epsilon W_{\max}^2}{\sqrt h}$ for
    $t\le T=\frac1{4nX_{\max}}\log\frac1{\sqrt h\,\epsilon}$.
    """
    return _norms(small, part, power)


@derived
def squared(data: Dataset, start: Balanced, below: float, reach: float, slope: float, tolerance: float) -> SmallRun:
    """The run under the square loss."""
    return small_run(data, start, below, reach, slope, SQUARE_SUM, tolerance)


@lemma.claim("remark_4.square_loss.norm_bound", "Remark 4, second half: Lemma 3", derived=[squared, part, power])
@mutants(SMALLER)
def norms_stay_small_under_the_square_loss(squared: SmallRun, part: float, power: int) -> Margin:
    r"""The bound of Lemma 3 on the norms for $\ell=\frac12(y-\hat y)^2$."""
    return _norms(squared, part, power)


@lemma.claim("lemma_3.output_bound", "Lemma 3, Eq. (10), right")
@mutants(scaled("1/6"))
def outputs_stay_small_until_t(small: SmallRun, part: float, power: int) -> Margin:
    r"""$\max_i|f(x_i;W(t),v(t))|\le2\epsilon\sqrt hX_{\max}W_{\max}^2$ for
    $t\le T=\frac1{4nX_{\max}}\log\frac1{\sqrt h\,\epsilon}$.

    Both sides are divided by $\epsilon$, which may underflow.
    """
    outputs: Enclosed = absolute(small.until(part).outputs)
    bound = 2 * np.sqrt(small.width) * small.longest * small.widest**2 * np.exp((power - 1) * small.log_epsilon)
    return at_most(outputs, bound, "|f(x_i)| / eps against 2 sqrt(h) X_max W_max^2")


@derived
def ratio() -> int:
    """|v_j| over |w_j|."""
    return 1


def outputs_proof() -> str | None:
    """|sigma(z)| <= |z|, and term by term."""
    import z3

    z, slope, size, longest, square, most = z3.Reals("z slope size longest square most")
    leaky = z3.If(z > 0, z, slope * z)
    term = z3.And(size >= 0, size <= longest, square >= 0, square <= most)
    return steps(
        by_smt(lambda: z3.Implies(z3.And(slope >= 0, slope <= 1), z3.Abs(leaky) <= z3.Abs(z)), "|sigma(z)| <= |z|"),
        in_words("so |f(x)| <= sum_j |v_j| |<w_j, x>| <= sum_j |w_j|^2 |x|, since |v_j| = |w_j|"),
        by_smt(lambda: z3.Implies(term, square * size <= most * longest), "|w_j|^2 |x| <= X_max max |w_j|^2"),
        in_words("for each of the h neurons"),
    )


balanced = section("min2024", "sec_B", "proof of Lemma 3", given=STATES, derived=[longest, ratio], cost=2.0)
FIRST, SECOND = "|f(x_i)| against sum_j |w_j|^2 |x_i|", "sum_j |w_j|^2 |x_i| against h X_max max_j |w_j|^2"


@balanced.claim("output_vs_norm", proof=outputs_proof, recorded="proved")
@mutants(scaled("99/100", FIRST), scaled("99/100", SECOND), changed("unbalanced, |v_j| = 2 |w_j|", ratio=lambda _: 2))
def outputs_are_bounded_by_the_norms(
    data: Dataset, start: Balanced, scale: Number, slope: Number, longest: Number, ratio: int
) -> Margin:
    r"""For balanced weights $|f(x_i)|\le\sum_j\|w_j\|^2\|x_i\|\le hX_{\max}\max_j\|w_j\|^2$.

    Convention: the last sentence of the paragraph is the outer inequality with
    eps = max |w_j|^2 sqrt(h) / (2 W_max^2).
    """
    state = moment(start, scale, data, SQUARE_SUM, slope=slope, ratio=ratio)
    squares = state.norms * state.norms
    total = squares.sum() * np.array([norm(x) for x in data.inputs])
    return all_of(
        at_most(absolute(state.outputs), total, FIRST),
        at_most(total, len(squares) * longest * largest(squares), SECOND),
    )
