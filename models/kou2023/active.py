r"""The neurons of a ReLU network that start active, along a run, and the constants of the proof of Lemma E.1.

$S_i^{(0)}$ are the neurons of class $y_i$ with $\langle w^{(0)},x_i\rangle>0$. Coefficients $\bar\rho_{y_i,r,i}$ and
signals of the pairs (r, i) with $r\in S_i^{(0)}$ have the axes (time, pair).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, largest, sign, smallest
from refute.models.kou2023.decomposition import Decomposition
from refute.models.kou2023.orthogonality import largest_overlap, relative_overlap


@dataclass(frozen=True)
class Active:
    """A run with the neurons that start active; `asked` and `own` choose other pairs to look at."""

    course: Decomposition
    asked: NDArray[np.bool_] | None = None
    own: bool = True

    def of_every_neuron(self) -> "Active":
        """All pairs of the class, active at the start or not."""
        return replace(self, asked=np.ones_like(self.course.starts_active))

    def of_the_other_class(self) -> "Active":
        """The neurons with the same numbers r, of class -y_i; asked again, those of class y_i."""
        return replace(self, own=not self.own)

    def at(self, values: Array) -> Any:
        """Own entries of (time, j, r, i) at the pairs."""
        return self.course.known(self.side(values))[:, self.pairs]

    def side(self, values: Array) -> Array:
        """Entries with j = y_i: (time, r, i) or (time, i)."""
        return self.course.own(values) if self.own else self.course.opposite(values)

    def each(self, values: Any) -> Any:
        """The entries of the samples at the pairs."""
        return values[..., np.nonzero(self.pairs)[1]]

    @property
    def pairs(self) -> NDArray[np.bool_]:
        return self.course.starts_active if self.asked is None else self.asked

    @cached_property
    def rho(self) -> Any:
        return self.at(self.course.rho)

    @cached_property
    def signals(self) -> Any:
        return self.at(self.course.signals)

    @property
    def highest(self) -> Any:
        """The largest coefficient of all neurons of the class, active at the start or not: (time, i)."""
        return largest(self.course.known(self.side(self.course.rho)), axis=1)

    @property
    def time(self) -> Array:
        return self.course.steps[:, None]

    @property
    def sizes(self) -> Array:
        """|S_i^(0)|."""
        return np.asarray(self.course.starts_active.sum(axis=0))

    @cached_property
    def mean(self) -> Any:
        """The sum of rho-bar over S_i^(0), divided by m: (time, i)."""
        chosen = np.where(self.course.starts_active, self.course.own(self.course.rho), 0)
        return self.course.known(chosen.sum(axis=1) / self.course.width)

    @cached_property
    def margins(self) -> Any:
        """y_i f(x_i) = F_{y_i} - F_{-y_i}: (time, i)."""
        return self.course.known(self.course.margins)

    @property
    def least(self) -> Any:
        """The smallest coefficient of the pairs at every time."""
        return smallest(self.rho, axis=1)

    @property
    def top(self) -> Any:
        """The largest |rho_{j,r,i}| of all, at every time."""
        every = absolute(self.course.rho)
        return largest(self.course.known(every.reshape(len(every), -1)), axis=1)

    @property
    def balance(self) -> Any:
        """The smallest coefficient of the pairs over the largest of all, at every time."""
        return self.least / self.top

    @cached_property
    def constant(self) -> Any:
        """c_1, as measured over the run."""
        return smallest(replace(self, asked=None, own=True).balance)

    @property
    def epsilon(self) -> Number:
        """R_min^-2 p n."""
        return relative_overlap(self.course.data.inputs)

    @property
    def c_prime(self) -> Number:
        """The largest m/|S_i^(0)|."""
        return largest((0 * self.course.squares + self.course.width) / self.sizes)

    @property
    def upper(self) -> Any:
        """c'(1 + epsilon/c_1)."""
        return self.c_prime * (1 + self.epsilon / self.constant)

    @property
    def lower(self) -> Any:
        """1 - 2 c' epsilon/c_1."""
        return 1 - 2 * self.c_prime * self.epsilon / self.constant

    @property
    def unit(self) -> Array:
        """eta |x_i|^2/(nm)."""
        return self.course.unit

    @property
    def pace(self) -> Array:
        """eta |S_i^(0)| |x_i|^2/(nm^2)."""
        return np.asarray(self.unit * self.sizes / self.course.width)

    @cached_property
    def opposite(self) -> Any:
        """|rho-underbar_{-y_i,r,i}|: (time, r, i)."""
        return self.course.known(absolute(self.course.opposite(self.course.rho)))

    @cached_property
    def of_other_samples(self) -> Any:
        """The smallest rho-bar_{y_k,r,k} with r in S_k^(0) over the samples k with y_k = -y_i: (time, 1, i)."""
        rho, labels = replace(self, asked=None, own=True).rho, self.course.data.labels
        labels = np.asarray(sign(labels))
        owner = labels[np.nonzero(self.course.starts_active)[1]]
        return _stacked([smallest(rho[:, owner == -label], axis=1) for label in labels])

    @property
    def both_labels(self) -> bool:
        return len(set(np.asarray(sign(self.course.data.labels)).tolist())) == 2

    @cached_property
    def push(self) -> Any:
        """sum over k != i of |rho_{-y_i,r,k}| |x_k|^-2 p: (time, r, i)."""
        sizes = absolute(self.course.rho) / self.course.squares
        others = self.course.opposite(sizes.sum(axis=3, keepdims=True) - sizes)
        return self.course.known(others * largest_overlap(self.course.data.inputs))


def _stacked(columns: Sequence[Any]) -> Any:
    """Columns over the time as (time, 1, column)."""
    if isinstance(columns[0], Enclosed):
        value, error = (np.stack([getattr(one, part) for one in columns], axis=1) for part in ("value", "error"))
        return Enclosed(value[:, None, :], error[:, None, :])
    return np.stack(columns, axis=1)[:, None, :]
