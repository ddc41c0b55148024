"""What only Zhang, Saxe, Latham (2024) needs to draw and to repair."""
