"""Strategies on compiled programs, each built to suit some and to mislead others."""
