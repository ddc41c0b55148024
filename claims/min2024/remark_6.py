"""Remark 6: Filippov's concept does not make solutions unique."""

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, changed, derived, equal, mutants, section, shifted, suppose, without
from refute.claims.min2024.assumptions import positive_class
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.models import Dataset, TwoLayer
from refute.models.flow import FILIPPOV, REGULAR
from refute.models.min2024.residual import caratheodory_residual
from refute.strategies.min2024.separated import labelled_dataset, placed, vector

Floats = NDArray[np.float64]


@derived
def concepts() -> tuple[str, str]:
    """The solution that stays on the edge of S_dead, and one that leaves it where it can."""
    return REGULAR, FILIPPOV


@derived
def edge(data: Dataset, w: Floats) -> TwoLayer:
    """The part of w that is orthogonal to the datum, of length one, with v = 1."""
    x = data.inputs[0]
    part = w - (x @ w) / (x @ x) * x
    suppose(float(np.abs(part).max()) > 1e-3, "w is not along x")
    return TwoLayer((part / np.linalg.norm(part))[None], np.ones(1), 0.0)


remark = section(
    "min2024",
    "remark_6",
    "Remark 6",
    kind=Kind.DYNAMICS,
    given=placed(data=labelled_dataset, w=vector, loss=ALL_LOSSES, samples=(1, 1), dimension=(2, 3)),
    assumes=[positive_class],
    derived=[concepts, edge],
)


@remark.claim("filippov_non_unique", recorded="supported", cost=0.5)
@mutants(
    changed("among regular solutions", concepts=lambda pair: (pair[0], pair[0])),
    shifted("1/10000", "residual"),
    without(positive_class),
)
def staying_and_leaving_are_both_solutions(
    data: Dataset, edge: TwoLayer, loss: str, concepts: tuple[str, str], tolerance: float
) -> Margin:
    r"""From the edge of $S_{dead}$ a neuron may stay, where the field vanishes, or leave: both paths solve (45) with
    $\sigma'(0)=0$ for almost all times, hence Filippov's inclusion, and they differ.

    Convention: one positive datum x, the part of w orthogonal to it, of length one, v = 1.
    """
    x, horizon = data.inputs[0], 1 / (1 + float(data.inputs[0] @ data.inputs[0]))
    solved = (edge, data, LOSSES[loss], horizon)
    paths = [caratheodory_residual(*solved, concept=one, tolerance=tolerance) for one in concepts]
    gone = paths[1].run.inners[-1, 0] @ x - paths[0].run.inners[-1, 0] @ x
    residuals = [equal(path.largest, 0, "residual of (45)") for path in paths]
    return all_of(*residuals, at_least(gone, x @ x * horizon / 10, "how far the paths are apart along x"))
