"""Attacks on the tool itself: `python -m benchmarks attacks [options]` sends hostile cases to the integrators."""

from benchmarks.attacks.integrators import main

__all__ = ["main"]
