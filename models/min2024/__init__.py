"""What only Min, Mallada, Vidal (2024) needs to train or to compute."""
