"""Compares strategies as a paper would: many campaigns over distinct seeds, then statistics, curves and a page."""
