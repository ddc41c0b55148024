r"""The limit matrices of the proof of Lemma F.3 at a Gaussian start: C says which of m neurons start active on which of
n/2 samples, fair coins; $a_i=m/|S_i|$ and $A=C\,\mathrm{diag}(a)$. Those of the other class are B alike.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import Array
from refute.models.geometry.stable_rank import spectral_norms

Floats = NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True)
class Coins:
    """Many matrices C: (count, m, n/2)."""

    active: Array

    @classmethod
    def thrown(cls, rng: Rng, count: int, m: int, n: int) -> "Coins":
        """A column without active neurons is drawn again."""
        active = rng.random((count, m, n // 2)) < 0.5
        while not (filled := np.asarray(active.any(axis=1))).all():
            active |= (rng.random(active.shape) < 0.5) & ~filled[:, None, :]
        return cls(active.astype(float))

    @property
    def a(self) -> Array:
        """(count, n/2)."""
        return np.asarray(self.active.shape[1] / self.active.sum(axis=1))

    @property
    def A(self) -> Array:  # noqa: N802  # the paper's name
        """(count, m, n/2)."""
        return np.asarray(self.active * self.a[:, None, :])

    @property
    def mean(self) -> Array:
        """G diag(a) with all entries of G equal to 1/2, which the paper calls E[A]."""
        return np.broadcast_to(self.a[:, None, :] / 2, self.active.shape)

    @property
    def frobenius(self) -> Array:
        """|A|_F^2."""
        return np.asarray((self.A**2).sum(axis=(1, 2)))

    @property
    def spectral(self) -> Array:
        """|A|_2."""
        return spectral_norms(self.A)
