"""Names for the files that import them from here."""

from refute.claims.zhang2024.assumptions import nonzero_layers

__all__ = ["nonzero_layers"]
