r"""Appendix D, pointwise: Lemma 15 for linear networks, the window (40) of the slopes, $\tilde x_a$ and the refined
alignment (37), (38).

Outputs, weights and data are arbitrary as far as the statement lets them; nothing is integrated here.
"""

from fractions import Fraction

import numpy as np
from flint import arb

from refute import Assumption, Margin, all_of, at_least, at_most, claim, equal, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import positive_class, separated
from refute.claims.min2024.training import LOSSES, network
from refute.decide.proof import by_smt, by_subdivision, steps
from refute.functions import exp, log1p, sign, smallest, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.geometry.conic import signed_separation, signed_square
from refute.models.gradient import descent_direction
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import EXPONENTIAL_SUM, Loss
from refute.models.min2024.cones import centre, separation
from refute.strategies import choice, sized
from refute.strategies.linear import linear_two_layer
from refute.strategies.min2024 import separable as repair
from refute.strategies.min2024.separable import extreme_weights, unit_normal
from refute.strategies.min2024.separated import labelled_dataset, neurons, outer_weights, placed, separated_dataset


def _separable(data: Dataset, z: Array) -> Margin:
    return less(0, smallest(data.labels * (data.inputs @ z)), "0 against the least y_i <z, x_i>")


def _classified(data: Dataset, net: TwoLayer) -> Margin:
    return at_least(data.labels * net(data.inputs), 0, "y_i v^T W^T x_i")


_LINEAR = sized(
    data=labelled_dataset, z=unit_normal, net=linear_two_layer, dimension=(1, 2), samples=(1, 3), width=(1, 2)
)
_LOGISTIC = sized(
    data=labelled_dataset,
    z=unit_normal,
    net=linear_two_layer,
    loss=choice("twice logistic", "logistic"),
    dimension=(1, 2),
    samples=(1, 3),
    width=(1, 2),
)
separable = Assumption(
    "data.separable_along_z",
    "y_i <z, x_i> > 0 for all data, z a unit vector",
    _separable,
    base=_LINEAR,
    satisfy=repair.mirror_to_normal,
    violate=repair.cross_normal,
)
classified = Assumption(
    "network.classifies_correctly",
    "y_i v^T W^T x_i >= 0 for all data",
    _classified,
    base=_LINEAR,
    satisfy=repair.classify,
    violate=repair.misclassify,
)


def _decrease(data: Dataset, z: Array, net: TwoLayer, loss: Loss, quarter: Number) -> Margin:
    """-dL/dt = |grad_W L|^2 + |grad_v L|^2 against |v|^2 L^2 gamma^2 / 4."""
    inner, outer = descent_direction(net, data, loss, 1)
    gamma = smallest(data.labels * (data.inputs @ z))
    total = loss.each(data.labels, net(data.inputs)).sum()
    bound = quarter * squared_norm(net.outer) * total * total * gamma * gamma
    return at_least(squared_norm(inner) + squared_norm(outer), bound, "-dL/dt against |v|^2 L^2 gamma^2 / 4")


@claim(
    "min2024.lemma_15.exp",
    "Lemma 15, Eq. (31), exponential loss",
    given=_LINEAR,
    assumes=[separable],
    recorded="supported",
    mutants=[moved("9/8 in place of 1/4", quarter=Fraction(9, 8)), moved("2 in place of 1/4", quarter=Fraction(2))],
    convention="the sign condition y_i v^T W^T x_i >= 0 is not needed and not assumed; 1/4 could be 1, which is sharp",
    cost=3.0,
)
def exponential_loss_of_a_linear_network_decreases(
    data: Dataset, z: Array, net: TwoLayer, *, quarter: Number = Fraction(1, 4)
) -> Margin:
    r"""Gradient flow on $\sum_i\ell(y_i,v^\top W^\top x_i)$ with $y_i\langle z,x_i\rangle\ge\gamma>0$, $\|z\|=1$:
    $\dot{\mathcal L}\le-\frac14\|v\|^2\mathcal L^2\gamma^2$ for the exponential loss.

    Separability is not shown necessary here: without it there is no $\gamma>0$.
    """
    return _decrease(data, z, net, EXPONENTIAL_SUM, quarter)


def _ratio_proof() -> str | None:
    r"""2z/(1+z) >= log(1+z) on [0, 1]: divided by z, 2/(1+z) against log(1+z)/z <= 1 near zero."""

    def slack(z: arb) -> arb:
        mean = arb(1) / (1 + arb(0).union(arb(1)) * z) if z.contains(0) else z.log1p() / z
        return 2 / (1 + z) - mean

    return by_subdivision(slack, Fraction(0), Fraction(1))


@claim(
    "min2024.lemma_15.logistic",
    "Lemma 15, Eq. (31), logistic loss",
    given=_LOGISTIC,
    assumes=[separable, classified],
    recorded="supported",
    mutants=[moved("3/5 in place of 1/4", quarter=Fraction(3, 5)), without(classified)],
    convention="both logistic losses in print: twice the loss doubles both sides of the step 2z/(1+z) >= log(1+z)",
    cost=3.0,
)
def logistic_loss_of_a_linear_network_decreases(
    data: Dataset, z: Array, net: TwoLayer, loss: str, *, quarter: Number = Fraction(1, 4)
) -> Margin:
    r"""The same for the logistic loss, where $y_iv^\top W^\top x_i\ge0$ for all i."""
    return _decrease(data, z, net, LOSSES[loss], quarter)


@claim(
    "min2024.lemma_15.logistic.step",
    "proof of Lemma 15",
    given=sized(z=choice("0", "1/1000", "1/4", "1/2", "3/4", "1", "9/10")),
    proof=_ratio_proof,
    recorded="proved",
    mutants=[moved("z/(1+z)", two=Fraction(1)), moved("also at 8 z", far=Fraction(8))],
)
def the_elementary_step_of_the_logistic_case(
    z: Number, *, two: Number = Fraction(2), far: Number = Fraction(1)
) -> Margin:
    r"""$\frac{2z}{1+z}\ge\log(1+z)$ for $z\in[0,1]$."""
    return at_least(two * far * z / (1 + far * z), log1p(far * z), "2z/(1+z) against log(1+z)")


_QUARTERS = choice("0", "-1/4", "1/4", "1/8")


def _window_proof(name: str) -> str | None:
    """With y = 1 the slope is decreasing in f, so the ends decide; all balls in between are covered anyway."""

    def slope(f: arb) -> arb:
        return (-f).exp() if name == "exponential" else 2 / (1 + f.exp())

    half = (
        2 if name == "logistic" else 1
    )  # the loss of the main text is half that of the appendix, and so is its window
    least, most = arb(1) / 2, arb(3) / 2
    ends = Fraction(-1, 4), Fraction(1, 4)
    below = by_subdivision(lambda f: slope(f) / half - least / half, *ends)
    return steps(below, by_subdivision(lambda f: most / half - slope(f) / half, *ends))


@claim(
    "min2024.eq_40.gradient_window",
    "Eq. (40)",
    given=sized(f=_QUARTERS, loss=choice("exponential", "twice logistic")),
    proof=lambda: steps(_window_proof("exponential"), _window_proof("twice logistic")),
    recorded="proved",
    mutants=[moved("at least 4/5", low=Fraction(4, 5)), moved("at most 5/4", high=Fraction(5, 4))],
    convention="y_i = 1; exponential loss and the logistic loss of the appendix",
)
def slopes_are_between_half_and_three_halves(
    f: Number, loss: str, *, low: Number = Fraction(1, 2), high: Number = Fraction(3, 2)
) -> Margin:
    r"""$\frac12\le-\nabla_{\hat y}\ell(y_i,f_+(x_i))\le\frac32$ for $|f_+(x_i)|\le\frac14$, $i\in\mathcal I_+$."""
    return slope_window(f, loss, low, high)


@claim(
    "min2024.eq_40.gradient_window.logistic",
    "Eq. (40) with the logistic loss of Section 2.1",
    given=sized(f=_QUARTERS),
    recorded="refuted",
)
def slopes_are_in_the_window_for_the_logistic_loss(
    f: Number, *, low: Number = Fraction(1, 2), high: Number = Fraction(3, 2)
) -> Margin:
    r"""The same for $\ell=\log(1+e^{-y\hat y})$. Fails: the slope is $\frac1{1+e^f}<\frac12$ for every $f>0$."""
    return slope_window(f, "logistic", low, high)


@claim(
    "min2024.eq_40.gradient_window.logistic.amended",
    "Eq. (40) with the logistic loss of Section 2.1",
    given=sized(f=_QUARTERS),
    proof=lambda: _window_proof("logistic"),
    recorded="proved",
    mutants=[moved("at least 9/20", low=Fraction(9, 20)), moved("at most 11/20", high=Fraction(11, 20))],
)
def slopes_are_between_a_quarter_and_three_quarters(
    f: Number, *, low: Number = Fraction(1, 4), high: Number = Fraction(3, 4)
) -> Margin:
    r"""Amended: half the window, $\frac14\le-\nabla_{\hat y}\ell\le\frac34$, for the logistic loss of Section 2.1."""
    return slope_window(f, "logistic", low, high)


def slope_window(f: Number, loss: str, low: Number, high: Number) -> Margin:
    """-dl/df at label 1 between two bounds."""
    slope = exp(-f) if loss == "exponential" else (2 if loss == "twice logistic" else 1) / (1 + exp(f))
    return all_of(
        at_least(slope, low, "-dl against the lower bound"), at_most(slope, high, "-dl against the upper bound")
    )


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
