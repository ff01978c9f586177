"""untaken writes the tests for the branches that yours have not taken."""

__version__ = "0.1.0"
