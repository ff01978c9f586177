"""The strategies, one a file; search/registry.py lists them by name."""
