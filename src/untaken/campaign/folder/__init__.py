"""A campaign's output folder: whose it is, what it holds, how a second run goes on from there."""
