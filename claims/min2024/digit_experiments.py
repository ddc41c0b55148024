"""Section 4, A.4 and A.5, Figures 5 and 10 to 13: two digits, centred.

Bands are fixed from the text: "after about 2000 (3000) iterations", "well aligned" (cosine above 9/10), "almost 1"
(below 1.2). What is not printed stands in the model.
"""

from operator import neg
from typing import Any

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    bent,
    changed,
    claim,
    derived,
    equal,
    flipped,
    identity,
    less,
    moved,
    mutants,
    scaled,
    section,
)
from refute.arithmetic.numbers import Array
from refute.models import Dataset
from refute.models.min2024.digits import ALIGNED, CLOSE, Curves, digits, train
from refute.strategies import sized
from refute.strategies.min2024.separated import labelled_dataset


@derived
def centred(first: int, second: int) -> Dataset:
    """The images minus their mean."""
    return digits(first, second)


@derived
def run(first: int, second: int) -> Curves:
    """Both layers trained."""
    return train(first, second)


@derived
def plateau(run: Curves) -> int:
    """When the plateau of the loss ends."""
    return run.plateau


zero_and_one = section(
    "min2024",
    kind=Kind.EXPERIMENT,
    instances=[{"first": 0, "second": 1}],
    derived=[centred, run, plateau],
    recorded="supported",
)


@zero_and_one.claim("exp_fig5.centering_gives_separation", "Section 4, Figure 5, first panel")
@mutants(changed("without centring", centred=lambda _: digits(0, 1, False)), scaled("10/9", "part of the pairs"))
def centred_images_are_almost_separated(first: int, second: int, centred: Dataset) -> Margin:
    r"""Raw images have non-negative inner products; after centring a pair is very likely positively correlated exactly
    if its labels agree.

    Convention: very likely: at least 9 of 10 pairs of different images.
    """
    raw, rows = digits(first, second, False).inputs, centred.labels[:, None] * centred.inputs
    pairs = np.triu_indices(len(rows), 1)
    return all_of(
        at_least((raw @ raw.T)[pairs], 0, "inner products of raw images"),
        at_least(float(((rows @ rows.T)[pairs] > 0).mean()), 0.9, "part of the pairs with y_i y_j <x_i, x_j> > 0"),
    )


@zero_and_one.claim("exp_fig5.alignment", "Section 4, Figure 5, second panel")
@mutants(
    moved("after 250 iterations", step=250), bent("by a hundredth", "smallest cosine", left=lambda late: late + 0.01)
)
def neurons_align_with_the_class_centres(run: Curves, *, step: int = 2000) -> Margin:
    r"""Neurons are almost orthogonal to $x_\pm$ at first, all well aligned after about 2000 iterations, and less so
    once the loss falls.

    Convention: at the start: every cosine below 1/2 in absolute value (64 pixels); then all neurons above 9/10 at
    iteration 2000; V_+ and V_- by the present sign of v_j.
    """
    k, late = run.at(step), run.mean[run.falls(0.5) :].min(axis=0)
    return all_of(
        at_most(np.maximum(np.abs(run.worst[0]), np.abs(run.best[0])), 0.5, "largest |cosine| at the start"),
        at_least(run.worst[k], ALIGNED, f"worst cosine with x_+ and x_- at step {step}"),
        less(late, run.mean[k], "smallest cosine of the mean neuron after the loss fell, against before"),
    )


@zero_and_one.claim("exp_fig5.loss_and_stable_rank", "Section 4, Figure 5, third panel")
@mutants(moved("after 1000 iterations", begin=1000), scaled("84/100", "stable rank at the end"))
def the_loss_falls_and_the_stable_rank_is_almost_one(run: Curves, *, begin: int = 2000) -> Margin:
    r"""After about 3000 iterations $\|W\|_2^2$ grows and the loss falls; the stable rank falls
    below 2 and is almost 1.

    Convention: after about 3000 iterations: still 95 % of the first loss at 2000, less than half of it at 5000; almost
    1: below 1.2.
    """
    k, later, loss = run.at(begin), run.at(5 * begin // 2), run.loss / run.loss[0]
    return all_of(
        at_least(float(loss[k]), 0.95, f"loss at step {begin} against the first"),
        at_most(float(loss[later]), 0.5, f"loss at step {5 * begin // 2} against the first"),
        at_least(float(run.spectral[later]), 100 * float(run.spectral[k]), "|W|_2^2 later against 100 times before"),
        at_most(float(run.rank[later:].max()), 2, "largest stable rank afterwards"),
        at_most(float(run.rank[-1]), CLOSE, "stable rank at the end"),
    )


@derived
def centred_inputs(data: Dataset) -> Array:
    """x_i minus their mean."""
    rows: Array = data.inputs - data.inputs.sum(axis=0) / len(data.labels)
    return rows


@claim(
    "min2024.exp_fig5.centre_cosine",
    "Section 4",
    given=sized(data=labelled_dataset, samples=(2, 4)),
    derived=[centred_inputs],
    recorded="supported",
)
@mutants(
    changed("a hundredth of a datum off the mean", centred_inputs=lambda rows: rows + rows[0] / 100),
    bent("x_+ = x_-", right=neg),
)
def class_centres_of_centred_data_are_opposite(data: Dataset, centred_inputs: Array) -> Margin:
    r"""$\cos(x_+,x_-)=-1$ for centred data: $x_+=-x_-$.

    Convention: printed as an approximation; for data centred by their mean it is an identity: x_+ + x_- = 0, so the
    cosine is -1 where it is defined.
    """
    own = (data.labels > 0).astype(int)
    return equal(own @ centred_inputs, -((1 - own) @ centred_inputs), "x_+ against -x_-")


@zero_and_one.claim("exp_fig5.visual_match", "Section 4, Figure 5, fourth panel")
@mutants(scaled("5/4"), bent("with the other class", left=neg))
def mean_neurons_look_like_the_class_means(run: Curves) -> Margin:
    r"""At iteration 15000 the mean neurons of $\mathcal V_\pm$ look like the class centres $x_\pm/|\mathcal I_\pm|$.

    Convention: good alignment: cosine above 4/5 at iteration 15000. The centres are opposite, and so are the cosines
    with them.
    """
    return at_least(run.mean[-1], 0.8, "cosine of the mean neurons with the class centres")


@zero_and_one.claim("exp_fig10.digits_3_8", "A.4, Figure 10", instances=[{"first": 3, "second": 8}])
@mutants(changed("aligned at the start", plateau=lambda _: 0), scaled("509/1000", "stable rank"))
def three_and_eight_give_the_same_picture(run: Curves, plateau: int) -> Margin:
    r"""Digits 3 and 8: alignment first, then the loss falls and W has almost rank one.

    Convention: at the end of the plateau (loss above 99 % of the first) all cosines above 9/10; at 15000 half the loss
    and a stable rank below 2.
    """
    return _same_picture(run, plateau)


@zero_and_one.claim("exp_fig11.digits_1_7", "A.4, Figure 11", instances=[{"first": 1, "second": 7}])
@mutants(changed("aligned at the start", plateau=lambda _: 0), scaled("52/100", "stable rank"))
def one_and_seven_give_the_same_picture(run: Curves, plateau: int) -> Margin:
    r"""Digits 1 and 7: alignment first, then the loss falls and W has almost rank one.

    Convention: at the end of the plateau (loss above 99 % of the first) all cosines above 9/10; at 15000 half the loss
    and a stable rank below 2.
    """
    return _same_picture(run, plateau)


def _same_picture(run: Curves, plateau: int) -> Margin:
    """Alignment at the end of the plateau, then a loss below half of the first and a stable rank that is almost 1."""
    where = f"at the end of the plateau, step {int(run.steps[plateau])}"
    return all_of(
        at_least(run.worst[plateau], ALIGNED, f"worst cosine with x_+ and x_- {where}"),
        at_most(float(run.loss[-1] / run.loss[0]), 0.5, "loss at the end against the first"),
        at_most(float(run.rank[-1]), 2, "stable rank at the end"),
    )


@identity("min2024.exp_A5.measures", "A.5", recorded="proved")
@mutants(scaled("101/100", "norm"), scaled("101/100", "direction"))
def the_measures_are_derivatives_along_one_step() -> Any:
    r"""$\frac d{dt}\|w\|^2=2\langle-g,w\rangle$ and $\frac d{dt}\frac w{\|w\|}=-\frac{P_wg}{\|w\|}$ for $\dot w=-g$.

    Convention: one neuron in the plane that w and an arbitrary gradient g span, in any dimension; d/dt along w - t g at
    t = 0. Sums over neurons follow term by term.
    """
    import sympy

    a, b, g, k, t = sympy.symbols("a b g k t", positive=True)
    w, push = sympy.Matrix([a, b]), sympy.Matrix([g, k])
    moving = w - t * push
    turning = sympy.diff(moving / sympy.sqrt(moving.dot(moving)), t).subs(t, 0)
    across = (push - w * (w.dot(push)) / w.dot(w)) / sympy.sqrt(w.dot(w))
    return {
        "norm": (sympy.diff(moving.dot(moving), t).subs(t, 0), -2 * push.dot(w)),
        "direction": (sympy.simplify(turning), -sympy.simplify(across)),
    }


@zero_and_one.claim("exp_A5.two_phases", "A.5, Figure 12")
@mutants(flipped("the largest change"), flipped("directions change most"))
def directions_change_before_norms_grow(run: Curves) -> Margin:
    r"""First only directions change while norms do not grow; then norms grow and the loss falls.

    Convention: full batch in place of batches of 2000 of more than 10000 images; the peak of the changes in direction
    comes before the loss has lost 1 % and before the peak of the changes in norm, and until then the norms have not
    grown by more than 1 % of their later peak speed.
    """
    turning, growing = int(np.argmax(run.directions)), int(np.argmax(run.norms))
    early = float(run.norms[: turning + 1].max() / run.norms.max())
    return all_of(
        less(turning, growing, "the largest change of directions against that of norms"),
        less(turning, run.falls(0.99), "directions change most before the first 1 % of the loss is gone"),
        at_most(early, 0.01, "growth of norms until then against its peak"),
    )


@zero_and_one.claim("exp_A5.first_layer_only", "A.5, Figure 13")
@mutants(flipped("first recorded step"), scaled("1/10000000", "loss at the end"))
def training_one_layer_has_no_plateau(first: int, second: int, run: Curves) -> Margin:
    r"""With fixed $v_j=\pm1$ the loss becomes small as well, but there is no alignment phase before it falls.

    Convention: no two phases: the loss has lost 1 % within a tenth of the plateau of the run with both layers; small:
    below 1/100 of the first.
    """
    one = train(first, second, train_outer=False)
    begin, both = (float(each.steps[each.falls(0.99)]) for each in (one, run))
    return all_of(
        at_most(begin, 0.1 * both, "first recorded step with 1 % of the loss gone, one layer against both"),
        at_most(float(one.loss[-1] / one.loss[0]), 0.01, "loss at the end with one layer against the first"),
    )
