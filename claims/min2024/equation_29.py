r"""Eq. (29): how small the outputs stay during the alignment phase."""

import numpy as np

from refute import Enclosed, Kind, Margin, at_most, claim, derived, exponent, mutants, scaled
from refute.claims.min2024.assumptions import SETTING
from refute.claims.min2024.runs import BUSY, constants, phase
from refute.models.logpolar import LogPolarTrajectory
from refute.models.min2024.alignment import Scales


@derived
def allowed(constants: Scales) -> float:
    """The right-hand side of (29)."""
    c = constants
    return float(min(c.mu, c.narrow) * np.sqrt(c.mu) * c.shortest / (4 * c.n * c.longest))


@claim(
    "min2024.eq_29.output_small",
    "Eq. (29)",
    kind=Kind.DYNAMICS,
    given=BUSY,
    assumes=SETTING,
    derived=[constants, phase, allowed],
    recorded="supported",
    cost=0.5,
)
@mutants(exponent(2), scaled("1/1000"))
def outputs_stay_small_during_the_alignment_phase(phase: LogPolarTrajectory, allowed: float) -> Margin:
    r"""$\max_i|f(x_i;W(t),v(t))|\le\frac{\min\{\mu,\zeta,\xi\}\sqrt\mu X_{\min}}{4nX_{\max}}$ for $t\le T$.

    Lemma 3 alone gives twice this (`eq_29.output_small.r1`); the outputs are smaller than its bound by another factor
    $(\sqrt h\epsilon)^{1/2}$.

    Convention: during [0, T] from the largest scale of (28); not shown necessary: Assumption 2, which only makes zeta
    positive.
    """
    return at_most(Enclosed(np.abs(phase.output).max(), phase.output_error), allowed, "largest |f|")
