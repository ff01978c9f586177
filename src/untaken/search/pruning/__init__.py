"""Pruning rules: filters that say which flips are not worth solving, usable under every strategy."""
