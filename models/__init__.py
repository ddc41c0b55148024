"""Networks, data, losses and training: what the claims are about. Pure functions; no claim and no
strategy lives here.
"""

from refute.models.dataset import Dataset
from refute.models.network import DeepNetwork, TwoLayer

__all__ = ["Dataset", "DeepNetwork", "TwoLayer"]
