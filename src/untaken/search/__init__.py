"""Search: decides which branch of which path to flip next. Knows paths, branches and a static graph, nothing of C."""
