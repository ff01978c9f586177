"""Malformed inputs, kind by kind, for `benchmarks/malformed.py`."""
