"""The 40 features of a branch on a path (ParaDySE paper, table 1), for heuristics that score branches."""
