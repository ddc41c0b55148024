"""A network that is not homogeneous: two layers of softplus, in whatever arithmetic its weights are lifted to."""

from typing import Any, ClassVar

from refute import record
from refute.models import Dataset
from refute.models.loss import expit, softplus


@record
class SoftplusNetwork:
    """f(x) = sum_h outer[h] log(1 + exp(inner[h] . x))."""

    inner: Any
    outer: Any

    AXES: ClassVar = {"inner": ("width", "dimension"), "outer": ("width",)}

    def speed(self, data: Dataset) -> tuple[Any, Any]:
        """Minus the gradient of the mean of (y - f)^2 / 2, of both layers."""
        signals = data.inputs @ self.inner.T
        residual = (data.labels - softplus(signals) @ self.outer) / len(data.labels)
        back = residual[:, None] * expit(signals) * self.outer
        return back.T @ data.inputs, residual @ softplus(signals)
