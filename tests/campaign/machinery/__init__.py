"""What the search works with in a real campaign."""
