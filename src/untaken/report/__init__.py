"""What a person reads: the live display of a campaign, its closing words, the report."""
