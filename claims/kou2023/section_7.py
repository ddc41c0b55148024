r"""Section 7: does every ReLU neuron settle on an activation pattern, or do some switch for ever? An open question of
the paper: neither alternative is claimed there.

What was found. Let $G_{ik}=\langle x_i,x_k\rangle$. A step changes $jy_i\langle w_{j,r},x_i\rangle$ by
$\frac{\eta}{nm}\sum_k|\ell_k'|\sigma'(\langle w_{j,r},x_k\rangle)\,y_iy_kG_{ik}$.
If all $y_iy_kG_{ik}\ge0$ no term is negative: a neuron changes its state on a sample at most once and the pattern
stabilises (r3). If $y_1\ne y_2$ and $G_{12}>0$, take a neuron of class $y_1$ that is active on $x_1$, for ever by Lemma
5.8. While it is inactive on $x_2$ its signal there grows by $\frac{\eta}{nm}|\ell_1'|G_{12}$, whose sum over t
diverges, so it becomes active again; while it is active the signal changes by
$\frac{\eta}{nm}(|\ell_1'|G_{12}-|\ell_2'|\|x_2\|^2)$, which is negative and has a divergent sum as long as the two
logits are of one order, so it becomes inactive again. Given that, some neurons switch infinitely often, and since
$|\ell_i'|$ is about $nm^2/(\eta|S_i|\|x_i\|^2t)$ late in training, they do so $2G_{12}|S_2|/(\|x_1\|^2|S_1|)$ times a
step (r2). That the logits stay of one order is seen, not proved.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    assumption,
    at_least,
    at_most,
    changed,
    derived,
    eventually,
    mutants,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX
from refute.decide.proof import by_smt, steps
from refute.functions import absolute
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, unroll
from refute.models.kou2023.switching import Counts, half_active_start, own_active, switches, two_points
from refute.strategies.kou2023.alignment import align, oppose
from refute.strategies.kou2023.nearly_orthogonal import any_training, relu_training

WINDOWS = 13  # of 2^k steps each


@derived
def late_counts(data: Dataset, net: TwoLayer, rate: Number) -> Counts:
    """The changes of state at the steps 2^k to 2^(k+1) - 1, of all neurons on all samples."""
    return np.asarray(switches(data, np.asarray(net.inner, dtype=float), float(rate), 12).sum(axis=(1, 2)))


question = section("kou2023", "sec7", "Section 7", kind=Kind.ASYMPTOTIC)


windows = question.but(
    given=relu_training(samples=(2, 2), widths=(2, 4), constants=(10,), families=("positive",)),
    assumes=RELU_APPENDIX,
    derived=[late_counts],
    recorded="against",
    cost=0.1,
)


@windows.claim("switching_question.r1", "the question's second alternative")
def activation_patterns_stabilise(late_counts: Counts) -> Margin:
    r"""On nearly orthogonal data the activation pattern of a ReLU network does not change any more after some time.

    Evidence against, for inputs of different label with a positive inner product, however small: what the neurons of
    one class learn from their own sample makes them active on the other one, whose gradient makes them inactive again,
    in every dyadic window of steps.

    Convention: C = 10; windows of the steps $2^k$ to $2^{k+1}-1$ up to $k=11$, two inputs with a nonnegative inner
    product. No finite run decides the question.
    """
    return eventually(lambda k: at_most(int(late_counts[k]), 0, "changes of state"), "windows", at=tuple(range(12)))


@derived
def pair(overlap: float, radius: float, label: int) -> Dataset:
    """Two samples."""
    return two_points(float(overlap), float(radius), label)


@derived
def start(pair: Dataset, number: int, m: int, C: int) -> Array:
    """A Gaussian start with sigma_0 at its bound, on the event of Lemma A.2."""
    top = np.sqrt((np.asarray(pair.inputs, dtype=float) ** 2).sum(axis=1).max())
    return np.asarray(half_active_start(np.random.default_rng(number), pair, m) / (C * top * np.sqrt(np.log(4 * m))))


@derived
def share(pair: Dataset, start: Array) -> float:
    """|S_2|/|S_1|."""
    first, second = own_active(start, pair)
    return float(second.sum() / first.sum())


@derived
def sigma_slope() -> float:
    """The slope of sigma on the left: that of ReLU."""
    return 0.0


def _with(**fields: Any) -> Callable[[Dataset], Dataset]:
    """The two samples with another label, or mirrored overlap."""

    def change(pair: Dataset) -> Dataset:
        overlap, radius = pair.inputs[1, 0], float(np.linalg.norm(pair.inputs[1]))
        return two_points(fields.get("turn", 1) * overlap, radius, fields.get("label", -1))

    return change


RUNS = [
    {"overlap": overlap, "radius": radius, "label": -1, "number": number, "m": 10, "C": 10}
    for overlap, radius in ((0.05, 1.0), (0.02, 1.5), (0.02, 0.75))
    for number in (1, 2)
]


alternating = question.but(instances=RUNS, derived=[pair, start, share, sigma_slope], recorded="supported")


@alternating.claim("switching_question.r2", "the question's first alternative")
@mutants(
    changed("two samples of one label", pair=_with(label=1)),
    changed("for a negative inner product", pair=_with(turn=-1)),
    changed("for leaky ReLU", sigma_slope=lambda _: 0.25),
    scaled(2, "from below"),
    scaled("1/2", "from above"),
)
def neurons_switch_for_ever(
    pair: Dataset, start: Array, share: float, sigma_slope: float, overlap: float, radius: float, m: int, C: int
) -> Margin:
    r"""If $y_1\ne y_2$ and $\langle x_1,x_2\rangle>0$, each neuron of class $y_1$ that is active on $x_1$ at the start
    switches on $x_2$ in every late window, $2\langle x_1,x_2\rangle|S_2^{(0)}|/(\|x_1\|^2|S_1^{(0)}|)$ times a step;
    and so with 1 and 2 exchanged.

    Convention: two samples, C = 10 in rate and scale, a Gaussian start on the event of Lemma A.2; the steps 4096 to
    8191, frequencies within a twentieth. The formula was derived before it was measured, the twentieth was chosen
    after.
    """
    first, second = own_active(start, pair)
    rate = 2 * m / (C * max(1.0, float(radius)) ** 2)
    often = switches(pair, start, rate, WINDOWS, sigma_slope)[-1] / 2 ** (WINDOWS - 1)
    found = np.concatenate([often[:m, 1][first], often[m:, 0][second]])
    wanted = 2 * float(overlap) * np.repeat([share, 1 / (float(radius) ** 2 * share)], [first.sum(), second.sum()])
    return all_of(at_least(found, 19 * wanted / 20, "from below"), at_most(found, 21 * wanted / 20, "from above"))


@assumption("data.aligned_overlaps", base=any_training(), satisfy=align, violate=oppose)
def aligned_overlaps(data: Dataset) -> Margin:
    """y_i y_k <x_i, x_k> >= 0 for all i and k"""
    signed = data.labels[:, None] * data.inputs
    return at_least(signed @ signed.T, 0, "y_i y_k <x_i, x_k>")


@derived
def course(data: Dataset, net: TwoLayer, rate: Number) -> Decomposition:
    """Six steps."""
    return unroll(net, data, rate=rate, steps=6)


@derived
def sides(data: Dataset) -> Array:
    """j y_i: (1, j, 1, i)."""
    return np.array([1, -1])[None, :, None, None] * data.labels


def _no_term_is_negative() -> str | None:
    def statement() -> Any:
        import z3

        rate, logit, slope, overlap = z3.Reals("rate logit slope overlap")
        given = z3.And(rate >= 0, logit > 0, slope >= 0, overlap >= 0)
        return z3.Implies(given, rate * logit * slope * overlap >= 0)

    return steps(by_smt(statement), "the change in a step is a sum of such terms, one for each sample")


aligned = question.but(
    kind=Kind.ALGEBRAIC,
    given=any_training(),
    assumes=[aligned_overlaps],
    derived=[course, sides],
    proof=_no_term_is_negative,
    recorded="proved",
    cost=4.0,
)


@aligned.claim("switching_question.r3", "data on which patterns stabilise")
@mutants(
    without(aligned_overlaps),
    shifted("1/1000000"),
    changed("without the sign y_i", sides=lambda sides: absolute(sides) * np.array([1, -1])[None, :, None, None]),
)
def aligned_data_move_signals_one_way(course: Decomposition, sides: Array) -> Margin:
    r"""If $y_iy_k\langle x_i,x_k\rangle\ge0$ for all i and k, no $jy_i\langle w_{j,r}^{(t)},x_i\rangle$ ever decreases:
    each neuron changes its state on each sample at most once, and the activation pattern stabilises.

    Convention: nothing else is assumed: any slope, rate and start, and the data need not be nearly orthogonal; the
    cases take six steps.
    """
    return at_least((course.signals[1:] - course.signals[:-1]) * sides, 0, "change of j y_i <w, x_i> in a step")
