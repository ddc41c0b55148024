r"""Appendix C.2: how a neuron turns while its pattern is fixed.

The turning speed of a small neuron is compared with that of (4), $\pm P_wx_a(w)$: Lemma 1, and the two cases of C.2
with a fixed pattern.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from refute import Margin, all_of, at_least, at_most, claim, moved
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import in_s_minus, separated
from refute.claims.min2024.training import LOSSES, PARTS
from refute.functions import absolute, largest, minimum, norm, sign, smallest, sqrt, squared_norm
from refute.models import Dataset
from refute.models.min2024.cones import attraction, centre, in_dead, in_minus, in_plus, separation, xi_candidate
from refute.strategies import choice
from refute.strategies.min2024.separated import dyadic, placed, separated_dataset, vector


def _turning(w: Array, data: Dataset, shares: Array, loss: str, toward: Array, small: Number) -> tuple[Number, Number]:
    """d/dt cos(w, toward) of a positive neuron when the outputs are shares * small, and the largest |output|."""
    outputs = shares[: len(data.labels)] * small
    active = (sign(data.inputs @ w) > 0).astype(int)
    push = (active * LOSSES[loss].residual(data.labels, outputs)) @ data.inputs
    across = push - ((w @ push) / squared_norm(w)) * w
    return (across @ toward) / (norm(toward) * norm(w)) * norm(w), largest(absolute(outputs))


def _constants(data: Dataset, part: Number) -> tuple[Number, Number, Number, Number, Number]:
    """mu, xi, X_min, X_max and n of the data."""
    sizes = np.array([norm(row) for row in data.inputs], dtype=object)
    return separation(data), part * xi_candidate(data), smallest(sizes), largest(sizes), len(data.labels)


def _between(fields: Mapping[str, Any]) -> bool:
    w, data = fields["w"], fields["data"]
    return not (in_plus(w, data) or in_minus(w, data) or in_dead(w, data))


_POINTWISE = choice("exponential", "twice logistic")
_SHARES = dyadic(4, limit=1)


@claim(
    "min2024.sec_C.fixed_pattern_growth",
    "C.2, first case",
    given=placed(
        data=separated_dataset, w=vector, shares=_SHARES, part=PARTS, loss=_POINTWISE, samples=(2, 4), dimension=(2, 3)
    ).filter(_between),
    recorded="supported",
    mutants=[
        moved("3/2 xi in the first link", factor=Fraction(3, 2)),
        moved("5/4 xi sqrt(mu) n_a X_min in the last link", half=Fraction(5, 4)),
    ],
    convention="pointwise, at outputs of any size and sign that (29) allows, with the largest such bound (zeta = 1); "
    "w is in none of "
    "the three cones",
    cost=8.0,
)
def a_neuron_between_the_cones_turns_to_its_attraction(
    data: Dataset,
    w: Array,
    shares: Array,
    part: Number,
    loss: str,
    *,
    factor: Number = Fraction(1),
    half: Number = Fraction(1, 2),
) -> Margin:
    r"""$\frac d{dt}\cos(w_j,x_a)\ge\xi\|x_a\|-2nX_{\max}\max_i|f(x_i)|\ge\xi\sqrt\mu n_aX_{\min}/2$ for $v_j>0$,
    pattern fixed.
    """
    mu, xi, shortest, longest, n = _constants(data, part)
    a = attraction(w, data)
    speed, loudest = _turning(w, data, shares, loss, a, minimum(mu, xi) * sqrt(mu) * shortest / (4 * n * longest))
    middle = xi * norm(a) - 2 * n * longest * loudest
    count = int((sign(data.inputs @ w) > 0).sum())
    return all_of(
        at_least(
            speed,
            factor * xi * norm(a) - 2 * n * longest * loudest,
            "d/dt cos(w, x_a) against xi |x_a| - 2 n X_max max |f|",
        ),
        at_least(
            middle,
            half * xi * sqrt(mu) * count * shortest,
            "xi |x_a| - 2 n X_max max |f| against xi sqrt(mu) n_a X_min / 2",
        ),
    )


@claim(
    "min2024.sec_C.fixed_pattern_escape",
    "C.2, second case",
    given=placed(data=separated_dataset, w=vector, shares=_SHARES, part=PARTS, loss=_POINTWISE, samples=(1, 4)).filter(
        lambda case: -1 in case["data"].labels
    ),
    assumes=[separated, in_s_minus],
    recorded="supported",
    mutants=[
        moved("-2 zeta |x_-| in the first link", factor=Fraction(2)),
        moved("-3/2 zeta sqrt(mu) n_a X_min in the last link", half=Fraction(3, 2)),
    ],
    convention="pointwise, at outputs of any size and sign that (29) allows; zeta is `part` of 1 - cos^2(w, x_-), so "
    "that w is outside "
    "S^zeta",
    cost=3.0,
)
def a_neuron_in_the_wrong_cone_turns_away_from_its_centre(
    data: Dataset,
    w: Array,
    shares: Array,
    part: Number,
    loss: str,
    *,
    factor: Number = Fraction(1),
    half: Number = Fraction(1, 2),
) -> Margin:
    r"""$w_j\in S_-\setminus S^\zeta_{x_-}$, $v_j>0$: $\frac
    d{dt}\cos(w_j,x_-)\le-\zeta\|x_-\|+2nX_{\max}\max_i|f(x_i)|\le-\zeta\sqrt\mu n_aX_{\min}/2$.
    """
    mu, xi, shortest, longest, n = _constants(data, part)
    c = centre(data, -1)
    zeta = part * (1 - (w @ c) * (w @ c) / (squared_norm(w) * squared_norm(c)))
    small = minimum(mu, minimum(zeta, xi)) * sqrt(mu) * shortest / (4 * n * longest)
    speed, loudest = _turning(w, data, shares, loss, c, small)
    count = int((sign(data.inputs @ w) > 0).sum())
    return all_of(
        at_most(
            speed,
            -factor * zeta * norm(c) + 2 * n * longest * loudest,
            "d/dt cos(w, x_-) against -zeta |x_-| + 2 n X_max max |f|",
        ),
        at_most(
            -zeta * norm(c) + 2 * n * longest * loudest,
            -half * zeta * sqrt(mu) * count * shortest,
            "against -zeta sqrt(mu) n_a X_min / 2",
        ),
    )
