"""Kou, Chen, Gu (2023): Implicit Bias of Gradient Descent for Two-layer ReLU and Leaky ReLU Networks on
Nearly-orthogonal Data.
"""

_STEPPED = (3, 10, 30, 100, 1000)  # the first stage of C^2 steps is taken step by step
_MANY_STARTS = (3, 10, 30)  # and that from hundreds of starts

# "For a sufficiently large constant C": what `refute document` tries, for the first glob that fits a claim.
SUFFICIENTLY_LARGE = {
    "C": {
        "kou2023.lemma_h?.*": (),  # another constant
        "kou2023.lemma_5_7.under_equal": (3, 10, 30, 100),
        "kou2023.lemma_e2.threshold_time.amended": (3, 10, 30, 100),  # later than any time by then
        "kou2023.lemma_5_?.*.amended": _STEPPED,
        "kou2023.sec5.frozen_slopes*": _STEPPED,
        "kou2023.lemma_5_6.*": _MANY_STARTS,
        "kou2023.lemma_5_7.*": _MANY_STARTS,
        "kou2023.lemma_b[25].*": _STEPPED,
        "kou2023.lemma_c[23].*difference*": _STEPPED,
        "kou2023.lemma_d1.*": _STEPPED,
        "kou2023.eq_b43_b44.threshold": _STEPPED,
        "kou2023.eq_c1_c2.late_updates": _STEPPED,
        "kou2023.eq_f6.pattern_updates.r2": _STEPPED,
        "*": (3, 10, 30, 100, 1000, 10_000),
    }
}
