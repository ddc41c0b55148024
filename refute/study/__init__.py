"""Questions about a claim beside its truth: what it stands on, how tight it is, what it can tell apart."""
