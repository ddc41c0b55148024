"""Certificates: written here, and decided again without believing them. Nothing here searches."""
