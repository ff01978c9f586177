"""The manual in several forms, all of them from the parsers of the commands: what they accept is what is described."""
