"""Gradient flow as a differential inclusion: patterns, events, crossing and sliding, with an error bound."""

from refute.models.flow.solve import FILIPPOV, REGULAR, gradient_flow, scaled
from refute.models.flow.trajectory import Change, Event, Trajectory
from refute.models.training import Stop

__all__ = ["FILIPPOV", "REGULAR", "Change", "Event", "Stop", "Trajectory", "gradient_flow", "scaled"]
