"""Integers of more than 128 bits, which have no expressions of their own, become words of 64 bits, which have."""
