"""Kou, Chen, Gu (2023): Implicit Bias of Gradient Descent for Two-layer ReLU and Leaky ReLU Networks on
Nearly-orthogonal Data.
"""

# In the paper's order: the files, or globs of them.
CONTENTS = """
section_1 section_3 theorem_4_1* remark_4_2 theorem_4_3* remark_4_4 definition_5_1 lemma_5_2 lemma_5_3
equation_5_8 equation_5_9 lemma_5_4 equation_5_11 section_5_1 equation_5_12 lemma_5_5 lemma_5_6 section_5_2
lemma_5_7 lemma_5_8 section_5_2* figure_1 figure_2 figure_3 section_7 lemma_a* conditions_b* lemma_b1 lemma_b2
lemma_b3 equations_b16* equations_b26* equations_b35* lemma_b4 lemma_b5 lemma*_c1* lemma_c3* lemma_d*
conditions_e* equations_e8* equations_e13* lemma_e1 equations_e24* lemma_e2 equation_f1 lemma_f1* lemma_f2*
lemma_f3* lemma_g* lemma_h* figure_4 figure_5
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
