"""Hybrid concolic testing (ICSE 2007): the algorithm, and one module for each of its parts."""
