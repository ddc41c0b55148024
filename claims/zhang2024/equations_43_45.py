r"""Eqs. (43), (44), (45): the flow of each layer at the weights (40), line by line.

Their half-space averages are over $S^+=\{r^\top x\ge0\}$ and $S^-=\{r^\top x<0\}$. With a datum on $r^\top x=0$ they
fail: S+ holds it and S- does not. The ends of (44) and (45) hold all the same, since it drops out of both sides.
"""

import numpy as np

from refute import Fault, Margin, all_of, changed, derived, equal, mutants, scaled, section, without
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.assumptions import no_data_on_hyperplane, nonempty_half_space
from refute.claims.zhang2024.deep_setting import CLEAR, DEEP, DROPS, FORM, ODD, OFF, RESTING_DATUM, SYMMETRIC, low
from refute.claims.zhang2024.setting import ON_THE_HYPERPLANE
from refute.functions import leaky_relu_slope
from refute.models.zhang2024.fields import chain
from refute.models.zhang2024.low_rank import LowRank, part, relu

equations = section(
    "zhang2024",
    given=FORM,
    assumes=[*SYMMETRIC, nonempty_half_space],
    derived=[low],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    convention=ODD,
)
KINK = changed("with sigma'(0) = 1", low=lambda low: low.with_slope_at_zero(1))


def over_samples(low: LowRank, gates: Array, ray: Array, error: Array) -> Array:
    """<gates * ray error x^T>."""
    back: Array = gates * ray[None, :] * error[:, None]
    return back.T @ low.data.inputs / len(error)


@equations.claim("eq_43.first_layer", "Eq. (43)")
def first_layer_of_the_low_rank_network(low: LowRank) -> Margin:
    r"""$\tau\dot W_1=\langle\sigma'(W_1x)\odot W_2^\top\cdots W_L^\top(y-f)x^\top\rangle=\dots=
    \frac{u^{L-1}}{(\sqrt2)^L}r_1(\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)$, all four lines.

    Fails when a datum lies on $r^\top x=0$, also from end to end: with $\sigma'(0)=0$ it moves no neuron, but it counts
    in $\beta$ and $\Sigma$. With L = 2, $r=-1$, $W_2=(1,-1)$ and the data (0, 0), (1, 1), (-1, -1) the second entry is
    -2/3, and -1 by the half spaces.
    """
    gates = leaky_relu_slope(low.data.inputs @ low.weights[0].T, low.v * 0, low.v * 0)
    fitted = low.data.labels - low.v**low.depth * low.projections
    halves = [np.outer(part(low.rays[0], side), row) for side, row in zip((1, -1), low.half_space_rows, strict=True)]
    lines = [
        over_samples(low, gates, np.asarray(chain(low.weights[1:]))[0], low.error),
        2 * low.scale * over_samples(low, gates, low.rays[0], fitted),
        low.scale * (halves[0] + halves[1]),
        low.scale * np.outer(low.rays[0], low.row),
    ]
    return all_of(*(equal(low.flow[0], line, f"line {k} of Eq. (43)") for k, line in enumerate(lines, start=1)))


first_layer_of_the_low_rank_network.amended(
    f"Amended: {OFF}",
    assumes=CLEAR,
    recorded="supported",
    mutants=[*DROPS, without(no_data_on_hyperplane), *(scaled("99/100", f"line {k}") for k in (1, 2, 3, 4))],
    cost=2.0,
)


@equations.claim("eq_43.first_layer.r1", "Eq. (43), its two ends", assumes=SYMMETRIC, root=RESTING_DATUM, printed=False)
def the_ends_of_the_first_layer(low: LowRank) -> Margin:
    r"""R1: $\tau\dot W_1=\frac{u^{L-1}}{(\sqrt2)^L}r_1(\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)$, from end to end.

    Fails as well: with L = 2, $r=(1,0)$, $W_2=(1,-1)$ and the data $\pm((0,1),1)$ no neuron moves, and the last line
    is $\tfrac12W_2^\top(0,1)$.
    """
    return equal(low.flow[0], low.scale * np.outer(low.rays[0], low.row), "line 4 of Eq. (43)")


@derived
def back_propagated(low: LowRank) -> list[Array]:
    """The first expression of (44), by layer between the first and the last."""
    found, below = [], relu(low.data.inputs @ low.weights[0].T)
    for level in low.between:
        pre, above = below @ low.weights[level].T, np.asarray(chain(low.weights[level + 1 :]))[0]
        back = leaky_relu_slope(pre, low.v * 0, low.v * 0 + low.at_zero) * above[None, :] * low.error[:, None]
        found.append(back.T @ below / len(below))
        below = relu(pre)
    return found


@derived
def half_spaces(low: LowRank) -> list[Array]:
    """The second expression of (44), likewise."""
    found = []
    for level in low.between:
        above, below = low.rays[level], low.rays[level - 1]
        sides = zip((1, -1), low.half_space_rows, strict=True)
        blocks = [(row @ low.r) * np.outer(part(above, side), part(below, side)) for side, row in sides]
        found.append(low.scale * (blocks[0] + blocks[1]))
    return found


between = equations.but(given=DEEP, assumes=SYMMETRIC, derived=[low, back_propagated, half_spaces], cost=2.0)
INNER = f"the first expression omits inner sigma' factors, which changes nothing at (40); {ODD}"


@between.claim("eq_44.intermediate_layers", "Eq. (44)", convention=INNER, root=ON_THE_HYPERPLANE)
def intermediate_layers_of_the_low_rank_network(
    low: LowRank, back_propagated: list[Array], half_spaces: list[Array]
) -> Margin:
    r"""$\tau\dot W_l=\langle\sigma'(h_l)\odot W_{l+1}^\top\cdots W_L^\top(y-f)\sigma(h_{l-1})^\top\rangle=\dots
    =\frac{u^{L-1}}{(\sqrt2)^L}\mathrm{diag}(\sqrt2r_l^+r_{l-1}^{+\top},\sqrt2r_l^-r_{l-1}^{-\top})
    (\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)r$, with
    $(\tfrac u{\sqrt2})^{L-1}[r_l^+;0]\langle(y-(\tfrac u{\sqrt2})^Lr^\top x)x^\top\rangle_{\mathbb S^+}r\,
    [r_{l-1}^{+\top}\ 0]$ plus the same with the negative parts on $\mathbb S^-$ between.

    Fails in the half-space averages when a datum lies on $r^\top x=0$. With L = 3, $W_1=(-1,1)^\top$, $W_2=I$,
    $W_3=(1,-1)$ and the data (0, 0), (1, 1), (-1, -1) the second diagonal entry is -2/3, and -1 by the half spaces. The
    ends hold, see R1.
    """
    middle = [equal(low.flow[k], line, "second expression") for k, line in zip(low.between, half_spaces, strict=True)]
    return all_of(the_ends_of_the_layers_between(low, back_propagated), *middle)


def the_ends_of_the_layers_between(low: LowRank, back_propagated: list[Array]) -> Margin:
    margins = []
    for level, line in zip(low.between, back_propagated, strict=True):
        last = low.scale * (low.row @ low.r) * low.block(level)
        margins.append(equal(low.flow[level], line, "first expression of Eq. (44)"))
        margins.append(equal(low.flow[level], last, "last expression of Eq. (44)"))
    return all_of(*margins)


intermediate_layers_of_the_low_rank_network.amended(
    f"Amended: {OFF}",
    assumes=CLEAR,
    recorded="supported",
    mutants=[*DROPS, without(no_data_on_hyperplane), *(scaled("99/100", line) for line in ("first", "second", "last"))],
)


ends = between.but(recorded="supported", fault=None, root="", convention=INNER)


@ends.claim("eq_44.intermediate_layers.r1", "Eq. (44), its two ends")
@mutants(*DROPS, KINK, scaled("99/100", "first"), scaled("99/100", "last"))
def the_ends_of_the_intermediate_layers(low: LowRank, back_propagated: list[Array]) -> Margin:
    r"""R1: $\tau\dot W_l=\frac{u^{L-1}}{(\sqrt2)^L}\mathrm{diag}(\sqrt2r_l^+r_{l-1}^{+\top},
    \sqrt2r_l^-r_{l-1}^{-\top})(\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)r$, whether data lie on $r^\top x=0$ or
    not.
    """
    return the_ends_of_the_layers_between(low, back_propagated)


@equations.claim("eq_45.last_layer", "Eq. (45)", root=ON_THE_HYPERPLANE)
def last_layer_of_the_low_rank_network(low: LowRank) -> Margin:
    r"""$\tau\dot W_L=\langle(y-f)\sigma(h_{L-1})^\top\rangle=\dots=
    \frac{u^{L-1}}{(\sqrt2)^L}(\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)r\,r_{L-1}^\top$, all lines.

    Fails in the half-space averages when a datum lies on $r^\top x=0$. In the case of Eq. (43): 2/3, and 1 by the half
    spaces. The ends hold, see R1.
    """
    ray, (plus, minus) = low.rays[-1], low.half_space_rows
    halves = low.scale * ((plus @ low.r) * part(ray, 1) + (minus @ low.r) * part(ray, -1))
    ends = low.scale * (low.row @ low.r) * ray
    return all_of(
        equal(low.flow[-1][0], halves, "line 2 of Eq. (45)"), equal(low.flow[-1][0], ends, "line 3 of Eq. (45)")
    )


last_layer_of_the_low_rank_network.amended(
    f"Amended: {OFF}",
    assumes=CLEAR,
    recorded="supported",
    mutants=[*DROPS, without(no_data_on_hyperplane), scaled("99/100", "line 2"), scaled("99/100", "line 3")],
    cost=2.0,
)


@equations.claim(
    "eq_45.last_layer.r1", "Eq. (45), its two ends", assumes=SYMMETRIC, recorded="supported", fault=None, cost=2.0
)
@mutants(*DROPS, scaled("99/100"))
def the_ends_of_the_last_layer(low: LowRank) -> Margin:
    r"""R1: $\tau\dot W_L=\frac{u^{L-1}}{(\sqrt2)^L}(\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)r\,r_{L-1}^\top$,
    whether data lie on $r^\top x=0$ or not.
    """
    return equal(low.flow[-1][0], low.scale * (low.row @ low.r) * low.rays[-1], "line 3 of Eq. (45)")
