"""Learning heuristics."""
