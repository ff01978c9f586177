"""Learns heuristics: weights for the features of branches, from the coverage of many campaigns."""
