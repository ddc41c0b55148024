"""Chistikov, Englert, Lazić (2023): Learning a Neuron by a Shallow ReLU Network: Dynamics and Implicit Bias for
Correlated Inputs.
"""

# In the paper's order: the files, or globs of them.
CONTENTS = """
remarks proposition_1 assumption_1 proposition_2 assumption_2 phase_1 lemma_3 lemma_4 lemma_5 theorem_6 set_s
set_s_faces section_5 polyak_lojasiewicz full_network theorem_7 theorem_7* theta_vstar assumption_3 theorem_8
section_7 norm_conjecture section_8 figure_1 figure_2
"""
