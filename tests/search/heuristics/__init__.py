"""Branch features, on compiled programs."""
