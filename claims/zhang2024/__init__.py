"""Zhang, Saxe, Latham (2024): When Are Bias-Free ReLU Networks Like Linear Networks?"""

# In the paper's order: the files, or globs of them.
CONTENTS = """
section_1* section_2 section_3 theorem_1 corollary_2 equation_3 assumption_4 section_4_1 theorem_5 corollary_6
section_4_2 figure_* appendix_a appendix_b equations_6_10 equations_11_12 lemma_7* lemma_8* lemma_9* lemma_10*
lemma_11* lemma_12* equations_18* equations_21* equation_23 equation*_24* equation_25 theorem_13 theorem_13*
equations_26* equations_30* equations_35* equation_37 theorem_5* corollary_14 section_e* equation_39
equation_40 section_f1 equation_41 equation_42 equation*_43* section_f2 appendix_g
"""
