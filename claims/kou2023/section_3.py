r"""Section 3: the gradient step (3.2) and the convention at the kink."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, changed, identity, mutants, scaled, section
from refute.decide.probability import with_probability
from refute.models import Dataset
from refute.models.kou2023.decomposition import batch_courses
from refute.strategies import choice, count, sized
from refute.strategies.kou2023.nearly_orthogonal import signed_points


@identity("kou2023.eq_3_2.gradient_formula", "Eq. (3.2)", recorded="proved")
@mutants(scaled(-1, "one sample"), scaled("1001/1000", "one sample"))
def gradient_of_the_loss_is_the_printed_sum() -> Any:
    r"""$\nabla_{w_{j,r}}L_S(W)=\frac1{nm}\sum_i\ell_i'\sigma'(\langle w_{j,r},x_i\rangle)jy_ix_i$ with
    $\ell_i'=-1/(1+e^{y_if(x_i)})$.

    Convention: away from the kinks, where $\sigma$ is linear with some slope s near each signal. One sample, one
    coordinate of one neuron: the loss is a sum over samples, the network a sum over neurons, of which the others make
    up the constant `rest`.
    """
    import sympy

    w, x, y, j, slope, rest, other, q = sympy.symbols("w x y j s rest other q", real=True)
    n, m = sympy.symbols("n m", positive=True)
    signal = w * x + other
    margin = y * (j * slope * signal / m + rest)
    logit = -1 / (1 + sympy.exp(q))
    return {
        "l'": (sympy.diff(sympy.log(1 + sympy.exp(-q)), q), logit),
        "one sample": (
            sympy.diff(sympy.log(1 + sympy.exp(-margin)) / n, w),
            logit.subs(q, margin) * slope * j * y * x / (n * m),
        ),
    }


def _drawn(law: str, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    drawn = rng.standard_normal(shape)
    return {"gaussian": drawn, "zero": 0 * drawn, "integers": np.round(drawn)}[law]


main = section(
    "kou2023",
    "sec3",
    "Section 3, after Eq. (3.2)",
    kind=Kind.PROBABILISTIC,
    given=sized(
        data=signed_points,
        m=count(1, 3),
        gamma=choice("0", "1/2", "1/100"),
        rate=choice(1, "1/10", 10),
        law=choice("gaussian"),
    ),
)


@main.claim("sigma_prime_zero_wlog", recorded="supported")
@mutants(
    changed("from weights zero", law=lambda _: "zero"),
    changed("from weights rounded to integers", law=lambda _: "integers"),
)
def the_slope_at_zero_does_not_matter(
    data: Dataset, m: int, gamma: float, rate: float, law: str, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""From Gaussian weights gradient descent takes, with probability one, the same steps whether $\sigma'(0)$ is 0,
    $\gamma$ or 1.

    Convention: almost surely no step depends on $\sigma'(0)$; ten steps, compared bit by bit; tested at 0.999.
    """

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        inner = _drawn(law, rng, (count, 2 * m, data.inputs.shape[1]))
        ends = [
            list(batch_courses(data, inner, slope=gamma, rate=rate, steps=10, slope_at_zero=at_zero))[-1][0]
            for at_zero in (0.0, gamma, 1.0)
        ]
        return np.asarray(((ends[0] == ends[2]) & (ends[1] == ends[2])).all(axis=(1, 2)))

    return with_probability(0.999, trial, rng, trials, "all conventions give the same signals")
