"""Modified condition/decision coverage: which conditions were shown to decide on their own."""
