"""A solver in a process of its own, and what goes between."""
