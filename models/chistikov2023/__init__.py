"""What only Chistikov, Englert, Lazic (2023) needs to train or to compute."""
