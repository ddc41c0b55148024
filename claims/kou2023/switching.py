r"""Section 7: does every ReLU neuron settle on an activation pattern, or do some switch for ever? An open question of
the paper.

What was found. Let $G_{ik}=\langle x_i,x_k\rangle$. A step changes $jy_i\langle w_{j,r},x_i\rangle$ by
$\frac{\eta}{nm}\sum_k|\ell_k'|\sigma'(\langle w_{j,r},x_k\rangle)\,y_iy_kG_{ik}$.
If all $y_iy_kG_{ik}\ge0$ no term is negative: a neuron changes its state on a sample at most once and the pattern
stabilises (r3). If $y_1\ne y_2$ and $G_{12}>0$, take a neuron of class $y_1$ that is active on $x_1$, for ever by Lemma
5.8. While it is inactive on $x_2$ its signal there grows by $\frac{\eta}{nm}|\ell_1'|G_{12}$, whose sum over t
diverges, so it becomes active again; while it is active the signal changes by
$\frac{\eta}{nm}(|\ell_1'|G_{12}-|\ell_2'|\|x_2\|^2)$, which is negative and has a divergent sum as long as the two
logits are of one order, so it becomes inactive again. Some neurons switch infinitely often, and since $|\ell_i'|$ is
about $nm^2/(\eta|S_i|\|x_i\|^2t)$ late in training, they do so $2G_{12}|S_2|/(\|x_1\|^2|S_1|)$ times a step (r2).
"""

import numpy as np
from hypothesis.strategies import DrawFn
from numpy.typing import NDArray

from refute import Assumption, Kind, Margin, all_of, at_least, at_most, claim, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX
from refute.functions import absolute, sign
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import batch_courses, unroll
from refute.strategies.kou2023.nearly_orthogonal import any_training, relu_training

Counts = NDArray[np.int64]


def switches(data: Dataset, inner: Array, rate: Number, windows: int, slope: float = 0.0) -> Counts:
    """How often each neuron changed its state on each sample at the steps 2^k to 2^(k+1) - 1:
    (window k, neuron, sample).
    """
    counts = np.zeros((windows, len(inner), len(data.labels)), dtype=np.int64)
    courses = batch_courses(data, inner[None], slope=slope, rate=rate, steps=2**windows - 1)
    before = sign(next(courses)[0][0]) > 0
    for step, (signals, _) in enumerate(courses, start=1):
        now = sign(signals[0]) > 0
        counts[step.bit_length() - 1] += now != before
        before = now
    return counts


@claim(
    "kou2023.sec7.switching_question.r1",
    "Section 7, the question's second alternative",
    kind=Kind.ASYMPTOTIC,
    given=relu_training(samples=(1, 2), constants=(10,)),
    assumes=RELU_APPENDIX,
    recorded="refuted",
    convention="stabilised: no neuron changes its state on a sample at the steps 2048 to 4095; the first stage has C "
    "= 10 of them "
    "(a larger C only delays the first return). "
    "That it goes on for ever is the argument at the head of the module, not the run",
    cost=0.1,
    in_balls=True,
)
def activation_patterns_stabilise(data: Dataset, net: TwoLayer, rate: Number) -> Margin:
    r"""On nearly orthogonal data the activation pattern of a ReLU network does not change any more after some time.

    Fails for inputs of different label with a positive inner product, however small: what the neurons of one class
    learn from their own sample makes them active on the other one, whose gradient makes them inactive again, in every
    dyadic window of steps.
    """
    return at_most(switches(data, net.inner, rate, 12)[-1], 0, "changes of state at the steps 2048 to 4095")


def _pair(overlap: float, radius: float, label: int) -> Dataset:
    """x_1 = e_1 with label 1, and x_2 of norm `radius` with <x_1, x_2> = overlap."""
    return Dataset(np.array([[1.0, 0.0], [overlap, np.sqrt(radius**2 - overlap**2)]]), np.array([1.0, float(label)]))


def _own_active(inner: NDArray[np.float64], data: Dataset) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """S_1 among the first half of the neurons, S_2 among the second."""
    active = inner @ np.asarray(data.inputs, dtype=float).T > 0
    return active[: len(inner) // 2, 0], active[len(inner) // 2 :, 1]


def _half_active_start(rng: np.random.Generator, data: Dataset, m: int) -> NDArray[np.float64]:
    """Standard normal weights, drawn again until 0.4m <= |S_i| <= 0.6m."""
    while True:
        inner = rng.standard_normal((2 * m, 2))
        if all(0.4 * m <= active.sum() <= 0.6 * m for active in _own_active(inner, data)):
            return inner


@claim(
    "kou2023.sec7.switching_question.r2",
    "Section 7, the question's first alternative",
    kind=Kind.ASYMPTOTIC,
    instances=[{"overlap": 0.05, "radius": 1.0}, {"overlap": 0.02, "radius": 1.5}, {"overlap": 0.02, "radius": 0.75}],
    recorded="supported",
    mutants=[
        moved("two samples of one label", label=1),
        moved("for a negative inner product", turned=-1.0),
        moved("for leaky ReLU", slope=0.25),
        moved("with half of the frequency", factor=0.5),
        moved("without |S_2|/|S_1|", counted=0),
    ],
    convention="two samples, m = 10, C = 10 in rate and scale, a Gaussian start on the event of Lemma A.2; the steps "
    "4096 to 8191, "
    "frequencies within a twentieth. The formula was derived before it was measured, the twentieth was chosen after",
)
def neurons_switch_for_ever(
    overlap: float,
    radius: float,
    *,
    rng: np.random.Generator,
    label: int = -1,
    turned: float = 1.0,
    slope: float = 0.0,
    factor: float = 1.0,
    counted: int = 1,
) -> Margin:
    r"""If $y_1\ne y_2$ and $\langle x_1,x_2\rangle>0$, each neuron of class $y_1$ that is active on $x_1$ at the start
    switches on $x_2$ in every late window, $2\langle x_1,x_2\rangle|S_2^{(0)}|/(\|x_1\|^2|S_1^{(0)}|)$ times a step;
    and so with 1 and 2 exchanged.
    """
    data, m, C = _pair(turned * overlap, radius, label), 10, 10
    top = max(1.0, radius)
    inner = _half_active_start(rng, data, m) / (C * top * np.sqrt(np.log(4 * m)))
    active = _own_active(inner, data)
    often = switches(data, inner, 2 * m / (C * top**2), 13, slope)[-1] / 2**12
    found = (often[:m, 1][active[0]], often[m:, 0][active[1]])
    share = active[1].sum() / active[0].sum() if counted else 1.0
    expected = (2 * overlap * share, 2 * overlap / (radius**2 * share))
    return all_of(
        *(
            at_most(np.abs(seen / (factor * wanted) - 1), 0.05, "frequency against its value")
            for seen, wanted in zip(found, expected, strict=True)
        )
    )


def _signed_gram(data: Dataset) -> Array:
    signed = data.labels[:, None] * data.inputs
    return np.asarray(signed @ signed.T)


def _align(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Inputs with entries of one sign, that of the label."""
    return {"data": Dataset(absolute(data.inputs) * data.labels[:, None], data.labels)}


def _oppose(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One more sample: the first axis added to the first input, with each of the labels."""
    axis = np.array([int(k == 0) for k in range(data.inputs.shape[1])], dtype=object)
    first = absolute(data.inputs[0]) + axis
    return {
        "data": Dataset(
            np.vstack([data.inputs, first, first + axis]), np.append(data.labels, [data.labels[0], -data.labels[0]])
        )
    }


aligned_overlaps = Assumption(
    "data.aligned_overlaps",
    "y_i y_k <x_i, x_k> >= 0 for all i and k",
    lambda data: at_least(_signed_gram(data), 0, "y_i y_k <x_i, x_k>"),
    base=any_training(),
    satisfy=_align,
    violate=_oppose,
)


@claim(
    "kou2023.sec7.switching_question.r3",
    "Section 7, data on which patterns stabilise",
    recorded="supported",
    mutants=[
        without(aligned_overlaps),
        moved("increases by a millionth in each step", least=1e-6),
        moved("without the sign y_i", signed=0),
    ],
    convention="six steps in balls; nothing else is assumed: any slope, rate and start, and the data need not be "
    "nearly orthogonal",
    kind=Kind.DYNAMICS,
    given=any_training(),
    assumes=[aligned_overlaps],
)
def aligned_data_move_signals_one_way(
    data: Dataset, net: TwoLayer, rate: float, *, least: float = 0.0, signed: int = 1
) -> Margin:
    r"""If $y_iy_k\langle x_i,x_k\rangle\ge0$ for all i and k, no $jy_i\langle w_{j,r}^{(t)},x_i\rangle$ ever decreases:
    each neuron changes its state on each sample at most once, and the activation pattern stabilises."""
    course = unroll(net, data, rate=rate, steps=6)
    sides = np.array([1, -1])[None, :, None, None] * (data.labels if signed else abs(data.labels))
    return at_least((course.signals[1:] - course.signals[:-1]) * sides, least, "change of j y_i <w, x_i> in a step")
