"""The runs of Figure 1, in float64 and in balls."""

import numpy as np
from flint import arb, ctx

from refute.models.kou2023.mixture_runs import stable_ranks


def test_stable_ranks_of_figure_1_in_balls_hold_those_in_floats():
    """Of one sign, after one epoch from 1/100, for every run and slope."""
    with ctx.workprec(192):
        enclosed = stable_ranks(arb(0.01), (1,), "positive")
    rounded = stable_ranks(0.01, (1,), "positive")
    assert enclosed.shape == rounded.shape == (5, 4, 1)
    assert np.abs(enclosed.astype(float) - rounded).max() < 1e-9
    assert all(rank.rad() < 1e-9 for rank in enclosed.reshape(-1))
