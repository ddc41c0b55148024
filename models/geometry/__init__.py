"""Geometry of data and weights: cones, angles, symmetries, ranks."""
