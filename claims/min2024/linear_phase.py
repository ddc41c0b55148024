r"""Appendix D, pointwise: Lemma 15 for linear networks, the window (40) of the slopes, $\tilde x_a$ and the refined
alignment (37), (38).

Outputs, weights and data are arbitrary as far as the statement lets them; nothing is integrated here.
"""

from fractions import Fraction

import numpy as np

from refute import Margin, all_of, at_least, claim, equal, less, moved
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import positive_class, separated
from refute.claims.min2024.training import LOSSES, network
from refute.decide.proof import by_smt, steps
from refute.functions import sign, smallest, squared_norm
from refute.models import Dataset
from refute.models.gradient import descent_direction
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.cones import centre, separation
from refute.models.min2024.conic import signed_separation, signed_square
from refute.strategies import choice, sized
from refute.strategies.min2024.separable import extreme_weights
from refute.strategies.min2024.separated import labelled_dataset, neurons, outer_weights, placed, separated_dataset

_WEIGHTED = sized(data=separated_dataset, weights=extreme_weights)


def _tilde(data: Dataset, weights: Array) -> tuple[Array, Array, int]:
    """x_+, x_tilde with slopes between 1/2 and 3/2, and n_+."""
    own = [i for i, y in enumerate(data.labels) if sign(y) > 0]
    slopes = 1 + weights[own] / 8  # the entries of `weights` lie in [-4, 4]
    return centre(data, 1), slopes @ data.inputs[own], len(own)


def _cosine_proof() -> str | None:
    r"""Term by term, as all $\langle x_i,x_j\rangle\ge0$: $\langle x_+,\tilde x\rangle\ge\frac12\|x_+\|^2$ and
    $\|\tilde x\|^2\le\frac94\|x_+\|^2$.
    """
    import z3

    g, h, product, inner, first, second = z3.Reals("g h product inner first second")
    window = z3.And(2 * g >= 1, 2 * g <= 3, 2 * h >= 1, 2 * h <= 3, product >= 0)
    term = by_smt(lambda: z3.Implies(window, z3.And(2 * g * product >= product, 4 * g * h * product <= 9 * product)))
    whole = z3.And(first > 0, second >= 0, 2 * inner >= first, 4 * second <= 9 * first)
    return steps(term, by_smt(lambda: z3.Implies(whole, z3.And(inner > 0, 9 * inner * inner >= first * second))))


def _length_proof() -> str | None:
    r"""Term by term: $g_ig_j\langle x_i,x_j\rangle\ge\frac14\mu X_{\min}^2$, for $i=j$ as well since $\mu\le1$; there
    are $n_+^2$ terms.
    """
    import z3

    g, h, product, mu, p, q, least = z3.Reals("g h product mu p q least")
    window = z3.And(2 * g >= 1, 2 * h >= 1, mu > 0, least > 0, p >= least, q >= least, product >= mu * p * q)
    return by_smt(lambda: z3.Implies(window, 4 * g * h * product >= mu * least * least))


@claim(
    "min2024.sec_D.x_tilde_cosine",
    "D.2, missing pieces",
    given=sized(data=separated_dataset, weights=extreme_weights, samples=(2, 4), dimension=(2, 3)),
    assumes=[positive_class, separated],
    proof=_cosine_proof,
    recorded="proved",
    mutants=[moved("98/100 in place of 1/3", third=Fraction(98, 100)), moved("1 in place of 1/3", third=Fraction(1))],
    convention="slopes anywhere in [1/2, 3/2]; the smallest cosine is sqrt(3)/2, as mu tends to 0. Assumption 1 is "
    "not shown necessary",
    cost=2.0,
)
def x_tilde_is_close_to_the_centre(data: Dataset, weights: Array, *, third: Number = Fraction(1, 3)) -> Margin:
    r"""$\cos(x_+,\tilde x_a)\ge\frac13$ for $\tilde x_a=\sum_{i\in\mathcal I_+}g_ix_i$ with
    $\frac12\le g_i\le\frac32$.
    """
    c, tilde, _ = _tilde(data, weights)
    inner = c @ tilde
    return all_of(
        less(0, inner, "0 against <x_+, x_tilde>"),
        at_least(
            inner * inner,
            third * third * squared_norm(c) * squared_norm(tilde),
            "<x_+, x_tilde>^2 against |x_+|^2 |x_tilde|^2 / 9",
        ),
    )


@claim(
    "min2024.sec_D.x_tilde_norm",
    "D.2, missing pieces",
    given=_WEIGHTED,
    assumes=[positive_class, separated],
    proof=_length_proof,
    recorded="proved",
    mutants=[
        moved("3/5 in place of 1/2", half=Fraction(3, 5)),
        moved("mu in place of its root, n_+^2", power=2, half=Fraction(1)),
    ],
    convention="slopes anywhere in [1/2, 3/2]",
    cost=2.0,
)
def x_tilde_is_long(data: Dataset, weights: Array, *, half: Number = Fraction(1, 2), power: int = 1) -> Margin:
    r"""$\|\tilde x_a\|\ge\sqrt\mu\,n_+X_{\min}/2$."""
    _, tilde, count = _tilde(data, weights)
    shortest = smallest((data.inputs * data.inputs).sum(axis=1))
    bound = half * half * separation(data) * count ** (2 * power) * shortest
    return at_least(squared_norm(tilde), bound, "|x_tilde|^2 against mu n_+^2 X_min^2 / 4")


def _margin_proof() -> str | None:
    """mu is the least of the cosines c of z and y_j x_j, and <z, y_j x_j> = c |x_j|."""
    import z3

    c, mu, size, least = z3.Reals("c mu size least")
    given = z3.And(mu > 0, c >= mu, size >= least, least > 0)
    return by_smt(lambda: z3.Implies(given, z3.And(c * size >= mu * size, mu * size >= mu * least)))


@claim(
    "min2024.sec_D.separability_margin",
    "D.2",
    given=sized(data=separated_dataset),
    assumes=[separated],
    proof=_margin_proof,
    recorded="proved",
    mutants=[
        moved("gamma = 21/20 mu X_min", factor=Fraction(21, 20)),
        moved("the whole data with z = x_i, without labels", signed=0),
    ],
    convention="z = y_i x_i / |x_i| for any index; it separates both classes, so in particular each. Without "
    "Assumption 1 mu X_min is "
    "not positive",
    cost=3.0,
)
def every_datum_separates_the_data(data: Dataset, *, factor: Number = Fraction(1), signed: int = 1) -> Margin:
    r"""With $z=y_ix_i/\|x_i\|$ for any fixed i: $\langle z,y_jx_j\rangle\ge\mu\|x_j\|\ge\mu X_{\min}$ for all j."""
    rows = data.labels[:, None] * data.inputs if signed else data.inputs
    mu = signed_separation(data)
    cosines = np.array([signed_square(a, b) for a in rows for b in rows], dtype=object)
    return all_of(
        less(0, mu, "0 against mu |mu|"),
        at_least(
            cosines,
            factor * factor * mu,
            "cos |cos| of z and y_j x_j against mu |mu|: <z, y_j x_j> >= mu |x_j| >= mu X_min",
        ),
    )


@claim(
    "min2024.sec_D3.layer_invariance",
    "D.3",
    given=placed(data=labelled_dataset, start=neurons, outer=outer_weights, loss=choice(*LOSSES)),
    recorded="supported",
    mutants=[moved("W^T W + v v^T", turned=-1), moved("neurons with different patterns", shared=0)],
    convention="pointwise: the derivative vanishes for any two neurons that see the same data, as those of one cone "
    "do; all weights, "
    "balanced or not",
    cost=3.0,
)
def neurons_of_one_cone_keep_their_invariant(
    data: Dataset, start: Balanced, outer: Array, loss: str, *, turned: int = 1, shared: int = 1
) -> Margin:
    r"""$W_\pm^\top W_\pm-v_\pm v_\pm^\top$ is constant for $t\ge t_1$: $\frac d{dt}(\langle w_j,w_k\rangle-v_jv_k)=0$
    for two neurons of one pattern.
    """
    w, net = start.shape, network(start, outer)
    dw, dv = descent_direction(net, data, LOSSES[loss], start.slope)
    pattern = sign(data.inputs @ w.T) > 0
    width = range(len(outer))
    same = [(j, k) for j in width for k in width if j <= k and (not shared or (pattern[:, j] == pattern[:, k]).all())]
    drift = [w[j] @ dw[k] + dw[j] @ w[k] - turned * (outer[j] * dv[k] + dv[j] * outer[k]) for j, k in same]
    return equal(np.array(drift, dtype=object), 0, "d/dt (<w_j, w_k> - v_j v_k)")
