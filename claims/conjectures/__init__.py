"""Conjectures: unproved statements of users. Copy a file, change the statement, run `pytest` on it."""
