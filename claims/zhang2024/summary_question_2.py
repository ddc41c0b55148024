r"""The digest, open question 2: how long training rests near the linear solution when Condition 3 is broken a little.

Also its failure signatures, its next checks and its Figure 6b. It prints no numbers for them, and none of its sentences
is printed in the paper. The runs are those of `refute.models.zhang2024.displaced`.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, changed, derived, figure, flipped, mutants, scaled, section
from refute.claims.zhang2024.figure_2 import runs
from refute.models.drawing import Progress, blank, captioned, compared, listed, silent, watched
from refute.models.zhang2024.displaced import LEAVING, SCALE, WIDTH, Course, course, duration, gaps_to_linear
from refute.models.zhang2024.six_points import RATE as RATE_PRINTED
from refute.models.zhang2024.six_points import Runs, train

Floats = NDArray[np.float64]

DELTAS = (0.1, 0.15, 0.2, 0.3)
SCALES = (1e-2, 1e-3, 1e-4)
AT = Fraction(1, 5)


@derived
def products(scale: float) -> Floats:
    """Duration of the plateau times the displacement."""
    return np.array([duration(delta, float(scale)) * delta for delta in DELTAS])


@derived
def durations(delta: float) -> Floats:
    """Of the plateau, by the size of the initial weights."""
    return np.array([duration(float(delta), scale) for scale in SCALES])


question = section(
    "zhang2024", "summary", "digest, open question 2", kind=Kind.EXPERIMENT, recorded="supported", printed=False
)


@question.claim("plateau_vs_delta", "its Figure 6b", instances=[{"scale": Fraction(1, 1000)}], derived=[products])
@mutants(
    changed("like the square of the displacement", products=lambda products: products * DELTAS),
    changed("like its square root", products=lambda products: products / np.sqrt(DELTAS)),
    flipped("deviation at 0.3"),
)
def inverse_plateau_durations_are_nearly_linear(products: Floats) -> Margin:
    r"""The inverse duration of the plateau is approximately proportional to the displacement $\delta$ (0.1, 0.15, 0.2),
    less so at 0.3.

    Convention: plateau: from 2 % above the best linear map to half of its loss; median of seeds that leave;
    approximately: within 10 %.
    """
    off = np.abs(products / products[:3].mean() - 1)
    return all_of(
        at_most(off[:3], 0.1, "relative deviation from proportionality, up to 0.2"),
        at_least(off[3], off[:3].max(), "deviation at 0.3 against the largest before"),
    )


@question.claim("open_question_2_scaling_law", instances=[{"delta": AT}], derived=[durations], recorded="against")
def the_plateau_depends_on_the_displacement_only(durations: Floats) -> Margin:
    r"""R0: the duration of the plateau is $c/\delta$, whatever the size $\gamma$ of the initial weights.

    Fails: c grows with $\ln(1/\gamma)$. For $\gamma\le10^{-6}$ no run (three seeds, $\delta=0.2$) left before t = 2500.

    Convention: R0, the simplest law, which nobody states: duration = c/delta with one c for small initial weights;
    gamma = 1e-2 against 1e-4, within 20 %.
    """
    return at_most(durations[-1], 1.2 * durations[0], "duration at gamma = 1e-4 against that at 1e-2")


@question.claim("open_question_2_scaling_law.r1", instances=[{"delta": AT}], derived=[durations])
@mutants(
    changed("like the logarithm squared", durations=lambda durations: durations / -np.log(SCALES)),
    changed("no growth", durations=lambda durations: durations * -np.log(SCALES)),
)
def the_plateau_grows_like_the_logarithm(durations: Floats) -> Margin:
    r"""R1: the duration of the plateau is $c\ln(1/\gamma)/\delta$ with a constant c, between $\gamma=10^{-2}$ and
    $10^{-4}$.

    Convention: R1: from gamma = 1e-2 to 1e-4 at displacement 0.2; proportional: within 25 % of each other; a
    conjecture from these runs.
    """
    ratios = durations / -np.log(SCALES)
    return at_most(ratios.max(), 1.25 * ratios.min(), "largest against smallest duration / ln(1/gamma)")


@derived
def bends(scale: float) -> Floats:
    """By displacement (0.1, 0.2) and seed, the time at which the even part exceeds a fifth of the odd part, times the
    displacement.
    """
    return np.array([[d * course(d, seed, float(scale)).bend_time(0.2) for seed in LEAVING[:2]] for d in (0.1, 0.2)])


@question.claim(
    "approximate_symmetry", "next checks 1 and 3", instances=[{"scale": Fraction(1, 1000)}], derived=[bends]
)
@mutants(scaled("1/10", "the same").called("before 8/delta"), scaled("7/3", "time").called("not before 70/delta"))
def small_asymmetries_bend_the_network_late(bends: Floats) -> Margin:
    r"""When does linear behaviour break down? With displacement $\delta$ it lasts for a time of order $1/\delta$ and
    then ends.

    Found, for $\delta=0.1$ and $0.2$: the even part passes a fifth of the odd part at $t\approx60/\delta$ and
    $48/\delta$. With larger displacements, and for some seeds at 0.2, it is above a fifth from the start, because of
    the finite width.

    Convention: made testable as: the even part of f stays below a fifth of the odd part until t = 30/delta, then
    exceeds it before 80/delta; two seeds.
    """
    return all_of(
        at_least(bends, 30.0, "time at which the even part passes a fifth of the odd part, times delta"),
        at_most(bends, 80.0, "the same time, from above"),
    )


@derived
def gaps(runs: Runs) -> Floats:
    """To the linear network, by seed."""
    return gaps_to_linear(runs)


@question.claim(
    "failure_signatures", "architecture onboarding", instances=[{"displacement": 0.15}], derived=[runs, gaps]
)
@mutants(changed("without displacement", runs=lambda runs: train(0.0)), scaled("1/100", "largest gap"))
def losses_follow_the_linear_network_and_then_leave_it(runs: Runs, gaps: Floats) -> Margin:
    r"""Where Condition 3 fails, the loss first follows that of a linear network (at half the speed) and then falls
    below its limit.

    The other two signatures of the digest, boundaries away from the data and failure on separable data, are too vague
    to be tested.

    Convention: the first signature, on the data of Figure 2: within a tenth of the first loss, in rescaled time, up
    to a tenth of the run.
    """
    left = float(np.median(runs.loss[-1]))
    return all_of(
        at_most(gaps, 0.1, "largest gap to the linear network up to step 4000, by seed"),
        at_most(left, runs.linear_loss / 2, "median final loss against half of the linear network's"),
    )


@figure("zhang2024", "6b")
def draw(*, progress: Progress = silent, seeds: int = 6, quick: bool = False) -> Any:
    """The plateau of Figure 2's loss against the displacement of one point (of the longer version, known from a digest
    only).

    Quick: three displacements and two of the seeds.
    """
    deltas = [0.1, 0.2, 0.3] if quick else [0.05, 0.075, *DELTAS[:3], 0.25, 0.3, 0.4, 0.5]
    chosen = LEAVING[: min(seeds, 2)] if quick else tuple(range(seeds))
    jobs = [(delta, seed) for delta in deltas for seed in chosen]
    found = {job: course(*job, rate=RATE_PRINTED) for job in watched(jobs, progress)}
    lengths = np.array([[found[delta, seed].duration for seed in chosen] for delta in deltas])
    picture = blank(9.5, 4)
    losses, plateau = picture.subplots(1, 2)
    for delta in deltas:
        run = found[delta, chosen[0]].run
        losses.plot(run.steps * RATE_PRINTED, run.loss, lw=1, label=f"{delta:g}")
    title, end = f"loss, seed {chosen[0]}", 160 / min(deltas)
    losses.set(xlabel="$t$", ylabel="square loss", title=title, xlim=(0, end), ylim=(0, 0.55))
    losses.legend(title=r"displacement $\delta$", fontsize=7, loc="lower left")
    off = _draw_plateau(plateau, deltas, lengths)
    return captioned(picture, _caption(found, off, np.array(deltas) <= 0.2))


def _draw_plateau(axes: Any, deltas: list[float], lengths: Floats) -> Floats:
    """Inverse durations with the line through 0 that fits those up to 0.2, and how far each is off it."""
    inverse = np.array([1 / np.median(row[kept]) if (kept := np.isfinite(row)).any() else np.nan for row in lengths])
    small = np.array(deltas) <= 0.2
    slope = float(np.nanmean(inverse[small] / np.array(deltas)[small]))
    single = r"single runs (0: not left until $160/\delta$)"
    axes.plot(np.repeat(deltas, lengths.shape[1]), 1 / lengths.ravel(), ".", color="0.7", label=single)
    axes.plot(deltas, inverse, "o", color="C0", label="median of those that left")
    line = rf"${slope:.4f}\,\delta$, from $\delta\leq0.2$"
    axes.plot([0, max(deltas)], [0, slope * max(deltas)], color="C1", label=line)
    axes.set(xlabel=r"displacement $\delta$", ylabel="1 / duration of the plateau")
    axes.legend(fontsize=8)
    return np.abs(inverse / (slope * np.array(deltas)) - 1)


def _caption(found: dict[tuple[float, int], Course], off: Floats, small: NDArray[np.bool_]) -> list[str]:
    deltas, chosen = (list(dict.fromkeys(part)) for part in zip(*found, strict=True))
    left = {d: sum(bool(np.isfinite(found[d, seed].duration)) for seed in chosen) for d in deltas}
    wild = sorted({delta for (delta, _), one in found.items() if one.run.loss.max() > 1.1 * one.run.loss[0]})
    near, far = float(np.nanmax(off[small])), float(np.nanmax(off[~small]))
    return [
        f"zhang2024, longer version, Figure 6b. Data of Figure 2 with the last input at (1, delta); width {WIDTH}, "
        f"gamma = {SCALE:g}, step {RATE_PRINTED:g}, seeds {listed(chosen, 'd')}.",
        "runs that left the plateau, by displacement: " + ", ".join(f"{d:g}: {count}" for d, count in left.items()),
        compared(
            f"inverse duration against a line through 0: off by at most {near:.0%} for delta up to 0.2",
            "approximately linear",
            near < 0.1,
        ),
        compared(f"beyond 0.2 off by up to {far:.0%}", "less accurate for larger delta", far > near),
        f"displacements with runs that this step makes unstable after the plateau, where weights are large: "
        f"{listed(wild) or 'none'}",
    ]
