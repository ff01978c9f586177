"""A whole campaign: budget, coverage, tests and findings, kept on disk as they come."""
