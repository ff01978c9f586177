"""Structure without a grammar: what of an input the program took as one thing, and what fits in its place."""
