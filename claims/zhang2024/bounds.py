"""Names for the files that import them from here."""

from refute.claims.zhang2024.assumptions import small_weights
from refute.models.zhang2024.fields import cubic_term

__all__ = ["cubic_term", "small_weights"]
