"""The static shape of a program, and what is computed on it: graph, distances, dominators, frontier."""
