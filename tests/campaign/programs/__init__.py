"""Campaigns on programs of one kind: what of their values is followed, and which conditions are met."""
