"""Closed forms and reference solutions that trajectories are compared with."""
