r"""The inequality of Polyak and Lojasiewicz that section 5 states from $T_2$ on, and the same on the whole set
$\mathcal S$.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from refute import Kind, Margin, bent, changed, derived, less, moved, mutants, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.chistikov2023.assumptions import ASSUMPTIONS_1_AND_2
from refute.claims.chistikov2023.theorem_6 import training
from refute.decide.proof import by_smt, in_words, steps
from refute.functions import norm
from refute.models.chistikov2023 import predictor_set as sets
from refute.models.chistikov2023.predictor_set import Spectrum
from refute.models.chistikov2023.training import Training
from refute.strategies.chistikov2023.correlated import SETTING
from refute.strategies.chistikov2023.spectra import places


@derived
def eigenvalues(training: Training) -> Array:
    """Of H, the largest first."""
    return training.followed.spectrum.eta


inequality = section(
    "chistikov2023",
    "polyak_lojasiewicz",
    "section 5",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    derived=[training, eigenvalues],
    recorded="supported",
)


@inequality.claim()
@mutants(
    changed("eta_1 in place of eta_d", eigenvalues=lambda eta: np.append(eta[:-1], eta[:1])),
    bent("5/2 in place of 2/5", left=lambda bound: bound + np.log(25 / 4)),
    changed("from take-off on", training=lambda one: replace(one, since=0.0)),
)
def the_gradient_dominates_the_loss(training: Training, eigenvalues: Array) -> Margin:
    r"""$\|\nabla L(\theta^t)\|^2>\frac{2\eta_d\|\gamma_{[n]}\|}{5\eta_1}L(\theta^t)$ for all $t\ge T_2$, along the
    one-neuron bundle.

    Convention: the printed constant carries the factor $\|\gamma_{[n]}\|$, without which the two sides would scale
    differently with the inputs.
    """
    constant = 0.4 * eigenvalues[-1] * training.push / eigenvalues[0]
    return less(np.log(constant), training.followed.log_steepness[training.late], "ln |grad L|^2/L")


@derived
def spectral(spectrum: Spectrum) -> Array:
    """The eigenvalues of a drawn spectrum."""
    return spectrum.eta


def _dominance_proof() -> str | None:
    import z3

    first, before, own, later, least = z3.Reals("eta_1 eta_l-1 eta_l eta_k eta_d")
    ordered = z3.And(first >= before, before >= own, own >= later, later >= least, least > 0)

    def from_the_start() -> Any:
        p, q = z3.Reals("p_1 p_k")
        return z3.Implies(z3.And(ordered, 2 * p >= 1, 2 * first * q >= later * p), 4 * first * q >= later)

    def from_a_stage() -> Any:
        p, q = z3.Reals("p_l p_k")
        known = z3.And(ordered, 2 * before * p >= own, 2 * own * q >= later * p)
        return z3.Implies(known, z3.And(4 * first * p >= own, 4 * first * q >= later))

    def gradients() -> Any:
        square = z3.Real("square")
        return z3.Implies(z3.And(ordered, square >= 0), later * later * square >= least * later * square)

    def together() -> Any:
        size, push, squared, loss = z3.Reals("size push squared loss")
        known = z3.And(ordered, 4 * first * size >= push, push > 0, squared >= 2 * least * loss, loss > 0)
        return z3.Implies(known, 5 * first * size * squared > 2 * least * push * loss)

    return steps(
        by_smt(from_the_start, "in S_1, p_k >= eta_k/(4 eta_1)"),
        by_smt(from_a_stage, "in S_l, l > 1, for k >= l too; p_k > 1 before"),
        in_words("so |v| >= |gamma|/(4 eta_1), coordinate by coordinate"),
        by_smt(gradients, "|g|^2 >= 2 eta_d L, coordinate by coordinate"),
        by_smt(together, "|grad L|^2 >= |v| |g|^2 exceeds the bound"),
    )


@inequality.claim(
    "r1", kind=Kind.ALGEBRAIC, given=places(), assumes=[], derived=[spectral], proof=_dominance_proof, recorded="proved"
)
@mutants(
    changed("eta_1 in place of eta_d", spectral=lambda eta: np.append(eta[:-1], eta[:1])),
    bent("4 in place of 2/5", left=lambda bound: 10 * bound),
    moved("from p_1 = 1/200 on", half=Fraction(1, 200)),
)
def the_gradient_dominates_the_loss_on_the_set(
    spectrum: Spectrum, stage: int, shares: Array, reach: Number, spectral: Array, *, half: Number = Fraction(1, 2)
) -> Margin:
    r"""R1: $\|\nabla L\|^2>\frac{2\eta_d\|\gamma_{[n]}\|}{5\eta_1}L$ for aligned bundles with $v\in\mathcal S$,
    $\nu_1\ge\frac12\nu_1^*$.

    $\|\nabla L\|^2\ge\|v\|\|g\|^2$, $\|g\|^2\ge2\eta_dL$, and the lower bounds of $\mathcal S$ give
    $p_k\ge\eta_k/(4\eta_1)$, so $\|v\|\ge\|\gamma_{[n]}\|/(4\eta_1)$.

    Convention: R1: every aligned balanced network with v in S and p_1 >= 1/2, which is where a bundle is from T_2 on;
    eigenvalues and teacher are free; the padding is the largest that Assumption 2 allows for them.
    """
    where = shares.copy()
    if stage == 0:
        where[0] = half + (1 - half) * where[0] / 8
    loss, squared = sets.loss_and_gradient(spectrum, sets.place(spectrum, stage, where, reach))
    constant = spectral[-1] * norm(spectrum.eta * spectrum.teacher) / spectral[0] * 2 / 5
    return less(constant * loss, squared, "constant times L against |grad L|^2")
