"""What a search remembers of its runs: earlier inputs and paths, words, and what flips brought where."""
