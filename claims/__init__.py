"""Published claims as predicates, one folder per paper; conjectures/ is where new ones go."""
