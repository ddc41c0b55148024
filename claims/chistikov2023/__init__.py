"""Chistikov, Englert, Lazić (2023): Learning a Neuron by a Shallow ReLU Network: Dynamics and Implicit Bias for
Correlated Inputs.
"""
