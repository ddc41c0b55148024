"""What only Zhang, Saxe, Latham (2024) needs to train or to compute."""
