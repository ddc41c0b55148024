"""Run claims: find them, check them in one process or several, and keep what was decided."""
