"""The numbers that conclusions compute with: floats, rationals, balls."""
