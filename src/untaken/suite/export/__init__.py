"""A campaign's tests in the formats of other tools, one module each."""
