r"""Section 2.2: gradient descent with a finite step keeps the balance only to second order in the step."""

from itertools import pairwise

import numpy as np

from refute import Fault, Margin, equal, scaled, section
from refute.functions import squared_norm

from .derived import moving
from .strategies import STEPS

descent = section("du2018", "descent", "Section 2.2", given=STEPS, derived=[moving])


def gap(matrices) -> np.ndarray:
    """|M_{h+1}|^2 - |M_h|^2 for every h."""
    return np.array([squared_norm(above) - squared_norm(below) for below, above in pairwise(matrices)])


@descent.claim("layers", recorded="refuted", fault=Fault.MISSING_HYPOTHESIS, printed=False)
def a_step_keeps_layers_balanced(moving, step, *, second=0) -> Margin:
    r"""A step $\eta$ of descent keeps $\|W_{h+1}\|_F^2-\|W_h\|_F^2$. Fails for every step that moves the layers."""
    weights, speeds = zip(*moving, strict=True)
    after = gap([w + step * v for w, v in moving])
    return equal(after - gap(weights), second * step * step * gap(speeds), "change of the difference")


a_step_keeps_layers_balanced.amended(
    r"Up to $\eta^2(\|\nabla_{h+1}L\|^2-\|\nabla_hL\|^2)$, and exactly so.",
    second=1,
    mutants=(scaled("101/100"),),
    recorded="supported",
)
