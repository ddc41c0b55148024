r"""The explicit constants of min2024, Appendix C: alignment time, length of the alignment phase and the scale (28), by
logarithms.

t_1 = 16 log n / r,   T = log(1/(sqrt(h) eps)) / (4 n X_max),   r = min{zeta, xi} sqrt(mu) X_min,
eps <= min{ min{mu, zeta, xi} sqrt(mu) X_min / (4 sqrt(h) n X_max^2 W_max^2),  e^{-4 n X_max t_1} / sqrt(h) }.
(28)
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from refute import suppose
from refute.arithmetic.numbers import Array, Number
from refute.functions import largest, log, maximum, minimum, norm, smallest, sqrt
from refute.functions import sign as sign_of
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.cones import separation, xi_candidate, zeta_1, zeta_2


@dataclass(frozen=True, slots=True)
class Scales:
    """n data with norms in [shortest, longest], h neurons of W_0 with norms in [least, most], and admissible mu, zeta,
    xi.
    """

    n: int
    h: int
    shortest: Number
    longest: Number
    least: Number
    most: Number
    mu: Number
    zeta: Number
    xi: Number

    @property
    def narrow(self) -> Number:
        """min{zeta, xi}."""
        return minimum(self.zeta, self.xi)

    @property
    def rate(self) -> Number:
        """min{zeta, xi} sqrt(mu) X_min: a pattern with k active points lasts at most 4 / (rate k)."""
        self._suppose_separated()
        return self.narrow * sqrt(self.mu) * self.shortest

    @property
    def alignment_time(self) -> Number:
        """t_1; zero for a single datum."""
        return 16 * log(self._counted(self.n)) / self.rate

    @property
    def tolerated_error(self) -> Number:
        """min{mu, zeta, xi} sqrt(mu) X_min: half of it is the error of (4) that Appendix C allows."""
        self._suppose_separated()
        return minimum(self.mu, self.narrow) * sqrt(self.mu) * self.shortest

    @property
    def tolerated_output(self) -> Number:
        """min{mu, zeta, xi} sqrt(mu) X_min / (n X_max), four times the right-hand side of (29)."""
        return self.tolerated_error / (self.n * self.longest)

    @property
    def log_terms(self) -> tuple[Number, Number]:
        """ln of the two terms of the minimum in (28)."""
        first = self.tolerated_output / (4 * self.longest * self.most**2)
        half = log(self._counted(self.h)) / 2
        return log(first) - half, -half - 4 * self.n * self.longest * self.alignment_time

    @property
    def log_epsilon(self) -> Number:
        """ln of the largest scale that (28) allows."""
        return minimum(*self.log_terms)

    def phase(self, log_epsilon: Number) -> Number:
        """T for a scale given by its logarithm."""
        return (-log(self._counted(self.h)) / 2 - log_epsilon) / (4 * self.n * self.longest)

    def _suppose_separated(self) -> None:
        suppose(bool(self.mu > 0), "mu is positive, else there is neither t_1 nor a scale (28)")

    def _counted(self, count: int) -> Number:
        """A count in the arithmetic of the other constants."""
        return self.mu * 0 + count


def by_sign(start: Balanced, sign: int) -> Array:
    """The rows of W_0 with the given sign of v_j."""
    return start.shape[[sign_of(s) == sign for s in start.signs]]


def gaps(data: Dataset, start: Balanced) -> tuple[Number, Number]:
    """The supremum of the zeta_1 of Lemma 8 and the largest zeta_2 of (26).

    Float64 data are dyadic, so the second is found exactly: 1 - cos^2 would lose every digit for a neuron near a
    centre.
    """
    if start.shape.dtype == object:
        return zeta_1(data), zeta_2(by_sign(start, 1), by_sign(start, -1), data)
    exact = np.vectorize(Fraction, otypes=[object])
    twin = Dataset(exact(data.inputs), exact(data.labels))
    return zeta_1(data), float(zeta_2(exact(by_sign(start, 1)), exact(by_sign(start, -1)), twin))


def scales(data: Dataset, start: Balanced, part: Number, *, printed: bool) -> Scales:
    """The constants for zeta_1, zeta_2, xi at `part` of their largest values (xi at `part` of mu^2).

    As printed zeta is the larger of the two; what the proof uses is the smaller one (zeta_1 alone where (26) has no
    zeta_2 > 0).
    """
    first, second = (part * value for value in gaps(data, start))
    chosen = maximum(first, second) if printed or not second > 0 else minimum(first, second)
    sizes = [np.array([norm(row) for row in rows]) for rows in (data.inputs, start.shape)]
    return Scales(
        n=len(data.labels),
        h=len(start.signs),
        shortest=smallest(sizes[0]),
        longest=largest(sizes[0]),
        least=smallest(sizes[1]),
        most=largest(sizes[1]),
        mu=separation(data),
        zeta=chosen,
        xi=part * xi_candidate(data),
    )


def at_scale(start: Balanced, log_epsilon: Number) -> Balanced:
    """The start W_0 at the scale with this logarithm."""
    return Balanced(start.shape, start.signs, log_epsilon, start.slope)
