"""Gradient flow of balanced networks from starts as small as 10^-100000: each neuron is a log-norm and a direction."""

from refute.models.logpolar.solve import LogPolarTrajectory, log_polar_flow
from refute.models.training import Stop

__all__ = ["LogPolarTrajectory", "Stop", "log_polar_flow"]
