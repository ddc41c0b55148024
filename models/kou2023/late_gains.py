r"""A leaky ReLU network from $T_1$ on: what its coefficients gain, and the constants of the proof of Lemma D.2.

$\kappa=c_1^{-1}\gamma^{-2}R_{\min}^{-2}pn$ is given; $Z/m$ are the gains of $\bar\rho_{y_i,r,i}$, averaged over r.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from refute.arithmetic.numbers import Number
from refute.functions import absolute, exp, log1p, mean
from refute.models.kou2023.decomposition import Decomposition


@dataclass(frozen=True)
class LateGains:
    """A run whose first listed step is T_1; `beta` is the slack that the constants C_i have."""

    course: Decomposition
    kappa: Any
    beta: Number

    def without_beta(self) -> "LateGains":
        """The same with a slack of zero."""
        return replace(self, beta=0 * self.beta)

    @property
    def gamma(self) -> Number:
        return self.course.start.slope

    @cached_property
    def own(self) -> Any:
        """The average of rho-bar_{y_i,r,i} over r: (time, i)."""
        return self.course.known(mean(absolute(self.course.own(self.course.rho)), axis=1))

    @cached_property
    def opposite(self) -> Any:
        """The average of |rho-underbar_{-y_i,r,i}| over r: (time, i)."""
        return self.course.known(mean(absolute(self.course.opposite(self.course.rho)), axis=1))

    @property
    def gained(self) -> Any:
        """Z/m: (time, i)."""
        return self.own - self.own[:1]

    def offset(self, sign: int) -> Any:
        """C_i for sign 1, C_i' for sign -1: (1, i)."""
        both = self.own[:1] + self.gamma * self.opposite[:1]
        return (1 + sign * self.kappa) * both + sign * (self.gamma + 1) * self.beta

    @property
    def steepness(self) -> Any:
        """(1 + gamma^2)(1 + kappa)."""
        return (1 + self.gamma**2) * (1 + self.kappa)

    @property
    def growth(self) -> Any:
        """log(1 + eta |x_i|^2 e^{-C_i} (1 + gamma^2)(1 + kappa)(t - T_1)/(2nm)): (time, i)."""
        since = np.asarray(self.course.steps - self.course.steps[0])[:, None]
        return log1p(self.course.unit * since * exp(-self.offset(1)) * self.steepness / 2)
