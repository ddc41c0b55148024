"""What only Chistikov, Englert, Lazic (2023) needs to draw and to repair."""
