"""Names for the files that import them from here."""

from refute.models.zhang2024.small_runs import Layers, cosine, misfit, ratios

__all__ = ["Layers", "cosine", "misfit", "ratios"]
