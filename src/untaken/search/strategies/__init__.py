"""The strategies, one a file; registry.py lists them by name."""
