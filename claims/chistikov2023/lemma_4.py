r"""Lemma 4: neurons of negative sign deactivate, without having grown, and stay where they are."""

from dataclasses import replace

import numpy as np
from hypothesis.strategies import SearchStrategy

from refute import Kind, Margin, all_of, at_most, changed, equal, mutants, section, shifted, suppose, values
from refute.claims.chistikov2023.assumptions import ASSUMPTIONS_1_AND_2
from refute.claims.chistikov2023.phase_1 import alignment
from refute.models import Dataset
from refute.models.chistikov2023.alignment import Alignment
from refute.models.logpolar.balanced import Balanced
from refute.strategies import Size, choice
from refute.strategies.chistikov2023.correlated import correlated, start


def _one_negative(drawn: Balanced) -> Balanced:
    return Balanced(drawn.shape, np.array([*drawn.signs[:-1], -1], dtype=object), drawn.log_scale, drawn.slope)


@values(start.admits, start.nearest)
def _mixed_start(size: Size) -> SearchStrategy[Balanced]:
    return start(size).map(_one_negative)


lemma = section(
    "chistikov2023",
    "lemma_4",
    "Lemma 4",
    kind=Kind.DYNAMICS,
    given=correlated(start=_mixed_start, epsilon=choice("1/4", "1/8", "1/100"), width=(2, 3)),
    assumes=ASSUMPTIONS_1_AND_2,
    derived=[alignment],
    recorded="supported",
)


@lemma.claim("norm")
@mutants(
    shifted("-1/100", "ln |w_j"), changed("for positive signs", alignment=lambda one: replace(one, signs=-one.signs))
)
def deactivated_neurons_have_not_grown(alignment: Alignment) -> Margin:
    r"""$\|w_j^{T_0}\|\le\lambda\|z_j\|$ for all $j\in J_-$.

    Convention: logarithms of the norms.
    """
    negative = alignment.of_sign(-1)
    suppose(bool(negative), "there is such a neuron")
    return at_most(alignment.log_norms(negative, alignment.begin), alignment.first[negative], "ln |w_j(T_0)|")


@lemma.claim("frozen")
@mutants(
    changed("from T_0 - 11/10 on", alignment=lambda one: replace(one, begin=one.begin - 1.1)),
    shifted("-1/1000", "pre-activations"),
)
def deactivated_neurons_stay_where_they_are(data: Dataset, alignment: Alignment) -> Margin:
    r"""$w_j^t=w_j^{T_0}$ for all $t\ge T_0$ and $j\in J_-$: its last active input has left by then.

    Convention: a neuron that is inactive on all inputs has no gradient and by Assumption 1 (v) stays so; looked at from
    T_0 to T_1.
    """
    negative = alignment.of_sign(-1)
    suppose(bool(negative), "there is such a neuron")
    rows, moved = alignment.since(alignment.begin, negative)
    return all_of(
        equal(sum(alignment.dies(j) for j in negative), len(negative), "neurons of negative sign that deactivate"),
        at_most(rows @ data.inputs.T, 0, "pre-activations from T_0 on"),
        equal(moved, 0, "change of directions and log-norms from T_0 on"),
    )
