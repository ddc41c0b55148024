r"""Appendix D.3: what diverges as the loss vanishes, and what neurons of one cone keep."""

from operator import neg

import numpy as np
from numpy.typing import NDArray

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    assumption,
    at_most,
    bent,
    changed,
    derived,
    equal,
    less,
    mutants,
    scaled,
    section,
    shifted,
    tends_to,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import SETTING
from refute.claims.min2024.fits import SEEN_FITS, late
from refute.claims.min2024.lemma_3 import outputs_proof
from refute.claims.min2024.states import longest
from refute.claims.min2024.training import LOSSES, network
from refute.decide.symbolic import by_identity
from refute.functions import absolute, exp, log, log1p, norm, sign, squared_norm
from refute.models import Dataset
from refute.models.gradient import descent_direction
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.fitting import Fit
from refute.strategies import choice, number, sized
from refute.strategies.min2024.predictions import right_side, wrong_side
from refute.strategies.min2024.separated import labelled_dataset, neurons, outer_weights, placed


@derived
def patterns(data: Dataset, start: Balanced) -> NDArray[np.bool_]:
    """Which data each neuron sees."""
    found: NDArray[np.bool_] = sign(data.inputs @ start.shape.T) > 0
    return found


def _invariance_proof() -> str | None:
    """Sample by sample, with p = <x, w_j>, q = <x, w_k>, one gate for both neurons and pull = -dl gate."""
    import sympy

    pull, p, q, v, u = sympy.symbols("pull p q v u", real=True)
    return by_identity(
        lambda: [(pull * u * p + pull * v * q) - (v * pull * q + u * pull * p)],
        "dw_j = pull v x and dv_j = pull <x, w_j>, sample by sample, with the same gate for neurons of one pattern",
    )


EVERYWHERE = placed(data=labelled_dataset, start=neurons, outer=outer_weights, loss=choice(*LOSSES))
invariant = section("min2024", "sec_D3", "D.3", given=EVERYWHERE, derived=[patterns])


@invariant.claim("layer_invariance", proof=_invariance_proof, recorded="proved", cost=3.0)
@mutants(
    bent("W^T W + v v^T", right=neg),
    changed("neurons with different patterns", patterns=lambda patterns: patterns | True),
)
def neurons_of_one_cone_keep_their_invariant(
    data: Dataset, start: Balanced, outer: Array, loss: str, patterns: NDArray[np.bool_]
) -> Margin:
    r"""$W_\pm^\top W_\pm-v_\pm v_\pm^\top$ is constant for $t\ge t_1$: $\frac d{dt}(\langle w_j,w_k\rangle-v_jv_k)=0$
    for two neurons of one pattern.

    Convention: pointwise, for any two neurons that see the same data, as those of one cone do; all weights, balanced or
    not.
    """
    w, width = start.shape, range(len(outer))
    dw, dv = descent_direction(network(start, outer), data, LOSSES[loss], start.slope)
    same = [(j, k) for j in width for k in width if j <= k and (patterns[:, j] == patterns[:, k]).all()]
    inner = [w[j] @ dw[k] + dw[j] @ w[k] for j, k in same]
    return equal(inner, [outer[j] * dv[k] + dv[j] * outer[k] for j, k in same], "d/dt <w_j, w_k> and d/dt v_j v_k")


divergence = section("min2024", "sec_D3.output_divergence", "D.3, last paragraph")
OUTPUTS = sized(y=choice("1", "-1"), f=number())


@assumption("datum.loss_below_one", base=OUTPUTS, satisfy=right_side, violate=wrong_side)
def fitted(y: Number, f: Number) -> Margin:
    """the loss e^{-yf} is below 1"""
    return less(0, y * f, "0 against y f")


@divergence.claim(given=OUTPUTS, assumes=[fitted], recorded="refuted", fault=Fault.SIGN)
def outputs_tend_to_plus_infinity(f: Number) -> Margin:
    r"""$\mathcal L\to0$ implies $f(x_i)=-\frac1{y_i}\log\ell(y_i,f(x_i))\to\infty$ for every i.

    Fails for $y_i=-1$: there $f(x_i)=\log\ell$, which is negative wherever $\ell<1$, so that $f(x_i)\to-\infty$. The
    label is missing; the norm of the weights diverges all the same. And the identity holds for the exponential loss
    only.

    Convention: what tends to infinity as the loss vanishes is positive where the loss is small; asked for below 1.
    """
    return less(0, f, "0 against f(x_i)")


def _logarithm_proof() -> str | None:
    import sympy

    f = sympy.Symbol("f", real=True)
    return by_identity(
        lambda: [y * f + sympy.log(sympy.exp(-y * f)) for y in (1, -1)], "for both labels and every real output"
    )


@derived
def size(y: Number, f: Number) -> Number:
    """y f."""
    return y * f


@derived
def exponential(y: Number, f: Number) -> Number:
    """The exponential loss."""
    found: Number = exp(-y * f)
    return found


@divergence.claim(
    "amended", "with the label", given=OUTPUTS, derived=[size, exponential], proof=_logarithm_proof, recorded="proved"
)
@mutants(changed("without the sign", size=absolute), changed("for the logistic loss", exponential=log1p))
def signed_outputs_are_the_logarithm_of_the_loss(size: Number, exponential: Number) -> Margin:
    r"""Amended: $y_if(x_i)=-\log\ell(y_i,f(x_i))$ for the exponential loss, so that $y_if(x_i)\to\infty$ as the loss
    vanishes.
    """
    return equal(size, -log(exponential), "y f against -log of the loss")


@divergence.claim(
    "norm",
    given=placed(data=labelled_dataset, start=neurons),
    derived=[longest],
    proof=outputs_proof,
    recorded="proved",
    cost=2.0,
)
@mutants(scaled("99/100"), changed("X_max / 2", longest=lambda longest: longest / 2))
def outputs_are_bounded_by_the_norm_of_the_weights(data: Dataset, start: Balanced, longest: Number) -> Margin:
    r"""$|f(x_i;W,v)|\le\|W\|_F^2X_{\max}$, so that diverging outputs make $\|W\|_F^2$ diverge.

    Convention: balanced weights v_j = +-|w_j|.
    """
    outer = start.signs * np.array([norm(row) for row in start.shape])
    outputs = network(start, outer)(data.inputs)
    return at_most(absolute(outputs), squared_norm(start.shape) * longest, "|f(x_i)| against |W|_F^2 X_max")


@derived
def signed(late: Fit) -> Enclosed:
    """y_i f(x_i)."""
    return late.outputs * late.data.labels


def _some_reversed(signed: Enclosed) -> Enclosed:
    return signed * np.where(signed.value[-1] > 9, -1, 1)


in_the_limit = divergence.but(kind=Kind.ASYMPTOTIC, given=SEEN_FITS, assumes=SETTING, derived=[late, signed])


@in_the_limit.claim("limit", recorded="supported", cost=1.5)
@mutants(changed("-f(x_i) for the first datum", signed=_some_reversed), shifted("1/2", "1/(y_i f(x_i))"))
def signed_outputs_diverge(late: Fit, signed: Enclosed) -> Margin:
    r"""$y_if(x_i;W(t),v(t))\to\infty$ as $t\to\infty$ for every i. Amended: the label, without which it fails for
    $y_i=-1$.

    Convention: all three losses; cases in which S_+ and S_- contain a neuron at t_1.
    """
    return all_of(
        less(0, signed[-1], "0 against y_i f(x_i) at the end"),
        tends_to(1 / signed, 0, "1/(y_i f(x_i))", clock=late.clock),
    )
