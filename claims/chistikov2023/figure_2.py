r"""Figure 2: training loss and loss out of the distribution over the training, and what section 8 reads from it.

Printed: one centred dataset in dimension 16, seven scales. Here two scales. On an ordinary dataset the slowest mode of
the training needs millions of steps, so that no exponential is seen; the loss is therefore followed on the first drawn
dataset whose least eigenvalue of $XX^\top$ exceeds 1/100, where 240 000 steps are enough. The rest is read from five
datasets, as they are drawn, after 60 000 steps. The loss is $L=\frac1{2n}\sum_i(y_i-h(x_i))^2$ as in section 2, half of
what the authors print.
"""

from typing import Any

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    at_most,
    bent,
    changed,
    derived,
    figure,
    flipped,
    less,
    mutants,
    scaled,
    section,
    shifted,
)
from refute.models.chistikov2023.experiment import (
    MANY,
    RATE,
    STEPS,
    TESTS,
    WIDTH,
    Bias,
    Course,
    Floats,
    bias,
    course,
    local_powers,
    well_conditioned,
)
from refute.models.drawing import Progress, blank, captioned, compared, listed, silent, watched

DATASETS = 5


@derived
def courses(power: int) -> list[Course]:
    """One for each dataset."""
    return [course(power, dataset) for dataset in range(DATASETS)]


@derived
def powers(power: int) -> Floats:
    """-d ln L/d ln t over the last three octaves, on the well-conditioned dataset."""
    return local_powers(course(power, well_conditioned(), MANY).descent)


@derived
def test_loss(courses: list[Course]) -> Floats:
    """Over that of the start, median by time."""
    return np.asarray(np.median([one.test_loss / one.test_loss[0] for one in courses], axis=0))


@derived
def seen(courses: list[Course]) -> Bias:
    """Medians of what the bias says of a run; the least of all cosines."""
    found = [bias(one) for one in courses]
    second, others, total = (
        float(np.median([getattr(one, name) for one in found])) for name in ("second", "others", "total")
    )
    return Bias(min(one.cosine for one in found), second, others, total)


experiment = section(
    "chistikov2023",
    "experiment",
    kind=Kind.EXPERIMENT,
    instances=[{"power": -8}],
    derived=[courses, powers, test_loss, seen],
    recorded="supported",
)


@experiment.claim("figure_2_loss", "Figure 2, left", instances=[{"power": -2}, {"power": -8}])
@mutants(
    flipped().called("like a power of t, or slower"),
    bent("three times as large in each octave", right=lambda later: later / 3),
)
def the_training_loss_falls_exponentially(powers: Floats) -> Margin:
    r"""$L$ converges to zero exponentially.

    Convention: it falls faster than a power of the number t of steps: -d ln L/d ln t grows from each of the last three
    octaves of t to the next; one exponential would double it. On the well-conditioned dataset only.
    """
    return less(powers[:-1], powers[1:], "-d ln L/d ln t from octave to octave")


@experiment.claim("figure_2_generalisation", "Figure 2, right")
@mutants(scaled("1/10000"), changed("after a fiftieth of the steps", test_loss=lambda loss: loss[: len(loss) // 50]))
def small_starts_generalise_outside_the_data(test_loss: Floats) -> Margin:
    r"""The implicit bias of a small initialisation can give a small loss on inputs of another law,
    $\mathcal N(0,I_d)$.

    Convention: small: the loss on 64 standard normal inputs falls below 1/100 of that of the zero network.
    """
    return at_most(test_loss[-1], 0.01, "last test loss over the first")


@experiment.claim("relaxed_assumptions", "section 1, last contribution, and section 8")
@mutants(
    scaled("1/10000", "second over").called("second singular value below 10^-6"),
    shifted("-1", "|theta|^2").called("|theta|^2 tends to 1"),
)
def dynamics_and_bias_are_seen_beyond_the_assumptions(seen: Bias) -> Margin:
    r"""By gradient descent, from $\lambda=4^{-8}$ and with angles around $\pi/4$, active neurons of positive sign form
    one bundle, all others stay small, and $\|\theta\|^2\to2$, as for copies of the teacher.

    Alignment is measured by singular values: not every active neuron aligns, some of tiny mass do not.

    Convention: some angles exceed pi/4; rank 1: second singular value of W below 1/100 of the first; |theta|^2 within 5
    % of 2, others carry 5 % of it.
    """
    return all_of(
        less(seen.cosine, np.sqrt(0.5), "least cosine to the teacher"),
        at_most(seen.second, 0.01, "second over first singular value of W"),
        at_most(seen.others, 0.05, "share of the other neurons"),
        at_most(seen.total, 2.1, "|theta|^2"),
        at_most(1.9, seen.total, "least |theta|^2"),
    )


@figure("chistikov2023", 2)
def draw_figure_2(*, progress: Progress = silent, seeds: int = 1, quick: bool = False) -> Any:
    """Training loss (log-log) and loss on standard normal inputs over training, a centred dataset in dimension 16,
    seven scales.

    One dataset as in the paper, the first that is well conditioned; more seeds are others, as they are drawn. Quick:
    two scales, fewer steps.
    """
    scales, steps = ((-2, -8), STEPS) if quick else (tuple(range(-2, -9, -1)), MANY)
    datasets = [well_conditioned(), *(k for k in range(seeds) if k != well_conditioned())][:seeds]
    jobs = [(power, dataset, steps) for dataset in datasets for power in scales]
    runs = {job: course(*job) for job in watched(jobs, progress)}
    picture = blank(10, 4)
    left, right = picture.subplots(1, 2)
    for (power, dataset, _), run in runs.items():
        first = dataset == datasets[0]
        style = {"lw": 1.0 if first else 0.4, "color": f"C{-power - 2}", "label": f"$4^{{{power}}}$" if first else None}
        left.loglog(run.descent.steps[1:], run.descent.loss[1:], **style)
        right.semilogy(run.descent.steps, run.test_loss, **style)
    left.set(xlabel="iteration", ylabel="training loss")
    right.set(xlabel="iteration", ylabel=f"loss on {TESTS} standard normal inputs")
    right.legend(title="scale", fontsize=8)
    title = (
        f"chistikov2023, Figure 2. d = 16, width {WIDTH}, rate {RATE:g} on L, {steps:,} iterations, lambda = "
        f"4^{scales[0]} to 4^{scales[-1]}, {seeds} dataset{'s' if seeds > 1 else ''}, the first one well conditioned."
    )
    return captioned(picture, [title, *_compared([run for job, run in runs.items() if job[1] == datasets[0]])])


def _compared(runs: list[Course]) -> list[str]:
    """What is said of the well-conditioned dataset."""
    found = np.median([local_powers(run.descent) for run in runs], axis=0)
    tests = [float(run.test_loss[-1] / run.test_loss[0]) for run in runs]
    last = max(float(run.descent.loss[-1]) for run in runs)
    return [
        compared(
            f"training losses end below {last:.1e}; -d ln L/d ln t over the last three octaves of t, medians: "
            f"{listed(found.tolist())}",
            "exponentially fast convergence, where it grows (a power law would keep it)",
            bool((np.diff(found) > 0).all()),
        ),
        compared(
            f"test loss at the end over that at the start, in the order of lambda: {listed(tests)}",
            "the implicit bias can result in good generalisation",
            min(tests) < 0.01,
        ),
    ]
