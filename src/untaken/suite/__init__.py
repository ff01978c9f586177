"""A campaign's tests and findings, in its folder: written, read back, run again, exported."""
