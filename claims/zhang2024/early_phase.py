"""Names for the files that import them from here."""

from refute.claims.zhang2024.assumptions import correlated_target

__all__ = ["correlated_target"]
