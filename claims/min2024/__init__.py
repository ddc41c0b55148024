"""Min, Mallada, Vidal (2024): Early Neuron Alignment in Two-layer ReLU Networks with Small Initialization."""

# In the paper's order: the files, or globs of them.
CONTENTS = """
section_2* equation_3 section_3 definition_1 assumptions_1* theorem_1 theorem_1* random_start
remark_quantitative* appendix_a* refined* final* section_3_2* lemma_1 equations_7_8 section_3_3* choice_of*
lemma_2 lemma_3 equations_12* lemma_4 equation_18 lemma_5 lemma_6 lemma_7 lemma_8 lemma_9 lemma_10 lemma_11
equation*_26* equation_29 section_c* lemma_12 lemma_13 lemma_14 lemma_15 equation_32 equations_33* equation_37
equation_38 equation_39 equation_40 section_d2 equation_41 section_d3 equation_45 section_e2 equation_46
section_e3 section_e4 remark_6 remark_7 section_e5 section_f toy* digit*
"""
