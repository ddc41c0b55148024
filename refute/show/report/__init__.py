"""A static site from stored results: verdicts, counterexamples, plots, the graph of proofs. It runs no claim and needs
no server.
"""
