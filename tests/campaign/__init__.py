"""Whole campaigns on real programs."""
