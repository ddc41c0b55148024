r"""Section 3.3, Choice of $\epsilon$: the error of (4) that the analysis allows, and its order in $\mu$.

Appendix C allows $\min\{\mu,\zeta,\xi\}\sqrt\mu X_{\min}/2$. The main text says $O(\sqrt\mu)$, and of its $O$ that it
hides constants which depend on the data.
"""

from refute import Fault, Kind, Margin, at_most, changed, derived, exponent, grows_like, mutants, power, section
from refute.claims.min2024.assumptions import SETTING
from refute.claims.min2024.runs import constants, phase
from refute.claims.min2024.training import APPENDIX_LOSSES, DEEPEST, PARTS, turning_errors
from refute.language.limits import SMALL
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory
from refute.models.min2024.alignment import Scales
from refute.models.min2024.families import allowed
from refute.strategies import choice, sized
from refute.strategies.min2024.separated import neurons, placed, separated_dataset
from refute.strategies.min2024.theory_scale import followable

error = section("min2024", "sec_3_3.required_error", "Section 3.3, Choice of epsilon; C.2", recorded="supported")


@error.claim(
    kind=Kind.DYNAMICS,
    given=followable(placed(data=separated_dataset, start=neurons, loss=APPENDIX_LOSSES, part=PARTS), DEEPEST),
    assumes=SETTING,
    derived=[constants, phase],
    cost=0.5,
)
@mutants(changed("the logistic loss of Section 2.1", loss=lambda _: "logistic"), exponent(2))
def the_required_error_is_kept_from_a_small_scale(
    data: Dataset, loss: str, phase: LogPolarTrajectory, constants: Scales
) -> Margin:
    r"""From a sufficiently small scale the error of (4) is, throughout the alignment phase, at most
    $\min\{\mu,\zeta,\xi\}\sqrt\mu X_{\min}/2$, which for given data is $O(\sqrt\mu)$.

    The error is far smaller where the scale is: it carries a factor $(\sqrt h\epsilon)^{1/2}$ that Lemma 3 gives away.

    Convention: the scale is the largest that (28) allows, with the smaller zeta; the losses of the appendix; nine times
    from 0 to T.
    """
    return at_most(turning_errors(phase, data, loss), constants.tolerated_error / 2, "error of (4) against its bound")


@derived
def tolerated(angle: float) -> list[float]:
    """The error that the analysis allows along the data of A.2, with their largest admissible constants."""
    return [float(allowed(mu, angle).tolerated_error) / 2 for mu in SMALL[:5]]


family = error.but(
    "Section 3.3, Choice of epsilon",
    kind=Kind.ASYMPTOTIC,
    given=sized(angle=choice("1/4", "1/2", "1")),
    derived=[tolerated],
)


@family.claim("r1", recorded="against", fault=Fault.CONSTANT)
def the_error_allowed_is_of_order_sqrt_mu(tolerated: list[float]) -> Margin:
    r"""The error that the analysis allows is of order $\sqrt\mu$, with a constant that does not depend on $\mu$: an
    error of that order is enough.

    Fails: the minimum is at most $\mu$, and $\xi=\mu^2$ for these data, so what is allowed is of order $\mu^{5/2}$.

    Convention: a reading, since the paper's O may hide constants of the data. Along the data of A.2.
    """
    return grows_like(tolerated, power(0.5), "allowed error against mu", at=SMALL)


@family.claim("r1.amended")
@mutants(exponent("49/50"), exponent("51/50"), exponent("4/5"))
def the_error_allowed_is_of_order_mu_to_five_halves(tolerated: list[float]) -> Margin:
    r"""Amended: along the data of A.2 the error that the analysis allows is of order $\mu^{5/2}$."""
    return grows_like(tolerated, power(2.5), "allowed error against mu", at=SMALL)
