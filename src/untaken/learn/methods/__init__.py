"""The ways to look for good weights, one a file."""
