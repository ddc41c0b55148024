"""Decide one case: evaluate, prove, test, and the verdicts that come of it."""
