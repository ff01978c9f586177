"""The comparison of strategies: figures, trials, the command."""
