"""The velocity of an aligned bundle as machine code. Importing this module imports numba: do it inside the function
that needs it.
"""

from typing import Any

import numpy as np

from refute.models.compiled import compiled


@compiled
def drift(_: float, log_p: Any, eta: Any, squares: Any) -> Any:
    """d ln p_k/dt = A eta_k q_k/p_k + B with A^2 = sum nu_k^2 p_k^2, B = sum eta_k nu_k^2 p_k q_k / A; `squares` are
    the nu_k^2.
    """
    d = log_p.shape[0]
    velocity = np.empty(d)
    size = along = 0.0
    for k in range(d):
        p, q = np.exp(log_p[k]), -np.expm1(log_p[k])
        size += squares[k] * p * p
        along += eta[k] * squares[k] * p * q
    size = np.sqrt(size)
    for k in range(d):
        velocity[k] = size * eta[k] * np.expm1(-log_p[k]) + along / size
    return velocity
