"""What only Min, Mallada, Vidal (2024) needs to draw and to repair."""
