"""Refutations derived a second time, in a few lines that know nothing of the harness."""
