"""Contexts of decisions on a path, and what is remembered of them."""
