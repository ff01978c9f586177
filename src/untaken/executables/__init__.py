"""Executables without source: an image is lifted to C, which everything behind treats as any other program."""
