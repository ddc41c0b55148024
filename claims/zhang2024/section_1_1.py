r"""Section 1.1, last paragraph: adding $(-x,-y)$ for each $(x,y)$ can make a task unlearnable."""

import numpy as np
from numpy.typing import NDArray

from refute import (
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    changed,
    derived,
    equal,
    flipped,
    less,
    mutants,
    section,
    shifted,
)
from refute.arithmetic.numbers import EXACT, Array
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.zhang2024.small_two_layer import augmented, final_losses, train

Floats = NDArray[np.float64]

PLANAR = Dataset(np.array([[1, 1], [-1, 1], [0, 1]]), np.array([1, 1, -1]))
ONE_LABEL = Dataset(PLANAR.inputs, np.array([1, 1, 1]))
SOLUTION = TwoLayer(np.array([[1, 0], [-1, 0], [0, 1]]), np.array([2, 2, -1]), 0)

paragraph = section("zhang2024", "sec_1_1", "section 1.1, last paragraph")


WITNESS = {"net": SOLUTION, "data": PLANAR, "combination": np.array([1, 1, 2])}


@paragraph.claim("augmentation_can_hurt", kind=Kind.EXISTENCE, instances=[WITNESS], recorded="proved")
@mutants(
    changed("a network without the third neuron", net=lambda net: net.with_weights(net.inner[:2], net.outer[:2])),
    changed("the third label turned round", data=lambda _: lift(ONE_LABEL, EXACT)),
    shifted("1/100", "a positive combination"),
    flipped("its coefficients"),
)
def augmentation_can_make_a_task_unlearnable(net: TwoLayer, data: Dataset, combination: Array) -> Margin:
    r"""A bias-free ReLU network can learn some linearly non-separable task, and cannot when $(-x,-y)$ is added to each
    $(x,y)$.

    Witness: $(1,1),(-1,1)$ with label 1 and $(0,1)$ with label -1, fitted by $2|x_1|-\sigma(x_2)$. A positive
    combination of the $y_ix_i$ is zero, so no linear map separates them. On augmented data $f=\ell+e$ with $\ell$
    linear, e even (Theorem 1): $yf(x)>0$ at x and -x means $y\,\ell(x)>|e(x)|$, so a network that classifies all of
    them has a linear part that separates them, and there is none.

    Convention: as a statement about solutions: a two-layer network fits the task, and none fits or classifies the
    augmented one.
    """
    return all_of(
        equal(net(data.inputs), data.labels, "outputs against labels without augmentation"),
        equal((combination * data.labels) @ data.inputs, 0, "a positive combination of y_i x_i"),
        less(0, combination, "its coefficients"),
    )


@derived
def plain(data: Dataset) -> Floats:
    """Final losses by seed."""
    return _final_losses(data)


@derived
def doubled(data: Dataset) -> Floats:
    """The same with the augmentation."""
    return _final_losses(augmented(data))


def _final_losses(data: Dataset) -> Floats:
    return final_losses([train(data, seed, 0.0, steps=4000, width=50, scale=1e-2) for seed in range(5)])


trained = paragraph.but(kind=Kind.EXPERIMENT, instances=[{"data": PLANAR}], derived=[plain, doubled], printed=False)


@trained.claim("augmentation_can_hurt.trained", recorded="supported")
@mutants(
    changed("the augmented task is learnt too", doubled=lambda _: _final_losses(PLANAR)),
    changed("for every seed", plain=lambda losses: losses.max()),
)
def training_fails_after_augmentation(plain: Floats, doubled: Floats) -> Margin:
    """Training on the same task mostly succeeds without the augmentation and always fails with it.

    Without it four of the five seeds fit the data; seed 1 rests at a loss of 1/6, with one of the three points not
    fitted.

    Convention: width 50, gamma = 1e-2, step 0.1, 4000 steps, square loss, five seeds; learnt: loss below 1e-3;
    failed: above 1/4.
    """
    return all_of(
        at_most(np.median(plain), 1e-3, "median of the final loss without augmentation"),
        at_least(doubled, 0.25, "final loss with it, by seed"),
    )
