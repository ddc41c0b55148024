"""Names of the lemmas for the files that import them from here."""

from refute.claims.zhang2024.assumptions import no_data_on_hyperplane, no_kinks, nonempty_half_space
from refute.models.zhang2024.fields import slope_at_zero
from refute.models.zhang2024.half_spaces import half_space_average

__all__ = ["half_space_average", "no_data_on_hyperplane", "no_kinks", "nonempty_half_space", "slope_at_zero"]
