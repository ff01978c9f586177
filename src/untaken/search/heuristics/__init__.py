"""Learned heuristics (ParaDySE): weights, the features that they weigh, and the files that they are kept in."""
