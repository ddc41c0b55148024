"""Statements for the hunt: false ones of rising difficulty, and true ones that look false."""
