"""The output folder: what is in it, how a second run goes on, what becomes of damage."""
