"""A balanced network at any scale, given by the logarithm of the scale."""

from typing import ClassVar

import numpy as np

from refute import record
from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput


@record
class Balanced:
    """Neurons w_j = e^log_scale * shape[j] with outer weights signs[j] |w_j|; sigma(z) = max(z, slope z).

    `log_scale` is ln lambda: -230259 stands for 10^-100000. A zero row is a neuron that stays zero.
    """

    shape: Array
    signs: Array
    log_scale: Number
    slope: Number

    AXES: ClassVar = {"shape": ("width", "dimension"), "signs": ("width",)}
    DISCRETE: ClassVar = ("signs",)

    def validate(self) -> None:
        if self.shape.ndim != 2 or self.signs.shape != self.shape.shape[:1]:
            raise BadInput(
                f"shape has shape {self.shape.shape} and signs {self.signs.shape}",
                "use (width, dimension) and (width,)",
            )
        if any(abs(sign) != 1 for sign in self.signs):
            raise BadInput(f"signs must be 1 or -1, got {[str(sign) for sign in self.signs]}")
        if not 0 <= self.slope <= 1:
            raise BadInput(f"slope must lie between 0 and 1, got {self.slope}")

    def log_norms_and_directions(self) -> tuple[Array, Array]:
        """rho_j = ln |w_j| and u_j = w_j / |w_j| in float64; -inf and 0 for a zero row."""
        rows = np.asarray(self.shape, dtype=float)
        largest = np.abs(rows).max(axis=1, initial=0.0)
        scaled = rows / np.where(largest > 0, largest, 1.0)[:, None]
        sizes = np.linalg.norm(scaled, axis=1)
        with np.errstate(divide="ignore"):
            log_norms = float(self.log_scale) + np.log(largest) + np.log(sizes)
        return log_norms, scaled / np.where(sizes > 0, sizes, 1.0)[:, None]
